package gen

import (
	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// API is what a listing says of the operations of a document, with the types of the package
// in the places of schemas.
type API struct {
	Servers    []string     `json:"servers,omitempty"`
	Security   []string     `json:"security,omitempty"` // of operations that say none themselves
	Schemes    []Scheme     `json:"securitySchemes,omitempty"`
	Operations []*Operation `json:"operations"` // of the paths, in document order
	Webhooks   []*Operation `json:"webhooks,omitempty"`
}

// Scheme is a way to show who is asking.
type Scheme struct {
	Key    string `json:"key"` // as requirements name it
	Name   string `json:"name"`
	Kind   string `json:"type"`
	Detail string `json:"detail,omitempty"`
}

// Operation is a request and its responses.
type Operation struct {
	Name       string       `json:"name"` // Go name, unique in the API
	ID         string       `json:"operationId,omitempty"`
	Method     string       `json:"method"`
	Path       string       `json:"path"` // template, name of a webhook, or expression of a callback
	Pos        string       `json:"at"`
	Tags       []string     `json:"tags,omitempty"`
	Deprecated bool         `json:"deprecated,omitempty"`
	Params     []*Param     `json:"parameters,omitempty"`
	Body       *Body        `json:"body,omitempty"`
	Responses  []*Response  `json:"responses,omitempty"`
	Callbacks  []*Operation `json:"callbacks,omitempty"`
	Security   []string     `json:"security"` // empty: none is needed
	Servers    []string     `json:"servers,omitempty"`

	types []*ir.Type // of requests and responses, those of callbacks included
}

// Param is a parameter of an operation, or a header of a response.
type Param struct {
	Name     string `json:"name"` // Go name, unique among the parameters of the operation
	Wire     string `json:"wire"`
	In       string `json:"in,omitempty"`
	Type     Use    `json:"type"`
	Required bool   `json:"required,omitempty"`
	Style    string `json:"style,omitempty"`
	Explode  bool   `json:"explode,omitempty"`
	Media    string `json:"media,omitempty"` // the value is written as this media type instead of in a style
}

// Body is the body of a request.
type Body struct {
	Required bool       `json:"required,omitempty"`
	Contents []*Content `json:"content"`
}

// Content is a body of one media type. Without a type it is bytes.
type Content struct {
	Media string `json:"media"` // media type or range
	Type  Use    `json:"type,omitzero"`
	Item  Use    `json:"item,omitzero"` // of each item of a sequence
}

// Response is a response to an operation.
type Response struct {
	Status   string     `json:"status"` // "200", "4XX" or "default"
	Headers  []*Param   `json:"headers,omitempty"`
	Contents []*Content `json:"content,omitempty"`
	Links    []*Link    `json:"links,omitempty"`
}

// Link is an operation that follows from a response.
type Link struct {
	Name      string `json:"name"`
	Operation string `json:"operation"` // as the document names it where it is not one of the API
}

// Use is a type where it is used. The zero Use is none.
type Use struct {
	typ      *ir.Type
	nullable bool
}

// String returns the Go type, "" for none.
func (u Use) String() string {
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
func (u Use) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// Operations returns the operations of doc with the Go types that [OpenAPI]
// prints for their schemas with the same options.
func Operations(doc *openapi.Document, opts Options) *API { return lowered(doc, opts).api }
