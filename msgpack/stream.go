package msgpack

import (
	"io"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/input"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Encoder writes consecutive values to a stream.
type Encoder struct{ to *entry.Encoder }

// NewEncoder returns an Encoder that writes to w.
func NewEncoder(w io.Writer, opts ...Options) *Encoder {
	return &Encoder{entry.NewEncoder(w, opts, write)}
}

// Encode writes the encoding of v, in one call. After an error of the stream it keeps returning that error and writes
// nothing more.
func (e *Encoder) Encode(v any) error { return e.to.Encode(v) }

// Decoder reads consecutive values from a stream. It reads ahead, and holds one value at a time in memory, and of
// that no more than has arrived.
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

// Decode reads the next value into the variable that v points to. At the end of the stream it returns io.EOF. A value
// that is well-formed but does not fit v is skipped; after any other error Decode keeps returning that error.
func (d *Decoder) Decode(v any) error {
	b, err := d.next()
	if err != nil {
		return err
	}
	r := newReader(b, d.opts)
	r.base = d.in.Offset()
	r.document(v, nil, true)
	d.in.Start += len(b)
	return r.finish()
}

// DecodeRaw returns the bytes of the next value. They are valid until the next method call.
func (d *Decoder) DecodeRaw() (Raw, error) {
	b, err := d.next()
	if err != nil {
		return nil, err
	}
	d.in.Start += len(b)
	return b, nil
}

// More reports whether there is another value, or the next call will return an error other than io.EOF.
func (d *Decoder) More() bool { return d.in.More() }

// InputOffset returns the offset of the next value in the stream.
func (d *Decoder) InputOffset() int64 { return d.in.Offset() }

// Buffered returns what has been read from the stream but not decoded. It is valid until the next method call.
func (d *Decoder) Buffered() []byte { return d.in.Rest() }

// next returns the bytes of the next value.
func (d *Decoder) next() ([]byte, error) {
	return d.in.Next(packwire.Short,
		func(b []byte) (end, at int) { return d.scan.Scan(b, d.depth) },
		func(end, at int) error { return d.broken(end, at, "value") })
}

// broken returns, and keeps, the error for what packwire has refused with end at index at, where a value of the type is
// expected.
func (d *Decoder) broken(end, at int, typ string) error {
	r := newReader(d.in.Rest(), nil)
	r.base = d.in.Offset()
	switch end {
	case packwire.Deep:
		r.fail(at, weft.ErrDepth)
	default:
		r.bad(at, end, typ)
	}
	d.in.Err = r.err
	r.release()
	return d.in.Err
}

// NewEncoder is the function of the same name.
func (format) NewEncoder(w io.Writer, opts ...Options) weft.StreamEncoder {
	return entry.NewEncoder(w, opts, write)
}

// NewDecoder is the function of the same name.
func (format) NewDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	return newArrays(r, opts, false)
}

var _ weft.StreamFormat = Format

// MarshalStream writes what m writes to w as it comes.
func (format) MarshalStream(w io.Writer, m weft.Marshaler, opts ...Options) error {
	s := newEncoder(opts)
	s.config.Flags, s.config.MaxDepth = s.flags, s.maxDepth
	err := s.config.Write(w, m)
	s.release()
	return err
}

// NewArrayEncoder returns nil: [weft.MarshalStream] writes arrays.
func (format) NewArrayEncoder(io.Writer, reflect.Type, int, ...Options) weft.StreamEncoder {
	return nil
}

// NewArrayDecoder returns a decoder of the elements of the one array that r holds.
// Its errors are located in the stream, with the path within the element.
func (format) NewArrayDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	return newArrays(r, opts, true)
}

// newArrays returns a decoder of a stream that is one array, or whose arrays may be split.
func newArrays(r io.Reader, opts []Options, one bool) *entry.Arrays {
	d := NewDecoder(r, opts...)
	return &entry.Arrays{
		Decoder: d, Format: "msgpack", In: &d.in, One: one,
		Begins: func(c byte) bool {
			return c&0xf0 == packwire.FixArray || c == packwire.Array16 || c == packwire.Array32
		},
		Open: d.array,
		Cut:  func() error { return d.broken(packwire.Short, len(d.in.B)-d.in.Start, "value") },
	}
}

// array reads the header of an array.
func (d *Decoder) array() (n int, err error) {
	b, err := d.in.Next(packwire.Short, func(b []byte) (end, at int) {
		if len(b) == 0 {
			return packwire.Short, 0
		}
		class, next, size := packwire.Head(b, 0)
		if n = size; class != packwire.ClassArray && next != packwire.Short {
			next = min(next, packwire.Mismatch)
		}
		return next, 0
	}, func(end, at int) error { return d.broken(end, at, "array") })
	if err == io.EOF {
		err = d.broken(packwire.Short, 0, "array")
	}
	if err != nil {
		return 0, err
	}
	d.in.Start += len(b)
	return n, nil
}
