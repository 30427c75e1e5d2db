package wire

import (
	"math/bits"

	"github.com/weftcodec/weft/internal/mem"
)

// NumberState is how far the text of a number (RFC 8259 §6) has been read byte by byte. The zero value is before it.
type NumberState uint8

const (
	NumberMinus    NumberState = iota + 1 // after -
	NumberPoint                           // after .
	NumberE                               // after e
	NumberSign                            // after the sign of the exponent
	numberZero                            // after the 0 of the integer: from here on the number may end
	numberDigits                          // after another digit of it: from here on digits repeat
	numberFraction                        // after a digit of the fraction
	numberExponent                        // after a digit of the exponent
)

// numberSteps are the states that follow each state: after 0, after 1 to 9, and after one of "-+.e".
var numberSteps = [...][7]NumberState{
	0:              {numberZero, numberDigits, NumberMinus},
	NumberMinus:    {numberZero, numberDigits},
	numberZero:     {4: NumberPoint, 5: NumberE},
	numberDigits:   {numberDigits, numberDigits, 4: NumberPoint, 5: NumberE},
	NumberPoint:    {numberFraction, numberFraction},
	numberFraction: {numberFraction, numberFraction, 5: NumberE},
	NumberE:        {numberExponent, numberExponent, NumberSign, NumberSign},
	NumberSign:     {numberExponent, numberExponent},
	numberExponent: {numberExponent, numberExponent},
}

// numberColumns is where numberSteps has a byte.
var numberColumns = func() (t [256]uint8) {
	for c := range t {
		t[c] = 6
	}
	for i, chars := range []string{"0", "123456789", "-", "+", ".", "eE"} {
		for _, c := range chars {
			t[c] = uint8(i)
		}
	}
	return t
}()

// Step returns the state after c, 0 if c does not go on with the number.
func (s NumberState) Step(c byte) NumberState { return numberSteps[s][numberColumns[c]] }

// Done reports whether the number may end here.
func (s NumberState) Done() bool { return s >= numberZero }

// Repeats reports whether any number of digits leads to the same state.
func (s NumberState) Repeats() bool { return s >= numberDigits }

// NumberLen returns the length of the number that b begins with, or 0. A number that is cut short, such as "1." or
// "1e", is none.
func NumberLen[T []byte | string](b T) int {
	i := 0
	if len(b) > 0 && b[0] == '-' {
		i = 1
	}
	switch {
	case i >= len(b):
		return 0
	case b[i] == '0':
		i++
	case '1' <= b[i] && b[i] <= '9':
		for i++; i < len(b) && b[i]-'0' <= 9; i++ {
		}
	default:
		return 0
	}
	if i < len(b) && b[i] == '.' {
		start := i + 1
		for i++; i < len(b) && b[i]-'0' <= 9; i++ {
		}
		if i == start {
			return 0
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		start := i
		for ; i < len(b) && b[i]-'0' <= 9; i++ {
		}
		if i == start {
			return 0
		}
	}
	return i
}

// SkipNumber returns the index after the number of b at i, or -1. Behind the text b must have a byte that is not of a
// number, and 7 others.
func SkipNumber(b mem.Bytes, i int) int {
	if b.At(i) == '-' {
		i++
	}
	switch c := b.At(i); {
	case c == '0':
		i++
	case c-'1' < 9:
		i = SkipDigits(b, i+1)
	default:
		return -1
	}
	if b.At(i) == '.' {
		j := SkipDigits(b, i+1)
		if j == i+1 {
			return -1
		}
		i = j
	}
	if b.At(i)|0x20 == 'e' {
		i++
		if c := b.At(i); c == '-' || c == '+' {
			i++
		}
		j := SkipDigits(b, i)
		if j == i {
			return -1
		}
		i = j
	}
	return i
}

// SkipDigits returns the index of the first byte of b at or after i that is not a digit.
func SkipDigits(b mem.Bytes, i int) int {
	for {
		x := b.U64(i)
		// Each byte of t has a bit of its high half set where x has no digit.
		t := (x & 0xf0f0f0f0f0f0f0f0) | ((x+0x0606060606060606)&0xf0f0f0f0f0f0f0f0)>>4
		if t ^= 0x3333333333333333; t != 0 {
			return i + bits.TrailingZeros64(t)>>3
		}
		i += 8
	}
}
