package steps

import (
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// ShortText is more than the length of a string of CBOR whose head is one byte.
const ShortText = 24

// IsASCII reports whether the n bytes at b[i:], less than ShortText, are ASCII, without a call.
func IsASCII(b mem.Bytes, i, n int) bool {
	u := uint64(0)
	switch {
	case n >= 8:
		u = b.U64(i) | b.U64(i+n-8)
		if n > 16 {
			u |= b.U64(i + 8)
		}
	case n >= 4:
		u = uint64(b.U32(i) | b.U32(i+n-4))
	case n > 0:
		u = uint64(b.At(i) | b.At(i+n>>1) | b.At(i+n-1))
	}
	return u&0x8080808080808080 == 0
}

// CBORShort writes a text string of less than ShortText bytes at w[l:]. It returns the index after it, and whether
// it is ASCII.
func CBORShort(w mem.Bytes, l int, str string) (end int, ascii bool) {
	n := len(str)
	w.Set(l, cborwire.Text|byte(n))
	l++
	if mem.Safe {
		copy(w.Slice(l, l+n), str)
		return l + n, IsASCII(w, l, n)
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

// SmallInts are the integers from -32 on, as int64, in interfaces.
var SmallInts = func() (t [256]any) {
	for i := range t {
		t[i] = int64(i - 32)
	}
	return t
}()
