//go:build purego || !(amd64 || arm64 || 386 || ppc64le || loong64)

package mem

import (
	"hash/maphash"
	"math"
	"reflect"
	"sync/atomic"
)

// Safe reports whether this build uses reflect instead of unsafe.
const Safe = true

// Ptr is a typed location: the address of a Go value whose type the holder
// knows. The zero Ptr is nil.
type Ptr struct{ v reflect.Value } // of kind Pointer, not nil

// Of returns the location that v, a non-nil pointer, points at.
func Of(v reflect.Value) Ptr {
	if v.IsNil() {
		return Ptr{}
	}
	return Ptr{v}
}

// To returns the location of *v.
func To[T any](v *T) Ptr { return Ptr{reflect.ValueOf(v)} }

// IsNil reports whether p is the zero Ptr.
func (p Ptr) IsNil() bool { return !p.v.IsValid() }

// Same reports whether p and q are the same location.
func (p Ptr) Same(q Ptr) bool {
	if p.IsNil() || q.IsNil() {
		return p.IsNil() == q.IsNil()
	}
	return p.v.Pointer() == q.v.Pointer()
}

// At returns the location as a *T. The location's type must have the
// underlying type of T.
func At[T any](p Ptr) *T {
	t := reflect.TypeFor[*T]()
	if p.v.Type() == t {
		return p.v.Interface().(*T)
	}
	return p.v.Convert(t).Interface().(*T)
}

// Field is the place of a field within a struct; see [FieldOf].
type Field struct{ index []int }

// FieldOf returns the place of the i-th field of struct type t.
func FieldOf(t reflect.Type, i int) Field { return Field{[]int{i}} }

// PlaceOf returns the place of a field in the struct that declares it.
func PlaceOf(f *reflect.StructField) Field { return Field{f.Index} }

// pointerType has a use where memory is reached without reflect alone.
type pointerType struct{}

// Then returns the place of g within the struct that stands at f.
func (f Field) Then(g Field) Field {
	return Field{append(append(make([]int, 0, len(f.index)+len(g.index)), f.index...), g.index...)}
}

// Length would return the place of the length of the string or slice that stands
// at f: here it is no place that is Near.
func (f Field) Length() Field { return f }

// Near would be a [Field] in half the memory: here there is none.
type Near struct{}

// Near returns f as a Near, and whether it can be one.
func (f Field) Near() (Near, bool) { return Near{}, false }

// In would return the place of n, which is within a struct that stands at f, in the struct around it.
func (n Near) In(f Field) (Near, bool) { return n, false }

// Near panics: there is no Near here.
func (p Ptr) Near(Near) Ptr { panic("mem: no Near") }

// Field returns the location of field f of the struct at p.
func (p Ptr) Field(f Field) Ptr {
	v := p.v.Elem()
	for _, i := range f.index {
		v = v.Field(i)
	}
	return Ptr{v.Addr()}
}

// Deref returns where the pointer stored at p, a *t, points: the zero Ptr for
// nil.
func (p Ptr) Deref(t *Type) Ptr {
	if v := p.v.Elem(); !v.IsNil() {
		// Neither an interface nor Convert: reflect refuses the one for an
		// unexported embedded pointer, and after the other for its fields.
		return Ptr{v.Elem().Addr()}
	}
	return Ptr{}
}

// SetPtr makes the pointer stored at p point at q, which must be a location
// of the pointer's element type.
func (p Ptr) SetPtr(q Ptr) {
	v := p.v.Elem()
	if q.IsNil() {
		v.SetZero()
		return
	}
	v.Set(q.v.Convert(v.Type()))
}

// SetNil makes the pointer stored at p nil.
func (p Ptr) SetNil() { p.v.Elem().SetZero() }

// Value returns the addressable value of type t at p.
func (p Ptr) Value(t *Type) reflect.Value { return p.v.Convert(reflect.PointerTo(t.Rtype)).Elem() }

// Held returns the location of a t, a struct with a field alone, which is, or is a copy of, the value at p.
func (p Ptr) Held(t *Type) Ptr {
	v := reflect.New(t.Rtype)
	v.Elem().Field(0).Set(p.v.Elem())
	return Ptr{v}
}

// Addr returns the location as an interface holding a *t.
func (p Ptr) Addr(t *Type) any { return p.v.Convert(reflect.PointerTo(t.Rtype)).Interface() }

// AllZero reports whether all bytes of the value of type t at p are zero. It
// may answer false for a zero value whose padding is not zero.
func (p Ptr) AllZero(t *Type) bool { return allZero(p.v.Elem()) }

