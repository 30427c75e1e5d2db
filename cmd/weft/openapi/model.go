package openapi

// Map is a JSON object of named parts in document order.
type Map[T any] []Entry[T]

// Entry is one member of a [Map].
type Entry[T any] struct {
	Name  string
	Pos   Pos // of the name
	Value *T  // never nil
}

// Get returns the value called name, or nil.
func (m Map[T]) Get(name string) *T {
	for i := range m {
		if m[i].Name == name {
			return m[i].Value
		}
	}
	return nil
}

// Text is a string that knows where it stands.
type Text struct {
	Value string
	Pos   Pos
}

// Extensions are the members of an object whose names begin with "x-".
type Extensions []Member

// Get returns the value of the extension called name ("x-…"), or nil.
func (x Extensions) Get(name string) *Node {
	for i := range x {
		if x[i].Name == name {
			return x[i].Value
		}
	}
	return nil
}

// Document is an OpenAPI document, its references resolved.
type Document struct {
	Pos     Pos
	Node    *Node
	Version Version
	// VersionText is the version as the document writes it, such as "3.0.3".
	VersionText string

	Info         *Info // never nil
	Servers      []*Server
	Paths        Map[PathItem] // by path template
	Webhooks     Map[PathItem]
	Components   *Components // never nil
	Security     []*SecurityRequirement
	Tags         []*Tag
	ExternalDocs *ExternalDocs
	Extensions   Extensions

	// JSONSchemaDialect is the default $schema of 3.1 schemas.
	JSONSchemaDialect string
	// Operations lists the operations of Paths in document order. Those of
	// webhooks and callbacks are not among them.
	Operations []*Operation
	// Schemas lists every schema of the document and of the files it refers
	// to, inline ones included, in the order in which they were read.
	Schemas []*Schema
	// Files lists the files read: the document, those it refers to, and
	// overlays.
	Files []string
}

// Info is an Info Object.
type Info struct {
	Pos            Pos
	Title          string
	Summary        string
	Description    string
	TermsOfService string
	Version        string
	Contact        *Contact
	License        *License
	Extensions     Extensions
}

// Contact is a Contact Object.
type Contact struct {
	Pos        Pos
	Name       string
	URL        string
	Email      string
	Extensions Extensions
}

// License is a License Object.
type License struct {
	Pos        Pos
	Name       string
	Identifier string
	URL        string
	Extensions Extensions
}

// Server is a Server Object.
type Server struct {
	Pos         Pos
	URL         string
	Name        string
	Description string
	Variables   Map[ServerVariable]
	Extensions  Extensions
}

// ServerVariable is a Server Variable Object.
type ServerVariable struct {
	Pos         Pos
	Enum        []Text
	Default     string
	Description string
	Extensions  Extensions
}

// Tag is a Tag Object.
type Tag struct {
	Pos          Pos
	Name         string
	Summary      string
	Description  string
	Parent       string
	Kind         string
	ExternalDocs *ExternalDocs
	Extensions   Extensions
}

// ExternalDocs is an External Documentation Object.
type ExternalDocs struct {
	Pos         Pos
	URL         string
	Description string
	Extensions  Extensions
}

// Components holds the named parts of a document.
type Components struct {
	Pos             Pos
	Schemas         Map[Schema]
	Responses       Map[Response]
	Parameters      Map[Parameter]
	Examples        Map[Example]
	RequestBodies   Map[RequestBody]
	Headers         Map[Header]
	SecuritySchemes Map[SecurityScheme]
	Links           Map[Link]
	Callbacks       Map[Callback]
	PathItems       Map[PathItem]
	MediaTypes      Map[MediaType]
	Extensions      Extensions
}

// PathItem is a Path Item Object.
type PathItem struct {
	Pos         Pos
	Pointer     string
	Ref         string
	RefPos      Pos
	Target      *PathItem
	Path        string // the template, "" outside paths
	Summary     string
	Description string
	Servers     []*Server
	Parameters  []*Parameter
	// Operations are in document order. When Ref is set they include copies of
	// those of the target, after the ones written here.
	Operations []*Operation
	Extensions Extensions
}

