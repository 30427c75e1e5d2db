package jsontext

import "bytes"

// RecordSeparator stands before each text of a JSON text sequence (RFC 7464 §2.2); see [TextSequence].
const RecordSeparator = 0x1e

// Resync drops the input up to the next byte that is sep and past it, whatever that input is, and
// makes the decoder ready for a top-level value. With [RecordSeparator] it goes on at the next text of a
// JSON text sequence after one that was damaged, with '\n' at the next line of NDJSON. A separator
// that is the next byte of the input after an error is the one that it goes to. At the end of the input
// it returns [io.EOF].
func (d *Decoder) Resync(sep byte) error {
	d.peeked, d.peekErr, d.broken = 0, nil, nil
	d.state.reset()
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

// separates tells whether a RecordSeparator may stand before the next token.
func (d *Decoder) separates() bool { return d.flags&flagSequence != 0 && len(d.stack) == 0 }
