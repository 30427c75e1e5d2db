package gen

import (
	"slices"

	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// mention adds to v the members that parts of s speak of without describing
// them for every object: those of if, then, else, not, dependentRequired,
// dependentSchemas, and of choices that only say what is required. They are
// members of the type too, or reading would lose them.
func (v *view) mention(s *openapi.Schema) {
	for _, part := range conditional(s) {
		v.names(part, nil)
		v.parts = append(v.parts, part)
	}
	for _, d := range s.DependentRequired {
		v.addName(d.Name)
		for _, r := range d.Required {
			v.addName(r.Value)
		}
	}
	for _, e := range s.DependentSchemas {
		v.addName(e.Name)
	}
	if s.If != nil && s.Then != nil && s.Else != nil {
		v.either = append(v.either, [2]*openapi.Schema{s.Then, s.Else})
	}
	v.strict = v.strict || s.UnevaluatedProperties != nil && s.UnevaluatedProperties.Forbids()
}

// conditional returns the parts of s that hold for some values, or say which.
func conditional(s *openapi.Schema) []*openapi.Schema {
	var out []*openapi.Schema
	if s.Not != nil && !onlyRequires(s.Not) { // else a value with such a member is forbidden anyway
		out = append(out, s.Not)
	}
	if s.If != nil {
		out = append(out, s.If, s.Then, s.Else)
	}
	for _, e := range s.DependentSchemas {
		out = append(out, e.Value)
	}
	return slices.DeleteFunc(out, func(s *openapi.Schema) bool { return s == nil })
}

func (v *view) addName(name string) {
	if !slices.Contains(v.mentioned, name) {
		v.mentioned = append(v.mentioned, name)
	}
}

// names adds the members that s speaks of.
func (v *view) names(s *openapi.Schema, path []*openapi.Schema) {
	if s == nil || slices.Contains(path, s) {
		return
	}
	path = append(path, s)
	for _, e := range s.Properties {
		v.addName(e.Name)
	}
	for _, r := range s.Required {
		v.addName(r.Value)
	}
	for _, part := range slices.Concat(s.AllOf, s.OneOf, s.AnyOf, conditional(s), []*openapi.Schema{s.Target}) {
		v.names(part, path)
	}
}

// mentionedType returns what the parts of v say about the member called name,
// nil when it may be anything: what they say holds for some values only, unless
// it is always one of two, or no other members are allowed.
func (v *view) mentionedType(name string) *openapi.Schema {
	of := func(s *openapi.Schema) []*openapi.Schema { return look(s).prop(name) }
	for _, pair := range v.either {
		if a, b := of(pair[0]), of(pair[1]); a != nil && b != nil {
			return &openapi.Schema{AnyOf: []*openapi.Schema{{AllOf: a}, {AllOf: b}}}
		}
	}
	if !v.strict {
		return nil
	}
	any := &openapi.Schema{}
	for _, part := range v.parts {
		if list := of(part); list != nil {
			any.AnyOf = append(any.AnyOf, &openapi.Schema{AllOf: list})
		}
	}
	if any.AnyOf == nil {
		return nil
	}
	return any
}
