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
	in, out := &walk{seen: make(map[any]bool), families: families}, &walk{seen: make(map[any]bool), families: families}
	for _, o := range doc.Operations {
		for _, p := range o.AllParameters() {
			in.parameter(p)
		}
		in.body(o.RequestBody)
		for _, e := range o.Responses {
			out.response(e.Value)
		}
	}
	for _, m := range []openapi.Map[openapi.PathItem]{doc.Webhooks, doc.Components.PathItems} {
		in.paths(m)
		out.paths(m)
	}
	for _, e := range doc.Components.Callbacks {
		in.callback(e.Value)
		out.callback(e.Value)
	}
	return in.seen, out.seen
}
