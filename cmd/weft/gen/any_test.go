package gen

import (
	"fmt"
	"path"
	"slices"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// open lists the schemas whose types are any although they say more, and why.
var open = map[string]string{
	"semantics.yaml #/components/schemas/Lists/properties/rest": "the items after the first may be anything; unevaluatedItems is a check",
	"semantics.yaml #/components/schemas/UnevaluatedItemsAll":   "the same",
}

// lost returns the schemas whose Go types are any, or lists or maps of any,
// although the schemas say more.
func lost(l *lowerer) []string {
	var out []string
	check := func(s *openapi.Schema, typ *ir.Type) {
		u := typ.Under()
		for u.Kind == ir.Ref && u.Decl.Kind == ir.Defined {
			u = u.Decl.Type.Under()
		}
		anything := u.Kind == ir.Any && typesOf(s, nil) != 0
		items := u.Kind == ir.Slice && u.Elem.Under().Kind == ir.Any && describes(s, "items", nil)
		members := u.Kind == ir.Map && u.Elem.Under().Kind == ir.Any && describes(s, "members", nil)
		if (anything || items || members) && open[path.Base(s.Pos.File())+" "+s.Pointer] == "" {
			out = append(out, fmt.Sprintf("%s: the schema %s is %s, and says more", s.Pos, s.Pointer, newPrinter().typeName(u)))
		}
	}
	for s, typ := range l.types {
		check(s, typ)
	}
	for s, d := range l.decls {
		check(s, &ir.Type{Kind: ir.Ref, Decl: d})
	}
	slices.Sort(out)
	return out
}

const everything = openapi.TypeBoolean | openapi.TypeInteger | openapi.TypeNumber | openapi.TypeString |
	openapi.TypeArray | openapi.TypeObject

// typesOf returns the types that values of s may have beside null, 0 when s leaves
// them open.
func typesOf(s *openapi.Schema, path []*openapi.Schema) openapi.Types {
	if s == nil || slices.Contains(path, s) {
		return 0
	}
	path = append(path, s)
	types := s.Types.Without(openapi.TypeNull)
	for _, n := range append(slices.Clone(s.Enum), s.Const) {
		if n != nil {
			types |= n.Types()
		}
	}
	if len(s.Properties) > 0 {
		types |= openapi.TypeObject
	}
	if s.Items != nil || s.PrefixItems != nil {
		types |= openapi.TypeArray
	}
	for _, part := range append(slices.Clone(s.AllOf), s.Target) {
		types |= typesOf(part, path)
	}
	for _, list := range [][]*openapi.Schema{s.OneOf, s.AnyOf} {
		var some openapi.Types
		for _, v := range list {
			if v.OnlyNull() {
				continue
			}
			one := typesOf(v, path)
			if one == 0 {
				some = 0
				break
			}
			some |= one
		}
		types |= some
	}
	if types&everything == everything {
		return 0
	}
	return types
}

// describes reports whether s says what the items, or else the members, of its
// values are.
func describes(s *openapi.Schema, what string, path []*openapi.Schema) bool {
	if s == nil || slices.Contains(path, s) {
		return false
	}
	path = append(path, s)
	if what == "items" {
		if s.Items != nil && typesOf(s.Items, nil) != 0 {
			return true
		}
		if slices.ContainsFunc(s.PrefixItems, func(p *openapi.Schema) bool { return typesOf(p, nil) != 0 }) {
			return true
		}
	} else {
		if len(s.Properties) > 0 {
			return true
		}
		if x := s.AdditionalProperties; x != nil && x.Schema != nil && typesOf(x.Schema, nil) != 0 {
			return true
		}
		if slices.ContainsFunc(s.PatternProperties, func(e openapi.Entry[openapi.Schema]) bool { return typesOf(e.Value, nil) != 0 }) {
			return true
		}
	}
	for _, part := range slices.Concat(s.AllOf, s.OneOf, s.AnyOf, []*openapi.Schema{s.Target}) {
		if describes(part, what, path) {
			return true
		}
	}
	return false
}
