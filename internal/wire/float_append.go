package wire

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// The powers of ten of pow10Table. Below the least, 64 bits of digits always give zero; the greatest is what
// brings the least float64 to an integer.
const pow10Min, pow10Max = -342, 324

// Pow10 is where in that table 10 itself is: kernels of other packages need it.
var Pow10 = &pow10Table[1-pow10Min]

// AppendFloat64 appends the shortest decimal that reads as f, in the form of encoding/json, which is that of
// ECMAScript: with an exponent below 1e-6 and from 1e21 on only. f must be finite; for NaN and the infinities it
// appends strconv's names.
func AppendFloat64(b []byte, f float64) []byte {
	u := math.Float64bits(f)
	sign := u >> 63
	e, c := int(u>>52&0x7ff), u&(1<<52-1)
	switch e {
	case 0:
		if c == 0 {
			return append(appendSign(b, sign), '0')
		}
		e = 1
	case 0x7ff:
		return strconv.AppendFloat(appendSign(b, sign), math.Abs(f), 'g', -1, 64)
	default:
		if shift := uint(1075 - e); shift <= 52 && c&(1<<shift-1) == 0 {
			return AppendUint(appendSign(b, sign), (c|1<<52)>>shift)
		}
		if 1023-20 <= e && e < 1023+26 {
			// Few digits after the point: of at most 15 digits in all, no two decimals read as one float64, so the
			// one that does is the shortest.
			abs := math.Abs(f)
			if d := int64(abs*1e6 + 0.5); float64(d)/1e6 == abs {
				return appendFixed6(appendSign(b, sign), uint64(d))
			}
		}
		if c == 0 && e > 1 {
			d, k := shortestExact(1<<52, e-1075, true)
			return appendDecimal(b, sign, d/10, d%10, k)
		}
		c |= 1 << 52
	}
	tens, last, k := shortest(c, e-1075)
	return appendDecimal(b, sign, tens, last, k)
}

// appendFixed6 appends d/10^6, which is below 10^8 and not an integer, without zeros at its end.
func appendFixed6(b []byte, d uint64) []byte {
	l := len(b)
	if cap(b)-l < 32 {
		b = slices.Grow(b, 32)
	}
	out := (*[32]byte)(b[l : l+32])
	whole := d / 1e6
	w, frac := digits8(whole), digits8(d-whole*1e6)
	lead := bits.TrailingZeros64(w|1<<56) &^ 7
	binary.LittleEndian.PutUint64(out[:], (w|asciiZeros)>>lead)
	n := uint(8-lead>>3) & 15
	binary.LittleEndian.PutUint64(out[n:], '.'|(frac|asciiZeros)>>16<<8)
	return b[:l+int(n)+7-bits.LeadingZeros64(frac)>>3]
}

// AppendFloat32 is AppendFloat64 for float32: the shortest decimal that reads as f in 32 bits.
func AppendFloat32(b []byte, f float32) []byte {
	u := math.Float32bits(f)
	sign := uint64(u >> 31)
	e, c := int(u>>23&0xff), uint64(u&(1<<23-1))
	switch e {
	case 0:
		if c == 0 {
			return append(appendSign(b, sign), '0')
		}
		e = 1
	case 0xff:
		return strconv.AppendFloat(appendSign(b, sign), math.Abs(float64(f)), 'g', -1, 32)
	default:
		if shift := uint(150 - e); shift <= 23 && c&(1<<shift-1) == 0 {
			return AppendUint(appendSign(b, sign), (c|1<<23)>>shift)
		}
		if c == 0 && e > 1 {
			if e == 127-12 {
				// 2^-12 ends in a 5 too many; strconv has rounded it both up and down, and its way is the form.
				return strconv.AppendFloat(appendSign(b, sign), math.Abs(float64(f)), 'f', -1, 32)
			}
			d, k := shortestExact(1<<23, e-150, true)
			return appendDecimal(b, sign, d/10, d%10, k)
		}
		c |= 1 << 23
	}
	tens, last, k := shortest(c, e-150)
	d, scale, n := tens*10+last, uint64(1e8), 8 // d is below 1.7·10^8, and what it becomes has 15 or 16 digits
	if d >= 1e8 {
		scale, n = 1e7, 7
	}
	return appendDecimal(b, sign, d*scale, 0, k-n-1)
}

