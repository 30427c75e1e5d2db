package msgpack

import (
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// structure writes the struct at q: as a map of the members that it has, or as an
// array of all of them, nil where there is no value, and of the map of the
// members without a field if there is one.
func (s *encoder) structure(b []byte, p *program, q mem.Ptr) []byte {
	if s.depth+p.nest >= s.maxDepth {
		return s.tooDeep(b, p, s.depth)
	}
	s.enter()
	b, _ = s.plainList(b, p, q.One(), 1)
	s.leave()
	return b
}

// tooDeep fails at the struct, of type p or part of its steps, that is the first with more than maxDepth containers
// around it; there are depth of them around p.
func (s *encoder) tooDeep(b []byte, p *program, depth int) []byte {
	for i := range p.fields {
		if f := &p.fields[i]; depth < s.maxDepth && f.isPart() && depth+1+f.p.nest >= s.maxDepth {
			return s.inField(s.tooDeep(b, f.p, depth+1), f.f.Name, i, p.isArray(s.array))
		}
	}
	return s.fail(b, weft.ErrDepth)
}

// rest writes the members without a field of the struct at q, which begins at head and has left out so many of the
// others: the last element of an array, or the last pairs of a map, whose header is written again.
func (s *encoder) rest(b []byte, p *program, q mem.Ptr, head, left int) []byte {
	at := p.rest.At(q)
	switch {
	case !p.isArray(s.array):
		l, n := len(b), len(p.fields)-left
		size := packwire.MapHeaderSize(len(p.fields))
		if !at.IsNil() {
			if m := at.Value(p.restProg.mem); m.Len() > 0 {
				b = s.pairs(b, p.restProg, at)
				n += m.Len()
			}
		}
		if s.err == nil {
			s.unique(b, head+size, l, p.keys)
		}
		return packwire.CloseMap(b, head, size, n)
	case at.IsNil():
		return append(b, packwire.Nil)
	}
	if b = s.value(b, p.restProg, at); s.err != nil {
		return s.within(b, strconv.Itoa(len(p.fields)))
	}
	return b
}
