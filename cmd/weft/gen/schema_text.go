package gen

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
	"github.com/weftcodec/weft/schema"
)

// schemaTexts are the JSON Schemas that the package checks values by, where Go
// types do not hold what the document says. They are written when every type is
// known.
type schemaTexts struct {
	l       *lowerer
	names   map[*openapi.Schema]string
	due     []*openapi.Schema // referred to, without a text yet
	pending []pendingText
	choices map[*openapi.Schema]string // the variable that decides between the variants of a oneOf or anyOf
}

type pendingText struct {
	name   string
	schema *openapi.Schema
}

// Schemas returns the schemas of the components of doc, by which values can be checked without a Go type, and
// their names.
func Schemas(doc *openapi.Document) (table *schema.Set, names []string) {
	t := schemaTexts{l: lowered(doc, Options{Package: "api"}), names: make(map[*openapi.Schema]string)}
	for _, e := range doc.Components.Schemas {
		names = append(names, t.ref(e.Value))
	}
	var pairs []string
	t.each(func(name, text string) { pairs = append(pairs, name, text) })
	return schema.New(pairs...), names
}

// variable returns the variable for a schema that says what all of the list
// say, called after place.
func (t *schemaTexts) variable(prefix, place string, list []*openapi.Schema) string {
	name := t.l.pkg.Scope.Pick(prefix + place)
	s := &openapi.Schema{AllOf: list}
	if len(list) == 1 {
		s = list[0]
	}
	t.pending = append(t.pending, pendingText{name, s})
	return name
}

// both returns the variable for what the schemas of two variables say together,
// each of which may be "" for none.
func (t *schemaTexts) both(a, b string) string {
	if a == "" || b == "" || a == b {
		return or(a, b)
	}
	of := func(name string) *openapi.Schema {
		return t.pending[slices.IndexFunc(t.pending, func(p pendingText) bool { return p.name == name })].schema
	}
	return t.variable(a, "And", []*openapi.Schema{of(a), of(b)})
}

// write writes the texts, those that others refer to included.
func (t *schemaTexts) write() {
	for _, p := range t.pending {
		t.l.pkg.Schemas = append(t.l.pkg.Schemas, &ir.Schema{Name: "#" + p.name, Text: t.text(p.schema), Var: p.name})
	}
	t.each(func(name, text string) { t.l.pkg.Schemas = append(t.l.pkg.Schemas, &ir.Schema{Name: name, Text: text}) })
}

// each calls f for the schemas that have been referred to, and those to which they refer.
func (t *schemaTexts) each(f func(name, text string)) {
	for len(t.due) > 0 {
		s := t.due[0]
		t.due = t.due[1:]
		f(t.names[s], t.text(s))
	}
}

// ref returns the name of the schema in the table.
func (t *schemaTexts) ref(s *openapi.Schema) string {
	if name, ok := t.names[s]; ok {
		return name
	}
	name := strings.TrimPrefix(s.Pointer, "#/components/schemas/")
	t.names[s] = name
	t.due = append(t.due, s)
	return name
}

// text returns s as the text of a JSON Schema, what checks nothing left out.
func (t *schemaTexts) text(s *openapi.Schema) string {
	if s.Boolean != nil {
		if *s.Boolean {
			return "true"
		}
		return "false"
	}
	w := schemaWriter{t: t}
	w.b.WriteByte('{')
	if s.Target != nil {
		w.str("$ref", t.ref(s.Target))
	}
	w.types(s)
	if s.Enum != nil {
		w.nodes("enum", enumOf(s))
	}
	if s.Const != nil {
		w.key("const")
		w.node(s.Const)
	}
	w.scalar(s)
	w.object(s)
	w.array(s)
	for _, l := range []struct {
		name string
		list []*openapi.Schema
	}{{"allOf", s.AllOf}, {"oneOf", s.OneOf}, {"anyOf", s.AnyOf}, {"prefixItems", s.PrefixItems}} {
		if name := t.choices[s]; name == "" || len(l.list) == 0 || l.name != "oneOf" && l.name != "anyOf" || len(s.OneOf) > 0 && len(s.AnyOf) > 0 {
			w.list(l.name, l.list)
		} else {
			w.choice(name, l.list)
		}
	}
	for _, p := range []struct {
		name string
		s    *openapi.Schema
	}{{"not", s.Not}, {"if", s.If}, {"then", s.Then}, {"else", s.Else}, {"propertyNames", s.PropertyNames}, {"contains", s.Contains}, {"items", s.Items}} {
		w.schema(p.name, p.s)
	}
	w.b.WriteByte('}')
	if text := w.b.String(); !s.Nullable || s.Types.Has(openapi.TypeNull) || text == "{}" {
		return text
	}
	return `{"anyOf":[{"type":"null"},` + w.b.String() + `]}`
}

