package gen

import (
	"slices"

	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// dynamic reports whether which members of s are described depends on the value.
func dynamic(s *openapi.Schema) bool {
	return s.If != nil || s.DependentSchemas != nil || len(s.AnyOf) > 1
}

// aboutObjects reports whether the keywords that Go types do not hold are about
// objects.
func aboutObjects(s *openapi.Schema) bool {
	return s.DependentRequired != nil || s.DependentSchemas != nil || s.PropertyNames != nil || choosesRequired(s)
}

// addRest adds to v.rest what s says that the type of v will not hold.
func (v *view) addRest(s *openapi.Schema) {
	compound := s.Const != nil && isCompound(s.Const) || slices.ContainsFunc(s.Enum, isCompound)
	if !compound && !s.Special() {
		return
	}
	part := openapi.Schema{
		Pos: s.Pos, Not: s.Not, If: s.If, Then: s.Then, Else: s.Else,
		DependentRequired: s.DependentRequired, DependentSchemas: s.DependentSchemas, PropertyNames: s.PropertyNames,
		Contains: s.Contains, MinContains: s.MinContains, MaxContains: s.MaxContains,
	}
	some := part.Special()
	if s.PatternProperties != nil {
		some, part.PatternProperties, part.AdditionalProperties = true, s.PatternProperties, s.AdditionalProperties
		part.Properties = allowed(s.Properties)
	}
	if s.PrefixItems != nil {
		some, part.PrefixItems, part.Items = true, s.PrefixItems, s.Items
	}
	if s.UnevaluatedItems != nil {
		some, part = true, *s // what describes elements may stand in any part
	}
	if compound {
		some, part.Enum, part.Const = true, s.Enum, s.Const
	}
	if some {
		v.rest = append(v.rest, &part)
	}
}

func isCompound(n *openapi.Node) bool { return n.Kind == openapi.Array || n.Kind == openapi.Object }
