package gen

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
	"github.com/weftcodec/weft/internal/formats"
	"github.com/weftcodec/weft/internal/pattern"
)

// The generated types take what a JSON Schema validator takes and refuse what it
// refuses, but for what testdata/differences.txt lists.
func TestDifferential(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	t.Run("semantics", func(t *testing.T) { differential(t, "testdata/semantics.yaml", 300) })
}

func TestDifferentialSpecs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	dir := specs(t)
	names := []string{"petstore-78170608.yaml", "firecracker.json"}
	if os.Getenv("WEFT_SPECS_ALL") != "" {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		names = nil
		for _, e := range entries {
			if ext := filepath.Ext(e.Name()); ext == ".yaml" || ext == ".json" {
				names = append(names, e.Name())
			}
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) { differential(t, filepath.Join(dir, name), 40) })
	}
}

func differential(t *testing.T, path string, n int) {
	doc, diags := openapi.Load(path)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	dir, pkg := module(t, path)
	instances := make(map[string][]json.RawMessage)
	pointers := make(map[string]string)
	for _, e := range doc.Components.Schemas {
		d := declOf(pkg, e.Value.Pointer)
		if d == nil || d.Kind == ir.Alias ||
			slices.ContainsFunc(d.Fields, func(f *ir.Field) bool { return f.Type.Kind == ir.Foreign }) {
			continue // a type of another package has a say of its own
		}
		h := fnv.New64()
		h.Write([]byte(e.Name))
		g := guesser{rand.New(rand.NewPCG(h.Sum64(), 1))}
		pointers[d.Name] = e.Value.Pointer
		for range n {
			text, err := json.Marshal(g.value(e.Value, 0))
			if err != nil {
				t.Fatal(err)
			}
			if len(text) < 20_000 {
				instances[d.Name] = append(instances[d.Name], text)
			}
		}
	}
	verdicts := judge(t, dir, pkg, instances)
	reference := newReference(t, doc)
	known := differences(t)
	total, valid, excused := 0, 0, 0
	for name, list := range instances {
		schema, err := reference.Compile("doc.json" + pointers[name])
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		shown := 0
		for i, text := range list {
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			want := schema.Validate(v)
			total++
			if want == nil {
				valid++
			}
			if (want == nil) == (verdicts[name][i] == "") {
				continue
			}
			if string(text) == "null" || known.excuse(filepath.Base(path)+" "+name, verdicts[name][i]) {
				excused++
				continue
			}
			if shown++; shown < 3 {
				t.Errorf("%s: weft says %q, the validator %v\n%s", name, verdicts[name][i], want, text)
			}
		}
	}
	t.Logf("%d instances of %d schemas, %d valid, %d disagreements that are listed", total, len(instances), valid, excused)
	if valid < total/20 || valid > total*19/20 {
		t.Errorf("%d of %d instances are valid: they tell little", valid, total)
	}
}

func declOf(pkg *ir.Package, pointer string) *ir.Decl {
	for _, d := range pkg.Decls {
		if d.Origin == pointer {
			return d
		}
	}
	return nil
}

// judge returns what the generated types say of the instances.
func judge(t *testing.T, dir string, pkg *ir.Package, instances map[string][]json.RawMessage) map[string][]string {
	t.Helper()
	data, err := json.Marshal(instances)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "api", "instances.json"), string(data))
	addTypes(t, dir, pkg)
	addFile(t, dir, "verdict_test.go.txt")
	goTool(t, dir, "test", "-gcflags=-l", "-run", "TestVerdicts", "./...")
	data, err = os.ReadFile(filepath.Join(dir, "api", "verdicts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var out map[string][]string
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// differenceList is what testdata/differences.txt lists.
type differenceList struct {
	types map[string]bool
	texts []string
}

func (l *differenceList) excuse(name, verdict string) bool {
	return l.types[name] || slices.ContainsFunc(l.texts, func(text string) bool { return strings.Contains(verdict, text) })
}

func differences(t *testing.T) *differenceList {
	t.Helper()
	data, err := os.ReadFile("testdata/differences.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := &differenceList{types: make(map[string]bool)}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		what, _, ok := strings.Cut(line, ": ")
		if !ok {
			t.Fatalf("differences.txt: no reason in %q", line)
		}
		if text, ok := strings.CutPrefix(what, "** "); ok {
			out.texts = append(out.texts, text)
		} else {
			out.types[what] = true
		}
	}
	return out
}

// newReference returns a compiler that has the schemas of doc as doc.json, in
// the vocabulary of draft 2020-12.
func newReference(t *testing.T, doc *openapi.Document) *jsonschema.Compiler {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.AssertContent()
	for name, valid := range referenceFormats {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(v any) error {
			if !valid(v) {
				return fmt.Errorf("not %s", name)
			}
			return nil
		}})
	}
	schemas := make(map[string]any)
	for _, m := range doc.Node.Get("components").Get("schemas").Members {
		schemas[m.Name] = reference(plain(m.Value), doc.VersionText < "3.1", pattern.Expr)
	}
	if err := c.AddResource("doc.json", map[string]any{"components": map[string]any{"schemas": schemas}}); err != nil {
		t.Fatal(err)
	}
	return c
}

