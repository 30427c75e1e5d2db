package flow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"sync"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/file"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// fileReadConfig is a file whose records become messages.
type fileReadConfig struct {
	Read     text   `flow:"read,required" doc:"the file whose records are sent, one after another"`
	Format   string `flow:"format" enum:"ndjson,json,msgpack,framed" doc:"its format, else what the name or the content says"`
	Compress string `flow:"compress" enum:"none,gzip,zstd" doc:"its compression, where the format is given"`
	Workers  int    `flow:"workers" doc:"how many records are on their way at a time; with more than 1 they overtake each other"`
}

func newFileReadConfig() config { return &fileReadConfig{Workers: 1} }

func (cfg *fileReadConfig) build(b *build) step {
	name, opts := b.file(cfg.Read, cfg.Format, cfg.Compress)
	s := &feedStep{node: b.node, flow: b.g.flow, out: b.must("out", b.node.spec.pos), workers: cfg.Workers}
	if cfg.Workers < 1 || cfg.Workers > 10000 {
		b.errorf(b.node.spec.pos, "a file has 1 to 10000 workers")
	}
	if p, ok := b.before().(*feedStep); ok && b.same() {
		s.from = p.from
	} else {
		s.from = &records{open: func() (weft.StreamDecoder, error) { return file.OpenReader(name, append(opts, decodeOptions...)...) }}
		s.from.close = s.from.end
	}
	b.hold(&s.from.held)
	return s
}

// file returns the name of a file that the document has, and how package file opens it.
func (b *build) file(at text, format, compression string) (name string, opts []file.Options) {
	if name = at.s; name != "" && !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(b.node.spec.file.name), name)
	}
	if format == "" {
		if compression != "" {
			b.errorf(b.node.spec.pos, "a compression without a format: add format, or leave it to the name of the file")
		}
		return name, nil
	}
	f := recordFormats[format]
	switch compression {
	case "gzip":
		f = compress.Gzip(f)
	case "zstd":
		f = compress.Zstd(f)
	}
	return name, []file.Options{file.As(f)}
}

// records are those of a source. They outlive the graph, so that a document that is reloaded goes on
// where it was.
type records struct {
	held
	open func() (weft.StreamDecoder, error)
	turn sync.Mutex // of a record on its way, where they come in order

	mu  sync.Mutex
	dec weft.StreamDecoder
	err error // io.EOF at the end
}

// next returns the next record.
func (r *records) next(context.Context) (v value.Value, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil && r.dec == nil {
		dec, err := r.open()
		if r.err = err; err == nil {
			r.dec = dec
		}
	}
	if r.err != nil {
		return v, r.err
	}
	if r.err = r.dec.Decode(&v); r.err != nil {
		r.dec.Close()
		r.dec = nil
	}
	return v, r.err
}

// end closes the file.
func (r *records) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dec != nil {
		r.dec.Close()
		r.dec, r.err = nil, io.EOF
	}
}

// feedStep sends the records of a file.
type feedStep struct {
	node    *node
	flow    *Flow
	out     *port
	from    *records
	workers int
}

// run implements step.
func (s *feedStep) run(c *call, m *message) error { return s.out.send(c, m) }

// feed implements feed.
func (s *feedStep) feed(ctx context.Context) error {
	return several(ctx, s.workers, func(ctx context.Context) error {
		if s.workers == 1 { // the last one in the graph before may still be on its way
			s.from.turn.Lock()
			defer s.from.turn.Unlock()
			if ctx.Err() != nil {
				return nil
			}
		}
		v, err := s.from.next(ctx)
		if err != nil {
			return err
		}
		return s.node.begin(ctx, s.flow, func(m *message) {
			m.body = body{mediaType: mediaJSON.types[0], val: v, hasVal: true, max: maxRecord}
		})
	})
}

// several calls one again and again on so many goroutines, until it returns an error, which io.EOF is not, or ctx ends.
func several(ctx context.Context, workers int, one func(ctx context.Context) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				if err := one(ctx); err == io.EOF {
					return
				} else if err != nil {
					stop(err)
				}
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil && err != context.Canceled {
		return err
	}
	return nil
}

// fileWriteConfig is a file to which messages become records.
type fileWriteConfig struct {
	Write    text   `flow:"write,required" doc:"the file to which each body is written as a record"`
	Mode     string `flow:"mode" enum:"append,replace" doc:"append: behind what there is; replace: a new file, that appears whole when the flow ends"`
	Format   string `flow:"format" enum:"ndjson,msgpack,framed" doc:"its format, else what the name says"`
	Compress string `flow:"compress" enum:"none,gzip,zstd" doc:"its compression, where the format is given"`
	Sync     string `flow:"sync" enum:"each,end" doc:"each: a message is answered when no crash can take it away; end: when the flow ends"`
	Torn     string `flow:"torn" enum:"repair,refuse" doc:"what becomes of half a record at the end of the file"`
}

