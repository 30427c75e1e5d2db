package tagged

import (
	"errors"
	"io"
	"reflect"

	"github.com/weftcodec/weft"
)

var _ weft.StreamFormat = Framed

var errNoArray = errors.New("the stream is one value, not the elements of an array")

// MarshalStream writes what m writes to w, all of it at once.
func (f framedFormat) MarshalStream(w io.Writer, m weft.Marshaler, opts ...Options) error {
	return f.MarshalWrite(w, m, opts...)
}

// NewArrayEncoder returns an encoder of the elements of one array, a frame at a
// time: its records are of one type from the beginning, even if there are none.
func (framedFormat) NewArrayEncoder(w io.Writer, t reflect.Type, _ int, opts ...Options) weft.StreamEncoder {
	e := &FrameEncoder{w: w, opts: opts, typed: true}
	p := registryOf(opts).of(reflect.New(t).Interface())
	if p.marshalErr != nil {
		e.err = framedError(-1, p.marshalErr)
	} else {
		e.err = e.open(p.elem)
	}
	return e
}

// NewArrayDecoder returns a decoder of the elements of one array, in the memory of
// a frame.
func (framedFormat) NewArrayDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	d := NewFrameDecoder(r, opts...)
	d.listed = true
	return d
}

// NewEncoder returns a [FrameEncoder] that writes to w.
func (framedFormat) NewEncoder(w io.Writer, opts ...Options) weft.StreamEncoder {
	return NewFrameEncoder(w, opts...)
}

// NewDecoder returns a [FrameDecoder] that reads from r.
func (framedFormat) NewDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	return NewFrameDecoder(r, opts...)
}
