package ir

// API is what the operations of a document say, with the types of the package
// in the places of schemas. Clients and servers are printed from it.
type API struct {
	Servers    []*Server
	Operations []*Operation // of the paths, in document order
	Webhooks   []*Operation
	Schemes    []*SecurityScheme
	Security   []*Requirement // of operations that say none themselves
}

// Operation is a request and its responses.
type Operation struct {
	Name       string // Go name, unique in the API
	ID         string // as the document names it, "" when it does not
	Method     string // upper case
	Path       string // template, name of a webhook, or expression of a callback
	Origin     string // pointer, such as "#/paths/~1pets/get"
	Pos        string // "file:line:col"
	Summary    string
	Doc        string
	Tags       []string
	Deprecated bool

	Params    []*Param
	Body      *Body // nil: none
	Responses []*Response
	Callbacks []*Callback
	Security  []*Requirement // the API's when the operation says none itself; empty: none is needed
	Servers   []*Server      // empty: those of the API
}

// EachType calls f with the types of what requests and responses hold, those of callbacks
// included.
func (o *Operation) EachType(f func(*Type)) {
	params := func(list []*Param) {
		for _, p := range list {
			f(p.Type)
		}
	}
	contents := func(list []*Content) {
		for _, c := range list {
			f(c.Type)
			f(c.Item)
			for _, p := range c.Parts {
				params(p.Headers)
			}
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
		for _, o := range c.Operations {
			o.EachType(f)
		}
	}
}

// Param is a parameter of an operation, or a header of a response or a part.
type Param struct {
	Name            string // Go name, unique among the parameters of the operation
	Wire            string
	In              string // "path", "query", "header", "cookie" or "querystring"
	Doc             string
	Required        bool
	Deprecated      bool
	AllowEmptyValue bool
	AllowReserved   bool
	Style           string // "form", "simple", "label", "matrix", "spaceDelimited", "pipeDelimited", "deepObject" or "cookie"
	Explode         bool
	Media           string // the value is written as this media type instead of in a style; "" for a style
	Type            *Type
	Nullable        bool
}

// Body is the body of a request.
type Body struct {
	Doc      string
	Required bool
	Contents []*Content
}

// Content is a body of one media type.
type Content struct {
	Media    string // media type or range
	Type     *Type  // nil: the document does not describe the body, which is bytes
	Nullable bool
	Item     *Type // of each item of a sequence; nil: no sequence
	Parts    []*Part
}

// Part says how a member of a form or a multipart body is written.
type Part struct {
	Name          string
	ContentType   string // "" for the one that goes with the type
	Headers       []*Param
	Style         string // "" for none
	Explode       bool
	AllowReserved bool
}

// Response is a response to an operation.
type Response struct {
	Status   string // "200", "4XX" or "default"
	Low      int    // the statuses meant, from Low to High; 0 to 0 for default
	High     int
	Doc      string
	Headers  []*Param
	Contents []*Content
	Links    []*Link
}

// Link is an operation that follows from a response.
type Link struct {
	Name       string
	Doc        string
	Operation  *Operation // nil: not one of the API
	Ref        string     // as the document names the operation
	Parameters []LinkParam
}

// LinkParam is a parameter of a [Link]: a constant or a runtime expression, in
// JSON.
type LinkParam struct{ Name, Value string }

// Callback is a set of requests that the service makes.
type Callback struct {
	Name       string
	Operations []*Operation // Path is the runtime expression
}

// Server is where operations are served.
type Server struct {
	URL       string // with variables in braces
	Doc       string
	Variables []ServerVariable
}

// ServerVariable is a variable in the URL of a [Server].
type ServerVariable struct {
	Name, Default string
	Enum          []string // empty: any value
}

// SecurityScheme is a way to show who is asking.
type SecurityScheme struct {
	Name         string // Go name, unique among the schemes
	Key          string // as requirements name it
	Kind         string // "apiKey", "http", "mutualTLS", "oauth2" or "openIdConnect"
	Doc          string
	Wire         string // of apiKey: the header, query parameter or cookie
	In           string
	Scheme       string // of http: "basic", "bearer", …
	BearerFormat string
	OpenIDURL    string
	Flows        []*Flow
}

// Flow is an OAuth flow of a [SecurityScheme].
type Flow struct {
	Kind             string // "implicit", "password", "clientCredentials", "authorizationCode" or "deviceAuthorization"
	AuthorizationURL string
	DeviceURL        string
	TokenURL         string
	RefreshURL       string
	Scopes           []string
}

// Requirement is a set of schemes that are all needed; none: no scheme is.
type Requirement struct {
	Uses []SchemeUse
}

// SchemeUse is one scheme of a [Requirement].
type SchemeUse struct {
	Key    string
	Scheme *SecurityScheme // nil: the document names it and does not define it
	Scopes []string
}
