package flow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// clientConfig is a service that is asked.
type clientConfig struct {
	URL          []text        `flow:"url,required" doc:"where the service is, one place or several"`
	Balance      string        `flow:"balance" enum:"round-robin,least,random" doc:"which of several is asked"`
	Timeout      time.Duration `flow:"timeout" doc:"time from asking to the headers of the answer, for each try"`
	ConnectTime  time.Duration `flow:"connectTimeout" doc:"time to connect"`
	MaxConns     int           `flow:"maxConnections" doc:"most connections to one place"`
	MaxIdle      int           `flow:"maxIdle" doc:"most connections to one place that are kept for later"`
	IdleTime     time.Duration `flow:"idleTimeout" doc:"time that a connection is kept for later"`
	MaxAnswer    size          `flow:"maxAnswer" doc:"most bytes of an answer that stand in memory"`
	PreserveHost bool          `flow:"preserveHost" doc:"the service sees the Host of the request, not its own"`
	StripPrefix  string        `flow:"stripPrefix" doc:"what is cut off the path of the request"`
	Retry        *retryConfig  `flow:"retry" doc:"trying again"`
	Breaker      *breakConfig  `flow:"breaker" doc:"leaving a place alone that fails"`
}

// retryConfig is trying again.
type retryConfig struct {
	Tries   int           `flow:"tries" doc:"tries in all"`
	On      []int         `flow:"on" doc:"statuses that are tried again, beside errors of the connection"`
	Methods []string      `flow:"methods" doc:"methods that are tried again; others only when nothing was sent"`
	Backoff time.Duration `flow:"backoff" doc:"longest wait before the second try"`
	Longest time.Duration `flow:"maxBackoff" doc:"longest wait of all"`
	Budget  float64       `flow:"budget" doc:"most tries beside the first, as a share of the requests"`
	Buffer  size          `flow:"buffer" doc:"largest body that is kept for another try"`
}

// breakConfig is leaving alone what fails.
type breakConfig struct {
	Failures int           `flow:"failures" doc:"failures one after another that open it"`
	Cooldown time.Duration `flow:"cooldown" doc:"time until one request tries again"`
}

func newClientConfig() config {
	return &clientConfig{
		Timeout: 10 * time.Second, ConnectTime: 3 * time.Second, MaxConns: 512, MaxIdle: 64, IdleTime: 90 * time.Second, MaxAnswer: 10 << 20,
	}
}

