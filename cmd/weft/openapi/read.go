package openapi

import "strings"

// document reads the root of an OpenAPI 3 document.
func (r *reader) document(root *Node) {
	d := r.doc
	fields := []field{
		{"openapi", func(*Member) {}},
		{"info", func(m *Member) { r.info(m.Value, d.Info) }},
		{"servers", func(m *Member) { d.Servers = r.servers(m) }},
		{"paths", func(m *Member) {
			d.Paths = named(r, m, "#/paths", "path items", &d.Extensions, r.pathItem)
		}},
		{"components", func(m *Member) { r.components(m.Value, "#/components", d.Components) }},
		{"security", func(m *Member) { d.Security = r.security(m) }},
		{"tags", func(m *Member) {
			for _, n := range r.items(m, "tags") {
				if t := r.tag(n); t != nil {
					d.Tags = append(d.Tags, t)
				}
			}
		}},
		{"externalDocs", func(m *Member) { d.ExternalDocs = r.externalDocs(m.Value) }},
	}
	if r.version >= V31 {
		fields = append(fields,
			field{"webhooks", func(m *Member) {
				d.Webhooks = named(r, m, "#/webhooks", "path items", nil, r.pathItem)
			}},
			field{"jsonSchemaDialect", r.str(&d.JSONSchemaDialect)},
		)
	}
	if r.version >= V32 {
		fields = append(fields, field{"$self", func(*Member) {}})
	}
	r.object(root, "an OpenAPI document", &d.Extensions, fields...)
	if root.member("info") == nil {
		r.rep.warnf(root.Pos, "info is missing: add info with title and version")
	}
	if root.member("paths") == nil && (r.version == V30 || root.member("components") == nil && root.member("webhooks") == nil) {
		r.rep.warnf(root.Pos, "paths is missing: add it, be it empty")
	}
}

func (r *reader) info(n *Node, to *Info) {
	to.Pos = n.Pos
	ok := r.object(n, "the info object", &to.Extensions,
		field{"title", r.str(&to.Title)},
		field{"summary", r.str(&to.Summary)},
		field{"description", r.str(&to.Description)},
		field{"termsOfService", r.str(&to.TermsOfService)},
		field{"version", r.str(&to.Version)},
		field{"contact", func(m *Member) {
			c := &Contact{Pos: m.Value.Pos}
			to.Contact = c
			r.object(m.Value, "a contact", &c.Extensions,
				field{"name", r.str(&c.Name)}, field{"url", r.str(&c.URL)}, field{"email", r.str(&c.Email)})
		}},
		field{"license", func(m *Member) {
			l := &License{Pos: m.Value.Pos}
			to.License = l
			r.object(m.Value, "a license", &l.Extensions,
				field{"name", r.str(&l.Name)}, field{"identifier", r.str(&l.Identifier)}, field{"url", r.str(&l.URL)})
		}},
	)
	if ok {
		r.need(n, "the info object", "title", "version")
	}
}

// need warns of members that the specification requires and that n lacks.
func (r *reader) need(n *Node, what string, names ...string) {
	for _, name := range names {
		if n.member(name) == nil {
			r.rep.warnf(n.Pos, "%s lacks %s: add it", what, name)
		}
	}
}

func (r *reader) servers(m *Member) []*Server {
	var out []*Server
	for _, n := range r.items(m, "servers") {
		out = append(out, r.server(n))
	}
	return out
}

func (r *reader) server(n *Node) *Server {
	s := &Server{Pos: n.Pos}
	ok := r.object(n, "a server", &s.Extensions,
		field{"url", r.str(&s.URL)},
		field{"name", r.str(&s.Name)},
		field{"description", r.str(&s.Description)},
		field{"variables", func(m *Member) {
			s.Variables = named(r, m, "", "server variables", nil, func(n *Node, _, _ string) *ServerVariable {
				v := &ServerVariable{Pos: n.Pos}
				if r.object(n, "a server variable", &v.Extensions,
					field{"enum", func(m *Member) { v.Enum = r.strings(m, "strings") }},
					field{"default", r.str(&v.Default)},
					field{"description", r.str(&v.Description)},
				) {
					r.need(n, "a server variable", "default")
				}
				return v
			})
		}},
	)
	if ok {
		r.need(n, "a server", "url")
	}
	return s
}

