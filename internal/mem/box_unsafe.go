//go:build !purego && (amd64 || arm64 || 386 || ppc64le || loong64)

package mem

import (
	"reflect"
	"unsafe"
)

// Box is how a value of one type is stored in an interface of another.
type Box struct {
	word  unsafe.Pointer // the first word of such an interface, nil where reflect stores
	boxed boxedType
}

// BoxOf returns the Box of values of type t in interfaces of type in, which t
// implements.
func BoxOf(in, t reflect.Type) Box {
	b := Box{boxed: newBoxed(in, t)}
	if !layoutHolds || !b.boxed.pointer && !isBoxed(t) || in.Size() != unsafe.Sizeof(eface{}) {
		return b
	}
	// What reflect stores shows the word; another value stored by it must be what reflect sees.
	v, x, y := reflect.New(in), reflect.New(b.boxed.elem.Rtype), reflect.New(b.boxed.elem.Rtype)
	b.boxed.set(v.Elem(), x)
	w := (*eface)(v.UnsafePointer())
	word := w.typ
	if b.boxed.pointer && w.data != x.UnsafePointer() {
		return b
	}
	*w = eface{word, y.UnsafePointer()}
	if got := v.Elem().Elem(); got.Type() != t || b.boxed.pointer && got.UnsafePointer() != y.UnsafePointer() {
		return b
	}
	b.word = word
	return b
}

// SetBox stores the value at q in the interface at p: a pointer to it where the type
// of the Box is one. The interface may share the memory of q.
func (p Ptr) SetBox(b *Box, q Ptr) {
	if b.word == nil {
		b.boxed.store(p, q)
		return
	}
	*(*eface)(p.p) = eface{b.word, q.p}
}

// As returns what [Ptr.SetBox] stores, for a b of a pointer type in interfaces of type I.
func As[I any](b *Box, q Ptr) (v I) {
	if b.word == nil {
		return q.Addr(b.boxed.elem).(I)
	}
	*(*eface)(unsafe.Pointer(&v)) = eface{b.word, q.p}
	return v
}
