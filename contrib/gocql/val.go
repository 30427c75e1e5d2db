package gocql

import (
	driver "github.com/gocql/gocql"

	"github.com/weftcodec/weft/opt"
)

// Val is an [opt.Val] that gocql writes and reads.
type Val[T any] opt.Val[T]

// AsVal returns where o is, as gocql takes it: a place to scan into, and a value to write.
func AsVal[T any](o *opt.Val[T]) *Val[T] { return (*Val[T])(o) }

// Opt returns the value as package opt has it.
func (o Val[T]) Opt() opt.Val[T] { return opt.Val[T](o) }

// MarshalCQL implements the Marshaler of gocql: an absent value is the null of the column.
func (o Val[T]) MarshalCQL(info driver.TypeInfo) ([]byte, error) {
	return encode(info, o.Opt().IsSet(), o.V)
}

// UnmarshalCQL implements the Unmarshaler of gocql. A null of the column is
// an absent value, for which a database has no other form. If there is an error, o keeps its value.
func (o *Val[T]) UnmarshalCQL(info driver.TypeInfo, data []byte) error {
	v, set, err := decode[T](info, data)
	if err == nil {
		*o = Val[T]{V: v, Valid: set}
	}
	return err
}

// Arg returns what leaves the column as it is where the value is absent, and writes it otherwise, as an argument of a
// query in version 4 of the protocol or a later one.
func (o Val[T]) Arg() any {
	if !o.Valid {
		return driver.UnsetValue
	}
	return o
}

// IsZero reports whether the value is absent, which the option omitzero asks.
func (o Val[T]) IsZero() bool { return o.Opt().IsZero() }

// OptionKind marks the type for the formats of weft.
func (o Val[T]) OptionKind() uint8 { return o.Opt().OptionKind() }

// MarshalJSON implements the Marshaler of encoding/json.
func (o Val[T]) MarshalJSON() ([]byte, error) { return o.Opt().MarshalJSON() }

// UnmarshalJSON implements the Unmarshaler of encoding/json.
func (o *Val[T]) UnmarshalJSON(b []byte) error { return (*opt.Val[T])(o).UnmarshalJSON(b) }

// String returns the value as [fmt.Sprint] prints it, or what there is in its place.
func (o Val[T]) String() string { return o.Opt().String() }
