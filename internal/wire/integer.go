package wire

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

const (
	asciiZeros = each01 * '0'

	digitPairs = "00010203040506070809" + "10111213141516171819" + "20212223242526272829" + "30313233343536373839" +
		"40414243444546474849" + "50515253545556575859" + "60616263646566676869" + "70717273747576777879" +
		"80818283848586878889" + "90919293949596979899"
)

// Is8Digits reports whether the eight bytes of x are all ASCII digits.
func Is8Digits(x uint64) bool {
	return (x&0xf0f0f0f0f0f0f0f0)|((x+0x0606060606060606)&0xf0f0f0f0f0f0f0f0)>>4 == 0x3333333333333333
}

// CountDigits returns how many of the eight bytes of x, from the lowest on, are ASCII digits before one that
// is not valid.
func CountDigits(x uint64) int {
	// Each byte of t has a bit of its high half set where x has no digit; the first one is right.
	t := (x & 0xf0f0f0f0f0f0f0f0) | ((x+0x0606060606060606)&0xf0f0f0f0f0f0f0f0)>>4
	return bits.TrailingZeros64(t^0x3333333333333333) >> 3
}

// Parse8Digits returns the value of eight ASCII digits, the first of them in the lowest byte of x.
func Parse8Digits(x uint64) uint64 { return join8Digits(x - asciiZeros) }

// parseDigits is Parse8Digits for the n lowest bytes of x, at most eight.
func parseDigits(x uint64, n int) uint64 {
	half := uint(32-4*n) & 63 // of the shift, which may be by 64
	return join8Digits((x - asciiZeros) << half << half)
}

// join8Digits is Parse8Digits for the digits less those zeros.
func join8Digits(x uint64) uint64 {
	x = x*10 + x>>8 // pairs, in the even bytes
	return (x&0x000000ff000000ff*(100+1000000<<32) + x>>16&0x000000ff000000ff*(1+10000<<32)) >> 32
}

// digits8 returns the eight decimal digits of v, below 10⁸, one a byte, the first in the lowest byte.
//
// Each step splits the numbers in all lanes by multiplying with a reciprocal, exact in their range, and puts the
// quotient low and the remainder high in each: q + (x-q·n)<<s is x<<s - q·(n<<s-1).
func digits8(v uint64) uint64 {
	q := v * 109951163 >> 40
	x := v<<32 - q*(10000<<32-1)
	q = x * 10486 >> 20 & 0x0000007f0000007f
	x = x<<16 - q*(100<<16-1)
	q = x * 103 >> 10 & 0x000f000f000f000f
	return x<<8 - q*(10<<8-1)
}

// AppendUint appends u in decimal.
func AppendUint(b []byte, u uint64) []byte {
	if u < 10 {
		return append(b, byte('0'+u))
	}
	if u < 100 {
		return append(b, digitPairs[2*u], digitPairs[2*u+1])
	}
	l := len(b)
	if cap(b)-l < 24 {
		b = slices.Grow(b, 24)
	}
	d := (*[24]byte)(b[l : l+24])
	return b[:l+putUint(d, u)]
}

// AppendInt appends v in decimal.
func AppendInt(b []byte, v int64) []byte {
	if v < 0 {
		b = append(b, '-')
		v = -v // the least int64 stays itself, which as uint64 is its absolute value
	}
	return AppendUint(b, uint64(v))
}

// putUint writes u at the start of d and returns its length; the bytes after it are undefined.
func putUint(d *[24]byte, u uint64) int {
	if u < 1e8 {
		w := digits8(u)
		lead := bits.TrailingZeros64(w|1<<56) &^ 7
		binary.LittleEndian.PutUint64(d[:], (w|asciiZeros)>>lead)
		return 8 - lead>>3
	}
	n := 0
	if u >= 1e16 {
		q := u / 1e16
		u -= q * 1e16
		w := digits8(q)
		lead := bits.TrailingZeros64(w) &^ 7
		binary.LittleEndian.PutUint64(d[:], (w|asciiZeros)>>lead)
		n = 8 - lead>>3
		q = u / 1e8
		binary.LittleEndian.PutUint64(d[n&7:], digits8(q)|asciiZeros)
		n += 8
		u -= q * 1e8
	} else {
		q := u / 1e8
		w := digits8(q)
		lead := bits.TrailingZeros64(w) &^ 7
		binary.LittleEndian.PutUint64(d[:], (w|asciiZeros)>>lead)
		n = 8 - lead>>3
		u -= q * 1e8
	}
	binary.LittleEndian.PutUint64(d[n&15:], digits8(u)|asciiZeros)
	return n + 8
}
