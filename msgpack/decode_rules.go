package msgpack

import (
	"math/bits"

	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
)

// obey reports whether the slots from one to another of the struct at q obey the rules of their fields, or the walk
// goes on all the same. The struct begins at start, and has been read up to end. In an array, which is not keyed, a
// member that is left out of maps is there all the same, and obeys.
func (r *Reader) obey(start, end int, p *program, from, to int, q mem.Ptr, keyed bool) bool {
	if r.flags&setting.Unchecked != 0 {
		return true
	}
	for w := uint(from) / 64; w <= uint(to-1)/64; w++ {
		set := p.checks[w]
		if w == uint(from)/64 {
			set &= ^uint64(0) << (from & 63)
		}
		if w == uint(to)/64 {
			set &= 1<<(to&63) - 1
		}
		for ; set != 0; set &= set - 1 {
			slot := int(64*w) + bits.TrailingZeros64(set)
			f := &p.slots[slot]
			if !f.holds(q) && (keyed || !f.f.Left(q)) && !r.obeyAt(start, end, f, slot, q) {
				return false
			}
		}
	}
	return true
}

// holds reports whether the value of the field in the struct at q is known to obey the rules.
func (d *decField) holds(q mem.Ptr) bool {
	return d.rules != nil && (d.rules.Sure(q.Field(d.off)) || d.rules.Hold(q.Field(d.off)))
}

// obeyAt is obey for one slot, of which that is not known.
//
//go:noinline
func (r *Reader) obeyAt(start, end int, f *decField, slot int, q mem.Ptr) bool {
	at, rules := q.Field(f.off), f.rules
	if rules == nil {
		rules = f.f.Rules
		if at = f.f.At(q); at.IsNil() || rules.Hold(at) {
			return true
		}
	}
	return entry.Broken(&r.shared, grammar.Member(r.b, start, end, f.f.Name, slot), rules, at)
}

// conforms reports whether the schema of the rules allows the value at i.
func (r *Reader) conforms(i int, rules *plan.Rules) bool {
	return r.flags&setting.Unchecked != 0 || r.own(i, func() error {
		r.Refuse(rules.Conform(r))
		r.Skip()
		return r.err
	}) >= 0
}
