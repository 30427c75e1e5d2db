package msgpack

import (
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire/namewire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// union makes p the program of a union.
func (g *registry) union(p *program) {
	u := p.typ.Union
	p.enc, p.dec, p.cases = cUnion, cUnion, make([]*program, len(u.Cases))
	for i := range p.cases {
		p.cases[i] = g.far(g.plans().Of(u.Cases[i].Elem))
	}
}

// union reads the union at i into q. What takes more than a look is left to its codec, which reads by the protocol.
func (r *Reader) union(i int, p *program, q mem.Ptr) int {
	u := p.typ.Union.Choice()
	k := -1
	if i < len(r.b) {
		k = r.unionCase(u, i)
	}
	if k < 0 {
		return r.hook(i, p, q)
	}
	c := p.cases[k].meet(plan.Unmarshal)
	to := r.slabs.New(c.slab, c.mem)
	var end int
	if name := u.Lacks[k]; name != "" {
		at := entry.Ignored(&r.shared)
		around := *at
		*at = backend.IgnoredMember{Name: name, Depth: r.depth + 1}
		end = r.value(i, c, to)
		*at = around
	} else {
		end = r.value(i, c, to)
	}
	if end >= 0 {
		p.typ.Union.Store(q, k, c.mem.Keep(c.slab, to, end-i))
	}
	return end
}

// unionCase returns the case that the value at i is, or -1 where a look does not tell.
func (r *Reader) unionCase(u *plan.Choice, i int) int {
	kind := r.kindAt(i)
	if kind != weft.KindObject || u.Tag == nil {
		return int(u.Sole[kind])
	}
	at := r.seekTag(u.Tag, i)
	if at < 0 {
		return -1
	}
	if from, to := packwire.ReadString(r.b, at); to >= 0 && r.kindAt(at) == weft.KindString && r.flags&flagUTF8 == 0 {
		return u.Tagged(mem.String(r.b[from:to]))
	}
	if v, end := packwire.ReadInt(r.b, at); end >= 0 && r.kindAt(at).IsNumber() {
		return u.Tagged(strconv.FormatInt(v, 10))
	}
	return -1
}

// seekTag returns where the value of the member that f names stands in the map at i, or -1. What it skips counts as
// looked through, so that unions in unions do not add up.
func (r *Reader) seekTag(f *weft.Fields, i int) int {
	n, at := packwire.ReadMap(r.b, i)
	key := namewire.Of(f.Names()).Pack().At(0)
	from := at
	for k := range n {
		if uint(at) >= uint(len(r.b)) {
			return -1
		}
		if end, ok := key.Match(r.b, at); ok {
			r.Lookahead().Charge(at - from)
			return end
		}
		if k == 0 && !r.Lookahead().Allows(i) {
			return -1
		}
		if c := r.b[at]; c < packwire.FixStr || c >= packwire.Nil { // no name, or one in a form that may not be the shortest
			from, to := packwire.ReadString(r.b, at)
			if to < 0 {
				return -1
			}
			if string(r.b[from:to]) == f.Name(0) {
				return to
			}
		}
		at = packwire.Pass(r.b, at, 2)
	}
	return -1
}

// union writes the union at q. What is not a case, or has no field for what tells the cases apart, is left to the codec.
func (s *encoder) union(b []byte, p *program, q mem.Ptr) []byte {
	u := p.typ.Union
	i, to, _ := u.Load(q)
	if i < 0 {
		return s.hook(b, p, q)
	}
	if c := u.Choice(); c.Lacks[i] != "" || c.Packs && s.array {
		return s.hook(b, p, q)
	}
	_, to, err := u.Tagged(i, to)
	if err != nil || !s.enter() {
		return s.hook(b, p, q)
	}
	b = s.value(b, p.cases[i], to)
	s.leave()
	return b
}
