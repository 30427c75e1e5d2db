package jsontext

import (
	"errors"
	"math"
	"strconv"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// Int returns a token that is an integer.
func Int(n int64) Token { return number(formInt, uint64(n)) }

// Uint returns a token that is an unsigned integer.
func Uint(n uint64) Token { return number(formUint, n) }

// Float returns a token that is a number, in its shortest form as ECMAScript writes it (RFC 8785 §3.2.2.3), except
// for -0. NaN and the infinities become the strings "NaN", "Infinity" and "-Infinity".
func Float(n float64) Token {
	if n-n != 0 {
		return String(infinite(n))
	}
	return number(formFloat64, math.Float64bits(n))
}

// Float32 is like [Float] for a number of single precision, whose shortest form is shorter. Use it if readers know
// the precision.
func Float32(n float32) Token {
	if n-n != 0 {
		return String(infinite(float64(n)))
	}
	return number(formFloat32, uint64(math.Float32bits(n)))
}

// infinite returns the name of NaN or an infinity.
func infinite(n float64) string {
	switch {
	case n > 0:
		return "Infinity"
	case n < 0:
		return "-Infinity"
	}
	return "NaN"
}

// AppendFloat appends n as [Float] or [Float32] writes it, for 64 or 32 bits. It panics if bits has another value.
func AppendFloat(dst []byte, n float64, bits int) []byte {
	switch {
	case bits != 32 && bits != 64:
		panic("jsontext: bits of a float must be 32 or 64")
	case bits == 32:
		n = float64(float32(n))
	}
	switch {
	case n-n != 0:
		return append(append(append(dst, '"'), infinite(n)...), '"')
	case bits == 32:
		return wire.AppendFloat32(dst, float32(n))
	}
	return wire.AppendFloat64(dst, n)
}

func (t Token) float32() float32 { return math.Float32frombits(uint32(t.num)) }
func (t Token) float64() float64 { return math.Float64frombits(t.num) }

func (t Token) misfit(as string, err error) error { return &numberError{as, t.String(), err} }

// Float returns the value of a number. A number beyond the range of float64 is an infinity, and the error is
// [strconv.ErrRange]. The strings that [Float] writes for NaN and the infinities have those values. It panics on
// other tokens.
func (t Token) Float() (float64, error) { return t.float(64) }

// Float32 is like [Token.Float] with single precision.
func (t Token) Float32() (float32, error) {
	f, err := t.float(32)
	return float32(f), err
}

func (t Token) float(bits int) (float64, error) {
	switch t.Kind() {
	case KindNumber:
	case KindString:
		switch t.String() {
		case "NaN":
			return math.NaN(), nil
		case "Infinity":
			return math.Inf(1), nil
		case "-Infinity":
			return math.Inf(-1), nil
		}
		t.misused()
	default:
		t.misused()
	}
	switch t.raw.form {
	case formInt:
		return float64(int64(t.num)), nil
	case formUint:
		return float64(t.num), nil
	case formFloat32:
		return float64(t.float32()), nil
	case formFloat64:
		f := t.float64()
		if bits == 32 && math.IsInf(float64(float32(f)), 0) {
			return f, t.misfit("Float", strconv.ErrRange)
		}
		return f, nil
	}
	f, ok := parseFloat(t.text(), bits)
	if !ok {
		return f, t.misfit("Float", strconv.ErrRange)
	}
	return f, nil
}

// Int returns the value of a number that is an integer in the range of int64. A number that is not an integer is
// truncated, and the error is [strconv.ErrSyntax]. For a number out of range it returns the nearest value, and the
// error is [strconv.ErrRange]. It panics on other tokens.
func (t Token) Int() (int64, error) {
	switch {
	case t.Kind() != KindNumber:
		t.misused()
	case t.raw.form == formInt:
		return int64(t.num), nil
	case t.raw.form == formUint && int64(t.num) < 0:
		return math.MaxInt64, t.misfit("Int", strconv.ErrRange)
	case t.raw.form == formUint:
		return int64(t.num), nil
	case t.raw.form == formRaw:
		text := t.text()
		if n, err := strconv.Atoi(mem.String(text)); err == nil { // which is faster for a few digits
			return int64(n), nil
		} else if n, err := strconv.ParseInt(mem.String(text), 10, 64); err == nil {
			return n, nil
		} else if errors.Is(err, strconv.ErrRange) {
			return n, t.misfit("Int", strconv.ErrRange)
		}
	}
	f, _ := t.float(64)
	switch n := cut[int64](f, math.MinInt64, math.MaxInt64); {
	case t.raw.form == formRaw || math.Trunc(f) != f:
		return n, t.misfit("Int", strconv.ErrSyntax)
	case f >= 1<<63 || f < -1<<63:
		return n, t.misfit("Int", strconv.ErrRange)
	default:
		return n, nil
	}
}

// Uint is like [Token.Int] for uint64. A number with a sign is not an unsigned integer.
func (t Token) Uint() (uint64, error) {
	switch {
	case t.Kind() != KindNumber:
		t.misused()
	case t.raw.form == formUint:
		return t.num, nil
	case t.raw.form == formInt && int64(t.num) < 0:
		return 0, t.misfit("Uint", strconv.ErrSyntax)
	case t.raw.form == formInt:
		return t.num, nil
	case t.raw.form == formRaw:
		if n, err := strconv.ParseUint(mem.String(t.text()), 10, 64); err == nil {
			return n, nil
		} else if errors.Is(err, strconv.ErrRange) {
			return n, t.misfit("Uint", strconv.ErrRange)
		}
	}
	f, _ := t.float(64)
	switch n := cut[uint64](f, 0, math.MaxUint64); {
	case t.raw.form == formRaw || math.Trunc(f) != f || math.Signbit(f):
		return n, t.misfit("Uint", strconv.ErrSyntax)
	case f >= 1<<64:
		return n, t.misfit("Uint", strconv.ErrRange)
	default:
		return n, nil
	}
}

// cut returns the integer part of f, or the integer next to it that is in the range of T, from least to most.
func cut[T int64 | uint64](f float64, least, most T) T {
	switch {
	case f >= float64(most): // rounded up
		return most
	case !(f > float64(least)):
		return least
	}
	return T(f)
}

// parseFloat returns the float of 64 or 32 bits next to a number, whose text is in a buffer with eight bytes behind it.
// It is not ok when that is an infinity.
func parseFloat(text []byte, bits int) (f float64, ok bool) {
	b := mem.BytesOf(text[:len(text)+8])
	var end int
	if bits == 64 {
		f, end, ok = wire.ReadFloat64(b, 0)
	} else {
		var f32 float32
		f32, end, ok = wire.ReadFloat32(b, 0)
		f = float64(f32)
	}
	if end < 0 { // a zero, right before a digit that begins another number
		f, ok = 0, true
		if text[0] == '-' {
			f = math.Copysign(0, -1)
		}
	}
	return f, ok
}

// appendCanonical appends a number as RFC 8785 §3.2.2.3 asks.
func appendCanonical(b, text []byte) []byte {
	f, ok := parseFloat(text, 64)
	switch {
	case f == 0:
		f = 0 // without a sign
	case !ok && f > 0:
		f = math.MaxFloat64
	case !ok:
		f = -math.MaxFloat64
	}
	return wire.AppendFloat64(b, f)
}
