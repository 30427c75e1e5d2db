package openapi

import (
	"fmt"
	"path"
	"reflect"
	"slices"
)

// Selection says which parts of a document are generated. Patterns are those of
// [path.Match], in which * does not match a slash; a pattern that ends in /**
// matches whatever begins like it.
type Selection struct {
	Tags, Paths, Schemas       []string // what is generated; all nil: everything
	NoTags, NoPaths, NoSchemas []string // what is not, out of that
}

func (s *Selection) empty() bool {
	return s.Tags == nil && s.Paths == nil && s.Schemas == nil && s.NoTags == nil && s.NoPaths == nil && s.NoSchemas == nil
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		if n := len(p) - len("/**"); n >= 0 && p[n:] == "/**" {
			return len(name) >= n && name[:n] == p[:n] && (len(name) == n || name[n] == '/')
		}
		ok, err := path.Match(p, name)
		return ok || err != nil && p == name
	})
}

// operation reports whether o is selected.
func (s *Selection) operation(o *Operation) bool {
	tagged := func(patterns []string) bool {
		return slices.ContainsFunc(o.Tags, func(t Text) bool { return matches(patterns, t.Value) })
	}
	if s.Tags != nil || s.Paths != nil || s.Schemas != nil {
		if !tagged(s.Tags) && !matches(s.Paths, o.Path) {
			return false
		}
	}
	return !tagged(s.NoTags) && !matches(s.NoPaths, o.Path)
}

// Apply returns the document with what is selected: the operations, the schemas
// that are selected by name, and what these refer to. The schemas that are left
// out although something refers to them are returned too.
func (s *Selection) Apply(doc *Document, families Families) (*Document, map[*Schema]bool) {
	if s.empty() {
		return doc, nil
	}
	out := *doc
	out.Paths, out.Webhooks = s.paths(doc.Paths), s.paths(doc.Webhooks)
	w := newReach(families, make(map[*Schema]bool))
	for _, e := range doc.Components.Schemas {
		if matches(s.NoSchemas, e.Name) {
			w.out[e.Value] = true
		}
	}
	w.visit(out.Paths)
	w.visit(out.Webhooks)
	picks := s.Tags != nil || s.Paths != nil || s.Schemas != nil || s.NoTags != nil || s.NoPaths != nil
	for _, e := range doc.Components.Schemas {
		if !picks || matches(s.Schemas, e.Name) {
			w.visit(e.Value)
		}
	}
	c := *doc.Components
	if out.Components = &c; !picks {
		c.Schemas = keep(c.Schemas, func(e *Schema) bool { return !w.out[e] })
		return &out, w.out
	}
	c.Schemas = keep(c.Schemas, func(e *Schema) bool { return w.seen[e] && !w.out[e] })
	c.Responses, c.Parameters = visited(w, c.Responses), visited(w, c.Parameters)
	c.RequestBodies, c.Headers = visited(w, c.RequestBodies), visited(w, c.Headers)
	c.Callbacks, c.PathItems, c.MediaTypes = visited(w, c.Callbacks), visited(w, c.PathItems), visited(w, c.MediaTypes)
	return &out, w.out
}

// Idle says which patterns fit nothing in doc.
func (s *Selection) Idle(doc *Document) []string {
	var tags, paths, schemas []string
	for _, m := range []Map[PathItem]{doc.Paths, doc.Webhooks} {
		for _, e := range m {
			for _, o := range e.Value.Operations {
				paths = append(paths, o.Path)
				for _, t := range o.Tags {
					tags = append(tags, t.Value)
				}
			}
		}
	}
	for _, e := range doc.Components.Schemas {
		schemas = append(schemas, e.Name)
	}
	var out []string
	for _, l := range []struct {
		what     string
		names    []string
		patterns []string
	}{{"operation has the tag", tags, slices.Concat(s.Tags, s.NoTags)}, {"operation has the path", paths, slices.Concat(s.Paths, s.NoPaths)},
		{"schema is called", schemas, slices.Concat(s.Schemas, s.NoSchemas)}} {
		for _, p := range l.patterns {
			if !slices.ContainsFunc(l.names, func(name string) bool { return matches([]string{p}, name) }) {
				out = append(out, fmt.Sprintf("no %s %q", l.what, p))
			}
		}
	}
	return out
}

func keep[T any](m Map[T], wanted func(*T) bool) Map[T] {
	var out Map[T]
	for _, e := range m {
		if wanted(e.Value) {
			out = append(out, e)
		}
	}
	return out
}

func (s *Selection) paths(m Map[PathItem]) Map[PathItem] {
	var out Map[PathItem]
	for _, e := range m {
		item := *e.Value
		item.Operations = nil
		for _, o := range e.Value.Operations {
			if s.operation(o) {
				item.Operations = append(item.Operations, o)
			}
		}
		if item.Operations != nil {
			e.Value = &item
			out = append(out, e)
		}
	}
	return out
}

// reach visits what parts of a document refer to.
type reach struct {
	seen map[any]bool     // pointers to parts of the document
	out  map[*Schema]bool // not entered

	families   Families
	references map[reflect.Type][]int // the fields that refer to parts
}

// Reach returns pointers to the parts of the document, and to what they refer to. Where
// they refer to a base, that is its family. Schemas in out are not entered.
func (f Families) Reach(out map[*Schema]bool, parts ...any) map[any]bool {
	w := newReach(f, out)
	for _, p := range parts {
		w.visit(p)
	}
	return w.seen
}

func newReach(families Families, out map[*Schema]bool) *reach {
	return &reach{seen: make(map[any]bool), out: out, families: families, references: make(map[reflect.Type][]int)}
}

// visit visits a part of a document, or a list of them, and what it refers to.
func (w *reach) visit(part any) { w.value(reflect.ValueOf(part)) }

func (w *reach) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	case reflect.Struct:
		for _, i := range w.fields(v.Type()) {
			w.value(v.Field(i))
		}
	case reflect.Pointer:
		s, isSchema := v.Interface().(*Schema)
		if v.IsNil() || isSchema && w.out[s] || w.seen[v.Interface()] {
			return
		}
		w.seen[v.Interface()] = true
		if w.value(v.Elem()); isSchema {
			w.visit(w.families.of(s))
		}
	}
}

// fields returns the fields by which a type of the model refers to parts of a document.
func (w *reach) fields(t reflect.Type) []int {
	list, ok := w.references[t]
	for i := 0; !ok && i < t.NumField(); i++ {
		if f := t.Field(i); f.IsExported() && (f.Type.Kind() == reflect.Slice || f.Type.Kind() == reflect.Pointer) && !aside[f.Name] {
			list = append(list, i)
		}
	}
	w.references[t] = list
	return list
}

// aside are the fields of the model that are values, or refer to what stands around or beside.
var aside = map[string]bool{
	"Node": true, "Extensions": true, "Default": true, "Enum": true, "Const": true, "Example": true, "Examples": true,
	"Item": true, "Defs": true, "Links": true,
}

// visited returns the parts of m that w has come to.
func visited[T any](w *reach, m Map[T]) Map[T] {
	return keep(m, func(part *T) bool { return w.seen[part] })
}
