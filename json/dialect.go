package json

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/plan"
)

// dialect is what has been compiled of types under options that change what they are on the wire.
type dialect struct {
	flags    weft.Flag
	plans    *plan.Set
	variants [len(variants)]programs
	configs  weftConfigs
	nodes    nodeSet
}

type dialectKey struct{}

// dialectOf returns the dialect that opts ask for, nil for the usual one.
func dialectOf(opts []Options) *dialect {
	if len(opts) == 0 {
		return nil
	}
	w := weft.DialectOf(opts)
	if w == nil {
		return nil
	}
	return w.Cache(dialectKey{}, func() any {
		d := &dialect{flags: w.Flags(), plans: plans.In(w)}
		d.nodes.plans = d.plans
		return d
	}).(*dialect)
}

// IgnoreMember implements [weft.TagReader].
func (r *Reader) IgnoreMember(m weft.IgnoredMember) weft.IgnoredMember {
	before := r.d.ignored
	if m.Depth == 0 {
		m.Depth = r.d.depth + 1
	}
	r.d.ignored = m
	return before
}

var _ weft.TagReader = (*Reader)(nil)
