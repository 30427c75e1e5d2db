package tagged

import (
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
)

// places finds places in the message or row.
func (r *reader) places() entry.Place {
	way, parts := r.wayIn(r.b), plan.Places{}
	return func(i int, below string) (path string, at int) { return way.to(i), parts.Follow(i, below, way.parts) }
}

// conforms reports whether the schema of the rules allows the value at i.
func (r *reader) conforms(i, end int, wt uint32, rules *plan.Rules) bool {
	return r.flags&setting.Unchecked != 0 || r.own(i, end, wt, func() error {
		r.Refuse(rules.Conform(r))
		r.Skip()
		return r.err
	}) >= 0
}
