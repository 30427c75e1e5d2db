package gen

import (
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// operations declares the types of the schemas that stand in operations and in
// the other components.
func (l *lowerer) operations() {
	c := l.doc.Components
	for _, e := range c.Parameters {
		l.parameter(e.Value, ir.GoName(e.Name)+"Param")
	}
	for _, e := range c.Headers {
		l.header(e.Value, ir.GoName(e.Name)+"Header")
	}
	for _, e := range c.RequestBodies {
		l.content(e.Value.Content, ir.GoName(e.Name)+suffix(e.Name, "Request"))
	}
	for _, e := range c.Responses {
		l.response(e.Value, ir.GoName(e.Name)+suffix(e.Name, "Response"))
	}
	for _, e := range c.PathItems {
		l.pathItem(e.Value)
	}
	for _, e := range l.doc.Paths {
		l.pathItem(e.Value)
	}
	for _, e := range l.doc.Webhooks {
		l.pathItem(e.Value)
	}
	for _, e := range c.Callbacks {
		l.callback(e.Value)
	}
}

// suffix returns s unless name says it already.
func suffix(name, s string) string {
	if strings.HasSuffix(ir.GoName(name), s) {
		return ""
	}
	return s
}

func (l *lowerer) pathItem(i *openapi.PathItem) {
	for _, p := range i.Parameters {
		if p.Target == nil {
			l.parameter(p, ir.GoName(i.Path)+ir.GoName(p.Name))
		}
	}
	for _, o := range i.Operations {
		l.operation(o)
	}
}

func (l *lowerer) callback(c *openapi.Callback) {
	for _, e := range c.Paths {
		l.pathItem(e.Value)
	}
}

func (l *lowerer) operation(o *openapi.Operation) {
	name := ir.GoName(o.OperationID)
	if name == "" {
		name = ir.GoName(strings.ToLower(o.Method) + " " + o.Path)
	}
	for _, p := range o.Parameters {
		if p.Target == nil {
			l.parameter(p, name+ir.GoName(p.Name))
		}
	}
	if b := o.RequestBody; b != nil && b.Target == nil {
		l.content(b.Content, name+"Request")
	}
	for _, e := range o.Responses {
		if e.Value.Target != nil {
			continue
		}
		place := name + "Response"
		if e.Name != "200" && e.Name != "201" && e.Name != "default" || e.Name == "default" && len(o.Responses) > 1 {
			place += ir.GoName("r" + e.Name)[1:]
		}
		if e.Name == "default" && len(o.Responses) > 1 {
			place = name + "ResponseDefault"
		}
		l.response(e.Value, place)
	}
	for _, e := range o.Callbacks {
		if e.Value.Target == nil {
			l.callback(e.Value)
		}
	}
}

func (l *lowerer) parameter(p *openapi.Parameter, place string) {
	if p.Schema != nil {
		l.typeOf(p.Schema, place)
	}
	l.content(p.Content, place)
}

func (l *lowerer) header(h *openapi.Header, place string) {
	if h.Schema != nil {
		l.typeOf(h.Schema, place)
	}
	l.content(h.Content, place)
}

func (l *lowerer) response(r *openapi.Response, place string) {
	for _, e := range r.Headers {
		if e.Value.Target == nil {
			l.header(e.Value, place+ir.GoName(e.Name))
		}
	}
	l.content(r.Content, place)
}

// content declares the types of bodies. The first media type has the plain
// name; the others add theirs.
func (l *lowerer) content(c openapi.Map[openapi.MediaType], place string) {
	for i, e := range c {
		name := place
		if i > 0 {
			name += mediaName(e.Name)
		}
		for _, s := range []*openapi.Schema{e.Value.Schema, e.Value.ItemSchema} {
			if s != nil {
				l.typeOf(s, name)
			}
		}
	}
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
