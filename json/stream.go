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
	return &streamDecoder{dec: Decoder{r: r, opts: streaming(opts)}}
}

type streamEncoder struct{ Encoder }

func (e *streamEncoder) Close() error { return e.err }

type streamDecoder struct {
	dec   Decoder
	split bool // the elements of arrays at the top are values
	one   bool // the stream is one array
	begun bool // an array has
	in    int  // 0 outside, 1 at the first element of such an array, 2 behind one
}

// Elements makes the elements of arrays at the top level the values of the
// stream, in place of the arrays.
func (d *streamDecoder) Elements() { d.split = true }

// element goes to the next value, which may be an element.
func (d *streamDecoder) element() error {
	dec := &d.dec
	for {
		c, err := dec.peek()
		switch {
		case err == io.EOF && (d.in > 0 || d.one && !d.begun):
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		case d.one && d.in == 0 && (d.begun || c != '['):
			return &weft.Error{Format: "json", Offset: dec.InputOffset(), Err: pick(d.begun, weft.ErrTrailingData, errNoArray)}
		case d.in == 0 && c == '[':
			d.in, d.begun = 1, true
		case d.in == 0 || d.in == 1 && c != ']':
			d.in *= 2
			return nil
		case c == ']':
			d.in = 0
		case c == ',':
			dec.start++
			return nil
		default:
			dec.scan.n = dec.InputOffset() + 1
			return newSyntaxError("invalid character "+quoteChar(c)+" "+scanFaults[scanElem].words, dec.scan.n)
		}
		dec.start++
	}
}

func (d *streamDecoder) Decode(v any) error {
	dec := &d.dec
	if d.split && dec.err == nil {
		err := d.element()
		if dec.inside = d.in > 0; err != nil {
			dec.scan.n = max(dec.scan.n, dec.InputOffset())
			dec.err = dec.ended(err)
		}
	}
	return dec.Decode(v)
}

// InputOffset returns the offset behind the value that was read last.
func (d *streamDecoder) InputOffset() int64 { return d.dec.InputOffset() }

func (d *streamDecoder) Close() error {
	d.dec.buf, d.dec.start, d.dec.err = nil, 0, errClosed
	return nil
}

var errClosed = errors.New("json: read after Close")
