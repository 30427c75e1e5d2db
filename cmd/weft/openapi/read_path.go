package openapi

import "strings"

// methods are the members of a path item that are operations. query is one of
// 3.2, where additionalOperations holds those of other methods.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// pathItem reads a path item; path is what it stands for, "" among components.
func (r *reader) pathItem(n *Node, ptr, path string) *PathItem {
	i := &PathItem{Pos: n.Pos, Pointer: ptr, Path: path}
	if !r.isObject(n, "a path item") {
		return nil
	}
	r.made[n] = i
	fields := []field{
		{"$ref", func(m *Member) { r.pathItemRef(i, m, r.componentItem) }},
		{"summary", r.str(&i.Summary)},
		{"description", r.str(&i.Description)},
		{"servers", func(m *Member) { i.Servers = r.servers(m) }},
		{"parameters", func(m *Member) { i.Parameters = r.parameters(m, ptr) }},
	}
	if r.version >= V32 {
		fields = append(fields, field{"additionalOperations", func(m *Member) {
			if m.Value.Kind != Object {
				r.rep.errorf(m.Value.Pos, "additionalOperations is %s, but must be an object of operations by method", m.Value.Kind)
				return
			}
			for k := range m.Value.Members {
				x := &m.Value.Members[k]
				if o := r.operation(x, ptr+"/additionalOperations/"+escape(x.Name), x.Name, i); o != nil {
					i.Operations = append(i.Operations, o)
				}
			}
		}})
	}
	for _, method := range methods {
		if method == "query" && r.version < V32 {
			continue
		}
		fields = append(fields, field{method, func(m *Member) {
			if o := r.operation(m, ptr+"/"+method, strings.ToUpper(method), i); o != nil {
				i.Operations = append(i.Operations, o)
			}
		}})
	}
	r.object(n, "a path item", &i.Extensions, fields...)
	return i
}

func (r *reader) componentItem(n *Node, ptr string) *PathItem { return r.pathItem(n, ptr, "") }

func (r *reader) pathItemRef(i *PathItem, m *Member, read func(*Node, string) *PathItem) {
	var ok bool
	if i.Ref, ok = r.refText(m); ok {
		i.RefPos = m.Value.Pos
		enqueue(r, i.Ref, i.RefPos, "a path item", &i.Target, read)
		r.chains = append(r.chains, func() { r.circle(i.Target != nil && i.Resolve().Target != nil, i.RefPos, i.Ref) })
		r.refItems = append(r.refItems, i)
	}
}

// maxOperations bounds the operations of a document, each counted for every
// path that refers to it.
const maxOperations = 1 << 18

// gather gives the path item i copies of the operations that it refers to.
func (r *reader) gather(i *PathItem) {
	has := map[string]bool{}
	for _, o := range i.Operations {
		has[o.Method] = true
	}
	if i.Resolve().Target != nil {
		return // a circle
	}
	for to := i.Target; to != nil; to = to.Target {
		for _, o := range to.Operations {
			if has[o.Method] {
				continue
			}
			has[o.Method] = true
			if len(r.ops) >= maxOperations {
				if r.full {
					return
				}
				r.full = true
				r.rep.errorf(i.RefPos, "the references to path items stand for more than %d operations: too many", maxOperations)
				return
			}
			same := *o
			same.Path = i.Path
			i.Operations = append(i.Operations, &same)
			r.ops = append(r.ops, &same)
		}
	}
}

func (r *reader) operation(m *Member, ptr, method string, item *PathItem) *Operation {
	n, ptr, done := r.elsewhere(m.Value, ptr, "an operation")
	defer done()
	o := &Operation{Pos: m.Pos, Pointer: ptr, Method: method, Path: item.Path, Item: item}
	ok := r.object(n, "an operation", &o.Extensions,
		field{"operationId", func(m *Member) { o.OperationID, o.OperationPos = r.text(m), m.Value.Pos }},
		field{"summary", r.str(&o.Summary)},
		field{"description", r.str(&o.Description)},
		field{"tags", func(m *Member) { o.Tags = r.strings(m, "tag names") }},
		field{"parameters", func(m *Member) { o.Parameters = r.parameters(m, ptr) }},
		field{"requestBody", func(m *Member) { o.RequestBody = r.requestBody(m.Value, ptr+"/requestBody") }},
		field{"responses", func(m *Member) { o.Responses = r.responses(m, ptr+"/responses", &o.Extensions) }},
		field{"callbacks", func(m *Member) {
			o.Callbacks = named(r, m, ptr+"/callbacks", "callbacks", &o.Extensions, unnamed(r.callback))
		}},
		field{"deprecated", r.bool(&o.Deprecated)},
		field{"security", func(m *Member) { o.Security, o.SecuritySet = r.security(m), true }},
		field{"servers", func(m *Member) { o.Servers = r.servers(m) }},
		field{"externalDocs", func(m *Member) { o.ExternalDocs = r.externalDocs(m.Value) }},
	)
	if !ok {
		return nil
	}
	r.ops = append(r.ops, o)
	if r.version == V30 && n.member("responses") == nil {
		r.rep.warnf(o.Pos, "the operation lacks responses: add it with at least one")
	}
	return o
}

