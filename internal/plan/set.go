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
	config   Config
	deciding HookSet
	foreign  HookSet // those that strict types do not have
	weft     HookSet // that of weft.Marshaler

	types atomic.Pointer[programTable[Type]]
	n     atomic.Int64
	mu    sync.Mutex      // held while building
	room  mem.Room[Field] // memory for the fields of structs to come
}

// NewSet returns an empty Set. It panics when the Config is not sound.
func NewSet(c Config) *Set {
	c.check()
	s := &Set{config: c}
	s.deciding, s.foreign = c.deciding()
	for i := range c.Hooks {
		if c.Hooks[i].Marshal == weftMarshaler {
			s.weft = 1 << i
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
	b := &builder{set: s}
	n := b.typeOf(t)
	b.publish()
	return n
}

// complete finds out which members n has, a struct.
//
//go:noinline
func (s *Set) complete(n *Type) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := &builder{set: s}
	b.complete(n)
	b.publish()
}

// publish lets everybody see the types that have been built. Everything that they refer to is there before the first
// of them can be found, but for what structs have.
func (b *builder) publish() {
	next := int(b.set.n.Load())
	types := b.set.types.Load()
	for _, n := range b.order {
		n.ID = next
		next++
	}
	b.set.n.Store(int64(next))
	if b.fresh != nil {
		for i := range b.fresh.rows {
			if r := &b.fresh.rows[i]; r.p != nil {
				types = types.room(64)
				types.insert(r.id.Load(), r.p)
			}
		}
	}
	b.set.types.Store(types)
	for _, n := range b.whole {
		n.complete.Store(true)
	}
}

// fieldRoom is how many fields memory is made for at once, in a piece as large as a builder.
const fieldRoom = 9

// Len returns how many types the Set has: the IDs of all types that it has
// returned so far are below.
func (s *Set) Len() int { return int(s.n.Load()) }

// Hook returns the i-th hook of the Set's Config.
func (s *Set) Hook(i int) Hook { return s.config.Hooks[i] }
