package opt

import "github.com/weftcodec/weft"

// Null is a value that may be null. It has the memory layout of
// [database/sql.Null], so that one converts into the other.
type Null[T any] struct {
	V     T
	Valid bool // V is the value; otherwise it is null
}

// NullOf returns the value v.
func NullOf[T any](v T) Null[T] { return Null[T]{V: v, Valid: true} }

// NullFrom returns the value p points to, or null when p is nil.
func NullFrom[T any](p *T) Null[T] {
	if p == nil {
		return Null[T]{}
	}
	return Null[T]{V: *p, Valid: true}
}

// Get returns the value and whether there is one.
func (o Null[T]) Get() (T, bool) { return o.V, o.Valid }

// Or returns the value, or v when it is null.
func (o Null[T]) Or(v T) T {
	if o.Valid {
		return o.V
	}
	return v
}

// Ptr returns a pointer to a copy of the value, or nil when it is null.
func (o Null[T]) Ptr() *T {
	if !o.Valid {
		return nil
	}
	return &o.V
}

// Set makes v the value.
func (o *Null[T]) Set(v T) { *o = Null[T]{V: v, Valid: true} }

// SetNull makes the value null.
func (o *Null[T]) SetNull() { *o = Null[T]{} }

// IsSet reports whether there is a value.
func (o Null[T]) IsSet() bool { return o.Valid }

// IsNull reports whether the value is null.
func (o Null[T]) IsNull() bool { return !o.Valid }

// IsZero reports whether the value is null, which the option omitzero of
// encoding/json asks.
func (o Null[T]) IsZero() bool { return !o.Valid }

// OptionKind marks the type for the formats.
func (o Null[T]) OptionKind() weft.OptionKind { return weft.OptionNullable }

// MarshalJSON implements [encoding/json.Marshaler].
func (o Null[T]) MarshalJSON() ([]byte, error) { return marshal(o.V, o.Valid) }

// UnmarshalJSON implements [encoding/json.Unmarshaler]. On an error o keeps
// its value.
func (o *Null[T]) UnmarshalJSON(b []byte) error {
	if isNull(b) {
		*o = Null[T]{}
		return nil
	}
	v, err := unmarshal[T](b)
	if err == nil {
		*o = Null[T]{V: v, Valid: true}
	}
	return err
}
