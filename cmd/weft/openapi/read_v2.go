package openapi

import (
	"slices"
	"strings"
)

// document2 reads the root of a Swagger 2.0 document into the model of
// OpenAPI 3: a body parameter becomes a request body, form parameters one with
// an object schema, definitions the components' schemas, and host, basePath
// and schemes the servers. Pointers are those of the document as it is.
func (r *reader) document2(root *Node) {
	d, c := r.doc, r.doc.Components
	var host, base string
	var schemes []Text
	v := reader2{reader: r}
	r.object(root, "a Swagger document", &d.Extensions,
		field{"swagger", func(*Member) {}},
		field{"info", func(m *Member) { r.info(m.Value, d.Info) }},
		field{"host", r.str(&host)},
		field{"basePath", r.str(&base)},
		field{"schemes", func(m *Member) { schemes = r.strings(m, "schemes") }},
		field{"consumes", func(m *Member) { v.consumes = r.strings(m, "media types") }},
		field{"produces", func(m *Member) { v.produces = r.strings(m, "media types") }},
		field{"paths", func(*Member) {}}, // below, when consumes and produces are known
		field{"definitions", func(m *Member) {
			c.Schemas = named(r, m, "#/definitions", "schemas", nil, r.namedSchema)
		}},
		field{"parameters", func(*Member) {}},
		field{"responses", func(*Member) {}},
		field{"securityDefinitions", func(m *Member) {
			c.SecuritySchemes = named(r, m, "#/securityDefinitions", "security schemes", &c.Extensions, unnamed(r.securityScheme2))
		}},
		field{"security", func(m *Member) { d.Security = r.security(m) }},
		field{"tags", func(m *Member) {
			for _, n := range r.items(m, "tags") {
				if t := r.tag(n); t != nil {
					d.Tags = append(d.Tags, t)
				}
			}
		}},
		field{"externalDocs", func(m *Member) { d.ExternalDocs = r.externalDocs(m.Value) }},
	)
	c.Pos = root.Pos
	if m := root.member("parameters"); m != nil {
		v.components(m, c)
	}
	if m := root.member("responses"); m != nil {
		c.Responses = named(r, m, "#/responses", "responses", &c.Extensions, unnamed(v.response))
	}
	if m := root.member("paths"); m != nil {
		d.Paths = named(r, m, "#/paths", "path items", &d.Extensions, v.pathItem)
	} else {
		r.rep.warnf(root.Pos, "paths is missing: add it, be it empty")
	}
	if root.member("info") == nil {
		r.rep.warnf(root.Pos, "info is missing: add info with title and version")
	}
	base = strings.TrimSuffix(base, "/")
	switch {
	case host == "" && base == "":
	case host == "":
		d.Servers = []*Server{{Pos: root.member("basePath").Pos, URL: base}}
	default:
		pos := root.member("host").Pos
		if len(schemes) == 0 {
			d.Servers = []*Server{{Pos: pos, URL: "//" + host + base}}
		}
		for _, s := range schemes {
			d.Servers = append(d.Servers, &Server{Pos: s.Pos, URL: s.Value + "://" + host + base})
		}
	}
}

// reader2 reads the parts that Swagger 2.0 writes differently.
type reader2 struct {
	*reader
	consumes, produces []Text // of the document, or of the operation at hand
}

// components reads the parameters of the root: bodies become request bodies.
func (v reader2) components(m *Member, c *Components) {
	if m.Value.Kind != Object {
		v.rep.errorf(m.Value.Pos, "parameters is %s, but must be an object of parameters by name", m.Value.Kind)
		return
	}
	for i := range m.Value.Members {
		x := &m.Value.Members[i]
		ptr := "#/parameters/" + escape(x.Name)
		switch in := x.Value.Get("in"); {
		case in != nil && in.Text == "body":
			if b := v.body(x.Value, ptr); b != nil {
				c.RequestBodies = append(c.RequestBodies, Entry[RequestBody]{x.Name, x.Pos, b})
			}
		case in != nil && in.Text == "formData": // read at its uses, which know the media type
		default:
			if p := v.parameter(x.Value, ptr); p != nil {
				c.Parameters = append(c.Parameters, Entry[Parameter]{x.Name, x.Pos, p})
			}
		}
	}
}

