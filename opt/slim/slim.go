// Package slim has optional values for generated types: those of package opt with few methods. Each method is
// compiled again for every T, and a large document has thousands of types.
//
// A type of slim has the same fields as the type of the same name in opt. Conversion between the two is free. A
// pointer can be converted too, to change a value in place, or to pass it to a package that requires methods of opt,
// such as database/sql:
//
//	kind := opt.Val[Kind](pet.Kind).Or(KindCat)
//	err := row.Scan((*opt.Val[Kind])(&pet.Kind))
//
// Every format of weft writes and reads a type of slim like its counterpart in opt.
package slim

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/opt"
)

// Val is a value that may be absent, like an [opt.Val]. It has no IsZero: the option omitzero of encoding/json omits
// it only if V is zero and Valid is false.
type Val[T any] struct {
	V     T
	Valid bool // V is the value; otherwise it is absent
}

// ValOf returns the value v.
func ValOf[T any](v T) Val[T] { return Val[T]{V: v, Valid: true} }

// Null is a value that may be null, like an [opt.Null].
type Null[T any] struct {
	V     T
	Valid bool // V is the value; otherwise it is null
}

// NullOf returns the value v.
func NullOf[T any](v T) Null[T] { return Null[T]{V: v, Valid: true} }

// Field is a value that may be absent, null or set, like an [opt.Field]. Like [Val], it has no IsZero.
type Field[T any] struct {
	V     T // the zero value unless State is IsSet
	State opt.State
}

// FieldOf returns the value v.
func FieldOf[T any](v T) Field[T] { return Field[T]{V: v, State: opt.IsSet} }

// FieldNull returns a null.
func FieldNull[T any]() Field[T] { return Field[T]{State: opt.IsNull} }

// OptionKind marks the type for the formats.
func (o Val[T]) OptionKind() uint8 { return setting.OptionOptional }

// OptionKind marks the type for the formats.
func (o Null[T]) OptionKind() uint8 { return setting.OptionNullable }

// OptionKind marks the type for the formats.
func (o Field[T]) OptionKind() uint8 { return setting.OptionField }

// MarshalJSON implements [json.Marshaler]. An absent value is left out by the
// option omitzero; where it cannot be left out it is null.
func (o Val[T]) MarshalJSON() ([]byte, error) { return marshal(o.Valid, &o.V) }

// MarshalJSON implements [json.Marshaler].
func (o Null[T]) MarshalJSON() ([]byte, error) { return marshal(o.Valid, &o.V) }

// MarshalJSON implements [json.Marshaler]. An absent value is left out by the
// option omitzero; where it cannot be left out it is null.
func (o Field[T]) MarshalJSON() ([]byte, error) { return marshal(o.State == opt.IsSet, &o.V) }

// UnmarshalJSON implements [json.Unmarshaler]. A null is an error unless T has
// one of its own. If there is an error, o keeps its value.
func (o *Val[T]) UnmarshalJSON(b []byte) error {
	return unmarshal(b, o, &Val[T]{Valid: true}, setting.OptionOptional)
}

// UnmarshalJSON implements [json.Unmarshaler]. If there is an error, o keeps its value.
func (o *Null[T]) UnmarshalJSON(b []byte) error {
	return unmarshal(b, o, &Null[T]{Valid: true}, setting.OptionNullable)
}

// UnmarshalJSON implements [json.Unmarshaler]. If there is an error, o keeps its value.
func (o *Field[T]) UnmarshalJSON(b []byte) error {
	return unmarshal(b, o, &Field[T]{State: opt.IsSet}, setting.OptionField)
}

// marshal returns the JSON of what v points to, or null. Like unmarshal it is no
// part of the methods, of which there are many.
//
//go:noinline
func marshal(set bool, v any) ([]byte, error) {
	if !set {
		return []byte("null"), nil
	}
	return json.Marshal(v)
}

// unmarshal reads a value into *to by way of *fresh, which is one that is set.
//
//go:noinline
func unmarshal(b []byte, to, fresh any, kind uint8) error {
	dst, src := reflect.ValueOf(to).Elem(), reflect.ValueOf(fresh).Elem()
	switch v := src.Field(0); {
	case string(bytes.TrimSpace(b)) != "null":
	case kind == setting.OptionOptional && !setting.HasNull(v.Type()):
		return errNull
	case kind == setting.OptionOptional && v.Kind() == reflect.Struct: // an option reads its null itself
	default:
		switch kind {
		case setting.OptionField:
			src.Field(1).SetUint(uint64(opt.IsNull))
		case setting.OptionNullable:
			src.Field(1).SetBool(false)
		}
		dst.Set(src)
		return nil
	}
	err := json.Unmarshal(b, src.Field(0).Addr().Interface())
	if err == nil {
		dst.Set(src)
	}
	return err
}

var errNull = errors.New("slim: null for a value that may be absent but not null")
