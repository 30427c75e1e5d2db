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
		l.requests, l.responses = directions(l.doc, l.families)
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

// directions returns what requests and what responses refer to.
func directions(doc *openapi.Document, families families) (requests, responses map[any]bool) {
	in, out := newWalk(families, nil), newWalk(families, nil)
	for _, o := range doc.Operations {
		in.visit(o.AllParameters())
		in.visit(o.RequestBody)
		out.visit(o.Responses)
	}
	for _, both := range []any{doc.Webhooks, doc.Components.PathItems, doc.Components.Callbacks} {
		in.visit(both)
		out.visit(both)
	}
	return in.seen, out.seen
}
