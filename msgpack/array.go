package msgpack

import (
	"io"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// MarshalStream writes what m writes to w as it comes.
func (format) MarshalStream(w io.Writer, m weft.Marshaler, opts ...Options) error {
	s := newEncoder(opts)
	s.config.Flags, s.config.MaxDepth = s.flags, s.maxDepth
	err := s.config.Write(w, m)
	s.release()
	return err
}

// NewArrayEncoder returns nil: [weft.MarshalStream] writes arrays.
func (format) NewArrayEncoder(io.Writer, reflect.Type, int, ...Options) weft.StreamEncoder {
	return nil
}

// NewArrayDecoder returns a decoder of the elements of the one array that r holds.
// Its errors are located in the stream, with the path within the element.
func (format) NewArrayDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	return &arrayDecoder{Decoder: NewDecoder(r, opts...)}
}

type arrayDecoder struct {
	*Decoder
	begun bool
	left  int // elements still to come
	err   error
}

// Decode reads the next element. After the last it returns io.EOF.
func (d *arrayDecoder) Decode(v any) error {
	if d.err == nil && !d.begun {
		d.err = d.begin()
		d.begun = true
	}
	if d.err == nil && d.left == 0 {
		d.err = d.end()
	}
	if d.err != nil {
		return d.err
	}
	err := d.Decoder.Decode(v)
	if err == io.EOF {
		err = d.broken(packwire.Short, len(d.in.B)-d.in.Start)
	}
	if d.Decoder.in.Err != nil && d.Decoder.in.Err != io.EOF {
		d.err = err
	}
	d.left--
	return err
}

// begin reads the header of the array.
func (d *arrayDecoder) begin() error {
	for {
		n, next := packwire.ReadArray(d.in.Rest(), 0)
		switch {
		case next >= 0:
			d.left = n
			d.in.Start += next
			return nil
		case next != packwire.Short:
			return d.broken(next, 0)
		case d.Decoder.in.Err == io.EOF:
			return d.broken(packwire.Short, 0)
		case d.Decoder.in.Err != nil:
			return d.Decoder.in.Err
		}
		d.in.Fill()
	}
}

// end makes sure that the array is all there is, and returns io.EOF.
func (d *arrayDecoder) end() error {
	if d.More() && d.Decoder.in.Err == nil || d.in.Start < len(d.in.B) {
		return &weft.Error{Format: "msgpack", Offset: d.InputOffset(), Err: weft.ErrTrailingData}
	}
	return d.Decoder.in.Err
}

// Close releases what the decoder holds.
func (d *arrayDecoder) Close() error {
	d.err = errClosed
	return d.in.Close(errClosed)
}
