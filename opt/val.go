package opt

import (
	"errors"
	"reflect"

	"github.com/weftcodec/weft"
)

// Val is a value that may be absent. It is never null, unless T itself has a
// null: a pointer, interface, slice or map.
type Val[T any] struct {
	V     T
	Valid bool // V is the value; otherwise it is absent
}

// ValOf returns the value v.
func ValOf[T any](v T) Val[T] { return Val[T]{V: v, Valid: true} }

// ValFrom returns the value p points to, or an absent one when p is nil.
func ValFrom[T any](p *T) Val[T] {
	if p == nil {
		return Val[T]{}
	}
	return Val[T]{V: *p, Valid: true}
}

// Get returns the value and whether there is one.
func (o Val[T]) Get() (T, bool) { return o.V, o.Valid }

// Or returns the value, or v when it is absent.
func (o Val[T]) Or(v T) T {
	if o.Valid {
		return o.V
	}
	return v
}

// Ptr returns a pointer to a copy of the value, or nil when it is absent.
func (o Val[T]) Ptr() *T {
	if !o.Valid {
		return nil
	}
	return &o.V
}

// Set makes v the value.
func (o *Val[T]) Set(v T) { *o = Val[T]{V: v, Valid: true} }

// Unset makes the value absent.
func (o *Val[T]) Unset() { *o = Val[T]{} }

// IsSet reports whether there is a value.
func (o Val[T]) IsSet() bool { return o.Valid }

// IsZero reports whether the value is absent, which the option omitzero of
// encoding/json asks.
func (o Val[T]) IsZero() bool { return !o.Valid }

// OptionKind marks the type for the formats.
func (o Val[T]) OptionKind() weft.OptionKind { return weft.OptionOptional }

// MarshalJSON implements [encoding/json.Marshaler]. An absent value is left out
// by the option omitzero; where it cannot be left out it is null.
func (o Val[T]) MarshalJSON() ([]byte, error) { return marshal(o.V, o.Valid) }

// UnmarshalJSON implements [encoding/json.Unmarshaler]. A null is an error
// unless T has one of its own. On an error o keeps its value.
func (o *Val[T]) UnmarshalJSON(b []byte) error {
	if isNull(b) {
		switch reflect.TypeFor[T]().Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
			*o = Val[T]{Valid: true}
			return nil
		}
		return errNull
	}
	v, err := unmarshal[T](b)
	if err == nil {
		*o = Val[T]{V: v, Valid: true}
	}
	return err
}

var errNull = errors.New("opt: null for a value that may be absent but not null")
