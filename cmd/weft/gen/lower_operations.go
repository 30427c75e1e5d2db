package gen

import (
	"cmp"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// operations lowers the operations, and declares the types of the schemas that
// stand in them and in the other components.
func (l *lowerer) operations() {
	a := &operations{
		lowerer: l, scope: ir.NewScope(), ops: make(map[*openapi.Operation]*Operation), ids: make(map[string]*Operation),
		origins: make(map[string]*Operation),
	}
	l.api = &API{Servers: urls(l.doc.Servers), Security: requirements(l.doc.Security), Operations: []*Operation{}}
	l.securitySchemes()
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
		l.api.Operations = append(l.api.Operations, a.pathItem(e.Value, "")...)
	}
	for _, e := range l.doc.Webhooks {
		l.api.Webhooks = append(l.api.Webhooks, a.pathItem(e.Value, "")...)
	}
	for _, e := range c.PathItems {
		a.pathItem(e.Value, ir.GoName(e.Name))
	}
	for _, e := range c.Callbacks {
		a.callback(e.Value, ir.GoName(e.Name))
	}
	for _, name := range a.links {
		name()
	}
}

// operations lowers operations.
type operations struct {
	*lowerer
	scope   *ir.Scope // names of operations
	ops     map[*openapi.Operation]*Operation
	ids     map[string]*Operation
	origins map[string]*Operation // by pointer
	links   []func()              // to be done when all operations are known
	now     *Operation            // that is being lowered
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
func (a *operations) pathItem(i *openapi.PathItem, place string) []*Operation {
	shared := ir.NewScope()
	for _, p := range i.Parameters {
		if p.Target == nil {
			a.param(p, ir.GoName(i.Path)+ir.GoName(p.Name), shared)
		}
	}
	out := make([]*Operation, 0, len(i.Operations))
	for _, o := range i.Operations {
		out = append(out, a.operation(o, place))
	}
	return out
}

func (a *operations) operation(o *openapi.Operation, place string) *Operation {
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
	op := &Operation{
		Name: a.scope.Pick(name), ID: o.OperationID, Method: o.Method, Path: o.Path, Pos: o.Pos.String(), Tags: names(o.Tags),
		Deprecated: o.Deprecated, Security: a.api.Security, Servers: urls(o.Servers),
	}
	a.ops[o] = op
	around := a.now
	a.now = op
	if o.OperationID != "" && a.ids[o.OperationID] == nil {
		a.ids[o.OperationID] = op
	}
	if a.origins[o.Pointer] == nil {
		a.origins[o.Pointer] = op
	}
	if o.SecuritySet {
		op.Security = requirements(o.Security)
	}
	if len(op.Servers) == 0 && o.Item != nil {
		op.Servers = urls(o.Item.Servers)
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
		op.Body = &Body{Required: to.Required, Contents: a.content(to.Content, name+"Request")}
	}
	for _, e := range o.Responses {
		op.Responses = append(op.Responses, a.response(e.Name, e.Value, responsePlace(name, e.Name, len(o.Responses))))
	}
	for _, e := range o.Callbacks {
		op.Callbacks = append(op.Callbacks, a.callback(e.Value.Resolve(), name+ir.GoName(e.Name))...)
	}
	for _, c := range op.Callbacks {
		op.types = append(op.types, c.types...)
	}
	a.now = around
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

func (a *operations) callback(c *openapi.Callback, place string) []*Operation {
	var out []*Operation
	for _, e := range c.Paths {
		out = append(out, a.pathItem(e.Value, place)...)
	}
	return out
}

func (a *operations) param(p *openapi.Parameter, place string, scope *ir.Scope) *Param {
	to := p.Resolve()
	name := cmp.Or(ir.GoName(to.Name), "Param")
	out := &Param{
		Name: scope.Pick(name, name+ir.GoName(to.In)), Wire: to.Name, In: to.In, Required: to.Required, Style: to.Style, Explode: to.Explode,
	}
	a.value(out, to.Schema, to.Content, place)
	return out
}

// value sets the type of a parameter or header, which has a schema or a
// content of one media type.
func (a *operations) value(p *Param, s *openapi.Schema, c openapi.Map[openapi.MediaType], place string) {
	list := a.content(c, place)
	switch {
	case s != nil:
		p.Type = a.use(s, place)
		return
	case len(list) == 0:
		p.Type.typ = &ir.Type{Kind: ir.Any}
		return
	case list[0].Type.typ == nil:
		p.Type.typ = &ir.Type{Kind: ir.Bytes}
	default:
		p.Type = list[0].Type
	}
	p.Media, p.Style, p.Explode = list[0].Media, "", false
}

// use returns the type for s, which the operation that is being lowered has to do with.
func (a *operations) use(s *openapi.Schema, place string) Use {
	t := a.typeOf(s, place)
	if a.now != nil {
		a.now.types = append(a.now.types, t)
	}
	return Use{t, s.AllowsNull()}
}

func (a *operations) header(name string, h *openapi.Header, place string, scope *ir.Scope) *Param {
	to := h.Resolve()
	return a.param(&openapi.Parameter{
		Name: name, In: "header", Required: to.Required, Style: to.Style, Explode: to.Explode, Schema: to.Schema, Content: to.Content,
	}, place, scope)
}

func (a *operations) headers(list openapi.Map[openapi.Header], place string) (out []*Param) {
	scope := ir.NewScope()
	for _, e := range list {
		out = append(out, a.header(e.Name, e.Value, place+ir.GoName(e.Name), scope))
	}
	return out
}

func (a *operations) response(status string, r *openapi.Response, place string) *Response {
	to := r.Resolve()
	out := &Response{Status: status, Headers: a.headers(to.Headers, place), Contents: a.content(to.Content, place)}
	for _, e := range to.Links {
		out.Links = append(out.Links, a.link(e.Name, e.Value.Resolve()))
	}
	return out
}

// content declares the types of bodies. The first media type has the plain
// name; the others add theirs.
func (a *operations) content(c openapi.Map[openapi.MediaType], place string) []*Content {
	out := make([]*Content, 0, len(c))
	for i, e := range c {
		name := place
		if i > 0 {
			name += mediaName(e.Name)
		}
		to := e.Value.Resolve()
		x := &Content{Media: e.Name}
		switch {
		case to.Schema != nil:
			x.Type = a.use(to.Schema, name)
		case to.ItemSchema == nil && oneJSON(e.Name):
			x.Type.typ = &ir.Type{Kind: ir.Any}
		}
		if to.ItemSchema != nil {
			x.Item.typ = a.use(to.ItemSchema, name+"Item").typ
		}
		for _, p := range to.Encoding {
			a.headers(p.Value.Headers, name+ir.GoName(p.Name))
		}
		out = append(out, x)
	}
	return out
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

func (a *operations) link(name string, to *openapi.Link) *Link {
	out := &Link{Name: name, Operation: cmp.Or(to.OperationID, to.OperationRef)}
	a.links = append(a.links, func() {
		op := a.ids[to.OperationID]
		if op == nil && to.OperationRef != "" {
			op = a.origins[to.OperationRef]
		}
		if op != nil {
			out.Operation = op.Name
		}
	})
	return out
}

func urls(list []*openapi.Server) (out []string) {
	for _, s := range list {
		out = append(out, s.URL)
	}
	return out
}

func (l *lowerer) securitySchemes() {
	scope := ir.NewScope()
	for _, e := range l.doc.Components.SecuritySchemes {
		to := e.Value.Resolve()
		s := Scheme{Key: e.Name, Name: scope.Pick(cmp.Or(ir.GoName(e.Name), "Scheme")), Kind: to.Type}
		switch to.Type {
		case "apiKey":
			s.Detail = to.In + " " + to.Name
		case "http":
			s.Detail = to.Scheme
		case "openIdConnect":
			s.Detail = to.OpenIDConnectURL
		case "oauth2":
			var kinds []string
			for _, f := range to.Flows {
				kinds = append(kinds, f.Kind)
			}
			s.Detail = strings.Join(kinds, " ")
		}
		l.api.Schemes = append(l.api.Schemes, s)
	}
}

// requirements returns a text for each requirement: schemes that are all
// needed, joined by +, their scopes in parentheses; "none" when none is.
func requirements(list []*openapi.SecurityRequirement) []string {
	out := make([]string, 0, len(list))
	for _, r := range list {
		var uses []string
		for _, u := range r.Schemes {
			text := u.Name
			if len(u.Scopes) > 0 {
				text += "(" + strings.Join(names(u.Scopes), " ") + ")"
			}
			uses = append(uses, text)
		}
		out = append(out, cmp.Or(strings.Join(uses, "+"), "none"))
	}
	return out
}
