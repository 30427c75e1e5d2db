package flow

import (
	_ "embed"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/value"
)

//go:embed debug.html
var debugPage []byte

// debug serves the page that shows what the nodes do.
func (f *Flow) debug(mux *http.ServeMux) {
	mux.HandleFunc("GET /debug/flow", func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'")
		_, _ = w.Write(debugPage)
	})
	mux.HandleFunc("GET /debug/flow/graph.svg", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = w.Write([]byte(f.SVG()))
	})
	mux.HandleFunc("GET /debug/flow/nodes", func(w http.ResponseWriter, _ *http.Request) { reply(w, f.debugNodes()) })
	mux.HandleFunc("GET /debug/flow/messages", func(w http.ResponseWriter, r *http.Request) {
		g := f.acquire()
		defer g.release()
		name := r.URL.Query().Get("node")
		i := slices.IndexFunc(g.nodes, func(n *node) bool { return n.spec.name == name })
		if i < 0 {
			http.Error(w, "there is no such node", http.StatusNotFound)
			return
		}
		reply(w, g.nodes[i].stats.tapped(time.Now()))
	})
}

func reply(w http.ResponseWriter, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(text)
}

// debugNode is a node on the page.
type debugNode struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Count  int64  `json:"count"`
	Errors int64  `json:"errors"`
	Spent  int64  `json:"spent"` // µs in all, without the nodes behind it
	Coding int64  `json:"coding"`
	In     int64  `json:"in"`
	Out    int64  `json:"out"`
	Last   string `json:"last,omitempty"`
}

func (f *Flow) debugNodes() []debugNode {
	g := f.acquire()
	defer g.release()
	all := make([]debugNode, 0, len(g.nodes))
	for _, n := range g.nodes {
		s := n.stats
		d := debugNode{Name: n.spec.name, Kind: n.spec.kind.name, Count: s.count.Load(), Errors: s.errors.Load(),
			Spent: s.spent.Load() / 1000, Coding: s.coding.Load() / 1000, In: s.in.Load(), Out: s.out.Load()}
		if e := s.last.Load(); e != nil {
			d.Last = e.Error()
		}
		all = append(all, d)
	}
	return all
}

// tap keeps the last messages of a node, while somebody looks at them.
type tap struct {
	mu    sync.Mutex
	until time.Time
	last  []tapped
}

const (
	tapTime = time.Minute // that a tap stays open after somebody has looked
	tapSize = 20          // messages
	tapBody = 2 << 10     // bytes of a body
)

// tapped is a message and its answer, secrets masked.
type tapped struct {
	Time   time.Time         `json:"time"`
	Method string            `json:"method"`
	Path   string            `json:"path"`
	Header map[string]string `json:"header"`
	Body   string            `json:"body"`
	Status int               `json:"status"`
	Answer string            `json:"answer"`
	Error  string            `json:"error,omitempty"`
}

// tapped returns the last messages, and keeps those to come for a while.
func (s *stats) tapped(now time.Time) []tapped {
	t := s.tap.Load()
	if t == nil {
		t = new(tap)
		if !s.tap.CompareAndSwap(nil, t) {
			t = s.tap.Load()
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.until = now.Add(tapTime)
	return append([]tapped{}, t.last...)
}

// begin notes a message that comes to a node, or returns nil when nobody looks any more.
func (t *tap) begin(s *stats, c *call, m *message) *tapped {
	now := time.Now()
	t.mu.Lock()
	open := now.Before(t.until)
	t.mu.Unlock()
	if !open {
		s.tap.CompareAndSwap(t, nil)
		return nil
	}
	path := m.path
	if m.query != "" {
		path += "?" + maskedQuery(m.query)
	}
	x := &tapped{Time: now, Method: m.method, Path: path, Header: make(map[string]string), Body: visible(c, &m.body)}
	for name, v := range m.header {
		if x.Header[name] = cut(strings.Join(v, ", "), 200); secret(name) {
			x.Header[name] = masked
		}
	}
	return x
}

// end keeps a message with the answer.
func (t *tap) end(x *tapped, c *call, m *message, err error) {
	if x.Status = m.status; err != nil {
		e := errorOf("", err)
		x.Status, x.Error = e.Status, e.Error()
	} else {
		x.Answer = visible(c, &m.body)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.last) == tapSize {
		t.last = slices.Delete(t.last, 0, 1)
	}
	t.last = append(t.last, *x)
}

const masked = "(masked)"

// secret reports whether what is called so is nobody's business.
func secret(name string) bool {
	name = strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name))
	return slices.ContainsFunc([]string{"password", "passwd", "secret", "token", "apikey", "authorization", "cookie", "credential",
		"privatekey", "session"}, func(s string) bool { return strings.Contains(name, s) })
}

func maskedQuery(query string) string {
	q, err := url.ParseQuery(query)
	if err != nil {
		return masked
	}
	for name := range q {
		if secret(name) {
			q[name] = []string{masked}
		}
	}
	return q.Encode()
}

// visible returns the beginning of a body that is in memory. A stream is left alone, and so is what cannot be read: secrets
// could not be told in it.
func visible(c *call, b *body) string {
	if b.stream != nil {
		return "(a stream)"
	}
	if b.empty() {
		return ""
	}
	if !b.hasVal && len(b.raw) > 64<<10 {
		return "(a long body)"
	}
	copied, coding := *b, c.coding
	copied.close = nil
	v, err := copied.value(&call{flow: c.flow})
	c.coding = coding
	if err != nil {
		return "(cannot be read)"
	}
	if text, ok := v.Text(); ok {
		return cut(text, tapBody)
	}
	if p, ok := v.Bytes(); ok {
		return "(" + (value.Int(int64(len(p)))).String() + " bytes)"
	}
	text, err := mediaJSON.format.MarshalAppend(nil, maskedValue(v, 0))
	if err != nil {
		return "(cannot be written)"
	}
	return cut(string(text), tapBody)
}

// maskedValue returns v without secrets.
func maskedValue(v value.Value, depth int) value.Value {
	if depth > 100 {
		return value.String(masked)
	}
	switch v.Kind() {
	case value.KindMap:
		members := make([]value.Member, 0, v.Len())
		for name, x := range v.Members() {
			if secret(name) {
				x = value.String(masked)
			}
			members = append(members, value.Member{Name: name, Value: maskedValue(x, depth+1)})
		}
		return value.Map(members...)
	case value.KindList:
		list := make([]value.Value, 0, v.Len())
		for x := range v.Values() {
			list = append(list, maskedValue(x, depth+1))
		}
		return value.List(list...)
	}
	return v
}
