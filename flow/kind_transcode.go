package flow

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/flow/internal/transcode"
	"github.com/weftcodec/weft/internal/prefer"
	"github.com/weftcodec/weft/schema"
)

// transcodeConfig turns the bodies of requests into the format of what is behind, and answers
// into what clients ask for.
type transcodeConfig struct {
	To       string `flow:"to" enum:"json,msgpack,cbor,tagged" doc:"the format of what is behind"`
	Compress string `flow:"compress" enum:"none,gzip,zstd" doc:"the compression of what is behind"`
	Answer   string `flow:"answer" enum:"negotiate,keep,json,msgpack,cbor,tagged" doc:"the format of answers"`
	Inexact  string `flow:"inexact" enum:"refuse,round" doc:"numbers that a format cannot hold"`
	Window   size   `flow:"window" doc:"bytes from which on a body does not stand in memory"`
	MinSize  size   `flow:"minSize" doc:"bytes from which on an answer is compressed"`
}

func newTranscodeConfig() config {
	return &transcodeConfig{To: "json", Compress: "none", Answer: "negotiate", Inexact: "refuse", Window: 256 << 10,
		MinSize: 1 << 10}
}

func (cfg *transcodeConfig) build(b *build) step {
	s := &transcodeStep{cfg: cfg, name: b.node.spec.name, out: b.out("out"), to: mediaNamed(cfg.To)}
	if s.coding = cfg.Compress; s.coding == "none" {
		s.coding = ""
	}
	s.answer = mediaNamed(cfg.Answer)
	if cfg.Window < 4<<10 || cfg.Window > 64<<20 {
		b.errorf(b.node.spec.pos, "the window is %d bytes: expected 4KiB to 64MiB", cfg.Window)
	}
	return s
}

// mediaNamed returns the format called name, or nil.
func mediaNamed(name string) *media {
	for _, m := range medias {
		if m.name == name {
			return m
		}
	}
	return nil
}

// transcodeStep turns the body of a request on its way in, and that of the answer on its way back.
type transcodeStep struct {
	cfg    *transcodeConfig
	name   string
	out    *port
	to     *media
	coding string
	answer *media // of all answers, or nil
}

// run implements step.
func (s *transcodeStep) run(c *call, m *message) error {
	accept, encodings := m.header["Accept"], m.header["Accept-Encoding"]
	if from := mediaOf(m.body.mediaType); from != nil && !m.body.empty() {
		if err := s.convert(c, &m.body, from, s.to, s.coding, s.rules(m)); err != nil {
			return err
		}
	}
	outer := c.back
	if c.back = (wish{}); s.cfg.Answer != "keep" {
		s.ask(m, accept)
		c.back = wish{s, accept}
	}
	err := s.out.send(c, m)
	if c.back = outer; err != nil {
		return err
	}
	return s.back(c, m, accept, encodings)
}

// rules returns how the body of a request is turned: checked on the way where a node that checks comes next.
func (s *transcodeStep) rules(m *message) turning {
	t := turning{request: true}
	if len(s.out.to) == 1 && s.coding == "" {
		if v, ok := s.out.to[0].step.(*validateStep); ok {
			t.schema = v.expects(m, mediaTypeFor(m.body.mediaType, s.to))
		}
	}
	return t
}

// turning is how a body is turned.
type turning struct {
	request bool           // of a request
	schema  *schema.Schema // by which it is checked next, all of it; or nil
}

// ask asks what is behind for its own format, and for no compression or part that would have to be undone.
func (s *transcodeStep) ask(m *message, accept []string) {
	want := s.answer
	if want == nil {
		want = acceptedMedia(accept, s.to, s.to.types[0])
	}
	h := m.header.Clone()
	if h == nil {
		h = make(http.Header)
	}
	if accept != nil {
		h["Accept"] = []string{s.to.types[0] + ", */*;q=0.1"}
	}
	var kept []string
	for _, p := range prefer.Parse(h["Accept-Encoding"]) {
		if codec, ok := codecOf(p.Name); ok && codec != nil && p.Q > 0 && want == s.to {
			kept = append(kept, p.Name)
		}
	}
	if h.Del("Accept-Encoding"); kept != nil {
		h["Accept-Encoding"] = []string{strings.Join(kept, ", ")}
	}
	if want != s.to {
		h.Del("Range")
		h.Del("If-Range")
	}
	m.header = h
}

