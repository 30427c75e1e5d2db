package json

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// slabSize is the size of the memory that short strings share. A string keeps
// no more than 8 KB alive, in an interface neither, where it stands in 1 KB of
// [mem.Boxes]: this is the largest size below 7 KB that the runtime has.
const slabSize = 6912

// slabFirst is the size of the first such memory, from which on it doubles: the first document of a process is
// often a small one.
const slabFirst = 512

// slabMost is the length of the longest string that shares memory.
const slabMost = 1 << 10

// sharedText is the length of the text of the largest value that shares memory
// with others. What shares memory is kept alive together, and all that it
// refers to: this bounds how much that is.
const sharedText = 4 << 10

// shares returns sharedText for what consists of elem. Strings share memory with those of one slab, so that they keep
// no more than that and the next one alive, and those that have memory of their own share none.
func (n *node) shares() int {
	if n.op == opString {
		return slabMost
	}
	return sharedText
}

// slab is memory that strings are carved from. Its bytes are written once.
type slab struct {
	b     mem.Bytes
	i, n  int
	text  []byte // with alias: what the strings are parts of
	alias bool   // nothing is copied; i and n are 0
	fresh bool   // it is newer than the last string that is in an interface
	made  int    // how many there have been
}

// take copies the bytes i to i+n-1 of b, which has 32 readable bytes beyond
// i, into a string.
func (s *slab) take(b mem.Bytes, i, n int) string {
	k := s.i
	if uint(n) > 32 || s.n-k < 32 {
		return s.takeAny(b, i, n)
	}
	s.b.SetU64(k, b.U64(i))
	s.b.SetU64(k+8, b.U64(i+8))
	if n > 16 {
		s.b.SetU64(k+16, b.U64(i+16))
		s.b.SetU64(k+24, b.U64(i+24))
	}
	s.i = k + n
	return s.b.View(k, k+n)
}

// takeAny is take for any string.
//
//go:noinline
func (s *slab) takeAny(b mem.Bytes, i, n int) string {
	if s.n-s.i < max(n, 32) {
		if s.alias {
			return mem.String(s.text[i : i+n])
		}
		if n > slabMost {
			return string(b.Slice(i, i+n))
		}
		if n == 0 {
			return ""
		}
		size := min(max(2*s.n, slabFirst), slabSize)
		if size < 2*n {
			size = slabSize
		}
		s.b, s.i, s.n = mem.BytesOf(mem.MakeNoZero(size)[:size]), 0, size
		s.fresh = true
		s.made++
	}
	k := s.i
	s.i = k + n
	copy(s.b.Slice(k, s.i), b.Slice(i, i+n))
	return s.b.View(k, s.i)
}

// boxed returns text, a string of s, in an interface. What is boxed together is in one slab.
func (s *slab) boxed(text string, boxes *mem.Boxes) any {
	if len(text) > slabMost {
		return text
	}
	if s.fresh {
		s.fresh = false
		boxes.Cut()
	}
	return boxes.String(text)
}

// str returns the string whose opening quote is at i, and the index after it,
// or failed.
func (d *decoder) str(i int) (string, int) {
	i++
	e := d.strEnd(i)
	if d.b.At(e) == '"' && !d.badUTF8 {
		return d.strings.take(d.b, i, e-i), e + 1
	}
	return d.strSlow(i, e)
}

// strSlow is str for a string with escapes, or in a text that is not UTF-8. e
// is the first special character.
//
//go:noinline
func (d *decoder) strSlow(i, e int) (string, int) {
	s := &d.strings
	if s.n-s.i > 2*escSpare {
		own := s.b.Slice(s.i, s.n) // escapes are resolved where the string stays, if it fits
		t, j := d.unescape(own[:0], i, e)
		if j >= 0 && len(t) > 0 && &t[0] == &own[0] {
			k := s.i
			s.i = k + len(t)
			return s.b.View(k, s.i), j
		}
		return d.kept(t, j)
	}
	return d.kept(d.unescape(d.esc[:0], i, e))
}

