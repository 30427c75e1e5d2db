package gen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
	weftjson "github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/schema"
)

// The types of random schemas take what the schemas allow and refuse what they do
// not, as the library evaluates them and as another validator does. The first two
// seeds are tried; WEFT_RANDOM=FROM-TO or a number tries others.
func TestRandomSchemas(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	from, to := uint64(1), uint64(2)
	if text := os.Getenv("WEFT_RANDOM"); text != "" {
		low, high, ok := strings.Cut(text, "-")
		if !ok {
			high = low
		}
		var err, err2 error
		from, err = strconv.ParseUint(low, 10, 64)
		to, err2 = strconv.ParseUint(high, 10, 64)
		if err != nil || err2 != nil {
			t.Fatalf("WEFT_RANDOM is %q: write 3 or 3-50", text)
		}
	}
	for seed := from; seed <= to; seed++ {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) { randomSchemas(t, seed, 40, 40) })
	}
}

// randomSchemas compares the verdicts on n instances of each of so many schemas.
func randomSchemas(t *testing.T, seed uint64, schemas, n int) {
	r := rand.New(rand.NewPCG(seed, 7))
	text, err := json.Marshal(newSchemaMaker(r, schemas).document())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "random.json")
	write(t, path, string(text))
	doc, diags := openapi.Load(path)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	dir, pkg := module(t, path)
	instances, names := make(map[string][]json.RawMessage), make(map[string]string)
	g := guesser{r}
	for _, e := range doc.Components.Schemas {
		d := declOf(pkg, e.Value.Pointer)
		if d == nil || d.Kind == ir.Alias {
			continue // that has no methods, but is in a box
		}
		names[d.Name] = e.Name
		for range n {
			text, err := json.Marshal(g.changed(g.value(e.Value, 0)))
			if err != nil {
				t.Fatal(err)
			}
			if len(text) < 5000 && string(text) != "null" { // null is of the place, says the documentation
				instances[d.Name] = append(instances[d.Name], text)
			}
		}
	}
	verdicts := judge(t, dir, pkg, instances)
	own, reference := evaluatorOf(t, doc), newReference(t, doc)
	total, valid := 0, 0
	for _, d := range pkg.Decls {
		name := names[d.Name]
		if name == "" {
			continue
		}
		schema, err := reference.Compile("doc.json#/components/schemas/" + name)
		if err != nil {
			t.Fatal(err)
		}
		shown := 0
		for i, text := range instances[d.Name] {
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			verdict, theirs := verdicts[d.Name][i], schema.Validate(v)
			ours := weftjson.UnmarshalWith(text, &evaluated{own.Get(name)})
			if total++; ours == nil {
				valid++
			}
			if (ours == nil) == (verdict == "") && (theirs == nil) == (verdict == "") {
				continue
			}
			if shown++; shown < 3 {
				t.Errorf("%s: the type says %q, the evaluator %v, the validator %v\n%s\nof %s", name, verdict, ours, theirs, text,
					schemaText(doc, name, map[string]bool{}))
			}
		}
	}
	t.Logf("%d instances, %d of them valid", total, valid)
	if valid < total/20 || valid > total*19/20 {
		t.Errorf("%d of %d instances are valid: they tell little", valid, total)
	}
}

// schemaText returns the schema called name and those it refers to.
func schemaText(doc *openapi.Document, name string, seen map[string]bool) string {
	if seen[name] {
		return ""
	}
	seen[name] = true
	text := string(openapi.AppendJSON(nil, doc.Node.Get("components").Get("schemas").Get(name)))
	out := name + ": " + text
	for _, part := range strings.Split(text, `"#/components/schemas/`)[1:] {
		to, _, _ := strings.Cut(part, `"`)
		if more := schemaText(doc, to, seen); more != "" {
			out += "\n" + more
		}
	}
	return out
}

// evaluated reads a value that a schema must allow.
type evaluated struct{ schema *schema.Schema }

func (e evaluated) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	r.Refuse(e.schema.Check(r))
	r.Skip()
	return r.Err()
}

// asWritten returns a pattern as it is.
func asWritten(pattern string) (string, error) { return pattern, nil }

