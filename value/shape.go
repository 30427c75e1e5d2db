package value

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/weftcodec/weft/internal/mem"
)

// shape is the names of the members of maps, in order. It is immutable and shared
// by all the maps that were made alike, so that the names stand in memory once
// and a place found in one map holds for the others.
type shape struct {
	names []string
	index atomic.Pointer[nameIndex] // made when many names are looked up
	order atomic.Pointer[[]int32]   // the places in the order of their names
	grown atomic.Pointer[shape]     // the shape with one more name, made last
}

// few is up to how many names are compared one by one.
const few = 8

// newShape returns the shape of the given names, which must differ, or nil for
// none. It keeps names.
func newShape(names []string) *shape {
	if len(names) == 0 {
		return nil
	}
	return &shape{names: names}
}

func (s *shape) len() int {
	if s == nil {
		return 0
	}
	return len(s.names)
}

// find returns the place of a name, -1 if it is none of the shape's. The place
// hint is tried first.
func (s *shape) find(name string, hint int) int {
	if s == nil {
		return -1
	}
	names := s.names
	if uint(hint) < uint(len(names)) && names[hint] == name {
		return hint
	}
	if len(names) > few {
		return s.lookup(name)
	}
	n := len(name)
	if n == 0 {
		return slices.Index(names, name)
	}
	last := name[n-1] // where names of one length differ most often
	for i := range names {
		if x := names[i]; len(x) == n && x[n-1] == last && x == name {
			return i
		}
	}
	return -1
}

// nameIndex is a hash table of the places of names, open addressing, at most half
// full.
type nameIndex struct {
	seed  maphash.Seed
	slots []int32 // place + 1
}

func (s *shape) lookup(name string) int {
	x := s.index.Load()
	if x == nil {
		x = newNameIndex(s.names)
		s.index.Store(x)
	}
	mask := len(x.slots) - 1
	for h := int(maphash.String(x.seed, name)) & mask; ; h = (h + 1) & mask {
		i := int(x.slots[h]) - 1
		if i < 0 || s.names[i] == name {
			return i
		}
	}
}

// newNameIndex returns the table of the names, nil if they do not differ.
func newNameIndex(names []string) *nameIndex {
	size := 4
	for size < 2*len(names) {
		size *= 2
	}
	x := &nameIndex{seed: maphash.MakeSeed(), slots: make([]int32, size)}
	for i, name := range names {
		h := int(maphash.String(x.seed, name)) & (size - 1)
		for x.slots[h] != 0 {
			if names[x.slots[h]-1] == name {
				return nil
			}
			h = (h + 1) & (size - 1)
		}
		x.slots[h] = int32(i) + 1
	}
	return x
}

// sorted returns the places in the order of their names.
func (s *shape) sorted() []int32 {
	if s == nil {
		return nil
	}
	if o := s.order.Load(); o != nil {
		return *o
	}
	o := make([]int32, len(s.names))
	for i := range o {
		o[i] = int32(i)
	}
	slices.SortFunc(o, func(a, b int32) int { return strings.Compare(s.names[a], s.names[b]) })
	s.order.Store(&o)
	return o
}

// with returns the shape with one more name at the end.
func (s *shape) with(name string) *shape {
	if s == nil {
		return newShape([]string{name})
	}
	if g := s.grown.Load(); g != nil && g.names[len(s.names)] == name {
		return g
	}
	names := make([]string, 0, len(s.names)+1)
	g := newShape(append(append(names, s.names...), name))
	if len(s.names) < maxShared {
		s.grown.Store(g)
	}
	return g
}

// without returns the shape without the name at a place.
func (s *shape) without(i int) *shape {
	names := make([]string, 0, len(s.names)-1)
	return newShape(append(append(names, s.names[:i]...), s.names[i+1:]...))
}

// maxShared is the size up to which shapes are remembered for maps to come: the
// names of a larger map are likely to be data.
const maxShared = 64

// newSlots returns memory for a map of shape s and the values of its members.
func newSlots(s *shape) []Value {
	slots := make([]Value, 1+s.len())
	slots[0].ref = mem.RefTo(s)
	return slots
}

// mapOf returns the map that newSlots has made memory for. The values must not
// change any more.
func mapOf(slots []Value) Value {
	if len(slots) <= 1 {
		return make1(KindMap, 0)
	}
	return makeRef(KindMap, mem.RefSlice(slots), len(slots)-1)
}

// mapWith returns the map of shape s whose values are slots but the first.
func mapWith(s *shape, slots []Value) Value {
	slots[0].ref = mem.RefTo(s)
	return mapOf(slots)
}

// shape returns the shape of the map v, nil if it is empty.
func (v Value) shape() *shape {
	if v.num == 0 {
		return nil
	}
	return mem.Target[shape](mem.First[Value](v.ref).ref)
}

// names returns the names of the members of the map v.
func (v Value) names() []string {
	if v.num == 0 {
		return nil
	}
	return v.shape().names
}

// members returns the values of the map v in its order.
func (v Value) members() []Value {
	if v.num == 0 {
		return nil
	}
	return mem.Elems[Value](v.ref, int(v.num)+1)[1:]
}

// elems returns the elements of the list v.
func (v Value) elems() []Value { return mem.Elems[Value](v.ref, int(v.num)) }

// listOf returns the list that keeps elems, which must not change any more.
func listOf(elems []Value) Value { return makeRef(KindList, mem.RefSlice(elems), len(elems)) }
