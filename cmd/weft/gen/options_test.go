package gen

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

func parseDoc(t *testing.T, text string) *openapi.Document {
	t.Helper()
	doc, diags := openapi.Parse("doc.yaml", []byte(text))
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return doc
}

func load(t *testing.T, path string) *openapi.Document {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return parseDoc(t, string(text))
}

// Defaults that are times are printed alike on every machine.
func TestDefaultZones(t *testing.T) {
	was := time.Local
	defer func() { time.Local = was }()
	for text, want := range map[string]string{
		"2020-01-02T03:04:05Z":      "time.Date(2020, time.January, 2, 3, 4, 5, 0, time.UTC)",
		"2020-01-02T03:04:05+00:00": "time.Date(2020, time.January, 2, 3, 4, 5, 0, time.UTC)",
		"2020-01-02T03:04:05+01:00": `time.Date(2020, time.January, 2, 3, 4, 5, 0, time.FixedZone("", 3600))`,
	} {
		t.Run(text, func(t *testing.T) {
			for _, zone := range []*time.Location{time.UTC, time.FixedZone("here", 0), time.FixedZone("here", 3600)} {
				time.Local = zone
				doc := parseDoc(t, `openapi: 3.1.0
info: {title: t, version: "1"}
paths: {}
components: {schemas: {A: {type: object, properties: {at: {type: string, format: date-time, default: "`+text+`"}}}}}
`)
				files, _, err := OpenAPI(doc, Options{Package: "api"})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.ContainsFunc(files, func(f File) bool { return strings.Contains(string(f.Data), want) }) {
					t.Errorf("in %v no file has %s", zone, want)
				}
			}
		})
	}
}

// Whatever is chosen, the text compiles.
func TestOptions(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks the library from source")
	}
	check := typeChecker()
	all := ir.Methods{NoMarshal: true, NoUnmarshal: true}
	for _, path := range []string{"testdata/shapes.yaml", "testdata/semantics.yaml"} {
		for _, opts := range []Options{
			{Methods: ir.Methods{NoMarshal: true}}, {Methods: ir.Methods{NoUnmarshal: true}}, {Methods: all},
			{BareEnums: true}, {Unknown: KeepUnknown}, {Unknown: RefuseUnknown}, {ByTag: true},
			{Select: openapi.Selection{NoSchemas: []string{"Node", "Shape", "Leaf", "Tree"}}},
		} {
			opts.Package = "api"
			files, _, err := OpenAPI(load(t, path), opts)
			if err == nil {
				err = check(files)
			}
			if err != nil {
				t.Errorf("%s with %+v: %v", path, opts, err)
			}
			text := ""
			for _, f := range files {
				text += string(f.Data)
			}
			for method, out := range map[string]bool{"MarshalJSON(": opts.Methods.NoMarshal, "UnmarshalJSON(": opts.Methods.NoUnmarshal} {
				if strings.Contains(text, ") "+method) == out {
					t.Errorf("%s with %+v: %s", path, opts.Methods, method)
				}
			}
		}
	}
}

const small = `openapi: 3.1.0
info: {title: Small, version: "1"}
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      responses: {'200': {description: '', content: {application/json: {schema: {$ref: '#/components/schemas/Pets'}}}}}
  /admin/users:
    get:
      operationId: listUsers
      tags: [admin]
      parameters: [{$ref: '#/components/parameters/Limit'}]
      responses:
        '200':
          description: ''
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/User'}}}}
components:
  parameters:
    Limit: {name: limit, in: query, schema: {type: object, properties: {n: {type: integer}}}}
  schemas:
    Pets: {type: array, items: {$ref: '#/components/schemas/Pet'}}
    Pet:
      type: object
      properties:
        name: {type: string}
        tag: {type: object, properties: {id: {$ref: '#/components/schemas/Key'}}}
        sort: {type: string, enum: [up, low]}
    User:
      type: object
      properties:
        id: {$ref: '#/components/schemas/Key'}
        when: {type: string, x-go-type: time.Duration}
        pet: {$ref: '#/components/schemas/Pet'}
    Key: {type: string, x-go-type: github.com/google/uuid.UUID}
    Unused: {type: object, x-go-name: NeverUsed, properties: {a_b: {type: string, x-go-name: AsBefore}}}
`

