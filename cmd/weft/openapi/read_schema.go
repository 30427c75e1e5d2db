package openapi

import (
	"slices"
	"strings"
)

// schemaKeywords are the keywords that readers of a misspelt one are pointed to.
var schemaKeywords = []string{
	"$ref", "type", "format", "title", "description", "default", "enum", "const", "example", "examples", "nullable",
	"properties", "patternProperties", "propertyNames", "required", "additionalProperties", "unevaluatedProperties",
	"dependentRequired", "dependentSchemas", "minProperties", "maxProperties", "items", "prefixItems", "unevaluatedItems",
	"contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems", "allOf", "oneOf", "anyOf", "not",
	"if", "then", "else", "discriminator", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"minLength", "maxLength", "pattern", "contentEncoding", "contentMediaType", "contentSchema", "readOnly", "writeOnly",
	"deprecated", "$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$defs", "xml", "externalDocs",
}

// keywords31 are those that 3.0 does not know. They are read there all the same.
var keywords31 = []string{
	"const", "examples", "patternProperties", "propertyNames", "unevaluatedProperties", "dependentRequired",
	"dependentSchemas", "prefixItems", "unevaluatedItems", "contains", "minContains", "maxContains", "if", "then", "else",
	"contentEncoding", "contentMediaType", "contentSchema", "$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$defs",
	"$comment", "$schema", "$vocabulary", "definitions", "dependencies",
}

func (r *reader) schema(n *Node, ptr string) *Schema { return r.namedSchema(n, ptr, "") }

func (r *reader) namedSchema(n *Node, ptr, name string) *Schema {
	s := &Schema{Pos: n.Pos, Node: n, Pointer: ptr, Name: name}
	r.made[n] = s
	r.doc.Schemas = append(r.doc.Schemas, s)
	switch n.Kind {
	case Object:
	case Bool:
		if r.version < V31 {
			r.rep.warnf(n.Pos, "%s as a schema is one of 3.1, read as there: write {} for any value", n.Text)
		}
		allow := n.Text == "true"
		s.Boolean = &allow
		return s
	case Null:
		r.rep.warnf(n.Pos, "null where a schema is expected, read as one that allows any value: write {}")
		return s
	default:
		r.rep.errorf(n.Pos, "%s where a schema is expected: write an object", n.Kind)
		return s
	}
	if id := n.Get("$id"); id != nil && id.Kind == String && !strings.HasPrefix(id.Text, "#") {
		defer func(outer *Schema) { r.resource = outer }(r.resource)
		r.resource = s
	}
	s.resource = r.resource
	if n.Get("$defs") != nil || n.Get("definitions") != nil {
		defer func(outer *defsScope) { r.defs = outer }(r.defs)
		r.defs = &defsScope{s, r.defs}
	}
	var b bounds
	ref := n.member("$ref")
	for i := range n.Members {
		m := &n.Members[i]
		if ref != nil && r.version < V31 && !besideRef(m.Name) {
			r.rep.warnf(m.Pos, "%s beside $ref is ignored in %s: put the $ref in an allOf, and this beside it", quote(m.Name), r.version)
			continue
		}
		if r.version < V31 && slices.Contains(keywords31, m.Name) {
			r.rep.warnf(m.Pos, "%s is a keyword of 3.1, read as there: name 3.1 as the document's version or remove it", quote(m.Name))
		}
		r.keyword(s, m, ptr, &b)
	}
	b.apply(r, s)
	if r.version == V20 {
		if x := s.Extensions.Get("x-nullable"); x != nil && x.Kind == Bool && x.Text == "true" {
			s.Nullable = true
		}
	}
	if t := n.Get("type"); t != nil && t.Text == "file" && s.Format == "" {
		s.Format = "binary"
	}
	if s.Nullable && s.Types != 0 {
		s.Types |= TypeNull
	}
	if s.Types.Has(TypeNull) {
		s.Nullable = true
	}
	return s
}

// besideRef reports whether a member beside a $ref of 3.0 is read: what only
// annotates, and nullable, which is written there often and clear in meaning.
func besideRef(name string) bool {
	switch name {
	case "$ref", "nullable", "title", "description", "example", "examples", "default", "deprecated", "readOnly", "writeOnly", "externalDocs", "xml":
		return true
	}
	return strings.HasPrefix(name, "x-")
}

