package gocql

import (
	driver "github.com/gocql/gocql"

	"github.com/weftcodec/weft/opt"
)

// Field is an [opt.Field] that gocql writes and reads.
type Field[T any] opt.Field[T]

// AsField returns where o is, as gocql takes it: a place to scan into, and a value to write.
func AsField[T any](o *opt.Field[T]) *Field[T] { return (*Field[T])(o) }

// Opt returns the value as package opt has it.
func (o Field[T]) Opt() opt.Field[T] { return opt.Field[T](o) }

// MarshalCQL implements the Marshaler of gocql: an absent value is the null of the column,
// as null is.
func (o Field[T]) MarshalCQL(info driver.TypeInfo) ([]byte, error) {
	return encode(info, o.Opt().IsSet(), o.V)
}

// UnmarshalCQL implements the Unmarshaler of gocql. A null of the column is null. If there is an error, o keeps its value.
func (o *Field[T]) UnmarshalCQL(info driver.TypeInfo, data []byte) error {
	v, set, err := decode[T](info, data)
	if err == nil {
		*o = Field[T]{State: opt.IsNull}
		if set {
			*o = Field[T]{V: v, State: opt.IsSet}
		}
	}
	return err
}

// Arg returns what leaves the column as it is where the value is absent, and writes it otherwise, as an argument of a
// query in version 4 of the protocol or a later one.
func (o Field[T]) Arg() any {
	if o.State == opt.Absent {
		return driver.UnsetValue
	}
	return o
}

// IsZero reports whether the value is absent, which the option omitzero asks.
func (o Field[T]) IsZero() bool { return o.Opt().IsZero() }

// OptionKind marks the type for the formats of weft.
func (o Field[T]) OptionKind() uint8 { return o.Opt().OptionKind() }

// MarshalJSON implements the Marshaler of encoding/json.
func (o Field[T]) MarshalJSON() ([]byte, error) { return o.Opt().MarshalJSON() }

// UnmarshalJSON implements the Unmarshaler of encoding/json.
func (o *Field[T]) UnmarshalJSON(b []byte) error { return (*opt.Field[T])(o).UnmarshalJSON(b) }

// String returns the value as [fmt.Sprint] prints it, or what there is in its place.
func (o Field[T]) String() string { return o.Opt().String() }
