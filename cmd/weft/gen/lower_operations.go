package gen

import (
	"strconv"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// operations lowers the operations, and declares the types of the schemas that
// stand in them and in the other components.
func (l *lowerer) operations() {
	a := &api{
		lowerer: l, scope: ir.NewScope(), ops: make(map[*openapi.Operation]*ir.Operation), ids: make(map[string]*ir.Operation),
		origins: make(map[string]*ir.Operation), schemes: make(map[*openapi.SecurityScheme]*ir.SecurityScheme),
	}
	l.pkg.API = &ir.API{Servers: servers(l.doc.Servers)}
	a.securitySchemes()
	l.pkg.API.Security = a.security(l.doc.Security)
	c := l.doc.Components
	params := ir.NewScope()
	for _, e := range c.Parameters {
		a.param(e.Value, ir.GoName(e.Name)+"Param", params)
	}
	for _, e := range c.Headers {
		a.header(e.Name, e.Value, ir.GoName(e.Name)+"Header", params)
	}
	for _, e := range c.RequestBodies {
		a.content(e.Value.Content, ir.GoName(e.Name)+suffix(e.Name, "Request"))
	}
	for _, e := range c.Responses {
		a.response("default", e.Value, ir.GoName(e.Name)+suffix(e.Name, "Response"))
	}
	for _, e := range c.MediaTypes {
		a.content(openapi.Map[openapi.MediaType]{e}, ir.GoName(e.Name)+suffix(e.Name, "Body"))
	}
	// Paths come before what may be shared by them, so that an operation is
	// named after its path.
	for _, e := range l.doc.Paths {
		l.pkg.API.Operations = append(l.pkg.API.Operations, a.pathItem(e.Value, "")...)
	}
	for _, e := range l.doc.Webhooks {
		l.pkg.API.Webhooks = append(l.pkg.API.Webhooks, a.pathItem(e.Value, "")...)
	}
	for _, e := range c.PathItems {
		a.pathItem(e.Value, ir.GoName(e.Name))
	}
	for _, e := range c.Callbacks {
		a.callback(e.Value, ir.GoName(e.Name))
	}
	for _, link := range a.links {
		link()
	}
}

// api lowers operations.
type api struct {
	*lowerer
	scope   *ir.Scope // names of operations
	ops     map[*openapi.Operation]*ir.Operation
	ids     map[string]*ir.Operation
	origins map[string]*ir.Operation // by pointer
	schemes map[*openapi.SecurityScheme]*ir.SecurityScheme
	links   []func() // to be done when all operations are known
}

// suffix returns s unless name says it already.
func suffix(name, s string) string {
	if strings.HasSuffix(ir.GoName(name), s) {
		return ""
	}
	return s
}

// pathItem returns the operations of i. The place names those that have no
// operationId; "" for their path.
func (a *api) pathItem(i *openapi.PathItem, place string) []*ir.Operation {
	shared := ir.NewScope()
	for _, p := range i.Parameters {
		if p.Target == nil {
			a.param(p, ir.GoName(i.Path)+ir.GoName(p.Name), shared)
		}
	}
	out := make([]*ir.Operation, 0, len(i.Operations))
	for _, o := range i.Operations {
		out = append(out, a.operation(o, place))
	}
	return out
}

func (a *api) operation(o *openapi.Operation, place string) *ir.Operation {
	if op := a.ops[o]; op != nil {
		return op
	}
	name := ir.GoName(o.OperationID)
	switch {
	case name != "":
	case place != "":
		name = place + ir.GoName(strings.ToLower(o.Method))
	default:
		name = ir.GoName(strings.ToLower(o.Method) + " " + o.Path)
	}
	op := &ir.Operation{
		Name: a.scope.Pick(name), ID: o.OperationID, Method: o.Method, Path: o.Path, Origin: o.Pointer, Pos: o.Pos.String(),
		Summary: o.Summary, Doc: o.Description, Tags: names(o.Tags), Deprecated: o.Deprecated,
		Security: a.pkg.API.Security, Servers: servers(o.Servers),
	}
	a.ops[o] = op
	if o.OperationID != "" && a.ids[o.OperationID] == nil {
		a.ids[o.OperationID] = op
	}
	if a.origins[o.Pointer] == nil {
		a.origins[o.Pointer] = op
	}
	if o.SecuritySet {
		op.Security = a.security(o.Security)
	}
	if len(op.Servers) == 0 && o.Item != nil {
		op.Servers = servers(o.Item.Servers)
	}
	params := ir.NewScope()
	for _, p := range o.AllParameters() {
		op.Params = append(op.Params, a.param(p, name+ir.GoName(p.Name), params))
	}
	for _, p := range o.Parameters { // those the operation cannot have
		if p.Target == nil {
			a.param(p, name+ir.GoName(p.Name), params)
		}
	}
	if b := o.RequestBody; b != nil {
		to := b.Resolve()
		op.Body = &ir.Body{Doc: or(b.Description, to.Description), Required: to.Required, Contents: a.content(to.Content, name+"Request")}
	}
	for _, e := range o.Responses {
		op.Responses = append(op.Responses, a.response(e.Name, e.Value, responsePlace(name, e.Name, len(o.Responses))))
	}
	for _, e := range o.Callbacks {
		op.Callbacks = append(op.Callbacks, &ir.Callback{Name: e.Name, Operations: a.callback(e.Value.Resolve(), name+ir.GoName(e.Name))})
	}
	return op
}

// responsePlace names what is declared for one of n responses to the operation
// called name.
func responsePlace(name, status string, n int) string {
	switch {
	case status == "default" && n > 1:
		return name + "ResponseDefault"
	case status == "200" || status == "201" || status == "default":
		return name + "Response"
	}
	if len(status) == 3 && strings.EqualFold(status[1:], "XX") {
		return name + "Response" + strings.ToUpper(status)
	}
	return name + "Response" + ir.GoSuffix(status)
}

func (a *api) callback(c *openapi.Callback, place string) []*ir.Operation {
	var out []*ir.Operation
	for _, e := range c.Paths {
		out = append(out, a.pathItem(e.Value, place)...)
	}
	return out
}

func (a *api) param(p *openapi.Parameter, place string, scope *ir.Scope) *ir.Param {
	to := p.Resolve()
	name := or(ir.GoName(to.Name), "Param")
	out := &ir.Param{
		Name: scope.Pick(name, name+ir.GoName(to.In)), Wire: to.Name, In: to.In, Doc: or(p.Description, to.Description),
		Required: to.Required, Deprecated: to.Deprecated, AllowEmptyValue: to.AllowEmptyValue, AllowReserved: to.AllowReserved,
		Style: to.Style, Explode: to.Explode,
	}
	out.Type, out.Nullable, out.Media = a.value(to.Schema, to.Content, place)
	return out
}

// value returns the type of a parameter or header, which has a schema or a
// content of one media type.
func (a *api) value(s *openapi.Schema, c openapi.Map[openapi.MediaType], place string) (t *ir.Type, nullable bool, media string) {
	list := a.content(c, place)
	switch {
	case s != nil:
		return a.typeOf(s, place), allowsNull(s, nil), ""
	case len(list) == 0:
		return &ir.Type{Kind: ir.Any}, false, ""
	case list[0].Type == nil:
		return &ir.Type{Kind: ir.Bytes}, false, list[0].Media
	}
	return list[0].Type, list[0].Nullable, list[0].Media
}

func (a *api) header(name string, h *openapi.Header, place string, scope *ir.Scope) *ir.Param {
	to := h.Resolve()
	out := &ir.Param{
		Name: scope.Pick(or(ir.GoName(name), "Header")), Wire: name, In: "header", Doc: or(h.Description, to.Description),
		Required: to.Required, Deprecated: to.Deprecated, Style: to.Style, Explode: to.Explode,
	}
	out.Type, out.Nullable, out.Media = a.value(to.Schema, to.Content, place)
	return out
}

func (a *api) response(status string, r *openapi.Response, place string) *ir.Response {
	to := r.Resolve()
	out := &ir.Response{Status: status, Doc: or(r.Description, to.Description)}
	if code, err := strconv.Atoi(status); err == nil {
		out.Low, out.High = code, code
	} else if first, ok := strings.CutSuffix(status, "XX"); ok && len(first) == 1 {
		out.Low = int(first[0]-'0') * 100
		out.High = out.Low + 99
	}
	headers := ir.NewScope()
	for _, e := range to.Headers {
		out.Headers = append(out.Headers, a.header(e.Name, e.Value, place+ir.GoName(e.Name), headers))
	}
	out.Contents = a.content(to.Content, place)
	for _, e := range to.Links {
		out.Links = append(out.Links, a.link(e.Name, e.Value.Resolve()))
	}
	return out
}

// content declares the types of bodies. The first media type has the plain
// name; the others add theirs.
func (a *api) content(c openapi.Map[openapi.MediaType], place string) []*ir.Content {
	out := make([]*ir.Content, 0, len(c))
	for i, e := range c {
		name := place
		if i > 0 {
			name += mediaName(e.Name)
		}
		to := e.Value.Resolve()
		x := &ir.Content{Media: e.Name}
		switch {
		case to.Schema != nil:
			x.Type, x.Nullable = a.typeOf(to.Schema, name), allowsNull(to.Schema, nil)
		case to.ItemSchema == nil && isJSON(e.Name):
			x.Type = &ir.Type{Kind: ir.Any}
		}
		if to.ItemSchema != nil {
			x.Item = a.typeOf(to.ItemSchema, name+"Item")
		}
		for _, p := range to.Encoding {
			part := &ir.Part{Name: p.Name, ContentType: p.Value.ContentType, Style: p.Value.Style, Explode: p.Value.Explode, AllowReserved: p.Value.AllowReserved}
			headers := ir.NewScope()
			for _, h := range p.Value.Headers {
				part.Headers = append(part.Headers, a.header(h.Name, h.Value, name+ir.GoName(p.Name)+ir.GoName(h.Name), headers))
			}
			x.Parts = append(x.Parts, part)
		}
		out = append(out, x)
	}
	return out
}

func isJSON(media string) bool {
	media, _, _ = strings.Cut(strings.ToLower(media), ";")
	return strings.HasSuffix(strings.TrimSpace(media), "json")
}

// mediaName returns what a media type adds to a name: "application/x-ndjson"
// adds "XNdjson".
func mediaName(media string) string {
	_, sub, ok := strings.Cut(media, "/")
	if !ok {
		sub = media
	}
	sub, _, _ = strings.Cut(sub, ";")
	switch sub {
	case "json":
		return "JSON"
	case "x-www-form-urlencoded", "form-data":
		return "Form"
	}
	return ir.GoName(sub)
}

func (a *api) link(name string, to *openapi.Link) *ir.Link {
	out := &ir.Link{Name: name, Doc: to.Description, Ref: or(to.OperationID, to.OperationRef)}
	for _, e := range to.Parameters {
		out.Parameters = append(out.Parameters, ir.LinkParam{Name: e.Name, Value: string(openapi.AppendJSON(nil, e.Value))})
	}
	a.links = append(a.links, func() {
		if out.Operation = a.ids[to.OperationID]; out.Operation == nil && to.OperationRef != "" {
			out.Operation = a.origins[to.OperationRef]
		}
	})
	return out
}

func servers(list []*openapi.Server) []*ir.Server {
	var out []*ir.Server
	for _, s := range list {
		x := &ir.Server{URL: s.URL, Doc: s.Description}
		for _, e := range s.Variables {
			x.Variables = append(x.Variables, ir.ServerVariable{Name: e.Name, Default: e.Value.Default, Enum: names(e.Value.Enum)})
		}
		out = append(out, x)
	}
	return out
}

func (a *api) securitySchemes() {
	scope := ir.NewScope()
	for _, e := range a.doc.Components.SecuritySchemes {
		to := e.Value.Resolve()
		s := &ir.SecurityScheme{
			Name: scope.Pick(or(ir.GoName(e.Name), "Scheme")), Key: e.Name, Kind: to.Type, Doc: or(e.Value.Description, to.Description),
			Wire: to.Name, In: to.In, Scheme: to.Scheme, BearerFormat: to.BearerFormat, OpenIDURL: to.OpenIDConnectURL,
		}
		for _, f := range to.Flows {
			flow := &ir.Flow{Kind: f.Kind, AuthorizationURL: f.AuthorizationURL, DeviceURL: f.DeviceURL, TokenURL: f.TokenURL, RefreshURL: f.RefreshURL}
			for _, scope := range f.Scopes {
				flow.Scopes = append(flow.Scopes, scope.Name)
			}
			s.Flows = append(s.Flows, flow)
		}
		a.schemes[to] = s
		a.pkg.API.Schemes = append(a.pkg.API.Schemes, s)
	}
}

func (a *api) security(list []*openapi.SecurityRequirement) []*ir.Requirement {
	out := make([]*ir.Requirement, 0, len(list))
	for _, q := range list {
		r := &ir.Requirement{}
		for _, u := range q.Schemes {
			r.Uses = append(r.Uses, ir.SchemeUse{Key: u.Name, Scheme: a.schemes[u.Scheme], Scopes: names(u.Scopes)})
		}
		out = append(out, r)
	}
	return out
}
