package openapi

import (
	"slices"
	"strings"
)

// maxInstances bounds the schemas that are made anew for a dynamic scope.
const maxInstances = 10_000

// dynamicScope says which schema each $dynamicRef means: the outermost
// $dynamicAnchor of its name (JSON Schema 2020-12 core §8.2.3.2).
type dynamicScope map[string]*Schema

// dynamics finds what the $dynamicRefs mean. One that a schema of another $id
// is reached through, which has an anchor of its name, means that anchor: the
// schema with the $dynamicRef is made anew for that use, as a generic type is
// for its argument.
func (r *reader) dynamics() {
	if len(r.anchors) == 0 {
		return
	}
	for _, s := range r.doc.Schemas {
		if name, ok := strings.CutPrefix(s.DynamicRef, "#"); ok && dynamicName(s) != "" {
			if t := r.anchors[s.resource][name]; t != nil {
				s.Target = t // that of the schema's own resource
			}
		}
	}
	d := &dynamics{reader: r, made: map[string]*Schema{}}
	for _, s := range slices.Clone(r.doc.Schemas) {
		d.use(s, nil)
	}
}

// dynamicName returns the name of the anchor that s refers to by a $dynamicRef, "" where it has none that is one.
func dynamicName(s *Schema) string {
	if s.DynamicRef == "" || s.Ref != s.DynamicRef {
		return ""
	}
	if _, name, ok := strings.Cut(s.DynamicRef, "#"); ok && !strings.HasPrefix(name, "/") {
		return name
	}
	return ""
}

// dynamics makes instances of schemas.
type dynamics struct {
	*reader
	made map[string]*Schema // by node and scope
	full bool
}

// use replaces the target of s by an instance when the dynamic scope, which is
// outer and the anchors of s's own resource, changes what it means.
func (d *dynamics) use(s *Schema, outer dynamicScope) {
	if s.Target == nil || dynamicName(s) != "" {
		return
	}
	if outer == nil && s.resource == s.Target.resource {
		return
	}
	scope := outer
	if own := d.anchors[s.resource]; len(own) > 0 {
		scope = dynamicScope{}
		for name, t := range own {
			scope[name] = t
		}
		for name, t := range outer {
			scope[name] = t
		}
	}
	if len(scope) == 0 || !d.depends(s.Target, scope, map[*Schema]bool{}) {
		return
	}
	s.Target = d.instance(s, scope)
}

// depends reports whether the scope changes a $dynamicRef in s or in what it
// refers to.
func (d *dynamics) depends(s *Schema, scope dynamicScope, seen map[*Schema]bool) bool {
	if s == nil || seen[s] {
		return false
	}
	seen[s] = true
	found := false
	d.below(s.Node, func(n *Node) {
		t, ok := d.reader.made[n].(*Schema)
		if !ok || found {
			return
		}
		if name := dynamicName(t); name != "" {
			found = scope[name] != nil && t.Target != nil && t.Target.DynamicAnchor == name && scope[name] != t.Target
			return
		}
		found = d.depends(t.Target, scope, seen)
	})
	return found
}

// below calls each for n and the nodes in it.
func (d *dynamics) below(n *Node, each func(*Node)) {
	each(n)
	for _, x := range n.Items {
		d.below(x, each)
	}
	for i := range n.Members {
		d.below(n.Members[i].Value, each)
	}
}

// instance returns the target of s as it is in the scope.
func (d *dynamics) instance(s *Schema, scope dynamicScope) *Schema {
	names := make([]string, 0, len(scope))
	for name, t := range scope {
		names = append(names, name+"="+t.Pointer)
	}
	slices.Sort(names)
	key := s.Target.Pointer + " " + strings.Join(names, " ")
	if t := d.made[key]; t != nil {
		return t
	}
	if len(d.made) >= maxInstances {
		if !d.full {
			d.full = true
			d.rep.errorf(s.RefPos, "more than %d schemas made anew for a $dynamicRef: too many", maxInstances)
		}
		return s.Target
	}
	made, pending, first := d.reader.made, len(d.pending), len(d.doc.Schemas)
	d.reader.made, d.resource = map[*Node]any{}, s.Target.resource
	t := d.schema(s.Target.Node, s.Pointer+"/$ref")
	d.reader.made, d.resource = made, nil
	d.made[key] = t
	d.drain(pending)
	for _, x := range slices.Clone(d.doc.Schemas[first:]) {
		if name := dynamicName(x); name != "" {
			if to := scope[name]; to != nil && x.Target != nil && x.Target.DynamicAnchor == name {
				x.Target = to
			}
			continue
		}
		d.use(x, scope)
	}
	return t
}
