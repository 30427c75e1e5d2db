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
	mu    sync.Mutex  // held while a program is made
	laid  []*Later[P] // what is published when that is done
}

// Later is the program of a type that is made when the first value of the type comes: a type may lead to thousands of
// others of which none ever does.
type Later[P any] struct {
	in      *Programs[P]
	compile func() (p *P, faults [2]error)
	faults  [2]error // why values cannot be marshaled or unmarshaled
	made    *P
	now     atomic.Pointer[P]
}

// Later returns a program that compile makes, which also tells why values cannot be marshaled or unmarshaled.
func (g *Programs[P]) Later(compile func() (p *P, faults [2]error)) *Later[P] {
	return &Later[P]{in: g, compile: compile}
}

// Meet returns the program, now that a value has come, or why there is none for the direction.
func (l *Later[P]) Meet(d Direction) (*P, error) {
	p := l.now.Load()
	if p == nil {
		l.in.mu.Lock()
		p = l.make()
		l.in.publish()
		l.in.mu.Unlock()
	}
	return p, l.faults[d]
}

// Or returns the program, or p if there is none for the direction.
func (l *Later[P]) Or(p *P, d Direction) *P {
	if q := l.now.Load(); q != nil && l.faults[d] == nil { // same as below
		return q
	}
	return l.or(p, d)
}

//go:noinline
func (l *Later[P]) or(p *P, d Direction) *P {
	if q, err := l.Meet(d); err == nil {
		return q
	}
	return p
}

// Made returns the program, to those who make another one, or nil where there is none for one of the directions. Where
// none has been made yet, ahead reports whether to do so. Others see it when all is there that it leads to.
func (l *Later[P]) Made(ahead bool) *P {
	if l.made == nil && !ahead || l.make() == nil || l.faults != [2]error{} {
		return nil
	}
	return l.made
}

func (l *Later[P]) make() *P {
	if l.made == nil {
		l.made, l.faults = l.compile()
		l.in.laid = append(l.in.laid, l)
	}
	return l.made
}

func (g *Programs[P]) publish() {
	for _, l := range g.laid {
		l.now.Store(l.made)
	}
	clear(g.laid)
	g.laid = g.laid[:0]
}

// programTable is an open-addressing hash table, at most an eighth full, so that most programs are where First looks.
// Programs are only added, by one goroutine at a time.
type programTable[P any] struct {
	mask uint
	n    int
	rows []programRow[P]
}

type programRow[P any] struct {
	id mem.AtomicTypeID // not set before p is there
	p  *P
}

// Find returns the program of the dynamic type of v, nil where there is none yet.
func (g *Programs[P]) Find(v any) *P {
	if v == nil {
		return nil
	}
	return g.table.Load().find(mem.IDOf(v))
}

// First returns what Find does, or nil where it takes more than a look.
func (g *Programs[P]) First(v any) *P {
	if mem.Safe {
		return g.Find(v)
	}
	if t := g.table.Load(); t != nil {
		id := mem.QuickID(v)
		if r := &t.rows[id.Hash()&t.mask]; r.id.Load() == id {
			return r.p
		}
	}
	return nil
}

// find returns the program of a type, nil where there is none. The table may be nil.
func (t *programTable[P]) find(id mem.TypeID) *P {
	if t == nil {
		return nil
	}
	for h := id.Hash(); ; h++ {
		r := &t.rows[h&t.mask]
		switch r.id.Load() {
		case id:
			return r.p
		case mem.TypeID{}:
			return nil
		}
	}
}

func (t *programTable[P]) insert(id mem.TypeID, p *P) {
	h := id.Hash() & t.mask
	for t.rows[h].p != nil {
		h = (h + 1) & t.mask
	}
	t.rows[h].p = p
	t.rows[h].id.Store(id)
	t.n++
}

// reset returns the table with no program in it, nil for a large one.
func (t *programTable[P]) reset() *programTable[P] {
	if t == nil || len(t.rows) > firstRows {
		return nil
	}
	clear(t.rows)
	t.n = 0
	return t
}

// Make returns the program of rt, and publishes what compile makes when there is
// none. One program is made at a time; what is published is not touched again.
func (g *Programs[P]) Make(rt reflect.Type, compile func() *P) *P {
	g.mu.Lock()
	defer g.mu.Unlock()
	old := g.table.Load()
	id := mem.IDOfType(rt)
	if p := old.find(id); p != nil { // published since: others read it
		return p
	}
	p := compile()
	g.publish()
	g.add(id, p)
	return p
}

// Add publishes a program of rt. It is for those who have a lock of their own, under which they have not found one, and
// who compile in the first call of a program, where each frame below them may have the stack grow.
func (g *Programs[P]) Add(rt reflect.Type, p *P) {
	g.mu.Lock()
	g.add(mem.IDOfType(rt), p)
	g.mu.Unlock()
}

func (g *Programs[P]) add(id mem.TypeID, p *P) {
	table := g.table.Load().room(64)
	table.insert(id, p)
	g.table.Store(table)
}

// room returns the table where it has room for another program, else a larger one of the same programs. The table may
// be nil; a new one has so many rows.
func (t *programTable[P]) room(size int) *programTable[P] {
	if t != nil {
		if 8*(t.n+1) <= len(t.rows) {
			return t
		}
		size = 2 * len(t.rows)
	}
	u := &programTable[P]{mask: uint(size - 1), rows: make([]programRow[P], size)}
	if t != nil {
		for i := range t.rows {
			if r := &t.rows[i]; r.p != nil {
				u.insert(r.id.Load(), r.p)
			}
		}
	}
	return u
}
