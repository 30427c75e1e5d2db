//go:build purego || !(amd64 || arm64 || 386 || ppc64le || loong64)

package mem

import "reflect"

// Box is how a value of one type is stored in an interface of another.
type Box struct{ boxed boxedType }

// BoxOf returns the Box of values of type t in interfaces of type in, which t
// implements.
func BoxOf(in, t reflect.Type) Box { return Box{newBoxed(in, t)} }

// SetBox stores the value at q in the interface at p: a pointer to it where the type
// of the Box is one. The interface may share the memory of q.
func (p Ptr) SetBox(b *Box, q Ptr) { b.boxed.store(p, q) }

// As returns what [Ptr.SetBox] stores, for a b of a pointer type in interfaces of type I.
func As[I any](b *Box, q Ptr) (v I) { return q.Addr(b.boxed.elem).(I) }
