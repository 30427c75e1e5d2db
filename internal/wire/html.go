package wire

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/weftcodec/weft/internal/mem"
)

const hexDigits = "0123456789abcdef"

// AppendHTMLEscape appends src, JSON text, with <, > and & as \u003c, \u003e and \u0026 if html is set, and U+2028 and
// U+2029 as \u2028 and \u2029 if js is.
func AppendHTMLEscape(dst, src []byte, html, js bool) []byte {
	n := len(dst)
	dst, found := copyingHTML(dst, src)
	if !found {
		return dst
	}
	dst = dst[:n]
	start := 0
	for i := IndexHTML(src, 0); i < len(src); {
		n := 1
		switch c := src[i]; {
		case c != 0xE2 && html:
			dst = append(dst, src[start:i]...)
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xF])
			start = i + n
		case js && isLineSeparator(mem.String(src[i:])):
			n = 3
			dst = append(dst, src[start:i]...)
			dst = append(dst, '\\', 'u', '2', '0', '2', hexDigits[src[i+2]&0xF])
			start = i + n
		}
		i = IndexHTML(src, i+n)
	}
	return append(dst, src[start:]...)
}

// copyingHTML appends src, and reports whether IndexHTML finds a byte in it.
func copyingHTML(dst, src []byte) (out []byte, found bool) {
	if len(src) < 32 || !Vectors() {
		return append(dst, src...), AnyHTML(src)
	}
	n := len(dst)
	dst = slices.Grow(dst, len(src))[:n+len(src)]
	for out := dst[n:]; !found && len(src) > 0; {
		k := len(src)
		if k >= copyChunk+32 {
			k = copyChunk
		}
		found = copyHTML(&out[0], &src[0], k)
		out, src = out[k:], src[k:]
	}
	return dst, found
}

// htmlChunk is how many bytes far from a hit are looked at as a whole.
const htmlChunk = 256

// AnyHTML reports whether IndexHTML finds a byte in src.
func AnyHTML(src []byte) bool {
	if len(src) < 32 { // for calls to pay
		return IndexHTML(src, 0) < len(src)
	}
	return bytes.IndexByte(src, '<') >= 0 || bytes.IndexByte(src, '>') >= 0 || bytes.IndexByte(src, '&') >= 0 ||
		bytes.IndexByte(src, 0xE2) >= 0
}

// IndexHTML returns the offset at or after i of the first <, >, & or byte E2 of src, or len(src).
func IndexHTML(src []byte, i int) int {
	far := i + 64
	for ; i+16 <= len(src); i += 16 { // constants are loaded anew in each turn
		if i == far { // one is not near: whole chunks go by what the runtime has
			for i+htmlChunk <= len(src) && !AnyHTML(src[i:i+htmlChunk]) {
				i += htmlChunk
			}
			if i+16 > len(src) {
				break
			}
		}
		two := src[i : i+16]
		if htmlMarks(binary.LittleEndian.Uint64(two))|htmlMarks(binary.LittleEndian.Uint64(two[8:])) != 0 {
			break
		}
	}
	for ; i+8 <= len(src); i += 8 {
		x := binary.LittleEndian.Uint64(src[i:])
		if m := htmlMarks(x); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(src); i++ {
		if c := src[i]; c == '<' || c == '>' || c == '&' || c == 0xE2 {
			return i
		}
	}
	return i
}

// htmlMarks returns the high bits of bytes of x that HTML cares about. The lowest of them is exact, and there is none
// where there is no such byte: '<' and '>' differ in bit 1 alone, a zero byte of an xor is a hit, and a borrow can only
// mark bytes above a true hit.
func htmlMarks(x uint64) uint64 {
	lt := x&^(each01*2) ^ each01*('<'&^2)
	amp := x ^ each01*'&'
	e2 := x ^ each01*0xE2
	return ((lt-each01)&^lt | (amp-each01)&^amp | (e2-each01)&^e2) & each80
}
