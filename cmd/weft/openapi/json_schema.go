package openapi

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/internal/formats"
)

// JSONSchemas writes schemas of a document as JSON Schemas of draft 2020-12, by which package schema checks values. Their
// references are the names of others. Keywords that check nothing are left out.
type JSONSchemas struct {
	// Pattern reports whether values can be checked by the regular expression at pos. One by which they cannot is left out.
	Pattern func(expr string, pos Pos) bool
	// ReadOnly and WriteOnly specify that members that are so may be required.
	ReadOnly, WriteOnly bool

	names map[*Schema]string
	known map[*Schema]bool // those that have been referred to
	due   []*Schema        // without a text yet
}

// Name returns the name of s: the one that it has, or else the one given, or if that is "" its pointer.
func (t *JSONSchemas) Name(s *Schema, name string) string {
	if t.names[s] == "" {
		if t.names == nil {
			t.names, t.known = make(map[*Schema]string), make(map[*Schema]bool)
		}
		t.names[s] = cmp.Or(name, strings.TrimPrefix(s.Pointer, "#/components/schemas/"))
	}
	return t.names[s]
}

// Ref returns the name of s, whose text [JSONSchemas.Pairs] returns.
func (t *JSONSchemas) Ref(s *Schema) string {
	name := t.Name(s, "")
	if !t.known[s] {
		t.known[s] = true
		t.due = append(t.due, s)
	}
	return name
}

// Pairs returns the names and texts of the schemas that have been referred to since it was last called, and of those to
// which they refer.
func (t *JSONSchemas) Pairs() (pairs []string) {
	for len(t.due) > 0 {
		s := t.due[0]
		t.due = t.due[1:]
		pairs = append(pairs, t.names[s], t.Text(s))
	}
	return pairs
}

// Text returns s as the text of a JSON Schema.
func (t *JSONSchemas) Text(s *Schema) string { return string(AppendJSON(nil, t.node(s))) }

// node returns s as a JSON Schema.
func (t *JSONSchemas) node(s *Schema) *Node {
	if s.Boolean != nil {
		return boolNode(*s.Boolean)
	}
	n := &Node{Kind: Object}
	add := func(name string, value *Node) {
		if value != nil {
			n.Members = append(n.Members, Member{Name: name, Value: value})
		}
	}
	if s.Target != nil {
		add("$ref", textNode(t.Ref(s.Target)))
	}
	if s.Types.Single() {
		add("type", textNode(s.Types.String()))
	} else if s.Types != 0 {
		add("type", listNode(strings.Split(s.Types.String(), "|"), textNode))
	}
	if checkedFormat(s.Format) {
		add("format", textNode(s.Format))
	}
	if s.Pattern != "" && t.Pattern(s.Pattern, s.PatternPos) {
		add("pattern", textNode(s.Pattern))
	}
	for _, k := range []struct {
		name  string
		value any
	}{
		{"enum", listedOf(s)}, {"const", s.Const}, {"minimum", s.Minimum}, {"maximum", s.Maximum},
		{"exclusiveMinimum", s.ExclusiveMinimum}, {"exclusiveMaximum", s.ExclusiveMaximum}, {"multipleOf", s.MultipleOf},
		{"minLength", s.MinLength}, {"maxLength", s.MaxLength}, {"properties", s.Properties},
		{"patternProperties", t.checked(s.PatternProperties)}, {"additionalProperties", s.AdditionalProperties},
		{"unevaluatedProperties", s.UnevaluatedProperties}, {"dependentSchemas", s.DependentSchemas}, {"required", t.required(s)},
		{"minProperties", s.MinProperties}, {"maxProperties", s.MaxProperties}, {"dependentRequired", s.DependentRequired},
		{"minItems", s.MinItems}, {"maxItems", s.MaxItems}, {"minContains", s.MinContains}, {"maxContains", s.MaxContains},
		{"unevaluatedItems", s.UnevaluatedItems}, {"uniqueItems", s.UniqueItems}, {"allOf", s.AllOf}, {"oneOf", s.OneOf},
		{"anyOf", s.AnyOf}, {"prefixItems", s.PrefixItems}, {"not", s.Not}, {"if", s.If}, {"then", s.Then}, {"else", s.Else},
		{"propertyNames", s.PropertyNames}, {"contains", s.Contains}, {"items", s.Items},
	} {
		add(k.name, t.keyword(k.value))
	}
	if !s.Nullable || s.Types.Has(TypeNull) || n.Members == nil {
		return n
	}
	null := &Node{Kind: Object, Members: []Member{{Name: "type", Value: textNode("null")}}}
	return &Node{Kind: Object, Members: []Member{{Name: "anyOf", Value: &Node{Kind: Array, Items: []*Node{null, n}}}}}
}

