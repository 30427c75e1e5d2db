package flow

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// natsConfig is where the messages of the other nodes of kind nats are kept: a server in the process, or those at a URL.
type natsConfig struct {
	URL         []text `flow:"url" doc:"the servers of a cluster, instead of one in the process"`
	Credentials text   `flow:"credentials" doc:"the file of credentials for them"`
	Store       text   `flow:"store" doc:"the folder of the server in the process, else nats beside the document"`
	Listen      text   `flow:"listen" doc:"where the server in the process listens for other processes, such as 127.0.0.1:4222; else nowhere"`
	Sync        string `flow:"sync" enum:"always,loses-two-minutes" doc:"always: a message is acknowledged when it is on the disk; loses-two-minutes: a power cut may take the last two minutes"`
	MaxMessage  size   `flow:"maxMessage" doc:"most bytes of a message, of the server in the process"`
}

func newNatsConfig() config { return &natsConfig{MaxMessage: 8 << 20} }

func (cfg *natsConfig) build(b *build) step {
	s := &natsStep{link: b.newLink(b.node.spec.file.name, cfg)}
	inProcess, cluster := cfg.Store.s != "" || cfg.Listen.s != "", len(cfg.URL) > 0
	switch {
	case cluster && inProcess:
		b.errorf(cfg.URL[0].at, "the URL of servers beside store or listen, which are of one in the process: leave one of them out")
	case cluster && cfg.Sync != "always":
		b.doc.diags.warnf(cfg.URL[0].at, "NATS servers acknowledge before they sync, every two minutes unless sync_interval says otherwise: "+
			"a power cut takes what was acknowledged since: set sync_interval: always there, and sync: always here to say so")
	case !cluster && cfg.Sync == "loses-two-minutes":
		b.doc.diags.warnf(b.node.spec.pos, "messages are acknowledged before they are synced: a power cut takes those of the last two minutes")
	}
	if cfg.Listen.s != "" {
		if _, _, err := net.SplitHostPort(cfg.Listen.s); err != nil {
			b.errorf(cfg.Listen.at, "%q is not an address: expected HOST:PORT or :PORT", cfg.Listen.s)
		}
	}
	return s
}

// natsStep gives its connection to other nodes.
type natsStep struct{ link *natsLink }

// run implements step.
func (s *natsStep) run(*call, *message) error { return nil }

// NATSOptions are the settings of a document for a server in the process.
type NATSOptions struct {
	Store      string // folder
	Listen     string // address, "" for none
	SyncAlways bool
	MaxMessage int
}

// NATSServer is a server in the process, such as package natsserver starts.
type NATSServer interface {
	nats.InProcessConnProvider
	// Stop stops the server, and returns when all data is on the disk.
	Stop()
}

// EmbedNATS sets the function that starts the server of nodes of kind nats: natsserver.Start, which is in a separate
// package, because programs without such nodes do not need it.
func EmbedNATS(start func(NATSOptions) (NATSServer, error)) Option {
	return func(s *settings) { s.nats = start }
}

// natsLink is a connection, with the server if it is in the process. It outlives the graph.
type natsLink struct {
	held
	key    string
	flow   *Flow
	urls   []string
	creds  string
	server NATSOptions

	mu      sync.Mutex
	run     NATSServer
	conn    *nats.Conn
	js      jetstream.JetStream
	streams map[string]bool // that are known to be there
	making  sync.Mutex
}

// newLink returns the connection that the fields tell, of the graph before if it had it.
func (b *build) newLink(document string, cfg *natsConfig) *natsLink {
	l := &natsLink{flow: b.g.flow, streams: make(map[string]bool)}
	for _, u := range cfg.URL {
		l.urls = append(l.urls, u.s)
	}
	beside := func(name string) string {
		if filepath.IsAbs(name) || name == "" {
			return name
		}
		return filepath.Join(filepath.Dir(document), name)
	}
	l.creds = beside(cfg.Credentials.s)
	l.server = NATSOptions{Store: beside(cfg.Store.s), Listen: cfg.Listen.s, SyncAlways: cfg.Sync != "loses-two-minutes", MaxMessage: int(cfg.MaxMessage)}
	if l.server.Store == "" {
		l.server.Store = beside("nats")
	}
	l.key = fmt.Sprintf("%q %q %+v", l.urls, l.creds, l.server)
	known := b.g.links
	if b.prev != nil {
		known = append(slices.Clip(known), b.prev.links...)
	}
	if i := slices.IndexFunc(known, func(other *natsLink) bool { return other.key == l.key }); i >= 0 {
		l = known[i]
	}
	if !slices.Contains(b.g.links, l) {
		b.g.links = append(b.g.links, l)
		l.close = l.end
		b.hold(&l.held)
		b.g.openers = append(b.g.openers, l.begin)
	}
	return l
}

// link returns the connection of the node called server, or of the only one, or of one that no node tells of.
func (b *build) link(server text) *natsLink {
	var found []*spec
	for _, s := range b.doc.nodes {
		if _, is := s.config.(*natsConfig); is && (server.s == "" || s.name == server.s) {
			found = append(found, s)
		}
	}
	switch {
	case len(found) == 1:
		return b.newLink(found[0].file.name, found[0].config.(*natsConfig))
	case server.s != "":
		b.errorf(server.at, "there is no node %q of kind nats with url or store", server.s)
	case len(found) > 1:
		b.errorf(b.node.spec.pos, "there are several servers, %q and %q: add server: NODE", found[0].name, found[1].name)
	}
	return b.newLink(b.node.spec.file.name, newNatsConfig().(*natsConfig))
}

