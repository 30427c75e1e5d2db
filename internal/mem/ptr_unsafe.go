//go:build !purego && (amd64 || arm64 || 386 || ppc64le || loong64)

package mem

import (
	"reflect"
	"sync/atomic"
	"unsafe"
)

// Safe reports whether this build uses reflect instead of unsafe.
const Safe = false

// Ptr is a typed location: the address of a Go value whose type the holder
// knows. The zero Ptr is nil. A Ptr keeps the memory that it points into
// alive, as any Go pointer does.
type Ptr struct{ p unsafe.Pointer }

// Of returns the location that v, a non-nil pointer, points at.
func Of(v reflect.Value) Ptr { return Ptr{v.UnsafePointer()} }

// To returns the location of *v.
func To[T any](v *T) Ptr { return Ptr{unsafe.Pointer(v)} }

// IsNil reports whether p is the zero Ptr.
func (p Ptr) IsNil() bool { return p.p == nil }

// Same reports whether p and q are the same location.
func (p Ptr) Same(q Ptr) bool { return p.p == q.p }

// At returns the location as a *T. The location's type must have the
// underlying type of T.
func At[T any](p Ptr) *T { return (*T)(p.p) }

// Field is the place of a field within a struct; see [FieldOf].
type Field struct{ off uintptr }

// FieldOf returns the place of the i-th field of struct type t.
func FieldOf(t reflect.Type, i int) Field {
	f := t.Field(i)
	return PlaceOf(&f)
}

// PlaceOf returns the place of a field in the struct that declares it.
func PlaceOf(f *reflect.StructField) Field { return Field{f.Offset} }

// Then returns the place of g within the struct that stands at f.
func (f Field) Then(g Field) Field { return Field{f.off + g.off} }

// Field returns the location of field f of the struct at p.
func (p Ptr) Field(f Field) Ptr { return Ptr{unsafe.Add(p.p, f.off)} }

// Length returns the place of the length of the string or slice that stands at f.
func (f Field) Length() Field { return Field{f.off + unsafe.Offsetof(header{}.len)} }

// Near is a [Field] in half the memory.
type Near struct{ off uint32 }

// Near returns f as a Near, and whether it can be one.
func (f Field) Near() (Near, bool) { return Near{uint32(f.off)}, uintptr(uint32(f.off)) == f.off }

// In returns the place of n, which is within a struct that stands at f, in the struct around it, and whether it can be
// one.
func (n Near) In(f Field) (Near, bool) { return f.Then(Field{uintptr(n.off)}).Near() }

// Near returns the location of field f of the struct at p.
func (p Ptr) Near(f Near) Ptr { return Ptr{unsafe.Add(p.p, f.off)} }

// Deref returns where the pointer stored at p, a *t, points: the zero Ptr for
// nil.
func (p Ptr) Deref(t *Type) Ptr { return Ptr{*(*unsafe.Pointer)(p.p)} }

// SetPtr makes the pointer stored at p point at q, which must be a location
// of the pointer's element type.
func (p Ptr) SetPtr(q Ptr) { *(*unsafe.Pointer)(p.p) = q.p }

// SetNil makes the pointer stored at p nil.
func (p Ptr) SetNil() { *(*unsafe.Pointer)(p.p) = nil }

// Value returns the addressable value of type t at p.
func (p Ptr) Value(t *Type) reflect.Value { return reflect.ValueOf(p.Addr(t)).Elem() }

// Held returns the location of a t, a struct with a field alone, which is, or is a copy of, the value at p.
func (p Ptr) Held(t *Type) Ptr { return p }

// Addr returns the location as an interface holding a *t.
func (p Ptr) Addr(t *Type) any {
	if layoutHolds {
		w := atomic.LoadPointer(&t.addr.word) // reflect.NewAt would look the pointer type up
		if w == nil {
			w = t.findPointer()
		}
		return box(w, p.p)
	}
	return reflect.NewAt(t.Rtype, p.p).Interface()
}

// pointerType is the type word of pointers to a type, nil until it is needed: for many types the program has no
// other use for that of pointers, and reflect would have to make it.
type pointerType struct{ word unsafe.Pointer }

//go:noinline
func (t *Type) findPointer() unsafe.Pointer {
	w := typePointer(reflect.PointerTo(t.Rtype))
	atomic.StorePointer(&t.addr.word, w)
	return w
}

// AllZero reports whether all bytes of the value of type t at p are zero. It
// may answer false for a zero value whose padding is not zero.
func (p Ptr) AllZero(t *Type) bool {
	n := int(t.Size)
	if uint(n-8) > 120 {
		return allZero(p.p, n)
	}
	x := *(*uint64)(unsafe.Add(p.p, n-8))
	i := 0
	for ; i < n-32; i += 32 {
		w := (*[4]uint64)(unsafe.Add(p.p, i))
		x |= w[0] | w[1] | w[2] | w[3]
	}
	for ; i < n-8; i += 8 {
		x |= *(*uint64)(unsafe.Add(p.p, i))
	}
	return x == 0
}