func (r *reader) responses(m *Member, ptr string, ext *Extensions) Map[Response] {
	out := named(r, m, ptr, "responses", ext, unnamed(r.response))
	r.statuses(out)
	return out
}

// statuses checks the names of responses and makes them regular.
func (r *reader) statuses(out Map[Response]) {
	for i := range out {
		if e := &out[i]; !isStatus(e.Name) {
			r.rep.warnf(e.Pos, "%s is not a response status, kept as it is: write 200, 4XX or default", quote(e.Name))
		} else if up := strings.ToUpper(e.Name); e.Name != "default" && up != e.Name {
			r.rep.warnf(e.Pos, "the response status %s is read as %s: write it so", quote(e.Name), quote(up))
			e.Name = up
		}
	}
}

func isStatus(s string) bool {
	if s == "default" {
		return true
	}
	if len(s) != 3 || s[0] < '1' || s[0] > '5' {
		return false
	}
	x := strings.ToUpper(s[1:])
	return x == "XX" || '0' <= x[0] && x[0] <= '9' && '0' <= x[1] && x[1] <= '9'
}

func (r *reader) parameters(m *Member, ptr string) []*Parameter {
	var out []*Parameter
	for i, n := range r.items(m, "parameters") {
		if p := r.parameter(n, index(ptr+"/parameters", i)); p != nil {
			out = append(out, p)
		}
	}
	return out
}

func (r *reader) parameter(n *Node, ptr string) *Parameter {
	p := &Parameter{Pos: n.Pos, Pointer: ptr}
	r.made[n] = p
	if reference(r, n, "a parameter", &p.Ref, &p.RefPos, &p.Target, &p.Description, &p.Extensions, r.parameter) {
		return p
	}
	places := []string{"path", "query", "header", "cookie"}
	if r.version >= V32 {
		places = append(places, "querystring")
	}
	explode := (*Member)(nil)
	if !r.object(n, "a parameter", &p.Extensions,
		field{"name", r.str(&p.Name)},
		field{"in", r.oneOf(&p.In, places...)},
		field{"description", r.str(&p.Description)},
		field{"required", r.bool(&p.Required)},
		field{"deprecated", r.bool(&p.Deprecated)},
		field{"allowEmptyValue", r.bool(&p.AllowEmptyValue)},
		field{"allowReserved", r.bool(&p.AllowReserved)},
		field{"style", r.oneOf(&p.Style, "form", "simple", "label", "matrix", "spaceDelimited", "pipeDelimited", "deepObject", "cookie")},
		field{"explode", func(m *Member) { explode = m; p.Explode = r.flag(m) }},
		field{"schema", func(m *Member) { p.Schema = r.schema(m.Value, ptr+"/schema") }},
		field{"content", func(m *Member) { p.Content = r.content(m, ptr) }},
		field{"example", raw(&p.Example)},
		field{"examples", func(m *Member) { p.Examples = r.examples(m, ptr) }},
	) {
		return nil
	}
	if p.Name == "" && n.lacks("name") {
		r.rep.errorf(n.Pos, "the parameter lacks name: add it")
	}
	if p.In == "" && n.lacks("in") {
		r.rep.errorf(n.Pos, "the parameter lacks in: add path, query, header or cookie")
	}
	if p.In == "path" && !p.Required {
		r.rep.warnf(n.Pos, "the path parameter %s is not required, read as if it were: add required: true", quote(p.Name))
		p.Required = true
	}
	if p.Style == "" {
		p.Style = defaultStyle(p.In)
	} else if !styleFits(p.Style, p.In) {
		r.rep.warnf(n.member("style").Value.Pos, "the style %s does not go with a %s parameter, read as %s: choose another", p.Style, p.In, defaultStyle(p.In))
		p.Style = defaultStyle(p.In)
	}
	if explode == nil {
		p.Explode = p.Style == "form"
	}
	r.schemaOrContent(n, "the parameter", p.Schema, p.Content)
	return p
}

