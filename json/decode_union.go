package json

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
)

// describeUnion makes n the program of the union u.
func (s *nodeSet) describeUnion(n *node, u *plan.Union) {
	n.op, n.union, n.cases = opUnion, u, make([]*node, len(u.Cases))
	for i := range u.Cases {
		n.cases[i] = s.compile(s.plans.Of(u.Cases[i].Elem), true)
	}
}

// unionValue decodes the value at i into the union at p. What takes more than a look is left to its codec, which reads
// by the protocol.
func (d *decoder) unionValue(n *node, p mem.Ptr, i int) int {
	u := n.union.Choice()
	k := d.unionCase(u, i)
	if k < 0 {
		return d.hookValue(n, p, i)
	}
	c := n.cases[k]
	var s *mem.Slab // nil if the value shares no memory
	var q mem.Ptr
	if !d.hooked(c) && c.op != opPointer {
		if s = d.slabOf(c.id); s == nil {
			s = d.newSlab(c.id, c.mem)
		}
		if c.op == opString {
			s.In(d.strings.made)
		}
		q = s.New()
	} else if q = c.mem.New(); len(d.later) > 0 && !d.commit() {
		return d.fail()
	} else {
		d.waits = false // a union of values copies them
	}
	var j int
	if name := u.Lacks[k]; name != "" {
		ignored := d.ignored
		d.ignored = backend.IgnoredMember{Name: name, Depth: d.depth + 1}
		j = d.value(c, q, i)
		d.ignored = ignored
	} else {
		j = d.value(c, q, i)
	}
	if s != nil && max(j, ^j)-i > c.shares() {
		q = s.Own(q)
	}
	n.union.Store(p, k, q)
	return j
}

// unionCase returns the case that the value at i is, or -1 where a look does not tell.
func (d *decoder) unionCase(u *plan.Choice, i int) int {
	kind := d.reader.kind(i)
	if kind != weft.KindObject || u.Tag == nil {
		return int(u.Sole[kind])
	}
	at, done := d.seekTag(u.Tag, i)
	if !done || at < 0 {
		return -1
	}
	if tag, ok := d.reader.tagAt(at); ok {
		return u.Tagged(tag)
	}
	return -1
}
