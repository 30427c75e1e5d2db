package flow

import (
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weftcodec/weft/json"
)

// httpConfig is a server.
type httpConfig struct {
	Address     text          `flow:"address" doc:"where it listens, such as :8000"`
	Host        string        `flow:"host" doc:"the host of the address, instead of address"`
	Port        text          `flow:"port" doc:"the port of the address, instead of address"`
	Protocol    string        `flow:"protocol" enum:"http" doc:"the protocol"`
	TLS         *tlsConfig    `flow:"tls" doc:"a certificate, which makes it https with HTTP/2"`
	H2C         bool          `flow:"h2c" doc:"HTTP/2 without TLS beside HTTP/1.1"`
	MaxBody     size          `flow:"maxBody" doc:"most bytes of a body, compressed or not"`
	MaxHeader   size          `flow:"maxHeader" doc:"most bytes of the headers of a request"`
	MaxInFlight int           `flow:"maxInFlight" doc:"most requests at a time; others are answered 503"`
	MaxConns    int           `flow:"maxConnections" doc:"most connections at a time; others wait"`
	Timeout     time.Duration `flow:"timeout" doc:"time for the nodes to answer a request"`
	HeaderTime  time.Duration `flow:"headerTimeout" doc:"time to send the headers of a request"`
	ReadTime    time.Duration `flow:"readTimeout" doc:"time to send a whole request"`
	WriteTime   time.Duration `flow:"writeTimeout" doc:"time to take a whole answer"`
	IdleTime    time.Duration `flow:"idleTimeout" doc:"time that a connection may be idle"`
	Details     bool          `flow:"details" doc:"answers to bad requests say what is wrong and where"`
}

// tlsConfig is a certificate in PEM, as files.
type tlsConfig struct {
	Cert text `flow:"cert,required" doc:"the file of the certificate"`
	Key  text `flow:"key,required" doc:"the file of its key"`
}

func newHTTPConfig() config {
	return &httpConfig{
		MaxBody: 10 << 20, MaxHeader: 64 << 10, MaxInFlight: 10000, MaxConns: 20000, Timeout: 30 * time.Second,
		HeaderTime: 10 * time.Second, ReadTime: time.Minute, WriteTime: time.Minute, IdleTime: 2 * time.Minute, Details: true,
	}
}

func (cfg *httpConfig) build(b *build) step {
	s := &httpStep{cfg: cfg, node: b.node, out: b.must("out", b.node.spec.pos), address: cfg.Address.s}
	at := b.node.spec.pos
	switch {
	case cfg.Address.s != "" && (cfg.Port.s != "" || cfg.Host != ""):
		b.errorf(cfg.Address.at, "both an address and host and port are set: remove one")
	case cfg.Port.s != "":
		s.address, at = net.JoinHostPort(cfg.Host, cfg.Port.s), cfg.Port.at
	case cfg.Address.s == "":
		if b.has("address") || b.has("port") {
			break // and it has been said what is wrong with it
		}
		b.errorf(at, "the server has no address: add address: :8000")
	default:
		at = cfg.Address.at
	}
	if cfg.TLS != nil {
		s.certificate(b)
	}
	s.listens(b, at)
	if file := b.g.flow.settings.record; file != "" {
		s.out = b.recorded(s.out, file)
	}
	return s
}

// listens checks the address, and makes s a server of the graph.
func (s *httpStep) listens(b *build, at Pos) {
	if s.address != "" {
		if _, port, err := net.SplitHostPort(s.address); err != nil {
			b.errorf(at, "%q is not an address: expected HOST:PORT or :PORT", s.address)
		} else if n, err := strconv.ParseUint(port, 10, 16); err != nil {
			b.errorf(at, "%q is not a port: expected a number up to 65535", port)
		} else if n != 0 {
			b.unique(s, at)
		}
	}
	b.g.servers = append(b.g.servers, s)
}

// unique complains of a second server at the address.
func (b *build) unique(s *httpStep, at Pos) {
	for _, other := range b.g.servers {
		if other.address == s.address {
			b.errorf(at, "%q also listens at %s: choose another address", other.node.spec.name, s.address)
		}
	}
}

// certificate reads the certificate.
func (s *httpStep) certificate(b *build) {
	var pem [2][]byte
	for i, f := range []text{s.cfg.TLS.Cert, s.cfg.TLS.Key} {
		data, name, err := b.doc.readFile(b.node.spec.file, f.s)
		if err != nil {
			b.errorf(f.at, "the file %s cannot be read: %v", name, err)
			return
		}
		pem[i] = data
	}
	cert, err := tls.X509KeyPair(pem[0], pem[1])
	if err != nil {
		b.errorf(s.cfg.TLS.Cert.at, "cannot load the certificate and its key: %v", err)
	}
	s.cert = &cert
}

