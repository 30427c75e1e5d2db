package flow

import (
	"slices"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/openapi"
	"github.com/weftcodec/weft/internal/wire"
)

// schemaTexts are the schemas of an OpenAPI document as JSON Schemas, for one
// direction: what is only read is not required of a request, and what is only
// written not of an answer.
type schemaTexts struct {
	answer bool
	names  map[*openapi.Schema]string
	due    []*openapi.Schema // referred to, without a text yet
	pairs  []string          // names and texts
}

// add adds a schema to the table, with all it refers to, and returns its name.
func (t *schemaTexts) add(s *openapi.Schema) string {
	name := t.ref(s)
	for len(t.due) > 0 {
		s := t.due[0]
		t.due = t.due[1:]
		t.pairs = append(t.pairs, t.names[s], string(t.text(nil, s)))
	}
	return name
}

// ref returns the name of a schema in the table.
func (t *schemaTexts) ref(s *openapi.Schema) string {
	name, ok := t.names[s]
	if !ok {
		name = s.Pointer
		t.names[s] = name
		t.due = append(t.due, s)
	}
	return name
}

// object is a JSON object that is being written.
type object struct{ b []byte }

func (o *object) key(name string) {
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	o.b = append(wire.AppendJSONString(o.b, name, 0), ':')
}

// text appends s as a JSON Schema, what checks nothing left out.
func (t *schemaTexts) text(b []byte, s *openapi.Schema) []byte {
	if s.Boolean != nil {
		if *s.Boolean {
			return append(b, "true"...)
		}
		return append(b, "false"...)
	}
	null := s.Nullable && !s.Types.Has(openapi.TypeNull)
	if null {
		b = append(b, `{"anyOf":[{"type":"null"},`...)
	}
	o := object{append(b, '{')}
	t.plain(&o, s)
	t.nested(&o, s)
	if o.b = append(o.b, '}'); null {
		o.b = append(o.b, "]}"...)
	}
	return o.b
}

// plain writes the keywords that hold no other schema.
func (t *schemaTexts) plain(o *object, s *openapi.Schema) {
	if s.Target != nil {
		o.key("$ref")
		o.b = wire.AppendJSONString(o.b, t.ref(s.Target), 0)
	}
	if types := s.Types.String(); types != "" {
		o.key("type")
		o.b = appendStrings(o.b, strings.Split(types, "|"))
	}
	if s.Enum != nil {
		o.key("enum")
		o.b = append(o.b, '[')
		for i, n := range s.Enum {
			if i > 0 {
				o.b = append(o.b, ',')
			}
			o.b = openapi.AppendJSON(o.b, n)
		}
		if s.Types.Has(openapi.TypeNull) { // as documents mean it
			o.b = append(o.b, ",null"...)
		}
		o.b = append(o.b, ']')
	}
	if s.Const != nil {
		o.key("const")
		o.b = openapi.AppendJSON(o.b, s.Const)
	}
	for _, x := range []struct{ name, text string }{{"format", s.Format}, {"pattern", s.Pattern}} {
		if x.text != "" {
			o.key(x.name)
			o.b = wire.AppendJSONString(o.b, x.text, 0)
		}
	}
	for _, x := range []struct {
		name string
		n    *openapi.Number
	}{
		{"minimum", s.Minimum}, {"maximum", s.Maximum}, {"exclusiveMinimum", s.ExclusiveMinimum},
		{"exclusiveMaximum", s.ExclusiveMaximum}, {"multipleOf", s.MultipleOf}, {"minLength", s.MinLength},
		{"maxLength", s.MaxLength}, {"minItems", s.MinItems}, {"maxItems", s.MaxItems}, {"minContains", s.MinContains},
		{"maxContains", s.MaxContains}, {"minProperties", s.MinProperties}, {"maxProperties", s.MaxProperties},
	} {
		if x.n != nil {
			o.key(x.name)
			o.b = append(o.b, x.n.Text...)
		}
	}
	if s.UniqueItems {
		o.key("uniqueItems")
		o.b = append(o.b, "true"...)
	}
	if required := t.required(s); len(required) > 0 {
		o.key("required")
		o.b = appendStrings(o.b, required)
	}
	if s.DependentRequired != nil {
		o.key("dependentRequired")
		inner := object{append(o.b, '{')}
		for _, d := range s.DependentRequired {
			inner.key(d.Name)
			inner.b = appendStrings(inner.b, texts(d.Required))
		}
		o.b = append(inner.b, '}')
	}
}

// required returns the names of the members that are required in the direction.
func (t *schemaTexts) required(s *openapi.Schema) []string {
	return slices.DeleteFunc(texts(s.Required), func(name string) bool {
		p := s.Properties.Get(name)
		for p != nil && p.Target != nil && !p.ReadOnly && !p.WriteOnly {
			p = p.Target
		}
		return p != nil && (p.ReadOnly && !t.answer || p.WriteOnly && t.answer)
	})
}

func texts(list []openapi.Text) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = x.Value
	}
	return out
}

func appendStrings(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = wire.AppendJSONString(b, s, 0)
	}
	return append(b, ']')
}

// nested writes the keywords that hold schemas.
func (t *schemaTexts) nested(o *object, s *openapi.Schema) {
	for _, x := range []struct {
		name string
		list []*openapi.Schema
	}{{"allOf", s.AllOf}, {"oneOf", s.OneOf}, {"anyOf", s.AnyOf}, {"prefixItems", s.PrefixItems}} {
		if len(x.list) == 0 {
			continue
		}
		o.key(x.name)
		o.b = append(o.b, '[')
		for i, e := range x.list {
			if i > 0 {
				o.b = append(o.b, ',')
			}
			o.b = t.text(o.b, e)
		}
		o.b = append(o.b, ']')
	}
	for _, x := range []struct {
		name string
		s    *openapi.Schema
	}{
		{"not", s.Not}, {"if", s.If}, {"then", s.Then}, {"else", s.Else}, {"propertyNames", s.PropertyNames},
		{"contains", s.Contains}, {"items", s.Items},
	} {
		if x.s != nil {
			o.key(x.name)
			o.b = t.text(o.b, x.s)
		}
	}
	for _, x := range []struct {
		name string
		m    openapi.Map[openapi.Schema]
	}{
		{"properties", s.Properties}, {"patternProperties", s.PatternProperties}, {"dependentSchemas", s.DependentSchemas},
	} {
		if x.m == nil {
			continue
		}
		o.key(x.name)
		inner := object{append(o.b, '{')}
		for _, e := range x.m {
			inner.key(e.Name)
			inner.b = t.text(inner.b, e.Value)
		}
		o.b = append(inner.b, '}')
	}
	for _, x := range []struct {
		name string
		s    *openapi.SchemaOrBool
	}{
		{"additionalProperties", s.AdditionalProperties}, {"unevaluatedProperties", s.UnevaluatedProperties},
		{"unevaluatedItems", s.UnevaluatedItems},
	} {
		switch {
		case x.s == nil:
			continue
		case x.s.Schema != nil:
			o.key(x.name)
			o.b = t.text(o.b, x.s.Schema)
		case !x.s.Allow:
			o.key(x.name)
			o.b = append(o.b, "false"...)
		}
	}
}