func declNames(pkg *ir.Package) []string {
	var out []string
	for _, d := range pkg.Decls {
		out = append(out, d.Name)
	}
	slices.Sort(out)
	return out
}

// What is chosen brings along what it refers to, and nothing else.
func TestSelection(t *testing.T) {
	tests := []struct {
		name string
		sel  openapi.Selection
		want string
	}{
		{"all", openapi.Selection{}, "Key LimitParam NeverUsed Pet PetSort PetTag Pets User"},
		{"tag", openapi.Selection{Tags: []string{"pets"}}, "Key Pet PetSort PetTag Pets"},
		{"path", openapi.Selection{Paths: []string{"/admin/**"}}, "Key LimitParam Pet PetSort PetTag User"},
		{"schema", openapi.Selection{Schemas: []string{"U*"}}, "Key NeverUsed Pet PetSort PetTag User"},
		{"no tag", openapi.Selection{NoTags: []string{"admin"}}, "Key Pet PetSort PetTag Pets"},
		{"no path", openapi.Selection{NoPaths: []string{"/pets"}}, "Key LimitParam Pet PetSort PetTag User"},
		{"no schema", openapi.Selection{NoSchemas: []string{"Pet", "Unused"}}, "Key LimitParam Pets User"},
		{"both", openapi.Selection{Tags: []string{"*"}, NoPaths: []string{"/admin/*"}}, "Key Pet PetSort PetTag Pets"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pkg, _ := lower(parseDoc(t, small), Options{Package: "api", Select: tt.sel})
			if got := strings.Join(declNames(pkg), " "); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// Names are those the caller gives, else the document, else made of its own.
func TestRename(t *testing.T) {
	doc := parseDoc(t, small)
	opts := Options{Package: "api", BareEnums: true, Rename: map[string]string{
		"Pet": "Animal", "Pet.name": "Title", "#/components/schemas/Pet/properties/tag": "Label",
	}}
	pkg, warnings := lower(doc, opts)
	if got := strings.Join(declNames(pkg), " "); got != "Animal AnimalSort Key Label LimitParam NeverUsed Pets User" || len(warnings) > 0 {
		t.Errorf("%s, %v", got, warnings)
	}
	files, err := Print(pkg)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(files[0].Data)), " ")
	for _, want := range []string{
		"Title slim.Val[string] `json:\"name,omitzero\"`", "AsBefore slim.Val[string] `json:\"a_b,omitzero\"`", "Up AnimalSort = \"up\"",
		"type Key = uuid.UUID", `"github.com/google/uuid"`, "When slim.Val[time.Duration]", "ID slim.Val[Key]",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, files[0].Data)
		}
	}
	if strings.Count(text, `"time"`) != 1 {
		t.Errorf("imports:\n%s", files[0].Data)
	}
}