func (cfg *clientConfig) build(b *build) step {
	s := &clientStep{cfg: cfg, out: b.out("out"), name: b.node.spec.name, stats: b.node.stats}
	for _, u := range cfg.URL {
		t, err := url.Parse(u.s)
		if err != nil || t.Scheme != "http" && t.Scheme != "https" || t.Host == "" || t.RawQuery != "" || t.Fragment != "" {
			b.errorf(u.at, "expected an address such as http://127.0.0.1:9000 or https://api.example.com/v1")
			continue
		}
		base := strings.TrimSuffix(t.EscapedPath(), "/")
		s.places = append(s.places, &place{scheme: t.Scheme, host: t.Host, base: base, user: t.User})
	}
	if len(cfg.URL) == 0 {
		b.errorf(b.node.spec.pos, "the field \"url\" is empty: add an address such as http://127.0.0.1:9000")
	}
	if r := cfg.Retry; r != nil {
		r.defaults()
		s.budget.share = r.Budget
		s.budget.tokens.Store(budgetMost * budgetUnit)
	}
	if cfg.Breaker != nil {
		if cfg.Breaker.Failures == 0 {
			cfg.Breaker.Failures = 5
		}
		if cfg.Breaker.Cooldown == 0 {
			cfg.Breaker.Cooldown = 5 * time.Second
		}
	}
	s.transport = &http.Transport{
		DialContext:         (&net.Dialer{Timeout: cfg.ConnectTime, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: cfg.ConnectTime, MaxConnsPerHost: cfg.MaxConns, MaxIdleConnsPerHost: cfg.MaxIdle,
		IdleConnTimeout: cfg.IdleTime, DisableCompression: true, ForceAttemptHTTP2: true,
		MaxResponseHeaderBytes: 1 << 20, ExpectContinueTimeout: time.Second,
	}
	b.g.closers = append(b.g.closers, s.transport.CloseIdleConnections)
	return s
}

func (r *retryConfig) defaults() {
	if r.Tries == 0 {
		r.Tries = 3
	}
	if r.On == nil {
		r.On = []int{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}
	}
	if r.Methods == nil {
		r.Methods = []string{"GET", "HEAD", "OPTIONS", "PUT", "DELETE"}
	}
	if r.Backoff == 0 {
		r.Backoff = 50 * time.Millisecond
	}
	if r.Longest == 0 {
		r.Longest = 2 * time.Second
	}
	if r.Budget == 0 {
		r.Budget = 0.2
	}
	if r.Buffer == 0 {
		r.Buffer = 64 << 10
	}
}

// clientStep asks a service.
type clientStep struct {
	cfg       *clientConfig
	out       *port
	name      string
	stats     *stats
	places    []*place
	turn      atomic.Uint32
	transport *http.Transport
	budget    budget
}

// place is where a service is.
type place struct {
	scheme, host, base string
	user               *url.Userinfo
	inFlight           atomic.Int64
	failures           atomic.Int64 // one after another
	openUntil          atomic.Int64 // ns of the clock now, 0 for closed
}

// run implements step.
func (s *clientStep) run(c *call, m *message) error {
	tries := 1
	retry := s.cfg.Retry
	if retry != nil {
		s.budget.earn()
		if m.body.stream == nil || m.body.length >= 0 && m.body.length <= int64(retry.Buffer) {
			if _, err := m.body.bytes(c); err != nil {
				return err
			}
			tries = retry.Tries
		}
	}
	if m.body.stream == nil {
		if _, err := m.body.bytes(c); err != nil { // encodes a value
			return err
		}
	}
	var last *place
	for try := 1; ; try++ {
		p := s.choose(last)
		if p == nil {
			return &headersError{refuse(http.StatusServiceUnavailable, errOpen),
				http.Header{"Retry-After": {strconv.Itoa(s.cooldown())}}}
		}
		resp, done, err := s.ask(c, m, p)
		again := try < tries && s.again(m, resp, err) && c.context().Err() == nil
		if !again || !s.budget.spend() {
			if err != nil {
				return err
			}
			s.take(m, resp, done)
			return s.out.send(c, m)
		}
		if resp != nil {
			_, _ = io.CopyN(io.Discard, resp.Body, 4<<10) // so that the connection can be used again
			done.Close()
		}
		last = p
		if err := retry.sleep(c.context(), try); err != nil {
			return err
		}
	}
}

var errOpen = errors.New("the service fails and is not called for a while")

func (s *clientStep) cooldown() int {
	return int((s.cfg.Breaker.Cooldown + time.Second - 1) / time.Second)
}

// again reports whether an answer or an error is worth another try.
func (s *clientStep) again(m *message, resp *http.Response, err error) bool {
	idempotent := slices.Contains(s.cfg.Retry.Methods, m.method)
	if err != nil {
		var op *net.OpError
		return idempotent || errors.As(err, &op) && op.Op == "dial"
	}
	return idempotent && slices.Contains(s.cfg.Retry.On, resp.StatusCode)
}

// ask sends the request to p. The closer ends the answer.
func (s *clientStep) ask(c *call, m *message, p *place) (*http.Response, io.Closer, error) {
	ctx, cancel := context.WithCancelCause(c.context())
	timer := time.AfterFunc(s.cfg.Timeout, func() { cancel(errSlow) })
	req, held := s.request(ctx, m, p)
	c.inject(req.Header)
	p.inFlight.Add(1)
	resp, err := s.transport.RoundTrip(req)
	inTime := timer.Stop()
	if held != nil && !held.closed.Load() {
		c.leak() // the transport may still read the buffer
	}
	if err == nil && !inTime {
		resp.Body.Close()
		err = errSlow
	}
	s.report(p, resp, err, c.ctx)
	if err != nil {
		p.inFlight.Add(-1)
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		cancel(nil)
		return nil, nil, s.failure(p, err)
	}
	return resp, &answerEnd{resp.Body, cancel, p}, nil
}

var errSlow = errors.New("no answer in time")

// failure returns an error of asking p with the status that tells it.
func (s *clientStep) failure(p *place, err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, errSlow), errors.Is(err, context.DeadlineExceeded):
		return refuse(http.StatusGatewayTimeout, fmt.Errorf("%s: %w", p.host, err))
	case statusOf(err) != http.StatusInternalServerError: // the body of the request
		return err
	}
	return refuse(http.StatusBadGateway, fmt.Errorf("%s: %w", p.host, err))
}

// answerEnd closes an answer.
type answerEnd struct {
	body   io.Closer
	cancel context.CancelCauseFunc
	place  *place
}

// Close implements io.Closer.
func (e *answerEnd) Close() error {
	err := e.body.Close()
	e.cancel(nil)
	e.place.inFlight.Add(-1)
	return err
}