func (r *reader) tag(n *Node) *Tag {
	t := &Tag{Pos: n.Pos}
	if n.Kind == String { // a list of names, as operations have it
		r.rep.warnf(n.Pos, "a tag is a string, but must be an object: write name: %s", n.Text)
		t.Name = n.Text
		return t
	}
	ok := r.object(n, "a tag", &t.Extensions,
		field{"name", r.str(&t.Name)},
		field{"summary", r.str(&t.Summary)},
		field{"description", r.str(&t.Description)},
		field{"parent", r.str(&t.Parent)},
		field{"kind", r.str(&t.Kind)},
		field{"externalDocs", func(m *Member) { t.ExternalDocs = r.externalDocs(m.Value) }},
	)
	if !ok {
		return nil
	}
	r.need(n, "a tag", "name")
	return t
}

func (r *reader) externalDocs(n *Node) *ExternalDocs {
	e := &ExternalDocs{Pos: n.Pos}
	r.object(n, "an externalDocs object", &e.Extensions,
		field{"url", r.str(&e.URL)}, field{"description", r.str(&e.Description)})
	return e
}

func (r *reader) components(n *Node, ptr string, c *Components) {
	c.Pos = n.Pos
	r.object(n, "the components object", &c.Extensions,
		field{"schemas", func(m *Member) {
			c.Schemas = named(r, m, ptr+"/schemas", "schemas", nil, r.namedSchema)
			for i := range c.Schemas {
				r.componentName(&c.Schemas[i].Name, c.Schemas[i].Pos)
			}
		}},
		field{"responses", func(m *Member) {
			c.Responses = named(r, m, ptr+"/responses", "responses", &c.Extensions, unnamed(r.response))
		}},
		field{"parameters", func(m *Member) {
			c.Parameters = named(r, m, ptr+"/parameters", "parameters", &c.Extensions, unnamed(r.parameter))
		}},
		field{"examples", func(m *Member) {
			c.Examples = named(r, m, ptr+"/examples", "examples", &c.Extensions, unnamed(r.example))
		}},
		field{"requestBodies", func(m *Member) {
			c.RequestBodies = named(r, m, ptr+"/requestBodies", "request bodies", &c.Extensions, unnamed(r.requestBody))
		}},
		field{"headers", func(m *Member) {
			c.Headers = named(r, m, ptr+"/headers", "headers", nil, unnamed(r.header))
		}},
		field{"securitySchemes", func(m *Member) {
			c.SecuritySchemes = named(r, m, ptr+"/securitySchemes", "security schemes", nil, unnamed(r.securityScheme))
		}},
		field{"links", func(m *Member) {
			c.Links = named(r, m, ptr+"/links", "links", &c.Extensions, unnamed(r.link))
		}},
		field{"callbacks", func(m *Member) {
			c.Callbacks = named(r, m, ptr+"/callbacks", "callbacks", &c.Extensions, unnamed(r.callback))
		}},
		field{"pathItems", func(m *Member) {
			c.PathItems = named(r, m, ptr+"/pathItems", "path items", nil, unnamed(r.componentItem))
		}},
		field{"mediaTypes", func(m *Member) {
			c.MediaTypes = named(r, m, ptr+"/mediaTypes", "media types", nil, unnamed(r.mediaType))
		}},
	)
}

