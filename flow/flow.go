package flow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/trace"
)

// Flow is a document that is ready to run.
type Flow struct {
	files    []string
	settings settings
	current  atomic.Pointer[graph]
	warnings Diagnostics

	reloading sync.Mutex
	failures  chan error  // of servers and sources
	broken    atomic.Bool // a source has failed, or been stopped

	input    sync.Once
	lines    *input     // the standard input
	printing sync.Mutex // to the standard output

	mu       sync.Mutex
	servers  map[string]*server // by address
	stats    map[string]*stats  // by the name of the node
	reads    []string           // the files that the document was read from
	running  bool
	draining bool
	reloads  int // that took over
	refused  int // that did not
}

type settings struct {
	log    *slog.Logger
	env    func(string) (string, bool)
	read   func(string) ([]byte, error)
	listen func(network, address string) (net.Listener, error)
	drain  time.Duration
	in     io.Reader
	out    io.Writer
	watch  bool
	nats   func(NATSOptions) (NATSServer, error)
	tracer trace.Tracer // nil for no spans
	record string       // file to which servers record, or ""
}

// Option is a setting of [Load] and [Parse].
type Option func(*settings)

// Log sets the logger for errors. By default errors are not logged.
func Log(l *slog.Logger) Option { return func(s *settings) { s.log = l } }

// Env sets how references such as ${NAME} are looked up. By default they are environment variables.
func Env(lookup func(name string) (v string, ok bool)) Option {
	return func(s *settings) { s.env = lookup }
}

// Read sets the function that reads files. The default is [os.ReadFile].
func Read(read func(name string) ([]byte, error)) Option { return func(s *settings) { s.read = read } }

// Drain sets how long requests in progress may take after the context of [Flow.Run] has ended. The default is 30 s.
func Drain(d time.Duration) Option { return func(s *settings) { s.drain = d } }

// Record makes each server of the document append a line to the file for each request and its answer, like a node of
// kind record after it. [Replay] sends them again.
func Record(file string) Option { return func(s *settings) { s.record = file } }

// Streams sets the streams of nodes of the kinds stdin and stdout. The default is the streams of the process.
func Streams(in io.Reader, out io.Writer) Option {
	return func(s *settings) { s.in, s.out = in, out }
}

// Listen sets the function that listens on the addresses of servers. The default is [net.Listen].
func Listen(listen func(network, address string) (net.Listener, error)) Option {
	return func(s *settings) { s.listen = listen }
}

// Load reads a document and compiles it. If the document is invalid, the error has a line for each mistake, which
// begins with file:line:col.
func Load(file string, opts ...Option) (*Flow, error) { return LoadFiles([]string{file}, opts...) }

// LoadFiles is like [Load] for a document in several files.
func LoadFiles(files []string, opts ...Option) (*Flow, error) {
	f, doc, err := readFiles(files, opts)
	if err != nil {
		return nil, err
	}
	return f.start(doc)
}

// Parse is like [Load] for a document in memory. Errors contain its name, and file names in the document are relative
// to it.
func Parse(name string, data []byte, opts ...Option) (*Flow, error) {
	f := newFlow(opts)
	doc := f.newDocument()
	doc.parse(name, data)
	return f.start(doc)
}

// Check returns all there is to say about the document in the given files, and an error for
// one that cannot be read.
func Check(files []string, opts ...Option) (Diagnostics, error) {
	f, doc, err := readFiles(files, opts)
	if err != nil {
		return nil, err
	}
	g := f.compile(doc, nil)
	g.release()
	return doc.diags.sort(doc.files), nil
}

// readFiles reads a document for a new flow.
func readFiles(files []string, opts []Option) (*Flow, *document, error) {
	f := newFlow(opts)
	f.files = files
	doc, err := f.readDocument()
	return f, doc, err
}

func newFlow(opts []Option) *Flow {
	f := &Flow{
		settings: settings{
			log: slog.New(slog.DiscardHandler), env: os.LookupEnv, read: os.ReadFile, listen: net.Listen,
			drain: 30 * time.Second, in: os.Stdin, out: os.Stdout,
		},
		failures: make(chan error, 1), servers: make(map[string]*server),
		stats: make(map[string]*stats),
	}
	for _, o := range opts {
		o(&f.settings)
	}
	return f
}

func (f *Flow) newDocument() *document { return &document{env: f.settings.env, read: f.settings.read} }

