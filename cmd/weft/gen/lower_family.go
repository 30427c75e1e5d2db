package gen

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// family is a schema with a discriminator and the schemas that build on it by
// allOf: where a document names the schema, it means all of them.
type family struct {
	base  *openapi.Schema
	disc  *openapi.Discriminator
	heirs []heir
	own   []string // the values that mean the base itself
}

// heir is a schema that builds on the base of a [family], or that its mapping
// leads to, and the values of the discriminator that choose it.
type heir struct {
	schema *openapi.Schema
	values []string
	nested bool // a family of its own, with another discriminator
	beside bool // it does not build on the base
}

// families are those of a document, by their bases.
type families map[*openapi.Schema]*family

// kin is what a document says about which schemas build on which.
type kin struct {
	heirs map[*openapi.Schema][]*openapi.Schema // that build on it directly
	bases map[*openapi.Schema][]*openapi.Schema
	tags  map[tagOf][]*openapi.Schema // what is said about discriminators
	left  int                         // how many heirs there may still be
}

// tagOf is the discriminator of a schema.
type tagOf struct {
	schema *openapi.Schema
	member string
}

// maxHeirs bounds the heirs of all families: beyond it only the schemas that have a
// discriminator themselves are families.
const maxHeirs = 100_000

// familiesOf finds the families of doc.
func familiesOf(doc *openapi.Document) families {
	var roots []*openapi.Schema
	for _, s := range doc.Schemas {
		if polymorphic(s) && identity(s) != "" {
			roots = append(roots, s)
		}
	}
	if roots == nil {
		return nil
	}
	k := &kin{heirs: make(map[*openapi.Schema][]*openapi.Schema), bases: make(map[*openapi.Schema][]*openapi.Schema), tags: make(map[tagOf][]*openapi.Schema), left: maxHeirs}
	for _, s := range doc.Schemas {
		if identity(s) != "" {
			k.add(s, s, 0)
		}
	}
	out := make(families)
	for _, root := range roots {
		for _, s := range append([]*openapi.Schema{root}, k.below(root, nil)...) {
			// What inherits the discriminator and is built on is a family too.
			if out[s] == nil && (s == root || !polymorphic(s) && len(k.heirs[s]) > 0 && k.left > 0) {
				if f := k.family(s, root.Discriminator); len(f.heirs) > 0 {
					out[s] = f
				}
			}
		}
	}
	return out
}

// polymorphic reports whether s has a discriminator that is not that of a oneOf or
// anyOf.
func polymorphic(s *openapi.Schema) bool {
	return s.Discriminator != nil && len(s.OneOf)+len(s.AnyOf) == 0
}

// identity returns the name by which a discriminator means s without a mapping,
// "" for an inline schema.
func identity(s *openapi.Schema) string {
	if s.Name != "" {
		return s.Name
	}
	if file, ptr, _ := strings.Cut(s.Pointer, "#"); file != "" && strings.Trim(ptr, "/") == "" {
		base := path.Base(file)
		return strings.TrimSuffix(base, path.Ext(base))
	}
	return ""
}

// add records the schemas that the parts of s refer to.
func (k *kin) add(s, part *openapi.Schema, depth int) {
	if t := part.Target; t != nil {
		if _, other := plainRef(s); part != s || !other {
			t = t.Resolve()
			if t != s && !slices.Contains(k.bases[s], t) {
				k.bases[s] = append(k.bases[s], t)
				k.heirs[t] = append(k.heirs[t], s)
			}
		}
	}
	if depth < 10 && (part == s || part.Target == nil) {
		for _, p := range part.AllOf {
			k.add(s, p, depth+1)
		}
	}
}

// below returns what builds on s, directly or not, nearest first. It does not
// look beyond those that stop says.
func (k *kin) below(s *openapi.Schema, stop func(*openapi.Schema) bool) []*openapi.Schema {
	var out []*openapi.Schema
	seen := map[*openapi.Schema]bool{s: true}
	for queue := []*openapi.Schema{s}; len(queue) > 0; queue = queue[1:] {
		if stop != nil && queue[0] != s && stop(queue[0]) {
			continue
		}
		for _, h := range k.heirs[queue[0]] {
			if !seen[h] {
				seen[h] = true
				out, queue = append(out, h), append(queue, h)
			}
		}
	}
	return out
}

// family returns the family of s, whose discriminator is disc.
func (k *kin) family(s *openapi.Schema, disc *openapi.Discriminator) *family {
	f := &family{base: s, disc: disc}
	apart := func(h *openapi.Schema) bool {
		return polymorphic(h) && h.Discriminator.PropertyName != disc.PropertyName && len(k.heirs[h]) > 0
	}
	list := k.below(s, apart)
	for _, m := range disc.Mapping {
		if t := m.Target.Resolve(); s.Discriminator == disc && t != s && !slices.Contains(list, t) && !slices.Contains(k.bases[s], t) {
			f.heirs = append(f.heirs, heir{schema: t, beside: true})
		}
	}
	n := len(f.heirs)
	k.left -= len(list)
	for _, h := range list {
		f.heirs = append(f.heirs, heir{schema: h, nested: apart(h)})
	}
	allowed := k.listed(s, disc.PropertyName)
	taken := make(map[string]bool)
	take := func(values []string) (out []string) {
		for _, v := range values {
			if !taken[v] && (allowed == nil || slices.Contains(allowed, v)) {
				taken[v] = true
				out = append(out, v)
			}
		}
		return out
	}
	// What is mapped comes first, then what schemas say, then their names.
	for i := range f.heirs {
		h := &f.heirs[i]
		h.values = take(mappedBy(h.schema, disc, s.Discriminator, h.schema.Discriminator))
	}
	f.own = take(mappedBy(s, disc, s.Discriminator))
	f.own = append(f.own, take(k.said(s, nil, disc.PropertyName))...)
	for i := range f.heirs {
		h := &f.heirs[i]
		h.values = append(h.values, take(k.said(h.schema, s, disc.PropertyName))...)
		if h.nested {
			for _, below := range k.below(h.schema, nil) {
				h.values = append(h.values, take(append(mappedBy(below, disc), k.said(below, s, disc.PropertyName)...))...)
			}
		}
	}
	for i := range f.heirs[n:] {
		h := &f.heirs[n+i]
		_, plain := plainRef(h.schema)
		if len(h.values) == 0 && !(plain && len(disc.Mapping) > 0) && k.said(h.schema, s, disc.PropertyName) == nil {
			h.values = take([]string{identity(h.schema)})
		}
	}
	if len(f.own) == 0 {
		f.own = take([]string{identity(s)})
	}
	f.heirs = slices.DeleteFunc(f.heirs, func(h heir) bool { return len(h.values) == 0 })
	return f
}

