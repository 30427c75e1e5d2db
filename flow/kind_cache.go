package flow

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// cacheConfig keeps answers in memory.
type cacheConfig struct {
	TTL     time.Duration `flow:"ttl" doc:"how long answers are kept that do not say it"`
	MaxSize size          `flow:"maxSize" doc:"most bytes of all answers"`
	MaxBody size          `flow:"maxBody" doc:"most bytes of the body of an answer that is kept"`
	Key     expression    `flow:"key" doc:"what tells requests apart beside host, path and query"`
}

func newCacheConfig() config { return &cacheConfig{MaxSize: 64 << 20, MaxBody: 1 << 20} }

func (cfg *cacheConfig) build(b *build) step {
	s := &cacheStep{cfg: cfg, out: b.must("out", b.node.spec.pos), state: new(cacheState)}
	s.state.flights = make(map[string]chan struct{})
	if cfg.Key.node != nil {
		s.key = b.expr(cfg.Key)
	}
	if cfg.MaxBody > cfg.MaxSize {
		b.errorf(b.node.spec.pos, "a body may have %d bytes, and all answers %d: expected no more than that", cfg.MaxBody,
			cfg.MaxSize)
	}
	if p, ok := b.before().(*cacheStep); ok && b.unchanged() {
		s.state = p.state
	}
	return s
}

// unchanged reports whether the document has the same text as before: what is behind a node may answer otherwise in
// another one.
func (b *build) unchanged() bool {
	texts := func(nodes []*node) (all []string) {
		for _, n := range nodes {
			if _, is := n.spec.config.(*caseConfig); !is {
				all = append(all, n.spec.name+"\n"+n.spec.text)
			}
		}
		return all
	}
	return b.prev != nil && slices.Equal(texts(b.prev.nodes), texts(b.g.nodes))
}

// cacheState is the answers that are kept. It outlives the graph.
type cacheState struct {
	mu      sync.Mutex
	answers recent[*cached]
	flights map[string]chan struct{} // of requests that are asked: closed when there is an answer
}

// cached is an answer, or what all answers to a request have in common: the names by which they are distinguished (Vary),
// and when the last one was that none asked for before may be given any more.
type cached struct {
	vary      []string
	asked     time.Time // when it was asked for, or that time
	status    int
	header    http.Header
	mediaType string
	encoding  string
	raw       []byte
	from      time.Time // when it was as old as 0
	until     time.Time
}

// cacheStep answers with what it has kept (RFC 9111, as a shared cache).
type cacheStep struct {
	cfg   *cacheConfig
	out   *port
	key   program
	state *cacheState
}

// run implements step.
func (s *cacheStep) run(c *call, m *message) error {
	key := m.host + " " + m.path + "?" + m.query
	if s.key != nil {
		v, err := s.key.value(c, m)
		if err != nil {
			return err
		}
		key += " " + v.String()
	}
	asked := directives(m.header["Cache-Control"])
	_, none := asked["no-store"]
	if m.method != http.MethodGet || none || m.header["Authorization"] != nil || m.header["Range"] != nil ||
		!m.body.empty() {
		return s.pass(c, m, key)
	}
	header, begin := m.header, time.Now() // nodes behind this one may change it
	_, again := asked["no-cache"]
	for alone := again || asked["max-age"] == "0"; ; alone = true {
		flight, mine, found := s.find(key, header, alone)
		switch {
		case found != nil:
			found.answer(m, header)
			return nil
		case mine:
			defer s.land(key, flight)
		case flight != nil:
			select {
			case <-flight:
			case <-c.context().Done():
				return c.context().Err()
			}
			if found := s.look(key, header); found != nil {
				found.answer(m, header)
				return nil
			}
			continue // it was no answer to keep
		}
		if err := s.out.send(c, m); err != nil {
			return err
		}
		return s.keep(c, m, key, header, begin)
	}
}

// pass lets a message pass. What changes something makes an answer that is kept an old one (RFC 9111 §4.4).
func (s *cacheStep) pass(c *call, m *message, key string) error {
	safe := slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace}, m.method)
	if err := s.out.send(c, m); err != nil || safe || m.status >= http.StatusBadRequest {
		return err
	}
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	if _, asks := s.state.flights[key]; asks || s.state.answers.has(key) {
		s.state.answers.put(key, &cached{asked: time.Now()}, int64(len(key)), int64(s.cfg.MaxSize))
	}
	return nil
}

// look returns the answer that is kept for a request, if it is fresh.
func (s *cacheStep) look(key string, header http.Header) *cached {
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	return s.state.look(key, header)
}

func (s *cacheState) look(key string, header http.Header) *cached {
	e, ok := s.answers.get(key)
	since := time.Time{}
	if ok && e.vary != nil {
		since = e.asked
		e, ok = s.answers.get(varied(key, e.vary, header))
	}
	if ok && time.Now().Before(e.until) && !e.asked.Before(since) {
		return e
	}
	return nil
}

// find returns an answer, or what is closed when the request that may bring it is over: it is this one if it is mine.
// One that is alone waits for nobody, nor they for it.
func (s *cacheStep) find(key string, header http.Header, alone bool) (flight chan struct{}, mine bool, found *cached) {
	if alone {
		return nil, false, nil
	}
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	if found = s.state.look(key, header); found != nil {
		return nil, false, found
	}
	if flight = s.state.flights[key]; flight == nil {
		flight, mine = make(chan struct{}), true
		s.state.flights[key] = flight
	}
	return flight, mine, nil
}

