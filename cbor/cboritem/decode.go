package cboritem

import (
	"errors"
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/input"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// Decoder reads tokens and items from a stream. It holds one token, or one item that is read as a whole,
// in memory: no more than what has arrived of it.
type Decoder struct {
	src   io.Reader
	buf   input.Buffer
	start int   // of the next token in buf
	base  int64 // offset of buf in the stream
	nest  cborwire.Nest
	scan  cborwire.Scanner
	depth int // levels that are allowed
	err   error
}

// NewDecoder returns a Decoder that reads from r. Of the options [weft.MaxDepth] counts.
func NewDecoder(r io.Reader, opts ...weft.Options) *Decoder {
	return &Decoder{src: r, depth: weft.Join(opts...).Depth()}
}

// ReadToken reads the next token. Its Data is valid until the next call of a method. At the end of the
// stream, between two items, it returns io.EOF.
func (d *Decoder) ReadToken() (Token, error) {
	for {
		var t Token
		b := d.buf.B
		switch next := t.read(b, d.start); {
		case next >= 0:
			if end := d.nest.Step(b[d.start], t.Arg, d.depth); end < 0 {
				return Token{}, d.broken(end, 0)
			}
			d.start = next
			return t, nil
		case next != cborwire.Short:
			return Token{}, d.broken(next, 0)
		}
		if err := d.fill(); err != nil {
			return Token{}, err
		}
	}
}

// ReadItem reads the next item as a whole and returns its bytes, which are well-formed and valid until the
// next call of a method.
func (d *Decoder) ReadItem() ([]byte, error) {
	for {
		end, at := d.scan.Scan(d.buf.B[d.start:], d.depth-d.nest.Depth())
		switch {
		case end >= 0:
			if !d.nest.Item() {
				return nil, d.broken(cborwire.Malformed, 0)
			}
			b := d.buf.B[d.start : d.start+end : d.start+end]
			d.start += end
			return b, nil
		case end != cborwire.Short:
			return nil, d.broken(end, at)
		}
		if err := d.fill(); err != nil {
			return nil, err
		}
	}
}

// SkipItem reads the next item and drops it, token by token.
func (d *Decoder) SkipItem() error {
	depth, top := d.nest.Depth(), d.nest.Top()
	if d.PeekKind() == KindBreak || d.nest.InString() {
		return d.broken(cborwire.Malformed, 0)
	}
	for {
		switch _, err := d.ReadToken(); {
		case err != nil:
			return err
		case d.nest.InString():
		case top && d.nest.Top(), !top && d.nest.Depth() <= depth:
			return nil
		}
	}
}

// PeekKind returns the kind of the next token, KindInvalid at the end of the stream and before an error,
// which the next call returns.
func (d *Decoder) PeekKind() Kind {
	for d.start == len(d.buf.B) {
		if d.fill() != nil {
			return KindInvalid
		}
	}
	switch c := d.buf.B[d.start]; {
	case c == cborwire.Break:
		return KindBreak
	case c > cborwire.Simple8:
		return KindFloat
	default:
		return kinds[c>>5]
	}
}

// StackDepth returns how many arrays, maps and tags are open.
func (d *Decoder) StackDepth() int { return d.nest.Depth() }

// Left returns how many tokens or items come next at this level, an array of n elements having n, a map of
// n pairs 2n. It is -1 where a break ends the level.
func (d *Decoder) Left() int { return d.nest.Left() }

// InputOffset returns the offset of the next token in the stream.
func (d *Decoder) InputOffset() int64 { return d.base + int64(d.start) }

var (
	errMalformed = errors.New("byte cannot begin an item here")
	errLarge     = errors.New("more than the memory of this machine")
)

// broken returns, and keeps, the error for what is not well-formed at index at of the next token.
func (d *Decoder) broken(end, at int) error {
	var err error
	switch end {
	case cborwire.Deep:
		err = weft.ErrDepth
	case cborwire.Short:
		err = errLarge
	default:
		err = errMalformed
	}
	d.err = &weft.Error{Format: "cbor", Offset: d.InputOffset() + int64(at), Err: err}
	return d.err
}

// fill reads more of the stream, after making room.
func (d *Decoder) fill() error {
	if d.err == nil {
		if d.start > 0 && (d.start == len(d.buf.B) || d.start > cap(d.buf.B)/2) {
			n := copy(d.buf.B, d.buf.B[d.start:])
			d.base += int64(d.start)
			d.buf.B, d.start = d.buf.B[:n], 0
		}
		n := len(d.buf.B)
		d.err = d.buf.More(d.src)
		if len(d.buf.B) > n {
			return nil // what came with an error comes first
		}
	}
	if d.err == io.EOF && (d.start < len(d.buf.B) || !d.nest.Top()) {
		d.err = &weft.Error{Format: "cbor", Offset: d.base + int64(len(d.buf.B)), Err: weft.ErrUnexpectedEnd}
	}
	return d.err
}
