package gen

import (
	"slices"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// tags says for each variant of the unions which values of the discriminator it is
// written with.
func tags(decls []*ir.Decl) {
	for _, d := range decls {
		if d.Kind != ir.Union {
			continue
		}
		pl := planUnion(d)
		if m := d.Union.Discriminator; m != "" && pl.member == "" {
			// Its one object is known without the discriminator.
			pl.member = m
		}
		if d.Union.Tag = pl.member; pl.member == "" {
			continue
		}
		for _, v := range d.Union.Variants {
			v.Tag = tagFor(d, pl, v)
		}
	}
}

// tagFor returns what the discriminator of a variant of d is.
func tagFor(d *ir.Decl, pl unionPlan, v *ir.Variant) *ir.Tag {
	t := &ir.Tag{Rest: slices.Contains(pl.rest, v), Alone: len(pl.rest) == 1 && len(pl.values) > 0}
	if t.Own = slices.DeleteFunc(slices.Clone(pl.values), func(val string) bool { return !slices.Contains(pl.byVal[val], v) }); len(pl.values) == 0 {
		t.Own = slices.Clone(v.Values)
	}
	for _, val := range v.Values { // it is written with the first that the document says
		if i := slices.Index(t.Own, val); i >= 0 {
			t.Own = slices.Insert(slices.Delete(t.Own, i, i+1), 0, val)
			break
		}
	}
	return t
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
