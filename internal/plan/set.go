// Package plan compiles a Go type into an immutable, format-free description:
// its kind, its memory, its members with embedding and tags resolved, and the
// methods by which it marshals itself.
//
// Each format has a [Set], which says which tags and methods the format looks
// at, and keeps the plan of every type that it has been asked for.
package plan

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/weftcodec/weft"
)

// Set is the types of one format. It may be used by several goroutines at
// once.
type Set struct {
	config   Config
	deciding HookSet
	weft     HookSet // that of weft.Marshaler

	types sync.Map // reflect.Type -> *Type, complete
	n     atomic.Int64
	mu    sync.Mutex // held while building
}

// NewSet returns an empty Set. It panics when the Config is not sound.
func NewSet(c Config) *Set {
	c.check()
	s := &Set{config: c, deciding: c.deciding()}
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
	if n, ok := s.types.Load(t); ok {
		return n.(*Type)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n, ok := s.types.Load(t); ok {
		return n.(*Type)
	}
	b := builder{set: s, nodes: map[reflect.Type]*Type{}}
	n := b.typeOf(t)
	// Everything that the new nodes refer to is complete before the first of
	// them can be seen.
	id := int(s.n.Load())
	for _, x := range b.order {
		x.ID = id
		id++
	}
	s.n.Store(int64(id))
	for _, x := range b.order {
		s.types.Store(x.Rtype, x)
	}
	return n
}

// Len returns how many types the Set has: the IDs of all types that it has
// returned so far are below.
func (s *Set) Len() int { return int(s.n.Load()) }

// Hook returns the i-th hook of the Set's Config.
func (s *Set) Hook(i int) Hook { return s.config.Hooks[i] }
