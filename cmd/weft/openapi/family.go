package openapi

import (
	"path"
	"slices"
	"strings"
)

// Family is a schema with a discriminator and the schemas that build on it by
// allOf: where a document names the schema, it means all of them.
type Family struct {
	Base          *Schema
	Discriminator *Discriminator
	Heirs         []Heir
	Own           []string // the values that mean the base itself
}

// Heir is a schema that builds on the base of a [Family], or that its mapping
// leads to, and the values of the discriminator that choose it.
type Heir struct {
	Schema *Schema
	Values []string
	Nested bool // a family of its own, with another discriminator
	Beside bool // it does not build on the base
}

// Families are those of a document, by their bases.
type Families map[*Schema]*Family

// kin is what a document says about which schemas build on which.
type kin struct {
	heirs map[*Schema][]*Schema // that build on it directly
	bases map[*Schema][]*Schema
	tags  map[tagOf][]*Schema // what is said about discriminators
	left  int                 // how many heirs there may still be
}

// tagOf is the discriminator of a schema.
type tagOf struct {
	schema *Schema
	member string
}

// maxHeirs bounds the heirs of all families: beyond it only the schemas that have a
// discriminator themselves are families.
const maxHeirs = 100_000

// Families returns the families of the schemas of d.
func (d *Document) Families() Families {
	var roots []*Schema
	for _, s := range d.Schemas {
		if s.Polymorphic() && s.Identity() != "" {
			roots = append(roots, s)
		}
	}
	if roots == nil {
		return nil
	}
	k := &kin{left: maxHeirs, tags: make(map[tagOf][]*Schema)}
	k.heirs, k.bases = make(map[*Schema][]*Schema), make(map[*Schema][]*Schema)
	for _, s := range d.Schemas {
		if s.Identity() != "" {
			k.add(s, s, 0)
		}
	}
	out := make(Families)
	for _, root := range roots {
		for _, s := range append([]*Schema{root}, k.below(root, nil)...) {
			// What inherits the discriminator and is built on is a family too.
			if out[s] == nil && (s == root || !s.Polymorphic() && len(k.heirs[s]) > 0 && k.left > 0) {
				if f := k.family(s, root.Discriminator); len(f.Heirs) > 0 {
					out[s] = f
				}
			}
		}
	}
	return out
}

// Polymorphic reports whether s has a discriminator that is not that of a oneOf or
// anyOf.
func (s *Schema) Polymorphic() bool {
	return s.Discriminator != nil && len(s.OneOf)+len(s.AnyOf) == 0
}

// Identity returns the name by which a discriminator means s without a mapping,
// "" for an inline schema.
func (s *Schema) Identity() string {
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
func (k *kin) add(s, part *Schema, depth int) {
	if t := part.Target; t != nil {
		if part != s || s.Alias() == nil {
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
func (k *kin) below(s *Schema, stop func(*Schema) bool) []*Schema {
	var out []*Schema
	seen := map[*Schema]bool{s: true}
	for queue := []*Schema{s}; len(queue) > 0; queue = queue[1:] {
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
func (k *kin) family(s *Schema, disc *Discriminator) *Family {
	f := &Family{Base: s, Discriminator: disc}
	apart := func(h *Schema) bool {
		return h.Polymorphic() && h.Discriminator.PropertyName != disc.PropertyName && len(k.heirs[h]) > 0
	}
	list := k.below(s, apart)
	for _, m := range disc.Mapping {
		if t := m.Target.Resolve(); s.Discriminator == disc && t != s && !slices.Contains(list, t) && !slices.Contains(k.bases[s], t) {
			f.Heirs = append(f.Heirs, Heir{Schema: t, Beside: true})
		}
	}
	n := len(f.Heirs)
	k.left -= len(list)
	for _, h := range list {
		f.Heirs = append(f.Heirs, Heir{Schema: h, Nested: apart(h)})
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
	for i := range f.Heirs {
		h := &f.Heirs[i]
		h.Values = take(mappedBy(h.Schema, disc, s.Discriminator, h.Schema.Discriminator))
	}
	f.Own = take(mappedBy(s, disc, s.Discriminator))
	f.Own = append(f.Own, take(k.said(s, nil, disc.PropertyName))...)
	for i := range f.Heirs {
		h := &f.Heirs[i]
		h.Values = append(h.Values, take(k.said(h.Schema, s, disc.PropertyName))...)
		if h.Nested {
			for _, below := range k.below(h.Schema, nil) {
				h.Values = append(h.Values, take(append(mappedBy(below, disc), k.said(below, s, disc.PropertyName)...))...)
			}
		}
	}
	for i := range f.Heirs[n:] {
		h := &f.Heirs[n+i]
		if len(h.Values) == 0 && !(h.Schema.Alias() != nil && len(disc.Mapping) > 0) && k.said(h.Schema, s, disc.PropertyName) == nil {
			h.Values = take([]string{h.Schema.Identity()})
		}
	}
	if len(f.Own) == 0 {
		f.Own = take([]string{s.Identity()})
	}
	f.Heirs = slices.DeleteFunc(f.Heirs, func(h Heir) bool { return len(h.Values) == 0 })
	return f
}

// mappedBy returns the values that the discriminators map to s.
func mappedBy(s *Schema, discs ...*Discriminator) []string {
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
func (k *kin) tag(s *Schema, member string) []*Schema {
	list, ok := k.tags[tagOf{s, member}]
	if !ok {
		list = s.member(member)
		k.tags[tagOf{s, member}] = list
	}
	return list
}

// said returns the values that s itself says its discriminator has: by
// x-ms-discriminator-value, or by what it says about the member beyond what base
// says.
func (k *kin) said(s, base *Schema, member string) []string {
	if x := s.Extensions.Get("x-ms-discriminator-value"); x != nil && x.Kind == String {
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
func (k *kin) listed(s *Schema, member string) []string {
	for _, t := range k.tag(s, member) {
		if list := valuesOf(t); list != nil {
			return list
		}
	}
	return nil
}

// valuesOf returns the texts of the values that s lists, nil when it lists none
// or allows others.
func valuesOf(s *Schema) (out []string) {
	s.Holding(func(s *Schema, _ []*Schema) {
		list := s.Enum
		if s.Const != nil {
			list = []*Node{s.Const}
		}
		if list == nil {
			return
		}
		texts := []string{}
		for _, n := range list {
			if (n.Kind == String || n.Kind == NumberKind) && (out == nil || slices.Contains(out, n.Text)) {
				texts = append(texts, n.Text)
			}
		}
		out = texts
	})
	return out
}

// of returns the schemas of the family of s, save its base.
func (f Families) of(s *Schema) []*Schema {
	var out []*Schema
	if x := f[s]; x != nil {
		for _, h := range x.Heirs {
			out = append(out, h.Schema)
		}
	}
	return out
}

// Heirs returns the heirs of every family: each is a type of its own, even one
// that adds nothing to its base.
func (f Families) Heirs() map[*Schema]bool {
	out := make(map[*Schema]bool)
	for s := range f {
		for _, h := range f.of(s) {
			out[h] = true
		}
	}
	return out
}