// defaultStyle is the style of a parameter that names none.
func defaultStyle(in string) string {
	if in == "path" || in == "header" {
		return "simple"
	}
	return "form"
}

func styleFits(style, in string) bool {
	switch in {
	case "path":
		return style == "simple" || style == "label" || style == "matrix"
	case "query", "querystring":
		return style == "form" || style == "spaceDelimited" || style == "pipeDelimited" || style == "deepObject"
	case "header":
		return style == "simple"
	case "cookie":
		return style == "form" || style == "cookie"
	}
	return true // the place is wrong itself
}

func (r *reader) schemaOrContent(n *Node, what string, s *Schema, content Map[MediaType]) {
	switch hasContent := n.member("content"); {
	case n.member("schema") == nil && hasContent == nil:
		r.rep.warnf(n.Pos, "%s has neither schema nor content, so any value is allowed: add a schema", what)
	case s != nil && hasContent != nil:
		r.rep.warnf(hasContent.Pos, "%s has both schema and content, of which schema is used: remove one", what)
	case hasContent != nil && hasContent.Value.Kind == Object && len(content) != 1:
		r.rep.warnf(hasContent.Pos, "the content of %s has %d media types, but must have one", what, len(content))
	}
}

func (r *reader) header(n *Node, ptr string) *Header {
	h := &Header{Pos: n.Pos, Pointer: ptr, Style: "simple"}
	r.made[n] = h
	if reference(r, n, "a header", &h.Ref, &h.RefPos, &h.Target, &h.Description, &h.Extensions, r.header) {
		return h
	}
	ignored := func(m *Member) {
		r.rep.warnf(m.Pos, "a header has no %s, its name says it: remove it", m.Name)
	}
	var empty bool
	if !r.object(n, "a header", &h.Extensions,
		field{"name", ignored}, field{"in", ignored},
		field{"description", r.str(&h.Description)},
		field{"required", r.bool(&h.Required)},
		field{"deprecated", r.bool(&h.Deprecated)},
		field{"allowEmptyValue", r.bool(&empty)},
		field{"style", r.oneOf(&h.Style, "simple")},
		field{"explode", r.bool(&h.Explode)},
		field{"schema", func(m *Member) { h.Schema = r.schema(m.Value, ptr+"/schema") }},
		field{"content", func(m *Member) { h.Content = r.content(m, ptr) }},
		field{"example", raw(&h.Example)},
		field{"examples", func(m *Member) { h.Examples = r.examples(m, ptr) }},
	) {
		return nil
	}
	r.schemaOrContent(n, "the header", h.Schema, h.Content)
	return h
}

func (r *reader) requestBody(n *Node, ptr string) *RequestBody {
	b := &RequestBody{Pos: n.Pos, Pointer: ptr}
	r.made[n] = b
	if reference(r, n, "a request body", &b.Ref, &b.RefPos, &b.Target, &b.Description, &b.Extensions, r.requestBody) {
		return b
	}
	if !r.object(n, "a request body", &b.Extensions,
		field{"description", r.str(&b.Description)},
		field{"required", r.bool(&b.Required)},
		field{"content", func(m *Member) { b.Content = r.content(m, ptr) }},
	) {
		return nil
	}
	r.need(n, "the request body", "content")
	return b
}

func (r *reader) response(n *Node, ptr string) *Response {
	p := &Response{Pos: n.Pos, Pointer: ptr}
	r.made[n] = p
	if reference(r, n, "a response", &p.Ref, &p.RefPos, &p.Target, &p.Description, &p.Extensions, r.response) {
		return p
	}
	if !r.object(n, "a response", &p.Extensions,
		field{"summary", r.str(&p.Summary)},
		field{"description", r.str(&p.Description)},
		field{"headers", func(m *Member) {
			p.Headers = named(r, m, ptr+"/headers", "headers", nil, unnamed(r.header))
		}},
		field{"content", func(m *Member) { p.Content = r.content(m, ptr) }},
		field{"links", func(m *Member) { p.Links = named(r, m, ptr+"/links", "links", &p.Extensions, unnamed(r.link)) }},
	) {
		return p
	}
	if r.version < V32 {
		r.need(n, "the response", "description")
	}
	return p
}

func (r *reader) content(m *Member, ptr string) Map[MediaType] {
	out := named(r, m, ptr+"/content", "media types", nil, unnamed(r.mediaType))
	for _, e := range out {
		if !strings.Contains(e.Name, "/") {
			r.rep.warnf(e.Pos, "%s is not a media type: write one such as application/json", quote(e.Name))
		}
	}
	return out
}