// begin starts the server and connects. Servers that are elsewhere may come later.
func (l *natsLink) begin() (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		return nil
	}
	opts := []nats.Option{nats.Name("weft-flow"), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond)}
	url := strings.Join(l.urls, ",")
	if url == "" {
		if l.flow.settings.nats == nil {
			return errors.New("flow: this program has no embedded NATS server: give a url, or in Go the option EmbedNATS(natsserver.Start)")
		}
		if l.run, err = l.flow.settings.nats(l.server); err != nil {
			return fmt.Errorf("flow: NATS in %s: %w", l.server.Store, err)
		}
		opts = append(opts, nats.InProcessServer(l.run))
	} else {
		opts = append(opts, nats.RetryOnFailedConnect(true), nats.ReconnectBufSize(-1))
	}
	if l.creds != "" {
		opts = append(opts, nats.UserCredentials(l.creds))
	}
	if l.conn, err = nats.Connect(url, opts...); err == nil {
		l.js, err = jetstream.New(l.conn)
	}
	if err != nil {
		l.shut()
		return fmt.Errorf("flow: NATS at %s: %w", url, err)
	}
	return nil
}

func (l *natsLink) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shut()
}

func (l *natsLink) shut() {
	if l.conn != nil {
		l.conn.Close()
	}
	if l.run != nil {
		l.run.Stop()
	}
	l.conn, l.js, l.run = nil, nil, nil
}

// stream makes a stream, unless it is there: what is acknowledged is taken out of it.
func (l *natsLink) stream(ctx context.Context, name string, subjects ...string) (jetstream.JetStream, error) {
	l.mu.Lock()
	js, known := l.js, l.streams[name]
	l.mu.Unlock()
	if js == nil {
		return nil, errors.New("the connection is closed")
	}
	if known {
		return js, nil
	}
	l.making.Lock()
	defer l.making.Unlock()
	err := l.make(ctx, js, name, subjects)
	for try := 1; err != nil && try < 5; try++ { // another process may be making it
		select {
		case <-time.After(time.Duration(try) * 50 * time.Millisecond):
			err = l.make(ctx, js, name, subjects)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the stream %s: %w", name, err)
	}
	l.mu.Lock()
	l.streams[name] = true
	l.mu.Unlock()
	return js, nil
}

// make makes a stream, or adds subjects to one of the server in the process.
func (l *natsLink) make(ctx context.Context, js jetstream.JetStream, name string, subjects []string) error {
	have, err := js.Stream(ctx, name)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		_, err = js.CreateStream(ctx, jetstream.StreamConfig{
			Name: name, Subjects: subjects, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage, Duplicates: duplicates,
		})
	case err == nil && len(l.urls) == 0:
		cfg := have.CachedInfo().Config
		missing := slices.DeleteFunc(slices.Clone(subjects), func(s string) bool { return slices.Contains(cfg.Subjects, s) })
		if len(missing) > 0 {
			cfg.Subjects = append(cfg.Subjects, missing...)
			_, err = js.UpdateStream(ctx, cfg)
		}
	}
	return err
}

// duplicates is how long a stream knows the identities of its messages.
const duplicates = 2 * time.Minute

// streamOf returns the name of the stream of a subject, where the document tells none.
func streamOf(subject string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(".*> \t/\\", r) {
			return '_'
		}
		return r
	}, strings.ToUpper(subject))
}

// subject complains of a text that is not a subject.
func (b *build) subject(s text, wild bool) {
	bad := s.s == "" || strings.ContainsAny(s.s, " \t\r\n") || strings.HasPrefix(s.s, ".") || strings.HasSuffix(s.s, ".") ||
		strings.Contains(s.s, "..") || !wild && strings.ContainsAny(s.s, "*>")
	if bad && s.at.Line > 0 {
		b.errorf(s.at, "%q is not a subject: expected words with dots between them, such as orders.new", s.s)
	}
}

// natsError returns an error of NATS with the status that tells it.
func natsError(err error) error {
	switch {
	case errors.Is(err, nats.ErrMaxPayload):
		return refuse(http.StatusRequestEntityTooLarge, err)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout):
		return refuse(http.StatusGatewayTimeout, err)
	case errors.Is(err, context.Canceled):
		return err
	}
	return refuse(http.StatusServiceUnavailable, err)
}

// The headers of messages beside their own.
const (
	headerSubject = "Nats-Subject"
	headerStatus  = "Flow-Status"
	headerError   = "Flow-Error"
)

// carried are the headers that go along.
var carried = []string{"Traceparent", "Tracestate", "X-Request-Id"}

// packed returns the message for a subject.
func packed(c *call, m *message, subject string) (*nats.Msg, error) {
	raw, err := m.body.bytes(c)
	if err != nil {
		return nil, err
	}
	msg := nats.NewMsg(subject)
	msg.Data = raw
	for name, v := range map[string]string{"Content-Type": m.body.mediaType, "Content-Encoding": m.body.encoding} {
		if v != "" {
			msg.Header.Set(name, v)
		}
	}
	for _, name := range carried {
		if v := m.header.Get(name); v != "" {
			msg.Header.Set(name, v)
		}
	}
	c.inject(msg.Header)
	return msg, nil
}

// unpack makes m what has come.
func unpack(m *message, h nats.Header, subject string, data []byte) {
	m.path = "/" + strings.ReplaceAll(subject, ".", "/")
	m.header = http.Header{headerSubject: {subject}}
	for _, name := range append(carried, jetstream.MsgIDHeader) {
		if v := h.Get(name); v != "" {
			m.header.Set(name, v)
		}
	}
	m.body = body{mediaType: h.Get("Content-Type"), encoding: h.Get("Content-Encoding"), raw: data, max: maxRecord}
	if data == nil {
		m.body.raw = []byte{}
	}
}