// allZero is reflect's IsZero, but for negative zeros, which are none.
func allZero(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(v.Float()) == 0
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		return math.Float64bits(real(c)) == 0 && math.Float64bits(imag(c)) == 0
	case reflect.Struct:
		for i := range v.NumField() {
			if !allZero(v.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Array:
		if !v.IsZero() {
			return false
		}
		for i := range v.Len() {
			if !allZero(v.Index(i)) {
				return false
			}
		}
		return true
	}
	return v.IsZero()
}

// Array is the place of the elements of an array or a slice.
type Array struct{ v reflect.Value } // of kind Array (addressable) or Slice, or a pointer to the one element

// Array returns the elements of the array at p.
func (p Ptr) Array() Array { return Array{p.v.Elem()} }

// One returns the value at p as the one element of an array.
func (p Ptr) One() Array { return Array{p.v} }

// Slice returns the elements of the slice stored at p.
func (p Ptr) Slice() Array { return Array{p.v.Elem()} }

// SliceLen returns the length of the slice stored at p.
func (p Ptr) SliceLen() int { return p.v.Elem().Len() }

// SliceIsNil reports whether the slice stored at p is nil.
func (p Ptr) SliceIsNil() bool { return p.v.Elem().IsNil() }

// SliceCap returns the capacity of the slice stored at p.
func (p Ptr) SliceCap() int { return p.v.Elem().Cap() }

// ArrayOf returns the elements of s.
func ArrayOf[T any](s []T) Array { return Array{reflect.ValueOf(s)} }

// From returns the elements from the i-th on, which there must be.
func (a Array) From(_ *Type, i int) Array {
	if a.v.Kind() == reflect.Pointer {
		return a
	}
	return Array{a.v.Slice(i, a.v.Len())}
}

// Flat panics: the elements cannot be had as they are.
func Flat[T any](Array, int) []T { panic("mem: no Elems") }

// Moved is not there in this build: see [Safe].
func (p Ptr) Moved(a, b Array, t *Type, n int) Ptr { panic("mem: not known") }

// SetSlice makes the slice stored at p the elements i to j-1 of a, of type t,
// with no spare capacity.
func (p Ptr) SetSlice(a Array, _ *Type, i, j int) {
	if i == j {
		p.SetEmpty()
		return
	}
	v := p.v.Elem()
	v.Set(a.v.Slice3(i, j, j).Convert(v.Type()))
}

// At returns the location of the i-th element, whose type is t. The caller
// has checked i.
func (a Array) At(t *Type, i int) Ptr {
	if a.v.Kind() == reflect.Pointer {
		return Ptr(a)
	}
	if a.v.Kind() == reflect.Slice && i >= a.v.Len() {
		return Ptr{a.v.Slice(0, i+1).Index(i).Addr()}
	}
	return Ptr{a.v.Index(i).Addr()}
}

// SetEmpty makes the slice stored at p one of length 0 that is not nil.
func (p Ptr) SetEmpty() {
	v := p.v.Elem()
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
}

// TypeID identifies a concrete type, cheaply comparable and hashable.
type TypeID struct{ t reflect.Type }

var seed = maphash.MakeSeed()

// Hash returns bits that spread over types.
func (id TypeID) Hash() uint { return uint(maphash.Comparable(seed, id.t)) }

// AtomicTypeID is a TypeID that is set once, while others read it.
type AtomicTypeID struct{ id atomic.Pointer[TypeID] }

// Load returns the TypeID, the zero one before it is set.
func (a *AtomicTypeID) Load() TypeID {
	if id := a.id.Load(); id != nil {
		return *id
	}
	return TypeID{}
}

// Store sets the TypeID.
func (a *AtomicTypeID) Store(id TypeID) { a.id.Store(&id) }

// IDOf returns the identity of the dynamic type of v.
func IDOf(v any) TypeID { return TypeID{reflect.TypeOf(v)} }

// QuickID is the zero TypeID: IDOf takes a call here.
func QuickID(any) TypeID { return TypeID{} }

// IDOfType returns the identity of t, the same that [IDOf] gives for a value
// of type t.
func IDOfType(t reflect.Type) TypeID { return TypeID{t} }

// PtrOf returns the location that v, an interface holding a pointer, points
// at.
func PtrOf(v any) Ptr { return Of(reflect.ValueOf(v)) }

// Data returns the location of a copy of the value of type t held by v.
func Data(v any, t *Type) Ptr {
	n := reflect.New(t.Rtype)
	n.Elem().Set(reflect.ValueOf(v))
	return Of(n)
}

// MapOf returns the map at p, or the one that v holds if p is nil.
func MapOf[V any](p Ptr, v any) map[string]V {
	if p.IsNil() {
		return reflect.ValueOf(v).Convert(reflect.TypeFor[map[string]V]()).Interface().(map[string]V)
	}
	return *At[map[string]V](p)
}

func isBoxed(reflect.Type) bool { return false }

// Cursor is a place among the elements of a slice.
type Cursor[T any] struct {
	s []T
	i int
}

// CursorAt returns the place of s[i].
func CursorAt[T any](s []T, i int) Cursor[T] { return Cursor[T]{s, i} }

// Prev returns the element before.
func (c Cursor[T]) Prev() *T { return &c.s[c.i-1] }

// Next returns the place of the next element, which there must be.
func (c Cursor[T]) Next() Cursor[T] { return Cursor[T]{c.s, c.i + 1} }

// After returns the place n elements further, which there must be.
func (c Cursor[T]) After(n int) Cursor[T] { return Cursor[T]{c.s, c.i + n} }

// In returns the index of the place in s.
func (c Cursor[T]) In([]T) int { return c.i }
