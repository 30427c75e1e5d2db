package wire

import (
	"math"
	"math/bits"
)

var exactPow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

var exactPow10Float32 = [...]float32{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10}

// ParseFloat64 returns the float64 nearest to mant·10^exp10, or to its negative, halves rounded to even. When ok
// is false the number is out of range, or so near a half without being one that 192 bits cannot tell, and the
// text must go to strconv.ParseFloat.
func ParseFloat64(mant uint64, exp10 int, neg bool) (f float64, ok bool) {
	if mant < 1<<53 && uint(exp10+22) <= 44 {
		// Both numbers are exact, so the one operation rounds as it should (Clinger).
		f = float64(mant)
		if neg {
			f = -f
		}
		if exp10 < 0 {
			return f / exactPow10[-exp10], true
		}
		return f * exactPow10[exp10], true
	}
	var u uint64
	if neg {
		u = 1 << 63
	}
	const least, most = -307, 288 // whatever mant, the number is normal
	if mant != 0 && least <= exp10 && exp10 <= most {
		// As in roundDecimal, when the product is not near anything.
		lead := bits.LeadingZeros64(mant)
		hi, _ := bits.Mul64(mant<<(lead&63), pow10Table[exp10-pow10Min][0])
		if (hi+1)&0x1ff > 1 {
			top := hi >> 63
			m := hi >> (top + 9)
			m += m & 1
			exp := uint64(log2Pow10(exp10)+63-lead+1022) + top
			return math.Float64frombits(u | (exp<<52 + m>>1)), true
		}
	}
	v, ok := roundDecimal(mant, exp10, 52, 1023)
	return math.Float64frombits(u | v), ok
}

// ParseFloat32 is ParseFloat64 for float32, rounded once.
func ParseFloat32(mant uint64, exp10 int, neg bool) (f float32, ok bool) {
	if mant < 1<<24 && uint(exp10+10) <= 20 {
		f = float32(mant)
		if neg {
			f = -f
		}
		if exp10 < 0 {
			return f / exactPow10Float32[-exp10], true
		}
		return f * exactPow10Float32[exp10], true
	}
	var u uint32
	if neg {
		u = 1 << 31
	}
	v, ok := roundDecimal(mant, exp10, 23, 127)
	return math.Float32frombits(u | uint32(v)), ok
}

// roundDecimal returns the bits of the number nearest to mant·10^exp10 in the binary format with mantBits bits
// after the leading one and exponents above -bias.
//
// It multiplies mant, shifted until its highest bit is set, by the highest 64 bits of the power of ten (Eisel
// and Lemire). What was left out adds less than mant to the low word of the product, which matters when that
// carries, and only if the carry brings the bits to be cut from just below a half up to it. Then the next 64
// bits are multiplied too, and what is still missing is less than mant in a third word.
func roundDecimal(mant uint64, exp10, mantBits, bias int) (u uint64, ok bool) {
	if mant == 0 || exp10 < pow10Min {
		return 0, true
	}
	if exp10 > 308 {
		return 0, false
	}
	lead := uint(bits.LeadingZeros64(mant))
	mant <<= lead
	p := &pow10Table[exp10-pow10Min]
	hi, lo := bits.Mul64(mant, p[0])

	top := int(hi >> 63)
	exp := log2Pow10(exp10) + 63 - int(lead) + top + bias
	shift := uint(62 + top - mantBits)
	if exp < 1 { // subnormal
		shift += uint(1 - exp)
		exp = 1
		if shift > 64 {
			return 0, true
		}
	}
	half := uint64(1) << (shift - 1)
	below := 2*half - 1
	more := p[1] // not zero: the number is greater than hi and lo say
	if hi&below == half-1 && lo+mant < lo {
		next, low := bits.Mul64(mant, p[1])
		var carry uint64
		lo, carry = bits.Add64(lo, next, 0)
		hi += carry
		if more = low; exp10 < 0 || exp10 > 55 { // p is not exact
			more = 1
		}
		if hi&below == half-1 && lo == math.MaxUint64 && low+mant < low {
			if !dividesExactly(mant>>lead, exp10) {
				return 0, false
			}
			hi, lo, more = hi+1, 0, 0 // it is a half
		}
	}
	u = hi >> shift
	if cut := hi & below; cut > half || cut == half && lo|more|u&1 != 0 {
		u++
	}
	u += uint64(exp-1) << mantBits
	return u, u < uint64(2*bias+1)<<mantBits
}

// dividesExactly reports whether mant·10^exp10, with exp10 below zero, is a whole number of powers of two.
func dividesExactly(mant uint64, exp10 int) bool {
	if exp10 >= 0 || exp10 < -27 {
		return false
	}
	five := pow10Table[-exp10-pow10Min][0]
	five >>= uint(bits.TrailingZeros64(five)) // 5^-exp10
	return mant%five == 0
}
