package wire

import (
	"cmp"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// NumberDigits returns the digits of a number in JSON's grammar without zeros at either end, and the power of ten of
// the point before them: text is ±0.digits·10^exp.
func NumberDigits(text string) (digits string, exp int) {
	text = strings.TrimPrefix(text, "-")
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		const most = math.MaxInt32 / 2 // the order among greater exponents is lost
		exp, _ = strconv.Atoi(text[i+1:])
		exp = min(max(exp, -most), most)
		text = text[:i]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	exp += len(whole) - (len(whole) + len(fraction) - len(digits))
	if digits = strings.TrimRight(digits, "0"); digits == "" {
		exp = 0
	}
	return digits, exp
}

// ReadNumber returns the float64 nearest to a number in JSON's grammar. If that is another number, neither by its
// shortest text nor exactly, wide is the number itself, as a text that is the same for all texts of it; else it is
// empty. ok is false if text is not a number.
func ReadNumber(text string) (f float64, wide string, ok bool) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, "", false
	}
	if a := math.Abs(f); err == nil && (len(text) <= 16 && a >= 1e-300 || a > math.MaxFloat64 || a != a) {
		return f, "", true // 15 digits are those of the shortest text
	}
	digits, exp := NumberDigits(text)
	if err == nil {
		for _, prec := range []int{-1, 766} { // 767 digits write any float64 exactly
			if d, e := NumberDigits(strconv.FormatFloat(f, 'e', prec, 64)); d == digits && e == exp {
				return f, "", true
			}
		}
	}
	var b []byte
	if text[0] == '-' {
		b = append(b, '-')
	}
	b = append(b, digits...)
	switch exp -= len(digits); {
	case 0 <= exp && exp <= 20:
		b = append(b, "00000000000000000000"[:exp]...)
	default:
		b = strconv.AppendInt(append(b, 'e'), int64(exp), 10)
	}
	return f, string(b), true
}

// CompareNumbers returns -1, 0 or 1 as the number x is less than y, equal or greater. Both are in JSON's grammar.
func CompareNumbers(x, y string) int {
	a, aExp := NumberDigits(x)
	b, bExp := NumberDigits(y)
	sign := func(text, digits string) int {
		switch {
		case digits == "":
			return 0
		case text[0] == '-':
			return -1
		}
		return 1
	}
	s := sign(x, a)
	if c := cmp.Compare(s, sign(y, b)); c != 0 {
		return c
	}
	return s * cmp.Or(cmp.Compare(aExp, bExp), cmp.Compare(a, b))
}

// IsMultiple reports whether the number x is a multiple of m, which is greater than 0, exactly as their texts say. Both
// are in JSON's grammar. Of m as many digits count as 64 bits hold.
func IsMultiple(x, m string) bool {
	digits, exp := NumberDigits(x)
	of, ofExp := NumberDigits(m)
	of = of[:min(len(of), 19)]
	n, _ := strconv.ParseUint(of, 10, 64)
	if exp -= len(digits) + ofExp - len(of); digits == "" || exp < 0 {
		return digits == "" // the last digit is not 0
	}
	// n has at most 64 factors of 2 or 5 that powers of ten make up for.
	var rem uint64
	for i := range len(digits) + min(exp, 64) {
		hi, lo := bits.Mul64(rem, 10)
		if i < len(digits) {
			var carry uint64
			lo, carry = bits.Add64(lo, uint64(digits[i]-'0'), 0)
			hi += carry
		}
		rem = bits.Rem64(hi, lo, n)
	}
	return rem == 0
}

// FloatHas reports whether the shortest text of a float64 is the number that text is, which is valid.
func FloatHas(text string) bool {
	f, err := strconv.ParseFloat(text, 64)
	if a := math.Abs(f); err != nil || len(text) <= 15 && 1e-300 <= a && a <= 1e300 {
		return err == nil // 15 digits are those of the shortest text
	}
	digits, exp := NumberDigits(text)
	short, shortExp := NumberDigits(strconv.FormatFloat(f, 'e', -1, 64))
	return digits == short && exp == shortExp
}
