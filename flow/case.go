package flow

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/value"
)

// TestResult is the result of a test of a document.
type TestResult struct {
	Name     string
	Pos      Pos
	Failures Diagnostics // none: it has passed
	Time     time.Duration
}

// Test runs the tests of the document in the given files, its nodes of kind test, each in a separate flow that does
// not listen. It runs the tests whose names are chosen, or all if chosen is nil. If the document is invalid, the
// error is like that of [Load].
func Test(files []string, chosen func(name string) bool, opts ...Option) ([]TestResult, error) {
	f, doc, err := readFiles(files, opts)
	if err != nil {
		return nil, err
	}
	g := f.compile(doc, nil)
	all := doc.diags.sort(doc.files)
	cases := g.cases
	g.release()
	if err := all.Err(); err != nil {
		return nil, err
	}
	results := make([]TestResult, 0, len(cases))
	for _, s := range cases {
		if chosen != nil && !chosen(s.spec.name) {
			continue
		}
		begin := time.Now()
		failures, err := s.test(doc, newFlow(opts))
		if err != nil {
			return nil, err
		}
		results = append(results, TestResult{s.spec.name, s.spec.pos, failures, time.Since(begin)})
	}
	return results, nil
}

// caseRun is a test that runs.
type caseRun struct {
	mu   sync.Mutex
	came map[string][]*caseSeen // by node
	out  Diagnostics
}

// caseSeen is a message as a test looks at it.
type caseSeen struct {
	method, path, query string
	header              http.Header
	status              int
	body                body
}

// test runs one test of doc, in f.
func (s *caseStep) test(doc *document, f *Flow) (Diagnostics, error) {
	r := &caseRun{came: make(map[string][]*caseSeen)}
	g := f.compile(doc, nil)
	f.current.Store(g)
	var at *node
	for _, n := range g.nodes {
		for i := range s.cfg.Stubs {
			if s.cfg.Stubs[i].Node.s == n.spec.name {
				n.step = &stubStep{&s.cfg.Stubs[i]}
			}
		}
		if slices.ContainsFunc(s.cfg.Reach, func(x caseReach) bool { return x.Node.s == n.spec.name }) {
			n.step = &seeingStep{n.step, n.spec.name, r}
		}
		if n.spec.name == s.at {
			at = n
		}
	}
	g.recordNothing()
	server := entry(at)
	for _, start := range g.starters {
		start()
	}
	answer, err := s.exchange(f, server)
	stop, cancel := context.WithTimeout(context.Background(), f.settings.drain)
	defer cancel()
	if failed := g.retire(stop); err == nil {
		err = failed // what queues hold is worked on before the test looks
	}
	if err != nil {
		return nil, fmt.Errorf("flow: test %s: %w", s.spec.name, err)
	}
	s.judge(r, answer, g)
	return r.out, nil
}

// exchange sends the request of the test.
func (s *caseStep) exchange(f *Flow, server *httpStep) (*caseSeen, error) {
	q := &s.cfg.Request
	b := caseBody(q.Body, q.Type, 1<<62)
	c := &call{flow: f}
	raw, err := b.bytes(c)
	if err != nil {
		return nil, err
	}
	path, method := q.Path.s, q.Method.s
	if path == "" {
		path = "/"
	}
	if method == "" {
		if method = http.MethodGet; q.Body.ok {
			method = http.MethodPost
		}
	}
	header := make(http.Header)
	if len(raw) > 0 {
		header.Set("Content-Type", b.mediaType)
	}
	for name, v := range q.Header {
		header.Set(name, v)
	}
	return exchange(f, server, method, path, header, raw)
}

// entry returns what a request comes to the node by.
func entry(at *node) *httpStep {
	if server, is := at.step.(*httpStep); is {
		return server
	}
	n := &node{spec: &spec{name: "test", kind: at.spec.kind}, stats: new(stats)}
	server := &httpStep{cfg: newHTTPConfig().(*httpConfig), node: n, out: &port{to: []*node{at}}}
	n.step = server
	return server
}

