package wire

import (
	"strconv"

	"github.com/weftcodec/weft/internal/mem"
)

// Decimal is a JSON number as far as the digits of its text that fit 64 bits. It has four fields, as the compiler keeps
// structs of more in memory.
type Decimal struct {
	Mant   uint64 // right for 19 digits
	Exp10  int
	Digits int // significant ones of the text
	form   uint8
}

const (
	decimalNeg   = 1 << iota
	decimalWhole // without fraction and exponent
)

// Neg reports whether the number has a sign.
func (n Decimal) Neg() bool { return n.form&decimalNeg != 0 }

// Whole reports whether the number has no fraction and no exponent.
func (n Decimal) Whole() bool { return n.form&decimalWhole != 0 }

// upTo1e7 has powers of ten.
var upTo1e7 = [8]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7}

// ReadDecimal reads the number of b at i and returns the index after it, or -1 if there is none. Behind the text b must
// have a byte that is not of a number, and 7 others.
func ReadDecimal(b mem.Bytes, i int) (n Decimal, next int) {
	if b.At(i) == '-' {
		n.form = decimalNeg
		i++
	}
	first := i // of the significant digits
	c := b.At(i) - '0'
	if c > 9 {
		return n, -1
	}
	m := uint64(c)
	i++
	if c == 0 {
		first = i
		if b.At(i)-'0' <= 9 {
			return n, -1
		}
	} else {
		for {
			c = b.At(i) - '0'
			if c > 9 {
				break
			}
			m = m*10 + uint64(c)
			i++
		}
	}
	count := i - first
	c = b.At(i)
	if c != '.' && c|0x20 != 'e' {
		n.Mant, n.Digits = m, count
		n.form |= decimalWhole
		return n, i
	}
	exp := 0
	if c == '.' {
		i++
		point := i
		if m == 0 {
			for b.At(i) == '0' {
				i++
			}
		}
		first = i
		x := b.U64(i)
		if Is8Digits(x) {
			m = m*1e8 + Parse8Digits(x)
			i += 8
			x = b.U64(i)
		}
		if Is8Digits(x) {
			m = m*1e8 + Parse8Digits(x)
			for i += 8; b.At(i)-'0' <= 9; i++ { // one more, or none
				m = m*10 + uint64(b.At(i)-'0')
			}
		} else {
			k := CountDigits(x) // how many there are is not told by branches, which would be hard to predict
			m = m*upTo1e7[k&7] + parseDigits(x, k)
			i += k
		}
		if i == point {
			return n, -1
		}
		exp = point - i
		count += i - first
	}
	if b.At(i)|0x20 == 'e' {
		i++
		sign := b.At(i)
		if sign == '-' || sign == '+' {
			i++
		}
		e, from := 0, i
		for {
			c = b.At(i) - '0'
			if c > 9 {
				break
			}
			if e < 1e4 { // as far as strconv reads it: more is out of any range
				e = e*10 + int(c)
			}
			i++
		}
		if i == from {
			return n, -1
		}
		if sign == '-' {
			e = -e
		}
		exp += e
	}
	n.Mant, n.Exp10, n.Digits = m, exp, count
	return n, i
}

// ReadFloat64 returns the number of b at i as a float64 and the index after it, as [ReadDecimal] does. ok is false if
// it is out of range.
func ReadFloat64(b mem.Bytes, i int) (f float64, next int, ok bool) {
	n, j := ReadDecimal(b, i)
	if j < 0 {
		return 0, j, false
	}
	if n.Digits <= 19 {
		if f, ok = ParseFloat64(n.Mant, n.Exp10, n.Neg()); ok {
			return f, j, true
		}
	}
	f, err := strconv.ParseFloat(b.View(i, j), 64)
	return f, j, err == nil
}

// ReadFloat32 is ReadFloat64 for a float32.
func ReadFloat32(b mem.Bytes, i int) (f float32, next int, ok bool) {
	n, j := ReadDecimal(b, i)
	if j < 0 {
		return 0, j, false
	}
	if n.Digits <= 19 {
		if f, ok = ParseFloat32(n.Mant, n.Exp10, n.Neg()); ok {
			return f, j, true
		}
	}
	f64, err := strconv.ParseFloat(b.View(i, j), 32)
	return float32(f64), j, err == nil
}
