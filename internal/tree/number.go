package tree

import (
	"math"
	"strconv"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// textOf returns b, which must not change any more, as a string.
func textOf(b []byte) string { return mem.String(b) }

// Form is how a number of a text is kept.
type Form uint8

// The forms of numbers.
const (
	FormText  Form = iota // as its text: no other form has it to its last digit
	FormInt               // as an int64
	FormUint              // as a uint64
	FormFloat             // as a float64
)

// ParseNumber returns how the number that valid text is is kept, and the bits of
// the integer or the float.
func ParseNumber(text []byte) (Form, uint64) {
	i, neg := 0, text[0] == '-'
	if neg {
		i++
	}
	var mant uint64
	digits, exp, point := 0, 0, -1
	for ; i < len(text); i++ {
		c := text[i] - '0'
		if c > 9 {
			if text[i] != '.' {
				break
			}
			point = i
			continue
		}
		if mant != 0 || c != 0 {
			digits++
		}
		mant = 10*mant + uint64(c) // right for 19 digits
	}
	whole := point < 0 && i == len(text)
	switch {
	case digits > 19:
	case whole && !neg && mant <= math.MaxInt64:
		return FormInt, mant
	case whole && !neg:
		return FormUint, mant
	case whole && neg && mant <= 1<<63 && mant != 0:
		return FormInt, -mant
	}
	if whole {
		if u, err := strconv.ParseUint(string(text), 10, 64); err == nil {
			return FormUint, u
		}
		if mant != 0 || digits > 0 {
			return FormText, 0
		}
		return FormFloat, 1 << 63 // -0
	}
	if digits > 17 {
		return FormText, 0
	}
	if point >= 0 {
		exp = point + 1 - i
	}
	if i < len(text) {
		e, err := strconv.Atoi(string(text[i+1:]))
		if err != nil || e > 400 || e < -400 { // no float has it
			switch {
			case mant != 0:
				return FormText, 0
			case neg:
				return FormFloat, 1 << 63
			}
			return FormFloat, 0
		}
		exp += e
	}
	f, ok := wire.ParseFloat64(mant, exp, neg)
	if !ok {
		var err error
		f, err = strconv.ParseFloat(string(text), 64)
		ok = err == nil
	}
	if !ok || mant != 0 && math.Abs(f) < 0x1p-1022 || math.IsInf(f, 0) {
		return FormText, 0
	}
	return FormFloat, math.Float64bits(f)
}
