package value

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/weftcodec/weft/internal/mem"
)

// Value is an immutable dynamic value. The zero Value is null. Values are compared
// by [Value.Equal] and [Value.Compare], not by ==.
type Value struct {
	_    [0]func() // == would compare addresses
	ref  mem.Ref   // what the kind has beside num
	num  uint64    // the scalar, or the length of what ref refers to
	meta uint64    // the kind in the low byte, above it more about what the kind has
}

// What a Value holds, by kind:
//
//	Bool                   num: 0 or 1
//	Int, Uint              num: the bits
//	Float                  num: the bits of a float64; meta: 1 if they come from a float32
//	Number, String, Bytes  ref: the bytes; num: their number
//	Time                   ref: the location; num: Unix seconds; meta: nanoseconds
//	List                   ref: the elements; num: their number
//	Map                    ref: a Value that refers to the shape, and the values of the members; num: their number
//	Ext                    ref: the bytes; num: the type; meta: the number of bytes

const metaShift = 8

// metaFloat32 is meta of a float that comes from 32 bits.
const metaFloat32 = 1<<metaShift | uint64(KindFloat)

func make1(k Kind, num uint64) Value { return Value{num: num, meta: uint64(k)} }

func makeRef(k Kind, r mem.Ref, n int) Value { return Value{ref: r, num: uint64(n), meta: uint64(k)} }

// Null returns null, which is also the zero Value.
func Null() Value { return Value{} }

// Bool returns the boolean b.
func Bool(b bool) Value {
	if b {
		return make1(KindBool, 1)
	}
	return make1(KindBool, 0)
}

// Int returns the signed integer i.
func Int(i int64) Value { return make1(KindInt, uint64(i)) }

// Uint returns the unsigned integer u.
func Uint(u uint64) Value { return make1(KindUint, u) }

// Float returns the floating-point number f.
func Float(f float64) Value { return make1(KindFloat, math.Float64bits(f)) }

// Float32 returns the floating-point number f, which remains a 32-bit number: its text is the shortest that restores
// f as a float32, and a format with 32-bit floats writes one. It equals Float(float64(f)), the same number.
func Float32(f float32) Value { return Value{num: math.Float64bits(float64(f)), meta: metaFloat32} }

var errNumber = errors.New("not a number in JSON's grammar")

// Number returns the number with the given text, which must be a JSON number (RFC 8259 §6). The text is kept
// unchanged.
func Number(text string) (Value, error) {
	if !validNumber(text) {
		return Value{}, fmt.Errorf("value: %w: %.40q", errNumber, text)
	}
	return numberOf(text), nil
}

func numberOf(text string) Value { return makeRef(KindNumber, mem.RefString(text), len(text)) }

// String returns the string s.
func String(s string) Value { return makeRef(KindString, mem.RefString(s), len(s)) }

// Bytes returns a string of bytes, a copy of b.
func Bytes(b []byte) Value { return bytesOf(append([]byte(nil), b...)) }

// bytesOf returns a string of bytes that keeps b, which must not change.
func bytesOf(b []byte) Value { return makeRef(KindBytes, mem.RefSlice(b), len(b)) }

// Time returns the instant t with its location and without its monotonic clock.
func Time(t time.Time) Value {
	return Value{
		ref:  mem.RefTo(t.Location()),
		num:  uint64(t.Unix()),
		meta: uint64(t.Nanosecond())<<metaShift | uint64(KindTime),
	}
}

// Ext returns an extension of a format: its type and a copy of its bytes.
func Ext(typ int64, data []byte) Value { return extOf(typ, append([]byte(nil), data...)) }

func extOf(typ int64, data []byte) Value {
	return Value{ref: mem.RefSlice(data), num: uint64(typ), meta: uint64(len(data))<<metaShift | uint64(KindExt)}
}

// Kind returns the kind of v.
func (v Value) Kind() Kind { return Kind(v.meta) }