// readDocument reads the files of the flow.
func (f *Flow) readDocument() (*document, error) {
	doc := f.newDocument()
	for i, name := range f.files {
		if slices.ContainsFunc(f.files[:i], func(other string) bool { return filepath.Clean(other) == filepath.Clean(name) }) {
			doc.diags.errorf(Pos{name, 1, 1}, "the file is given twice: give it once")
			continue
		}
		data, err := f.settings.read(name)
		if err != nil {
			return nil, fmt.Errorf("flow: %w", err)
		}
		doc.reads = append(doc.reads, name)
		doc.parse(name, data)
	}
	return doc, nil
}

// start makes doc the current graph of a new flow.
func (f *Flow) start(doc *document) (*Flow, error) {
	g := f.compile(doc, nil)
	all := doc.diags.sort(doc.files)
	if err := all.Err(); err != nil {
		g.release()
		return nil, err
	}
	f.warnings, f.reads = all, doc.reads
	f.current.Store(g)
	for _, start := range g.starters {
		start()
	}
	return f, nil
}

// Warnings returns the warnings about the document.
func (f *Flow) Warnings() Diagnostics {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.warnings
}

// Run serves until ctx ends, and then until the requests in progress are answered, at most as long as [Drain]
// specifies. A document without a server ends when its sources, such as files, end. Then Run returns nil. It returns
// an error if an address is not available or the time was too short. A flow can run only once.
func (f *Flow) Run(ctx context.Context) error {
	f.mu.Lock()
	if f.running {
		f.mu.Unlock()
		return errors.New("flow: a flow can run only once: load the document again")
	}
	f.running = true
	f.mu.Unlock()
	err := f.run(ctx)
	if err == nil {
		select {
		case <-ctx.Done():
		case err = <-f.failures:
		}
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), f.settings.drain)
	defer cancel()
	if err == errEnded {
		err, stop = nil, context.WithoutCancel(ctx) // what is left has as long as it takes
	}
	err = errors.Join(err, f.drain(stop))
	select {
	case late := <-f.failures: // of a file that could not be closed
		if late != errEnded {
			err = errors.Join(err, late)
		}
	default:
	}
	return err
}

// run begins to serve.
func (f *Flow) run(ctx context.Context) error {
	f.reloading.Lock()
	defer f.reloading.Unlock()
	g := f.current.Load()
	opened, err := f.open(g)
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.serve(g, opened)
	f.mu.Unlock()
	f.feed(g)
	if f.settings.watch && len(f.files) > 0 {
		return f.watch(ctx)
	}
	return nil
}

// drain stops accepting connections and waits for the requests in progress.
func (f *Flow) drain(ctx context.Context) error {
	f.mu.Lock()
	servers := f.servers
	f.servers, f.draining = make(map[string]*server), true
	g := f.current.Load()
	if g.feeds.stop != nil {
		g.feeds.stop()
		f.broken.Store(f.broken.Load() || g.feeds.left.Load() > 0) // what they had to send is not all there
	}
	f.mu.Unlock()
	errs := make([]error, 0, len(servers)+1)
	for _, s := range servers {
		errs = append(errs, s.stop(ctx))
	}
	errs = append(errs, g.retire(ctx))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("flow: stopping: %w", err)
	}
	return nil
}

// Addr returns the address on which the node, a server, listens while the flow runs, or nil.
func (f *Flow) Addr(node string) net.Addr {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.servers {
		if s.node == node {
			return s.ln.Addr()
		}
	}
	return nil
}

// Handler returns an http.Handler for the requests to the node, which must be a server, or nil if there is no such
// node. It is for programs that run their own server, which then controls connection limits, timeouts and TLS.
func (f *Flow) Handler(node string) http.Handler {
	named := func(s *httpStep) bool { return s.node.spec.name == node }
	if !slices.ContainsFunc(f.current.Load().servers, named) {
		return nil
	}
	return &handler{f, named}
}

// failed reports an error that nobody waits for.
func (f *Flow) failed(c *call, err error) {
	e := errorOf("", err)
	level := slog.LevelDebug // of a client that sends what it should not
	if e.Status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	attrs := []slog.Attr{slog.String("node", e.Node), slog.Int("status", e.Status), slog.String("error", e.Err.Error())}
	if e.Path != "" {
		attrs = append(attrs, slog.String("path", e.Path))
	}
	if e.Offset >= 0 {
		attrs = append(attrs, slog.Int64("offset", e.Offset))
	}
	if c != nil && c.id != "" {
		attrs = append(attrs, slog.String("request", c.id))
	}
	if c != nil && c.trace != nil {
		attrs = append(attrs, slog.String("trace", trace.SpanContextFromContext(c.trace).TraceID().String()))
	}
	f.settings.log.LogAttrs(context.Background(), level, "failed", attrs...)
}