func newFileWriteConfig() config {
	return &fileWriteConfig{Mode: "append", Sync: "each", Torn: "repair"}
}

func (cfg *fileWriteConfig) build(b *build) step {
	name, opts := b.file(cfg.Write, cfg.Format, cfg.Compress)
	for _, n := range b.g.nodes {
		if other, is := n.step.(*sinkStep); is && other.to.name == name && name != "" {
			b.errorf(cfg.Write.at, "%q writes to the file too: link both to one node", n.spec.name)
		}
	}
	if cfg.Format == "" && name != "" && file.FormatOfName(name) == nil {
		b.errorf(cfg.Write.at, "the name does not give a format: expected an end such as .ndjson, .msgpack or .framed.zst, or add format")
	}
	s := &sinkStep{node: b.node, out: b.out("out"), each: cfg.Sync == "each" && cfg.Mode == "append"}
	if p, ok := b.before().(*sinkStep); ok && p.to.name == name && b.same() {
		s.to = p.to
	} else {
		s.to = &sink{name: name}
		if cfg.Mode == "replace" {
			s.to.open = func() (weft.StreamEncoder, error) { return file.Create(name, opts...) }
		} else {
			opts = append(opts, file.Repair(cfg.Torn == "repair"))
			s.to.open = func() (weft.StreamEncoder, error) { return file.OpenAppender(name, opts...) }
		}
		s.to.close = func() { s.to.end(b.g.flow, b.node.spec.name) }
	}
	b.hold(&s.to.held)
	b.g.openers = append(b.g.openers, func() error {
		if err := s.to.begin(); err != nil {
			return errorOf(b.node.spec.name, err)
		}
		return nil
	})
	return s
}

// sink is an open file. It outlives the graph.
type sink struct {
	held
	name string
	open func() (weft.StreamEncoder, error)

	mu  sync.Mutex
	enc weft.StreamEncoder // nil before the first record, and after an error
	n   int64              // records written

	syncing sync.Mutex
	synced  int64 // records that are durable
}

// begin opens the file, unless it is open.
func (s *sink) begin() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ready()
}

func (s *sink) ready() error {
	if s.enc != nil {
		return nil
	}
	enc, err := s.open()
	if err == nil {
		s.enc = enc
	}
	return err
}

// add writes a record, and makes it durable if it is to be: those that come at a time are so at once.
func (s *sink) add(v value.Value, durable bool) error {
	s.mu.Lock()
	err := s.ready()
	if err == nil {
		if err = s.enc.Encode(v); err != nil && !unfit(err) {
			s.give()
		}
	}
	enc, mine := s.enc, s.n+1
	if err == nil {
		s.n = mine
	}
	s.mu.Unlock()
	if err != nil || !durable {
		return err
	}
	s.syncing.Lock()
	defer s.syncing.Unlock()
	if s.synced >= mine {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.enc != enc {
		return errGiven
	}
	if err := enc.(*file.Appender).Sync(); err != nil {
		s.give()
		return err
	}
	s.synced = s.n
	return nil
}

var errGiven = errors.New("the file was given up before the record was durable")

// unfit reports whether an error is about a value, which leaves the file unchanged.
func unfit(err error) bool {
	var at *weft.Error
	return errors.As(err, &at)
}

// give closes the file after an error: the next record opens it again, and what is torn is repaired then.
func (s *sink) give() {
	s.enc.Close()
	s.enc = nil
}

// end closes the file, or leaves the one before when the flow has failed.
func (s *sink) end(f *Flow, node string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.enc == nil {
		return
	}
	if w, ok := s.enc.(*file.Writer); ok && f.broken.Load() {
		w.Abort()
	} else if err := s.enc.Close(); err != nil {
		f.fail(errorOf(node, err))
	}
	s.enc = nil
}

// sinkStep writes bodies as records.
type sinkStep struct {
	node *node
	out  *port
	to   *sink
	each bool
	off  bool // nothing is written
}

// run implements step.
func (s *sinkStep) run(c *call, m *message) error {
	v, err := m.body.value(c)
	if err != nil {
		return err
	}
	if !s.off {
		if err := s.to.add(v, s.each); unfit(err) {
			return refuse(http.StatusUnprocessableEntity, err)
		} else if err != nil {
			return fmt.Errorf("writing %s: %w", s.to.name, err)
		}
	}
	return done(c, m, s.out)
}

// done hands a message on whose work is done, or answers it.
func done(c *call, m *message, out *port) error {
	if out.linked() {
		return out.send(c, m)
	}
	m.body.clear()
	m.answer(http.StatusNoContent)
	return nil
}

// recordFormats are the formats of records, by their names in documents.
var recordFormats = map[string]weft.StreamFormat{
	"ndjson": file.NDJSON, "json": mediaJSON.format.(weft.StreamFormat), "msgpack": file.Records(msgpack.Format),
	"framed": tagged.Framed,
}
