package pattern

import (
	"encoding/binary"
	"slices"
)

// Bounds on building a machine; a program that exceeds one is simulated.
const (
	maxCells = 1 << 18 // states times classes, before the machine is minimized: a megabyte
	maxWork  = 1 << 20 // steps that are looked at: some 20 ms
)

// States that are always there.
const (
	dead = 0 // nothing that follows makes a match
	sure = 1 // a match was found
)

// states are a deterministic machine as it is built: a state is all the steps where a program may be.
type states struct {
	start   int32
	states  []state
	next    []int32 // by state and class
	accepts []bool  // whether the end of the string makes a match

	p     *program
	c     *classes
	in    []bool // whether a set has a class, by set and class
	ids   map[string]int32
	walk  walk
	work  int
	steps []int32 // scratch
	key   []byte  // scratch
}

// state is where a program may be before it sees the next code point.
type state struct {
	steps  []int32 // of stepSet and stepAssert, in order
	before context // what the assertions of the program ask for, where there are such
	looks  bool    // whether there are any
}

// newStates returns the deterministic machine of a program, and nil where it is too large.
func newStates(p *program, c *classes) *states {
	b := &states{p: p, c: c, ids: make(map[string]int32), walk: newWalk(p)}
	for _, s := range p.sets {
		for _, r := range c.member {
			b.in = append(b.in, s.has(r))
		}
	}
	b.states = make([]state, 2)
	b.accepts = []bool{dead: false, sure: true}
	for q := range b.states {
		b.next = append(b.next, slices.Repeat([]int32{int32(q)}, c.n)...)
	}
	if p.looks&atLine == 0 { // else a match may begin on the next line
		b.ids[""] = dead
	}
	b.start = b.id([]int32{p.start}, atEdge)
	for q := sure + 1; q < len(b.states); q++ {
		if !b.leave(b.states[q]) {
			return nil
		}
	}
	return b
}

// leave appends where state s leads, for each class and for the end. It reports whether the machine is small enough.
func (b *states) leave(s state) bool {
	var known [1 << 3]struct { // by what is after
		done, match bool
		ways        []int32
		other       int32 // where no way leads on
	}
	for class, side := range b.c.sides {
		k := &known[side]
		if !k.done {
			k.done, k.ways, k.other = true, s.steps, -1
			if s.looks {
				k.ways, k.match = b.walk.from(nil, s.steps, s.before, side, true)
				b.work += len(k.ways)
			}
		}
		b.steps = append(b.steps[:0], b.p.start) // a match may begin anywhere
		for _, w := range k.ways {
			if st := &b.p.steps[w]; b.in[int(st.set)*b.c.n+class] {
				b.steps = append(b.steps, st.next)
			}
		}
		b.work += len(k.ways)
		switch {
		case k.match:
			b.next = append(b.next, sure)
		case len(b.steps) > 1:
			b.next = append(b.next, b.id(b.steps, side))
		default:
			if k.other < 0 {
				k.other = b.id(b.steps, side)
			}
			b.next = append(b.next, k.other)
		}
		if b.work > maxWork || len(b.states)*b.c.n > maxCells {
			return false
		}
	}
	_, match := b.walk.from(nil, s.steps, s.before, atEdge, true)
	b.accepts = append(b.accepts, match)
	return true
}

// id returns the number of the state of a program that may be at steps, after what is before. It is a new one where
// there is none yet.
func (b *states) id(steps []int32, before context) int32 {
	all, match := b.walk.from(nil, steps, before, 0, false)
	b.work += len(all) + 16 // to look the state up costs as much as some steps
	if match {
		return sure
	}
	slices.Sort(all)
	s := state{steps: all}
	b.key = b.key[:0]
	for _, i := range all {
		b.key = binary.LittleEndian.AppendUint32(b.key, uint32(i))
		s.looks = s.looks || b.p.steps[i].op == stepAssert
	}
	if s.looks { // and so may those behind them
		s.before = before & b.p.looks
		b.key = append(b.key, byte(s.before))
	}
	id, ok := b.ids[string(b.key)]
	if !ok {
		id = int32(len(b.states))
		b.ids[string(b.key)] = id
		b.states = append(b.states, s)
	}
	return id
}

// walk finds the steps of a program that can be reached without a code point.
type walk struct {
	p     *program
	seen  []uint32 // the walk in which a step was last seen
	count uint32
	stack []int32
}

func newWalk(p *program) walk { return walk{p: p, seen: make([]uint32, len(p.steps))} }

// from appends to dst the steps that wait for a code point, and reports whether the program can match here. Of the
// assertions it takes those that hold between before and after; where what is after is not known, those that look at it
// are appended too.
func (w *walk) from(dst, steps []int32, before, after context, known bool) ([]int32, bool) {
	if w.count++; w.count == 0 { // after 4 billion walks
		clear(w.seen)
		w.count = 1
	}
	w.stack = append(w.stack[:0], steps...)
	for len(w.stack) > 0 {
		i := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		if w.seen[i] == w.count {
			continue
		}
		w.seen[i] = w.count
		switch s := &w.p.steps[i]; s.op {
		case stepMatch:
			return dst, true
		case stepSet:
			dst = append(dst, i)
		case stepFork:
			w.stack = append(w.stack, s.or, s.next)
		case stepAssert:
			switch {
			case !known && s.test != opBegin && s.test != opLine:
				dst = append(dst, i)
			case s.test.holds(before, after):
				w.stack = append(w.stack, s.next)
			}
		}
	}
	return dst, false
}
