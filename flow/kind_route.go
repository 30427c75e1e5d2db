package flow

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// routeConfig is a choice by method and path.
type routeConfig struct {
	Routes []routeEntry `flow:"routes,required" doc:"what goes where"`
}

// routeEntry is one of the ways.
type routeEntry struct {
	Method text     `flow:"method" doc:"such as GET, which serves HEAD too; without it, any"`
	Path   text     `flow:"path,required" doc:"such as /users/:id, /users/{id} or /files/*"`
	Port   portName `flow:"port,required" doc:"the output port, such as out[0]"`
}

func newRouteConfig() config { return new(routeConfig) }

func (cfg *routeConfig) build(b *build) step {
	s := &routeStep{root: new(routeNode)}
	if len(cfg.Routes) == 0 {
		b.errorf(b.node.spec.pos, "the field \"routes\" is empty: add {method: GET, path: /, port: out[0]}")
	}
	for _, r := range cfg.Routes {
		out, ok := b.way(r.Port)
		if !ok {
			continue
		}
		if r.Path.at.Line == 0 {
			continue // it is missing, which has been said
		}
		r.Method.s = strings.ToUpper(r.Method.s)
		b.method(r.Method)
		if err := s.add(r.Method.s, r.Path.s, routeLeaf{out: out}); err != nil {
			b.errorf(r.Path.at, "%v", err)
		}
	}
	return s
}

// methods are the methods of requests that documents name most.
var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"}

// method warns of a method that is one of these but for one character or for its case.
func (b *build) method(m text) {
	if m.s == "" || slices.Contains(methods, m.s) {
		return
	}
	for _, known := range methods {
		if distance(strings.ToUpper(m.s), known) <= 1 {
			b.doc.diags.warnf(m.at, "%q is an unusual method: did you mean %q?", m.s, known)
			return
		}
	}
}

// routeStep finds routes in a tree of the segments of their paths.
type routeStep struct {
	root *routeNode
}

type routeNode struct {
	static map[string]*routeNode
	param  *routeNode
	rest   []routeLeaf // of paths that end in a star
	leaves []routeLeaf
}

// routeLeaf is a route where its path ends.
type routeLeaf struct {
	method string
	path   string
	names  []string // of its parameters
	out    *port
	op     *operation // of a contract
}

// add adds a route.
func (s *routeStep) add(method, path string, leaf routeLeaf) error {
	if !strings.HasPrefix(path, "/") {
		return fmt.Errorf("the path %q: expected one that begins with /", path)
	}
	n, rest := s.root, false
	leaf.method, leaf.path = method, path
	segments := strings.Split(path[1:], "/")
	for i, segment := range segments {
		name, param := strings.CutPrefix(segment, ":")
		if inner, ok := strings.CutPrefix(segment, "{"); ok {
			if name, param = strings.CutSuffix(inner, "}"); !param {
				return fmt.Errorf("the path %q: the brace is not closed", path)
			}
		}
		switch {
		case strings.HasPrefix(segment, "*") || param && strings.HasSuffix(name, "..."):
			if i != len(segments)-1 {
				return fmt.Errorf("the path %q: a star matches the rest of the path: nothing can follow it", path)
			}
			if name = strings.TrimSuffix(strings.TrimPrefix(name, "*"), "..."); name == "" {
				name = "*"
			}
			leaf.names, rest = append(leaf.names, name), true
		case param:
			if name == "" || slices.Contains(leaf.names, name) {
				return fmt.Errorf("the path %q: each parameter needs a unique name", path)
			}
			leaf.names = append(leaf.names, name)
			if n.param == nil {
				n.param = new(routeNode)
			}
			n = n.param
		case segment == "." || segment == "..":
			return fmt.Errorf("the path %q: no request has dots for a segment", path)
		default:
			if n.static == nil {
				n.static = make(map[string]*routeNode)
			}
			if n.static[segment] == nil {
				n.static[segment] = new(routeNode)
			}
			n = n.static[segment]
		}
	}
	list := &n.leaves
	if rest {
		list = &n.rest
	}
	if len(leaf.names) > maxParams {
		return fmt.Errorf("the path %q: at most %d parameters", path, maxParams)
	}
	for _, other := range *list {
		if other.method == method {
			return fmt.Errorf("the route %s %s never gets a request: %s comes first", method, path, other.path)
		}
	}
	*list = append(*list, leaf)
	return nil
}

// maxParams is the most parameters of a path: call has room for as many.
const maxParams = 8

// run implements step.
func (s *routeStep) run(c *call, m *message) error {
	var at match
	at.find(s.root, m.path[1:], m.method)
	if at.leaf == nil {
		return at.refusal(m)
	}
	m.params = m.params[:0]
	for i, name := range at.leaf.names {
		v, err := url.PathUnescape(at.values[i])
		if err != nil {
			return refuse(http.StatusBadRequest, err)
		}
		m.params = append(m.params, param{name, v})
	}
	return at.leaf.out.send(c, m)
}

// match is the search for a route.
type match struct {
	leaf    *routeLeaf
	values  [maxParams]string // of the parameters, escaped
	n       int
	allowed []string // the methods of routes for the path
}

// refusal returns the error for a request without a route.
func (m *match) refusal(of *message) error {
	if len(m.allowed) == 0 {
		return refuse(http.StatusNotFound, fmt.Errorf("no route for %s", of.path))
	}
	slices.Sort(m.allowed)
	err := refuse(http.StatusMethodNotAllowed, fmt.Errorf("no %s for %s", of.method, of.path))
	return &headersError{err, http.Header{"Allow": {strings.Join(slices.Compact(m.allowed), ", ")}}}
}

// find looks for the route of a path below n: names before parameters, and those
// before stars.
func (m *match) find(n *routeNode, path, method string) bool {
	segment, rest, more := strings.Cut(path, "/")
	name := segment
	if strings.Contains(name, "%") {
		name, _ = url.PathUnescape(name)
	}
	if next := n.static[name]; next != nil && m.step(next, rest, more, method) {
		return true
	}
	if n.param != nil && segment != "" && m.n < maxParams {
		m.values[m.n] = segment
		m.n++
		if m.step(n.param, rest, more, method) {
			return true
		}
		m.n--
	}
	if n.rest != nil && m.n < maxParams {
		m.values[m.n] = path
		return m.choose(n.rest, method)
	}
	return false
}

func (m *match) step(next *routeNode, rest string, more bool, method string) bool {
	if more {
		return m.find(next, rest, method)
	}
	return m.choose(next.leaves, method)
}

// choose takes the route of the method, else that of GET for HEAD, else that of any.
func (m *match) choose(leaves []routeLeaf, method string) bool {
	other := method
	if method == http.MethodHead {
		other = http.MethodGet
	}
	for _, want := range [...]string{method, other, ""} {
		for i := range leaves {
			if leaves[i].method == want {
				m.leaf = &leaves[i]
				return true
			}
		}
	}
	for i := range leaves {
		m.allowed = append(m.allowed, leaves[i].method)
	}
	return false
}

// headersError is an error whose answer has these headers.
type headersError struct {
	error
	header http.Header
}

func (e *headersError) Unwrap() error { return e.error }