// evaluatorOf returns the schemas of doc as the library evaluates them.
func evaluatorOf(t *testing.T, doc *openapi.Document) *schema.Set {
	t.Helper()
	var pairs []string
	for _, m := range doc.Node.Get("components").Get("schemas").Members {
		text, err := json.Marshal(reference(plain(m.Value), false, asWritten))
		if err != nil {
			t.Fatal(err)
		}
		pairs = append(pairs, m.Name, strings.ReplaceAll(string(text), "#/components/schemas/", ""))
	}
	return schema.New(pairs...)
}

// changed returns v, or v with something in it that is another.
func (g *guesser) changed(v any) any {
	switch {
	case g.chance(2):
		return v
	case g.chance(8):
		return g.anything()
	}
	switch v := v.(type) {
	case []any:
		switch i := g.rand.IntN(len(v) + 1); {
		case i == len(v):
			return append(v, g.anything())
		case g.chance(4):
			return append(v[:i:i], v[i+1:]...)
		case g.chance(4):
			return append(v, v[i])
		default:
			v[i] = g.changed(v[i])
		}
	case map[string]any:
		names := sortedNames(v)
		switch i := g.rand.IntN(len(names) + 1); {
		case i == len(names):
			v[randomNames[g.rand.IntN(len(randomNames))]] = g.anything()
		case g.chance(4):
			delete(v, names[i])
		default:
			v[names[i]] = g.changed(v[names[i]])
		}
	case string:
		return randomTexts[g.rand.IntN(len(randomTexts))]
	case json.Number:
		return json.Number(strconv.Itoa(g.rand.IntN(9) - 2))
	}
	return v
}

var (
	randomNames = []string{"a", "b", "c", "kind", "more"}
	randomTexts = []string{"ax", "ay", "x", "abc", "a", "", "abz", "xyz", "2024-02-29"}
)

// schemaMaker makes random schemas of what the generator knows, but for where
// docs/openapi.md says that it differs from JSON Schema.
type schemaMaker struct {
	rand  *rand.Rand
	names []string
	made  object // those of the last of the names, which are made first
}

type object = map[string]any

func newSchemaMaker(r *rand.Rand, n int) *schemaMaker {
	m := &schemaMaker{rand: r}
	for i := range n {
		m.names = append(m.names, fmt.Sprintf("S%d", i))
	}
	return m
}

// document returns a document of the schemas, and of boxes that use them in every
// place.
func (m *schemaMaker) document() object {
	m.made = make(object)
	boxes := make(object)
	for i := len(m.names) - 1; i >= 0; i-- {
		name := m.names[i]
		s := m.object(1, true)
		if m.chance(40) {
			s = m.schema(1, true)
		}
		m.made[name] = s
		if ref := refTo(name); i%2 == 0 {
			boxes["Box"+name] = object{
				"type":       "object",
				"required":   []any{"v"},
				"properties": object{"v": ref, "o": ref, "l": object{"type": "array", "items": ref}},
			}
		} else {
			boxes["Box"+name] = object{"type": "object", "additionalProperties": ref}
		}
	}
	return object{
		"openapi":    "3.1.0",
		"info":       object{"title": "Random", "version": "1"},
		"paths":      object{},
		"components": object{"schemas": with(boxes, m.made)},
	}
}

func (m *schemaMaker) chance(percent int) bool { return m.rand.IntN(100) < percent }

// some returns from least to most of the list, in its order.
func some[T any](m *schemaMaker, list []T, least, most int) []any {
	n := least + m.rand.IntN(most-least+1)
	out := []any{}
	for i, x := range list {
		if m.rand.IntN(len(list)-i) < n-len(out) {
			out = append(out, x)
		}
	}
	return out
}

// one returns one of the objects.
func (m *schemaMaker) one(list ...object) object { return list[m.rand.IntN(len(list))] }