// keyword reads one member of a schema.
func (r *reader) keyword(s *Schema, m *Member, ptr string, b *bounds) {
	sub := func() *Schema { return r.schema(m.Value, ptr+"/"+m.Name) }
	switch m.Name {
	case "$ref":
		var ok bool
		if s.Ref, ok = r.refText(m); ok {
			s.RefPos = m.Value.Pos
			enqueue(r, s.Ref, s.RefPos, "a schema", &s.Target, r.schema)
			r.pending[len(r.pending)-1].base = r.resource
		}
	case "type":
		s.Types, s.TypesPos = r.types(m), m.Value.Pos
	case "nullable":
		s.Nullable = r.flag(m)
		if r.version >= V31 && s.Nullable {
			r.rep.warnf(m.Pos, `nullable is gone since 3.1, read as in 3.0: add "null" to the types`)
		}
	case "format":
		s.Format = r.text(m)
	case "title":
		s.Title = r.text(m)
	case "description":
		s.Description = r.text(m)
	case "default":
		s.Default = m.Value
	case "enum":
		r.enum(s, m)
	case "const":
		s.Const = m.Value
	case "example":
		s.Example = m.Value
	case "examples":
		if m.Value.Kind == Object { // as media types have them
			r.rep.warnf(m.Value.Pos, "examples of a schema is an object, but must be a list of values")
			for _, x := range m.Value.Members {
				s.Examples = append(s.Examples, x.Value)
			}
			return
		}
		s.Examples = r.items(m, "values")
	case "properties":
		s.Properties = named(r, m, ptr+"/properties", "schemas", nil, unnamed(r.schema))
	case "patternProperties":
		s.PatternProperties = named(r, m, ptr+"/patternProperties", "schemas", nil, unnamed(r.schema))
	case "propertyNames":
		s.PropertyNames = sub()
	case "required":
		r.required(s, m)
	case "additionalProperties":
		s.AdditionalProperties = r.schemaOrBool(m, ptr)
	case "unevaluatedProperties":
		s.UnevaluatedProperties = r.schemaOrBool(m, ptr)
	case "dependentSchemas":
		s.DependentSchemas = named(r, m, ptr+"/dependentSchemas", "schemas", nil, unnamed(r.schema))
	case "dependentRequired":
		r.dependencies(s, m, ptr)
	case "dependencies":
		r.dependencies(s, m, ptr)
	case "minProperties":
		s.MinProperties = r.count(m)
	case "maxProperties":
		s.MaxProperties = r.count(m)
	case "items":
		if m.Value.Kind == Array {
			if r.version == V20 && s.Node.Get("type") == nil {
				r.rep.warnf(m.Value.Pos, "items is a list, but the type is not array, read as a choice between its schemas, as which 2.0 documents mean it: use anyOf of 3.0, or add the type")
				s.AnyOf = append(s.AnyOf, r.schemas(m, ptr)...)
				return
			}
			r.rep.warnf(m.Value.Pos, "items is a list, read as prefixItems: write it so")
			s.PrefixItems = r.schemas(m, ptr)
			return
		}
		s.Items = sub()
	case "prefixItems":
		s.PrefixItems = r.schemas(m, ptr)
	case "unevaluatedItems":
		s.UnevaluatedItems = r.schemaOrBool(m, ptr)
	case "contains":
		s.Contains = sub()
	case "minContains":
		s.MinContains = r.count(m)
	case "maxContains":
		s.MaxContains = r.count(m)
	case "minItems":
		s.MinItems = r.count(m)
	case "maxItems":
		s.MaxItems = r.count(m)
	case "uniqueItems":
		s.UniqueItems = r.flag(m)
	case "allOf":
		s.AllOf = r.schemas(m, ptr)
	case "oneOf":
		s.OneOf = r.schemas(m, ptr)
	case "anyOf":
		s.AnyOf = r.schemas(m, ptr)
	case "not":
		s.Not = sub()
	case "if":
		s.If = sub()
	case "then":
		s.Then = sub()
	case "else":
		s.Else = sub()
	case "discriminator":
		s.Discriminator = r.discriminator(m)
	case "minimum":
		s.Minimum = r.number(m)
	case "maximum":
		s.Maximum = r.number(m)
	case "exclusiveMinimum":
		b.min = m
	case "exclusiveMaximum":
		b.max = m
	case "multipleOf":
		if s.MultipleOf = r.number(m); s.MultipleOf != nil && s.MultipleOf.Float <= 0 {
			r.rep.warnf(s.MultipleOf.Pos, "multipleOf is %s, but must be greater than 0, so it is ignored: correct it", s.MultipleOf.Text)
			s.MultipleOf = nil
		}
	case "minLength":
		s.MinLength = r.count(m)
	case "maxLength":
		s.MaxLength = r.count(m)
	case "pattern":
		s.Pattern, s.PatternPos = r.text(m), m.Value.Pos
	case "contentEncoding":
		s.ContentEncoding = r.text(m)
	case "contentMediaType":
		s.ContentMediaType = r.text(m)
	case "contentSchema":
		s.ContentSchema = sub()
	case "readOnly":
		s.ReadOnly = r.flag(m)
	case "writeOnly":
		s.WriteOnly = r.flag(m)
	case "deprecated":
		s.Deprecated = r.flag(m)
	case "$id":
		s.ID = r.text(m)
	case "$anchor":
		s.Anchor = r.text(m)
	case "$dynamicAnchor":
		s.DynamicAnchor = r.text(m)
		if r.anchors == nil {
			r.anchors = map[*Schema]dynamicScope{}
		}
		if r.anchors[s.resource] == nil {
			r.anchors[s.resource] = dynamicScope{}
		}
		if r.anchors[s.resource][s.DynamicAnchor] == nil {
			r.anchors[s.resource][s.DynamicAnchor] = s
		}
	case "$dynamicRef":
		s.DynamicRef = r.text(m)
		r.dynamicRef(s, m)
	case "$defs", "definitions":
		s.Defs = append(s.Defs, named(r, m, ptr+"/"+m.Name, "schemas", nil, r.namedSchema)...)
	case "$comment", "$schema", "$vocabulary":
	case "xml":
		s.XML = r.xml(m.Value)
	case "externalDocs":
		s.ExternalDocs = r.externalDocs(m.Value)
	default:
		if strings.HasPrefix(m.Name, "x-") {
			s.Extensions = append(s.Extensions, *m)
			return
		}
		// Since 3.1 a schema may have keywords of its own.
		if r.version < V31 || nearest(m.Name, slices.Values(schemaKeywords)) != "" {
			r.unknown(m, "a schema", slices.Values(schemaKeywords))
		}
	}
}

