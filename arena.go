package weft

import (
	"reflect"

	"github.com/weftcodec/weft/internal/mem"
)

// Arena is memory from which a [Reader] takes new variables, several of one type
// at once. A variable keeps up to 2 KB of others alive beside itself, and what
// these refer to.
type Arena struct {
	recent [8]arenaSlab
	all    map[mem.TypeID]*mem.Slab
}

// arenaSlab is the memory for variables of one type. The array of them is a
// cache of the map.
type arenaSlab struct {
	id   mem.TypeID // of a pointer to one
	slab *mem.Slab
}

// Reset forgets the memory that is left.
func (a *Arena) Reset() { *a = Arena{} }

// New returns a new T from the memory of r.
func New[T any](r SchemaReader) *T { return mem.At[T](r.Arena().take((*T)(nil))) }

// take returns a new variable of the type that ptr points to.
func (a *Arena) take(ptr any) mem.Ptr {
	id := mem.IDOf(ptr)
	s := &a.recent[id.Hash()&7]
	if s.id != id {
		*s = arenaSlab{id, a.find(id, ptr)}
	}
	return s.slab.New()
}

func (a *Arena) find(id mem.TypeID, ptr any) *mem.Slab {
	s := a.all[id]
	if s == nil {
		s = mem.NewSlab(mem.TypeOf(reflect.TypeOf(ptr).Elem()))
		if a.all == nil {
			a.all = make(map[mem.TypeID]*mem.Slab)
		}
		a.all[id] = s
	}
	return s
}
