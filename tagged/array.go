package tagged

import (
	"errors"
	"io"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
)

var _ weft.StreamFormat = Framed

var errNoArray = errors.New("the stream is one value, not the elements of an array")

// MarshalStream writes what m writes to w, all of it at once.
func (f framedFormat) MarshalStream(w io.Writer, m weft.Marshaler, opts ...Options) error {
	return f.MarshalWrite(w, m, opts...)
}

// NewArrayEncoder returns an encoder of the elements of one array, a frame at a
// time.
func (framedFormat) NewArrayEncoder(w io.Writer, t reflect.Type, _ int, opts ...Options) weft.StreamEncoder {
	e := &arrayEncoder{FrameEncoder{w: w, opts: opts}}
	p := registryOf(opts).of(reflect.New(t).Interface())
	if p.marshalErr != nil {
		e.err = framedError(-1, p.marshalErr)
	} else {
		e.err = e.open(p.elem)
	}
	return e
}

// arrayEncoder is a FrameEncoder whose records are of one type from the beginning,
// even if there are none, and whatever they lead to.
type arrayEncoder struct{ FrameEncoder }

// Encode adds the element that v points to.
func (e *arrayEncoder) Encode(v any) error {
	switch {
	case e.err != nil:
		return e.err
	case e.closed:
		return framedError(-1, errClosed)
	}
	if p := registryOf(e.opts).of(v); p.enc != plan.Pointer || p.elem != e.p {
		return framedError(-1, errAnother)
	}
	e.fw.one(e.fw.layout.root, mem.PtrOf(v))
	e.fw.at = 0
	return e.added(1)
}

// NewArrayDecoder returns a decoder of the elements of one array, in the memory of
// a frame.
func (framedFormat) NewArrayDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	return &arrayDecoder{FrameDecoder: NewFrameDecoder(r, opts...)}
}

// arrayDecoder is a FrameDecoder of what is a list.
type arrayDecoder struct {
	*FrameDecoder
	begun bool
}

// Decode reads the next element. After the last it returns io.EOF.
func (d *arrayDecoder) Decode(v any) error {
	if !d.begun {
		d.begun = true
		if single, err := d.Single(); err != nil {
			d.failed = err
		} else if single {
			d.failed = framedError(0, errNoArray)
		}
	}
	return d.FrameDecoder.Decode(v)
}

// NewEncoder returns a [FrameEncoder] that writes to w.
func (framedFormat) NewEncoder(w io.Writer, opts ...Options) weft.StreamEncoder {
	return NewFrameEncoder(w, opts...)
}

// NewDecoder returns a [FrameDecoder] that reads from r.
func (framedFormat) NewDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	return NewFrameDecoder(r, opts...)
}