// recordNothing keeps a document that is tested from writing to files.
func (g *graph) recordNothing() {
	for _, n := range g.nodes {
		switch s := n.step.(type) {
		case *recordStep:
			s.off = true
		case *sinkStep:
			s.off = true
		case *natsPublishStep:
			s.off = true
		}
	}
}

// exchange sends a request that comes from no connection.
func exchange(f *Flow, server *httpStep, method, path string, header http.Header, raw []byte) (*caseSeen, error) {
	u, err := url.ParseRequestURI(path)
	if err != nil {
		return nil, err
	}
	r := (&http.Request{
		Method: method, URL: u, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header, Host: "test",
		RemoteAddr: "192.0.2.1:1234", Body: http.NoBody, ContentLength: int64(len(raw)), RequestURI: path,
	}).WithContext(context.Background())
	if len(raw) > 0 {
		r.Body = io.NopCloser(bytes.NewReader(raw))
	}
	if host := header.Get("Host"); host != "" {
		r.Host = host
		header.Del("Host")
	}
	w := &caseWriter{seen: caseSeen{header: make(http.Header), path: path}}
	func() {
		defer func() {
			if v := recover(); v != nil && v != http.ErrAbortHandler {
				panic(v)
			}
		}()
		server.serve(f, w, r)
	}()
	seen := &w.seen
	seen.body = body{mediaType: seen.header.Get("Content-Type"), encoding: seen.header.Get("Content-Encoding"),
		raw: w.text, max: 1 << 62}
	return seen, nil
}

// caseWriter takes the answer.
type caseWriter struct {
	seen caseSeen
	text []byte
}

// Header implements http.ResponseWriter.
func (w *caseWriter) Header() http.Header { return w.seen.header }

// WriteHeader implements http.ResponseWriter.
func (w *caseWriter) WriteHeader(status int) {
	if w.seen.status == 0 {
		w.seen.status = status
	}
}

// Write implements http.ResponseWriter.
func (w *caseWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	w.text = append(w.text, p...)
	return len(p), nil
}

// seeingStep notes what comes to a node.
type seeingStep struct {
	step
	node string
	to   *caseRun
}

// run implements step.
func (s *seeingStep) run(c *call, m *message) error {
	raw, err := m.body.bytes(c)
	if err != nil {
		return err
	}
	seen := &caseSeen{
		method: m.method, path: m.path, query: m.query, header: m.header.Clone(), status: m.status,
		body: body{mediaType: m.body.mediaType, encoding: m.body.encoding, raw: bytes.Clone(raw), max: 1 << 62},
	}
	if m.status != 0 {
		seen.header = m.reply.Clone()
	}
	if seen.header == nil {
		seen.header = make(http.Header)
	}
	if m.body.mediaType != "" {
		seen.header["Content-Type"] = []string{m.body.mediaType}
	}
	s.to.mu.Lock()
	s.to.came[s.node] = append(s.to.came[s.node], seen)
	s.to.mu.Unlock()
	return s.step.run(c, m)
}

// judge compares what came with what should have.
func (s *caseStep) judge(r *caseRun, answer *caseSeen, g *graph) {
	w := &s.cfg.Want
	reason := ""
	for _, n := range g.nodes {
		if e := n.stats.last.Load(); e != nil {
			reason = fmt.Sprintf(" (the node %s: %v)", e.Node, e.Err)
		}
	}
	r.equal("the status", w.Status, value.Int(int64(answer.status)), reason)
	answer.header.Del("Content-Length")
	r.message("", w.Header, w.Body, w.Values, answer)
	for _, x := range s.cfg.Reach {
		came, who := r.came[x.Node.s], "at "+x.Node.s+" "
		r.equal("the number of messages that come to "+x.Node.s, x.Times, value.Int(int64(len(came))), reason)
		if len(came) == 0 {
			if !x.Times.ok {
				r.out.errorf(x.Node.at, "nothing comes to %s%s", x.Node.s, reason)
			}
			continue
		}
		last := came[len(came)-1]
		r.equal(who+"the method", x.Method, value.String(last.method), "")
		path := last.path
		if want, _ := x.Path.v.Text(); strings.Contains(want, "?") {
			path += "?" + last.query
		}
		r.equal(who+"the path", x.Path, value.String(path), "")
		r.message(who, x.Header, x.Body, x.Values, last)
	}
}