// enumOf returns the values of the enum of s, with null where the types have it,
// as documents mean it and the types of members are.
func enumOf(s *openapi.Schema) []*openapi.Node {
	if !s.Types.Has(openapi.TypeNull) || slices.ContainsFunc(s.Enum, isNull) {
		return s.Enum
	}
	return append(slices.Clone(s.Enum), &openapi.Node{Kind: openapi.Null})
}

// schemaWriter writes the text of one schema.
type schemaWriter struct {
	t *schemaTexts
	b bytes.Buffer
}

func (w *schemaWriter) key(name string) {
	if w.b.Len() > 1 {
		w.b.WriteByte(',')
	}
	w.quoted(name)
	w.b.WriteByte(':')
}

func (w *schemaWriter) quoted(text string) {
	e := json.NewEncoder(&w.b)
	e.SetEscapeHTML(false)
	if e.Encode(text) == nil {
		w.b.Truncate(w.b.Len() - 1) // the newline
	}
}

func (w *schemaWriter) str(name, text string) {
	w.key(name)
	w.quoted(text)
}

func (w *schemaWriter) number(name string, n *openapi.Number) {
	if n != nil {
		w.key(name)
		w.b.WriteString(n.Text)
	}
}

func (w *schemaWriter) schema(name string, s *openapi.Schema) {
	if s != nil {
		w.key(name)
		w.b.WriteString(w.t.text(s))
	}
}

func (w *schemaWriter) list(name string, list []*openapi.Schema) {
	if len(list) == 0 {
		return
	}
	w.key(name)
	for i, s := range list {
		w.b.WriteByte("[,"[min(i, 1)])
		w.b.WriteString(w.t.text(s))
	}
	w.b.WriteByte(']')
}

// choice writes the choice between the list as that which the union decides by,
// so that one decision serves both.
func (w *schemaWriter) choice(name string, list []*openapi.Schema) {
	w.key("anyOf")
	w.b.WriteString("[{")
	inner := schemaWriter{t: w.t}
	inner.b.WriteByte('{')
	inner.str("$ref", "#"+name)
	w.b.Write(inner.b.Bytes()[1:])
	w.b.WriteByte('}')
	for _, s := range list {
		if onlyNull(s) {
			w.b.WriteString(`,{"type":"null"}`)
			break
		}
	}
	w.b.WriteByte(']')
}

func (w *schemaWriter) types(s *openapi.Schema) {
	var list []string
	for _, name := range strings.Split(s.Types.String(), "|") {
		if name != "" {
			list = append(list, name)
		}
	}
	switch len(list) {
	case 0:
	case 1:
		w.str("type", list[0])
	default:
		w.key("type")
		for i, name := range list {
			w.b.WriteByte("[,"[min(i, 1)])
			w.quoted(name)
		}
		w.b.WriteByte(']')
	}
}

func (w *schemaWriter) scalar(s *openapi.Schema) {
	if checkedFormats[s.Format] || intKinds[s.Format] != 0 {
		w.str("format", s.Format)
	}
	w.number("minimum", s.Minimum)
	w.number("maximum", s.Maximum)
	w.number("exclusiveMinimum", s.ExclusiveMinimum)
	w.number("exclusiveMaximum", s.ExclusiveMaximum)
	w.number("multipleOf", s.MultipleOf)
	w.number("minLength", s.MinLength)
	w.number("maxLength", s.MaxLength)
	if s.Pattern != "" && w.t.l.compiles(s.Pattern, s.PatternPos) {
		w.str("pattern", s.Pattern)
	}
}

