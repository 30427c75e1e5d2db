package pattern

import (
	"sync"
	"unicode/utf8"
)

// simulation matches by a program itself: it follows all its ways at once.
type simulation struct {
	p     *program
	ascii [][2]uint64 // what each set of the program has of ASCII
	walks sync.Pool   // of *simulated
}

// simulated is the memory of a match.
type simulated struct {
	walk        walk
	steps, ways []int32
}

func newSimulation(p *program) *simulation {
	s := &simulation{p: p, ascii: make([][2]uint64, len(p.sets))}
	for i, set := range p.sets {
		for r := range rune(utf8.RuneSelf) {
			if set.has(r) {
				s.ascii[i][r>>6] |= 1 << (r & 63)
			}
		}
	}
	s.walks.New = func() any { return &simulated{walk: newWalk(p)} }
	return s
}

// has reports whether a set of the program has r.
func (s *simulation) has(set int32, r rune) bool {
	if r < utf8.RuneSelf {
		return s.ascii[set][r>>6]>>(r&63)&1 != 0
	}
	return s.p.sets[set].has(r)
}

// simulate reports whether the program of s matches in text.
func simulate(s *simulation, text string) (match bool) {
	m := s.walks.Get().(*simulated)
	defer s.walks.Put(m)
	m.steps = append(m.steps[:0], s.p.start)
	before := atEdge
	for i := 0; ; {
		after, r, n := atEdge, rune(0), 1
		if i < len(text) {
			if r = rune(text[i]); r >= utf8.RuneSelf {
				r, n = utf8.DecodeRuneInString(text[i:])
			}
			if after = 0; s.p.looks != 0 {
				after = contextOf(r)
			}
		}
		m.ways, match = m.walk.from(m.ways[:0], m.steps, before, after, true)
		if match || i == len(text) {
			return match
		}
		m.steps = append(m.steps[:0], s.p.start) // a match may begin anywhere
		for _, way := range m.ways {
			if step := &s.p.steps[way]; s.has(step.set, r) {
				m.steps = append(m.steps, step.next)
			}
		}
		before = after
		i += n
	}
}
