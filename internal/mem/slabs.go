package mem

import "reflect"

const (
	// slabBytes bounds the memory that one value carved from a slab keeps alive.
	slabBytes = 2048
	// MostShared is the size of the largest value that is worth carving.
	MostShared = slabBytes / 4
)

// Slabs is a [Slab] for each of many types, which have numbers from 0 on. The zero Slabs has none yet.
type Slabs []*Slab

// Of returns the slab of t, whose number is id: a new one if that was the number of another type before.
func (s *Slabs) Of(id int, t *Type) *Slab {
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

// Own returns the location of a copy of the value at p, of type t, in memory of its own, and makes that at p zero.
func (t *Type) Own(p Ptr) Ptr {
	own := t.New()
	t.Copy(own, p)
	t.Clear(p)
	return own
}

// OwnSlice gives the slice at p, of type t, memory of its own, and makes the elements that it had zero.
func (t *Type) OwnSlice(p Ptr) {
	list := p.Value(t)
	own := reflect.MakeSlice(t.Rtype, list.Len(), list.Len())
	reflect.Copy(own, list)
	list.Clear()
	list.Set(own)
}