// Names do not change when something that has nothing to do with them does.
func TestStableNames(t *testing.T) {
	for _, path := range []string{"testdata/shapes.yaml", "testdata/semantics.yaml"} {
		origins := func(change func(*openapi.Document)) map[string]string {
			doc := load(t, path)
			change(doc)
			pkg, _ := lower(doc, Options{Package: "api"})
			out := make(map[string]string)
			for _, d := range pkg.Decls {
				for _, f := range d.Fields {
					out[d.Origin+" "+f.Wire] = f.Name
				}
				for _, v := range d.Values {
					out[d.Origin+" "+v.Text] = v.Name
				}
				out[d.Name+d.Origin] = d.Name
			}
			return out
		}
		was := origins(func(*openapi.Document) {})
		inline, shared := make(map[string][]string), make(map[string]int)
		l := lowered(load(t, path), Options{Package: "api"})
		for _, s := range l.doc.Schemas {
			if key := l.likeness(s); key != "" {
				at := strings.Join(strings.SplitN(s.Pointer, "/", 5)[:min(4, strings.Count(s.Pointer, "/")+1)], "/")
				inline[at] = append(inline[at], key)
				shared[key]++
			}
		}
		schemas := load(t, path).Components.Schemas
		for i, e := range schemas {
			gone := origins(func(doc *openapi.Document) {
				// Names that are one in Go have to do with each other, and so do inline schemas that say the same.
				alike := slices.ContainsFunc(schemas, func(o openapi.Entry[openapi.Schema]) bool {
					return o.Name != e.Name && ir.GoName(o.Name) == ir.GoName(e.Name)
				}) || slices.ContainsFunc(inline[e.Value.Pointer], func(key string) bool { return shared[key] > 1 })
				if !alike && !referred(doc, doc.Components.Schemas[i].Value) {
					doc.Components.Schemas = slices.Delete(doc.Components.Schemas, i, i+1)
				}
			})
			for key, name := range gone {
				if was[key] != name {
					t.Fatalf("%s without %s: %s is %s, was %s", path, e.Name, key, name, was[key])
				}
			}
		}
		more := origins(func(doc *openapi.Document) {
			other := parseDoc(t, small)
			doc.Components.Schemas = append(slices.Clone(other.Components.Schemas), doc.Components.Schemas...)
			doc.Paths = append(slices.Clone(other.Paths), doc.Paths...)
		})
		for _, key := range slices.Sorted(maps.Keys(was)) {
			if more[key] != was[key] {
				t.Errorf("%s with other schemas: %s is %s, was %s", path, key, more[key], was[key])
			}
		}
	}
}

// referred reports whether something in doc refers to s.
func referred(doc *openapi.Document, s *openapi.Schema) bool {
	var others []any
	for _, t := range doc.Schemas {
		if t != s {
			others = append(others, *t)
		}
	}
	return openapi.Families(nil).Reach(nil, others...)[s]
}

// A schema whose parts contradict each other is told of.
func TestContradiction(t *testing.T) {
	doc := parseDoc(t, `{openapi: 3.0.3, info: {title: t, version: "1"}, paths: {}, components: {schemas: {
		A: {type: object, properties: {a: {}}, allOf: [{type: array, items: {}}]},
		B: {type: object, allOf: [{type: array, items: {type: string}}]}}}}`)
	pkg, warnings := lower(doc, Options{Package: "api"})
	if len(warnings) != 1 || !strings.Contains(warnings[0].Message, "no value is of all the types") {
		t.Errorf("%v", warnings)
	}
	for _, d := range pkg.Decls {
		if d.Name == "B" && d.Type.Kind != ir.Slice {
			t.Errorf("B is %s", newPrinter().typeName(d.Type))
		}
	}
}

// A pattern that values are not checked by is told of once, and the others are as the document has them.
func TestUncheckedPattern(t *testing.T) {
	doc := parseDoc(t, `{openapi: 3.0.3, info: {title: t, version: "1"}, paths: {}, components: {schemas: {
		A: {type: object, properties: {a: {type: string, pattern: '(?!x)'}, b: {type: string, pattern: '^\u00e9{2000}$'}}},
		B: {not: {$ref: '#/components/schemas/A'}}}}}`)
	pkg, warnings := lower(doc, Options{Package: "api"})
	if want := `values are not checked by pattern "(?!x)", offset 0: look-ahead is not supported`; len(warnings) != 1 ||
		!strings.HasPrefix(warnings[0].Message, want) {
		t.Errorf("%v", warnings)
	}
	var got []string
	for _, d := range pkg.Decls {
		for _, f := range d.Fields {
			got = append(got, f.Type.Check...)
		}
	}
	if !slices.Equal(got, []string{`pattern=^\u00e9{2000}$`}) {
		t.Errorf("%q", got)
	}
}

