package wire

import (
	"encoding/binary"
	"math/bits"
)

// Escapes says how a JSON string is written.
type Escapes uint8

const (
	// EscapeHTML is for '<', '>' and '&' to be escaped too.
	EscapeHTML Escapes = 1 << iota
	// TrustUTF8 is for text that is known to be UTF-8: what is not ASCII is copied as it is, U+2028 and U+2029
	// too.
	TrustUTF8
)

// HTML returns EscapeHTML when on is set.
func HTML(on bool) Escapes {
	if on {
		return EscapeHTML
	}
	return 0
}

// marks is special for the bytes that how asks for.
func (how Escapes) marks(x uint64) (m uint64) {
	if how&EscapeHTML != 0 {
		m = specialHTML(x)
	} else {
		m = special(x)
	}
	if how&TrustUTF8 != 0 {
		m &^= x
	}
	return m
}

// copyChunk is the longest text handed to one call of a copying kernel, which cannot be preempted.
const copyChunk = 256 << 10

// CopyPlain copies src to dst up to the first byte that a JSON string may not hold as it is, and returns the
// number of bytes copied. Such are '"', '\\', the control characters below 0x20, with [EscapeHTML] also '<', '>'
// and '&', and without [TrustUTF8] the characters U+2028 and U+2029 and the first byte that is not of a valid
// UTF-8 character.
//
// dst must be at least as long as src; its bytes from the returned number up to len(src) are undefined.
func CopyPlain(dst []byte, src string, how Escapes) (n int) {
	if level != levelGeneric && (len(src) >= 32 || len(src) >= 16 && level != levelNEON) {
		return copyKernel(dst, src, how)
	}
	return copyWords(dst, src, 0, how)
}

// copyKernel is CopyPlain by the kernels, for a src that is not empty.
func copyKernel(dst []byte, src string, how Escapes) (n int) {
	dst = dst[:len(src)]
	for {
		end := len(src)
		if end-n > copyChunk {
			end = charStart(src, n+copyChunk)
		}
		k, _ := copyBlocks(&dst[n], 0, src[n:end], int(how))
		if k += n; k < end || endsOpen(src[:end]) {
			k = copyWords(dst, src[:end], charStart(src, k), how)
		}
		if k < end || end == len(src) {
			return k
		}
		n = end
	}
}

// endsOpen reports whether the last character of src, which is not empty, may be unfinished.
func endsOpen(src string) bool {
	n := len(src)
	return src[n-1] >= 0x80 && (n < 3 || unfinished(src[n-3:]) != 0)
}

// charStart returns n, or where the character starts that src[:n] may leave unfinished.
func charStart(src string, n int) int {
	for i := 1; i <= 3 && i <= n; i++ {
		switch c := src[n-i]; {
		case c < 0x80:
			return n
		case c >= 0xc0:
			return n - i
		}
	}
	return n
}

// copyWords is CopyPlain from i on, where a character starts, eight bytes at a time.
func copyWords(dst []byte, src string, i int, how Escapes) int {
	dst = dst[:len(src)]
	stops := &escaped[how&EscapeHTML]
	for {
		for i+8 <= len(src) {
			x := load64(src[i:])
			binary.LittleEndian.PutUint64(dst[i:], x)
			m := how.marks(x)
			if m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		for i < len(src) && src[i] < 0x80 {
			c := src[i]
			if stops[c>>6&1]>>(c&63)&1 != 0 {
				return i
			}
			dst[i] = c
			i++
			if i+8 <= len(src) {
				break
			}
		}
		for i < len(src) && src[i] >= 0x80 {
			if how&TrustUTF8 != 0 {
				dst[i] = src[i]
				i++
				continue
			}
			size := runeLen(src[i:])
			if size == 0 || size == 3 && isLineSeparator(src[i:]) {
				return i
			}
			to, from := dst[i:], src[i:i+size]
			to[0], to[1] = from[0], from[1]
			if size > 2 {
				to[2] = from[2]
				if size > 3 {
					to[3] = from[3]
				}
			}
			i += size
		}
		if i >= len(src) {
			return i
		}
	}
}

// isLineSeparator reports whether s starts with U+2028 or U+2029.
func isLineSeparator(s string) bool {
	return len(s) >= 3 && s[0] == 0xe2 && s[1] == 0x80 && s[2]|1 == 0xa9
}

// special marks in bit 7 the bytes of x that are '"', '\\', below 0x20 or not ASCII. The lowest mark is right;
// those above it may be wrong, so that zero means none.
func special(x uint64) uint64 {
	q := (x ^ each01*'"') - each01
	s := (x ^ each01*'\\') - each01
	c := x - each01*0x20
	return (q | s | c | x) & each80
}

// specialHTML is special with '<', '>' and '&' marked too. '"' and '&' differ in bit 2 alone, as do '<' and '>'
// in bit 1.
func specialHTML(x uint64) uint64 {
	q := ((x | each01*4) ^ each01*'&') - each01
	a := ((x | each01*2) ^ each01*'>') - each01
	s := (x ^ each01*'\\') - each01
	c := x - each01*0x20
	return (q | a | s | c | x) & each80
}

// escaped has a bit set for each ASCII byte that a JSON string may not hold as it is, indexed by whether HTML is
// escaped.
var escaped = [2][2]uint64{
	{1<<32 - 1 | 1<<'"', 1 << ('\\' - 64)},
	{1<<32 - 1 | 1<<'"' | 1<<'&' | 1<<'<' | 1<<'>', 1 << ('\\' - 64)},
}
