package gen

import (
	"cmp"
	"slices"
	"strconv"
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
		return cmp.Or(a, b)
	}
	of := func(name string) *openapi.Schema {
		return t.pending[slices.IndexFunc(t.pending, func(p pendingText) bool { return p.name == name })].schema
	}
	return t.variable(a, "And", []*openapi.Schema{of(a), of(b)})
}

// write writes the texts, those that others refer to included.
func (t *schemaTexts) write() {
	for _, p := range t.pending {
		t.l.pkg.Schemas = append(t.l.pkg.Schemas, &ir.Schema{Name: "#" + p.name, Text: t.text(p.schema)})
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
	return string(openapi.AppendJSON(nil, t.node(s)))
}

// node returns s as a JSON Schema.
func (t *schemaTexts) node(s *openapi.Schema) *openapi.Node {
	if s.Boolean != nil {
		return boolNode(*s.Boolean)
	}
	var w schemaObject
	if s.Target != nil {
		w.add("$ref", textNode(t.ref(s.Target)))
	}
	w.add("type", typesNode(s.Types))
	w.add("enum", listNode(enumOf(s), func(n *openapi.Node) *openapi.Node { return n }))
	w.add("const", s.Const)
	if checkedFormats[s.Format] || intKinds[s.Format] != 0 {
		w.add("format", textNode(s.Format))
	}
	w.number("minimum", s.Minimum)
	w.number("maximum", s.Maximum)
	w.number("exclusiveMinimum", s.ExclusiveMinimum)
	w.number("exclusiveMaximum", s.ExclusiveMaximum)
	w.number("multipleOf", s.MultipleOf)
	w.number("minLength", s.MinLength)
	w.number("maxLength", s.MaxLength)
	if s.Pattern != "" && t.l.compiles(s.Pattern, s.PatternPos) {
		w.add("pattern", textNode(s.Pattern))
	}
	w.add("properties", t.members(s.Properties))
	w.add("patternProperties", t.members(t.checked(s.PatternProperties)))
	w.add("additionalProperties", t.schemaOrBool(s.AdditionalProperties))
	w.add("unevaluatedProperties", t.schemaOrBool(s.UnevaluatedProperties))
	w.add("dependentSchemas", t.members(s.DependentSchemas))
	w.add("required", listNode(slices.DeleteFunc(slices.Clone(s.Required), func(name openapi.Text) bool {
		p := s.Properties.Get(name.Value)
		return p != nil && (p.ReadOnly || p.WriteOnly) // only in one direction
	}), nameNode))
	w.number("minProperties", s.MinProperties)
	w.number("maxProperties", s.MaxProperties)
	if s.DependentRequired != nil {
		var inner schemaObject
		for _, d := range s.DependentRequired {
			inner.add(d.Name, listNode(d.Required, nameNode))
		}
		w.add("dependentRequired", inner.node())
	}
	w.number("minItems", s.MinItems)
	w.number("maxItems", s.MaxItems)
	w.number("minContains", s.MinContains)
	w.number("maxContains", s.MaxContains)
	w.add("unevaluatedItems", t.schemaOrBool(s.UnevaluatedItems))
	if s.UniqueItems {
		w.add("uniqueItems", boolNode(true))
	}
	for _, l := range []struct {
		name string
		list []*openapi.Schema
	}{{"allOf", s.AllOf}, {"oneOf", s.OneOf}, {"anyOf", s.AnyOf}, {"prefixItems", s.PrefixItems}} {
		w.add(l.name, listNode(l.list, t.node))
	}
	for _, p := range []struct {
		name string
		s    *openapi.Schema
	}{{"not", s.Not}, {"if", s.If}, {"then", s.Then}, {"else", s.Else}, {"propertyNames", s.PropertyNames}, {"contains", s.Contains}, {"items", s.Items}} {
		if p.s != nil {
			w.add(p.name, t.node(p.s))
		}
	}
	if n := w.node(); !s.Nullable || s.Types.Has(openapi.TypeNull) || len(n.Members) == 0 {
		return n
	}
	var null schemaObject
	null.add("anyOf", &openapi.Node{Kind: openapi.Array, Items: []*openapi.Node{nullType(), w.node()}})
	return null.node()
}

// enumOf returns the values of the enum of s, with null where the types have it,
// as documents mean it and the types of members are.
func enumOf(s *openapi.Schema) []*openapi.Node {
	if s.Enum == nil || !s.Types.Has(openapi.TypeNull) || slices.ContainsFunc(s.Enum, isNull) {
		return s.Enum
	}
	return append(slices.Clone(s.Enum), &openapi.Node{Kind: openapi.Null, Text: "null"})
}

// checked returns patterns with their schemas. One that is not checked is the empty one, which fits every name:
// what is not checked is allowed.
func (t *schemaTexts) checked(patterns openapi.Map[openapi.Schema]) openapi.Map[openapi.Schema] {
	out := slices.Clone(patterns)
	for i, e := range out {
		if !t.l.compiles(e.Name, e.Pos) {
			out[i].Name, out[i].Value = "", &openapi.Schema{}
		}
	}
	return out
}

// members returns the object of the schemas of m, nil for none.
func (t *schemaTexts) members(m openapi.Map[openapi.Schema]) *openapi.Node {
	if m == nil {
		return nil
	}
	var w schemaObject
	for _, e := range m {
		w.add(e.Name, t.node(e.Value))
	}
	return w.node()
}

func (t *schemaTexts) schemaOrBool(x *openapi.SchemaOrBool) *openapi.Node {
	switch {
	case x == nil:
		return nil
	case x.Schema != nil:
		return t.node(x.Schema)
	}
	return boolNode(x.Allow)
}

// schemaObject is a JSON object that is being made.
type schemaObject []openapi.Member

// add adds the member called name, unless it is nil.
func (o *schemaObject) add(name string, n *openapi.Node) {
	if n != nil {
		*o = append(*o, openapi.Member{Name: name, Value: n})
	}
}

func (o *schemaObject) number(name string, n *openapi.Number) {
	if n != nil {
		o.add(name, &openapi.Node{Kind: openapi.NumberKind, Text: n.Text})
	}
}

func (o schemaObject) node() *openapi.Node { return &openapi.Node{Kind: openapi.Object, Members: o} }

func textNode(text string) *openapi.Node { return &openapi.Node{Kind: openapi.String, Text: text} }

func nameNode(name openapi.Text) *openapi.Node { return textNode(name.Value) }

func boolNode(on bool) *openapi.Node {
	return &openapi.Node{Kind: openapi.Bool, Text: strconv.FormatBool(on)}
}

// nullType returns the schema of null alone.
func nullType() *openapi.Node { return schemaObject{{Name: "type", Value: textNode("null")}}.node() }

// listNode returns the array of the nodes of the list, nil for an empty one.
func listNode[T any](list []T, node func(T) *openapi.Node) *openapi.Node {
	if len(list) == 0 {
		return nil
	}
	n := &openapi.Node{Kind: openapi.Array}
	for _, x := range list {
		n.Items = append(n.Items, node(x))
	}
	return n
}

// typesNode returns the value of the keyword type, nil for no types.
func typesNode(t openapi.Types) *openapi.Node {
	if t == 0 {
		return nil
	}
	list := strings.Split(t.String(), "|")
	if len(list) == 1 {
		return textNode(list[0])
	}
	return listNode(list, textNode)
}
