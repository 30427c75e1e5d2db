package gen

import (
	"path/filepath"

	"testing"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// Every operation of a document, and every schema in one, is in the IR: a walk
// over the model finds a type for each, and one that says more than a map of
// anything when the schema does.
func TestNothingLeftOut(t *testing.T) {
	files := []string{"testdata/operations.yaml", "testdata/shapes.yaml", "testdata/semantics.yaml"}
	if dir := specsDir(); dir != "" {
		found, _ := filepath.Glob(filepath.Join(dir, "*.*"))
		for _, f := range found {
			if ext := filepath.Ext(f); ext == ".json" || ext == ".yaml" {
				files = append(files, f)
			}
		}
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			doc, diags := openapi.Load(file)
			if err := diags.Err(); err != nil {
				t.Fatal(err)
			}
			l := lowered(doc, Options{Package: "api"})
			if got, want := len(l.api.Operations), len(doc.Operations); got != want {
				t.Errorf("%d operations of %d", got, want)
			}
			names := make(map[string]bool)
			for _, o := range append(l.api.Operations[:len(l.api.Operations):len(l.api.Operations)], l.api.Webhooks...) {
				if names[o.Name] {
					t.Errorf("two operations are called %s", o.Name)
				}
				names[o.Name] = true
			}
			schemas := 0
			typed := func(s *openapi.Schema, where openapi.Pos) {
				if s == nil {
					return
				}
				schemas++
				typ := l.typeFor(s)
				if typ == nil {
					t.Errorf("%s: the schema %s has no type", where, s.Pointer)
				}
			}
			for _, o := range doc.Operations {
				usedSchemas(o, func(s *openapi.Schema) { typed(s, o.Pos) })
			}
			for _, e := range doc.Components.Schemas {
				typed(e.Value, e.Pos)
			}
			for _, line := range lost(l) {
				t.Error(line)
			}
			t.Logf("%d operations, %d schemas of theirs and of components, %d types", len(doc.Operations), schemas, len(l.pkg.Decls))
		})
	}
}

// typeFor returns the type made for s, nil for none.
func (l *lowerer) typeFor(s *openapi.Schema) *ir.Type {
	for range 100 {
		if d := l.decls[s]; d != nil {
			return &ir.Type{Kind: ir.Ref, Decl: d}
		}
		if t := l.types[s]; t != nil {
			return t
		}
		next := s.Alias()
		if next == nil {
			return nil
		}
		s = next
	}
	return nil
}

// usedSchemas calls each for the schemas that o uses itself.
func usedSchemas(o *openapi.Operation, each func(*openapi.Schema)) {
	content := func(c openapi.Map[openapi.MediaType]) {
		for _, e := range c {
			each(e.Value.Resolve().Schema)
			each(e.Value.Resolve().ItemSchema)
		}
	}
	for _, p := range o.AllParameters() {
		each(p.Schema)
		content(p.Content)
	}
	if o.RequestBody != nil {
		content(o.RequestBody.Resolve().Content)
	}
	for _, e := range o.Responses {
		r := e.Value.Resolve()
		content(r.Content)
		for _, h := range r.Headers {
			each(h.Value.Resolve().Schema)
			content(h.Value.Resolve().Content)
		}
	}
	for _, e := range o.Callbacks {
		for _, p := range e.Value.Resolve().Paths {
			for _, o := range p.Value.Operations {
				usedSchemas(o, each)
			}
		}
	}
}
