package wire

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// AppendJSONString appends s as a JSON string, quoted, with the bytes of encoding/json: '"' and '\\' escaped,
// control characters as \b \f \n \r \t or \u00xx, U+2028 and U+2029 as \u2028 and \u2029, with [EscapeHTML] also '<',
// '>' and '&' as \u003c, \u003e and \u0026; each byte that is not of a valid UTF-8 character becomes \ufffd.
func AppendJSONString(b []byte, s string, how Escapes) []byte {
	n, l := len(s), len(b)
	if cap(b)-l < n+2 {
		return appendGrown(b, s, how)
	}
	if n < 16 || n > copyChunk || level != levelAVX512 && level != levelAVX2 {
		return appendWords(b, s, how)
	}
	d := b[:cap(b)]
	d[l] = '"'
	k, wrote := copyBlocks(&d[l+1], len(d)-l-2, s, int(how))
	l += 1 + wrote
	if k < n || how&TrustUTF8 == 0 && endsOpen(s) {
		return AppendJSONStringFrom(d[:l], s, k, how)
	}
	d[l] = '"'
	return d[:l+1]
}

// appendGrown is AppendJSONString where there is no room. It does not call that, so that b may be of a stack.
//
//go:noinline
func appendGrown(b []byte, s string, how Escapes) []byte {
	return appendWords(slices.Grow(b, len(s)+2), s, how)
}

// AppendJSONStringFrom is the rest of AppendJSONString after a quote and the first k bytes of s have been appended.
// At the end of these a character may be unfinished, unless the text is trusted.
//
//go:noinline
func AppendJSONStringFrom(b []byte, s string, k int, how Escapes) []byte {
	if how&TrustUTF8 == 0 {
		start := charStart(s, k)
		b, k = b[:len(b)-k+start], start
	}
	return appendEscaped(b, s[k:], how)
}

// appendWords is AppendJSONString where there is room, without its kernel.
//
//go:noinline
func appendWords(b []byte, s string, how Escapes) []byte {
	n, l := len(s), len(b)
	d := b[l : l+n+2]
	d[0] = '"'
	k := 0
	if n >= 16 {
		k = CopyPlain(d[1:], s, how)
	} else {
		// Two words that overlap hold all of s.
		var x, y, m uint64
		switch {
		case n >= 8:
			x, y = load64(s), load64(s[n-8:])
			binary.LittleEndian.PutUint64(d[1:], x)
			binary.LittleEndian.PutUint64(d[n-7:], y)
		case n >= 4:
			lo, hi := load32(s), load32(s[n-4:])
			binary.LittleEndian.PutUint32(d[1:], lo)
			binary.LittleEndian.PutUint32(d[n-3:], hi)
			x = uint64(lo) | uint64(hi)<<32
		case n > 0:
			d[1] = s[0]
			d[1+n>>1] = s[n>>1]
			d[n] = s[n-1]
			x = uint64(s[0]) | uint64(s[n>>1])<<8 | uint64(s[n-1])<<16 | each01*' '&^0xffffff
		default:
			x = each01 * ' '
		}
		if m = how.marks(x); n >= 8 {
			m |= how.marks(y)
		}
		if m == 0 {
			k = n
		}
	}
	if k == n {
		d[n+1] = '"'
		return b[:l+n+2]
	}
	return appendEscaped(b[:l+1+k], s[k:], how)
}

// replacement is what stands for a byte that is not of UTF-8, as [Forms] has it.
const replacement = '\\' | 'u'<<8 | 'f'<<16 | 'f'<<24 | 'f'<<32 | 'd'<<40 | 6<<56

// near is how many bytes appendEscaped writes one by one, each as six at most.
const near = 48