// log10Pow2 returns the greatest k with 10^k <= 2^q, and log2Pow10 the greatest q with 2^q <= 10^k, for the
// exponents of float64.
func log10Pow2(q int) int { return q * 1262611 >> 22 }
func log2Pow10(k int) int { return k * 1741647 >> 19 }

// shortest returns the shortest decimal d·10^k among those that read as the floating-point number c·2^q, and of
// these the nearest to it. The numbers beside c·2^q must be 2^q away on both sides. d may end in zeros.
//
// With k such that 2^q is between 1 and 10 units of 10^k, the decimals that read as the number lie within half
// of 2^q of it, so at most one multiple of ten units is among them, and it is the shortest; failing that, the
// nearest integer is. The number in units comes from one product of 128 bits cut off, less than two of its last
// bits too low; when a comparison is as close as that, shortestExact decides.
func shortest(c uint64, q int) (tens, digit uint64, k int) {
	k = log10Pow2(q)
	h := uint(q + log2Pow10(-k) + 1) // from 1 to 4
	p := &pow10Table[-k-pow10Min]
	c1 := c << (h & 63)
	hi, mid := bits.Mul64(c1, p[0])
	more, _ := bits.Mul64(c1, p[1])
	frac, carry := bits.Add64(mid, more, 0)
	hi += carry // the number is hi and frac/2^64

	tens = hi / 10
	digit = hi - tens*10
	last := digit<<60 | frac>>4    // beyond the multiple of ten below, by 2^-60
	half := p[0] >> ((5 - h) & 63) // half of 2^q, by 2^-60
	const ten = 10 << 60
	if last-half+2 <= 4 || ten-(last+half) <= 3 || frac-(1<<63-2) <= 2 {
		d, k := shortestExact(c, q, false)
		return d / 10, d % 10, k
	}
	// Which it is cannot be foretold, so that there is no branch.
	_, below := bits.Sub64(last, half, 0)
	_, above := bits.Sub64(ten, last+half, 0)
	return tens + above, (digit + frac>>63) & (below + above - 1), k
}

// shortestExact is shortest for every case, and, when power is set, for a c·2^q that is a power of two, below
// which the next number is only half as far away. It is Raffaello Giulietti's Schubfach.
func shortestExact(c uint64, q int, power bool) (d uint64, k int) {
	lower := 4*c - 2
	if power {
		lower++
		k = (q*1262611 - 524031) >> 22 // for 3/4 of 2^q
	} else {
		k = log10Pow2(q)
	}
	h := uint(q + log2Pow10(-k) + 1)
	p := pow10Table[-k-pow10Min]
	if k > 0 || k < -55 { // not exact in 128 bits: round up
		var carry uint64
		p[1], carry = bits.Add64(p[1], 1, 0)
		p[0] += carry
	}
	odd := c & 1
	lo := mulToOdd(p, lower<<h) + odd
	v := mulToOdd(p, 4*c<<h)
	up := mulToOdd(p, (4*c+2)<<h) - odd
	d = v / 4
	if d >= 10 {
		ten := d / 10
		below, above := lo <= 40*ten, 40*ten+40 <= up
		if below != above {
			if above {
				ten++
			}
			return ten * 10, k
		}
	}
	below, above := lo <= 4*d, 4*d+4 <= up
	if below != above {
		if above {
			d++
		}
		return d, k
	}
	if mid := 4*d + 2; v > mid || v == mid && d&1 != 0 {
		d++
	}
	return d, k
}

