package entry

import (
	"cmp"
	"errors"
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/input"
)

// Encoder writes values one by one to a stream. It is a [weft.StreamEncoder].
type Encoder struct {
	W     io.Writer
	Opts  []weft.Options
	Err   error // of the stream
	write WriteFunc
}

// WriteFunc writes a value to w. It tells errors about the value from errors of w.
type WriteFunc func(w io.Writer, v any, opts []weft.Options) (err, broken error)

// NewEncoder returns an Encoder that writes to w by a function.
func NewEncoder(w io.Writer, opts []weft.Options, write WriteFunc) *Encoder {
	return &Encoder{W: w, Opts: append([]weft.Options(nil), opts...), write: write}
}

// Encode writes the encoding of v, in one call. After an error of the stream it returns that and writes no more.
func (e *Encoder) Encode(v any) error {
	if e.Err != nil {
		return e.Err
	}
	var err error
	err, e.Err = e.write(e.W, v, e.Opts)
	return cmp.Or(err, e.Err)
}

// Close returns the error of the stream.
func (e *Encoder) Close() error { return e.Err }

// Decoder reads the values of a stream.
type Decoder interface {
	Decode(v any) error
	More() bool
	InputOffset() int64
	Buffered() []byte
}

// Unknown is the number of the elements of an array that does not say it.
const Unknown = -1

// Arrays reads the elements of arrays in a stream as values of it. It is a [weft.StreamDecoder].
type Arrays struct {
	Decoder
	Format string
	In     *input.Stream
	Begins func(first byte) bool     // reports whether an array comes next
	Open   func() (n int, err error) // reads the head of an array: how many elements follow, or Unknown
	Ends   func() bool               // skips the end of an array with an Unknown number, if that comes next
	Cut    func() error              // keeps and returns the error for a value that is not there
	One    bool                      // the stream is one array

	split, begun bool
	left         int // elements still to come, or Unknown
	err          error
}

// Elements makes the elements of arrays at the top level the values of the stream, in place of the arrays.
func (d *Arrays) Elements() { d.split = true }

// Decode reads the next value, or the next element of an array. After the last it returns io.EOF.
func (d *Arrays) Decode(v any) error {
	if err := d.begin(); err != nil {
		return err
	}
	err := d.Decoder.Decode(v)
	if err == io.EOF && d.left != 0 {
		err = d.Cut()
	}
	if d.One && d.In.Err != nil && d.In.Err != io.EOF {
		d.err = err
	}
	if d.left > 0 {
		d.left--
	}
	return err
}

// begin goes to where the next value begins.
func (d *Arrays) begin() error {
	if !d.One {
		for d.split && d.ended() && d.More() && d.In.Start < len(d.In.B) && d.Begins(d.In.B[d.In.Start]) {
			var err error
			if d.left, err = d.Open(); err != nil {
				return err
			}
		}
		return nil
	}
	if d.err == nil && !d.begun {
		d.begun = true
		d.left, d.err = d.Open()
	}
	if d.err == nil && d.ended() {
		d.err = d.end()
	}
	return d.err
}

// ended reports whether no element of an array is left.
func (d *Arrays) ended() bool {
	if d.left == Unknown && d.Ends() {
		d.left = 0
	}
	return d.left == 0
}

// end makes sure that the array is all there is, and returns io.EOF.
func (d *Arrays) end() error {
	if d.More() && d.In.Err == nil || d.In.Start < len(d.In.B) {
		return &weft.Error{Format: d.Format, Offset: d.InputOffset(), Err: weft.ErrTrailingData}
	}
	return d.In.Err
}

// Close releases what the decoder holds.
func (d *Arrays) Close() error {
	d.err = errors.New(d.Format + ": read after Close")
	return d.In.Close(d.err)
}
