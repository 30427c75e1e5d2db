package json

import (
	"errors"
	"io"

	"github.com/weftcodec/weft"
)

// NewEncoder returns an encoder that writes each value on a line of its own.
func (format) NewEncoder(w io.Writer, opts ...Options) weft.StreamEncoder {
	return &streamEncoder{Encoder{w: w, with: encodingOf(opts)}}
}

// NewDecoder returns a decoder of values with or without whitespace between them.
// Its errors are located in the stream. A value that is JSON and does not fit its
// target is skipped; any other error ends the stream.
func (format) NewDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	return newStreamDecoder(r, opts, false)
}

func newStreamDecoder(r io.Reader, opts []Options, one bool) *streamDecoder {
	d := &streamDecoder{one: one}
	d.dec.open(r, streaming(opts)).split = one
	return d
}

type streamEncoder struct{ Encoder }

func (e *streamEncoder) Close() error { return e.err }

type streamDecoder struct {
	dec   Decoder
	one   bool // the stream is one array
	begun bool // an array has
}

// Elements makes the elements of arrays at the top level the values of the
// stream, in place of the arrays.
func (d *streamDecoder) Elements() { d.dec.split = true }

// element goes to the next value, which may be an element.
func (d *streamDecoder) element() error {
	dec := &d.dec
	for {
		state, at, err := dec.next(dec.state())
		out := dec.text.StackDepth() == 0
		if err == io.EOF && (!out || d.one && !d.begun) {
			return io.ErrUnexpectedEOF
		} else if err != nil {
			return err
		}
		dec.at = at
		switch c := dec.rest()[0]; {
		case d.one && out && (d.begun || c != '['):
			return &weft.Error{Format: "json", Offset: at, Err: pick(d.begun, weft.ErrTrailingData, errNoArray)}
		case out && c == '[', !out && c == ']' && state != scanValue:
			d.begun = true
			if _, err := dec.text.ReadToken(); err != nil {
				return err
			}
		case state == scanElem:
			return newSyntaxError("invalid character "+quoteChar(c)+" "+scanFaults[scanElem].words, at+1)
		default:
			return nil
		}
	}
}

func (d *streamDecoder) Decode(v any) error {
	if dec := &d.dec; dec.split && dec.err == nil {
		if err := d.element(); err != nil {
			return dec.end(err)
		}
	}
	return d.dec.Decode(v)
}

// InputOffset returns the offset behind the value that was read last.
func (d *streamDecoder) InputOffset() int64 { return d.dec.InputOffset() }

func (d *streamDecoder) Close() error {
	d.dec = Decoder{at: d.InputOffset(), err: errClosed}
	return nil
}

var errClosed = errors.New("json: read after Close")