// appendEscaped appends the rest s of a JSON string and the closing quote.
func appendEscaped(b []byte, s string, how Escapes) []byte {
	forms := &stringForms[how&EscapeHTML]
	d, o := b[:cap(b)], len(b)
	for i := 0; i < len(s); {
		// Room for the rest, and for what copyBlocks wants.
		if len(d)-o < len(s)-i+512 {
			d = slices.Grow(d[:o], len(s)-i+512)
			d = d[:cap(d)]
		}
		words := s[i:]
		if len(words) >= 8 {
			x := load64(words)
			if m := how.marks(x); m != 0 && x&each80 == 0 {
				// Near an escape there are often others: the word is written byte by byte.
				n := escapeWord((*[64]byte)(d[o:o+64]), x, forms)
				i += 8
				o += int(n)
				continue
			}
		} else {
			for i < len(s) && s[i] < 0x80 {
				form := forms[s[i]]
				binary.LittleEndian.PutUint64(d[o:], form)
				i++
				o += int(form >> 56)
			}
			if words = s[i:]; words == "" {
				break
			}
		}
		if level != levelGeneric && len(words) >= 16 {
			// A call cannot be preempted.
			n, wrote := copyBlocks(&d[o], len(d)-o, s[i:min(len(s), i+copyChunk)], int(how))
			if n > 0 && how&TrustUTF8 == 0 && endsOpen(s[i:i+n]) {
				start := charStart(s[i:], n)
				n, wrote = start, wrote-n+start
			}
			if n > 0 {
				i += n
				o += wrote
				continue
			}
			// Past what stopped it.
			words = words[:min(len(words), 64)]
		}
		if k := copyWords(d[o:], words, 0, how); k > 0 {
			i += k
			o += k
			continue
		}
		switch c := s[i]; {
		case c < 0x80:
			form := forms[c]
			binary.LittleEndian.PutUint64(d[o:], form)
			i++
			o += int(form >> 56)
		case isLineSeparator(words):
			o += copy(d[o:], `\u2028`)
			d[o-1] = '8' + words[2]&1
			i += 3
		default:
			// Near a byte that is not of UTF-8 there are often others: a few characters are written one by one.
			for end := min(i+near, len(s)); i < end; {
				form := uint64(replacement)
				if c := s[i]; c < 0x80 {
					form = forms[c]
				} else if r, size := utf8.DecodeRuneInString(s[i:]); r|1 == '\u2029' {
					break
				} else if size > 1 {
					o += copy(d[o:], s[i:i+size])
					i += size
					continue
				}
				binary.LittleEndian.PutUint64(d[o:], form)
				o += int(form >> 56)
				i++
			}
		}
	}
	return append(d[:o], '"')
}

// AppendQuoted appends s as a JSON string with the fewest escapes, and those that are asked for: js is for U+2028 and
// U+2029. Each byte that is not of a valid UTF-8 character becomes U+FFFD; then valid is false.
func AppendQuoted(b []byte, s string, how Escapes, js bool) (_ []byte, valid bool) {
	forms := Forms(how)
	valid = true
	b = slices.Grow(b, len(s)+2)
	o := len(b) + 1
	d := b[:cap(b)]
	d[o-1] = '"'
	for i := 0; ; {
		n := CopyPlain(d[o:], s[i:], how)
		i += n
		o += n
		if i == len(s) {
			d[o] = '"'
			return d[:o+1], valid
		}
		// Room for what follows, at worst six bytes for the next and one for each other, and a quote.
		if len(d)-o < len(s)-i+9 {
			d = slices.Grow(d[:o], len(s)-i+64)
			d = d[:cap(d)]
		}
		c := s[i]
		switch {
		case c < 0x80:
			binary.LittleEndian.PutUint64(d[o:], forms[c])
			o += int(forms[c] >> 56)
			i++
		case isLineSeparator(s[i:]):
			if js {
				o += copy(d[o:], `\u2028`)
				d[o-1] = '8' + s[i+2]&1
			} else {
				o += copy(d[o:], s[i:i+3])
			}
			i += 3
		default:
			o += copy(d[o:], "\ufffd")
			i++
			valid = false
		}
	}
}

// escapeWord writes eight ASCII bytes as they stand in a JSON string, without a branch, and returns how many it
// wrote. It spoils up to 56 bytes of out.
//
//go:noinline
func escapeWord(out *[64]byte, x uint64, forms *[128]uint64) (n uint) {
	for range 8 {
		if n > 56 {
			break // never: it only spares a check
		}
		form := forms[x&127]
		x >>= 8
		binary.LittleEndian.PutUint64(out[n:n+8], form)
		n += uint(form >> 56)
	}
	return n
}

// load64 returns the first eight bytes of s, the lowest byte first.
func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// load32 returns the first four bytes of s, the lowest byte first.
func load32(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// Forms returns what stands in a JSON string for each ASCII byte, its first byte lowest, and in the highest byte how
// long it is.
func Forms(how Escapes) *[128]uint64 { return &stringForms[how&EscapeHTML] }
