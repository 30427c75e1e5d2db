package cboritem

import (
	"errors"
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// Encoder writes tokens and items to a stream. It flushes its buffer when a top-level item is complete, or when the
// buffer is large.
type Encoder struct {
	w     io.Writer
	buf   []byte
	base  int64 // offset of buf in the stream
	nest  cborwire.Nest
	depth int
	err   error
}

// NewEncoder returns an Encoder that writes to w. The only option that has an effect is [weft.MaxDepth].
func NewEncoder(w io.Writer, opts ...weft.Options) *Encoder {
	return &Encoder{w: w, depth: weft.Join(opts...).Depth()}
}

// pieceSize is how much is collected before it is written.
const pieceSize = 4 << 10

var (
	errPlace = errors.New("token is not allowed here")
	errItem  = errors.New("bytes are not one well-formed item")
)

// WriteToken writes the next token. A token that is not allowed at this position is an error, and nothing is written.
func (e *Encoder) WriteToken(t Token) error {
	if e.err != nil {
		return e.err
	}
	n := len(e.buf)
	b, err := AppendToken(e.buf, t)
	if err != nil {
		return e.fail(errToken)
	}
	switch e.nest.Step(b[n], t.Arg, e.depth) {
	case 0:
		e.buf = b
		return e.piece()
	case cborwire.Deep:
		return e.fail(weft.ErrDepth)
	case cborwire.Short:
		return e.fail(errLarge)
	}
	return e.fail(errPlace)
}

// WriteItem writes a whole item, which must be well-formed.
func (e *Encoder) WriteItem(b []byte) error {
	if e.err != nil {
		return e.err
	}
	if end, _ := cborwire.Skip(b, 0, e.depth-e.nest.Depth()); end != len(b) {
		return e.fail(errItem)
	}
	if !e.nest.Item() {
		return e.fail(errPlace)
	}
	e.buf = append(e.buf, b...)
	return e.piece()
}

// StackDepth returns how many arrays, maps and tags are open.
func (e *Encoder) StackDepth() int { return e.nest.Depth() }

// OutputOffset returns the offset of the next token in the stream.
func (e *Encoder) OutputOffset() int64 { return e.base + int64(len(e.buf)) }

func (e *Encoder) fail(err error) error {
	return &weft.Error{Format: "cbor", Offset: e.OutputOffset(), Err: err}
}

// piece writes what there is, if it is time to.
func (e *Encoder) piece() error {
	if len(e.buf) < pieceSize && !e.nest.Top() {
		return nil
	}
	_, e.err = e.w.Write(e.buf)
	e.base += int64(len(e.buf))
	e.buf = e.buf[:0]
	return e.err
}