// allZero reports whether n bytes at q are zero.
func allZero(q unsafe.Pointer, n int) bool {
	for n > len(zeros) {
		if unsafe.String((*byte)(q), len(zeros)) != zeros {
			return false
		}
		q, n = unsafe.Add(q, len(zeros)), n-len(zeros)
	}
	return unsafe.String((*byte)(q), n) == zeros[:n]
}

// zeros is what zero memory is compared with, which the runtime does a vector at a time.
const zeros = zeros64 + zeros64 + zeros64 + zeros64

const zeros64 = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// Array is the place of the elements of an array or a slice.
type Array struct{ p unsafe.Pointer }

// Array returns the elements of the array at p.
func (p Ptr) Array() Array { return Array(p) }

// One returns the value at p as the one element of an array.
func (p Ptr) One() Array { return Array(p) }

// Slice returns the elements of the slice stored at p.
func (p Ptr) Slice() Array { return Array{(*header)(p.p).data} }

// SliceLen returns the length of the slice stored at p.
func (p Ptr) SliceLen() int { return (*header)(p.p).len }

// SliceIsNil reports whether the slice stored at p is nil.
func (p Ptr) SliceIsNil() bool { return (*header)(p.p).data == nil }

// SliceCap returns the capacity of the slice stored at p.
func (p Ptr) SliceCap() int { return (*header)(p.p).cap }

// ArrayOf returns the elements of s, which the array keeps alive.
func ArrayOf[T any](s []T) Array { return Array{unsafe.Pointer(unsafe.SliceData(s))} }

// At returns the location of the i-th element, whose type is t. The caller
// has checked i.
func (a Array) At(t *Type, i int) Ptr { return Ptr{unsafe.Add(a.p, uintptr(i)*t.Size)} }

// From returns the elements from the i-th on, which there must be.
func (a Array) From(t *Type, i int) Array { return Array{unsafe.Add(a.p, uintptr(i)*t.Size)} }

// Flat returns the first n elements, whose underlying type is T, or arrays of
// it that have n elements together.
func Flat[T any](a Array, n int) []T { return unsafe.Slice((*T)(a.p), n) }

// Moved returns where the value at p, which may be a part of the n values of type t at a, is when these have been
// copied to b. The caller has both.
func (p Ptr) Moved(a, b Array, t *Type, n int) Ptr {
	if off := uintptr(p.p) - uintptr(a.p); off < uintptr(n)*t.Size {
		return Ptr{unsafe.Add(b.p, off)}
	}
	return p
}

// SetSlice makes the slice stored at p the elements i to j-1 of a, of type t,
// with no spare capacity.
func (p Ptr) SetSlice(a Array, t *Type, i, j int) {
	if i == j {
		p.SetEmpty()
		return
	}
	*(*header)(p.p) = header{unsafe.Add(a.p, uintptr(i)*t.Size), j - i, j - i}
}

// header is the memory of a slice as the language's unsafe.Slice and
// unsafe.SliceData describe it.
type header struct {
	data     unsafe.Pointer
	len, cap int
}

// SetEmpty makes the slice stored at p, a []t, one of length 0 that is not
// nil.
func (p Ptr) SetEmpty() { *(*header)(p.p) = header{data: unsafe.Pointer(&zero)} }

// zero is where slices of length 0 begin.
var zero uint64

// TypeID identifies a concrete type, cheaply comparable and hashable. It is not a pointer
// and keeps no type from the collector: what is known by it holds the type itself.
type TypeID struct{ word uintptr }

// Hash returns bits that spread over types.
func (id TypeID) Hash() uint { return uint(id.word) >> 5 } // little enough for tables to be looked up in their callers

// AtomicTypeID is a TypeID that is set once, while others read it.
type AtomicTypeID struct{ word atomic.Uintptr }

// Load returns the TypeID, the zero one before it is set.
func (a *AtomicTypeID) Load() TypeID { return TypeID{a.word.Load()} }

// Store sets the TypeID.
func (a *AtomicTypeID) Store(id TypeID) { a.word.Store(id.word) }

// eface is the memory of an empty interface, read only where layoutHolds.
type eface struct{ typ, data unsafe.Pointer }

// layoutHolds is the result of probing, once, that an empty interface is a
// type word followed by a data word. Where it does not hold, the functions
// below take reflect's way.
var layoutHolds = probeLayout()