// kept returns t, which is valid until the next call, as a string.
func (d *decoder) kept(t []byte, j int) (string, int) {
	if j < 0 {
		return "", j
	}
	if d.strings.alias {
		return string(t), j
	}
	return d.strings.take(mem.BytesOf(t), 0, len(t)), j
}

// raw returns the text of the string whose opening quote is at i, with
// escapes resolved, and the index after it. The text is valid until the next
// call.
func (d *decoder) raw(i int) (mem.Bytes, int, int, int) {
	i++
	e := d.strEnd(i)
	if d.b.At(e) == '"' && !d.badUTF8 {
		return d.b, i, e, e + 1
	}
	t, j := d.unescape(d.esc[:0], i, e)
	return mem.BytesOf(t), 0, len(t), j
}

// name returns the string whose opening quote is at i, and the index after
// it. It is valid until the next call.
func (d *decoder) name(i int) (string, int) {
	b, from, to, j := d.raw(i)
	if j < 0 || from == to {
		return "", j
	}
	return b.View(from, to), j
}

// unescape writes the string that begins at i, whose first special character
// is at e, to out, which is empty, resolving escapes and replacing what is not UTF-8 by
// U+FFFD, as encoding/json does. It returns the text and the index after the closing
// quote, or failed. If the text does not fit out, it is in d.esc. It has escSpare bytes behind it.
func (d *decoder) unescape(out []byte, i, e int) ([]byte, int) {
	b := d.b
	for {
		run := e - i
		if d.badUTF8 {
			run *= utf8.UTFMax - 1 // each byte may become U+FFFD
		}
		if cap(out)-len(out) < run+escSpare {
			out = d.escRoom(out, run)
		}
		if n := len(out); run <= 16 && !d.badUTF8 { // 16 bytes can be read: zeros follow the text
			mem.BytesOf(out[:cap(out)]).Copy16(n, b, i)
			out = out[:n+run]
		} else {
			out = d.appendValid(out, i, e)
		}
		switch b.At(e) {
		case '"':
			return out, e + 1
		case '\\':
		default:
			return nil, d.fail()
		}
		// A run of escapes, with little between them, needs no bitmap.
		i = e
		for {
			n := len(out)
			o := mem.BytesOf(out[:cap(out)])
			for n <= cap(out)-4 && b.At(i) == '\\' {
				c := b.At(i + 1)
				if r := wire.Unescaped[c]; r != 0 {
					o.Set(n, r)
					n++
					i += 2
					continue
				}
				if b.At(i+6) == '\\' {
					k := i
					if i, n = unescapePairs(b, o, i, n, cap(out)-8); i > k {
						continue
					}
				}
				r := wire.Hex4(b, i+2)
				if c != 'u' || r < 0 {
					return nil, d.fail()
				}
				i += 6
				if r&^0x7FF != 0xD800 {
					n = putRune(o, n, uint32(r))
					continue
				}
				if b.At(i) == '\\' && b.At(i+1) == 'u' {
					if r = utf16.DecodeRune(r, wire.Hex4(b, i+2)); r != utf8.RuneError {
						i += 6
					}
				} else {
					r = utf8.RuneError
				}
				if r == utf8.RuneError && d.flags&decodeRefuseUTF8 != 0 {
					return nil, d.fail()
				}
				n += utf8.EncodeRune(o.Slice(n, n+4), r)
			}
			if out = out[:n]; b.At(i) != '\\' {
				break
			}
			out = d.escRoom(out, 0)
		}
		e = d.strEnd(i)
	}
}

// escSpare is the room that unescape leaves behind what it writes.
const escSpare = 64

