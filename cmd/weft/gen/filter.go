package gen

import (
	"fmt"
	"path"
	"reflect"
	"slices"

	"github.com/weftcodec/weft/cmd/weft/openapi"
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
func (s *Selection) operation(o *openapi.Operation) bool {
	tagged := func(patterns []string) bool {
		return slices.ContainsFunc(o.Tags, func(t openapi.Text) bool { return matches(patterns, t.Value) })
	}
	if s.Tags != nil || s.Paths != nil || s.Schemas != nil {
		if !tagged(s.Tags) && !matches(s.Paths, o.Path) {
			return false
		}
	}
	return !tagged(s.NoTags) && !matches(s.NoPaths, o.Path)
}

// apply returns the document with what is selected: the operations, the schemas
// that are selected by name, and what these refer to. The schemas that are left
// out although something refers to them are returned too.
func (s *Selection) apply(doc *openapi.Document, families families) (*openapi.Document, map[*openapi.Schema]bool) {
	if s.empty() {
		return doc, nil
	}
	out := *doc
	out.Paths, out.Webhooks = s.paths(doc.Paths), s.paths(doc.Webhooks)
	w := newWalk(families, make(map[*openapi.Schema]bool))
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
		c.Schemas = keep(c.Schemas, func(e *openapi.Schema) bool { return !w.out[e] })
		return &out, w.out
	}
	c.Schemas = keep(c.Schemas, func(e *openapi.Schema) bool { return w.seen[e] && !w.out[e] })
	c.Responses = keep(c.Responses, func(e *openapi.Response) bool { return w.seen[e] })
	c.Parameters = keep(c.Parameters, func(e *openapi.Parameter) bool { return w.seen[e] })
	c.RequestBodies = keep(c.RequestBodies, func(e *openapi.RequestBody) bool { return w.seen[e] })
	c.Headers = keep(c.Headers, func(e *openapi.Header) bool { return w.seen[e] })
	c.Callbacks = keep(c.Callbacks, func(e *openapi.Callback) bool { return w.seen[e] })
	c.PathItems = keep(c.PathItems, func(e *openapi.PathItem) bool { return w.seen[e] })
	c.MediaTypes = keep(c.MediaTypes, func(e *openapi.MediaType) bool { return w.seen[e] })
	return &out, w.out
}

// idle says which patterns fit nothing in doc.
func (s *Selection) idle(doc *openapi.Document) []string {
	var tags, paths, schemas []string
	for _, m := range []openapi.Map[openapi.PathItem]{doc.Paths, doc.Webhooks} {
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

func keep[T any](m openapi.Map[T], wanted func(*T) bool) openapi.Map[T] {
	var out openapi.Map[T]
	for _, e := range m {
		if wanted(e.Value) {
			out = append(out, e)
		}
	}
	return out
}

func (s *Selection) paths(m openapi.Map[openapi.PathItem]) openapi.Map[openapi.PathItem] {
	var out openapi.Map[openapi.PathItem]
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

// walk visits what parts of a document refer to.
type walk struct {
	seen map[any]bool             // pointers to parts of the document
	out  map[*openapi.Schema]bool // not entered

	families   families
	references map[reflect.Type][]int // the fields that refer to parts
}

func newWalk(families families, out map[*openapi.Schema]bool) *walk {
	return &walk{seen: make(map[any]bool), out: out, families: families, references: make(map[reflect.Type][]int)}
}

// visit visits a part of a document, or a list of them, and what it refers to.
func (w *walk) visit(part any) { w.value(reflect.ValueOf(part)) }

func (w *walk) value(v reflect.Value) {
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
		s, isSchema := v.Interface().(*openapi.Schema)
		if v.IsNil() || isSchema && w.out[s] || w.seen[v.Interface()] {
			return
		}
		w.seen[v.Interface()] = true
		if w.value(v.Elem()); isSchema {
			w.visit(w.families.heirs(s))
		}
	}
}

// fields returns the fields by which a type of the model refers to parts of a document.
func (w *walk) fields(t reflect.Type) []int {
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