// dynamicRef reads a $dynamicRef as the $ref that it is when no schema outside
// extends the one it stands in; see [reader.dynamics] for when one does.
func (r *reader) dynamicRef(s *Schema, m *Member) {
	if m.Value.Kind != String || s.Ref != "" {
		return
	}
	s.Ref, s.RefPos = s.DynamicRef, m.Value.Pos
	enqueue(r, s.Ref, s.RefPos, "a schema", &s.Target, r.schema)
	r.pending[len(r.pending)-1].base = r.resource
}

var typeAliases = map[string]string{
	"int": "integer", "long": "integer", "int32": "integer", "int64": "integer", "float": "number", "double": "number",
	"decimal": "number", "bool": "boolean", "dict": "object", "map": "object", "list": "array", "str": "string",
	"text": "string", "char": "string", "date": "string", "datetime": "string", "date-time": "string", "uuid": "string",
	"guid": "string", "uri": "string", "url": "string", "email": "string", "none": "null", "nil": "null",
}

func (r *reader) types(m *Member) Types {
	n := m.Value
	switch n.Kind {
	case String:
		return r.oneType(n)
	case Null:
		r.absent(m)
		return 0
	case Array:
		if r.version < V31 {
			r.rep.warnf(n.Pos, "a list of types is one of 3.1, read as there: use nullable, anyOf or oneOf, or name 3.1 as the document's version")
		}
		var t Types
		for _, x := range n.Items {
			switch x.Kind {
			case String:
				t |= r.oneType(x)
			case Null:
				r.rep.warnf(x.Pos, `null in the list of types, read as the type "null": put it in quotes`)
				t |= TypeNull
			default:
				r.rep.errorf(x.Pos, "%s in the list of types: write the names of types", x.Kind)
			}
		}
		if len(n.Items) == 0 {
			r.rep.errorf(n.Pos, "the list of types is empty: name one or leave type out")
		}
		return t
	}
	r.rep.errorf(n.Pos, "type is %s, but must be the name of a type, such as string", n.Kind)
	return 0
}