func (v reader2) pathItem(n *Node, ptr, path string) *PathItem {
	i := &PathItem{Pos: n.Pos, Pointer: ptr, Path: path}
	if !v.isObject(n, "a path item") {
		return nil
	}
	v.made[n] = i
	var shared parts
	if m := n.member("parameters"); m != nil {
		shared = v.split(m, ptr)
		i.Parameters = shared.params
	}
	fields := []field{
		{"$ref", func(m *Member) {
			v.pathItemRef(i, m, func(n *Node, ptr string) *PathItem { return v.pathItem(n, ptr, "") })
		}},
		{"parameters", func(*Member) {}},
	}
	for _, method := range []string{"get", "put", "post", "delete", "options", "head", "patch"} {
		fields = append(fields, field{method, func(m *Member) {
			if o := v.operation(m, ptr+"/"+method, strings.ToUpper(method), i, shared); o != nil {
				i.Operations = append(i.Operations, o)
			}
		}})
	}
	v.object(n, "a path item", &i.Extensions, fields...)
	return i
}

// located is a parameter's node with the pointer to it.
type located struct {
	node *Node
	ptr  string
}

// parts are the parameters of a list.
type parts struct {
	params []*Parameter
	body   *located
	form   []located
}

// split reads a list of parameters, the body and the form fields apart.
func (v reader2) split(m *Member, ptr string) (out parts) {
	for i, n := range v.items(m, "parameters") {
		l := located{node: n, ptr: index(ptr+"/parameters", i)}
		if ref := n.Get("$ref"); ref != nil && ref.Kind == String {
			to := v.lookup(n.Pos.in(), ref.Text, 0)
			if to.wrong != "" {
				v.rep.errorf(ref.Pos, "%s", to.wrong)
				continue
			}
			l.node, l.ptr = to.node, to.ptr
		}
		in := ""
		if x := l.node.Get("in"); x != nil {
			in = x.Text
		}
		switch in {
		case "body":
			if out.body != nil {
				v.rep.errorf(n.Pos, "a second body parameter, the first is at %s: keep one", at(out.body.node.Pos, n.Pos))
				continue
			}
			out.body = &l
		case "formData":
			out.form = append(out.form, l)
		default:
			if p := v.parameter(n, index(ptr+"/parameters", i)); p != nil {
				out.params = append(out.params, p)
			}
		}
	}
	return out
}

func (v reader2) operation(m *Member, ptr, method string, item *PathItem, shared parts) *Operation {
	n := m.Value
	o := &Operation{Pos: m.Pos, Pointer: ptr, Method: method, Path: item.Path, Item: item}
	if !v.isObject(n, "an operation") {
		return nil
	}
	if x := n.member("consumes"); x != nil {
		v.consumes = v.strings(x, "media types")
	}
	if x := n.member("produces"); x != nil {
		v.produces = v.strings(x, "media types")
	}
	var own parts
	v.object(n, "an operation", &o.Extensions,
		field{"operationId", func(m *Member) { o.OperationID, o.OperationPos = v.text(m), m.Value.Pos }},
		field{"summary", v.str(&o.Summary)},
		field{"description", v.str(&o.Description)},
		field{"tags", func(m *Member) { o.Tags = v.strings(m, "tag names") }},
		field{"consumes", func(*Member) {}},
		field{"produces", func(*Member) {}},
		field{"parameters", func(m *Member) { own = v.split(m, ptr) }},
		field{"responses", func(m *Member) {
			o.Responses = named(v.reader, m, ptr+"/responses", "responses", &o.Extensions, unnamed(v.response))
			v.statuses(o.Responses)
		}},
		field{"schemes", func(*Member) {}},
		field{"deprecated", v.bool(&o.Deprecated)},
		field{"security", func(m *Member) { o.Security, o.SecuritySet = v.security(m), true }},
		field{"externalDocs", func(m *Member) { o.ExternalDocs = v.externalDocs(m.Value) }},
	)
	o.Parameters = own.params
	body, form := own.body, own.form
	if body == nil && len(form) == 0 {
		body, form = shared.body, shared.form
	}
	switch {
	case body != nil && len(form) > 0:
		v.rep.errorf(form[0].node.Pos, "a form parameter beside a body parameter: an operation has one or the other")
	case body != nil:
		o.RequestBody = v.body(body.node, body.ptr)
	case len(form) > 0:
		o.RequestBody = v.form(form, ptr)
	}
	v.ops = append(v.ops, o)
	return o
}

// parameterOnly are the members of a parameter that belong to no schema.
var parameterOnly = []string{"name", "in", "description", "required", "collectionFormat", "allowEmptyValue"}

