package gen

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
	"github.com/weftcodec/weft/json"
)

// Operations returns the operations of doc with the Go types that [OpenAPI]
// prints for their schemas with the same options.
func Operations(doc *openapi.Document, opts Options) *ir.API {
	pkg, _ := lower(doc, opts)
	return pkg.API
}

// listedAPI is what a listing says in JSON.
type listedAPI struct {
	Servers    []string          `json:"servers,omitempty"`
	Security   []string          `json:"security,omitempty"`
	Schemes    []listedScheme    `json:"securitySchemes,omitempty"`
	Operations []listedOperation `json:"operations"`
	Webhooks   []listedOperation `json:"webhooks,omitempty"`
}

type listedScheme struct {
	Key    string `json:"key"`
	Name   string `json:"name"`
	Kind   string `json:"type"`
	Detail string `json:"detail,omitempty"`
}

type listedOperation struct {
	Name       string            `json:"name"`
	ID         string            `json:"operationId,omitempty"`
	Method     string            `json:"method"`
	Path       string            `json:"path"`
	Pos        string            `json:"at"`
	Tags       []string          `json:"tags,omitempty"`
	Deprecated bool              `json:"deprecated,omitempty"`
	Params     []listedParam     `json:"parameters,omitempty"`
	Body       *listedBody       `json:"body,omitempty"`
	Responses  []listedResponse  `json:"responses,omitempty"`
	Callbacks  []listedOperation `json:"callbacks,omitempty"`
	Security   []string          `json:"security"`
	Servers    []string          `json:"servers,omitempty"`
}

type listedParam struct {
	Name     string `json:"name"`
	Wire     string `json:"wire"`
	In       string `json:"in,omitempty"`
	Type     string `json:"type"`
	Required bool   `json:"required,omitempty"`
	Style    string `json:"style,omitempty"`
	Explode  bool   `json:"explode,omitempty"`
	Media    string `json:"media,omitempty"`
}

type listedBody struct {
	Required bool            `json:"required,omitempty"`
	Contents []listedContent `json:"content"`
}

type listedContent struct {
	Media string `json:"media"`
	Type  string `json:"type,omitempty"`
	Item  string `json:"item,omitempty"`
}

type listedResponse struct {
	Status   string          `json:"status"`
	Headers  []listedParam   `json:"headers,omitempty"`
	Contents []listedContent `json:"content,omitempty"`
	Links    []listedLink    `json:"links,omitempty"`
}

type listedLink struct {
	Name      string `json:"name"`
	Operation string `json:"operation"`
}

// ListJSON writes the operations of api to w as one JSON object.
func ListJSON(w io.Writer, api *ir.API) error {
	out := listedAPI{Servers: urls(api.Servers), Security: requirements(api.Security), Operations: listOperations(api.Operations), Webhooks: listOperations(api.Webhooks)}
	for _, s := range api.Schemes {
		out.Schemes = append(out.Schemes, listedScheme{Key: s.Key, Name: s.Name, Kind: s.Kind, Detail: schemeDetail(s)})
	}
	b, err := json.MarshalIndent(out, "", "  ")
	if err == nil {
		_, err = w.Write(append(b, '\n'))
	}
	return err
}

// List writes the operations of api to w as text.
func List(w io.Writer, api *ir.API) error {
	b := bufio.NewWriter(w)
	for _, s := range api.Schemes {
		fmt.Fprintf(b, "security %s: %s\n", s.Key, strings.TrimSpace(s.Kind+" "+schemeDetail(s)))
	}
	if len(api.Schemes) > 0 {
		fmt.Fprintln(b)
	}
	for i, o := range listOperations(api.Operations) {
		if i > 0 {
			fmt.Fprintln(b)
		}
		o.print(b, "", "")
	}
	for _, o := range listOperations(api.Webhooks) {
		fmt.Fprintln(b)
		o.print(b, "", "webhook ")
	}
	return b.Flush()
}