// message compares the headers and the body of a message.
func (r *caseRun) message(who string, header map[string]literal, whole literal, parts map[string]literal,
	got *caseSeen) {
	for _, name := range sortedKeys(header) {
		is := value.Null()
		if all := got.header.Values(name); len(all) > 0 {
			is = value.String(strings.Join(all, ", "))
		}
		want := header[name]
		if _, text := want.v.Text(); !text && !want.v.IsNull() {
			want.v = value.String(want.v.String()) // a number is meant as a text
		}
		r.equal(who+"the header "+name, want, is, "")
	}
	if !whole.ok && parts == nil {
		return
	}
	c := new(call)
	if want, isText := whole.v.Text(); isText && whole.ok {
		text, err := got.body.text(c)
		if err != nil {
			r.out.errorf(whole.at, "%sthe body cannot be read: %v", who, err)
		} else if string(text) != want {
			if v, err := got.body.value(c); err != nil || !v.Equal(whole.v) {
				r.equal(who+"the body", whole, value.String(string(text)), "")
			}
		}
		whole.ok = false
	}
	if !whole.ok && parts == nil {
		return
	}
	v, err := got.body.value(c)
	if err != nil {
		at := whole.at
		for _, p := range parts {
			at = p.at
		}
		r.out.errorf(at, "%sthe body is not a value: %v", who, err)
		return
	}
	r.equal(who+"the body", whole, v, "")
	for _, pointer := range sortedKeys(parts) {
		part, ok := v.Pointer(pointer)
		if !ok {
			r.out.errorf(parts[pointer].at, "%sthe body has nothing at %q, want %v", who, pointer, parts[pointer].v)
			continue
		}
		r.equal(who+"the body at "+strconv.Quote(pointer), parts[pointer], part, "")
	}
}

// equal compares a value with what it should be, if that is given.
func (r *caseRun) equal(what string, want literal, got value.Value, reason string) {
	if !want.ok || want.v.Equal(got) {
		return
	}
	pointer, w, g := firstDifference("", want.v, got)
	if pointer != "" {
		what += " differs at " + strconv.Quote(pointer) + ": it"
	}
	r.out.errorf(want.at, "%s is %s, want %s%s", what, shown(g), shown(w), reason)
}

// shown returns a value as it stands in a message, cut when it is long.
func shown(v *value.Value) string {
	if v == nil {
		return "nothing"
	}
	text := v.String()
	if s, ok := v.Text(); ok {
		text = strconv.Quote(s)
	}
	return wire.Cut(text, 200)
}

// firstDifference returns where two values that differ do so first, and what is there; nil for nothing.
func firstDifference(at string, v, w value.Value) (pointer string, x, y *value.Value) {
	switch {
	case v.Kind() == value.KindMap && w.Kind() == value.KindMap:
		for name, x := range v.Members() {
			below := at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
			if y, ok := w.Get(name); !ok {
				return below, &x, nil
			} else if !x.Equal(y) {
				return firstDifference(below, x, y)
			}
		}
		for name, y := range w.Members() {
			if !v.Has(name) {
				return at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name), nil, &y
			}
		}
	case v.Kind() == value.KindList && w.Kind() == value.KindList:
		for i := range min(v.Len(), w.Len()) {
			if x, y := v.At(i), w.At(i); !x.Equal(y) {
				return firstDifference(at+"/"+strconv.Itoa(i), x, y)
			}
		}
		below := at + "/" + strconv.Itoa(min(v.Len(), w.Len()))
		if v.Len() > w.Len() {
			x := v.At(w.Len())
			return below, &x, nil
		} else if v.Len() < w.Len() {
			y := w.At(v.Len())
			return below, nil, &y
		}
	}
	return at, &v, &w
}
