package opt

import (
	"iter"

	"github.com/weftcodec/weft/internal/setting"
)

// State is the state of a [Field].
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

// MapField returns f of the value, or what o is when there is none.
func MapField[T, U any](o Field[T], f func(T) U) Field[U] {
	if o.State != IsSet {
		return Field[U]{State: o.State}
	}
	return FieldOf(f(o.V))
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

// OrElse returns the value, or what f returns when it is absent or null.
func (o Field[T]) OrElse(f func() T) T {
	if o.State == IsSet {
		return o.V
	}
	return f()
}

// Ptr returns a pointer to a copy of the value, or nil when it is absent or
// null.
func (o Field[T]) Ptr() *T {
	if o.State != IsSet {
		return nil
	}
	return &o.V
}

// All returns an iterator over the value: of one step, or none when it is
// absent or null.
func (o Field[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		if o.State == IsSet {
			yield(o.V)
		}
	}
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

// IsDefined reports whether the value is not absent, which the option omitempty
// of easyjson asks.
func (o Field[T]) IsDefined() bool { return o.State != Absent }

// IsZero reports whether the value is absent, which the option omitzero of
// encoding/json asks.
func (o Field[T]) IsZero() bool { return o.State == Absent }

// Equal reports whether both are absent, both null, or have equal values, as
// [Null.Equal] compares them.
func (o Field[T]) Equal(p Field[T]) bool {
	return o.State == p.State && (o.State != IsSet || equal(&o.V, &p.V))
}

// OptionKind marks the type for the formats.
func (o Field[T]) OptionKind() uint8 { return setting.OptionField }

// String returns the value as [fmt.Sprint] prints it, "null" or "absent".
func (o Field[T]) String() string { return text(o.state(), &o.V) }

// GoString returns the value as Go has it.
func (o Field[T]) GoString() string { return goText("Field", o.state(), &o.V) }

// state returns the state, Absent for anything else.
func (o Field[T]) state() State {
	if o.State > IsSet {
		return Absent
	}
	return o.State
}

// keep makes v the value if s is IsSet, and s the state, unless there is an
// error, which it returns: then o is what it was.
func (o *Field[T]) keep(v T, s State, err error) error {
	if err == nil {
		*o = Field[T]{V: v, State: s}
	}
	return err
}
