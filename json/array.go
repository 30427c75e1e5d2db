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
	return &streamDecoder{dec: Decoder{r: r, opts: streaming(opts)}, split: true, one: true}
}

var errNoArray = errors.New("the stream must be an array")