// componentName checks a component's name against the specification's grammar.
func (r *reader) componentName(name *string, p Pos) {
	for i := 0; i < len(*name); i++ {
		c := (*name)[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '-' || c == '_' {
			continue
		}
		r.rep.warnf(p, "the component's name %s has a character other than letters, digits, '.', '-' and '_': rename it", quote(*name))
		return
	}
	if *name == "" {
		r.rep.warnf(p, "a component with an empty name: name it")
	}
}

func unnamed[T any](read func(n *Node, ptr string) *T) func(n *Node, ptr, name string) *T {
	return func(n *Node, ptr, _ string) *T { return read(n, ptr) }
}

func (r *reader) security(m *Member) []*SecurityRequirement {
	out := []*SecurityRequirement{}
	for _, n := range r.items(m, "security requirements") {
		q := &SecurityRequirement{Pos: n.Pos}
		if !r.isObject(n, "a security requirement") {
			continue
		}
		for i := range n.Members {
			x := &n.Members[i]
			q.Schemes = append(q.Schemes, SecurityUse{Name: x.Name, Pos: x.Pos, Scopes: r.strings(x, "scopes")})
		}
		out = append(out, q)
	}
	return out
}

func (r *reader) securityScheme(n *Node, ptr string) *SecurityScheme {
	s := &SecurityScheme{Pos: n.Pos, Pointer: ptr}
	r.made[n] = s
	if reference(r, n, "a security scheme", &s.Ref, &s.RefPos, &s.Target, &s.Description, &s.Extensions, r.securityScheme) {
		return s
	}
	ok := r.object(n, "a security scheme", &s.Extensions,
		field{"type", r.oneOf(&s.Type, "apiKey", "http", "mutualTLS", "oauth2", "openIdConnect")},
		field{"description", r.str(&s.Description)},
		field{"name", r.str(&s.Name)},
		field{"in", r.oneOf(&s.In, "query", "header", "cookie")},
		field{"scheme", r.str(&s.Scheme)},
		field{"bearerFormat", r.str(&s.BearerFormat)},
		field{"openIdConnectUrl", r.str(&s.OpenIDConnectURL)},
		field{"oauth2MetadataUrl", r.str(&s.OAuth2Metadata)},
		field{"deprecated", r.bool(&s.Deprecated)},
		field{"flows", func(m *Member) {
			flow := func(kind string) field {
				return field{kind, func(m *Member) { s.Flows = append(s.Flows, r.flow(m.Value, kind)) }}
			}
			r.object(m.Value, "the OAuth flows", &s.Extensions, flow("implicit"), flow("password"),
				flow("clientCredentials"), flow("authorizationCode"), flow("deviceAuthorization"))
		}},
	)
	if ok {
		r.need(n, "a security scheme", "type")
		switch s.Type {
		case "apiKey":
			r.need(n, "an apiKey security scheme", "name", "in")
		case "http":
			r.need(n, "an http security scheme", "scheme")
		case "oauth2":
			r.need(n, "an oauth2 security scheme", "flows")
		}
	}
	return s
}

func (r *reader) flow(n *Node, kind string) *OAuthFlow {
	f := &OAuthFlow{Pos: n.Pos, Kind: kind}
	r.object(n, "an OAuth flow", &f.Extensions,
		field{"authorizationUrl", r.str(&f.AuthorizationURL)},
		field{"deviceAuthorizationUrl", r.str(&f.DeviceURL)},
		field{"tokenUrl", r.str(&f.TokenURL)},
		field{"refreshUrl", r.str(&f.RefreshURL)},
		field{"scopes", func(m *Member) {
			f.Scopes = named(r, m, "", "scopes", &f.Extensions, func(n *Node, _, name string) *Text {
				return &Text{r.text(&Member{Name: "the scope " + name, Value: n}), n.Pos}
			})
		}},
	)
	return f
}

// oneOf reads a string that must be one of the values.
func (r *reader) oneOf(to *string, values ...string) func(*Member) {
	return func(m *Member) {
		s := r.text(m)
		if s == "" && m.Value.Kind != String {
			return
		}
		for _, v := range values {
			if s == v {
				*to = v
				return
			}
		}
		for _, v := range values {
			if strings.EqualFold(s, v) {
				r.rep.warnf(m.Value.Pos, "%s is %s, read as %s: write it so", m.Name, quote(s), quote(v))
				*to = v
				return
			}
		}
		r.rep.errorf(m.Value.Pos, "%s is %s, but must be %s: %s", m.Name, quote(s), alternatives(values),
			didYouMean(s, func(yield func(string) bool) {
				for _, v := range values {
					if !yield(v) {
						return
					}
				}
			}, "choose one of them"))
	}
}

func alternatives(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	return strings.Join(values[:len(values)-1], ", ") + " or " + values[len(values)-1]
}