func (w *schemaWriter) object(s *openapi.Schema) {
	w.members("properties", s.Properties)
	w.members("patternProperties", w.checked(s.PatternProperties))
	w.schemaOrBool("additionalProperties", s.AdditionalProperties)
	w.schemaOrBool("unevaluatedProperties", s.UnevaluatedProperties)
	w.members("dependentSchemas", s.DependentSchemas)
	w.names("required", slices.DeleteFunc(slices.Clone(s.Required), func(name openapi.Text) bool {
		p := s.Properties.Get(name.Value)
		return p != nil && (p.ReadOnly || p.WriteOnly) // only in one direction
	}))
	w.number("minProperties", s.MinProperties)
	w.number("maxProperties", s.MaxProperties)
	if s.DependentRequired == nil {
		return
	}
	w.key("dependentRequired")
	inner := schemaWriter{t: w.t}
	inner.b.WriteByte('{')
	for _, d := range s.DependentRequired {
		inner.names(d.Name, d.Required)
	}
	w.b.Write(inner.b.Bytes())
	w.b.WriteByte('}')
}

func (w *schemaWriter) names(key string, list []openapi.Text) {
	if list == nil {
		return
	}
	w.key(key)
	w.b.WriteByte('[')
	for i, name := range list {
		if i > 0 {
			w.b.WriteByte(',')
		}
		w.quoted(name.Value)
	}
	w.b.WriteByte(']')
}

// checked returns patterns with their schemas. One that is not checked is the empty one, which fits every name:
// what is not checked is allowed.
func (w *schemaWriter) checked(patterns openapi.Map[openapi.Schema]) openapi.Map[openapi.Schema] {
	out := slices.Clone(patterns)
	for i, e := range out {
		if !w.t.l.compiles(e.Name, e.Pos) {
			out[i].Name, out[i].Value = "", &openapi.Schema{}
		}
	}
	return out
}

func (w *schemaWriter) members(key string, m openapi.Map[openapi.Schema]) {
	if m == nil {
		return
	}
	w.key(key)
	inner := schemaWriter{t: w.t}
	inner.b.WriteByte('{')
	for _, e := range m {
		inner.schema(e.Name, e.Value)
	}
	w.b.Write(inner.b.Bytes())
	w.b.WriteByte('}')
}

func (w *schemaWriter) schemaOrBool(key string, x *openapi.SchemaOrBool) {
	switch {
	case x == nil:
	case x.Schema != nil:
		w.schema(key, x.Schema)
	default:
		w.key(key)
		if x.Allow {
			w.b.WriteString("true")
		} else {
			w.b.WriteString("false")
		}
	}
}

func (w *schemaWriter) array(s *openapi.Schema) {
	w.number("minItems", s.MinItems)
	w.number("maxItems", s.MaxItems)
	w.number("minContains", s.MinContains)
	w.number("maxContains", s.MaxContains)
	w.schemaOrBool("unevaluatedItems", s.UnevaluatedItems)
	if s.UniqueItems {
		w.key("uniqueItems")
		w.b.WriteString("true")
	}
}

func (w *schemaWriter) nodes(key string, list []*openapi.Node) {
	w.key(key)
	w.b.WriteByte('[')
	for i, n := range list {
		if i > 0 {
			w.b.WriteByte(',')
		}
		w.node(n)
	}
	w.b.WriteByte(']')
}

// node writes a value of the document.
func (w *schemaWriter) node(n *openapi.Node) {
	switch n.Kind {
	case openapi.String:
		w.quoted(n.Text)
	case openapi.Array:
		for i, item := range n.Items {
			w.b.WriteByte("[,"[min(i, 1)])
			w.node(item)
		}
		if len(n.Items) == 0 {
			w.b.WriteByte('[')
		}
		w.b.WriteByte(']')
	case openapi.Object:
		w.b.WriteByte('{')
		for i, m := range n.Members {
			if i > 0 {
				w.b.WriteByte(',')
			}
			w.quoted(m.Name)
			w.b.WriteByte(':')
			w.node(m.Value)
		}
		w.b.WriteByte('}')
	case openapi.Null:
		w.b.WriteString("null")
	default:
		w.b.WriteString(n.Text)
	}
}