func probeLayout() bool {
	if unsafe.Sizeof(any(nil)) != unsafe.Sizeof(eface{}) {
		return false
	}
	x, y := new(int64), new(int64)
	var a, b any = x, y
	var c any = int64(1 << 40)
	ea, eb, ec := (*eface)(unsafe.Pointer(&a)), (*eface)(unsafe.Pointer(&b)), (*eface)(unsafe.Pointer(&c))
	if ea.data != unsafe.Pointer(x) || eb.data != unsafe.Pointer(y) || ea.typ != eb.typ || ea.typ == ec.typ {
		return false
	}
	if *(*int64)(ec.data) != 1<<40 {
		return false
	}
	var t any = reflect.TypeFor[*int64]() // the type word is the address of the type that reflect shows
	if (*eface)(unsafe.Pointer(&t)).data != ea.typ {
		return false
	}
	m := map[string]int{} // the data word is the map, see [MapOf]
	var f any = m
	if (*eface)(unsafe.Pointer(&f)).data != *(*unsafe.Pointer)(unsafe.Pointer(&m)) {
		return false
	}
	*x = 7
	var d any
	*(*eface)(unsafe.Pointer(&d)) = eface{ec.typ, unsafe.Pointer(x)}
	v, ok := d.(int64)
	return ok && v == 7
}

// IDOf returns the identity of the dynamic type of v.
func IDOf(v any) TypeID {
	if layoutHolds {
		return TypeID{*(*uintptr)(unsafe.Pointer(&v))} // as a number, which the compiler has at hand
	}
	return idOf(v)
}

// QuickID is IDOf where that takes no call, and the zero TypeID elsewhere.
func QuickID(v any) TypeID {
	if layoutHolds {
		return TypeID{*(*uintptr)(unsafe.Pointer(&v))} // same as IDOf
	}
	return TypeID{}
}

//go:noinline
func idOf(v any) TypeID { return IDOfType(reflect.TypeOf(v)) }

// IDOfType returns the identity of t, the same that [IDOf] gives for a value
// of type t.
func IDOfType(t reflect.Type) TypeID {
	return TypeID{uintptr(typePointer(t))}
}

// typePointer returns the type word of interfaces that hold a t.
func typePointer(t reflect.Type) unsafe.Pointer {
	if layoutHolds {
		var v any = t
		return (*eface)(unsafe.Pointer(&v)).data
	}
	return reflect.ValueOf(t).UnsafePointer()
}

// PtrOf returns the location that v, an interface holding a pointer, points
// at.
func PtrOf(v any) Ptr {
	if layoutHolds {
		return Ptr{(*eface)(unsafe.Pointer(&v)).data}
	}
	return ptrOf(v)
}

//go:noinline
func ptrOf(v any) Ptr { return Of(reflect.ValueOf(v)) }

// Data returns the location of the value of type t held by v. The location
// is read only: it may be the very memory that the interface shares.
func Data(v any, t *Type) Ptr {
	if t.boxed && layoutHolds {
		return Ptr{(*eface)(unsafe.Pointer(&v)).data}
	}
	n := reflect.New(t.Rtype)
	n.Elem().Set(reflect.ValueOf(v))
	return Of(n)
}

// MapOf returns the map at p, or the one that v holds if p is nil, where [At] reads one of its type as a map[string]V.
func MapOf[V any](p Ptr, v any) map[string]V {
	if p.IsNil() {
		m := PtrOf(v)
		return *At[map[string]V](To(&m))
	}
	return *At[map[string]V](p)
}

// isBoxed reports whether an interface holding a t points at the value, rather
// than being the value.
func isBoxed(t reflect.Type) bool {
	if !layoutHolds || t.Kind() == reflect.Interface {
		return false
	}
	z := reflect.Zero(t).Interface()
	return (*eface)(unsafe.Pointer(&z)).data != nil
}

// Cursor is a place among the elements of a slice. The holder keeps to them.
type Cursor[T any] struct{ p unsafe.Pointer }

// CursorAt returns the place of s[i].
func CursorAt[T any](s []T, i int) Cursor[T] { return Cursor[T]{unsafe.Pointer(&s[i])} }

// Prev returns the element before.
func (c Cursor[T]) Prev() *T {
	var t T
	return (*T)(unsafe.Add(c.p, -int(unsafe.Sizeof(t))))
}

// Next returns the place of the next element, which there must be.
func (c Cursor[T]) Next() Cursor[T] {
	var t T
	return Cursor[T]{unsafe.Add(c.p, unsafe.Sizeof(t))}
}

// After returns the place n elements further, which there must be.
func (c Cursor[T]) After(n int) Cursor[T] {
	var t T
	return Cursor[T]{unsafe.Add(c.p, n*int(unsafe.Sizeof(t)))}
}

// In returns the index of the place in s.
func (c Cursor[T]) In(s []T) int {
	var t T
	return int((uintptr(c.p) - uintptr(unsafe.Pointer(unsafe.SliceData(s)))) / unsafe.Sizeof(t))
}