// httpStep is a server's part in a graph. Its connections belong to the flow.
type httpStep struct {
	cfg      *httpConfig
	node     *node
	out      *port
	address  string
	cert     *tls.Certificate
	inFlight atomic.Int64
	admin    http.Handler // what it serves instead of nodes, or nil
}

// run implements step.
func (s *httpStep) run(c *call, m *message) error { return s.out.send(c, m) }

// handler answers requests by the server of the current graph that is chosen.
type handler struct {
	flow   *Flow
	choose func(*httpStep) bool
}

var calls = sync.Pool{New: func() any { return new(call) }}

// ServeHTTP implements http.Handler.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g := h.flow.acquire()
	defer g.release()
	for _, s := range g.servers {
		if h.choose(s) {
			s.serve(h.flow, w, r)
			return
		}
	}
	// The graph has no such server any more; its connections are being closed.
	w.Header().Set("Connection", "close")
	http.Error(w, "gone", http.StatusServiceUnavailable)
}

// serve answers one request.
func (s *httpStep) serve(f *Flow, w http.ResponseWriter, r *http.Request) {
	if s.admin != nil {
		s.admin.ServeHTTP(w, r)
		return
	}
	if s.inFlight.Add(1) > int64(s.cfg.MaxInFlight) {
		s.inFlight.Add(-1)
		w.Header().Set("Retry-After", "1")
		s.fail(w, &Error{Node: s.node.spec.name, Status: http.StatusServiceUnavailable, Offset: -1, Err: errBusy})
		return
	}
	defer s.inFlight.Add(-1)
	c := calls.Get().(*call)
	c.flow, c.ctx = f, r.Context()
	if s.cfg.Timeout > 0 {
		c.deadline = time.Now().Add(s.cfg.Timeout)
	}
	err := s.request(c, w, r)
	if err == nil {
		err = s.call(c)
	}
	if err == nil {
		err = s.answer(c, w)
	}
	aborted := false
	if err != nil {
		aborted = s.refuse(c, w, err)
	}
	c.release()
	calls.Put(c)
	if aborted {
		panic(http.ErrAbortHandler) // the client must not take what it has for the whole answer
	}
}

// call runs the nodes.
func (s *httpStep) call(c *call) (err error) {
	defer recovered(s.node, &err)
	return s.node.run(c, &c.message)
}

var errBusy = fmt.Errorf("too many requests at a time")

// request makes the message of a request.
func (s *httpStep) request(c *call, w http.ResponseWriter, r *http.Request) error {
	m := &c.message
	m.method, m.host, m.header, m.remote = r.Method, r.Host, r.Header, r.RemoteAddr
	m.path, m.query = r.URL.EscapedPath(), r.URL.RawQuery
	m.scheme = "http"
	if r.TLS != nil {
		m.scheme = "https"
	}
	m.params = c.params[:0]
	c.id = r.Header.Get("X-Request-Id")
	m.body = body{mediaType: r.Header.Get("Content-Type"), encoding: r.Header.Get("Content-Encoding"),
		max: int64(s.cfg.MaxBody)}
	if r.Body != nil && r.Body != http.NoBody {
		if r.ContentLength > int64(s.cfg.MaxBody) {
			return tooLarge(int64(s.cfg.MaxBody))
		}
		c.read = &requestReader{Reader: http.MaxBytesReader(w, r.Body, int64(s.cfg.MaxBody)), n: &s.node.stats.in}
		m.body.setStream(c.read, r.ContentLength, nil)
	}
	if m.path == "" {
		m.path = "/"
	}
	if m.path == "*" || m.path[0] != '/' || dotted(r.URL.Path) {
		return refuse(http.StatusBadRequest, fmt.Errorf("the path %q does not begin with / or has dots for a segment",
			m.path))
	}
	return nil
}

