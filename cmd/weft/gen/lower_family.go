package gen

import (
	"cmp"
	"slices"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// baseOf returns the declaration of the plain struct for the base of a family,
// called after the type d of the family.
func (l *lowerer) baseOf(s *openapi.Schema, d *ir.Decl) *ir.Decl {
	b := l.bases[s]
	if b == nil {
		b = &ir.Decl{Name: l.pkg.Scope.Pick(d.Name+"Base", d.Name+"Model"), Origin: s.Pointer}
		l.bases[s] = b
		l.sources[b] = s
		l.pkg.Decls = append(l.pkg.Decls, b)
	}
	return b
}

// family declares d as the type for a family: a union of the base, as it is, and
// of its heirs.
func (l *lowerer) family(d *ir.Decl, f *openapi.Family) {
	v := look(f.Base)
	base := l.baseOf(f.Base, d)
	l.define(base, v)
	def := f.Discriminator.DefaultMapping
	list := make([]variantOf, 0, len(f.Heirs)+1)
	for _, h := range f.Heirs {
		if l.out[h.Schema] {
			continue
		}
		name := cmp.Or(ir.GoName(h.Schema.Identity()), variantName(h.Schema, len(list)))
		x := variantOf{place: d.Name + name, origin: h.Schema.Pointer}
		switch {
		case h.Beside:
			var ok bool
			if x, ok = l.variant(v, h.Schema, x.place, nil); !ok {
				continue
			}
			x.schema = nil
		default:
			x.typ = l.typeOf(h.Schema, name)
			if l.families[h.Schema] != nil && !h.Nested {
				x.typ = &ir.Type{Kind: ir.Ref, Decl: l.baseOf(h.Schema, x.typ.Decl)}
			}
		}
		x.values = h.Values
		x.other = def != nil && def.Target != nil && def.Target.Resolve() == h.Schema
		list = append(list, x)
	}
	other := !slices.ContainsFunc(list, func(x variantOf) bool { return x.other })
	list = append(list, variantOf{typ: &ir.Type{Kind: ir.Ref, Decl: base}, values: f.Own, other: other})
	t := l.union(list, group{disc: f.Discriminator}, cmp.Or(v.doc, v.title), d.Name, d)
	if t.Kind != ir.Ref || t.Decl != d {
		d.Kind, d.Type = ir.Alias, t // nothing tells them apart
		return
	}
	d.Doc = cmp.Or(v.doc, v.title)
	d.Union.ByValues = true
}

// inherit adds to the variants that are families the values by which these choose
// their heirs, where no other variant has them.
func (l *lowerer) inherit(list []variantOf, disc *openapi.Discriminator) {
	if disc == nil {
		return
	}
	for i := range list {
		f := l.families[list[i].schema.Resolve()]
		if f == nil || f.Discriminator.PropertyName != disc.PropertyName {
			continue
		}
		for _, h := range f.Heirs {
			for _, val := range h.Values {
				if !slices.ContainsFunc(list, func(x variantOf) bool { return slices.Contains(x.values, val) }) {
					list[i].values = append(list[i].values, val)
				}
			}
		}
	}
}