// What the caller asks for in vain is told of.
func TestIdleOptions(t *testing.T) {
	_, warnings := lower(parseDoc(t, small),
		Options{Package: "api", Rename: map[string]string{"Pet": "Animal", "Pet.tag": "Label", "Pte": "X"},
			Select: openapi.Selection{Tags: []string{"pets", "pest"}, NoPaths: []string{"/none"}, NoSchemas: []string{"Un*", "Z*"}}})
	var got []string
	for _, w := range warnings {
		got = append(got, w.Message)
	}
	want := []string{
		`no schema or member is called "Pte", so none is renamed to "X"`, `no operation has the tag "pest"`,
		`no operation has the path "/none"`, `no schema is called "Z*"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A default that its own schema forbids is not applied, and a warning says so with its place.
func TestForbiddenDefaults(t *testing.T) {
	doc := parseDoc(t, `openapi: 3.1.0
info: {title: t, version: "1"}
components:
  schemas:
    Name: {type: string, minLength: 4}
    Own:
      type: object
      properties:
        short: {$ref: '#/components/schemas/Name', default: bad}
        long: {$ref: '#/components/schemas/Name', default: good}
        list: {type: array, items: {type: integer, maximum: 3}, default: [1, 4]}
        at: {type: string, format: time, default: noon}
        none: {type: string, default: null}
`)
	pkg, warnings := lower(doc, Options{Package: "api"})
	for _, want := range []string{
		`9:61: warning: the default of Own.Short is not applied: its own schema does not allow it ` +
			`(must have at least 4 characters, not 3): correct one of them`,
		`11:74: warning: the default of Own.List is not applied: its own schema does not allow it ` +
			`(at /1: must be at most 3, not 4): correct one of them`,
		`12:51: warning: the default of Own.At is not applied: its own schema does not allow it ` +
			`(must be a time, not "noon"): correct one of them`,
	} {
		if !strings.Contains(warnings.String(), want) {
			t.Errorf("no %s in\n%s", want, warnings)
		}
	}
	for _, f := range declOf(pkg, "#/components/schemas/Own").Fields {
		if (f.Default != "") != (f.Wire == "long") {
			t.Errorf("%s: default %s", f.Wire, f.Default)
		}
	}
}

// What documents say that Go does not have in the same way is printed as Go all the same.
func TestOddDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks the library from source")
	}
	check := typeChecker()
	for _, tt := range []struct{ name, schemas, want, not string }{
		{"integers beyond the type", `A: {type: integer, format: int8, enum: [1, 2, 128]}`, "A2 A = 2", "128"},
		{"one integer beyond the type", `A: {type: object, properties: {a: {type: integer, format: uint8, enum: [256]}}}`, "", "const=256"},
		{"a number beyond the type", `A: {type: number, enum: [0.5, 1.5, 1e400]}`, "= 1.5", "e400"},
		{"a zero byte and a mark in a description", `A: {type: object, description: "a\u0000b\ufeff c"}`, "// ab c", ""},
		{"members called String and Valid", `A: {type: object, properties: {String: {type: string}, valid: {type: boolean}}}`,
			"Valid  slim.Val[bool]", "Field"},
		{"a package that the target imports", `A: {type: integer, x-go-type-import: {name: when, path: time}}, B: {type: object, properties: {
			b: {$ref: '#/components/schemas/A', x-go-type: when.Duration}}}`, "slim.Val[time.Duration]", ""},
		{"a type of go-swagger's form",
			`A: {type: object, properties: {a: {type: string, x-go-type: {type: Addr, import: {package: net/netip}}}}}`, "slim.Val[netip.Addr]", ""},
		{"the default of a union by constants", `A: {type: object, properties: {u: {default: {k: b, n: 1}, oneOf: [
			{type: object, required: [k], properties: {k: {enum: [a]}}},
			{type: object, required: [k], properties: {k: {enum: [b]}, n: {type: integer}}}]}}}`,
			`U: AU{V: &AUB{K: "b", N: slim.Val[int64]{V: 1, Valid: true}}},`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc := parseDoc(t, "{openapi: 3.1.0, info: {title: t, version: '1'}, paths: {}, components: {schemas: {"+tt.schemas+"}}}")
			files, _, err := OpenAPI(doc, Options{Package: "api"})
			if err == nil {
				err = check(files)
			}
			if err != nil {
				t.Fatal(err)
			}
			if text := string(files[0].Data); !strings.Contains(text, tt.want) || tt.not != "" && strings.Contains(text, tt.not) {
				t.Errorf("%s", text)
			}
		})
	}
}
