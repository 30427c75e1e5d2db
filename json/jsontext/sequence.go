package jsontext

import (
	"bytes"
	"io"
)

// RecordSeparator precedes each text of a JSON text sequence (RFC 7464 §2.2); see [TextSequence].
const RecordSeparator = 0x1e

// Resync discards the input up to and including the next byte sep, and makes the decoder ready for a top-level value.
// With [RecordSeparator], it continues after a damaged text at the next text of a JSON text sequence; with '\n', at
// the line of NDJSON after the damaged one. Leading whitespace is not searched for sep, because it belongs to the
// value before the damage. At the end of the input the error is [io.EOF].
func (d *Decoder) Resync(sep byte) error {
	if d.text != nil { // what follows the value is not d's to read
		d.broken = io.EOF
		return io.EOF
	}
	d.peeked, d.peekErr, d.broken = 0, nil, nil
	d.state.reset()
	i, err := d.space(d.end, 0)
	if err != nil {
		return err
	}
	d.start, d.end = i, i
	for {
		if i := bytes.IndexByte(d.buf[d.end:d.n], sep); i >= 0 {
			d.end += i + 1
			d.start = d.end
			return nil
		}
		d.end = d.n
		d.start = d.end
		if err := d.fetch(); err != nil {
			return err
		}
	}
}

// separates reports whether a RecordSeparator may stand before the next token.
func (d *Decoder) separates() bool { return d.flags&flagSequence != 0 && len(d.stack) == 0 }