// request makes the request for p.
func (s *clientStep) request(ctx context.Context, m *message, p *place) (*http.Request, *heldBody) {
	path := m.path
	if s.cfg.StripPrefix != "" {
		if rest, ok := strings.CutPrefix(path, s.cfg.StripPrefix); ok && (rest == "" || rest[0] == '/') {
			path = rest
		}
	}
	if path = p.base + path; path == "" {
		path = "/"
	}
	u := &url.URL{Scheme: p.scheme, Host: p.host, RawQuery: m.query}
	if strings.Contains(path, "%") {
		u.RawPath = path
		u.Path, _ = url.PathUnescape(path)
	} else {
		u.Path = path
	}
	req := &http.Request{Method: m.method, URL: u, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: outgoing(m),
		Host: p.host}
	if s.cfg.PreserveHost && m.host != "" {
		req.Host = m.host
	}
	if p.user != nil && req.Header.Get("Authorization") == "" {
		password, _ := p.user.Password()
		req.SetBasicAuth(p.user.Username(), password)
	}
	if req.Method == "" {
		if req.Method = http.MethodGet; !m.body.empty() {
			req.Method = http.MethodPost
		}
	}
	var held *heldBody
	switch {
	case m.body.stream != nil && m.body.length != 0:
		g := &guardedBody{r: m.body.stream, c: m.body.close}
		m.body.close = g
		req.Body, req.ContentLength = io.NopCloser(g), m.body.length
	case len(m.body.raw) > 0:
		held = &heldBody{rest: m.body.raw}
		req.Body, req.ContentLength = held, int64(len(m.body.raw))
	}
	return req.WithContext(ctx), held
}

// heldBody is a body in a buffer, which must not be used again before Close.
type heldBody struct {
	rest   []byte
	closed atomic.Bool
}

// Read implements io.Reader.
func (b *heldBody) Read(p []byte) (int, error) {
	if len(b.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// Close implements io.Closer.
func (b *heldBody) Close() error {
	b.closed.Store(true)
	return nil
}

// guardedBody is a stream that may be closed while the transport reads it: it is closed
// then when that has ended.
type guardedBody struct {
	mu              sync.Mutex
	reading, closed bool
	r               io.Reader
	c               io.Closer // may be nil
}

// Read implements io.Reader.
func (b *guardedBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return 0, http.ErrBodyReadAfterClose
	}
	b.reading = true
	b.mu.Unlock()
	n, err := b.r.Read(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reading = false; b.closed && b.c != nil {
		b.c.Close()
	}
	return n, err
}

// Close implements io.Closer.
func (b *guardedBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	if b.closed = true; b.c == nil || b.reading {
		return nil
	}
	return b.c.Close()
}

// hopHeaders concern one connection (RFC 9110 §7.6.1), or are said by the body.
var hopHeaders = []string{
	"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade", "Content-Length", "Content-Type", "Content-Encoding",
}

// withoutHops returns a copy of h without what concerns one connection only.
func withoutHops(h http.Header, room int) http.Header {
	kept := make(http.Header, len(h)+room)
	for name, v := range h {
		if !slices.Contains(hopHeaders, name) {
			kept[name] = v
		}
	}
	for _, v := range h["Connection"] {
		for name := range strings.SplitSeq(v, ",") {
			delete(kept, http.CanonicalHeaderKey(strings.TrimSpace(name)))
		}
	}
	return kept
}

// outgoing returns the headers of a request to a service.
func outgoing(m *message) http.Header {
	h := withoutHops(m.header, 6)
	if m.body.mediaType != "" {
		h["Content-Type"] = []string{m.body.mediaType}
	}
	if m.body.encoding != "" {
		h["Content-Encoding"] = []string{m.body.encoding}
	}
	if _, ok := h["User-Agent"]; !ok {
		h["User-Agent"] = []string{""} // or net/http sends its own
	}
	if m.remote == "" {
		return h
	}
	ip, _, err := net.SplitHostPort(m.remote)
	if err != nil {
		ip = m.remote
	}
	// What the client says of forwarding is not to be trusted, and is replaced.
	h["X-Forwarded-For"] = []string{ip}
	h["X-Forwarded-Host"] = []string{m.host}
	h["X-Forwarded-Proto"] = []string{m.scheme}
	delete(h, "Forwarded")
	return h
}

// take makes the message the answer. The body of the request ends with it: the transport may still send that, and would
// break the answer off if it could not.
func (s *clientStep) take(m *message, resp *http.Response, end io.Closer) {
	if m.body.close != nil {
		end = &ends{all: []io.Closer{m.body.close, end}}
		m.body.close = nil
	}
	m.answer(resp.StatusCode)
	m.reply = withoutHops(resp.Header, 2)
	m.body = body{mediaType: resp.Header.Get("Content-Type"), encoding: resp.Header.Get("Content-Encoding"),
		max: int64(s.cfg.MaxAnswer)}
	m.body.setStream(&countReader{&upstreamReader{resp.Body, s.name}, &s.stats.in}, resp.ContentLength, end)
	if resp.Body == http.NoBody || m.method == http.MethodHead {
		m.body.done()
		m.body.stream, m.body.raw = nil, []byte{}
	}
}

// upstreamReader makes errors of an answer those of the service.
type upstreamReader struct {
	io.Reader
	node string
}

func (r *upstreamReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF && statusOf(err) == http.StatusInternalServerError {
		err = &Error{Node: r.node, Status: http.StatusBadGateway, Offset: -1, Err: fmt.Errorf("the answer was cut off: %w",
			err)}
	}
	return n, err
}

func headersOf(err error) http.Header {
	var h *headersError
	if errors.As(err, &h) {
		return h.header
	}
	return nil
}
