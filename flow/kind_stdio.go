package flow

import (
	"bufio"
	"context"
	"io"
	"sync"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/file"
	"github.com/weftcodec/weft/value"
)

// stdinConfig is the standard input, whose records become messages.
type stdinConfig struct {
	Format string `flow:"format" enum:"ndjson,json,msgpack,framed,text" doc:"what comes, else what the content says; text: a line is a text"`
}

func newStdinConfig() config { return new(stdinConfig) }

func (cfg *stdinConfig) build(b *build) step {
	for _, n := range b.g.nodes {
		if _, is := n.step.(*stdinStep); is {
			b.errorf(b.node.spec.pos, "%q reads the standard input too: leave one of them out", n.spec.name)
		}
	}
	s := &stdinStep{node: b.node, flow: b.g.flow, out: b.must("out", b.node.spec.pos)}
	f := b.g.flow
	f.input.Do(func() { f.lines = &input{next: make(chan value.Value)} })
	s.from = f.lines
	s.open = func() (weft.StreamDecoder, error) { return openStream(f.settings.in, cfg.Format) }
	return s
}

// openStream reads what is not a file.
func openStream(r io.Reader, format string) (weft.StreamDecoder, error) {
	if format == "text" {
		return &textDecoder{bufio.NewReader(r)}, nil
	}
	var opts []file.Options
	if f, ok := recordFormats[format]; ok {
		opts = []file.Options{file.As(f)}
	}
	content, err := file.OpenContent(r, "-", opts...)
	if err != nil {
		return nil, err
	}
	f, ok := content.Format().(weft.StreamFormat)
	if !ok {
		f = file.NDJSON
	}
	return f.NewDecoder(content, decodeOptions...), nil
}

// textDecoder reads lines as texts.
type textDecoder struct{ r *bufio.Reader }

// Decode implements weft.StreamDecoder.
func (d *textDecoder) Decode(v any) error {
	line, err := d.r.ReadString('\n')
	if err != nil && (err != io.EOF || line == "") {
		return err
	}
	if n := len(line) - 1; line[n] == '\n' {
		line = line[:n]
	}
	if len(line) > maxRecord {
		return tooLarge(maxRecord)
	}
	*v.(*value.Value) = value.String(line)
	return nil
}

// Close implements weft.StreamDecoder.
func (d *textDecoder) Close() error { return nil }

// input is the standard input of a flow, which is read once whatever documents there are one after another: a read of it
// cannot be broken off.
type input struct {
	once sync.Once
	next chan value.Value // closed at the end
	err  error            // set then
}

// read reads to the end.
func (in *input) read(open func() (weft.StreamDecoder, error)) {
	defer close(in.next)
	d, err := open()
	for err == nil {
		var v value.Value
		if err = d.Decode(&v); err == nil {
			in.next <- v
		}
	}
	if in.err = err; d != nil {
		d.Close()
	}
}

// stdinStep sends the records of the standard input.
type stdinStep struct {
	node *node
	flow *Flow
	out  *port
	from *input
	open func() (weft.StreamDecoder, error)
}

// run implements step.
func (s *stdinStep) run(c *call, m *message) error { return s.out.send(c, m) }

// feed implements feed.
func (s *stdinStep) feed(ctx context.Context) error {
	s.from.once.Do(func() { go s.from.read(s.open) })
	return several(ctx, 1, func(ctx context.Context) error {
		var v value.Value
		var more bool
		select {
		case v, more = <-s.from.next:
		case <-ctx.Done():
			return nil
		}
		if !more {
			return s.from.err
		}
		return s.node.begin(ctx, s.flow, func(m *message) {
			m.body = body{mediaType: mediaJSON.types[0], val: v, hasVal: true, max: maxRecord}
		})
	})
}

// stdoutConfig is the standard output, to which bodies are written.
type stdoutConfig struct {
	Format string `flow:"format" enum:"ndjson,msgpack,text" doc:"how bodies are written; text: a text as a line, any other as JSON"`
}

func newStdoutConfig() config { return &stdoutConfig{Format: "ndjson"} }

func (cfg *stdoutConfig) build(b *build) step {
	return &stdoutStep{format: cfg.Format, out: b.out("out"), flow: b.g.flow}
}

// stdoutStep writes each body at once.
type stdoutStep struct {
	format string
	out    *port
	flow   *Flow
}

// run implements step.
func (s *stdoutStep) run(c *call, m *message) error {
	v, err := m.body.value(c)
	if err != nil {
		return err
	}
	b := c.buffer(0)
	if text, ok := v.Text(); ok && s.format == "text" {
		b = append(append(b, text...), '\n')
	} else if s.format == "msgpack" {
		b, err = mediaMsgpack.format.MarshalAppend(b, v)
	} else if b, err = mediaJSON.format.MarshalAppend(b, v); err == nil {
		b = append(b, '\n')
	}
	if err != nil {
		return err
	}
	s.flow.printing.Lock()
	_, err = s.flow.settings.out.Write(c.keep(b))
	s.flow.printing.Unlock()
	if err != nil {
		return err
	}
	return done(c, m, s.out)
}
