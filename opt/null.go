package opt

import (
	"iter"

	"github.com/weftcodec/weft/internal/setting"
)

// Null is a value that may be null. It has the memory layout of database/sql.Null; conversion between the two is
// free.
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

// FromPtr is the same as [NullFrom]. It is the inverse of [Null.Ptr].
func FromPtr[T any](p *T) Null[T] { return NullFrom(p) }

// MapNull returns f of the value, or null when there is none.
func MapNull[T, U any](o Null[T], f func(T) U) Null[U] {
	if !o.Valid {
		return Null[U]{}
	}
	return NullOf(f(o.V))
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

// OrElse returns the value, or what f returns when it is null.
func (o Null[T]) OrElse(f func() T) T {
	if o.Valid {
		return o.V
	}
	return f()
}

// Ptr returns a pointer to a copy of the value, or nil when it is null.
func (o Null[T]) Ptr() *T {
	if !o.Valid {
		return nil
	}
	return &o.V
}

// All returns an iterator over the value: of one step, or none when it is null.
func (o Null[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		if o.Valid {
			yield(o.V)
		}
	}
}

// Set makes v the value.
func (o *Null[T]) Set(v T) { *o = Null[T]{V: v, Valid: true} }

// SetNull makes the value null.
func (o *Null[T]) SetNull() { *o = Null[T]{} }

// IsSet reports whether there is a value.
func (o Null[T]) IsSet() bool { return o.Valid }

// IsNull reports whether the value is null.
func (o Null[T]) IsNull() bool { return !o.Valid }

// IsDefined reports whether there is a value, which the option omitempty of
// easyjson asks.
func (o Null[T]) IsDefined() bool { return o.Valid }

// IsZero reports whether the value is null, which the option omitzero of
// encoding/json asks.
func (o Null[T]) IsZero() bool { return !o.Valid }

// Equal reports whether both are null, or have equal values: by the method
// Equal of T if it has one, as [time.Time] does, else as [reflect.DeepEqual]
// has it. Where T is comparable and has no such method, == says the same.
func (o Null[T]) Equal(p Null[T]) bool {
	return o.Valid == p.Valid && (!o.Valid || equal(&o.V, &p.V))
}

// OptionKind marks the type for the formats.
func (o Null[T]) OptionKind() uint8 { return setting.OptionNullable }

// String returns the value as [fmt.Sprint] prints it, or "null".
func (o Null[T]) String() string { return text(o.state(), &o.V) }

// GoString returns the value as Go has it.
func (o Null[T]) GoString() string { return goText("Null", o.state(), &o.V) }

// state returns IsSet or IsNull.
func (o Null[T]) state() State {
	if o.Valid {
		return IsSet
	}
	return IsNull
}

// keep makes v the value if s is IsSet, and null otherwise, unless there is an
// error, which it returns: then o is what it was.
func (o *Null[T]) keep(v T, s State, err error) error {
	if err == nil {
		*o = Null[T]{V: v, Valid: s == IsSet}
	}
	return err
}