// Operation is an Operation Object.
type Operation struct {
	Pos     Pos // of the method's name
	Pointer string
	Method  string // upper case: "GET"
	Path    string // the template, or the name of the webhook, or the callback's expression
	Item    *PathItem

	OperationID   string // "" when the document gives none
	OperationPos  Pos
	Summary       string
	Description   string
	Tags          []Text
	Parameters    []*Parameter // written at the operation; see AllParameters
	RequestBody   *RequestBody
	Responses     Map[Response] // by status: "200", "4XX", "default"
	Callbacks     Map[Callback]
	Deprecated    bool
	Security      []*SecurityRequirement // the document's when SecuritySet is false
	SecuritySet   bool                   // the operation says security itself, maybe []
	Servers       []*Server              // empty: those of the path item, then of the document
	ExternalDocs  *ExternalDocs
	Extensions    Extensions
	allParameters []*Parameter
	merged        bool
}

// AllParameters returns the parameters of the operation and those of its path
// item that it does not override, references followed.
func (o *Operation) AllParameters() []*Parameter { return o.allParameters }

// Parameter is a Parameter Object.
type Parameter struct {
	Pos             Pos
	Pointer         string
	Ref             string
	RefPos          Pos
	Target          *Parameter
	Name            string
	In              string // "path", "query", "header", "cookie" or "querystring"
	Description     string
	Required        bool
	Deprecated      bool
	AllowEmptyValue bool
	AllowReserved   bool
	Style           string // never "" in a resolved parameter: the default of In
	Explode         bool   // the default of Style when not written
	Schema          *Schema
	Content         Map[MediaType] // one entry, instead of Schema
	Example         *Node
	Examples        Map[Example]
	Extensions      Extensions
}

// Header is a Header Object.
type Header struct {
	Pos         Pos
	Pointer     string
	Ref         string
	RefPos      Pos
	Target      *Header
	Description string
	Required    bool
	Deprecated  bool
	Style       string
	Explode     bool
	Schema      *Schema
	Content     Map[MediaType]
	Example     *Node
	Examples    Map[Example]
	Extensions  Extensions
}

// RequestBody is a Request Body Object.
type RequestBody struct {
	Pos         Pos
	Pointer     string
	Ref         string
	RefPos      Pos
	Target      *RequestBody
	Description string
	Required    bool
	Content     Map[MediaType]
	Extensions  Extensions
}

// Response is a Response Object.
type Response struct {
	Pos         Pos
	Pointer     string
	Ref         string
	RefPos      Pos
	Target      *Response
	Summary     string
	Description string
	Headers     Map[Header]
	Content     Map[MediaType]
	Links       Map[Link]
	Extensions  Extensions
}

// MediaType is a Media Type Object.
type MediaType struct {
	Pos        Pos
	Pointer    string
	Ref        string
	RefPos     Pos
	Target     *MediaType
	Schema     *Schema
	ItemSchema *Schema // 3.2: of each item of a sequence
	Example    *Node
	Examples   Map[Example]
	Encoding   Map[Encoding]
	Extensions Extensions
}

// Encoding is an Encoding Object.
type Encoding struct {
	Pos           Pos
	ContentType   string
	Headers       Map[Header]
	Style         string
	Explode       bool
	ExplodeSet    bool
	AllowReserved bool
	Extensions    Extensions
}

// Example is an Example Object.
type Example struct {
	Pos             Pos
	Pointer         string
	Ref             string
	RefPos          Pos
	Target          *Example
	Summary         string
	Description     string
	Value           *Node
	DataValue       *Node
	SerializedValue string
	ExternalValue   string
	Extensions      Extensions
}

// Link is a Link Object.
type Link struct {
	Pos          Pos
	Pointer      string
	Ref          string
	RefPos       Pos
	Target       *Link
	OperationRef string
	OperationID  string
	Parameters   Map[Node]
	RequestBody  *Node
	Description  string
	Server       *Server
	Extensions   Extensions
}