func (v reader2) parameter(n *Node, ptr string) *Parameter {
	p := &Parameter{Pos: n.Pos, Pointer: ptr}
	v.made[n] = p
	if reference(v.reader, n, "a parameter", &p.Ref, &p.RefPos, &p.Target, &p.Description, &p.Extensions, v.parameter) {
		return p
	}
	if !v.isObject(n, "a parameter") {
		return nil
	}
	collection := ""
	for i := range n.Members {
		switch m := &n.Members[i]; m.Name {
		case "name":
			p.Name = v.text(m)
		case "in":
			v.oneOf(&p.In, "path", "query", "header", "body", "formData")(m)
		case "description":
			p.Description = v.text(m)
		case "required":
			p.Required = v.flag(m)
		case "allowEmptyValue":
			p.AllowEmptyValue = v.flag(m)
		case "collectionFormat":
			v.oneOf(&collection, "csv", "ssv", "tsv", "pipes", "multi")(m)
		}
	}
	if p.Name == "" && n.lacks("name") {
		v.rep.errorf(n.Pos, "the parameter lacks name: add it")
	}
	if p.In == "" && n.lacks("in") {
		v.rep.errorf(n.Pos, "the parameter lacks in: add path, query, header, formData or body")
	}
	if p.In == "path" && !p.Required {
		v.rep.warnf(n.Pos, "the path parameter %s is not required, read as if it were: add required: true", quote(p.Name))
		p.Required = true
	}
	p.Style = "form"
	if p.In == "path" || p.In == "header" {
		p.Style = "simple"
	}
	switch collection {
	case "multi":
		p.Explode = true
	case "ssv":
		p.Style = "spaceDelimited"
	case "pipes":
		p.Style = "pipeDelimited"
	case "tsv":
		v.rep.warnf(n.Pos, "the collectionFormat tsv is read as csv, OpenAPI 3 has no name for it: use csv")
	}
	p.Schema = v.inline(n, ptr, parameterOnly)
	p.Extensions = append(p.Extensions, p.Schema.Extensions...)
	return p
}

// inline reads the schema that is spread over an object with other members.
func (v reader2) inline(n *Node, ptr string, without []string) *Schema {
	rest := &Node{Kind: Object, Pos: n.Pos}
	for _, m := range n.Members {
		if !slices.Contains(without, m.Name) && m.Name != "collectionFormat" {
			rest.Members = append(rest.Members, m)
		}
	}
	return v.schema(rest, ptr)
}

func (v reader2) mediaTypes(list []Text, n *Node, ptr string, schema *Schema, otherwise string) Map[MediaType] {
	if len(list) == 0 {
		list = []Text{{otherwise, n.Pos}}
	}
	out := make(Map[MediaType], 0, len(list))
	for _, t := range list {
		out = append(out, Entry[MediaType]{t.Value, t.Pos, &MediaType{Pos: n.Pos, Pointer: ptr, Schema: schema}})
	}
	return out
}

func (v reader2) body(n *Node, ptr string) *RequestBody {
	b := &RequestBody{Pos: n.Pos, Pointer: ptr}
	var schema *Schema
	var ignored string
	v.object(n, "a body parameter", &b.Extensions,
		field{"name", v.str(&ignored)}, field{"in", v.str(&ignored)},
		field{"description", v.str(&b.Description)},
		field{"required", v.bool(&b.Required)},
		field{"schema", func(m *Member) {
			if s, ok := v.made[m.Value].(*Schema); ok {
				schema = s // a shared body
			} else {
				schema = v.schema(m.Value, ptr+"/schema")
			}
		}},
	)
	v.need(n, "the body parameter", "schema")
	b.Content = v.mediaTypes(v.consumes, n, ptr, schema, "application/json")
	return b
}