// escRoom returns out in d.esc, with room for n more bytes and escSpare.
//
//go:noinline
func (d *decoder) escRoom(out []byte, n int) []byte {
	if need := len(out) + n + escSpare; cap(d.esc) < need {
		d.esc = make([]byte, 0, need+len(out))
	}
	return append(d.esc[:0], out...)
}

// escapeU is a backslash and a u.
const escapeU = '\\' | 'u'<<8

// hexRunes returns the values of two times four hexadecimal digits, the first ones in
// the low half, each with its first digit in the lowest byte. Where they are none,
// bad is not 0.
func hexRunes(x uint64) (r, bad uint64) {
	const each = 0x0101010101010101
	digit, letter := x^'0'*each, (x|0x20*each)^0x60*each
	// The high bit of a byte says: no digit; more than the letter f; less than a.
	bad = ((digit+0x76*each)&(letter+0x79*each|^(letter+0x7f*each)) | x) & (0x80 * each)
	x = x&(0x0f*each) + x>>6&each*9
	x = (x<<4 | x>>8) & 0x00ff00ff00ff00ff
	return (x<<8 | x>>16) & 0x0000ffff0000ffff, bad
}

// unescapePairs writes what the escapes from i on stand for at n of o, up to the first
// one that is special, or so long as n is at most the given one. It returns the
// index after them and the new n.
func unescapePairs(b, o mem.Bytes, i, n, most int) (int, int) {
	for n <= most {
		x, y := b.U64(i), b.U64(i+6)
		if x&0xffff != escapeU || y&0xffff != escapeU {
			break
		}
		x, bad := hexRunes(x>>16&0xffffffff | y>>16<<32)
		if y = x >> 32; bad != 0 || x&0xf800 == 0xd800 || y&0xf800 == 0xd800 {
			break
		}
		i += 12
		n = putRune(o, n, uint32(x&0xffff))
		n = putRune(o, n, uint32(y))
	}
	return i, n
}

// putRune writes r, which is below 1<<16 and no surrogate, at n of o as UTF-8 and
// returns the index after it. There are four bytes of room.
func putRune(o mem.Bytes, n int, r uint32) int {
	if r < utf8.RuneSelf {
		o.Set(n, byte(r))
		return n + 1
	}
	if r < 0x800 {
		o.SetU32(n, 0x80C0|r>>6|r<<8&0x3F00)
		return n + 2
	}
	o.SetU32(n, 0x8080E0|r>>12|r<<2&0x3F00|r<<16&0x3F0000)
	return n + 3
}

// appendValid appends the bytes i to e-1 of the text, with each byte that is
// not part of UTF-8 replaced by U+FFFD.
func (d *decoder) appendValid(out []byte, i, e int) []byte {
	if i == e {
		return out
	}
	run := d.b.Slice(i, e)
	if !d.badUTF8 || utf8.Valid(run) {
		return append(out, run...)
	}
	return appendRepaired(out, run)
}

// appendRepaired appends s with each byte that is not part of UTF-8 replaced
// by U+FFFD.
func appendRepaired(out, s []byte) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		out = utf8.AppendRune(out, r)
		s = s[n:]
	}
	return out
}

// unquote resolves a quoted JSON string that need not be well-formed, as
// encoding/json's unquote does for values wrapped in strings.
func unquote(s []byte) ([]byte, bool) {
	if len(s) < 2 || s[0] != '"' {
		return nil, false
	}
	plain := func(c byte) bool { return c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' }
	n := 1
	for n < len(s) && plain(s[n]) {
		n++
	}
	if n == len(s)-1 && s[n] == '"' {
		return s[1:n:n], true
	}
	text := make([]byte, 0, len(s)) // without the backslashes of \', an escape to that package
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if i++; s[i] != '\'' {
				text = append(text, '\\')
			}
		}
		text = append(text, s[i])
	}
	d := newDecoder(text, decodeOptions{})
	out, i := d.text(0)
	out = bytes.Clone(out)
	d.release(true)
	return out, i == len(text)
}
