package openapi

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"
)

// specFiles returns the large documents to read, if they are there.
func specFiles(t testing.TB) []string {
	dir := os.Getenv("WEFT_SPECS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "specs")
	}
	var files []string
	for _, pattern := range []string{"*.json", "*.yaml"} {
		found, _ := filepath.Glob(filepath.Join(dir, pattern))
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Skipf("no documents in %s: set WEFT_SPECS to a folder of them", dir)
	}
	return files
}

// TestSpecs reads documents of the wild without errors, and finds in them the
// schemas and operations that a walk over the plain values finds.
func TestSpecs(t *testing.T) {
	for _, file := range specFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			doc, found := Parse(file, data)
			took := time.Since(start)
			if err := found.Err(); err != nil {
				t.Fatal(err)
			}
			var plain map[string]any
			if strings.HasSuffix(file, ".json") {
				err = json.Unmarshal(data, &plain)
			} else {
				err = yaml.Unmarshal(data, &plain)
			}
			if err != nil {
				t.Fatal(err)
			}
			var w walk
			w.document(plain)
			t.Logf("%s: %d KB in %v, %d schemas (%d named), %d operations, %d warnings", doc.VersionText, len(data)>>10,
				took.Round(time.Millisecond), len(doc.Schemas), len(doc.Components.Schemas), len(doc.Operations), len(found))
			components, _ := plain["components"].(map[string]any)
			named, _ := components["schemas"].(map[string]any)
			if len(doc.Schemas) != w.schemas || len(doc.Operations) != w.operations || len(doc.Components.Schemas) != len(named) {
				t.Errorf("read %d schemas, %d operations, %d components; the plain walk finds %d, %d, %d",
					len(doc.Schemas), len(doc.Operations), len(doc.Components.Schemas), w.schemas, w.operations, len(named))
			}
			checkModel(t, doc)
		})
	}
}

// checkModel checks what holds for every document read without errors.
func checkModel(t *testing.T, doc *Document) {
	pointers := map[string]bool{}
	for _, s := range doc.Schemas {
		if !s.Pos.IsValid() || s.Pointer == "" {
			t.Errorf("a schema without a place: %s %q", s.Pos, s.Pointer)
		}
		if pointers[s.Pointer] {
			t.Errorf("%s: two schemas have the pointer %s", s.Pos, s.Pointer)
		}
		pointers[s.Pointer] = true
		if s.Ref != "" && s.Target == nil {
			t.Errorf("%s: the reference %s has no target", s.RefPos, s.Ref)
		}
		if s.Resolve().Ref != "" {
			t.Errorf("%s: the reference %s ends in another", s.RefPos, s.Ref)
		}
		if s.Discriminator != nil {
			for _, m := range s.Discriminator.Mapping {
				if m.Target == nil {
					t.Errorf("%s: the mapping of %s has no target", m.Pos, m.Value)
				}
			}
		}
	}
	for _, o := range doc.Operations {
		for _, p := range o.AllParameters() {
			if p.Ref != "" || p.In == "" || p.Style == "" {
				t.Errorf("%s: a parameter that is not resolved", p.Pos)
			}
		}
		if o.RequestBody != nil && o.RequestBody.Resolve().Ref != "" {
			t.Errorf("%s: a request body that is not resolved", o.RequestBody.Pos)
		}
		for _, e := range o.Responses {
			if e.Value.Ref != "" && e.Value.Target == nil {
				t.Errorf("%s: the reference %s has no target", e.Value.RefPos, e.Value.Ref)
			}
		}
	}
}

// walk counts the schemas and operations of a document as decoded into any.
type walk struct{ schemas, operations int }

func object(v any) map[string]any { m, _ := v.(map[string]any); return m }

func (w *walk) document(d map[string]any) {
	for _, p := range object(d["paths"]) {
		w.item(p, true)
	}
	for _, p := range object(d["webhooks"]) {
		w.item(p, false)
	}
	c := object(d["components"])
	w.each(c["schemas"], w.schema)
	w.each(c["responses"], w.response)
	w.each(c["parameters"], w.parameter)
	w.each(c["headers"], w.parameter)
	w.each(c["requestBodies"], w.body)
	w.each(c["callbacks"], w.callback)
	w.each(c["pathItems"], func(v any) { w.item(v, false) })
}

func (w *walk) each(v any, f func(any)) {
	for _, x := range object(v) {
		f(x)
	}
}

func (w *walk) list(v any, f func(any)) {
	l, _ := v.([]any)
	for _, x := range l {
		f(x)
	}
}

func (w *walk) item(v any, count bool) {
	for method, o := range object(v) {
		switch method {
		case "parameters":
			w.list(o, w.parameter)
		case "get", "put", "post", "delete", "options", "head", "patch", "trace":
			if count {
				w.operations++
			}
			op := object(o)
			w.list(op["parameters"], w.parameter)
			w.body(op["requestBody"])
			w.each(op["responses"], w.response)
			w.each(op["callbacks"], w.callback)
		}
	}
}

func (w *walk) callback(v any) { w.each(v, func(x any) { w.item(x, false) }) }

func (w *walk) parameter(v any) {
	p := object(v)
	if s, ok := p["schema"]; ok {
		w.schema(s)
	}
	w.each(p["content"], w.media)
}

func (w *walk) body(v any) { w.each(object(v)["content"], w.media) }

func (w *walk) response(v any) {
	w.each(object(v)["headers"], w.parameter)
	w.each(object(v)["content"], w.media)
}

func (w *walk) media(v any) {
	if s, ok := object(v)["schema"]; ok {
		w.schema(s)
	}
	for _, e := range object(object(v)["encoding"]) {
		w.each(object(e)["headers"], w.parameter)
	}
}

func (w *walk) schema(v any) {
	w.schemas++
	s := object(v)
	for _, key := range []string{"properties", "patternProperties", "$defs", "dependentSchemas"} {
		for _, x := range object(s[key]) {
			w.schema(x)
		}
	}
	for _, key := range []string{"items", "not", "propertyNames", "contains", "if", "then", "else", "contentSchema"} {
		if x, ok := s[key]; ok {
			w.schema(x)
		}
	}
	for _, key := range []string{"additionalProperties", "unevaluatedProperties", "unevaluatedItems"} {
		if x, ok := s[key].(map[string]any); ok {
			w.schema(x)
		}
	}
	for _, key := range []string{"allOf", "oneOf", "anyOf", "prefixItems"} {
		w.list(s[key], w.schema)
	}
}

// BenchmarkSpecs measures reading each document.
func BenchmarkSpecs(b *testing.B) {
	for _, file := range specFiles(b) {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Base(file), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				Parse(file, data)
			}
		})
	}
}
