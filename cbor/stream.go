package cbor

import (
	"cmp"
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
	var err error
	err, e.err = write(e.w, v, e.opts)
	return cmp.Or(err, e.err)
}

// Decoder reads values one after the other from a stream. It reads ahead, and holds one value at a time in
// memory: no more than what has arrived of it.
type Decoder struct {
	in    input.Stream
	scan  cborwire.Scanner
	opts  []Options
	depth int
}

// NewDecoder returns a Decoder that reads from r.
func NewDecoder(r io.Reader, opts ...Options) *Decoder {
	d := &Decoder{in: input.Stream{Src: r}, depth: weft.Join(opts...).Depth()}
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
	d.in.Start += len(b)
	return r.finish()
}

// DecodeRaw returns the bytes of the next value. They are valid until the next call of a method.
func (d *Decoder) DecodeRaw() (Raw, error) {
	b, err := d.next()
	d.in.Start += len(b)
	return b, err
}

// More reports whether there is another value, or an error to be returned by the next call other than io.EOF.
func (d *Decoder) More() bool { return d.in.More() }

// InputOffset returns the offset of the next value in the stream.
func (d *Decoder) InputOffset() int64 { return d.in.Offset() }

// Buffered returns what has been read from the stream and not been decoded. It is valid until the next call of
// a method.
func (d *Decoder) Buffered() []byte { return d.in.Rest() }

// next returns the bytes of the next value.
func (d *Decoder) next() ([]byte, error) {
	if !d.More() {
		return nil, io.EOF
	}
	for {
		end, at := d.scan.Scan(d.in.Rest(), d.depth)
		switch {
		case end >= 0:
			return d.in.B[d.in.Start : d.in.Start+end : d.in.Start+end], nil
		case end == cborwire.Short && d.in.Err == nil:
			d.in.Fill()
		case end == cborwire.Short && d.in.Err != io.EOF:
			return nil, d.in.Err
		default:
			return nil, d.broken(end, at)
		}
	}
}

// broken returns, and keeps, the error for the value that is not well-formed at index at.
func (d *Decoder) broken(end, at int) error {
	r := newReader(d.in.Rest(), nil)
	r.base = d.InputOffset()
	r.illFormed(at, end)
	d.in.Err = r.finish()
	return d.in.Err
}

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
	for d.split && (d.left == 0 || d.left == isOpen) && d.More() && d.in.Start < len(d.in.B) {
		if d.left == isOpen {
			if !d.ends() {
				break
			}
			d.left = 0
		} else if d.in.B[d.in.Start]&0xe0 != cborwire.Array {
			break
		} else if err := d.open(&d.left); err != nil {
			return err
		}
	}
	err := d.Decoder.Decode(v)
	if err == io.EOF && d.left != 0 {
		err = d.broken(cborwire.Short, len(d.in.B)-d.in.Start)
	}
	if d.left > 0 {
		d.left--
	}
	return err
}

// Close implements weft.StreamDecoder.
func (d *streamDecoder) Close() error {
	return d.in.Close(errClosed)
}

var errClosed = errors.New("cbor: read after Close")
