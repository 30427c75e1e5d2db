package gen

import (
	"slices"

	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// scope works out what keywords say that see no more of a value than their own schema describes: whether the type
// holds it, as it does where that schema describes all that v does, or a schema of v.rest.
func (v *view) scope() {
	for i, s := range v.from {
		v.scopeExtra(s)
		if i >= v.scoped { // those before it say the same of what v was a copy of
			v.scopeRest(s)
		}
		if s.Items != nil && s.PrefixItems == nil && len(v.prefix) > 0 {
			v.rest = append(v.rest, &openapi.Schema{Items: s.Items}) // of all items, those that another part has places for too
		}
	}
	v.scoped = len(v.from)
	if !v.closed {
		return
	}
	v.extra = nil
	if len(v.patterns) > 0 && !slices.ContainsFunc(v.from, func(s *openapi.Schema) bool { return v.closes(s) }) {
		// The names of all parts are allowed, and those of no part are not.
		no := &openapi.SchemaOrBool{}
		part := &openapi.Schema{AdditionalProperties: no, PatternProperties: allowed(v.patterns)}
		for _, name := range v.members() {
			part.Properties = append(part.Properties, openapi.Entry[openapi.Schema]{Name: name, Value: &openapi.Schema{}})
		}
		v.rest = append(v.rest, part)
	}
}

// closes reports whether s itself forbids what nothing in v describes.
func (v *view) closes(s *openapi.Schema) bool {
	return s.AdditionalProperties != nil && s.AdditionalProperties.Forbids() && len(s.PatternProperties) == len(v.patterns) &&
		!slices.ContainsFunc(v.members(), func(name string) bool { return s.Properties.Get(name) == nil })
}

// members returns the names that v describes or requires.
func (v *view) members() []string {
	out := slices.Clone(v.required)
	for _, p := range v.props {
		out = append(out, p.name)
	}
	return append(out, v.tags...)
}

// allowed returns m with schemas that allow everything.
func allowed(m openapi.Map[openapi.Schema]) openapi.Map[openapi.Schema] {
	out := slices.Clone(m)
	for i := range out {
		out[i].Value = &openapi.Schema{}
	}
	return out
}

// scopeExtra does it for the additionalProperties of s: a schema for the members that s itself does not describe,
// though another part may.
func (v *view) scopeExtra(s *openapi.Schema) {
	x := s.AdditionalProperties
	if x == nil || x.Schema == nil || x.Forbids() {
		return
	}
	held := v.extra == x && len(s.PatternProperties) == len(v.patterns) &&
		!slices.ContainsFunc(v.props, func(p prop) bool { return s.Properties.Get(p.name) == nil })
	if !held {
		v.rest = append(v.rest, &openapi.Schema{
			Pos: s.Pos, Properties: allowed(s.Properties), PatternProperties: allowed(s.PatternProperties), AdditionalProperties: x,
		})
	}
}

// scopeRest does it for the unevaluatedProperties of s.
func (v *view) scopeRest(s *openapi.Schema) {
	x := s.UnevaluatedProperties
	if x == nil || s.AdditionalProperties != nil {
		return // there are none
	}
	if x.Schema == nil && x.Allow || x.Schema != nil && x.Schema.Empty() {
		if v.extra == nil && !dynamic(s) {
			v.extra = x
		}
		return
	}
	d := coverage{names: make(map[string]bool)}
	d.add(s, nil, false)
	if d.all {
		return
	}
	whole := d.depends || slices.ContainsFunc(v.props, func(p prop) bool { return !d.names[p.name] })
	if whole || len(v.patterns) > 0 {
		v.rest = append(v.rest, s)
	}
	switch {
	case whole:
	case x.Forbids():
		v.closed = true
	case v.extra == nil || v.extra.Schema == nil:
		v.extra = x
	}
}

// coverage are the members that a schema and the parts of it describe.
type coverage struct {
	names   map[string]bool
	all     bool // whatever they are
	depends bool // it depends on the value which of them
}

// add adds what s describes, which is one of a choice or holds for every value.
func (d *coverage) add(s *openapi.Schema, path []*openapi.Schema, choice bool) {
	if s == nil || slices.Contains(path, s) {
		return
	}
	path = append(path, s)
	for _, e := range s.Properties {
		d.names[e.Name] = true
	}
	all := s.AdditionalProperties != nil && !s.AdditionalProperties.Forbids() ||
		len(path) > 1 && s.UnevaluatedProperties != nil && !s.UnevaluatedProperties.Forbids()
	d.all = d.all || all && !choice
	d.depends = d.depends || dynamic(s) || choice && (all || s.PatternProperties != nil)
	for _, part := range append(slices.Clone(s.AllOf), s.Target) {
		d.add(part, path, choice)
	}
	for _, part := range slices.Concat(s.OneOf, s.AnyOf) {
		d.add(part, path, true)
	}
}
