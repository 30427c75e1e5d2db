package gen

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
	"github.com/weftcodec/weft/json"
)

// API is what a listing says of the operations of a document, with the types of the package
// in the places of schemas.
type API struct {
	Servers    []string     `json:"servers,omitempty"`
	Security   []string     `json:"security,omitempty"` // of operations that say none themselves
	Schemes    []scheme     `json:"securitySchemes,omitempty"`
	Operations []*operation `json:"operations"` // of the paths, in document order
	Webhooks   []*operation `json:"webhooks,omitempty"`
}

// scheme is a way to show who is asking.
type scheme struct {
	Key    string `json:"key"` // as requirements name it
	Name   string `json:"name"`
	Kind   string `json:"type"`
	Detail string `json:"detail,omitempty"`
}

// operation is a request and its responses.
type operation struct {
	Name       string       `json:"name"` // Go name, unique in the API
	ID         string       `json:"operationId,omitempty"`
	Method     string       `json:"method"`
	Path       string       `json:"path"` // template, name of a webhook, or expression of a callback
	Pos        string       `json:"at"`
	Tags       []string     `json:"tags,omitempty"`
	Deprecated bool         `json:"deprecated,omitempty"`
	Params     []*param     `json:"parameters,omitempty"`
	Body       *body        `json:"body,omitempty"`
	Responses  []*response  `json:"responses,omitempty"`
	Callbacks  []*operation `json:"callbacks,omitempty"`
	Security   []string     `json:"security"` // empty: none is needed
	Servers    []string     `json:"servers,omitempty"`
}

// param is a parameter of an operation, or a header of a response.
type param struct {
	Name     string `json:"name"` // Go name, unique among the parameters of the operation
	Wire     string `json:"wire"`
	In       string `json:"in,omitempty"`
	Type     use    `json:"type"`
	Required bool   `json:"required,omitempty"`
	Style    string `json:"style,omitempty"`
	Explode  bool   `json:"explode,omitempty"`
	Media    string `json:"media,omitempty"` // the value is written as this media type instead of in a style
}

// body is the body of a request.
type body struct {
	Required bool       `json:"required,omitempty"`
	Contents []*content `json:"content"`
}

// content is a body of one media type. Without a type it is bytes.
type content struct {
	Media string `json:"media"` // media type or range
	Type  use    `json:"type,omitzero"`
	Item  use    `json:"item,omitzero"` // of each item of a sequence

	headers []*param // of the parts of a multipart body
}

// response is a response to an operation.
type response struct {
	Status   string     `json:"status"` // "200", "4XX" or "default"
	Headers  []*param   `json:"headers,omitempty"`
	Contents []*content `json:"content,omitempty"`
	Links    []*link    `json:"links,omitempty"`
}

// link is an operation that follows from a response.
type link struct {
	Name      string `json:"name"`
	Operation string `json:"operation"` // as the document names it where it is not one of the API
}

// use is a type where it is used. The zero use is none.
type use struct {
	typ      *ir.Type
	nullable bool
}

// String returns the Go type, "" for none.
func (u use) String() string {
	t := u.typ
	if t == nil {
		return ""
	}
	null := u.nullable && t.Under().Kind != ir.Any && t.Kind != ir.NullType
	if t.Apart() && !null {
		return t.Decl.Name // it is read by itself
	}
	return newPrinter().fieldTypeName(&ir.Field{Type: t, Required: true, Nullable: null, Pointer: null && t.Base().IsStruct()})
}

// MarshalText returns the Go type.
func (u use) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// eachType calls f with the types of what requests and responses hold, those of callbacks
// included.
func (o *operation) eachType(f func(*ir.Type)) {
	params := func(list []*param) {
		for _, p := range list {
			f(p.Type.typ)
		}
	}
	contents := func(list []*content) {
		for _, c := range list {
			f(c.Type.typ)
			f(c.Item.typ)
			params(c.headers)
		}
	}
	params(o.Params)
	if o.Body != nil {
		contents(o.Body.Contents)
	}
	for _, r := range o.Responses {
		params(r.Headers)
		contents(r.Contents)
	}
	for _, c := range o.Callbacks {
		c.eachType(f)
	}
}

// Operations returns the operations of doc with the Go types that [OpenAPI]
// prints for their schemas with the same options.
func Operations(doc *openapi.Document, opts Options) *API { return lowered(doc, opts).api }

// ListJSON writes the operations of api to w as one JSON object.
func ListJSON(w io.Writer, api *API) error {
	b, err := json.MarshalIndent(api, "", "  ")
	if err == nil {
		_, err = w.Write(append(b, '\n'))
	}
	return err
}

// List writes the operations of api to w as text.
func List(w io.Writer, api *API) error {
	b := bufio.NewWriter(w)
	for _, s := range api.Schemes {
		fmt.Fprintf(b, "security %s: %s\n", s.Key, strings.TrimSpace(s.Kind+" "+s.Detail))
	}
	if len(api.Schemes) > 0 {
		fmt.Fprintln(b)
	}
	for i, o := range api.Operations {
		if i > 0 {
			fmt.Fprintln(b)
		}
		o.print(b, "", "")
	}
	for _, o := range api.Webhooks {
		fmt.Fprintln(b)
		o.print(b, "", "webhook ")
	}
	return b.Flush()
}

func (o *operation) print(b *bufio.Writer, indent, what string) {
	fmt.Fprintf(b, "%s%s%s  %s %s\n", indent, what, o.Name, o.Method, o.Path)
	for _, p := range o.Params {
		p.print(b, indent+"  ", p.In)
	}
	if o.Body != nil {
		for _, c := range o.Body.Contents {
			c.print(b, indent+"  body", o.Body.Required)
		}
	}
	for _, r := range o.Responses {
		if len(r.Contents) == 0 {
			fmt.Fprintf(b, "%s  %s\n", indent, r.Status)
		}
		for _, c := range r.Contents {
			c.print(b, indent+"  "+r.Status, true)
		}
		for _, h := range r.Headers {
			h.print(b, indent+"  "+r.Status+" ", "header")
		}
		for _, l := range r.Links {
			fmt.Fprintf(b, "%s  %s link %s: %s\n", indent, r.Status, l.Name, l.Operation)
		}
	}
	if len(o.Security) > 0 {
		fmt.Fprintf(b, "%s  security %s\n", indent, strings.Join(o.Security, " or "))
	}
	for _, c := range o.Callbacks {
		c.print(b, indent+"  ", "callback ")
	}
}

func (p *param) print(b *bufio.Writer, indent, where string) {
	fmt.Fprintf(b, "%s%s %s: %s", indent, where, p.Wire, p.Type)
	if !p.Required {
		b.WriteString(", optional")
	}
	switch {
	case p.Media != "":
		b.WriteString(", as " + p.Media)
	case p.Style != defaultStyle(p.In):
		b.WriteString(", " + p.Style)
	}
	b.WriteByte('\n')
}

// defaultStyle is the style that a listing leaves out.
func defaultStyle(in string) string {
	if in == "path" || in == "header" {
		return "simple"
	}
	return "form"
}

func (c *content) print(b *bufio.Writer, what string, required bool) {
	t := c.Type.String()
	if c.Item.typ != nil {
		t = strings.TrimSpace(t + " of items " + c.Item.String())
	}
	fmt.Fprintf(b, "%s %s: %s", what, c.Media, cmp.Or(t, "bytes"))
	if !required {
		b.WriteString(", optional")
	}
	b.WriteByte('\n')
}
