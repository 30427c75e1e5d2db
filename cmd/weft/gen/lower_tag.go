package gen

import (
	"slices"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// tags says for each variant of the unions that have a discriminator which values it is written with, and whether it is
// that of all others.
func tags(decls []*ir.Decl) {
	for _, d := range decls {
		if d.Kind != ir.Union || d.Union.Discriminator == "" {
			continue
		}
		pl := planUnion(d)
		for _, v := range d.Union.Variants {
			v.Other = v.Other || len(pl.rest) == 1 && pl.rest[0] == v && len(pl.values) > 0
			if len(pl.values) == 0 {
				continue // its one object is known without the discriminator
			}
			own := slices.DeleteFunc(slices.Clone(pl.values), func(val string) bool { return !slices.Contains(pl.byVal[val], v) })
			for _, val := range v.Values { // it is written with the first that the document says
				if i := slices.Index(own, val); i >= 0 {
					own = slices.Insert(slices.Delete(own, i, i+1), 0, val)
					break
				}
			}
			v.Values = own
		}
	}
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
