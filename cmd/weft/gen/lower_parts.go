package gen

import (
	"cmp"
	"go/token"
	"slices"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// parts makes structs of the objects of an anyOf that may be several of them at
// once, so that each keeps its members.
func (l *lowerer) parts() {
	nested := make(map[*ir.Decl]bool)
	for _, d := range l.pkg.Decls {
		if d.Kind == ir.Union {
			for _, v := range d.Union.Variants {
				nested[v.Decl] = true
			}
		}
	}
	for _, d := range slices.Clone(l.pkg.Decls) {
		if d.Kind != ir.Union || nested[d] {
			continue
		}
		list, schemas := l.partsOf(d)
		if list == nil {
			continue
		}
		to, rest := d, slices.DeleteFunc(slices.Clone(d.Union.Variants), func(v *ir.Variant) bool { return slices.Contains(list, v.Decl) })
		name := l.texts.variable("parts", d.Name, []*openapi.Schema{{AnyOf: schemas}})
		if len(rest) > 0 {
			to = l.declare(nil, d.Name+"Objects", "")
			d.Union.Variants = append(rest, &ir.Variant{Decl: to})
		}
		l.join(to, list, name, d.Name)
	}
}

// join makes d the struct of the parts of the list, of which the schema in the
// variable choice tells. Their names may begin with that of the union.
func (l *lowerer) join(d *ir.Decl, list []*ir.Decl, choice, union string) {
	d.Kind, d.Union, d.Parts = ir.Struct, nil, &ir.Parts{Choice: choice}
	d.Doc = cmp.Or(d.Doc, d.Name+" is an object that is one or more things at once: each field is set whose schema the object fits.")
	scope := ir.NewScope(methods...)
	for _, p := range list {
		name := strings.TrimPrefix(p.Name, union)
		if !token.IsExported(name) {
			name = p.Name
		}
		d.Fields = append(d.Fields, &ir.Field{Name: scope.Pick(name, name+"Part"), Type: &ir.Type{Kind: ir.Ref, Decl: p}})
		if p.Extra != nil && d.Extra == nil {
			d.Extra = &ir.Field{Doc: "members that have no field in a part", Type: &ir.Type{Kind: ir.Map, Elem: &ir.Type{Kind: ir.Any}}}
		}
	}
	if d.Extra != nil {
		d.Extra.Name = scope.Pick("Extra", "ExtraMembers")
	} else {
		d.Parts.Refuse = l.opts.Unknown == RefuseUnknown
	}
}

// partsOf returns the objects of the union d that a value may be at once, and their
// schemas; nil where one of them alone is chosen: where a discriminator or what they
// say tells them apart, and where a struct of parts would not hold what they say.
func (l *lowerer) partsOf(d *ir.Decl) (list []*ir.Decl, schemas []*openapi.Schema) {
	if d.Union.Exact || d.Union.Discriminator != "" {
		return nil, nil
	}
	reaching := 0
	for _, v := range d.Union.Variants {
		p := v.Decl
		if declKinds(p, []*ir.Decl{d})&openapi.TypeObject == 0 {
			continue
		}
		from := l.choices[v]
		if len(from) != 1 || slices.Contains(list, p) || p.Kind != ir.Struct || p.Parts != nil ||
			p.Extra != nil && (p.Extra.Patterns != nil || p.Extra.Type.Elem.Under().Kind != ir.Any || p.Extra.Type.Elem.Schemas() != nil) {
			return nil, nil
		}
		if v := look(from[0]); v.minProps != nil || v.maxProps != nil {
			return nil, nil
		}
		if reach(&ir.Type{Kind: ir.Ref, Decl: p})[d] {
			reaching++ // through two of them values would double at each level
		}
		list, schemas = append(list, p), append(schemas, from[0])
	}
	if len(list) < 2 || len(list) > 64 || reaching > 1 {
		return nil, nil
	}
	both := false
	for i, a := range list {
		for _, b := range list[:i] {
			if !shareable(a, b) {
				return nil, nil
			}
			both = both || !l.exclusive(a, b) && !l.exclusive(b, a)
		}
	}
	if !both {
		return nil, nil
	}
	return list, schemas
}

// shareable reports whether the members that a and b both have are one value in Go.
func shareable(a, b *ir.Decl) bool {
	for _, f := range a.Fields {
		for _, g := range b.Fields {
			if f.Wire == g.Wire && !sameType(f.Type, g.Type) && (kindsOf(f.Type, nil)|kindsOf(g.Type, nil))&compound != 0 {
				return false
			}
		}
	}
	return true
}

// exclusive reports whether no value is an a and a b, as far as required members
// tell.
func (l *lowerer) exclusive(a, b *ir.Decl) bool {
	for _, g := range b.Fields {
		if !g.Required || g.Nullable {
			continue
		}
		i := slices.IndexFunc(a.Fields, func(f *ir.Field) bool { return f.Wire == g.Wire })
		if i < 0 {
			if a.Closed && l.opts.Unknown != RefuseUnknown {
				return true
			}
			continue
		}
		f := a.Fields[i]
		if f.Nullable {
			continue
		}
		if kindsOf(f.Type, nil)&kindsOf(g.Type, nil) == 0 {
			return true
		}
		x, y := oneOf(a, f), oneOf(b, g)
		if x != nil && y != nil && !slices.ContainsFunc(x, func(s string) bool { return slices.Contains(y, s) }) {
			return true
		}
	}
	return false
}

// oneOf returns the values that the field f of d may have, nil when they are not
// listed.
func oneOf(d *ir.Decl, f *ir.Field) []string {
	if text, ok := f.Type.Under().Const(); ok {
		return []string{text}
	}
	vals, _ := constants(d, f.Wire, nil)
	return vals
}
