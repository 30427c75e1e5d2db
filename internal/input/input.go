// Package input reads from an io.Reader into memory that grows with the bytes that arrive and is reused.
package input

import (
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/weftcodec/weft/internal/mem"
)

// Buffer is memory for input. The zero Buffer is ready for use.
type Buffer struct {
	B     []byte
	spare mem.Spare
}

var buffers = sync.Pool{New: func() any { return new(Buffer) }}

// Take returns an empty Buffer, which goes back by Release.
func Take() *Buffer { return buffers.Get().(*Buffer) }

// Release gives back a Buffer, unless it is much larger than inputs are. Nothing
// must point into it any more.
func (p *Buffer) Release() {
	outgrown := p.outgrown()
	p.B = p.B[:0]
	if !outgrown {
		buffers.Put(p)
	}
}

// outgrown reports whether p has much more memory than is needed.
func (p *Buffer) outgrown() bool { return p.spare.Drop(cap(p.B), len(p.B)) }

// ReadAll reads src to its end.
func (p *Buffer) ReadAll(src io.Reader) error {
	for {
		err := p.More(src)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// minRead is the least spare capacity that a read is given.
const minRead = 512

var errCount = errors.New("reader returned an impossible count")

// room is how much more there is to be room for behind n bytes. While they are few it is three times as much, since
// what has been outgrown is lost: a few KB that come byte by byte take no ten times as many.
func room(n int) int {
	if n < 8<<10 {
		return 3 * n
	}
	return n
}

// More reads once from src, behind what there is.
func (p *Buffer) More(src io.Reader) error {
	if cap(p.B)-len(p.B) < minRead {
		p.B = slices.Grow(p.B, minRead+room(len(p.B)))
	}
	for range 100 {
		n, err := src.Read(p.B[len(p.B):cap(p.B)])
		if n < 0 || n > cap(p.B)-len(p.B) {
			return errCount
		}
		p.B = p.B[:len(p.B)+n]
		if n > 0 || err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}
