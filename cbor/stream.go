package cbor

import (
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/input"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// Encoder writes consecutive values to a stream, a CBOR sequence (RFC 8742).
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

// Decode reads the next value into the variable that v points to. At the end of the stream it returns io.EOF. A value
// that is well-formed but does not fit v is skipped; after any other error Decode keeps returning that error.
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

// DecodeRaw returns the bytes of the next value. They are valid until the next method call.
func (d *Decoder) DecodeRaw() (Raw, error) {
	b, err := d.next()
	d.in.Start += len(b)
	return b, err
}

// More reports whether there is another value, or the next call will return an error other than io.EOF.
func (d *Decoder) More() bool { return d.in.More() }

// InputOffset returns the offset of the next value in the stream.
func (d *Decoder) InputOffset() int64 { return d.in.Offset() }

// Buffered returns what has been read from the stream but not decoded. It is valid until the next method call.
func (d *Decoder) Buffered() []byte { return d.in.Rest() }

// next returns the bytes of the next value.
func (d *Decoder) next() ([]byte, error) {
	return d.in.Next(cborwire.Short, func(b []byte) (end, at int) { return d.scan.Scan(b, d.depth) }, d.broken)
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
	return entry.NewEncoder(w, opts, write)
}

// NewDecoder is the function of the same name. Arrays with tags are not split.
func (format) NewDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	return newArrays(r, opts, false)
}