func (r *reader) oneType(n *Node) Types {
	if t := typeOf(n.Text); t != 0 {
		if t == TypeNull && r.version < V31 {
			r.rep.warnf(n.Pos, `the type "null" is one of 3.1, read as there: use nullable: true`)
		}
		return t
	}
	if t := typeOf(strings.ToLower(strings.TrimSpace(n.Text))); t != 0 {
		r.rep.warnf(n.Pos, "the type %s is read as %s: write it so", quote(n.Text), t)
		return t
	}
	if n.Text == "file" {
		if r.version > V20 {
			r.rep.warnf(n.Pos, `the type "file" is one of Swagger 2.0, read as a binary string: write type: string and format: binary`)
		}
		return TypeString
	}
	switch a := typeAliases[strings.ToLower(n.Text)]; {
	case a != "":
		r.rep.warnf(n.Pos, "%s is not a type, read as %s: write it so", quote(n.Text), a)
		return typeOf(a)
	case n.Text == "any" || n.Text == "mixed":
		r.rep.warnf(n.Pos, "%s is not a type, read as any value: leave type out", quote(n.Text))
		return 0
	}
	r.rep.errorf(n.Pos, "%s is not a type: %s", quote(n.Text),
		didYouMean(n.Text, slices.Values(typeNames[:]), "use one of string, number, integer, boolean, array and object"))
	return 0
}

func typeOf(name string) Types {
	for i, t := range typeNames {
		if t == name {
			return 1 << i
		}
	}
	return 0
}

func (r *reader) enum(s *Schema, m *Member) {
	s.EnumPos = m.Pos
	values := r.items(m, "values")
	if m.Value.Kind == Array && len(values) == 0 {
		r.rep.warnf(m.Value.Pos, "enum lists no values, read as not written: add the values or remove it")
		return
	}
	seen := make(map[string]bool, len(values))
	for _, v := range values {
		if v.Kind != Object && v.Kind != Array {
			key := string(rune(v.Kind)) + v.Text
			if seen[key] {
				r.rep.warnf(v.Pos, "%s stands in the enum twice: remove one", quote(v.Text))
				continue
			}
			seen[key] = true
		}
		s.Enum = append(s.Enum, v)
	}
}

func (r *reader) required(s *Schema, m *Member) {
	if v := m.Value; v.Kind == Bool {
		if v.Text == "false" {
			r.rep.warnf(v.Pos, "required is false, read as not written: a schema's required is a list of names, remove it")
			return
		}
		r.rep.warnf(v.Pos, "required is a boolean and is ignored: put the property's name in the required list of the object that has it")
		return
	} else if v.Kind == String {
		r.rep.warnf(v.Pos, "required is a string, read as a list of one property name: write [%s]", v.Text)
		s.Required = []Text{{v.Text, v.Pos}}
		return
	}
	s.Required = r.strings(m, "property names")
}

func (r *reader) schemas(m *Member, ptr string) []*Schema {
	nodes := r.items(m, "schemas")
	if m.Value.Kind == Array && len(nodes) == 0 {
		r.rep.warnf(m.Value.Pos, "%s lists no schemas, read as not written: add one or remove it", m.Name)
	}
	out := make([]*Schema, 0, len(nodes))
	for i, n := range nodes {
		out = append(out, r.schema(n, index(ptr+"/"+m.Name, i)))
	}
	return out
}

func (r *reader) schemaOrBool(m *Member, ptr string) *SchemaOrBool {
	x := &SchemaOrBool{Pos: m.Value.Pos, Allow: true}
	switch v := m.Value; v.Kind {
	case Bool:
		x.Allow = v.Text == "true"
	case String:
		x.Allow = r.flag(m)
	case Null:
		r.absent(m)
		return nil
	case Object:
		x.Schema = r.schema(v, ptr+"/"+m.Name)
	default:
		r.rep.errorf(v.Pos, "%s is %s, but must be a schema or a boolean", m.Name, v.Kind)
		return nil
	}
	return x
}

func (r *reader) dependencies(s *Schema, m *Member, ptr string) {
	if m.Value.Kind != Object {
		r.rep.errorf(m.Value.Pos, "%s is %s, but must be an object of property names", m.Name, m.Value.Kind)
		return
	}
	for i := range m.Value.Members {
		x := &m.Value.Members[i]
		if x.Value.Kind != Array && m.Name == "dependencies" {
			sub := r.schema(x.Value, ptr+"/dependencies/"+escape(x.Name))
			s.DependentSchemas = append(s.DependentSchemas, Entry[Schema]{x.Name, x.Pos, sub})
			continue
		}
		s.DependentRequired = append(s.DependentRequired, Dependency{x.Name, x.Pos, r.strings(x, "property names")})
	}
}

