package gen

import (
	"slices"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// compound are the types of what has parts.
const compound = openapi.TypeArray | openapi.TypeObject

// kindsOf returns the types of the JSON values of t.
func kindsOf(t *ir.Type, path []*ir.Decl) openapi.Types {
	t = t.Under()
	switch k := t.Kind; {
	case k == ir.Foreign && t.Wire != 0:
		return kindsOf(&ir.Type{Kind: t.Wire}, path)
	case k == ir.Any, k == ir.Foreign:
		return ^openapi.Types(0)
	case k == ir.Null:
		return openapi.TypeNull
	case k == ir.Bool:
		return openapi.TypeBoolean
	case k.IsInt(), k.IsUint(), k.IsFloat():
		return openapi.TypeInteger | openapi.TypeNumber
	case k == ir.Slice:
		return openapi.TypeArray
	case k == ir.Map:
		return openapi.TypeObject
	case k == ir.NullType:
		return openapi.TypeNull | kindsOf(t.Elem, path)
	case k == ir.Ref:
		return declKinds(t.Decl, path)
	}
	return openapi.TypeString
}

func declKinds(d *ir.Decl, path []*ir.Decl) (k openapi.Types) {
	switch d.Kind {
	case ir.Struct:
		return openapi.TypeObject
	case ir.Union:
		if slices.Contains(path, d) {
			return 0
		}
		for _, v := range d.Union.Variants {
			k |= declKinds(v.Decl, append(path, d))
		}
		return k
	}
	return kindsOf(d.Type, path)
}

// ofKind returns the variants of d that have values of kind k.
func ofKind(d *ir.Decl, k openapi.Types) (list []*ir.Variant) {
	for _, v := range d.Union.Variants {
		if declKinds(v.Decl, []*ir.Decl{d})&k != 0 {
			list = append(list, v)
		}
	}
	return list
}

// mappedElsewhere reports whether the document maps val to another one of the list
// than v, which allows it too, as variants do that share a list of all values.
func mappedElsewhere(v *ir.Variant, list []*ir.Variant, val string) bool {
	return !slices.Contains(v.Values, val) && slices.ContainsFunc(list, func(o *ir.Variant) bool { return slices.Contains(o.Values, val) })
}

// constants returns the values that the member m of d may have where they are
// listed, and whether m always is there with one of them. For a union they are
// those of its variants.
func constants(d *ir.Decl, m string, path []*ir.Decl) (vals []string, sure bool) {
	if d.Kind == ir.Union {
		if slices.Contains(path, d) {
			return nil, false
		}
		sure = true
		for _, v := range d.Union.Variants {
			some, all := constants(v.Decl, m, append(path, d))
			vals, sure = append(vals, some...), sure && all
		}
		return vals, sure
	}
	for _, f := range d.Fields {
		if f.Wire != m {
			continue
		}
		sure = (f.Required || f.RequiredIn != ir.Nowhere) && !f.Nullable
		t := f.Type.Under()
		text, only := t.Const()
		switch {
		case tagKind(t.Kind) && only:
			return []string{text}, sure
		case t.Kind == ir.Ref && t.Decl.Kind == ir.Enum && !t.Decl.Open && tagKind(t.Decl.Type.Kind):
			for _, v := range t.Decl.Values {
				vals = append(vals, v.Text)
			}
			return vals, sure
		}
	}
	return nil, false
}

// tagKind reports whether values of kind k can tell variants apart.
func tagKind(k ir.Kind) bool { return k == ir.String || k.IsInt() || k.IsUint() }
