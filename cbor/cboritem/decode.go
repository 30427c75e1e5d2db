package cboritem

import (
	"errors"
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/input"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// Decoder reads tokens and items from a stream. It holds one token, or one item that is read as a whole, in memory,
// and of that no more than has arrived.
type Decoder struct {
	in    input.Stream
	nest  cborwire.Nest
	scan  cborwire.Scanner
	depth int // levels that are allowed
}

// NewDecoder returns a Decoder that reads from r. The only option that has an effect is [weft.MaxDepth].
func NewDecoder(r io.Reader, opts ...weft.Options) *Decoder {
	return &Decoder{in: input.Stream{Src: r}, depth: weft.Join(opts...).Depth()}
}

// ReadToken reads the next token. Its Data is valid until the next method call. At the end of the stream, between two
// items, it returns io.EOF.
func (d *Decoder) ReadToken() (Token, error) {
	for {
		var t Token
		b := d.in.B
		switch next := t.read(b, d.in.Start); {
		case next >= 0:
			if end := d.nest.Step(b[d.in.Start], t.Arg, d.depth); end < 0 {
				return Token{}, d.broken(end, 0)
			}
			d.in.Start = next
			return t, nil
		case next != cborwire.Short:
			return Token{}, d.broken(next, 0)
		}
		if err := d.fill(); err != nil {
			return Token{}, err
		}
	}
}

// ReadItem reads the next item as a whole and returns its bytes, which are well-formed. They are valid until the next
// method call.
func (d *Decoder) ReadItem() ([]byte, error) {
	scan := func(b []byte) (end, at int) { return d.scan.Scan(b, d.depth-d.nest.Depth()) }
	b, err := d.in.Next(cborwire.Short, scan, func(end, at int) error {
		if end == cborwire.Short {
			return d.fill() // that there is no more
		}
		return d.broken(end, at)
	})
	switch {
	case err == io.EOF:
		return nil, d.fill()
	case err == nil && !d.nest.Item():
		return nil, d.broken(cborwire.Malformed, 0)
	}
	d.in.Start += len(b)
	return b, err
}

// SkipItem reads and discards the next item, token by token.
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

// PeekKind returns the kind of the next token. It is KindInvalid at the end of the stream and before an error, which
// the next call returns.
func (d *Decoder) PeekKind() Kind {
	for d.in.Start == len(d.in.B) {
		if d.fill() != nil {
			return KindInvalid
		}
	}
	switch c := d.in.B[d.in.Start]; {
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

// Left returns how many tokens or items remain at this level: an array of n elements has n, a map of n pairs 2n. It
// is -1 if a break ends the level.
func (d *Decoder) Left() int { return d.nest.Left() }

// InputOffset returns the offset of the next token in the stream.
func (d *Decoder) InputOffset() int64 { return d.in.Offset() }

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
	d.in.Err = &weft.Error{Format: "cbor", Offset: d.InputOffset() + int64(at), Err: err}
	return d.in.Err
}

// fill reads more of the stream, after making room.
func (d *Decoder) fill() error {
	if d.in.Err == nil {
		n := len(d.in.Rest())
		if d.in.Fill(); len(d.in.Rest()) > n {
			return nil // what came with an error comes first
		}
	}
	if d.in.Err == io.EOF && (len(d.in.Rest()) > 0 || !d.nest.Top()) {
		d.in.Err = &weft.Error{Format: "cbor", Offset: d.in.Base + int64(len(d.in.B)), Err: weft.ErrUnexpectedEnd}
	}
	return d.in.Err
}