func (r *reader) mediaType(n *Node, ptr string) *MediaType {
	t := &MediaType{Pos: n.Pos, Pointer: ptr}
	r.made[n] = t
	var ignored string
	if r.version >= V32 && reference(r, n, "a media type", &t.Ref, &t.RefPos, &t.Target, &ignored, &t.Extensions, r.mediaType) {
		return t
	}
	fields := []field{
		{"schema", func(m *Member) { t.Schema = r.schema(m.Value, ptr+"/schema") }},
		{"example", raw(&t.Example)},
		{"examples", func(m *Member) { t.Examples = r.examples(m, ptr) }},
		{"encoding", func(m *Member) { t.Encoding = named(r, m, ptr+"/encoding", "encodings", nil, r.encoding) }},
	}
	if r.version >= V32 {
		fields = append(fields,
			field{"itemSchema", func(m *Member) { t.ItemSchema = r.schema(m.Value, ptr+"/itemSchema") }},
			field{"prefixEncoding", func(*Member) {}}, field{"itemEncoding", func(*Member) {}})
	}
	r.object(n, "a media type", &t.Extensions, fields...)
	return t
}

func (r *reader) encoding(n *Node, ptr, _ string) *Encoding {
	e := &Encoding{Pos: n.Pos}
	r.object(n, "an encoding", &e.Extensions,
		field{"contentType", r.str(&e.ContentType)},
		field{"headers", func(m *Member) {
			e.Headers = named(r, m, ptr+"/headers", "headers", nil, unnamed(r.header))
		}},
		field{"style", r.oneOf(&e.Style, "form", "spaceDelimited", "pipeDelimited", "deepObject")},
		field{"explode", func(m *Member) { e.Explode, e.ExplodeSet = r.flag(m), true }},
		field{"allowReserved", r.bool(&e.AllowReserved)},
		field{"encoding", func(*Member) {}}, field{"prefixEncoding", func(*Member) {}}, field{"itemEncoding", func(*Member) {}},
	)
	if !e.ExplodeSet {
		e.Explode = e.Style == "form" || e.Style == ""
	}
	return e
}

func (r *reader) examples(m *Member, ptr string) Map[Example] {
	return named(r, m, ptr+"/examples", "examples", nil, unnamed(r.example))
}

func (r *reader) example(n *Node, ptr string) *Example {
	e := &Example{Pos: n.Pos, Pointer: ptr}
	r.made[n] = e
	if n.Kind != Object {
		r.rep.warnf(n.Pos, "%s where an example object is expected, read as its value: write value: before it", n.Kind)
		e.Value = n
		return e
	}
	if reference(r, n, "an example", &e.Ref, &e.RefPos, &e.Target, &e.Description, &e.Extensions, r.example) {
		return e
	}
	r.object(n, "an example", &e.Extensions,
		field{"summary", r.str(&e.Summary)},
		field{"description", r.str(&e.Description)},
		field{"value", raw(&e.Value)},
		field{"dataValue", raw(&e.DataValue)},
		field{"serializedValue", r.str(&e.SerializedValue)},
		field{"externalValue", r.str(&e.ExternalValue)},
	)
	return e
}

func (r *reader) link(n *Node, ptr string) *Link {
	l := &Link{Pos: n.Pos, Pointer: ptr}
	r.made[n] = l
	if reference(r, n, "a link", &l.Ref, &l.RefPos, &l.Target, &l.Description, &l.Extensions, r.link) {
		return l
	}
	r.object(n, "a link", &l.Extensions,
		field{"operationRef", r.str(&l.OperationRef)},
		field{"operationId", r.str(&l.OperationID)},
		field{"parameters", func(m *Member) {
			l.Parameters = named(r, m, "", "values", nil, func(n *Node, _, _ string) *Node { return n })
		}},
		field{"requestBody", raw(&l.RequestBody)},
		field{"description", r.str(&l.Description)},
		field{"server", func(m *Member) { l.Server = r.server(m.Value) }},
	)
	return l
}

func (r *reader) callback(n *Node, ptr string) *Callback {
	c := &Callback{Pos: n.Pos, Pointer: ptr}
	r.made[n] = c
	var ignored string
	if reference(r, n, "a callback", &c.Ref, &c.RefPos, &c.Target, &ignored, &c.Extensions, r.callback) {
		return c
	}
	c.Paths = named(r, &Member{Name: "a callback", Value: n}, ptr, "path items", &c.Extensions,
		func(n *Node, ptr, name string) *PathItem { return r.pathItem(n, ptr, name) })
	return c
}
