package mem

import "reflect"

// boxedType is a type in an interface of another, for reflect.
type boxedType struct {
	in      *Type
	elem    *Type // what pointers of the type point to, or the type
	pointer bool
}

func newBoxed(in, t reflect.Type) boxedType {
	b := boxedType{in: TypeOf(in), pointer: t.Kind() == reflect.Pointer}
	if b.pointer {
		t = t.Elem()
	}
	b.elem = TypeOf(t)
	return b
}

// store stores the value at q, or its address, in the interface at p.
func (b *boxedType) store(p, q Ptr) { b.set(p.Value(b.in), q.Value(b.elem).Addr()) }

// set stores what x points to, or x, in the interface v.
func (b *boxedType) set(v, x reflect.Value) {
	if !b.pointer {
		x = x.Elem()
	}
	v.Set(x)
}
