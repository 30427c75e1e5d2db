package flow

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/weftcodec/weft/compress"
)

// decodeConfig reads a body, so that what is not a document goes no further.
type decodeConfig struct {
	On       string `flow:"on" enum:"request,answer" doc:"request: what comes in; answer: what comes back"`
	Format   string `flow:"format" enum:"json,msgpack,cbor,tagged,ndjson" doc:"the format, else that of Content-Type"`
	Compress string `flow:"compress" enum:"none,gzip,zstd" doc:"the compression, else that of Content-Encoding"`
}

func newDecodeConfig() config { return new(decodeConfig) }

func (cfg *decodeConfig) build(b *build) step {
	s := &decodeStep{out: b.out("out"), answer: cfg.On == "answer", format: mediaNamed(cfg.Format), coding: cfg.Compress}
	if s.coding == "none" {
		s.coding = "identity"
	}
	return s
}

// decodeStep makes the body a value.
type decodeStep struct {
	out    *port
	answer bool
	format *media // nil for that of the message
	coding string // "" for that of the message
}

// run implements step.
func (s *decodeStep) run(c *call, m *message) error { return turnBody(c, m, s.out, s.answer, s.decode) }

func (s *decodeStep) decode(c *call, b *body) error {
	if s.format != nil {
		b.mediaType = s.format.types[0]
	}
	if s.coding != "" {
		b.encoding = s.coding
	}
	if mediaOf(b.mediaType) == nil {
		return refuse(http.StatusUnsupportedMediaType, fmt.Errorf("a body of type %q cannot be decoded", b.mediaType))
	}
	if b.empty() {
		return refuse(http.StatusBadRequest, errors.New("the body is missing"))
	}
	v, err := b.value(c)
	if err == nil {
		b.setValue(v)
	}
	return err
}

// turnBody changes the body with turn, on its way in or on its way back.
func turnBody(c *call, m *message, out *port, answer bool, turn func(*call, *body) error) error {
	if !answer {
		if err := turn(c, &m.body); err != nil {
			return err
		}
		return out.send(c, m)
	}
	if err := out.send(c, m); err != nil {
		return err
	}
	return turn(c, &m.body)
}

// encodeConfig writes a body in a format.
type encodeConfig struct {
	On       string `flow:"on" enum:"request,answer" doc:"request: what comes in; answer: what comes back"`
	Format   string `flow:"format,required" enum:"json,msgpack,cbor,tagged,ndjson" doc:"the format"`
	Compress string `flow:"compress" enum:"none,gzip,zstd" doc:"the compression"`
}

func newEncodeConfig() config { return &encodeConfig{Compress: "none"} }

func (cfg *encodeConfig) build(b *build) step {
	s := &encodeStep{out: b.out("out"), answer: cfg.On == "answer", format: mediaNamed(cfg.Format)}
	s.codec, _ = codecOf(cfg.Compress)
	return s
}

// encodeStep makes the body the bytes of a format.
type encodeStep struct {
	out    *port
	answer bool
	format *media
	codec  *compress.Codec // nil for none
}

// run implements step.
func (s *encodeStep) run(c *call, m *message) error { return turnBody(c, m, s.out, s.answer, s.encode) }

func (s *encodeStep) encode(c *call, b *body) error {
	if b.empty() {
		return nil
	}
	own, known := codecOf(b.encoding)
	if mediaOf(b.mediaType) == s.format && known && own == s.codec && !b.hasVal {
		return nil
	}
	v, err := b.value(c)
	if err != nil {
		return err
	}
	b.setValue(v)
	b.mediaType = s.format.types[0]
	raw, err := b.bytes(c)
	if err != nil || s.codec == nil {
		return err
	}
	begin := now()
	short, err := s.codec.Append(c.buffer(int64(len(raw))), raw)
	c.codec(begin)
	if err != nil {
		return err
	}
	*b = body{mediaType: b.mediaType, encoding: s.codec.Name(), raw: c.keep(short), max: b.max}
	return nil
}
