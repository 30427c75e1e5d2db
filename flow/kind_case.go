package flow

import (
	"net/http"
	"strings"
)

// caseConfig is a test of the document: a request, and what is to become of it. It never runs with the document.
type caseConfig struct {
	At      text        `flow:"at" doc:"the node that the request comes to, else the server"`
	Request caseRequest `flow:"request" doc:"the request"`
	Stubs   []caseStub  `flow:"stubs" doc:"answers in place of nodes, such as clients"`
	Want    caseWant    `flow:"want" doc:"the answer"`
	Reach   []caseReach `flow:"reach" doc:"what comes to nodes"`
}

// caseRequest is a request. A body that is a text stands for itself, any other is written in the format of its type.
type caseRequest struct {
	Method text              `flow:"method" doc:"the method, else GET, or POST with a body"`
	Path   text              `flow:"path" doc:"the path, and the query behind a question mark"`
	Header map[string]string `flow:"header" doc:"headers"`
	Type   string            `flow:"type" doc:"the Content-Type, else that of text or JSON"`
	Body   literal           `flow:"body" doc:"the body"`
}

// caseStub answers instead of a node and all that is behind it.
type caseStub struct {
	Node   text              `flow:"node,required" doc:"the node"`
	Status int               `flow:"status" doc:"the status, else 200"`
	Header map[string]string `flow:"header" doc:"headers"`
	Type   string            `flow:"type" doc:"the Content-Type, else that of text or JSON"`
	Body   literal           `flow:"body" doc:"the body"`
	Error  string            `flow:"error" doc:"fails with this text instead, and the status or 502"`
}

// caseWant is what an answer has to be.
type caseWant struct {
	Status literal            `flow:"status" doc:"the status"`
	Header map[string]literal `flow:"header" doc:"headers; null for one that is not there"`
	Body   literal            `flow:"body" doc:"the whole body, as a value or a text"`
	Values map[string]literal `flow:"values" doc:"parts of the body, by JSON Pointers"`
}

// caseReach is what has to come to a node.
type caseReach struct {
	Node   text               `flow:"node,required" doc:"the node"`
	Times  literal            `flow:"times" doc:"how many times something comes; the rest is about the last"`
	Method literal            `flow:"method" doc:"the method"`
	Path   literal            `flow:"path" doc:"the path; with a question mark, the query too"`
	Header map[string]literal `flow:"header" doc:"headers; null for one that is not there"`
	Body   literal            `flow:"body" doc:"the whole body, as a value or a text"`
	Values map[string]literal `flow:"values" doc:"parts of the body, by JSON Pointers"`
}

func newCaseConfig() config { return new(caseConfig) }

// build checks what can be checked without running it.
func (cfg *caseConfig) build(b *build) step {
	s := &caseStep{cfg: cfg, spec: b.node.spec, at: cfg.At.s}
	b.method(cfg.Request.Method)
	if cfg.At.s == "" {
		for _, n := range b.doc.nodes {
			if _, is := n.config.(*httpConfig); is && s.at != "" {
				b.errorf(b.node.spec.pos, "there are several servers, %q and %q: add at: NODE", s.at, n.name)
			} else if is {
				s.at = n.name
			}
		}
		if s.at == "" {
			b.errorf(b.node.spec.pos, "there is no server: add at: NODE")
		}
	} else {
		b.caseNode(cfg.At)
	}
	if p := cfg.Request.Path.s; p != "" && !strings.HasPrefix(p, "/") {
		b.errorf(cfg.Request.Path.at, "the path %q has to begin with /", p)
	}
	for _, stub := range cfg.Stubs {
		b.caseNode(stub.Node)
	}
	for _, r := range cfg.Reach {
		b.caseNode(r.Node)
		b.pointers(r.Values)
	}
	b.pointers(cfg.Want.Values)
	if !cfg.Want.given() && len(cfg.Reach) == 0 {
		b.errorf(b.node.spec.pos, "the test looks at nothing: add want or reach")
	}
	b.g.cases = append(b.g.cases, s)
	return s
}

func (w *caseWant) given() bool {
	return w.Status.ok || w.Header != nil || w.Body.ok || w.Values != nil
}

// caseNode checks that there is such a node.
func (b *build) caseNode(name text) {
	if name.at.Line == 0 {
		return // it is missing, which has been said
	}
	spec := b.doc.find(name.s)
	if _, is := configOf(spec).(*caseConfig); spec == nil || is {
		var names []string
		for _, s := range b.doc.nodes {
			if _, is := s.config.(*caseConfig); !is {
				names = append(names, s.name)
			}
		}
		b.errorf(name.at, "there is no node %q%s", name.s, suggest(name.s, names))
	}
}

func configOf(s *spec) config {
	if s == nil {
		return nil
	}
	return s.config
}

func (b *build) pointers(values map[string]literal) {
	for _, pointer := range sortedKeys(values) {
		if pointer != "" && pointer[0] != '/' {
			b.errorf(values[pointer].at, "%q is not a JSON Pointer: expected one such as /user/0/name", pointer)
		}
	}
}

// caseStep is a test as compiled. It is in no graph's way.
type caseStep struct {
	cfg  *caseConfig
	spec *spec
	at   string // name of the node
}

// run implements step.
func (s *caseStep) run(*call, *message) error { return nil }

// stubStep answers in place of a node.
type stubStep struct{ stub *caseStub }

// run implements step.
func (s *stubStep) run(c *call, m *message) error {
	status := s.stub.Status
	if s.stub.Error != "" {
		if status == 0 {
			status = http.StatusBadGateway
		}
		return refuse(status, errStub(s.stub.Error))
	}
	if status == 0 {
		status = http.StatusOK
	}
	m.body.clear()
	m.body = caseBody(s.stub.Body, s.stub.Type, m.body.max)
	m.answer(status)
	for name, v := range s.stub.Header {
		m.set(http.CanonicalHeaderKey(name), v)
	}
	return nil
}

// errStub is the error of a stub.
type errStub string

// Error implements error.
func (e errStub) Error() string { return string(e) }

// caseBody returns a body of a test.
func caseBody(l literal, mediaType string, max int64) body {
	b := body{mediaType: mediaType, max: max}
	text, isText := l.v.Text()
	switch {
	case !l.ok:
		b.raw = []byte{}
	case isText:
		if b.raw = []byte(text); mediaType == "" {
			b.mediaType = "text/plain; charset=utf-8"
		}
	default:
		if b.val, b.hasVal = l.v, true; mediaType == "" {
			b.mediaType = mediaJSON.types[0]
		}
	}
	return b
}
