package opt

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"
)

// MarshalText implements [encoding.TextMarshaler]. Text has no null: it is
// empty.
func (o Null[T]) MarshalText() ([]byte, error) { return marshalText(o.state(), &o.V) }

// UnmarshalText implements [encoding.TextUnmarshaler]. An empty text is the
// empty value of a T of strings or bytes, and null for any other T. If there is an error,
// o keeps its value.
func (o *Null[T]) UnmarshalText(b []byte) error { return o.keep(unmarshalText[T](b, IsNull)) }

// MarshalText implements [encoding.TextMarshaler]. An absent value is empty.
func (o Val[T]) MarshalText() ([]byte, error) { return marshalText(o.state(), &o.V) }

// UnmarshalText implements [encoding.TextUnmarshaler]. An empty text is the
// empty value of a T of strings or bytes, and an absent one for any other T. On
// an error o keeps its value.
func (o *Val[T]) UnmarshalText(b []byte) error { return o.keep(unmarshalText[T](b, Absent)) }

// MarshalText implements [encoding.TextMarshaler]. An absent value and a null
// are empty.
func (o Field[T]) MarshalText() ([]byte, error) { return marshalText(o.state(), &o.V) }

// UnmarshalText implements [encoding.TextUnmarshaler]. An empty text is the
// empty value of a T of strings or bytes, and null for any other T. If there is an error,
// o keeps its value.
func (o *Field[T]) UnmarshalText(b []byte) error { return o.keep(unmarshalText[T](b, IsNull)) }

func marshalText[T any](s State, v *T) ([]byte, error) {
	if s != IsSet {
		return []byte{}, nil
	}
	copied := *v
	return appendText(nil, reflect.ValueOf(&copied).Elem())
}

// appendText appends the text of an addressable value: by its own method if it
// has one; scalars as package strconv has them, of a pointer what it points to,
// and JSON for the rest.
func appendText(b []byte, v reflect.Value) ([]byte, error) {
	switch p := v.Addr().Interface().(type) {
	case encoding.TextMarshaler:
		text, err := p.MarshalText()
		return append(b, text...), err
	case *time.Duration:
		return append(b, p.String()...), nil
	}
	switch v.Kind() {
	case reflect.String:
		return append(b, v.String()...), nil
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.AppendUint(b, v.Uint(), 10), nil
	case reflect.Float32, reflect.Float64:
		return strconv.AppendFloat(b, v.Float(), 'g', -1, v.Type().Bits()), nil
	case reflect.Complex64, reflect.Complex128:
		return append(b, strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits())...), nil
	case reflect.Pointer:
		if v.IsNil() {
			return b, nil
		}
		if endless(v.Type()) {
			return b, errEndless
		}
		return appendText(b, v.Elem())
	}
	if isBytes(v.Type()) {
		return append(b, v.Bytes()...), nil
	}
	text, err := json.Marshal(v.Addr().Interface())
	return append(b, text...), err
}

// unmarshalText reads a value; where an empty text is none, its state is empty.
func unmarshalText[T any](b []byte, empty State) (v T, s State, err error) {
	rt := reflect.TypeFor[T]()
	if len(b) == 0 && rt.Kind() != reflect.String && !isBytes(rt) {
		return v, empty, nil
	}
	own := new(T)
	err = parseText(b, reflect.ValueOf(own).Elem())
	return *own, IsSet, err
}

// parseText undoes appendText.
func parseText(b []byte, v reflect.Value) error {
	switch p := v.Addr().Interface().(type) {
	case encoding.TextUnmarshaler:
		return p.UnmarshalText(b)
	case *time.Duration:
		d, err := time.ParseDuration(string(b))
		*p = d
		return located(err)
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(string(b))
		return nil
	case reflect.Bool:
		x, err := strconv.ParseBool(string(b))
		v.SetBool(x)
		return located(err)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x, err := strconv.ParseInt(string(b), 10, v.Type().Bits())
		v.SetInt(x)
		return located(err)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		x, err := strconv.ParseUint(string(b), 10, v.Type().Bits())
		v.SetUint(x)
		return located(err)
	case reflect.Float32, reflect.Float64:
		x, err := strconv.ParseFloat(string(b), v.Type().Bits())
		v.SetFloat(x)
		return located(err)
	case reflect.Complex64, reflect.Complex128:
		x, err := strconv.ParseComplex(string(b), v.Type().Bits())
		v.SetComplex(x)
		return located(err)
	case reflect.Pointer:
		if endless(v.Type()) {
			return errEndless
		}
		in := reflect.New(v.Type().Elem())
		v.Set(in)
		return parseText(b, in.Elem())
	}
	if isBytes(v.Type()) {
		v.SetBytes(append([]byte{}, b...))
		return nil
	}
	return located(json.Unmarshal(b, v.Addr().Interface()))
}

var errEndless = errors.New("opt: a pointer that leads to no value but pointers")

// mostPointers is how many pointers one after another lead to a value: a type that is a pointer to itself has more.
const mostPointers = 100

// endless reports whether t is a pointer to nothing but pointers, as in type P *P.
func endless(t reflect.Type) bool {
	for range mostPointers {
		if t.Kind() != reflect.Pointer {
			return false
		}
		t = t.Elem()
	}
	return true
}

// isBytes reports whether t is a slice of bytes.
func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// located puts the package before an error.
func located(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("opt: %w", err)
}
