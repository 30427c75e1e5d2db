package opt

import "github.com/weftcodec/weft"

// State says what a [Field] holds.
type State uint8

// The states of a [Field].
const (
	Absent State = iota // nothing: the member is not there
	IsNull              // null
	IsSet               // a value
)

// String returns "absent", "null" or "set".
func (s State) String() string {
	switch s {
	case Absent:
		return "absent"
	case IsNull:
		return "null"
	case IsSet:
		return "set"
	}
	return "invalid"
}

// Field is a value that may be absent, null or set.
type Field[T any] struct {
	V     T // the zero value unless State is IsSet
	State State
}

// FieldOf returns the value v.
func FieldOf[T any](v T) Field[T] { return Field[T]{V: v, State: IsSet} }

// FieldNull returns a null.
func FieldNull[T any]() Field[T] { return Field[T]{State: IsNull} }

// FieldFrom returns the value p points to, or an absent one when p is nil.
func FieldFrom[T any](p *T) Field[T] {
	if p == nil {
		return Field[T]{}
	}
	return Field[T]{V: *p, State: IsSet}
}

// Get returns the value and whether there is one.
func (o Field[T]) Get() (T, bool) { return o.V, o.State == IsSet }

// Or returns the value, or v when it is absent or null.
func (o Field[T]) Or(v T) T {
	if o.State == IsSet {
		return o.V
	}
	return v
}

// Ptr returns a pointer to a copy of the value, or nil when it is absent or
// null.
func (o Field[T]) Ptr() *T {
	if o.State != IsSet {
		return nil
	}
	return &o.V
}

// Set makes v the value.
func (o *Field[T]) Set(v T) { *o = Field[T]{V: v, State: IsSet} }

// SetNull makes the value null.
func (o *Field[T]) SetNull() { *o = Field[T]{State: IsNull} }

// Unset makes the value absent.
func (o *Field[T]) Unset() { *o = Field[T]{} }

// IsSet reports whether there is a value.
func (o Field[T]) IsSet() bool { return o.State == IsSet }

// IsNull reports whether the value is null.
func (o Field[T]) IsNull() bool { return o.State == IsNull }

// IsZero reports whether the value is absent, which the option omitzero of
// encoding/json asks.
func (o Field[T]) IsZero() bool { return o.State == Absent }

// OptionKind marks the type for the formats.
func (o Field[T]) OptionKind() weft.OptionKind { return weft.OptionField }

// MarshalJSON implements [encoding/json.Marshaler]. An absent value is left out
// by the option omitzero; where it cannot be left out it is null.
func (o Field[T]) MarshalJSON() ([]byte, error) { return marshal(o.V, o.State == IsSet) }

// UnmarshalJSON implements [encoding/json.Unmarshaler]. On an error o keeps
// its value.
func (o *Field[T]) UnmarshalJSON(b []byte) error {
	if isNull(b) {
		*o = Field[T]{State: IsNull}
		return nil
	}
	v, err := unmarshal[T](b)
	if err == nil {
		*o = Field[T]{V: v, State: IsSet}
	}
	return err
}
