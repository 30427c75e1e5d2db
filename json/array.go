package json

import (
	"errors"
	"io"
	"reflect"

	"github.com/weftcodec/weft"
)

// MarshalStream writes what m writes to w as it comes.
func (format) MarshalStream(w io.Writer, m weft.Marshaler, opts ...Options) error {
	o := encodingOf(opts)
	return weftConfig(o.flags, o.set).Write(w, m)
}

// NewArrayEncoder returns nil: [weft.MarshalStream] writes arrays.
func (format) NewArrayEncoder(io.Writer, reflect.Type, int, ...Options) weft.StreamEncoder {
	return nil
}

// NewArrayDecoder returns a decoder of the elements of the one array that r holds. Its errors are
// located in the stream, with the path within the element.
func (format) NewArrayDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	return &arrayDecoder{streamDecoder: streamDecoder{dec: Decoder{r: r, opts: streaming(opts)}, in: 2}}
}

var errNoArray = errors.New("the stream must be an array")

type arrayDecoder struct {
	streamDecoder
	n int // elements read
}

func (d *arrayDecoder) Decode(v any) error {
	if d.err == nil {
		d.err = d.next()
	}
	if d.err != nil {
		return d.err
	}
	d.n++
	return d.streamDecoder.Decode(v)
}

// next moves to the next element. After the last it returns io.EOF.
func (d *arrayDecoder) next() error {
	dec := &d.dec
	c, err := dec.peek()
	switch {
	case err == io.EOF:
		return d.dec.ended(io.ErrUnexpectedEOF)
	case err != nil:
		return err
	case d.n == 0 && c != '[':
		return d.fault(errNoArray)
	case d.n == 0:
		dec.start++
		if c, err = dec.peek(); err == nil && c != ']' {
			return nil
		}
	case c == ',':
		dec.start++
		return nil
	}
	switch {
	case err == io.EOF:
		return d.dec.ended(io.ErrUnexpectedEOF)
	case err != nil:
		return err
	case c != ']':
		return d.fault(newSyntaxError("invalid character "+quoteChar(c)+" after array element", dec.InputOffset()+1))
	}
	dec.start++
	if _, err = dec.peek(); err == nil {
		return d.fault(weft.ErrTrailingData)
	}
	return err // io.EOF, or an error of the reader
}

// fault returns err at the next byte.
func (d *arrayDecoder) fault(err error) error {
	return &weft.Error{Format: "json", Offset: d.dec.InputOffset(), Err: err}
}
