package plan

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/weftcodec/weft/internal/mem"
)

// Programs keeps what a format has compiled each Go type into. Readers take no
// lock.
type Programs[P any] struct {
	table atomic.Pointer[programTable[P]]
	mu    sync.Mutex // held while a program is made
}

// programTable is an open-addressing hash table that is replaced, never changed.
type programTable[P any] struct {
	mask uint
	n    int
	rows []programRow[P]
}

type programRow[P any] struct {
	id mem.TypeID
	p  *P
}

// Find returns the program of the dynamic type of v, nil where there is none yet.
func (g *Programs[P]) Find(v any) *P {
	if t := g.table.Load(); t != nil && v != nil {
		return t.find(mem.IDOf(v))
	}
	return nil
}

// First returns what Find does, or nil where it takes more than a look.
func (g *Programs[P]) First(v any) *P {
	if mem.Safe {
		return g.Find(v)
	}
	if t := g.table.Load(); t != nil {
		id := mem.QuickID(v)
		if r := &t.rows[id.Hash()&t.mask]; r.id == id {
			return r.p
		}
	}
	return nil
}

func (t *programTable[P]) find(id mem.TypeID) *P {
	for h := id.Hash(); ; h++ {
		r := &t.rows[h&t.mask]
		if r.id == id || r.p == nil { // no type has the zero id
			return r.p
		}
	}
}

func (t *programTable[P]) insert(id mem.TypeID, p *P) {
	h := id.Hash() & t.mask
	for t.rows[h].p != nil {
		h = (h + 1) & t.mask
	}
	t.rows[h] = programRow[P]{id, p}
	t.n++
}

// Make returns the program of rt, and publishes what compile makes when there is
// none. One program is made at a time; what is published is not touched again.
func (g *Programs[P]) Make(rt reflect.Type, compile func() *P) *P {
	g.mu.Lock()
	defer g.mu.Unlock()
	old := g.table.Load()
	id := mem.IDOfType(rt)
	if old != nil {
		if p := old.find(id); p != nil { // published since: others read it
			return p
		}
	}
	p := compile()
	fresh := old.clone(64)
	fresh.insert(id, p)
	g.table.Store(fresh)
	return p
}

// clone returns a table of the same programs, of at least so many rows, with room for another one. The table may be
// nil.
func (t *programTable[P]) clone(size int) *programTable[P] {
	if t == nil {
		return &programTable[P]{mask: uint(size - 1), rows: make([]programRow[P], size)}
	}
	if size = max(size, len(t.rows)); 2*t.n >= size {
		size *= 2
	}
	u := &programTable[P]{mask: uint(size - 1), rows: make([]programRow[P], size)}
	for _, r := range t.rows {
		if r.p != nil {
			u.insert(r.id, r.p)
		}
	}
	return u
}