// back turns the answer into what the client asks for.
func (s *transcodeStep) back(c *call, m *message, accept, encodings []string) error {
	from := mediaOf(m.body.mediaType)
	if s.cfg.Answer == "keep" || m.body.empty() || m.status == http.StatusPartialContent ||
		strings.Contains(strings.Join(m.reply["Cache-Control"], ","), "no-transform") {
		return nil
	}
	if from == nil && !isText(m.body.mediaType) {
		return nil
	}
	to := s.target(accept, from, m.body.mediaType)
	coding := acceptedCoding(encodings, m.body.encoding)
	if coding != "" && m.body.encoding == "" && s.small(&m.body) {
		coding = ""
	}
	if m.reply = m.reply.Clone(); m.reply == nil {
		m.reply = make(http.Header)
	}
	vary(m.reply, "Accept", "Accept-Encoding")
	if to == from && coding == m.body.encoding {
		return nil
	}
	if _, ok := codecOf(m.body.encoding); !ok {
		return nil
	}
	for _, name := range []string{"Content-Md5", "Digest", "Content-Digest", "Repr-Digest", "Accept-Ranges"} {
		delete(m.reply, name)
	}
	if tag := m.reply.Get("Etag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		m.reply.Set("Etag", "W/"+tag)
	}
	err := s.convert(c, &m.body, from, to, coding, turning{})
	if err != nil && statusOf(err) < http.StatusInternalServerError { // it is the service that errs
		e := errorOf(s.name, err)
		e.Status = http.StatusBadGateway
		return e
	}
	return err
}

// target returns the format that an answer in the format from is turned into.
func (s *transcodeStep) target(accept []string, from *media, mediaType string) *media {
	switch {
	case from == nil:
		return nil
	case s.answer != nil:
		return s.answer
	}
	return acceptedMedia(accept, from, mediaType)
}

// small reports whether b is too short to be worth compressing.
func (s *transcodeStep) small(b *body) bool {
	if b.stream != nil {
		return b.length >= 0 && b.length < int64(s.cfg.MinSize)
	}
	return b.raw != nil && len(b.raw) < int(s.cfg.MinSize)
}

// convert turns b from one format into another, in a compression. Both formats may
// be nil, for text.
func (s *transcodeStep) convert(c *call, b *body, from, to *media, coding string, how turning) error {
	own, ok := codecOf(b.encoding)
	if !ok {
		return refuse(http.StatusUnsupportedMediaType,
			fmt.Errorf("a body in the unknown compression %q: gzip and zstd can be read", b.encoding))
	}
	codec, _ := codecOf(coding)
	if from == to && own == codec {
		return nil
	}
	if b.hasVal && b.raw == nil { // no bytes yet: they become the right ones at once
		b.mediaType = mediaTypeFor(b.mediaType, to)
		from = to
		if codec == nil {
			return nil
		}
	}
	mediaType := b.mediaType
	if from != to {
		mediaType = mediaTypeFor(mediaType, to)
	}
	err := s.turn(c, b, from, to, own, codec, how)
	if err != nil {
		return err
	}
	if b.mediaType, b.encoding = mediaType, ""; codec != nil {
		b.encoding = codec.Name()
	}
	return nil
}

// turn turns the bytes of b: in memory when they are few, else as they are read.
func (s *transcodeStep) turn(c *call, b *body, from, to *media, own, codec *compress.Codec, how turning) error {
	few := int64(s.cfg.Window)
	if own != nil {
		few /= 8 // there is more in it than it seems
	}
	streams := from == to || transcode.Streams(from.format, to.format)
	switch {
	case how.schema != nil && from != to, b.turned != nil && b.turnedTo == to: // it is read as a whole
	case b.stream == nil: // somebody has read it into memory
		if streams && own != nil && b.plain == nil && int64(len(b.raw)) > few {
			return s.streamed(c, b, from, to, own, codec, how.request)
		}
	case streams && b.length > few:
		return s.streamed(c, b, from, to, own, codec, how.request)
	case streams && b.length < 0:
		if whole, err := b.peek(c, few); err != nil {
			return err
		} else if !whole {
			return s.streamed(c, b, from, to, own, codec, how.request)
		}
	}
	return s.inMemory(c, b, from, to, codec, how.schema)
}

// inMemory turns a body in memory, and checks it by the schema unless that is nil.
func (s *transcodeStep) inMemory(c *call, b *body, from, to *media, codec *compress.Codec, by *schema.Schema) error {
	text, err := b.text(c)
	if err != nil {
		return err
	}
	begin := now()
	defer func() { c.codec(begin) }()
	var valid *schema.Schema
	switch {
	case from == to:
	case b.turned != nil && b.turnedTo == to:
		text = b.turned
	default:
		o := s.options(from, to)
		if by != nil {
			if out, ok := checked(c, &o, text, by); ok {
				text, valid = out, by
				break
			} // what is wrong with it is for the node to say that checks
		}
		out, err := o.Append(c.buffer(int64(len(text))), text)
		if err != nil {
			return refuse(http.StatusBadRequest, err)
		}
		text = c.keep(out)
	}
	raw := text
	if codec != nil {
		if raw, err = codec.Append(c.buffer(int64(len(text)/2)), text); err != nil {
			return err
		}
		raw = c.keep(raw)
	}
	*b = body{mediaType: b.mediaType, raw: raw, max: b.max, strict: b.strict || from != to, valid: valid}
	return nil
}

// options returns how documents are turned.
func (s *transcodeStep) options(from, to *media) transcode.Options {
	return transcode.Options{From: from.format, To: to.format, Round: s.cfg.Inexact == "round"}
}