// mulToOdd returns the highest 64 bits of the product of p and c, the lowest bit set when more than a last bit
// follows.
func mulToOdd(p [2]uint64, c uint64) uint64 {
	low, _ := bits.Mul64(p[1], c)
	hi, mid := bits.Mul64(p[0], c)
	mid, carry := bits.Add64(mid, low, 0)
	hi += carry
	if mid > 1 {
		hi |= 1
	}
	return hi
}

// appendSign appends a minus sign if sign is 1 and nothing if it is 0.
func appendSign(b []byte, sign uint64) []byte {
	if sign != 0 {
		b = append(b, '-')
	}
	return b
}

// appendDecimal appends (10·tens + last)·10^k, which is not 0, in the form of AppendFloat64, after a minus sign if
// sign is 1. tens is below 10^16. Signs and lengths are often random, so that they take no branch.
func appendDecimal(b []byte, sign, tens, last uint64, k int) []byte {
	_, short := bits.Sub64(tens, 1e15, 0)
	tens += (9*tens + last) & -short
	last &= short - 1
	k -= int(short)
	for tens < 1e15 {
		tens *= 10
		k--
	}
	// The 17 digits as two words and one, and how many of them there are without the zeros at the end.
	top := tens / 1e8
	w0, w1 := digits8(top), digits8(tens-top*1e8)
	n := 16 - bits.LeadingZeros64(w1)>>3
	if w1 == 0 {
		n = 8 - bits.LeadingZeros64(w0)>>3
	}
	if last != 0 {
		n = 17
	}
	w0 |= asciiZeros
	w1 |= asciiZeros
	last |= '0'

	l := len(b)
	if cap(b)-l <= 32 {
		b = slices.Grow(b, 33)
	}
	b[:l+1][l] = '-'
	l += int(sign)
	out := (*[32]byte)(b[l : l+32])
	point := 17 + k // digits before the point
	switch {
	case 0 < point && point < 8: // no integer, which AppendFloat64 has written
		putPoint(out, w0, w1, last, uint(point))
		return b[:l+n+1]
	case -6 < point && point <= 0:
		binary.LittleEndian.PutUint64(out[:], asciiZeros&^0xff00|'.'<<8)
		i := 2 - point
		binary.LittleEndian.PutUint64(out[i&7:], w0)
		binary.LittleEndian.PutUint64(out[i&7+8:], w1)
		out[i&7+16] = byte(last)
		return b[:l+i+n]
	case 8 <= point && point <= 21:
		binary.LittleEndian.PutUint64(out[:], w0)
		binary.LittleEndian.PutUint64(out[8:], w1)
		binary.LittleEndian.PutUint64(out[16:], last|asciiZeros)
		if n <= point {
			return b[:l+point]
		}
		at := uint(point) & 31
		binary.LittleEndian.PutUint64(out[at+1:], w1>>(8*(at-8)&63))
		out[at] = '.'
		out[17] = byte(last)
		return b[:l+n+1]
	}
	putPoint(out, w0, w1, last, 1)
	if n > 1 {
		n++
	}
	exp := int64(point - 1)
	neg := exp >> 63
	w := digits8(uint64(exp ^ neg - neg))
	lead := bits.TrailingZeros64(w) &^ 7
	binary.LittleEndian.PutUint16(out[n:], 'e'|uint16('+'-2*neg)<<8)
	binary.LittleEndian.PutUint64(out[n+2:], (w|asciiZeros)>>(lead&63))
	return b[:l+n+10-lead>>3]
}

// putPoint writes 17 digits with a point after the first n of them, 0 < n < 8.
func putPoint(out *[32]byte, w0, w1, w2 uint64, n uint) {
	shift := 8 * n & 63
	before := uint64(1)<<shift - 1
	binary.LittleEndian.PutUint64(out[:], w0&before|'.'<<shift|w0&^before<<8)
	out[8] = byte(w0 >> 56)
	binary.LittleEndian.PutUint64(out[9:], w1)
	out[17] = byte(w2)
}
