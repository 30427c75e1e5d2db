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
	head := 0
	b, err := d.in.Next(tagwire.Short, func(b []byte) (end, at int) {
		var n uint64
		if n, head = tagwire.Uvarint(b, 0, len(b)); head < 0 || n > uint64(len(b)-head) {
			return min(head, tagwire.Short), 0
		}
		return head + int(n), 0
	}, func(end, _ int) error {
		if end == tagwire.Short {
			return d.broken(weft.ErrUnexpectedEnd)
		}
		return d.broken(errMalformed)
	})
	if err != nil {
		return nil, err
	}
	d.in.Start += len(b)
	return Raw(b[head:]), nil
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
