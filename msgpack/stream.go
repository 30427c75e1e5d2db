package msgpack

import (
	"cmp"
	"errors"
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/input"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Encoder writes values one after the other to a stream.
type Encoder struct {
	w    io.Writer
	opts []Options
	err  error
}

// NewEncoder returns an Encoder that writes to w.
func NewEncoder(w io.Writer, opts ...Options) *Encoder {
	return &Encoder{w: w, opts: append([]Options(nil), opts...)}
}

// Encode writes the encoding of v, in one piece. After an error of the stream
// it returns that and writes no more.
func (e *Encoder) Encode(v any) error {
	if e.err != nil {
		return e.err
	}
	var err error
	err, e.err = write(e.w, v, e.opts)
	return cmp.Or(err, e.err)
}

// Decoder reads values one after the other from a stream. It reads ahead, and
// holds one value at a time in memory: no more than what has arrived of it.
type Decoder struct {
	in    input.Stream
	scan  packwire.Scanner
	opts  []Options
	depth int
}

// NewDecoder returns a Decoder that reads from r.
func NewDecoder(r io.Reader, opts ...Options) *Decoder {
	d := &Decoder{in: input.Stream{Src: r}, depth: plan.DepthOf(opts)}
	d.opts = append(append(d.opts, opts...), weft.AliasInput(false)) // the buffer is used again
	return d
}

// Decode reads the next value into the variable v points to. At the end of the
// stream it returns io.EOF. A value that is well-formed but does not fit v is
// passed over; after any other error Decode returns that error again.
func (d *Decoder) Decode(v any) error {
	b, err := d.next()
	if err != nil {
		return err
	}
	r := newReader(b, d.opts)
	r.base = d.in.Offset()
	r.document(v)
	d.in.Start += len(b)
	return r.finish()
}

// DecodeRaw returns the bytes of the next value. They are valid until the next
// call of a method.
func (d *Decoder) DecodeRaw() (Raw, error) {
	b, err := d.next()
	if err != nil {
		return nil, err
	}
	d.in.Start += len(b)
	return b[:len(b):len(b)], nil
}

// More reports whether there is another value, or an error to be returned by
// the next call other than io.EOF.
func (d *Decoder) More() bool { return d.in.More() }

// InputOffset returns the offset of the next value in the stream.
func (d *Decoder) InputOffset() int64 { return d.in.Offset() }

// Buffered returns what has been read from the stream and not been decoded. It
// is valid until the next call of a method.
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
			return d.in.B[d.in.Start : d.in.Start+end], nil
		case end == packwire.Short && d.in.Err == nil:
			d.in.Fill()
		case end == packwire.Short && d.in.Err != io.EOF:
			return nil, d.in.Err
		default:
			return nil, d.broken(end, at)
		}
	}
}

// broken returns, and keeps, the error for the value that is not well-formed at
// index at.
func (d *Decoder) broken(end, at int) error {
	r := newReader(d.in.Rest(), nil)
	r.base = d.in.Offset()
	switch end {
	case packwire.Deep:
		r.fail(at, weft.ErrDepth)
	default:
		r.bad(at, end, "value")
	}
	d.in.Err = r.err
	r.release()
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

var _ weft.StreamFormat = Format

type streamEncoder struct{ *Encoder }

func (e streamEncoder) Close() error { return e.err }

type streamDecoder struct {
	*Decoder
	split bool // the elements of arrays at the top are values
	left  int  // of the elements of such an array
}

// Elements makes the elements of arrays at the top level the values of the
// stream, in place of the arrays.
func (d *streamDecoder) Elements() { d.split = true }

func (d *streamDecoder) Decode(v any) error {
	for d.split && d.left == 0 && d.More() && d.in.Start < len(d.in.B) {
		switch c := d.in.B[d.in.Start]; {
		case c&0xf0 == 0x90, c == 0xdc, c == 0xdd:
			t, err := d.ReadToken()
			if err != nil {
				return err
			}
			d.left = t.Len
		default:
			return d.Decoder.Decode(v)
		}
	}
	err := d.Decoder.Decode(v)
	if d.left > 0 {
		d.left--
		if err == io.EOF {
			d.in.Err = &weft.Error{Format: "msgpack", Offset: d.InputOffset(), Err: weft.ErrUnexpectedEnd}
			return d.in.Err
		}
	}
	return err
}

func (d *streamDecoder) Close() error {
	return d.in.Close(errClosed)
}

var errClosed = errors.New("msgpack: read after Close")