// IsNull reports whether v is null.
func (v Value) IsNull() bool { return v.Kind() == KindNull }

// IsZero reports whether v is null, so that the tag option omitzero omits it.
func (v Value) IsZero() bool { return v.Kind() == KindNull }

// Bool returns the boolean v; ok is false if v is not a boolean.
func (v Value) Bool() (b, ok bool) { return v.num != 0 && v.Kind() == KindBool, v.Kind() == KindBool }

// Int returns the number v, of any kind. ok is false if an int64 cannot represent it exactly.
func (v Value) Int() (i int64, ok bool) {
	switch v.Kind() {
	case KindInt:
		return int64(v.num), true
	case KindUint:
		return int64(v.num), v.num <= math.MaxInt64
	case KindFloat, KindNumber:
		n := v.number()
		return n.int()
	}
	return 0, false
}

// Uint returns the number v, of any kind. ok is false if a uint64 cannot represent it exactly.
func (v Value) Uint() (u uint64, ok bool) {
	switch v.Kind() {
	case KindInt:
		return v.num, int64(v.num) >= 0
	case KindUint:
		return v.num, true
	case KindFloat, KindNumber:
		n := v.number()
		return n.uint()
	}
	return 0, false
}

// Float returns the number v, of any kind, rounded to the nearest float64. ok is false if v is not a number or out of
// range.
func (v Value) Float() (f float64, ok bool) {
	switch v.Kind() {
	case KindInt:
		return float64(int64(v.num)), true
	case KindUint:
		return float64(v.num), true
	case KindFloat:
		return math.Float64frombits(v.num), true
	case KindNumber:
		return parseFloat(v.text())
	}
	return 0, false
}

// Number returns the text of the number v, of any kind: for a Number the text that it was made from, for a float the
// shortest text that restores its 32 or 64 bits. A float that is not finite has no text.
func (v Value) Number() (text string, ok bool) {
	switch v.Kind() {
	case KindInt, KindUint:
		return string(v.appendScalar(nil)), true
	case KindFloat:
		if f := math.Float64frombits(v.num); math.IsNaN(f) || math.IsInf(f, 0) {
			return "", false
		}
		return string(v.appendScalar(nil)), true
	case KindNumber:
		return v.text(), true
	}
	return "", false
}

// Text returns the string v; ok is false if v is not a string. ([Value.String]
// describes a value of any kind.)
func (v Value) Text() (s string, ok bool) {
	if v.Kind() != KindString {
		return "", false
	}
	return v.text(), true
}

// Bytes returns a copy of the string of bytes v; ok is false if v is not one.
func (v Value) Bytes() (b []byte, ok bool) {
	if v.Kind() != KindBytes {
		return nil, false
	}
	return append([]byte{}, v.bytes()...), true
}

// Time returns the instant v; ok is false if v is not an instant.
func (v Value) Time() (t time.Time, ok bool) {
	if v.Kind() != KindTime {
		return time.Time{}, false
	}
	return v.time(), true
}

// Ext returns the type and a copy of the bytes of the extension v; ok is false if v is not an extension.
func (v Value) Ext() (typ int64, data []byte, ok bool) {
	if v.Kind() != KindExt {
		return 0, nil, false
	}
	return int64(v.num), append([]byte{}, v.extData()...), true
}

// The methods below hold for the kinds that they are meant for.

func (v *Value) is32() bool { return v.meta == metaFloat32 }

func (v Value) text() string { return v.ref.Text(int(v.num)) }

func (v Value) bytes() []byte { return mem.Elems[byte](v.ref, int(v.num)) }

func (v Value) extData() []byte { return mem.Elems[byte](v.ref, int(v.meta>>metaShift)) }

func (v Value) time() time.Time {
	t := time.Unix(int64(v.num), int64(v.meta>>metaShift))
	if l := mem.Target[time.Location](v.ref); l != nil {
		return t.In(l)
	}
	return t.UTC()
}