// checked returns text in another format, if it is valid.
func checked(c *call, o *transcode.Options, text []byte, by *schema.Schema) ([]byte, bool) {
	out, ok := o.Checked(c.buffer(int64(len(text))), text, by.Walk())
	return c.keep(out), ok
}

// streamed turns a body as it is read.
func (s *transcodeStep) streamed(c *call, b *body, from, to *media, own, codec *compress.Codec, request bool) error {
	end := &ends{}
	if b.close != nil {
		end.all = append(end.all, b.close)
		b.close = nil
	}
	src := b.stream
	if src == nil {
		src = bytes.NewReader(b.raw)
		c.leak() // the buffer is read after the call
	}
	wire, limit := src, b.max
	if !request {
		limit = 0
	}
	if from != to {
		o := s.options(from, to)
		o.Window, o.Max = int(s.cfg.Window), int(b.max)
		src = decompressed(src, own, limit, end)
		if transcode.Late(to.format) {
			spool, err := newSpool()
			if err != nil {
				end.Close()
				return err
			}
			end.all = append(end.all, spool)
			heads, err := transcode.Pack(spool, src, o)
			if err == nil {
				_, err = io.Copy(io.Discard, wire) // what compression may have left behind its end
			}
			if err != nil {
				end.Close()
				return bodyError(err)
			}
			file, err := spool.rewind()
			if err != nil {
				end.Close()
				return err
			}
			src = heads.Reader(file)
		} else {
			r := transcode.NewReader(src, o)
			end.all = append(end.all, closer(r.Close))
			src = r
		}
	} else {
		src = decompressed(src, own, limit, end)
	}
	if codec != nil {
		src = &compressor{src: src, codec: codec}
	}
	if request {
		if c.read == nil {
			c.read = new(requestReader)
		}
		src = &faultReader{src, s.name, c.read}
	} else {
		src = &upstreamReader{src, s.name}
	}
	b.setStream(src, -1, end)
	return nil
}

// bodyError returns an error of reading a body as one of who sent it.
func bodyError(err error) error {
	if statusOf(err) == http.StatusInternalServerError {
		return refuse(http.StatusBadRequest, err)
	}
	return err
}

// decompressed reads src without its compression, at most limit bytes, or any number for 0.
func decompressed(src io.Reader, codec *compress.Codec, limit int64, end *ends) io.Reader {
	if codec != nil {
		r := codec.NewReader(src)
		end.all = append(end.all, r)
		src = r
	}
	if limit > 0 {
		return &limitReader{src, limit, limit}
	}
	return src
}

// limitReader fails when there is more than allowed.
type limitReader struct {
	io.Reader
	left, max int64
}

func (r *limitReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if r.left -= int64(n); r.left < 0 {
		return 0, tooLarge(r.max)
	}
	return n, err
}

// faultReader makes what is wrong with a request's body an error of the node.
type faultReader struct {
	io.Reader
	node string
	to   *requestReader
}

func (r *faultReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = errorOf(r.node, bodyError(err))
		r.to.err.CompareAndSwap(nil, &err)
	}
	return n, err
}

// compressor reads src, compressed.
type compressor struct {
	src   io.Reader
	codec *compress.Codec
	w     *compress.Writer
	buf   []byte
	b     bytes.Buffer
	err   error
}

// Read implements io.Reader.
func (r *compressor) Read(p []byte) (int, error) {
	if r.w == nil {
		r.w, r.buf = r.codec.NewWriter(&r.b), make([]byte, 32<<10)
	}
	for r.b.Len() == 0 {
		if r.err != nil {
			return 0, r.err
		}
		var n int
		n, r.err = r.src.Read(r.buf)
		if _, err := r.w.Write(r.buf[:n]); err != nil {
			return 0, err
		}
		if r.err == io.EOF {
			if err := r.w.Close(); err != nil {
				return 0, err
			}
		}
	}
	return r.b.Read(p)
}

// spool is a file that holds what was read, and is gone when it is closed.
type spool struct{ *os.File }

func newSpool() (*spool, error) {
	f, err := os.CreateTemp("", "weft-flow-*")
	if err != nil {
		return nil, err
	}
	return &spool{f}, nil
}

func (s *spool) rewind() (io.Reader, error) {
	_, err := s.Seek(0, io.SeekStart)
	return s.File, err
}

// Close closes and removes the file.
func (s *spool) Close() error { return errors.Join(s.File.Close(), os.Remove(s.Name())) }

// ends are what is to be closed with a body, the last first.
type ends struct{ all []io.Closer }

// Close implements io.Closer.
func (e *ends) Close() error {
	var errs []error
	for i := len(e.all) - 1; i >= 0; i-- {
		errs = append(errs, e.all[i].Close())
	}
	e.all = nil
	return errors.Join(errs...)
}

// closer is a function as an io.Closer.
type closer func()

// Close implements io.Closer.
func (f closer) Close() error { f(); return nil }
