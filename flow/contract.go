package flow

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/openapi"
	"github.com/weftcodec/weft/internal/pattern"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/schema"
)

// contract is an OpenAPI document as compiled: what it says of requests and answers.
type contract struct {
	base   string // path of the server
	routes routeStep
}

// operation is what a contract says of one method of a path.
type operation struct {
	name      string
	params    []parameter
	needsBody bool
	body      []content         // nil: there is none
	answers   map[string]answer // by status, such as "200", "4XX" or "default"
}

// answer is what a contract says of a status.
type answer struct{ body []content }

// content is a schema for a media range. Without a schema any body will do.
type content struct {
	mediaRange string
	schema     *schema.Schema
}

// parameter is a parameter of the path, the query or the headers.
type parameter struct {
	name, in string
	required bool
	schema   *schema.Schema // nil: any text
	types    openapi.Types
	list     bool // values that are separated by commas, or given again
}

// newContract compiles a document. What is not checked goes to warn.
func newContract(doc *openapi.Document, warn func(format string, args ...any)) *contract {
	k := &contract{routes: routeStep{root: new(routeNode)}}
	if len(doc.Servers) > 0 {
		if u, err := url.Parse(doc.Servers[0].URL); err == nil && !strings.Contains(u.Path, "{") {
			k.base = strings.TrimSuffix(u.Path, "/")
		}
	}
	unchecked := make(map[openapi.Pos]bool)
	compiles := func(expr string, pos openapi.Pos) bool {
		_, err := pattern.Compile(expr)
		if err != nil && !unchecked[pos] {
			unchecked[pos] = true
			warn("%s: values are not checked by %v", pos, err)
		}
		return err == nil
	}
	c := contractCompiler{
		request: &table{texts: openapi.JSONSchemas{Pattern: compiles, WriteOnly: true}},
		answer:  &table{texts: openapi.JSONSchemas{Pattern: compiles, ReadOnly: true}},
	}
	for _, op := range doc.Operations {
		o := c.operation(op)
		if err := k.routes.add(op.Method, op.Path, routeLeaf{op: o}); err != nil {
			warn("%s: %v: it is not checked", op.Pos, err)
		}
	}
	c.request.fill()
	c.answer.fill()
	return k
}

// table makes schemas of texts, once all are there.
type table struct {
	texts openapi.JSONSchemas
	due   []func(*schema.Set)
}

// schema sets *to to the schema s.
func (t *table) schema(to **schema.Schema, s *openapi.Schema) {
	if s == nil {
		return
	}
	name := t.texts.Ref(s)
	t.due = append(t.due, func(all *schema.Set) { *to = all.Get(name) })
}

func (t *table) fill() {
	all := schema.New(t.texts.Pairs()...)
	for _, f := range t.due {
		f(all)
	}
}

type contractCompiler struct{ request, answer *table }

func (c *contractCompiler) operation(op *openapi.Operation) *operation {
	o := &operation{name: op.OperationID, answers: make(map[string]answer)}
	if o.name == "" {
		o.name = op.Method + " " + op.Path
	}
	params := op.AllParameters()
	o.params = make([]parameter, 0, len(params)) // schemas are set in place
	for _, p := range params {
		if p = p.Resolve(); p.Schema == nil || p.In == "cookie" || p.In == "querystring" {
			continue
		}
		s := p.Schema
		for s.Target != nil && s.Types == 0 {
			s = s.Target
		}
		x := parameter{name: p.Name, in: p.In, required: p.Required, types: s.Types}
		if s.Types.Has(openapi.TypeArray) && s.Items != nil {
			x.list = true
			for s = s.Items; s.Target != nil && s.Types == 0; {
				s = s.Target
			}
			x.types = s.Types
		}
		o.params = append(o.params, x)
		if !p.Schema.Types.Has(openapi.TypeObject) {
			c.request.schema(&o.params[len(o.params)-1].schema, p.Schema)
		}
	}
	if op.RequestBody != nil {
		body := op.RequestBody.Resolve()
		o.needsBody = body.Required
		o.body = c.contents(c.request, body.Content)
	}
	for _, e := range op.Responses {
		o.answers[e.Name] = answer{c.contents(c.answer, e.Value.Resolve().Content)}
	}
	return o
}

func (c *contractCompiler) contents(t *table, m openapi.Map[openapi.MediaType]) []content {
	out := make([]content, len(m))
	for i, e := range m {
		name, _, _ := strings.Cut(strings.ToLower(e.Name), ";")
		out[i].mediaRange = strings.TrimSpace(name)
		t.schema(&out[i].schema, e.Value.Resolve().Schema)
	}
	return out
}

// find returns what the contract says of a request: nil, and the methods that there are, for one that it
// does not know.
func (k *contract) find(at *match, method, requestPath string) *operation {
	if rest, ok := strings.CutPrefix(requestPath, k.base); ok && strings.HasPrefix(rest, "/") {
		requestPath = rest
	}
	at.find(k.routes.root, requestPath[1:], method)
	if at.leaf == nil {
		return nil
	}
	return at.leaf.op
}

// contentFor returns the content for a body of the type: of its own media range, or of one of weft's formats
// when it is in another one of these, since a value is the same in all of them.
func contentFor(all []content, mediaType string) (*content, bool) {
	t, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	t = strings.TrimSpace(t)
	for i := range all {
		if ok, _ := path.Match(all[i].mediaRange, t); ok || all[i].mediaRange == "*/*" {
			return &all[i], true
		}
	}
	if mediaOf(mediaType) != nil {
		for i := range all {
			if mediaOf(all[i].mediaRange) != nil {
				return &all[i], true
			}
		}
	}
	return nil, false
}

// answerFor returns what the operation says of a status.
func (o *operation) answerFor(status int) (answer, bool) {
	for _, key := range []string{fmt.Sprint(status), fmt.Sprintf("%dXX", status/100), fmt.Sprintf("%dxx", status/100),
		"default"} {
		if a, ok := o.answers[key]; ok {
			return a, true
		}
	}
	return answer{}, false
}

// text appends the texts of a parameter as the JSON that its schema speaks of.
func (p *parameter) text(b []byte, values []string) []byte {
	if !p.list {
		return p.one(b, values[0])
	}
	b = append(b, '[')
	if len(values) == 1 {
		values = strings.Split(values[0], ",")
	}
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = p.one(b, v)
	}
	return append(b, ']')
}

// one appends a text as a number or boolean where the types allow it, else as a string.
func (p *parameter) one(b []byte, v string) []byte {
	number := p.types.Has(openapi.TypeNumber) || p.types.Has(openapi.TypeInteger)
	if p.types.Has(openapi.TypeBoolean) && (v == "true" || v == "false") ||
		number && v != "" && (v[0] == '-' || v[0] >= '0' && v[0] <= '9') && json.Valid([]byte(v)) {
		return append(b, v...)
	}
	return wire.AppendJSONString(b, v, 0)
}
