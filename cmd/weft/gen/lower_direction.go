package gen

import (
	"slices"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// direction returns where alone the member p is required: a readOnly one in
// responses, a writeOnly one in requests, where the schema is used in others too.
func (l *lowerer) direction(v *view, p prop) ir.Direction {
	readOnly, writeOnly := false, false
	for _, s := range p.schemas {
		r := s.Resolve()
		readOnly, writeOnly = readOnly || s.ReadOnly || r.ReadOnly, writeOnly || s.WriteOnly || r.WriteOnly
	}
	if readOnly == writeOnly {
		return ir.Nowhere
	}
	if l.requests == nil {
		in := []any{l.doc.Webhooks, l.doc.Components.PathItems, l.doc.Components.Callbacks}
		out := slices.Clone(in)
		for _, o := range l.doc.Operations {
			in, out = append(in, o.AllParameters(), o.RequestBody), append(out, o.Responses)
		}
		l.requests, l.responses = l.families.Reach(nil, in...), l.families.Reach(nil, out...)
	}
	used := func(set map[any]bool) bool {
		return slices.ContainsFunc(v.from, func(s *openapi.Schema) bool { return set[s] })
	}
	in, out := used(l.requests), used(l.responses)
	switch {
	case readOnly && (in || !out):
		return ir.InResponse
	case writeOnly && (out || !in):
		return ir.InRequest
	}
	return ir.Nowhere
}
