package cbor

import (
	"errors"
	"io"
	"math"
	"reflect"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// MarshalStream writes what m writes to w, all of it at once.
func (f format) MarshalStream(w io.Writer, m weft.Marshaler, opts ...Options) error {
	return f.MarshalWrite(w, m, opts...)
}

// NewArrayEncoder returns an encoder of the elements of one array: n of them, or a number not known when n < 0,
// of which the array has an indefinite length.
func (format) NewArrayEncoder(w io.Writer, _ reflect.Type, n int, opts ...Options) weft.StreamEncoder {
	return &arrayEncoder{Encoder: entry.NewEncoder(w, opts, nil), n: n}
}

type arrayEncoder struct {
	*entry.Encoder
	n, k  int // elements announced and written
	begun bool
	buf   []byte
}

var errAnnounced = errors.New("the array does not have the announced number of elements and is written in part")

// Encode writes the next element.
func (e *arrayEncoder) Encode(v any) error {
	if e.Err != nil {
		return e.Err
	}
	if e.n >= 0 && e.k == e.n {
		return e.fail(errAnnounced)
	}
	s := newEncoder(e.Opts)
	s.depth = 1
	b := s.root(e.head(e.buf[:0]), v, s.programs.Find(v))
	if s.err != nil {
		s.within(b, strconv.Itoa(e.k))
		e.Err = s.located()
	} else if _, err := e.W.Write(b); err != nil {
		e.Err = err
	}
	e.buf, e.k = b, e.k+1
	s.release()
	return e.Err
}

func (e *arrayEncoder) fail(err error) error {
	e.Err = &weft.Error{Format: "cbor", Offset: -1, Err: err}
	return e.Err
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
	if e.Err != nil {
		return e.Err
	}
	if e.n >= 0 && e.k != e.n {
		return e.fail(errAnnounced)
	}
	b := e.head(e.buf[:0])
	if e.n < 0 {
		b = append(b, cborwire.Break)
	}
	if len(b) > 0 {
		_, e.Err = e.W.Write(b)
	}
	return e.Err
}

// NewArrayDecoder returns a decoder of the elements of the one array that r holds. Its errors are located in
// the stream, with the path within the element.
func (format) NewArrayDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	return newArrays(r, opts, true)
}

// newArrays returns a decoder of a stream that is one array, or whose arrays may be split.
func newArrays(r io.Reader, opts []Options, one bool) *entry.Arrays {
	d := NewDecoder(r, opts...)
	return &entry.Arrays{
		Decoder: d, Format: "cbor", In: &d.in, One: one,
		Begins: func(c byte) bool { return c&0xe0 == cborwire.Array },
		Open:   d.open,
		Ends:   d.ends,
		Cut:    func() error { return d.broken(cborwire.Short, len(d.in.B)-d.in.Start) },
	}
}

// open reads the tags and the head of an array, and returns how many elements it has, or isOpen.
func (d *Decoder) open() (left int, err error) {
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
				return left, r.finish()
			}
			r.i = len(r.b)
			if left = int(min(n, math.MaxInt)); d.in.B[d.in.Start]&31 == cborwire.Open {
				left = isOpen
			}
			d.in.Start = next
			return left, r.finish()
		case next >= 0:
			r := newReader(d.in.Rest(), nil)
			r.base = d.InputOffset()
			r.bad(0, cborwire.Mismatch, "array")
			return left, r.finish()
		case next != cborwire.Short:
			return 0, d.broken(next, 0)
		case d.in.Err == io.EOF:
			return 0, d.broken(cborwire.Short, len(d.in.B)-d.in.Start)
		case d.in.Err != nil:
			return 0, d.in.Err
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
