package json

import (
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/plan"
)

// dialect is what has been compiled of types under options that change what they are on the wire.
type dialect struct {
	flags    uint64
	plans    *plan.Set
	plansV2  [2]*plan.Set // without and with [ExtendedTags]
	modes    modes
	variants [8]programs
	configs  weftConfigs
	nodes    nodeSet
}

type dialectKey struct{}

// dialectOf returns the dialect that opts ask for, nil for the usual one.
func dialectOf(opts []Options) *dialect {
	if len(opts) == 0 {
		return nil
	}
	w := plan.DialectOf(opts)
	if w == nil {
		return nil
	}
	return w.Cache(dialectKey{}, func() any {
		d := &dialect{flags: w.Flags(), plans: plans.In(w), plansV2: [2]*plan.Set{plansV2(false).In(w), plansV2(true).In(w)}}
		d.nodes.plans = d.plans
		for i := range d.variants {
			d.variants[i].plans, d.variants[i].in = d.plans, d
		}
		return d
	}).(*dialect)
}

// IgnoreMember implements [backend.Reader].
func (r *reader) IgnoreMember(m backend.IgnoredMember) backend.IgnoredMember {
	before := r.d.ignored
	if m.Depth == 0 {
		m.Depth = r.d.depth + 1
	}
	r.d.ignored = m
	return before
}

// Lookahead implements [backend.Reader].
func (r *reader) Lookahead() *backend.Lookahead { return &r.ahead }
