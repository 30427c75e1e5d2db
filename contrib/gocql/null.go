package gocql

import (
	driver "github.com/gocql/gocql"

	"github.com/weftcodec/weft/opt"
)

// Null is an [opt.Null] that gocql writes and reads.
type Null[T any] opt.Null[T]

// AsNull returns where o is, as gocql takes it: a place to scan into, and a value to write.
func AsNull[T any](o *opt.Null[T]) *Null[T] { return (*Null[T])(o) }

// Opt returns the value as package opt has it.
func (o Null[T]) Opt() opt.Null[T] { return opt.Null[T](o) }

// MarshalCQL implements the Marshaler of gocql: a null is the null of the column.
func (o Null[T]) MarshalCQL(info driver.TypeInfo) ([]byte, error) {
	return encode(info, o.Opt().IsSet(), o.V)
}

// UnmarshalCQL implements the Unmarshaler of gocql. A null of the column is null. If there is an error, o keeps its value.
func (o *Null[T]) UnmarshalCQL(info driver.TypeInfo, data []byte) error {
	v, set, err := decode[T](info, data)
	if err == nil {
		*o = Null[T]{V: v, Valid: set}
	}
	return err
}

// IsZero reports whether the value is null, which the option omitzero asks.
func (o Null[T]) IsZero() bool { return o.Opt().IsZero() }

// OptionKind marks the type for the formats of weft.
func (o Null[T]) OptionKind() uint8 { return o.Opt().OptionKind() }

// MarshalJSON implements the Marshaler of encoding/json.
func (o Null[T]) MarshalJSON() ([]byte, error) { return o.Opt().MarshalJSON() }

// UnmarshalJSON implements the Unmarshaler of encoding/json.
func (o *Null[T]) UnmarshalJSON(b []byte) error { return (*opt.Null[T])(o).UnmarshalJSON(b) }

// String returns the value as [fmt.Sprint] prints it, or what there is in its place.
func (o Null[T]) String() string { return o.Opt().String() }