// land lets those go on that wait for the answer.
func (s *cacheStep) land(key string, flight chan struct{}) {
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	close(flight)
	delete(s.state.flights, key)
}

// keep keeps the answer to what was asked then, if it may be.
func (s *cacheStep) keep(c *call, m *message, key string, header http.Header, asked time.Time) error {
	age, fresh := s.lifetime(m)
	if fresh <= 0 {
		return nil
	}
	var vary []string
	for _, v := range m.reply["Vary"] {
		for name := range strings.SplitSeq(v, ",") {
			if name = http.CanonicalHeaderKey(strings.TrimSpace(name)); name == "*" {
				return nil
			} else if name != "" {
				vary = append(vary, name)
			}
		}
	}
	most := int64(s.cfg.MaxBody)
	if m.body.stream != nil {
		if m.body.length > most {
			return nil
		} else if whole, err := m.body.peek(c, most); err != nil || !whole {
			return err
		}
	}
	raw, err := m.body.bytes(c)
	if err != nil || int64(len(raw)) > most {
		return err
	}
	now := time.Now()
	e := &cached{asked: asked, status: m.status, header: m.reply.Clone(), mediaType: m.body.mediaType, encoding: m.body.encoding,
		raw: slices.Clone(raw), from: now.Add(-age), until: now.Add(fresh)}
	total := int64(s.cfg.MaxSize)
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	since := asked // what there may be of before is not known
	if was, ok := s.state.answers.get(key); ok {
		if asked.Before(was.asked) {
			return nil
		}
		if was.status == 0 {
			since = was.asked
		}
	}
	if vary != nil {
		slices.Sort(vary)
		s.state.answers.put(key, &cached{vary: vary, asked: since}, int64(len(key)), total)
		key = varied(key, vary, header)
	}
	s.state.answers.put(key, e, e.size()+int64(len(key)), total)
	return nil
}

// size returns about how many bytes an answer takes.
func (e *cached) size() int64 {
	n := len(e.raw) + 256
	for name, v := range e.header {
		n += len(name) + 32
		for _, s := range v {
			n += len(s) + 16
		}
	}
	return int64(n)
}

// varied returns the key with the headers by which the answers are distinguished.
func varied(key string, vary []string, header http.Header) string {
	for _, name := range vary {
		key += fmt.Sprintf("\n%s: %q", name, header[name])
	}
	return key
}

// lifetime returns how old an answer is, and how long it is fresh from now on: not at all when it may not be kept.
func (s *cacheStep) lifetime(m *message) (age, fresh time.Duration) {
	kept := []int{200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501} // RFC 9110 §15.1
	if !slices.Contains(kept, m.status) || m.reply["Set-Cookie"] != nil {
		return 0, 0
	}
	d := directives(m.reply["Cache-Control"])
	for _, never := range []string{"no-store", "private", "no-cache"} {
		if _, ok := d[never]; ok {
			return 0, 0
		}
	}
	age, _ = seconds(m.reply.Get("Age"))
	fresh, ok := seconds(d["s-maxage"])
	if !ok {
		fresh, ok = seconds(d["max-age"])
	}
	if text := m.reply.Get("Expires"); !ok && text != "" {
		ok = true
		if at, err := http.ParseTime(text); err == nil {
			sent, err := http.ParseTime(m.reply.Get("Date"))
			if err != nil {
				sent = time.Now()
			}
			fresh = at.Sub(sent)
		}
	}
	if !ok {
		fresh = s.cfg.TTL
	}
	return age, fresh - age
}

// directives returns those of Cache-Control, by their names.
func directives(values []string) map[string]string {
	if len(values) == 0 {
		return nil
	}
	all := make(map[string]string)
	for _, v := range values {
		for d := range strings.SplitSeq(v, ",") {
			name, x, _ := strings.Cut(strings.TrimSpace(d), "=")
			all[strings.ToLower(name)] = strings.Trim(x, `"`)
		}
	}
	return all
}

// seconds reads a number of seconds.
func seconds(text string) (time.Duration, bool) {
	n, err := strconv.ParseUint(text, 10, 31)
	return time.Duration(n) * time.Second, err == nil
}

// answer makes m the answer, or says that the client has it already.
func (e *cached) answer(m *message, header http.Header) {
	m.body.done()
	max := m.body.max
	m.answer(e.status)
	if m.reply = e.header.Clone(); m.reply == nil {
		m.reply = make(http.Header)
	}
	m.reply.Set("Age", strconv.Itoa(int(time.Since(e.from).Seconds())))
	m.body = body{mediaType: e.mediaType, encoding: e.encoding, raw: e.raw, max: max}
	tag := strings.TrimPrefix(e.header.Get("Etag"), "W/")
	if tag == "" || e.status != http.StatusOK {
		return
	}
	for _, v := range header["If-None-Match"] {
		for t := range strings.SplitSeq(v, ",") {
			if t = strings.TrimPrefix(strings.TrimSpace(t), "W/"); t == tag || t == "*" {
				m.status, m.body = http.StatusNotModified, body{raw: []byte{}, max: max}
				return
			}
		}
	}
}
