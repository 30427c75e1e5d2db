package wire

import (
	"math"
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
