// Package plan compiles a Go type into an immutable, format-free description:
// its kind, its memory, its members with embedding and tags resolved, and the
// methods by which it marshals itself.
//
// Each format has a [Set], which specifies the tags and methods that the format uses, and caches the plan of every
// type that it has been asked for.
package plan

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
)

// Set is the types of one format. It may be used by several goroutines at
// once.
type Set struct {
	config  Config
	foreign HookSet // those that strict types do not have
	weft    HookSet // that of weft.Marshaler
	json    HookSet // that of json.Marshaler

	types atomic.Pointer[programTable[Type]]
	n     atomic.Int64
	mu    sync.Mutex      // held while building
	room  mem.Room[Field] // memory for the fields of structs to come
	kinds mem.Room[Type]  // memory for types to come
	spare *builder        // the last one
}

// NewSet returns an empty Set. It panics when the Config is not sound.
func NewSet(c Config) *Set {
	c.check()
	s := &Set{config: c}
	for i, h := range c.Hooks {
		if h.Marshal == weftMarshaler {
			s.weft = 1 << i
		}
		if h.Marshal == jsonMarshaler {
			s.json = 1 << i
		}
		if h.Foreign {
			s.foreign |= 1 << i
		}
	}
	return s
}

// In returns an empty Set that differs in its Dialect.
func (s *Set) In(d *weft.Dialect) *Set {
	c := s.config
	c.Dialect = d
	return NewSet(c)
}

// Of returns the plan of t, the same pointer each time; nil for a nil t.
func (s *Set) Of(t reflect.Type) *Type {
	if t == nil {
		return nil
	}
	id := mem.IDOfType(t)
	if n := s.types.Load().find(id); n != nil {
		return n
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.builder()
	n := b.typeOf(t)
	b.publish()
	return n
}

// builder returns a builder of nothing yet, the last one where it has published what it had.
func (s *Set) builder() *builder {
	b := s.spare
	s.spare = nil
	if b == nil {
		b = &builder{set: s}
	}
	return b
}

// complete finds out which members n has, a struct.
//
//go:noinline
func (s *Set) complete(n *Type) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.builder()
	b.complete(n)
	b.publish()
}

// publish lets everybody see the types that have been built. Everything that they refer to is there before the first
// of them can be found, but for what structs have.
func (b *builder) publish() {
	next := int(b.set.n.Load())
	for i, n := range b.order {
		n.ID = next + i
	}
	b.set.n.Store(int64(next + len(b.order)))
	types := b.set.types.Load()
	for _, n := range b.order {
		if id := mem.IDOfType(n.Rtype); b.fresh.find(id) == n {
			types = types.room(firstRows)
			types.insert(id, n)
		}
	}
	b.set.types.Store(types)
	for _, n := range b.whole {
		n.complete.Store(true)
	}
	clear(b.order)
	clear(b.whole)
	b.order, b.whole = b.order[:0], b.whole[:0]
	b.fresh = b.fresh.reset()
	b.set.spare = b
}

// The pieces of memory of which a first call needs one are of about the same size, that of a builder, so that they
// share pages: a page that nobody has touched before costs more than what is done with it.
const (
	fieldRoom = 9   // fields of structs
	typeRoom  = 7   // types
	firstRows = 128 // rows of a table of types
)

// Len returns how many types the Set has: the IDs of all types that it has
// returned so far are below.
func (s *Set) Len() int { return int(s.n.Load()) }

// Hook returns the i-th hook of the Set's Config.
func (s *Set) Hook(i int) Hook { return s.config.Hooks[i] }
