package tagged

import (
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/input"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// Encoder writes messages one after the other to a stream, each behind its length as a varint: a
// message does not record its end.
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
	const head = 10
	s := newEncoder(e.opts)
	b := s.message(append(s.buf[:0], make([]byte, head)...), v)
	var err error
	if s.err != nil {
		err = s.located()
	} else {
		n := uint64(len(b) - head)
		start := head - tagwire.UvarintLen(n)
		tagwire.AppendUvarint(b[:start], n)
		if _, err = e.w.Write(b[start:]); err != nil {
			e.err = err
		}
	}
	s.buf = b
	s.release()
	return err
}

// Decoder reads the messages of a stream that an [Encoder] has written. It reads
// ahead, and holds one message at a time in memory: no more than what has
// arrived of it.
type Decoder struct {
	src   io.Reader
	buf   input.Buffer
	start int   // of the next message in buf
	base  int64 // offset of buf in the stream
	opts  []Options
	err   error
}

// NewDecoder returns a Decoder that reads from r.
func NewDecoder(r io.Reader, opts ...Options) *Decoder {
	d := &Decoder{src: r}
	d.opts = append(append(d.opts, opts...), weft.AliasInput(false)) // the buffer is used again
	return d
}

// Decode reads the next message into the variable v points to. At the end of the
// stream it returns io.EOF. A message that does not fit v is skipped; after
// an error of the stream Decode returns that error again.
func (d *Decoder) Decode(v any) error {
	b, err := d.DecodeRaw()
	if err != nil {
		return err
	}
	r := newReader(b, d.opts)
	r.base = d.base + int64(d.start-len(b))
	return unmarshal(r, v)
}

// DecodeRaw returns the next message. It is valid until the next call of a
// method.
func (d *Decoder) DecodeRaw() (Raw, error) {
	for {
		if b := d.buf.B[d.start:]; len(b) > 0 {
			n, next := tagwire.Uvarint(b, 0, len(b))
			switch {
			case next == tagwire.Broken:
				return nil, d.broken(errMalformed)
			case next >= 0 && n <= uint64(len(b)-next):
				d.start += next + int(n)
				return Raw(b[next : next+int(n) : next+int(n)]), nil
			}
		}
		if d.err != nil {
			if d.err == io.EOF && d.start < len(d.buf.B) {
				return nil, d.broken(weft.ErrUnexpectedEnd)
			}
			return nil, d.err
		}
		d.fill()
	}
}

// More reports whether there is another message, or an error to be returned by
// the next call other than io.EOF.
func (d *Decoder) More() bool {
	for d.start == len(d.buf.B) {
		if d.err != nil {
			return d.err != io.EOF
		}
		d.fill()
	}
	return true
}

// InputOffset returns the offset of the next message in the stream, before its
// length.
func (d *Decoder) InputOffset() int64 { return d.base + int64(d.start) }

func (d *Decoder) broken(err error) error {
	d.err = &weft.Error{Format: formatName, Offset: d.InputOffset(), Err: err}
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
