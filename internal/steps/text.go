package steps

import (
	"math"
	"math/bits"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// ShortText is more than the length of a string of CBOR whose head is one byte.
const ShortText = 24

// CBORShort writes a text string of less than ShortText bytes at w[l:]. It returns the index after it, and whether
// it is ASCII.
func CBORShort(w mem.Bytes, l int, str string) (end int, ascii bool) {
	n := len(str)
	w.Set(l, cborwire.Text|byte(n))
	l++
	if mem.Safe {
		copy(w.Slice(l, l+n), str)
		return l + n, notASCII(str) < 0x80
	}
	from := mem.BytesIn(str)
	u := uint64(0)
	switch {
	case n >= 8:
		x, y := from.U64(0), from.U64(n-8)
		u = x | y
		w.SetU64(l, x)
		if n > 16 {
			z := from.U64(8)
			u |= z
			w.SetU64(l+8, z)
		}
		w.SetU64(l+n-8, y)
	case n >= 4:
		x, y := from.U32(0), from.U32(n-4)
		u = uint64(x | y)
		w.SetU32(l, x)
		w.SetU32(l+n-4, y)
	case n > 0:
		x, y, z := from.At(0), from.At(n>>1), from.At(n-1)
		u = uint64(x | y | z)
		w.Set(l, x)
		w.Set(l+n>>1, y)
		w.Set(l+n-1, z)
	}
	return l + n, u&0x8080808080808080 == 0
}

// Rises reports whether the text at b[i:] comes after that at b[last:] in the order of its bytes, as far as [TextWord]
// and the eight bytes behind that show it.
func Rises(b []byte, last, i int) bool {
	x0, y0 := textWords(b, last)
	x, y := textWords(b, i)
	return x0 != 0 && (x > x0 || x == x0 && y > y0)
}

// TextWord returns the first word of the text of less than [ShortText] bytes that stands at i, with its head: of two,
// the one with the greater word comes later. What follows a text of less than seven bytes is not in it. It is 0 too
// near to the end of the document.
func TextWord(b []byte, i int) uint64 {
	if i+8 > len(b) {
		return 0
	}
	w := bits.ReverseBytes64(mem.BytesOf(b).U64(i))
	return w & textMasks[w>>56&31][0]
}

// textWords returns TextWord and the word behind that. They are 0 too near to the end of the document, and for any
// other item.
func textWords(b []byte, i int) (x, y uint64) {
	if i+16 > len(b) || b[i]^cborwire.Text >= ShortText {
		return 0, 0
	}
	w, m := mem.BytesOf(b), &textMasks[b[i]&31]
	return bits.ReverseBytes64(w.U64(i)) & m[0], bits.ReverseBytes64(w.U64(i+8)) & m[1]
}

// textMasks are, for text of so many bytes, the bits of its first two words, with the head.
var textMasks = func() (t [32][2]uint64) {
	for n := range t {
		t[n] = [2]uint64{^uint64(math.MaxUint64 >> (8*n + 8)), ^uint64(math.MaxUint64 >> (8 * max(n-7, 0)))}
	}
	return t
}()

// SmallInts are the integers from -32 on, as int64, in interfaces.
var SmallInts = func() (t [256]any) {
	for i := range t {
		t[i] = int64(i - 32)
	}
	return t
}()
