package flow

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"slices"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/value"
)

// body is what a message carries: the bytes that came, and their value once a node
// has asked for it. A body that nobody looks into is passed on as it is.
type body struct {
	mediaType string // Content-Type, "" for none
	encoding  string // Content-Encoding, "" for none

	stream io.Reader // what has not been read yet, or nil
	length int64     // of stream, -1 when that is not known
	close  io.Closer // of stream, or nil
	raw    []byte    // as on the wire; nil with a stream, or with a value not encoded yet
	plain  []byte    // raw without its compression, when it has been asked for
	val    value.Value
	hasVal bool
	max    int64 // most bytes that are read into memory, compressed or not
	strict bool  // raw is known to have no name twice in an object, and no text that is not UTF-8

	valid    *schema.Schema // one by which the body has been found valid, or nil
	turned   []byte         // the body in the format turnedTo, made when it was checked; may be nil
	turnedTo *media
}

// setStream makes the body what r reads.
func (b *body) setStream(r io.Reader, length int64, c io.Closer) {
	*b = body{mediaType: b.mediaType, encoding: b.encoding, stream: r, length: length, close: c, max: b.max}
}

// setValue makes the body v, which is encoded when its bytes are asked for: as it came, if that is a format.
func (b *body) setValue(v value.Value) {
	b.done()
	mediaType := b.mediaType
	if mediaOf(mediaType) == nil {
		mediaType = mediaJSON.types[0]
	}
	*b = body{mediaType: mediaType, val: v, hasVal: true, max: b.max}
}

// clear makes the body nothing.
func (b *body) clear() {
	b.done()
	*b = body{max: b.max}
}

// done closes the stream.
func (b *body) done() {
	if b.close != nil {
		b.close.Close()
		b.close = nil
	}
}

// empty reports whether there is nothing.
func (b *body) empty() bool {
	return !b.hasVal && len(b.raw) == 0 && (b.stream == nil || b.length == 0)
}

// bytes returns the body as on the wire, in memory.
func (b *body) bytes(c *call) ([]byte, error) {
	if b.stream != nil {
		p, err := readAll(c, b.stream, b.length, b.max)
		b.done()
		if err != nil {
			b.stream = nil
			return nil, err
		}
		b.raw, b.stream = p, nil
	}
	if b.raw == nil && b.hasVal {
		begin := now()
		err := b.encode(c)
		c.codec(begin)
		if err != nil {
			return nil, err
		}
	}
	return b.raw, nil
}

// encode writes the value in the format of the body.
func (b *body) encode(c *call) error {
	if s, ok := b.val.Text(); ok && mediaOf(b.mediaType) == nil {
		b.raw = c.keep(append(c.buffer(int64(len(s))), s...))
		return nil
	}
	if p, ok := b.val.Bytes(); ok && mediaOf(b.mediaType) == nil {
		b.raw = p
		return nil
	}
	m := mediaOf(b.mediaType)
	if m == nil {
		m = mediaJSON
		b.mediaType = m.types[0]
	}
	p, err := m.format.MarshalAppend(c.buffer(0), b.val)
	if err != nil {
		return err
	}
	b.raw = c.keep(p)
	return nil
}

// peek reads a body of unknown length, and reports whether it has at most few bytes, which are read
// into memory then.
func (b *body) peek(c *call, few int64) (whole bool, err error) {
	head, err := readUpTo(c.buffer(0), b.stream, few+1)
	if err == io.EOF {
		b.done()
		b.stream, b.raw = nil, c.keep(head)
		return true, nil
	}
	c.bufs = c.bufs[:len(c.bufs)-1] // the stream keeps it
	if err != nil {
		return false, readError(err)
	}
	b.stream = io.MultiReader(bytes.NewReader(head), b.stream)
	return false, nil
}

// text returns the body without compression, in memory.
func (b *body) text(c *call) ([]byte, error) {
	if b.plain != nil {
		return b.plain, nil
	}
	raw, err := b.bytes(c)
	if err != nil || b.encoding == "" || len(raw) == 0 {
		return raw, err
	}
	codec, ok := codecOf(b.encoding)
	if !ok {
		return nil, refuse(http.StatusUnsupportedMediaType,
			fmt.Errorf("a body in the unknown compression %q: gzip and zstd can be read", b.encoding))
	}
	if codec == nil {
		return raw, nil
	}
	begin := now()
	p, err := codec.DecompressMax(c.buffer(4*int64(len(raw))), raw, b.max)
	c.codec(begin)
	if err != nil {
		if statusOf(err) == http.StatusInternalServerError {
			err = refuse(http.StatusBadRequest, err)
		}
		return nil, err
	}
	b.plain = c.keep(p)
	return b.plain, nil
}

// value returns the body as a value: by its format, a text as a string, anything
// else as bytes, and null for nothing.
func (b *body) value(c *call) (value.Value, error) {
	if b.hasVal {
		return b.val, nil
	}
	text, err := b.text(c)
	if err != nil {
		return value.Null(), err
	}
	m := mediaOf(b.mediaType)
	switch {
	case len(text) == 0 && (m == nil || b.raw == nil):
		b.val = value.Null()
	case m == nil && isText(b.mediaType):
		b.val = value.String(string(text))
	case m == nil:
		b.val = value.Bytes(text)
	default:
		begin := now()
		err := m.format.Unmarshal(text, &b.val, decodeOptions...)
		c.codec(begin)
		if err != nil {
			return value.Null(), refuse(http.StatusBadRequest, err)
		}
	}
	b.hasVal = true
	return b.val, nil
}

// copy returns a body for another branch: what is read as a stream is read into
// memory first.
func (b *body) copy(c *call) (body, error) {
	if _, err := b.bytes(c); err != nil {
		return body{}, err
	}
	return *b, nil
}

// readAll reads r up to its end into memory that belongs to c, at most max bytes.
func readAll(c *call, r io.Reader, length, max int64) ([]byte, error) {
	if length > max {
		return nil, tooLarge(max)
	}
	b := c.buffer(length + 1)
	if want := int(min(length, keptBuffer)) + 1; cap(b) < want {
		b = make([]byte, 0, want)
	}
	b, err := readUpTo(b, r, min(max, math.MaxInt64-1)+1)
	switch {
	case err == io.EOF:
		return c.keep(b), nil
	case err != nil:
		return nil, readError(err)
	}
	return nil, tooLarge(max)
}

// readUpTo appends to b what r reads, until that ends or there are most bytes.
func readUpTo(b []byte, r io.Reader, most int64) ([]byte, error) {
	for int64(len(b)) < most {
		if len(b) == cap(b) { // twice as much: append copies a long body many times over
			b = slices.Grow(b, len(b)+512)
		}
		n, err := r.Read(b[len(b):min(int64(cap(b)), most)])
		b = b[:len(b)+n]
		if err != nil {
			return b, err
		}
	}
	return b, nil
}

func tooLarge(max int64) error { return fmt.Errorf("%w: %d bytes", errTooLarge, max) }

// readError returns an error of reading a body as one of the client's.
func readError(err error) error {
	if statusOf(err) != http.StatusInternalServerError {
		return err
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return refuse(http.StatusRequestTimeout, errors.New("the body arrives too slowly"))
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = weft.ErrUnexpectedEnd
	}
	return refuse(http.StatusBadRequest, fmt.Errorf("reading the body: %w", err))
}
