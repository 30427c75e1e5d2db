package msgpack

import (
	"strconv"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// structure writes the struct at q.
func (s *encoder) structure(b []byte, p *program, q mem.Ptr) []byte {
	if !s.enter() {
		return b
	}
	b = s.members(b, p, q)
	s.leave()
	return b
}

// members writes the struct at q: as a map of the members that it has, or as an
// array of all of them, nil where there is no value, and of the map of the
// members without a field if there is one.
func (s *encoder) members(b []byte, p *program, q mem.Ptr) []byte {
	if p.plain && s.depth+p.nest <= s.maxDepth {
		b, _ = s.plainList(b, p, q.One(), 1)
		return b
	}
	array := p.isArray(s.array)
	fields := p.fields
	head := len(b)
	most := len(fields)
	if array {
		b = packwire.AppendArrayHeader(b, p.length())
	} else {
		b = packwire.AppendMapHeader(b, most)
	}
	n := 0
	for i := range fields {
		f := &fields[i]
		at := q.Field(f.off)
		null := false
		if f.flags&fState != 0 {
			state := *mem.At[uint8](q.Near(f.state))
			if null = state != f.states.set(); null && !array && state != f.states.null() {
				continue
			}
		} else if f.flags != 0 {
			var ok bool
			if at, null, ok = s.special(f, q, array); !ok {
				continue
			}
		}
		n++
		if !array {
			b = append(b, p.keys.At(i).Enc...)
		}
		if null {
			b = append(b, packwire.Nil)
		} else if b = s.value(b, f.p, at); s.err != nil {
			return s.inField(b, f.f.Name, i, array)
		}
	}
	if array {
		return s.restElement(b, p, q)
	}
	if p.omits {
		if p.rest != nil {
			l := len(b)
			if most, n = s.restMembers(&b, p, q, n); s.err == nil {
				s.unique(b, head+packwire.MapHeaderSize(len(fields)), l, p.keys)
			}
		}
		if n != most {
			b = packwire.CloseMap(b, head, packwire.MapHeaderSize(len(fields)), n)
		}
	}
	return b
}

// restElement writes the map of the members without a field, which is the last
// element of an array.
func (s *encoder) restElement(b []byte, p *program, q mem.Ptr) []byte {
	if p.rest == nil {
		return b
	}
	at := p.rest.At(q)
	if at.IsNil() {
		return append(b, packwire.Nil)
	}
	if b = s.value(b, p.restProg, at); s.err != nil {
		return s.within(b, strconv.Itoa(len(p.fields)))
	}
	return b
}

// special finds a field that is not plainly there: its place, whether it is
// null, and whether it is written at all. An array has all of them.
func (s *encoder) special(f *encField, q mem.Ptr, array bool) (at mem.Ptr, null, ok bool) {
	at = q.Field(f.off)
	if f.flags&fEmbedded != 0 {
		if at = f.f.Written(q); at.IsNil() {
			return at, true, array
		}
	}
	if !array && (f.flags&fOmitEmpty != 0 && f.f.Type.IsEmpty(at) || f.flags&fOmitZero != 0 && f.f.IsZero(at)) {
		return at, true, false
	}
	if f.flags&fOption != 0 {
		o := f.f.Type.Option
		if state := o.StateAt(at); state != plan.OptionSet {
			return at, true, array || state == plan.OptionNull
		}
		at = at.Field(o.V)
	}
	return at, false, true
}
