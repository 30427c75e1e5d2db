package cbor

import (
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
)

// obeyField reports whether the slot of the struct at q obeys the rules of its field, or the walk goes on all the
// same. The struct begins at start, and has been read up to end.
func (r *reader) obeyField(start, end int, p *program, slot int, q mem.Ptr) bool {
	f := p.slots[slot].f
	at := f.At(q)
	return r.flags&setting.Unchecked != 0 || at.IsNil() || f.Rules.Hold(at) ||
		entry.Broken(&r.shared, grammar.Member(r.b, start, end, f.Name, slot), f.Rules, at)
}

// conforms reports whether the schema of the rules allows the value at i.
func (r *reader) conforms(i int, rules *plan.Rules) bool {
	return r.flags&setting.Unchecked != 0 || r.one(i, func() error {
		r.Refuse(rules.Conform(r))
		r.Skip()
		return r.err
	}) >= 0
}