func (o *listedOperation) print(b *bufio.Writer, indent, what string) {
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

func (p *listedParam) print(b *bufio.Writer, indent, where string) {
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

func (c *listedContent) print(b *bufio.Writer, what string, required bool) {
	t := c.Type
	if c.Item != "" {
		t = strings.TrimSpace(t + " of items " + c.Item)
	}
	fmt.Fprintf(b, "%s %s: %s", what, c.Media, or(t, "bytes"))
	if !required {
		b.WriteString(", optional")
	}
	b.WriteByte('\n')
}

func listOperations(list []*ir.Operation) []listedOperation {
	out := make([]listedOperation, 0, len(list))
	for _, o := range list {
		x := listedOperation{
			Name: o.Name, ID: o.ID, Method: o.Method, Path: o.Path, Pos: o.Pos, Tags: o.Tags, Deprecated: o.Deprecated,
			Params: listParams(o.Params), Security: requirements(o.Security), Servers: urls(o.Servers),
		}
		if o.Body != nil {
			x.Body = &listedBody{Required: o.Body.Required, Contents: listContents(o.Body.Contents)}
		}
		for _, r := range o.Responses {
			y := listedResponse{Status: r.Status, Headers: listParams(r.Headers), Contents: listContents(r.Contents)}
			for _, l := range r.Links {
				to := l.Ref
				if l.Operation != nil {
					to = l.Operation.Name
				}
				y.Links = append(y.Links, listedLink{Name: l.Name, Operation: to})
			}
			x.Responses = append(x.Responses, y)
		}
		for _, c := range o.Callbacks {
			x.Callbacks = append(x.Callbacks, listOperations(c.Operations)...)
		}
		out = append(out, x)
	}
	return out
}

func listParams(list []*ir.Param) []listedParam {
	out := make([]listedParam, 0, len(list))
	for _, p := range list {
		x := listedParam{Name: p.Name, Wire: p.Wire, In: p.In, Type: typeText(p.Type, p.Nullable), Required: p.Required, Style: p.Style, Explode: p.Explode, Media: p.Media}
		if p.Media != "" {
			x.Style, x.Explode = "", false
		}
		out = append(out, x)
	}
	return out
}

func listContents(list []*ir.Content) []listedContent {
	out := make([]listedContent, 0, len(list))
	for _, c := range list {
		out = append(out, listedContent{Media: c.Media, Type: typeText(c.Type, c.Nullable), Item: typeText(c.Item, false)})
	}
	return out
}

// typeText returns the Go type, "" for none.
func typeText(t *ir.Type, nullable bool) string {
	switch {
	case t == nil:
		return ""
	case nullable && t.Under().Kind != ir.Any && t.Kind != ir.NullType:
		return nullText(t)
	case t.Apart():
		return t.Decl.Name // it is read by itself
	}
	return t.String()
}

// nullText returns the Go type of values of t that may be null.
func nullText(t *ir.Type) string {
	switch base := t.Base(); {
	case base.IsStruct():
		return "*" + t.String()
	case base.IsUnion(), base.Kind == ir.Slice, base.Kind == ir.Map:
		return t.String()
	}
	return t.Option("Null")
}

// requirements returns a text for each requirement: schemes that are all
// needed, joined by +, their scopes in parentheses; "none" when none is.
func requirements(list []*ir.Requirement) []string {
	out := make([]string, 0, len(list))
	for _, r := range list {
		var uses []string
		for _, u := range r.Uses {
			text := u.Key
			if len(u.Scopes) > 0 {
				text += "(" + strings.Join(u.Scopes, " ") + ")"
			}
			uses = append(uses, text)
		}
		out = append(out, or(strings.Join(uses, "+"), "none"))
	}
	return out
}

// schemeDetail says how the scheme s is shown.
func schemeDetail(s *ir.SecurityScheme) string {
	switch s.Kind {
	case "apiKey":
		return s.In + " " + s.Wire
	case "http":
		return s.Scheme
	case "openIdConnect":
		return s.OpenIDURL
	case "oauth2":
		var kinds []string
		for _, f := range s.Flows {
			kinds = append(kinds, f.Kind)
		}
		return strings.Join(kinds, " ")
	}
	return ""
}

func urls(list []*ir.Server) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.URL)
	}
	return out
}