// dotted reports whether the path has a segment . or .., by which it could lead elsewhere than it seems to.
func dotted(path string) bool {
	if !strings.Contains(path, "/.") {
		return false
	}
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

// requestReader reads the body of a request, and keeps what goes wrong: who reads it for
// a service finds less to say.
type requestReader struct {
	io.Reader
	n   *atomic.Int64
	err atomic.Pointer[error]
}

func (r *requestReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.n.Add(int64(n))
	if err != nil && err != io.EOF {
		err = readError(err)
		r.err.Store(&err)
	}
	return n, err
}

// countReader counts the bytes that are read.
type countReader struct {
	io.Reader
	n *atomic.Int64
}

func (r *countReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.n.Add(int64(n))
	return n, err
}

// answer writes the answer. An error is one of before anything was written, or wraps errBroken.
func (s *httpStep) answer(c *call, w http.ResponseWriter) error {
	m := &c.message
	var raw []byte
	if m.body.stream == nil {
		var err error
		if raw, err = m.body.bytes(c); err != nil {
			return errorOf(s.node.spec.name, err)
		}
	}
	status := m.status
	if status == 0 {
		status = http.StatusOK
	}
	h := w.Header()
	for name, v := range m.reply {
		h[name] = v
	}
	if t := m.body.mediaType; t != "" {
		h["Content-Type"] = []string{t}
	} else {
		h["Content-Type"] = nil // nobody guesses
	}
	if e := m.body.encoding; e != "" {
		h["Content-Encoding"] = []string{e}
	}
	if m.body.stream == nil {
		if status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified {
			h["Content-Length"] = []string{strconv.Itoa(len(raw))}
		}
		w.WriteHeader(status)
		n, _ := w.Write(raw) // the client may be gone
		s.node.stats.out.Add(int64(n))
		return nil
	}
	if m.body.length >= 0 {
		h["Content-Length"] = []string{strconv.FormatInt(m.body.length, 10)}
	}
	w.WriteHeader(status)
	return s.stream(c, w)
}

// stream writes a body that has not been read.
func (s *httpStep) stream(c *call, w http.ResponseWriter) error {
	m := &c.message
	buf := copyBuffers.Get().(*[]byte)
	defer copyBuffers.Put(buf)
	live := m.body.length < 0 && strings.HasPrefix(m.body.mediaType, "text/event-stream")
	for {
		n, err := m.body.stream.Read(*buf)
		if n > 0 {
			written, failed := w.Write((*buf)[:n])
			s.node.stats.out.Add(int64(written))
			if failed != nil {
				return nil // the client is gone
			}
			if live {
				_ = http.NewResponseController(w).Flush()
			}
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return &brokenError{errorOf(s.node.spec.name, err)}
		}
	}
}

var copyBuffers = sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}

// brokenError is an error in the midst of an answer.
type brokenError struct{ error }

func (e *brokenError) Unwrap() error { return e.error }

// refuse answers an error, and reports whether all that is left is to break the connection off.
func (s *httpStep) refuse(c *call, w http.ResponseWriter, err error) (abort bool) {
	if c.read != nil {
		if first := c.read.err.Load(); first != nil {
			err = *first
		}
	}
	e := errorOf(s.node.spec.name, err)
	if e.Status == statusClientClosed {
		return false // nobody is there to tell
	}
	c.flow.failed(c, e)
	if _, broken := err.(*brokenError); broken {
		return true
	}
	if e.Status == http.StatusRequestEntityTooLarge || e.Status == http.StatusBadRequest {
		w.Header().Set("Connection", "close") // what follows in the connection is not worth reading
	}
	for name, v := range headersOf(err) {
		w.Header()[name] = v
	}
	s.fail(w, e)
	return false
}

// fail answers an error as RFC 9457 says.
func (s *httpStep) fail(w http.ResponseWriter, e *Error) {
	type problem struct {
		Title   string `json:"title"`
		Status  int    `json:"status"`
		Detail  string `json:"detail,omitempty"`
		Pointer string `json:"pointer,omitempty"`
		Offset  *int64 `json:"offset,omitempty"`
	}
	p := problem{Title: http.StatusText(e.Status), Status: e.Status}
	if p.Title == "" {
		p.Title = "Error"
	}
	if e.Status < http.StatusInternalServerError && s.cfg.Details { // what is wrong on this side is nobody's business
		p.Detail, p.Pointer = e.Err.Error(), e.Path
		if e.Offset >= 0 {
			p.Offset = &e.Offset
		}
	}
	text, err := json.Marshal(p)
	if err != nil {
		text = nil
	}
	h := w.Header()
	h["Content-Type"] = []string{"application/problem+json"}
	h["Content-Length"] = []string{strconv.Itoa(len(text))}
	w.WriteHeader(e.Status)
	n, _ := w.Write(text)
	s.node.stats.out.Add(int64(n))
}

// logWriter takes what net/http has to say.
type logWriter struct{ log *slog.Logger }

func (w logWriter) Write(p []byte) (int, error) {
	w.log.Debug(strings.TrimSuffix(string(p), "\n"))
	return len(p), nil
}
