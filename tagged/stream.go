package tagged

import (
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/input"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// Encoder writes consecutive messages to a stream. Each message follows its length as a varint, because a message
// does not contain its length.
type Encoder struct{ to *entry.Encoder }

// NewEncoder returns an Encoder that writes to w.
func NewEncoder(w io.Writer, opts ...Options) *Encoder {
	return &Encoder{entry.NewEncoder(w, opts, func(w io.Writer, v any, opts []Options) (err, broken error) {
		return write(w, v, opts, true)
	})}
}

// Encode writes the encoding of v, in one call. After an error of the stream it keeps returning that error and writes
// nothing more.
func (e *Encoder) Encode(v any) error { return e.to.Encode(v) }

// Decoder reads the messages of a stream that an [Encoder] has written. It reads ahead, and holds one message at a
// time in memory, and of that no more than has arrived.
type Decoder struct {
	in   input.Stream
	opts []Options
}

// NewDecoder returns a Decoder that reads from r.
func NewDecoder(r io.Reader, opts ...Options) *Decoder {
	d := &Decoder{in: input.Stream{Src: r}}
	d.opts = append(append(d.opts, opts...), weft.AliasInput(false)) // the buffer is used again
	return d
}

// Decode reads the next message into the variable that v points to. At the end of the stream it returns io.EOF. A
// message that does not fit v is skipped; after an error of the stream Decode keeps returning that error.
func (d *Decoder) Decode(v any) error {
	b, err := d.DecodeRaw()
	if err != nil {
		return err
	}
	r := newReader(b, d.opts)
	r.base = d.in.Base + int64(d.in.Start-len(b))
	return unmarshal(r, v)
}

// DecodeRaw returns the next message. It is valid until the next method call.
func (d *Decoder) DecodeRaw() (Raw, error) {
	for {
		if b := d.in.Rest(); len(b) > 0 {
			n, next := tagwire.Uvarint(b, 0, len(b))
			switch {
			case next == tagwire.Broken:
				return nil, d.broken(errMalformed)
			case next >= 0 && n <= uint64(len(b)-next):
				d.in.Start += next + int(n)
				return Raw(b[next : next+int(n) : next+int(n)]), nil
			}
		}
		if d.in.Err != nil {
			if d.in.Err == io.EOF && d.in.Start < len(d.in.B) {
				return nil, d.broken(weft.ErrUnexpectedEnd)
			}
			return nil, d.in.Err
		}
		d.in.Fill()
	}
}

// More reports whether there is another message, or an error to be returned by
// the next call other than io.EOF.
func (d *Decoder) More() bool { return d.in.More() }

// InputOffset returns the offset of the next message in the stream, before its
// length.
func (d *Decoder) InputOffset() int64 { return d.in.Offset() }

func (d *Decoder) broken(err error) error {
	d.in.Err = &weft.Error{Format: formatName, Offset: d.InputOffset(), Err: err}
	return d.in.Err
}
