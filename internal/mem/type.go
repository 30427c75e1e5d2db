package mem

import "reflect"

// Type is what the engines need to know of the memory of a Go type. It is
// immutable, and must not be copied.
type Type struct {
	Rtype      reflect.Type
	Size       uintptr
	NoPointers bool // the collector finds no pointer in it

	key   bool // each value can be a key of a map
	addr  pointerType
	boxed bool  // an interface holding it points at the value
	class class // how slices of it are allocated
}

// class sorts element types by the static Go type that has their memory.
type class uint8

const (
	classOther   class = iota // reflect allocates and copies
	classPlain                // no pointers: the memory of bytes
	classString               // the memory of a string
	classPointer              // the memory of one pointer
)

// TypeOf describes t.
func TypeOf(t reflect.Type) *Type {
	m := &Type{Rtype: t, Size: t.Size(), NoPointers: !hasPointers(t), key: isKey(t), boxed: isBoxed(t)}
	switch {
	case m.NoPointers:
		m.class = classPlain
	case t.Kind() == reflect.String:
		m.class = classString
	case t.Kind() == reflect.Pointer:
		m.class = classPointer
	}
	return m
}

// New returns the location of a new zero value of type t.
func (t *Type) New() Ptr { return Of(reflect.New(t.Rtype)) }

// IsZero reports whether the value at p is the zero value, as reflect's IsZero.
func (t *Type) IsZero(p Ptr) bool { return p.Value(t).IsZero() }

// Clear makes the value at p zero.
func (t *Type) Clear(p Ptr) { p.Value(t).SetZero() }

// Copy assigns the value at src to dst.
func (t *Type) Copy(dst, src Ptr) { dst.Value(t).Set(src.Value(t)) }

// Comparable reports whether the value at p can be a key of a map.
func (t *Type) Comparable(p Ptr) bool { return t.key || p.Value(t).Comparable() }

// isKey reports whether values of type t are comparable whatever is in them.
func isKey(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return false
	case reflect.Array:
		return isKey(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !isKey(t.Field(i).Type) {
				return false
			}
		}
	}
	return t.Comparable()
}

func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return false
	case reflect.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return true
}

// StringField returns what sets the string field of a T, exported or not, or nil where there is no such field or this
// build cannot write it.
func StringField[T any](name string) func(*T, string) {
	t := reflect.TypeFor[T]()
	f, ok := t.FieldByName(name)
	if !ok || len(f.Index) != 1 || f.Type.Kind() != reflect.String || Safe {
		return nil
	}
	at := FieldOf(t, f.Index[0])
	return func(p *T, s string) { *At[string](To(p).Field(at)) = s }
}