// mappedBy returns the values that the discriminators map to s.
func mappedBy(s *openapi.Schema, discs ...*openapi.Discriminator) []string {
	var out []string
	for i, d := range discs {
		if d == nil || slices.Contains(discs[:i], d) || d.PropertyName != discs[0].PropertyName {
			continue
		}
		for _, m := range d.Mapping {
			if m.Target == s || m.Target.Resolve() == s {
				out = append(out, m.Value)
			}
		}
	}
	return out
}

// tag returns what s says about its discriminator.
func (k *kin) tag(s *openapi.Schema, member string) []*openapi.Schema {
	list, ok := k.tags[tagOf{s, member}]
	if !ok {
		list = look(s).prop(member)
		k.tags[tagOf{s, member}] = list
	}
	return list
}

// said returns the values that s itself says its discriminator has: by
// x-ms-discriminator-value, or by what it says about the member beyond what base
// says.
func (k *kin) said(s, base *openapi.Schema, member string) []string {
	if x := s.Extensions.Get("x-ms-discriminator-value"); x != nil && x.Kind == openapi.String {
		return []string{x.Text}
	}
	if base == nil {
		return nil
	}
	general := k.tag(base, member)
	for _, t := range k.tag(s, member) {
		if !slices.Contains(general, t) {
			if list := valuesOf(t); list != nil {
				return list
			}
		}
	}
	return nil
}

// listed returns the values that s allows its discriminator, nil for any.
func (k *kin) listed(s *openapi.Schema, member string) []string {
	for _, t := range k.tag(s, member) {
		if list := valuesOf(t); list != nil {
			return list
		}
	}
	return nil
}

// valuesOf returns the texts of the values that s lists, nil when it lists none
// or allows others.
func valuesOf(s *openapi.Schema) []string {
	v := look(s)
	if !v.hasEnum {
		return nil
	}
	out := []string{}
	for _, n := range v.enum {
		if n.Kind == openapi.String || n.Kind == openapi.NumberKind {
			out = append(out, n.Text)
		}
	}
	return out
}

// heirs returns the schemas of the family of s, save its base.
func (f families) heirs(s *openapi.Schema) []*openapi.Schema {
	var out []*openapi.Schema
	if x := f[s]; x != nil {
		for _, h := range x.heirs {
			out = append(out, h.schema)
		}
	}
	return out
}

// heirSet returns the heirs of every family: each is a type of its own, even one
// that adds nothing to its base.
func (f families) heirSet() map[*openapi.Schema]bool {
	out := make(map[*openapi.Schema]bool)
	for s := range f {
		for _, h := range f.heirs(s) {
			out[h] = true
		}
	}
	return out
}

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
func (l *lowerer) family(d *ir.Decl, f *family) {
	v := look(f.base)
	base := l.baseOf(f.base, d)
	l.define(base, v)
	def := f.disc.DefaultMapping
	list := make([]variantOf, 0, len(f.heirs)+1)
	for _, h := range f.heirs {
		if l.out[h.schema] {
			continue
		}
		name := ir.GoName(identity(h.schema))
		if name == "" {
			name = variantName(h.schema, len(list))
		}
		x := variantOf{place: d.Name + name, origin: h.schema.Pointer}
		switch {
		case h.beside:
			var ok bool
			if x, ok = l.variant(v, h.schema, x.place, nil); !ok {
				continue
			}
			x.schema = nil
		default:
			x.typ = l.typeOf(h.schema, name)
			if l.families[h.schema] != nil && !h.nested {
				x.typ = &ir.Type{Kind: ir.Ref, Decl: l.baseOf(h.schema, x.typ.Decl)}
			}
		}
		x.values = h.values
		x.other = def != nil && def.Target != nil && def.Target.Resolve() == h.schema
		list = append(list, x)
	}
	other := !slices.ContainsFunc(list, func(x variantOf) bool { return x.other })
	list = append(list, variantOf{typ: &ir.Type{Kind: ir.Ref, Decl: base}, values: f.own, other: other})
	t := l.union(list, group{disc: f.disc}, cmp.Or(v.doc, v.title), d.Name, d)
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
		if f == nil || f.disc.PropertyName != disc.PropertyName {
			continue
		}
		for _, h := range f.heirs {
			for _, val := range h.values {
				if !slices.ContainsFunc(list, func(x variantOf) bool { return slices.Contains(x.values, val) }) {
					list[i].values = append(list[i].values, val)
				}
			}
		}
	}
}
