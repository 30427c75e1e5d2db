package gen

import (
	"fmt"
	"path"
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
	w := &walk{seen: make(map[any]bool), out: make(map[*openapi.Schema]bool), families: families}
	for _, e := range doc.Components.Schemas {
		if matches(s.NoSchemas, e.Name) {
			w.out[e.Value] = true
		}
	}
	w.paths(out.Paths)
	w.paths(out.Webhooks)
	picks := s.Tags != nil || s.Paths != nil || s.Schemas != nil || s.NoTags != nil || s.NoPaths != nil
	for _, e := range doc.Components.Schemas {
		if !picks || matches(s.Schemas, e.Name) {
			w.schema(e.Value)
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
	seen map[any]bool
	out  map[*openapi.Schema]bool // not entered

	families families
}

// first reports whether v is met for the first time.
func (w *walk) first(v any) bool {
	if w.seen[v] {
		return false
	}
	w.seen[v] = true
	return true
}

func (w *walk) paths(m openapi.Map[openapi.PathItem]) {
	for _, e := range m {
		w.item(e.Value)
	}
}

func (w *walk) item(i *openapi.PathItem) {
	if i == nil || !w.first(i) {
		return
	}
	w.item(i.Target)
	for _, p := range i.Parameters {
		w.parameter(p)
	}
	for _, o := range i.Operations {
		for _, p := range o.Parameters {
			w.parameter(p)
		}
		w.body(o.RequestBody)
		for _, e := range o.Responses {
			w.response(e.Value)
		}
		for _, e := range o.Callbacks {
			w.callback(e.Value)
		}
	}
}

func (w *walk) callback(c *openapi.Callback) {
	if c != nil && w.first(c) {
		w.callback(c.Target)
		w.paths(c.Paths)
	}
}

func (w *walk) parameter(p *openapi.Parameter) {
	if p != nil && w.first(p) {
		w.parameter(p.Target)
		w.schema(p.Schema)
		w.content(p.Content)
	}
}

func (w *walk) header(h *openapi.Header) {
	if h != nil && w.first(h) {
		w.header(h.Target)
		w.schema(h.Schema)
		w.content(h.Content)
	}
}

func (w *walk) body(b *openapi.RequestBody) {
	if b != nil && w.first(b) {
		w.body(b.Target)
		w.content(b.Content)
	}
}

func (w *walk) response(r *openapi.Response) {
	if r != nil && w.first(r) {
		w.response(r.Target)
		w.content(r.Content)
		for _, e := range r.Headers {
			w.header(e.Value)
		}
	}
}

func (w *walk) media(m *openapi.MediaType) {
	if m == nil || !w.first(m) {
		return
	}
	w.media(m.Target)
	w.schema(m.Schema)
	w.schema(m.ItemSchema)
	for _, e := range m.Encoding {
		for _, h := range e.Value.Headers {
			w.header(h.Value)
		}
	}
}

func (w *walk) content(m openapi.Map[openapi.MediaType]) {
	for _, e := range m {
		w.media(e.Value)
	}
}

func (w *walk) schema(s *openapi.Schema) {
	if s == nil || w.out[s] || !w.first(s) {
		return
	}
	for _, t := range parts(s) {
		w.schema(t)
	}
	for _, t := range w.families.heirs(s) {
		w.schema(t)
	}
}

// parts returns the schemas that s consists of and refers to.
func parts(s *openapi.Schema) []*openapi.Schema {
	out := []*openapi.Schema{s.Target, s.Items, s.Contains, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.ContentSchema}
	for _, list := range [][]*openapi.Schema{s.AllOf, s.OneOf, s.AnyOf, s.PrefixItems} {
		out = append(out, list...)
	}
	for _, m := range []openapi.Map[openapi.Schema]{s.Properties, s.PatternProperties, s.DependentSchemas} {
		for _, e := range m {
			out = append(out, e.Value)
		}
	}
	for _, x := range []*openapi.SchemaOrBool{s.AdditionalProperties, s.UnevaluatedProperties, s.UnevaluatedItems} {
		if x != nil {
			out = append(out, x.Schema)
		}
	}
	if s.Discriminator != nil {
		for _, m := range s.Discriminator.Mapping {
			out = append(out, m.Target)
		}
	}
	return out
}