// Callback is a Callback Object: path items by runtime expression.
type Callback struct {
	Pos        Pos
	Pointer    string
	Ref        string
	RefPos     Pos
	Target     *Callback
	Paths      Map[PathItem]
	Extensions Extensions
}

// SecurityRequirement is a Security Requirement Object: every scheme in it is
// needed. An empty one means that no security is needed.
type SecurityRequirement struct {
	Pos     Pos
	Schemes []SecurityUse
}

// SecurityUse is one scheme of a [SecurityRequirement].
type SecurityUse struct {
	Name   string
	Pos    Pos
	Scopes []Text
	Scheme *SecurityScheme // nil when the name is unknown (a warning)
}

// SecurityScheme is a Security Scheme Object.
type SecurityScheme struct {
	Pos              Pos
	Pointer          string
	Ref              string
	RefPos           Pos
	Target           *SecurityScheme
	Type             string // "apiKey", "http", "mutualTLS", "oauth2", "openIdConnect"
	Description      string
	Name             string // of the header, query parameter or cookie of an apiKey
	In               string
	Scheme           string // of http: "basic", "bearer", …
	BearerFormat     string
	Flows            []*OAuthFlow
	OpenIDConnectURL string
	OAuth2Metadata   string
	Deprecated       bool
	Extensions       Extensions
}

// OAuthFlow is an OAuth Flow Object.
type OAuthFlow struct {
	Pos              Pos
	Kind             string // "implicit", "password", "clientCredentials", "authorizationCode", "deviceAuthorization"
	AuthorizationURL string
	DeviceURL        string
	TokenURL         string
	RefreshURL       string
	Scopes           Map[Text] // the description of each scope
	Extensions       Extensions
}

// Resolve follows the references from i to a path item that is not a reference.
func (i *PathItem) Resolve() *PathItem {
	return follow(i, func(i *PathItem) *PathItem { return i.Target })
}

// Resolve follows the references from p to a parameter that is not a reference.
func (p *Parameter) Resolve() *Parameter {
	return follow(p, func(p *Parameter) *Parameter { return p.Target })
}

// Resolve follows the references from h to a header that is not a reference.
func (h *Header) Resolve() *Header { return follow(h, func(h *Header) *Header { return h.Target }) }

// Resolve follows the references from b to a request body that is not a reference.
func (b *RequestBody) Resolve() *RequestBody {
	return follow(b, func(b *RequestBody) *RequestBody { return b.Target })
}

// Resolve follows the references from r to a response that is not a reference.
func (r *Response) Resolve() *Response {
	return follow(r, func(r *Response) *Response { return r.Target })
}

// Resolve follows the references from m to a media type that is not a reference.
func (m *MediaType) Resolve() *MediaType {
	return follow(m, func(m *MediaType) *MediaType { return m.Target })
}

// Resolve follows the references from e to an example that is not a reference.
func (e *Example) Resolve() *Example {
	return follow(e, func(e *Example) *Example { return e.Target })
}

// Resolve follows the references from l to a link that is not a reference.
func (l *Link) Resolve() *Link { return follow(l, func(l *Link) *Link { return l.Target }) }

// Resolve follows the references from c to a callback that is not a reference.
func (c *Callback) Resolve() *Callback {
	return follow(c, func(c *Callback) *Callback { return c.Target })
}

// Resolve follows the references from s to a security scheme that is not a reference.
func (s *SecurityScheme) Resolve() *SecurityScheme {
	return follow(s, func(s *SecurityScheme) *SecurityScheme { return s.Target })
}

// maxChain bounds a chain of references; a longer one is an error of the
// document, like a circle.
const maxChain = 1000

// follow walks from v along next to the end, or returns v itself when there is
// none.
func follow[T any](v *T, next func(*T) *T) *T {
	at := v
	for range maxChain {
		to := next(at)
		if to == nil {
			return at
		}
		at = to
	}
	return v
}
