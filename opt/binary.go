package opt

import (
	"encoding"
	"encoding/json"
	"errors"
	"math"
	"reflect"
)

// MarshalBinary implements [encoding.BinaryMarshaler], and so serves
// encoding/gob. The first byte is the [State]. A value comes after it: as its
// own MarshalBinary has it; numbers little-endian in their width, int and uint
// in 8 bytes; strings and bytes as they are; of a pointer what it points to, and
// nil as null; anything else as JSON.
func (o Null[T]) MarshalBinary() ([]byte, error) { return marshalBinary(o.state(), &o.V) }

// UnmarshalBinary implements [encoding.BinaryUnmarshaler]. If there is an error, o keeps
// its value.
func (o *Null[T]) UnmarshalBinary(b []byte) error { return o.keep(unmarshalBinary[T](b)) }

// MarshalBinary implements [encoding.BinaryMarshaler], as [Null.MarshalBinary]
// does.
func (o Val[T]) MarshalBinary() ([]byte, error) { return marshalBinary(o.state(), &o.V) }

// UnmarshalBinary implements [encoding.BinaryUnmarshaler]. If there is an error, o keeps
// its value.
func (o *Val[T]) UnmarshalBinary(b []byte) error { return o.keep(unmarshalBinary[T](b)) }

// MarshalBinary implements [encoding.BinaryMarshaler], as [Null.MarshalBinary]
// does.
func (o Field[T]) MarshalBinary() ([]byte, error) { return marshalBinary(o.state(), &o.V) }

// UnmarshalBinary implements [encoding.BinaryUnmarshaler]. If there is an error, o keeps
// its value.
func (o *Field[T]) UnmarshalBinary(b []byte) error { return o.keep(unmarshalBinary[T](b)) }

func marshalBinary[T any](s State, v *T) ([]byte, error) {
	b := []byte{byte(s)}
	if s != IsSet {
		return b, nil
	}
	copied := *v
	if rv := reflect.ValueOf(&copied).Elem(); rv.Kind() == reflect.Pointer && rv.IsNil() {
		return []byte{byte(IsNull)}, nil
	}
	return appendBinary(b, &copied)
}

// appendBinary appends the value that v points to.
func appendBinary(b []byte, v any) ([]byte, error) {
	if m, ok := v.(encoding.BinaryMarshaler); ok {
		own, err := m.MarshalBinary()
		return append(b, own...), err
	}
	rv := reflect.ValueOf(v).Elem()
	switch k := rv.Kind(); {
	case k == reflect.Pointer && endless(rv.Type()):
		return b, errEndless
	case k == reflect.Pointer && !rv.IsNil():
		return appendBinary(b, rv.Interface())
	case k == reflect.String:
		return append(b, rv.String()...), nil
	case k == reflect.Bool:
		if rv.Bool() {
			return append(b, 1), nil
		}
		return append(b, 0), nil
	case rv.CanInt():
		return appendWord(b, uint64(rv.Int()), width(rv.Type())), nil
	case rv.CanUint():
		return appendWord(b, rv.Uint(), width(rv.Type())), nil
	case k == reflect.Float32:
		return appendWord(b, uint64(math.Float32bits(float32(rv.Float()))), 4), nil
	case k == reflect.Float64:
		return appendWord(b, math.Float64bits(rv.Float()), 8), nil
	case rv.CanComplex():
		c := rv.Complex()
		return appendWord(appendWord(b, math.Float64bits(real(c)), 8), math.Float64bits(imag(c)), 8), nil
	case isBytes(rv.Type()):
		return append(b, rv.Bytes()...), nil
	}
	text, err := json.Marshal(v)
	return append(b, text...), err
}

func unmarshalBinary[T any](b []byte) (v T, s State, err error) {
	if len(b) == 0 || b[0] > byte(IsSet) || b[0] != byte(IsSet) && len(b) != 1 {
		return v, s, errBinary
	}
	if s = State(b[0]); s != IsSet {
		return v, s, nil
	}
	own := new(T)
	err = readBinary(b[1:], own)
	return *own, s, err
}

// readBinary undoes appendBinary.
func readBinary(b []byte, v any) error {
	if u, ok := v.(encoding.BinaryUnmarshaler); ok {
		return u.UnmarshalBinary(b)
	}
	rv := reflect.ValueOf(v).Elem()
	switch k := rv.Kind(); {
	case k == reflect.Pointer && endless(rv.Type()):
		return errEndless
	case k == reflect.Pointer:
		rv.Set(reflect.New(rv.Type().Elem()))
		return readBinary(b, rv.Interface())
	case k == reflect.String:
		rv.SetString(string(b))
	case k == reflect.Bool:
		if len(b) != 1 || b[0] > 1 {
			return errBinary
		}
		rv.SetBool(b[0] == 1)
	case rv.CanInt(), rv.CanUint(), rv.CanFloat():
		n := width(rv.Type())
		if len(b) != n {
			return errBinary
		}
		w := word(b)
		switch {
		case k == reflect.Float32:
			rv.SetFloat(float64(math.Float32frombits(uint32(w))))
		case k == reflect.Float64:
			rv.SetFloat(math.Float64frombits(w))
		case rv.CanUint():
			if rv.OverflowUint(w) {
				return errBinary
			}
			rv.SetUint(w)
		default:
			x := int64(w) << (64 - 8*n) >> (64 - 8*n) // its sign is that of the width
			if rv.OverflowInt(x) {
				return errBinary
			}
			rv.SetInt(x)
		}
	case rv.CanComplex():
		if len(b) != 16 {
			return errBinary
		}
		rv.SetComplex(complex(math.Float64frombits(word(b[:8])), math.Float64frombits(word(b[8:]))))
	case isBytes(rv.Type()):
		rv.SetBytes(append([]byte{}, b...))
	default:
		return located(json.Unmarshal(b, v))
	}
	return nil
}

var errBinary = errors.New("opt: malformed binary value")

// width returns the bytes of a number: those of its type, which for int and
// uint are 8 on every machine.
func width(t reflect.Type) int {
	switch t.Kind() {
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		return 8
	}
	return t.Bits() / 8
}

// appendWord appends the low n bytes of w, the lowest first.
func appendWord(b []byte, w uint64, n int) []byte {
	for range n {
		b = append(b, byte(w))
		w >>= 8
	}
	return b
}

// word undoes appendWord.
func word(b []byte) (w uint64) {
	for i, c := range b {
		w |= uint64(c) << (8 * i)
	}
	return w
}
