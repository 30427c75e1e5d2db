package cbor

import (
	"errors"
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/input"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// Encoder writes values one after the other to a stream, a CBOR sequence (RFC 8742).
type Encoder struct {
	w    io.Writer
	opts []Options
	err  error
}

// NewEncoder returns an Encoder that writes to w.
func NewEncoder(w io.Writer, opts ...Options) *Encoder {
	return &Encoder{w: w, opts: append([]Options(nil), opts...)}
}

// Encode writes the encoding of v, in one piece. After an error of the stream it returns that and writes no
// more.
func (e *Encoder) Encode(v any) error {
	if e.err != nil {
		return e.err
	}
	s := newEncoder(e.opts)
	b := s.root(s.buf[:0], v, s.programs.Find(v))
	var err error
	if s.err != nil {
		err = s.located()
	} else if _, err = e.w.Write(b); err != nil {
		e.err = err
	}
	s.buf = b
	s.release()
	return err
}

// Decoder reads values one after the other from a stream. It reads ahead, and holds one value at a time in
// memory: no more than what has arrived of it.
type Decoder struct {
	src   io.Reader
	buf   input.Buffer
	start int   // of the next value in buf
	base  int64 // offset of buf in the stream
	scan  cborwire.Scanner
	opts  []Options
	depth int
	err   error // from the stream, or a value that is not well-formed
}

// NewDecoder returns a Decoder that reads from r.
func NewDecoder(r io.Reader, opts ...Options) *Decoder {
	d := &Decoder{src: r, depth: weft.Join(opts...).Depth()}
	d.opts = append(append(d.opts, opts...), weft.AliasInput(false)) // the buffer is used again
	return d
}

// Decode reads the next value into the variable v points to. At the end of the stream it returns io.EOF. A
// value that is well-formed but does not fit v is skipped; after any other error Decode returns that error
// again.
func (d *Decoder) Decode(v any) error {
	b, err := d.next()
	if err != nil {
		return err
	}
	r := newReader(b, d.opts)
	r.base, r.checked = d.InputOffset(), len(b)
	if p := r.programOf(0, v); p != nil {
		r.document(p, mem.PtrOf(v))
	}
	d.start += len(b)
	return r.finish()
}

// DecodeRaw returns the bytes of the next value. They are valid until the next call of a method.
func (d *Decoder) DecodeRaw() (Raw, error) {
	b, err := d.next()
	d.start += len(b)
	return b, err
}

// More reports whether there is another value, or an error to be returned by the next call other than io.EOF.
func (d *Decoder) More() bool {
	for d.start == len(d.buf.B) {
		if d.err != nil {
			return d.err != io.EOF
		}
		d.fill()
	}
	return true
}

// InputOffset returns the offset of the next value in the stream.
func (d *Decoder) InputOffset() int64 { return d.base + int64(d.start) }

// Buffered returns what has been read from the stream and not been decoded. It is valid until the next call of
// a method.
func (d *Decoder) Buffered() []byte { return d.buf.B[d.start:] }

// next returns the bytes of the next value.
func (d *Decoder) next() ([]byte, error) {
	if !d.More() {
		return nil, io.EOF
	}
	for {
		end, at := d.scan.Scan(d.buf.B[d.start:], d.depth)
		switch {
		case end >= 0:
			return d.buf.B[d.start : d.start+end : d.start+end], nil
		case end == cborwire.Short && d.err == nil:
			d.fill()
		case end == cborwire.Short && d.err != io.EOF:
			return nil, d.err
		default:
			return nil, d.broken(end, at)
		}
	}
}

// broken returns, and keeps, the error for the value that is not well-formed at index at.
func (d *Decoder) broken(end, at int) error {
	r := newReader(d.buf.B[d.start:], nil)
	r.base = d.InputOffset()
	r.illFormed(at, end)
	d.err = r.finish()
	return d.err
}

// fill reads more of the stream, after making room.
func (d *Decoder) fill() {
	if d.start > 0 && (d.start == len(d.buf.B) || d.start > cap(d.buf.B)/2) {
		n := copy(d.buf.B, d.buf.B[d.start:])
		d.base += int64(d.start)
		d.buf.B, d.start = d.buf.B[:n], 0
	}
	if len(d.buf.B) == 0 && cap(d.buf.B) > maxIdle {
		d.buf.B = nil
	}
	d.err = d.buf.More(d.src)
}

// maxIdle bounds the memory that a Decoder keeps when all of it has been read.
const maxIdle = 1 << 20

// NewEncoder is the function of the same name.
func (format) NewEncoder(w io.Writer, opts ...Options) weft.StreamEncoder {
	return streamEncoder{NewEncoder(w, opts...)}
}

// NewDecoder is the function of the same name.
func (format) NewDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	return &streamDecoder{Decoder: NewDecoder(r, opts...)}
}

type streamEncoder struct{ *Encoder }

// Close implements weft.StreamEncoder.
func (e streamEncoder) Close() error { return e.err }

type streamDecoder struct {
	*Decoder
	split bool // the elements of arrays at the top are values
	left  int  // of the elements of such an array, or isOpen
}

// Elements makes the elements of arrays at the top level, but of arrays with tags, the values of the stream, in
// place of the arrays.
func (d *streamDecoder) Elements() { d.split = true }

// Decode reads the next value, or the next element of an array.
func (d *streamDecoder) Decode(v any) error {
	for d.split && (d.left == 0 || d.left == isOpen) && d.More() && d.start < len(d.buf.B) {
		if d.left == isOpen {
			if !d.ends() {
				break
			}
			d.left = 0
		} else if d.buf.B[d.start]&0xe0 != cborwire.Array {
			break
		} else if err := d.open(&d.left); err != nil {
			return err
		}
	}
	err := d.Decoder.Decode(v)
	if err == io.EOF && d.left != 0 {
		err = d.broken(cborwire.Short, len(d.buf.B)-d.start)
	}
	if d.left > 0 {
		d.left--
	}
	return err
}

// Close implements weft.StreamDecoder.
func (d *streamDecoder) Close() error {
	d.buf.B, d.start, d.err = nil, 0, errClosed
	return nil
}

var errClosed = errors.New("cbor: read after Close")
