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
	if u < 10 {
		w.Set(i, byte('0'+u))
		return i + 1
	}
	if u < 1e8 { // one way for all other lengths: which one is next cannot be foretold
		x := digits8(u)
		lead := bits.TrailingZeros64(x) &^ 7
		w.SetU64(i, (x|asciiZeros)>>(lead&63))
		return i + 8 - lead>>3
	}
	q := u / 1e8
	u -= q * 1e8
	switch {
	case q < 10:
		w.Set(i, byte('0'+q))
		i++
	case q < 100: // seconds since 1970
		tens := q * 103 >> 10
		w.SetU16(i, uint16('0'|'0'<<8|tens|(q-10*tens)<<8))
		i += 2
	case q < 1e8:
		x := digits8(q)
		lead := bits.TrailingZeros64(x) &^ 7
		w.SetU64(i, (x|asciiZeros)>>(lead&63))
		i += 8 - lead>>3
	default:
		top := q / 1e8
		i = SetUint(w, i, top)
		w.SetU64(i, digits8(q-top*1e8)|asciiZeros)
		i += 8
	}
	w.SetU64(i, digits8(u)|asciiZeros)
	return i + 8
}