func (r *reader) xml(n *Node) *XML {
	x := &XML{Pos: n.Pos}
	r.object(n, "an xml object", &x.Extensions,
		field{"name", r.str(&x.Name)},
		field{"namespace", r.str(&x.Namespace)},
		field{"prefix", r.str(&x.Prefix)},
		field{"nodeType", r.str(&x.NodeType)},
		field{"attribute", r.bool(&x.Attribute)},
		field{"wrapped", r.bool(&x.Wrapped)},
	)
	return x
}

func (r *reader) discriminator(m *Member) *Discriminator {
	n := m.Value
	d := &Discriminator{Pos: n.Pos}
	r.mapped = append(r.mapped, d)
	if n.Kind == String {
		if r.version > V20 {
			r.rep.warnf(n.Pos, "discriminator is a string, but must be an object: write propertyName: %s in it", n.Text)
		}
		d.PropertyName = n.Text
		return d
	}
	if !r.object(n, "a discriminator", &d.Extensions,
		field{"propertyName", r.str(&d.PropertyName)},
		field{"mapping", func(m *Member) {
			if m.Value.Kind != Object {
				r.rep.errorf(m.Value.Pos, "mapping is %s, but must be an object of schema names by value", m.Value.Kind)
				return
			}
			d.Mapping = make([]Mapping, 0, len(m.Value.Members))
			for i := range m.Value.Members {
				if x := &m.Value.Members[i]; x.Value.Kind == String {
					d.Mapping = append(d.Mapping, Mapping{x.Name, x.Pos, x.Value.Text, nil})
					r.mapping(&d.Mapping[len(d.Mapping)-1], x.Value)
				} else {
					r.rep.errorf(x.Value.Pos, "the mapping of %s is %s, but must be the name of a schema or a reference", quote(x.Name), x.Value.Kind)
				}
			}
		}},
		field{"defaultMapping", func(m *Member) {
			if ref, ok := r.refText(m); ok {
				d.DefaultMapping = &Mapping{"", m.Pos, ref, nil}
				r.mapping(d.DefaultMapping, m.Value)
			}
		}},
	) {
		return nil
	}
	if n.lacks("propertyName") {
		r.rep.warnf(n.Pos, "the discriminator lacks propertyName and is ignored: add the name of the property that tells the schemas apart")
		return nil
	}
	return d
}

// mapping has the target of m found: a component of that name, or what m
// refers to.
func (r *reader) mapping(m *Mapping, n *Node) {
	find := func(ref string) {
		enqueue(r, ref, n.Pos, "a schema", &m.Target, r.schema)
		r.pending[len(r.pending)-1].soft = true
	}
	root := n.Pos.in().root
	for _, x := range []struct {
		schemas *Node
		ptr     string
	}{{root.Get("components").Get("schemas"), "#/components/schemas/"}, {root.Get("definitions"), "#/definitions/"}} {
		if x.schemas != nil && r.child(x.schemas, m.Ref) != nil {
			ref := x.ptr + strings.ReplaceAll(escape(m.Ref), "%", "%25")
			find(ref)
			return
		}
		if x.schemas != nil && !strings.ContainsAny(m.Ref, "#/.:") {
			r.rep.warnf(n.Pos, "the mapping %s names no schema and is ignored: %s", quote(m.Ref), didYouMean(m.Ref, func(yield func(string) bool) {
				for i := range x.schemas.Members {
					if !yield(x.schemas.Members[i].Name) {
						return
					}
				}
			}, "define it or correct the mapping"))
			return
		}
	}
	find(m.Ref)
}

// bounds are the exclusive bounds as written, which mean something else before
// 3.1.
type bounds struct{ min, max *Member }

func (b *bounds) apply(r *reader, s *Schema) {
	one := func(m *Member, incl, excl **Number, name string) {
		if m == nil {
			return
		}
		if m.Value.Kind != Bool {
			if *excl = r.number(m); *excl != nil && r.version < V31 {
				r.rep.warnf(m.Value.Pos, "%s is a number as in 3.1, read as there: in %s it is a boolean beside %s", m.Name, r.version, name)
			}
			return
		}
		if r.version >= V31 {
			r.rep.warnf(m.Value.Pos, "%s is a boolean as in 3.0, read as there: since 3.1 it is the bound itself", m.Name)
		}
		if m.Value.Text == "true" {
			if *incl == nil {
				r.rep.warnf(m.Pos, "%s is true without a %s and means nothing: add the bound", m.Name, name)
			}
			*excl, *incl = *incl, nil
		}
	}
	one(b.min, &s.Minimum, &s.ExclusiveMinimum, "minimum")
	one(b.max, &s.Maximum, &s.ExclusiveMaximum, "maximum")
}