// keyword returns the value of a keyword, nil if the schema does not have it.
func (t *JSONSchemas) keyword(value any) *Node {
	switch x := value.(type) {
	case *Node:
		return x
	case []*Node:
		return listNode(x, func(n *Node) *Node { return n })
	case []Text:
		return listNode(x, func(name Text) *Node { return textNode(name.Value) })
	case []*Schema:
		return listNode(x, t.node)
	case *Schema:
		if x != nil {
			return t.node(x)
		}
	case *Number:
		if x != nil {
			return &Node{Kind: NumberKind, Text: x.Text}
		}
	case bool:
		if x {
			return boolNode(x)
		}
	case *SchemaOrBool:
		switch {
		case x == nil:
		case x.Schema != nil:
			return t.node(x.Schema)
		default:
			return boolNode(x.Allow)
		}
	case Map[Schema]:
		return objectNode(x, func(e Entry[Schema]) Member { return Member{Name: e.Name, Value: t.node(e.Value)} })
	case []Dependency:
		return objectNode(x, func(d Dependency) Member { return Member{Name: d.Name, Value: t.keyword(d.Required)} })
	}
	return nil
}

// listedOf returns the values of the enum of s, with null where the types have it, as documents mean it and the types of
// members are.
func listedOf(s *Schema) []*Node {
	isNull := func(n *Node) bool { return n.Kind == Null }
	if s.Enum == nil || !s.Types.Has(TypeNull) || slices.ContainsFunc(s.Enum, isNull) {
		return s.Enum
	}
	return append(slices.Clone(s.Enum), &Node{Kind: Null, Text: "null"})
}

// checked returns patterns with their schemas. One that is not checked is the empty one, which fits every name:
// what is not checked is allowed.
func (t *JSONSchemas) checked(patterns Map[Schema]) Map[Schema] {
	out := slices.Clone(patterns)
	for i, e := range out {
		if !t.Pattern(e.Name, e.Pos) {
			out[i].Name, out[i].Value = "", &Schema{}
		}
	}
	return out
}

// required returns the names of the members that s requires whatever the direction of its values, or in the one that t is for.
func (t *JSONSchemas) required(s *Schema) []Text {
	return slices.DeleteFunc(slices.Clone(s.Required), func(name Text) bool {
		p := s.Properties.Get(name.Value)
		if p == nil {
			return false
		}
		p = follow(p, func(p *Schema) *Schema {
			if p.ReadOnly || p.WriteOnly {
				return nil
			}
			return p.Target
		})
		return p.ReadOnly && !t.ReadOnly || p.WriteOnly && !t.WriteOnly
	})
}

// checkedFormat reports whether values are checked by the format.
func checkedFormat(name string) bool {
	is, _ := formats.Named(name)
	return is != nil || slices.Contains([]string{"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}, name)
}

func textNode(text string) *Node { return &Node{Kind: String, Text: text} }

func boolNode(on bool) *Node { return &Node{Kind: Bool, Text: strconv.FormatBool(on)} }

// listNode returns the array of the nodes of the list, nil for an empty one.
func listNode[T any](list []T, node func(T) *Node) *Node {
	if len(list) == 0 {
		return nil
	}
	n := &Node{Kind: Array}
	for _, x := range list {
		n.Items = append(n.Items, node(x))
	}
	return n
}

// objectNode returns the object of the members of the list that have a value, nil for no list.
func objectNode[T any](list []T, member func(T) Member) *Node {
	if list == nil {
		return nil
	}
	n := &Node{Kind: Object}
	for _, x := range list {
		if m := member(x); m.Value != nil {
			n.Members = append(n.Members, m)
		}
	}
	return n
}
