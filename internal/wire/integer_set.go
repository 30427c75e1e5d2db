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
	if u >= 1e8 {
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
			i = setDigits(w, i, q)
		default:
			i = setLong(w, i, q)
		}
		w.SetU64(i, digits8(u)|asciiZeros)
		return i + 8
	}
	return setDigits(w, i, u)
}

// SetPadded writes u in n decimal digits, at most 18, at i of w and reports whether it has no more. The caller
// guarantees that 24 bytes may be written there; those after the number are undefined.
func SetPadded(w mem.Bytes, i, n int, u uint64) bool {
	if n > 8 {
		q := u / 1e8
		ok := SetPadded(w, i, n-8, q)
		w.SetU64(i+n-8, digits8(u-1e8*q)|asciiZeros)
		return ok
	}
	if u >= 1e8 {
		return false
	}
	x := digits8(u) | asciiZeros
	shift := 8 * uint(8-n)
	if x<<(64-shift) != asciiZeros<<(64-shift) {
		return false
	}
	w.SetU64(i, x>>(shift&63))
	return true
}

// setDigits is SetUint for 0 < u < 1e8: one way for all lengths, because which one is next cannot be foretold.
func setDigits(w mem.Bytes, i int, u uint64) int {
	x := digits8(u)
	lead := bits.TrailingZeros64(x) &^ 7
	w.SetU64(i, (x|asciiZeros)>>(lead&63))
	return i + 8 - lead>>3
}

// setLong is SetUint for a u of 9 to 16 digits.
//
//go:noinline
func setLong(w mem.Bytes, i int, u uint64) int {
	q := u / 1e8
	i = setDigits(w, i, q)
	w.SetU64(i, digits8(u-q*1e8)|asciiZeros)
	return i + 8
}
