package convert

import (
	"bufio"
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// readValue appends the bytes of the next MessagePack value to b. At the end of
// the input it returns io.EOF, within a value weft.ErrUnexpectedEnd with the
// bytes that are there. What the value holds is checked by whoever reads it;
// here only its end is looked for. Memory grows with the bytes that are there,
// and not with nesting: it is enough to count the values still due.
func readValue(r *bufio.Reader, b []byte) ([]byte, error) {
	if _, err := r.Peek(1); err != nil {
		return b, err
	}
	for due := uint64(1); due > 0; due-- {
		head, err := r.Peek(9) // no header is longer
		if len(head) == 0 || err != nil && err != io.EOF {
			return b, ended(err)
		}
		class, next, n := packwire.Head(head, 0)
		if next < 0 { // cut off, or a byte that begins no value: the rest will not do
			b = append(b, head...)
			_, err = r.Discard(len(head))
			if err == nil {
				err = weft.ErrUnexpectedEnd
			}
			return b, err
		}
		b = append(b, head[:next]...)
		if _, err := r.Discard(next); err != nil {
			return b, err
		}
		switch class {
		case packwire.ClassStr, packwire.ClassBin, packwire.ClassExt:
			if b, err = readBytes(r, b, n); err != nil {
				return b, ended(err)
			}
		case packwire.ClassArray:
			due += uint64(n)
		case packwire.ClassMap:
			due += 2 * uint64(n)
		}
	}
	return b, nil
}

// readBytes appends n bytes of r to b, as they come.
func readBytes(r *bufio.Reader, b []byte, n int) ([]byte, error) {
	for n > 0 {
		if _, err := r.Peek(1); err != nil {
			return b, err
		}
		part, err := r.Peek(min(n, r.Buffered()))
		if err != nil {
			return b, err
		}
		b = append(b, part...)
		n -= len(part)
		if _, err := r.Discard(len(part)); err != nil {
			return b, err
		}
	}
	return b, nil
}

// ended makes of the end of the input an error of the value it ends in.
func ended(err error) error {
	if err == io.EOF {
		return weft.ErrUnexpectedEnd
	}
	return err
}
