package wire

import (
	"math/bits"

	"github.com/weftcodec/weft/internal/mem"
)

// SetInt is [SetUint] for signed integers.
func SetInt(w mem.Bytes, i int, v int64) int {
	if v >= 0 {
		return SetUint(w, i, uint64(v))
	}
	w.Set(i, '-')
	return SetUint(w, i+1, -uint64(v))
}

// SetUint writes u in decimal at i of w and returns the index after it. The caller guarantees that
// 24 bytes may be written there; those after the number are undefined. It gives the bytes of
// [AppendUint].
func SetUint(w mem.Bytes, i int, u uint64) int {
	if u < 100 {
		if u < 10 {
			w.Set(i, byte('0'+u))
			return i + 1
		}
		w.SetU16(i, uint16(digitPairs[2*u])|uint16(digitPairs[2*u+1])<<8)
		return i + 2
	}
	if u >= 1e8 {
		q := u / 1e8
		if q >= 1e8 {
			q /= 1e8
			i = SetUint(w, i, q)
			u -= q * 1e16
			q = u / 1e8
			w.SetU64(i, digits8(q)|asciiZeros)
			w.SetU64(i+8, digits8(u-q*1e8)|asciiZeros)
			return i + 16
		}
		x := digits8(q)
		lead := bits.TrailingZeros64(x) &^ 7
		w.SetU64(i, (x|asciiZeros)>>(lead&63))
		i += 8 - lead>>3
		w.SetU64(i, digits8(u-q*1e8)|asciiZeros)
		return i + 8
	}
	x := digits8(u)
	lead := bits.TrailingZeros64(x) &^ 7
	w.SetU64(i, (x|asciiZeros)>>(lead&63))
	return i + 8 - lead>>3
}
