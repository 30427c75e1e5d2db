package steps

import (
	"math"
	"math/bits"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// CBORInt writes v in CBOR's shortest form at w[l:], which has 16 bytes, and returns the index after it.
func CBORInt(w mem.Bytes, l int, v int64) int {
	sign := uint64(v >> 63)
	return CBORHead(w, l, byte(sign&cborwire.Nint), uint64(v)^sign)
}

// CBORHead writes the shortest head of the major type and argument at w[l:], which has 16 bytes, and returns
// the index after it. Same as cborwire.AppendHead.
func CBORHead(w mem.Bytes, l int, major byte, n uint64) int {
	if n < 24 {
		w.Set(l, major|byte(n))
		return l + 1
	}
	f := &headForms[bits.Len64(n)&127]
	w.Set(l, major|f.info)
	w.SetU64(l+1, bits.ReverseBytes64(n<<(f.shift&63)))
	return l + int(f.size)
}

// MostText bounds the length of strings that steps copy.
const MostText = 255

// notASCII returns the bits that bytes which are not ASCII have.
func notASCII(s string) (u uint64) {
	for i := range len(s) {
		u |= uint64(s[i])
	}
	return u
}

// headForm is how a head of more than a byte is written.
type headForm struct{ info, shift, size uint8 }

// headForms are the forms of arguments by their length in bits.
var headForms = func() (t [128]headForm) {
	for n := range t {
		switch {
		case n <= 8:
			t[n] = headForm{24, 56, 2}
		case n <= 16:
			t[n] = headForm{25, 48, 3}
		case n <= 32:
			t[n] = headForm{26, 32, 5}
		default:
			t[n] = headForm{27, 0, 9}
		}
	}
	return t
}()

// CBORFloat writes the number at w[l:], which has 17 bytes, and returns the index after it. Same as
// cborwire.AppendFloat.
func CBORFloat(w mem.Bytes, l int, v float64) int {
	if u := math.Float64bits(v); OnlyDouble(u) {
		w.Set(l, cborwire.Double)
		w.SetU64(l+1, bits.ReverseBytes64(u))
		return l + 9
	}
	return cborShortest(w, l, v)
}

// cborShortest is CBORFloat for numbers that single or half precision may have.
func cborShortest(w mem.Bytes, l int, v float64) int {
	u := math.Float32bits(float32(v))
	if float64(float32(v)) != v {
		return l + len(cborwire.AppendFloat(w.Slice(l, l+cborwire.MaxHead)[:0], v))
	}
	if u&(1<<13-1) != 0 { // half precision has no such number
		w.Set(l, cborwire.Single)
		w.SetU32(l+1, bits.ReverseBytes32(u))
		return l + 5
	}
	h := u >> 16 & 0x8000
	if exp := u >> 23 & 0xff; exp-113 < 30 {
		h |= (exp-112)<<10 | u>>13&0x3ff
	} else if u<<1 != 0 { // subnormal in half precision, or too large for it
		return l + len(cborwire.AppendFloat(w.Slice(l, l+cborwire.MaxHead)[:0], v))
	}
	w.Set(l, cborwire.Half)
	w.SetU16(l+1, bits.ReverseBytes16(uint16(h)))
	return l + 3
}

// OnlyDouble reports whether the number with these bits is finite, and has more of them than a number of single
// precision. Not all that have are found.
func OnlyDouble(u uint64) bool { return u&(1<<29-1) != 0 && u<<1 < 0x7ff<<53 }

// OnlySingle is OnlyDouble for a number of single precision, and half precision.
func OnlySingle(u uint32) bool { return u&(1<<13-1) != 0 && u<<1 < 0xff<<24 }
