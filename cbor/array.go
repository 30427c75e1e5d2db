package cbor

import (
	"errors"
	"io"
	"math"
	"reflect"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// MarshalStream writes what m writes to w, all of it at once.
func (f format) MarshalStream(w io.Writer, m weft.Marshaler, opts ...Options) error {
	return f.MarshalWrite(w, m, opts...)
}

// NewArrayEncoder returns an encoder of the elements of one array: n of them, or a number not known when n < 0,
// of which the array has an indefinite length.
func (format) NewArrayEncoder(w io.Writer, _ reflect.Type, n int, opts ...Options) weft.StreamEncoder {
	return &arrayEncoder{Encoder: NewEncoder(w, opts...), n: n}
}

type arrayEncoder struct {
	*Encoder
	n, k  int // elements announced and written
	begun bool
	buf   []byte
}

var errAnnounced = errors.New("the array does not have the announced number of elements and is written in part")

// Encode writes the next element.
func (e *arrayEncoder) Encode(v any) error {
	if e.err != nil {
		return e.err
	}
	if e.n >= 0 && e.k == e.n {
		return e.fail(errAnnounced)
	}
	s := newEncoder(e.opts)
	s.depth = 1
	b := s.root(e.head(e.buf[:0]), v, s.programs.Find(v))
	if s.err != nil {
		s.within(b, strconv.Itoa(e.k))
		e.err = s.located()
	} else if _, err := e.w.Write(b); err != nil {
		e.err = err
	}
	e.buf, e.k = b, e.k+1
	s.release()
	return e.err
}

func (e *arrayEncoder) fail(err error) error {
	e.err = &weft.Error{Format: "cbor", Offset: -1, Err: err}
	return e.err
}

// head appends the head of the array, once.
func (e *arrayEncoder) head(b []byte) []byte {
	switch {
	case e.begun:
		return b
	case e.n < 0:
		b = append(b, cborwire.Array|cborwire.Open)
	default:
		b = cborwire.AppendHead(b, cborwire.Array, uint64(e.n))
	}
	e.begun = true
	return b
}

// Close ends the array.
func (e *arrayEncoder) Close() error {
	if e.err != nil {
		return e.err
	}
	if e.n >= 0 && e.k != e.n {
		return e.fail(errAnnounced)
	}
	b := e.head(e.buf[:0])
	if e.n < 0 {
		b = append(b, cborwire.Break)
	}
	if len(b) > 0 {
		_, e.err = e.w.Write(b)
	}
	return e.err
}

// NewArrayDecoder returns a decoder of the elements of the one array that r holds. Its errors are located in
// the stream, with the path within the element.
func (format) NewArrayDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	return &arrayDecoder{Decoder: NewDecoder(r, opts...)}
}

type arrayDecoder struct {
	*Decoder
	begun bool
	left  int // elements still to come, or isOpen
	err   error
}

// Decode reads the next element. After the last it returns io.EOF.
func (d *arrayDecoder) Decode(v any) error {
	if d.err == nil && !d.begun {
		d.err = d.open(&d.left)
		d.begun = true
	}
	if d.err == nil && (d.left == 0 || d.left == isOpen && d.ends()) {
		d.left, d.err = 0, d.end()
	}
	if d.err != nil {
		return d.err
	}
	err := d.Decoder.Decode(v)
	if err == io.EOF {
		err = d.broken(cborwire.Short, len(d.in.B)-d.in.Start)
	}
	if d.Decoder.in.Err != nil && d.Decoder.in.Err != io.EOF {
		d.err = err
	}
	if d.left > 0 {
		d.left--
	}
	return err
}

// open reads the tags and the head of an array, and sets how many elements it has, or isOpen.
func (d *Decoder) open(left *int) error {
	for {
		n, next := cborwire.Head(d.in.B, d.in.Start)
		switch {
		case next >= 0 && d.in.B[d.in.Start]&0xe0 == cborwire.Tag:
			d.in.Start = next
			continue
		case next >= 0 && d.in.B[d.in.Start]&0xe0 == cborwire.Array:
			r := newReader(d.in.B[d.in.Start:next], d.opts)
			r.base = d.InputOffset()
			if _, _, end := r.head(0); end < 0 {
				return r.finish()
			}
			r.i = len(r.b)
			if *left = int(min(n, math.MaxInt)); d.in.B[d.in.Start]&31 == cborwire.Open {
				*left = isOpen
			}
			d.in.Start = next
			return r.finish()
		case next >= 0:
			r := newReader(d.in.Rest(), nil)
			r.base = d.InputOffset()
			r.bad(0, cborwire.Mismatch, "array")
			return r.finish()
		case next != cborwire.Short:
			return d.broken(next, 0)
		case d.in.Err == io.EOF:
			return d.broken(cborwire.Short, len(d.in.B)-d.in.Start)
		case d.in.Err != nil:
			return d.in.Err
		}
		d.in.Fill()
	}
}

// ends skips the break of an array of indefinite length, if it comes next.
func (d *Decoder) ends() bool {
	if d.More() && d.in.Start < len(d.in.B) && d.in.B[d.in.Start] == cborwire.Break {
		d.in.Start++
		return true
	}
	return false
}

// end makes sure that the array is all there is, and returns io.EOF.
func (d *arrayDecoder) end() error {
	if d.More() && d.Decoder.in.Err == nil || d.in.Start < len(d.in.B) {
		return &weft.Error{Format: "cbor", Offset: d.InputOffset(), Err: weft.ErrTrailingData}
	}
	return d.Decoder.in.Err
}

// Close releases what the decoder holds.
func (d *arrayDecoder) Close() error {
	d.err = errClosed
	return d.in.Close(errClosed)
}