// form returns a request body of an object whose properties are the fields.
func (v reader2) form(fields []located, ptr string) *RequestBody {
	s := &Schema{Pos: fields[0].node.Pos, Node: fields[0].node, Pointer: ptr + "/formData", Types: TypeObject}
	b := &RequestBody{Pos: s.Pos, Pointer: s.Pointer}
	v.doc.Schemas = append(v.doc.Schemas, s)
	multipart := false
	t := &MediaType{Pos: s.Pos, Pointer: s.Pointer, Schema: s}
	for _, f := range fields {
		p := v.parameter(f.node, f.ptr)
		if p == nil {
			continue
		}
		if p.Schema.Description == "" {
			p.Schema.Description = p.Description
		}
		multipart = multipart || p.Schema.Format == "binary"
		s.Properties = append(s.Properties, Entry[Schema]{p.Name, p.Pos, p.Schema})
		if p.Required {
			s.Required = append(s.Required, Text{p.Name, p.Pos})
			b.Required = true
		}
		if p.Schema.Types.Has(TypeArray) {
			t.Encoding = append(t.Encoding, Entry[Encoding]{p.Name, p.Pos, &Encoding{Pos: p.Pos, Style: p.Style, Explode: p.Explode, ExplodeSet: true}})
		}
	}
	kinds := v.consumes
	if !slices.ContainsFunc(kinds, func(t Text) bool { return isForm(t.Value) }) {
		kinds = []Text{{"application/x-www-form-urlencoded", s.Pos}}
		if multipart {
			kinds[0].Value = "multipart/form-data"
		}
	}
	for _, k := range kinds {
		if isForm(k.Value) {
			b.Content = append(b.Content, Entry[MediaType]{k.Value, k.Pos, t})
		}
	}
	return b
}

func isForm(mediaType string) bool {
	return strings.HasPrefix(mediaType, "multipart/") || strings.HasPrefix(mediaType, "application/x-www-form-urlencoded")
}

func (v reader2) response(n *Node, ptr string) *Response {
	p := &Response{Pos: n.Pos, Pointer: ptr}
	v.made[n] = p
	if reference(v.reader, n, "a response", &p.Ref, &p.RefPos, &p.Target, &p.Description, &p.Extensions, v.response) {
		return p
	}
	var examples *Member
	ok := v.object(n, "a response", &p.Extensions,
		field{"description", v.str(&p.Description)},
		field{"schema", func(m *Member) {
			p.Content = v.mediaTypes(v.produces, m.Value, ptr, v.schema(m.Value, ptr+"/schema"), "application/json")
		}},
		field{"headers", func(m *Member) {
			p.Headers = named(v.reader, m, ptr+"/headers", "headers", nil, unnamed(v.header))
		}},
		field{"examples", func(m *Member) { examples = m }},
	)
	if !ok {
		return p
	}
	v.need(n, "the response", "description")
	if examples != nil && v.isObject(examples.Value, "the examples by media type") {
		for _, x := range examples.Value.Members {
			if t := p.Content.Get(x.Name); t != nil {
				t.Example = x.Value
			}
		}
	}
	return p
}

func (v reader2) header(n *Node, ptr string) *Header {
	h := &Header{Pos: n.Pos, Pointer: ptr, Style: "simple"}
	v.made[n] = h
	if !v.isObject(n, "a header") {
		return nil
	}
	if m := n.member("description"); m != nil {
		h.Description = v.text(m)
	}
	h.Schema = v.inline(n, ptr, []string{"description"})
	h.Extensions = h.Schema.Extensions
	return h
}

func (r *reader) securityScheme2(n *Node, ptr string) *SecurityScheme {
	s := &SecurityScheme{Pos: n.Pos, Pointer: ptr}
	r.made[n] = s
	f := &OAuthFlow{Pos: n.Pos}
	if !r.object(n, "a security scheme", &s.Extensions,
		field{"type", r.oneOf(&s.Type, "basic", "apiKey", "oauth2")},
		field{"description", r.str(&s.Description)},
		field{"name", r.str(&s.Name)},
		field{"in", r.oneOf(&s.In, "query", "header", "cookie")},
		field{"flow", r.oneOf(&f.Kind, "implicit", "password", "application", "accessCode")},
		field{"authorizationUrl", r.str(&f.AuthorizationURL)},
		field{"tokenUrl", r.str(&f.TokenURL)},
		field{"scopes", func(m *Member) {
			f.Scopes = named(r, m, "", "scopes", &f.Extensions, func(n *Node, _, name string) *Text {
				return &Text{r.text(&Member{Name: "the scope " + name, Value: n}), n.Pos}
			})
		}},
	) {
		return s
	}
	r.need(n, "a security scheme", "type")
	switch s.Type {
	case "basic":
		s.Type, s.Scheme = "http", "basic"
	case "apiKey":
		r.need(n, "an apiKey security scheme", "name", "in")
		if s.In == "cookie" {
			r.rep.warnf(n.Pos, "an apiKey in a cookie is of OpenAPI 3: it is read as there")
		}
	case "oauth2":
		r.need(n, "an oauth2 security scheme", "flow")
		switch f.Kind {
		case "application":
			f.Kind = "clientCredentials"
		case "accessCode":
			f.Kind = "authorizationCode"
		}
		s.Flows = []*OAuthFlow{f}
	}
	return s
}
