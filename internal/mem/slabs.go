package mem

import "reflect"

const (
	// slabBytes bounds the memory that one value carved from a slab keeps alive.
	slabBytes = 2048
	// MostShared is the size of the largest value that is worth carving.
	MostShared = slabBytes / 4
	// mostRead is the length of the longest encoding of a value that shares memory with others. What shares memory is kept
	// alive together, and all that it refers to: this bounds how much that is.
	mostRead = 4 << 10
)

// Slabs is a [Slab] for each of many types, which have numbers from 0 on. Values of a type with a negative number share
// no memory. The zero Slabs has none yet.
type Slabs []*Slab

// New returns the location of a new zero value of type t, whose number is id, to be read. What is read goes to
// [Slabs.Keep].
func (s *Slabs) New(id int, t *Type) Ptr {
	if id < 0 {
		return t.New()
	}
	return s.of(id, t).New()
}

// Keep returns where the value at p is kept, which [Slabs.New] returned for id and t, and whose encoding had n bytes:
// there, or in memory of its own if it keeps much alive.
func (s *Slabs) Keep(id int, t *Type, p Ptr, n int) Ptr {
	if n <= mostRead || id < 0 {
		return p
	}
	return s.of(id, t).Own(p)
}

// Make stores a slice of n new zero values of type t at p, which holds a slice of type list, to be read, and reports
// whether it shares memory. Then it goes to [Type.KeepSlice].
func (s *Slabs) Make(id int, t *Type, p Ptr, list reflect.Type, n int) (Array, bool) {
	if size := uintptr(n) * t.Size; id < 0 || size == 0 || size > MostShared {
		return p.Make(list, t, n), false
	}
	return s.of(id, t).Make(p, list, n), true
}

// KeepSlice gives the slice of type t at p, which shares memory and whose encoding had n bytes, memory of its own if it
// keeps much alive.
func (t *Type) KeepSlice(p Ptr, n int) {
	if n <= mostRead {
		return
	}
	v := p.Value(t)
	own := reflect.MakeSlice(t.Rtype, v.Len(), v.Len())
	reflect.Copy(own, v)
	v.Clear()
	v.Set(own)
}

// of returns the slab of t, whose number is id: a new one if that was the number of another type before.
func (s *Slabs) of(id int, t *Type) *Slab {
	if id < len(*s) {
		if l := (*s)[id]; l != nil && l.t == t {
			return l
		}
	}
	return s.add(id, t)
}

//go:noinline
func (s *Slabs) add(id int, t *Type) *Slab {
	if id >= len(*s) {
		*s = append(*s, make([]*Slab, id+1-len(*s))...)
	}
	l := NewSlab(t)
	(*s)[id] = l
	return l
}
