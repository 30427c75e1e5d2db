package weft

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"

	"github.com/weftcodec/weft/internal/setting"
)

// pour is where an Encoder writes to in pieces.
type pour struct {
	w      io.Writer
	hold   int // containers that are open and whose headers may change
	pieces int // written
}

// pieceSize is how much is collected before it is written.
const pieceSize = 32 << 10

var errAnnounced = errors.New("the array has another number of elements than announced, and is written in part")

// piece writes what there is, if it is enough and cannot change any more. It is
// called between two elements.
func (e *Encoder) piece() {
	if len(e.b) < pieceSize || e.err != nil {
		return
	}
	if e.syn == setting.SyntaxJSON || e.syn == setting.SyntaxMsgpack && e.pour.hold == 0 {
		e.flush()
	}
}

func (e *Encoder) flush() {
	if _, err := e.pour.w.Write(e.b); err != nil {
		e.err = err
	}
	e.b = e.b[:0]
	e.pour.pieces++
}

// Write writes to w what m writes, in pieces: it flushes between the elements of an array, and in JSON between the
// members of a map. If there is an error, a part may already have been written. It is for format packages.
func (c *EncoderConfig) Write(w io.Writer, m Marshaler) error {
	e := encoders.Get().(*Encoder)
	e.start(c, nil, 0)
	e.pour = &pour{w: w}
	e.run(m)
	if e.err == nil {
		e.flush()
	}
	err := e.err
	e.stop()
	return err
}

// MarshalStream writes to w what m writes, in pieces if the format can do so: an array of any length takes constant
// memory. In JSON the array may be anywhere in what m itself writes. In MessagePack, whose headers count what
// follows, the length of the array and of each array around it must be known in advance, and no object may be around
// it. If there is an error, a part may already have been written.
func MarshalStream(w io.Writer, f Format, m Marshaler, opts ...Options) error {
	if s, ok := f.(StreamFormat); ok {
		return s.MarshalStream(w, m, opts...)
	}
	return f.MarshalWrite(w, m, opts...)
}

// elements is an array whose elements come from a sequence.
type elements[T any] struct {
	n   int
	seq iter.Seq[T]
}

// MarshalWeft implements Marshaler.
func (s elements[T]) MarshalWeft(e *Encoder) error {
	a := e.Array(s.n)
	for v := range s.seq {
		a.Next()
		if e.Value(&v) != nil {
			break
		}
	}
	return a.End()
}

// WriteArray writes an array of the elements of seq to w. n is their number, or negative if it is not known. A format
// in which an array begins with its length needs to know n to write in constant memory.
func WriteArray[T any](w io.Writer, f Format, n int, seq iter.Seq[T], opts ...Options) error {
	if sf, ok := f.(StreamFormat); ok {
		if enc := sf.NewArrayEncoder(w, reflect.TypeFor[T](), n, opts...); enc != nil {
			return writeElements(enc, seq)
		}
	}
	return MarshalStream(w, f, elements[T]{n, seq}, opts...)
}

func writeElements[T any](enc StreamEncoder, seq iter.Seq[T]) error {
	for v := range seq {
		if err := enc.Encode(&v); err != nil {
			return err
		}
	}
	return enc.Close()
}

// ReadArray reads the elements of an array from r. If f is a [StreamFormat] that can read elements one by one, it
// needs the memory of one element; otherwise it reads the whole array first. The first error ends the sequence.
func ReadArray[T any](r io.Reader, f Format, opts ...Options) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var d StreamDecoder
		if sf, ok := f.(StreamFormat); ok {
			d = sf.NewArrayDecoder(r, opts...)
		}
		if d == nil {
			readWhole(r, f, opts, yield)
			return
		}
		defer d.Close()
		for i := 0; ; i++ {
			var v T
			err := d.Decode(&v)
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(v, inElement(err, i))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}

// readWhole is ReadArray of what has been read at once.
func readWhole[T any](r io.Reader, f Format, opts []Options, yield func(T, error) bool) {
	var list []T
	if err := f.UnmarshalRead(r, &list, opts...); err != nil {
		var none T
		yield(none, err)
		return
	}
	for _, v := range list {
		if !yield(v, nil) {
			return
		}
	}
}

// inElement returns err with the index of the element before its path, unless it
// has no path.
func inElement(err error, i int) error {
	if e, ok := err.(*Error); ok {
		moved := *e
		moved.Path = fmt.Sprintf("/%d", i) + e.Path
		return &moved
	}
	return err
}