var referenceFormats = map[string]func(any) bool{
	"int8":   func(v any) bool { return inBits(v, true, 8) },
	"int16":  func(v any) bool { return inBits(v, true, 16) },
	"int32":  func(v any) bool { return inBits(v, true, 32) },
	"int64":  func(v any) bool { return inBits(v, true, 64) },
	"uint8":  func(v any) bool { return inBits(v, false, 8) },
	"uint16": func(v any) bool { return inBits(v, false, 16) },
	"uint32": func(v any) bool { return inBits(v, false, 32) },
	"uint64": func(v any) bool { return inBits(v, false, 64) },
	"byte": func(v any) bool {
		s, ok := v.(string)
		_, err := base64.StdEncoding.DecodeString(s)
		return !ok || err == nil
	},
	"binary": func(v any) bool {
		s, ok := v.(string)
		_, err := base64.StdEncoding.DecodeString(s)
		return !ok || err == nil
	},
	"decimal": func(v any) bool {
		s, ok := v.(string)
		_, good := new(big.Float).SetString(s)
		return !ok || good
	},
}

func integerOf(v any) (*big.Int, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return nil, false
	}
	x, ok := new(big.Int).SetString(n.String(), 10)
	return x, ok
}

// inBits reports whether v, if it is an integer, fits one of so many bits.
func inBits(v any, signed bool, bits int) bool {
	x, ok := integerOf(v)
	switch {
	case !ok:
		return true
	case !signed:
		return x.Sign() >= 0 && x.BitLen() <= bits
	case x.Sign() < 0:
		x = new(big.Int).Not(x)
	}
	return x.BitLen() < bits
}

// reference returns a schema of the document as one of draft 2020-12, with patterns as expr has them.
func reference(v any, old bool, expr func(string) (string, error)) any {
	s, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := make(map[string]any)
	for key, v := range s {
		switch key {
		case "properties", "patternProperties", "dependentSchemas":
			m := make(map[string]any)
			for name, s := range v.(map[string]any) {
				if key == "patternProperties" {
					if expr, err := expr(name); err == nil {
						name = expr
					}
				}
				m[name] = reference(s, old, expr)
			}
			out[key] = m
		case "allOf", "anyOf", "oneOf", "prefixItems":
			var list []any
			for _, s := range v.([]any) {
				list = append(list, reference(s, old, expr))
			}
			out[key] = list
		case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems",
			"unevaluatedProperties", "contentSchema":
			out[key] = reference(v, old, expr)
		case "pattern":
			if expr, err := expr(v.(string)); err == nil {
				out[key] = expr
			}
		case "contentEncoding":
			if out[key] = v; v == "base64" {
				out["format"] = "byte"
			}
		case "contentMediaType":
			if out[key] = v; oneJSON(v.(string)) {
				out[key] = "application/json"
			}
		case "required": // but not what only one direction has
			props, _ := s["properties"].(map[string]any)
			list := []any{}
			for _, name := range v.([]any) {
				if p, _ := props[name.(string)].(map[string]any); p["readOnly"] != true && p["writeOnly"] != true {
					list = append(list, name)
				}
			}
			out[key] = list
		case "format":
			if is, _ := formats.Named(v.(string)); is != nil || referenceFormats[v.(string)] != nil {
				out[key] = v // of others the documentation says that they are not checked
			}
		case "$ref", "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
			"minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
			"dependentRequired", "minContains", "maxContains":
			out[key] = v
		}
	}
	if old {
		return modern(s, out)
	}
	return out
}

// modern turns what only 3.0 has into draft 2020-12.
func modern(s, out map[string]any) any {
	if ref, ok := out["$ref"]; ok {
		out = map[string]any{"$ref": ref}
	}
	for bound, excl := range map[string]string{"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"} {
		if on, ok := out[excl].(bool); ok {
			delete(out, excl)
			if on && out[bound] != nil {
				out[excl] = out[bound]
				delete(out, bound)
			}
		}
	}
	if s["nullable"] == true {
		return map[string]any{"anyOf": []any{map[string]any{"type": "null"}, out}}
	}
	return out
}
