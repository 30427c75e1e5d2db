package input

import (
	"errors"
	"io"
)

// Ahead is how many bytes [Find] shows of what may be an item, unless the input ends before.
const Ahead = 64

// perByte and atLeast bound what [Find] reads to look at possible items: bytes for each byte of the input, and in all.
const (
	perByte = 64
	atLeast = 64 << 20
)

// Find returns the offset of the first whole item in the bytes of r from from up to size, or -1. begins reports
// whether an item may begin with b, the first of rest bytes up to size; whole reports whether in begins with an item.
// Find needs 64 KiB of memory. If it would have to read much more than there is, because possible items overlap, it
// returns the offset of one that it could not examine.
func Find(
	r io.ReaderAt, from, size int64, begins func(b []byte, rest int64) bool, whole func(in *io.SectionReader) bool,
) (int64, error) {
	g := &guard{r: r, left: atLeast + perByte*(size-from)}
	window := make([]byte, min(64<<10, max(size-from, 0)))
	for at := from; at < size; {
		b := window[:min(int64(len(window)), size-at)]
		if _, err := r.ReadAt(b, at); err != nil && err != io.EOF {
			return -1, err
		}
		for last := at+int64(len(b)) == size; len(b) >= Ahead || last && len(b) > 0; b = b[1:] {
			if begins(b[:min(len(b), Ahead)], size-at) {
				found := whole(io.NewSectionReader(g, at, size-at))
				if found || g.err == errTooMuch {
					return at, nil
				} else if g.err != nil {
					return -1, g.err
				}
			}
			at++
		}
	}
	return -1, nil
}

var errTooMuch = errors.New("too much would have to be read")

// guard is a reader that bounds what is read, and keeps the error.
type guard struct {
	r    io.ReaderAt
	left int64
	err  error
}

func (g *guard) ReadAt(b []byte, off int64) (n int, err error) {
	if g.left -= int64(len(b)); g.left < 0 {
		g.err = errTooMuch
		return 0, g.err
	}
	if n, err = g.r.ReadAt(b, off); err != nil && err != io.EOF {
		g.err = err
	}
	return n, err
}
