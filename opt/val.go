package opt

import (
	"errors"
	"iter"
	"reflect"

	"github.com/weftcodec/weft/internal/setting"
)

// Val is a value that may be absent. It is never null, unless T itself has a
// null: a pointer, interface, slice or map, or an option that may be null.
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

// MapVal returns f of the value, or an absent one when there is none.
func MapVal[T, U any](o Val[T], f func(T) U) Val[U] {
	if !o.Valid {
		return Val[U]{}
	}
	return ValOf(f(o.V))
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

// OrElse returns the value, or what f returns when it is absent.
func (o Val[T]) OrElse(f func() T) T {
	if o.Valid {
		return o.V
	}
	return f()
}

// Ptr returns a pointer to a copy of the value, or nil when it is absent.
func (o Val[T]) Ptr() *T {
	if !o.Valid {
		return nil
	}
	return &o.V
}

// All returns an iterator over the value: of one step, or none when it is
// absent.
func (o Val[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		if o.Valid {
			yield(o.V)
		}
	}
}

// Set makes v the value.
func (o *Val[T]) Set(v T) { *o = Val[T]{V: v, Valid: true} }

// Unset makes the value absent.
func (o *Val[T]) Unset() { *o = Val[T]{} }

// IsSet reports whether there is a value.
func (o Val[T]) IsSet() bool { return o.Valid }

// IsDefined reports whether there is a value, which the option omitempty of
// easyjson asks.
func (o Val[T]) IsDefined() bool { return o.Valid }

// IsZero reports whether the value is absent, which the option omitzero of
// encoding/json asks.
func (o Val[T]) IsZero() bool { return !o.Valid }

// Equal reports whether both are absent, or have equal values, as [Null.Equal]
// compares them.
func (o Val[T]) Equal(p Val[T]) bool {
	return o.Valid == p.Valid && (!o.Valid || equal(&o.V, &p.V))
}

// OptionKind marks the type for the formats.
func (o Val[T]) OptionKind() uint8 { return setting.OptionOptional }

// String returns the value as [fmt.Sprint] prints it, or "absent".
func (o Val[T]) String() string { return text(o.state(), &o.V) }

// GoString returns the value as Go has it.
func (o Val[T]) GoString() string { return goText("Val", o.state(), &o.V) }

// state returns IsSet or Absent.
func (o Val[T]) state() State {
	if o.Valid {
		return IsSet
	}
	return Absent
}

// keep makes v the value if s is IsSet, and absent if it is Absent. A null is
// an error unless T has one of its own. If there is an error, o is what it was.
func (o *Val[T]) keep(v T, s State, err error) error {
	if err != nil {
		return err
	}
	if s == IsNull {
		if !setting.HasNull(reflect.TypeFor[T]()) {
			return errNull
		}
		if inner, ok := any(&v).(interface{ SetNull() }); ok {
			inner.SetNull()
		}
		s = IsSet
	}
	*o = Val[T]{V: v, Valid: s == IsSet}
	return nil
}

var errNull = errors.New("opt: null for a value that may be absent but not null")
