package steps

import (
	"math/bits"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// PackInt writes v in MessagePack's shortest form at w[l:], which has 9 bytes, and returns
// the index after it. It takes the same steps for every width, so that there is
// no branch to guess. Same as packwire.AppendInt.
func PackInt(w mem.Bytes, l int, v int64) int {
	sign := v >> 63
	f := &intForms[(bits.Len64(uint64(v^sign)|1)-1+int(sign&64))&127]
	return f.put(w, l, uint64(v))
}

// PackUint is PackInt for unsigned integers.
func PackUint(w mem.Bytes, l int, v uint64) int {
	f := &intForms[(bits.Len64(v|1)-1)&63]
	return f.put(w, l, v)
}

// intForm is how an integer is written: the first byte, then, at w[at:], what has
// the bytes of the integer first when it has been multiplied by mul. Its size is
// that of the whole.
type intForm struct {
	mul   uint64
	first byte
	at    uint8 // 0 where the integer is the first byte
	size  uint8
}

func (f *intForm) put(w mem.Bytes, l int, v uint64) int {
	w.Set(l, f.first)
	w.SetU64(l+int(f.at), bits.ReverseBytes64(v*f.mul))
	return l + int(f.size)
}

// intForms are the formats of integers: of those from 0 on by their length in
// bits less 1, of negative ones by 64 and that of their complement.
var intForms = func() (t [128]intForm) {
	form := func(first byte, size uint8) intForm { return intForm{1 << (72 - 8*size), first, 1, size} }
	short := intForm{1 << 56, 0, 0, 1}
	for i := range 64 {
		switch n := i + 1; {
		case n <= 7:
			t[i] = short
		case n <= 8:
			t[i] = form(packwire.Uint8, 2)
		case n <= 16:
			t[i] = form(packwire.Uint16, 3)
		case n <= 32:
			t[i] = form(packwire.Uint32, 5)
		default:
			t[i] = form(packwire.Uint64, 9)
		}
		switch n := i + 1; {
		case n <= 5:
			t[64+i] = short
		case n <= 7:
			t[64+i] = form(packwire.Int8, 2)
		case n <= 15:
			t[64+i] = form(packwire.Int16, 3)
		case n <= 31:
			t[64+i] = form(packwire.Int32, 5)
		default:
			t[64+i] = form(packwire.Int64, 9)
		}
	}
	return t
}()

// PackShort writes a str of fewer than 32 bytes at w[l:], which has 32 bytes, and
// returns the index after it. Same as packwire.AppendString.
func PackShort(w mem.Bytes, l int, v string) int {
	w.Set(l, packwire.FixStr|byte(len(v)))
	return w.SetShort(l+1, v)
}
