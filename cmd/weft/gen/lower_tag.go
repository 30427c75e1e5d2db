package gen

import (
	"slices"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// tags says for each variant of the unions that have a discriminator which values it is written with, and whether it is
// that of all others.
func tags(decls []*ir.Decl) {
	for _, d := range decls {
		if d.Kind != ir.Union || d.Union.Discriminator == "" {
			continue
		}
		list := ofKind(d, openapi.TypeObject)
		if len(list) < 2 {
			continue // its one object is known without the discriminator
		}
		own := make(map[*ir.Variant][]string)
		var rest []*ir.Variant
		for _, v := range list {
			values, sure := tagValues(d.Union, v, list)
			if len(values) > 0 {
				own[v] = values
			}
			if !sure {
				rest = append(rest, v)
			}
		}
		if len(own) == 0 {
			continue
		}
		if len(rest) == 1 && !slices.ContainsFunc(list, func(v *ir.Variant) bool { return v.Other }) {
			rest[0].Other = true
		}
		for _, v := range d.Union.Variants {
			v.Values = own[v]
		}
	}
}

// tagValues returns the values of the discriminator of u that choose v of the list, and whether objects that are a v have
// one: those that v itself allows or, if it does not list any, those of the document. It is written with the first, which
// is one that the document says.
func tagValues(u *ir.UnionInfo, v *ir.Variant, list []*ir.Variant) (values []string, sure bool) {
	listed, sure := constants(v.Decl, u.Discriminator, nil)
	if u.ByValues || len(listed) == 0 {
		return v.Values, u.ByValues || len(v.Values) > 0
	}
	for _, val := range slices.Concat(v.Values, listed) {
		if slices.Contains(listed, val) && !slices.Contains(values, val) && !mappedElsewhere(v, list, val) {
			values = append(values, val)
		}
	}
	return values, sure
}

// tagFields gives a field for the discriminator to the structs between which it
// chooses and that do not describe it: without one, what is read would be written
// as nothing that can be read again, and a closed struct would refuse it.
func tagFields(decls []*ir.Decl) {
	for _, d := range decls {
		if d.Kind == ir.Union && d.Union.Discriminator != "" {
			tagVariants(d, d, d.Union.Discriminator, nil)
		}
	}
}

// tagVariants does it for the variants of d, which are those of the union or of one
// in it.
func tagVariants(union, d *ir.Decl, name string, path []*ir.Decl) {
	if slices.Contains(path, d) {
		return
	}
	for _, v := range d.Union.Variants {
		to := v.Decl
		if to.Kind == ir.Union && to.Union.Discriminator != name {
			tagVariants(union, to, name, append(path, d))
		}
		if to.Kind != ir.Struct || hasField(to, name) {
			continue
		}
		scope := ir.NewScope(methods...)
		for _, f := range to.Fields {
			scope.Pick(f.Name)
		}
		if to.Extra != nil {
			scope.Pick(to.Extra.Name)
		}
		to.Fields = append(to.Fields, &ir.Field{
			Name: fieldName(scope, name), Wire: name, Type: &ir.Type{Kind: ir.String},
			Doc: "Chooses the variant of " + union.Name + ", of which the schema itself says nothing.",
		})
	}
}
