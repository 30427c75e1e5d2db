package value

import (
	"hash/maphash"
	"math/bits"
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
	wire  [numSpellings]spelled     // the names as formats write them
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
	slots  []int32      // place + 1
	seeded bool         // names hash alike by hashName, perhaps on purpose
	seed   maphash.Seed // where seeded
}

// longRun is how many places in a row may be taken before the names are hashed by
// a seed that nobody outside knows.
const longRun = 24

func (s *shape) lookup(name string) int {
	x := s.index.Load()
	if x == nil {
		x = newNameIndex(s.names)
		s.index.Store(x)
	}
	mask := uint(len(x.slots) - 1)
	for h := x.hash(name) & mask; ; h = (h + 1) & mask {
		i := int(x.slots[h]) - 1
		if i < 0 || s.names[i] == name {
			return i
		}
	}
}

func (x *nameIndex) hash(name string) uint {
	if x.seeded {
		return uint(maphash.String(x.seed, name))
	}
	return hashName(name)
}

// hashName hashes the length, the first and the last bytes of a name.
func hashName(s string) uint {
	n := len(s)
	var a, b uint64
	switch {
	case n >= 8:
		a, b = load64(s), load64(s[n-8:])
	case n >= 4:
		a, b = load32(s), load32(s[n-4:])
	case n > 0:
		a = uint64(s[0]) | uint64(s[n/2])<<8 | uint64(s[n-1])<<16
	}
	hi, lo := bits.Mul64(a^0x9e3779b97f4a7c15, (b+uint64(n))^0xe7037ed1a0b428db)
	return uint(hi ^ lo)
}

func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func load32(s string) uint64 {
	_ = s[3]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

// newNameIndex returns the table of the names, nil if they do not differ.
func newNameIndex(names []string) *nameIndex {
	size := 4
	for size < 2*len(names) {
		size *= 2
	}
	x := &nameIndex{slots: make([]int32, size)}
	ok, same := x.fill(names)
	if !ok && !same {
		x.seeded, x.seed = true, maphash.MakeSeed()
		clear(x.slots)
		ok, _ = x.fill(names)
	}
	if !ok {
		return nil
	}
	return x
}

// fill enters the names. It returns false if two of them are the same, or if there
// is a long run and no seed.
func (x *nameIndex) fill(names []string) (ok, same bool) {
	mask := uint(len(x.slots) - 1)
	for i, name := range names {
		h, run := x.hash(name)&mask, 0
		for ; x.slots[h] != 0; run++ {
			if names[x.slots[h]-1] == name {
				return false, true
			}
			if run > longRun && !x.seeded {
				return false, false
			}
			h = (h + 1) & mask
		}
		x.slots[h] = int32(i) + 1
	}
	return true, false
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