func refTo(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// ref returns a reference. In the place of the schema it is in it leads to one that
// is made, so that none is made of itself.
func (m *schemaMaker) ref(inPlace bool) object {
	first := 0
	if inPlace {
		if first = len(m.names) - len(m.made); first == len(m.names) {
			return m.scalar()
		}
	}
	return refTo(m.names[first+m.rand.IntN(len(m.names)-first)])
}

// schemas returns from least to most schemas that hold for one value.
func (m *schemaMaker) schemas(least, most, depth int) []any {
	out := make([]any, least+m.rand.IntN(most-least+1))
	for i := range out {
		out[i] = m.schema(depth, true)
	}
	return out
}

// choices returns a oneOf of choices of several Go types, as those of one are one
// choice, says the documentation. At most one of them allows null, which is of the
// place where a type is used and not of one of its types.
func (m *schemaMaker) choices(depth int) object {
	var list []any
	var kinds []string
	null := false
	for _, s := range m.schemas(1, 3, depth) {
		kind := m.kind(s)
		if len(list) > 0 && (kind != "" && slices.Contains(kinds, kind) || null && m.allowsNull(s.(object))) {
			continue
		}
		list, kinds, null = append(list, s), append(kinds, kind), null || m.allowsNull(s.(object))
	}
	return object{"oneOf": list}
}

// kind tells which Go type is made of s where another schema may have the same.
func (m *schemaMaker) kind(v any) string {
	s, _ := v.(object)
	for _, name := range []string{"oneOf", "anyOf", "allOf"} {
		list, _ := s[name].([]any)
		list = slices.DeleteFunc(slices.Clone(list), func(s any) bool { return s.(object)["type"] == "null" })
		if len(list) == 1 && len(s) == 1 {
			return m.kind(list[0])
		}
	}
	switch t := s["type"].(type) {
	case []any:
		if t[1] == "null" {
			return t[0].(string)
		}
	case string:
		if t == "array" && (len(s) == 1 || len(s) == 2 && s["items"] != nil) {
			return "array of " + m.kind(s["items"])
		}
		if len(s) == 1 {
			return t
		}
	}
	if ref, ok := s["$ref"].(string); ok {
		if to := m.kind(m.made[ref[strings.LastIndexByte(ref, '/')+1:]]); to != "" {
			return to
		}
		return ref
	}
	return ""
}

// allowsNull reports whether null is valid for s.
func (m *schemaMaker) allowsNull(s object) bool {
	if ref, ok := s["$ref"].(string); ok {
		return m.allowsNull(m.made[ref[strings.LastIndexByte(ref, '/')+1:]].(object))
	}
	for _, name := range []string{"oneOf", "anyOf"} {
		if list, ok := s[name].([]any); ok && s["type"] == nil {
			return slices.ContainsFunc(list, func(s any) bool { return m.allowsNull(s.(object)) })
		}
	}
	if list, ok := s["allOf"].([]any); ok {
		return !slices.ContainsFunc(list, func(s any) bool { return !m.allowsNull(s.(object)) })
	}
	types, _ := s["type"].([]any)
	return s["type"] == "null" || slices.Contains(types, any("null"))
}

// with returns s with the members of t.
func with(s, t object) object {
	for name, v := range t {
		s[name] = v
	}
	return s
}

// scalar returns a schema of scalars. A keyword stands beside its type: without
// one the generator takes it for that, which is a documented difference. What an
// enum or a const lists is not held against a length, a pattern or a range of
// another part, which is another: so all that are listed fit all of those.
func (m *schemaMaker) scalar() object {
	switch m.rand.IntN(8) {
	case 0:
		return with(object{"type": "string"}, m.one(nil, object{"minLength": 2}, object{"maxLength": 3},
			object{"pattern": "^a"}, object{"minLength": 1, "pattern": "[xyz]$"}))
	case 1:
		return with(object{"type": "integer"}, m.one(nil, object{"minimum": 2}, object{"maximum": 6}, object{"multipleOf": 3},
			object{"format": "int32"}, object{"minimum": 0, "exclusiveMaximum": 7}))
	case 2:
		return with(object{"type": "number"}, m.one(nil, object{"exclusiveMinimum": 2}, object{"maximum": 6}, object{"multipleOf": 0.5}))
	case 3:
		return object{"type": "boolean"}
	case 4:
		return object{"type": "string", "enum": some(m, []string{"ax", "ay", "az", "abz"}, 1, 3)}
	case 5:
		return object{"const": []any{"ax", "ay", 3, 6, true}[m.rand.IntN(5)]}
	case 6:
		return object{"type": []any{[]any{"string", "integer", "boolean", "number"}[m.rand.IntN(4)], []any{"null", "array"}[m.rand.IntN(2)]}}
	}
	return object{"enum": some(m, []any{"ax", 3, 2.5, true, "ay"}, 1, 3)}
}

// schema returns any schema.
//
// In the place of another it is a part of what holds for the same value.
func (m *schemaMaker) schema(depth int, inPlace bool) object {
	x := m.rand.IntN(100)
	switch {
	case depth > 3 && x < 80 || depth <= 3 && x < 32:
		return m.scalar()
	case depth > 3 || x < 44:
		return m.ref(inPlace)
	case x < 60:
		return m.object(depth, inPlace)
	case x < 69:
		return m.array(depth)
	case x < 77:
		return m.choices(depth + 1)
	case x < 85:
		return object{"anyOf": m.schemas(1, 3, depth+1)}
	case x < 92:
		out := m.schemas(0, 1, depth+1)
		for range 1 + m.rand.IntN(2-len(out)) {
			out = append(out, m.object(depth+1, true))
		}
		return object{"allOf": out}
	case x < 95:
		if s := m.schema(depth+1, true); !m.allowsNull(s) {
			return object{"oneOf": []any{s, object{"type": "null"}}}
		}
		return m.scalar()
	case x < 97:
		return with(m.scalar(), object{"not": m.scalar()})
	}
	return with(m.object(depth, true), object{"oneOf": []any{m.object(depth+1, true), m.object(depth+1, true)}})
}

func (m *schemaMaker) array(depth int) object {
	s := object{"type": "array"}
	switch x := m.rand.IntN(100); {
	case x < 75:
		s["items"] = m.schema(depth+1, false)
	case x < 90:
		s["prefixItems"] = []any{m.schema(depth+1, false), m.schema(depth+1, false)}[:1+m.rand.IntN(2)]
		if m.chance(50) {
			s["items"] = m.schema(depth+1, false)
		}
	default:
		s["contains"] = m.scalar()
	}
	if m.chance(20) {
		// Of scalars: objects that differ in members that no field takes differ when they
		// are read, and are written alike.
		return object{"type": "array", "items": m.scalar(), "uniqueItems": true}
	}
	return with(s, m.one(nil, nil, object{"minItems": 1}, object{"maxItems": 2}))
}

// object returns a schema of objects. In the place of another it is not closed, as
// that sees the members of all parts, which is a documented difference.
func (m *schemaMaker) object(depth int, inPlace bool) object {
	props := make(object)
	list := some(m, randomNames[:4], 1, 3)
	for _, name := range list {
		props[name.(string)] = m.schema(depth+1, false)
	}
	if m.chance(10) { // nowhere else, see scalar
		props["more"] = object{"type": "string", "format": []string{"date", "date-time", "uuid", "ipv4"}[m.rand.IntN(4)]}
	}
	s := object{"type": "object", "properties": props}
	name := func() string { return randomNames[m.rand.IntN(4)] }
	if m.chance(60) {
		s["required"] = some(m, list, 1, len(list))
	}
	switch x := m.rand.IntN(100); {
	case x < 15:
		s["additionalProperties"] = true
	case x < 20 && !inPlace:
		s["additionalProperties"] = []any{false, m.scalar()}[m.rand.IntN(2)]
		return s
	}
	if m.chance(7) {
		s["patternProperties"] = object{[]string{"^a", "b$", "^[a-c]$"}[m.rand.IntN(3)]: m.schema(depth+1, false)}
	}
	if m.chance(5) {
		s["maxProperties"] = 2
	}
	if m.chance(20) && s["additionalProperties"] == true {
		s["minProperties"] = 2 // elsewhere members that no field takes count when they are read, and are not written
	}
	if m.chance(5) {
		s["dependentRequired"] = object{"a": []any{"b"}}
	}
	if m.chance(3) {
		s["dependentSchemas"] = object{name(): m.flat()}
	}
	if m.chance(4) {
		s["propertyNames"] = object{"type": "string", "maxLength": 3}
	}
	if m.chance(5) {
		s["not"] = object{"type": "object", "required": []any{name()}}
	}
	if m.chance(5) {
		s["if"] = object{"type": "object", "properties": object{"kind": object{"const": "ax"}}, "required": []any{"kind"}}
		s["then"] = object{"type": "object", "required": []any{name()}}
		if m.chance(30) {
			s["else"] = m.flat()
		}
	}
	if !inPlace && m.chance(10) {
		s["unevaluatedProperties"] = []any{false, m.scalar()}[m.rand.IntN(2)]
	}
	return s
}

// flat returns a schema of objects of scalars: for what holds for some values only.
// Members that it wants of what is in an object have no field there, so that what is
// read is written without them.
func (m *schemaMaker) flat() object {
	props := make(object)
	list := some(m, randomNames[:4], 1, 2)
	for _, name := range list {
		props[name.(string)] = m.scalar()
	}
	return object{"type": "object", "properties": props, "required": some(m, list, 0, len(list))}
}
