package flow

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/weftcodec/weft/value"
)

// mapConfig changes a message.
type mapConfig struct {
	On     string                `flow:"on" enum:"request,answer" doc:"request: what comes in; answer: what comes back"`
	Body   expression            `flow:"body" doc:"what the whole body becomes"`
	Set    map[string]expression `flow:"set" doc:"members to set, by paths such as user.id"`
	Remove []text                `flow:"remove" doc:"paths of members to remove"`
	Header map[string]expression `flow:"header" doc:"headers to set: of the request, or of the answer; null removes one"`
	Status int                   `flow:"status" doc:"the status of the answer"`
	Path   expression            `flow:"path" doc:"what the path of the request becomes"`
	Method text                  `flow:"method" doc:"what the method of the request becomes"`
}

func newMapConfig() config { return new(mapConfig) }

func (cfg *mapConfig) build(b *build) step {
	s := &mapStep{out: b.out("out"), answer: cfg.On == "answer", status: cfg.Status, method: cfg.Method.s}
	b.method(cfg.Method)
	if cfg.Body.node != nil {
		s.body = b.expr(cfg.Body)
	}
	if cfg.Path.node != nil {
		s.path = b.expr(cfg.Path)
	}
	for _, path := range sortedKeys(cfg.Set) {
		e := cfg.Set[path]
		if _, err := value.Null().With(path, value.Null()); err != nil || path == "" {
			b.errorf(b.node.spec.file.pos(e.node), "%q is not a path to set: expected one such as user.id or [\"a.b\"].c", path)
		}
		s.set = append(s.set, mapSet{path, b.expr(e)})
	}
	for _, r := range cfg.Remove {
		s.remove = append(s.remove, r.s)
	}
	for _, name := range sortedKeys(cfg.Header) {
		s.header = append(s.header, mapSet{http.CanonicalHeaderKey(name), b.expr(cfg.Header[name])})
	}
	return s
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

type mapSet struct {
	path  string
	value program
}

// mapStep changes a message on its way in or on its way back.
type mapStep struct {
	out    *port
	answer bool
	body   program
	path   program
	set    []mapSet
	remove []string
	header []mapSet
	status int
	method string
}

// run implements step.
func (s *mapStep) run(c *call, m *message) error {
	if s.answer {
		if err := s.out.send(c, m); err != nil {
			return err
		}
		return s.change(c, m)
	}
	if err := s.change(c, m); err != nil {
		return err
	}
	return s.out.send(c, m)
}

func (s *mapStep) change(c *call, m *message) error {
	for _, h := range s.header { // before the body changes, of which they may speak
		v, err := h.value.value(c, m)
		if err != nil {
			return err
		}
		if err := m.setHeader(h.path, v, s.answer); err != nil {
			return err
		}
	}
	if s.path != nil {
		v, err := s.path.value(c, m)
		if err != nil {
			return err
		}
		path, ok := v.Text()
		if !ok || !strings.HasPrefix(path, "/") || dotted(path) {
			return fmt.Errorf("the path became %v: expected a string that begins with /", v)
		}
		m.path = path
	}
	if s.method != "" {
		m.method = s.method
	}
	if s.body != nil || s.set != nil || s.remove != nil {
		if err := s.changeBody(c, m); err != nil {
			return err
		}
	}
	if s.answer && s.status != 0 {
		m.status = s.status
	}
	return nil
}

// changeBody changes the body. All expressions speak of it as it came.
func (s *mapStep) changeBody(c *call, m *message) error {
	v, err := m.body.value(c)
	if err != nil {
		return err
	}
	if s.body != nil {
		if v, err = s.body.value(c, m); err != nil {
			return err
		}
	}
	for _, set := range s.set {
		x, err := set.value.value(c, m)
		if err != nil {
			return err
		}
		if v, err = v.With(set.path, x); err != nil {
			return refuse(http.StatusUnprocessableEntity, err)
		}
	}
	for _, path := range s.remove {
		if v, err = v.Without(path); err != nil {
			return refuse(http.StatusUnprocessableEntity, err)
		}
	}
	m.body.setValue(v)
	return nil
}

// setHeader sets a header of the request or of the answer.
func (m *message) setHeader(name string, v value.Value, answer bool) error {
	text, ok := v.Text()
	if !ok && !v.IsNull() {
		text = v.String()
	}
	if strings.ContainsAny(text, "\r\n\x00") {
		return fmt.Errorf("the header %s would have a line break in it", name)
	}
	switch {
	case answer && v.IsNull():
		delete(m.reply, name)
	case answer:
		m.set(name, text)
	default:
		m.header = m.header.Clone() // the one before belongs to net/http
		if m.header == nil {
			m.header = make(http.Header)
		}
		if m.header.Del(name); !v.IsNull() {
			m.header.Set(name, text)
		}
	}
	return nil
}
