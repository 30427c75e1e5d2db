package file

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"sync"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/jobs"
	"github.com/weftcodec/weft/json"
)

// loader reads all records of a stream.
type loader struct {
	settings
	format records
	target target
	spread bool                                    // JSON values do not each stand on a line
	size   int64                                   // of what is read, 0 when not known
	skip   func(b []byte) (rest []byte, err error) // a value; of formats whose values stand one after another
}

// load reads the records of r into the target.
func (l *loader) load(r io.Reader) error {
	var parts []reflect.Value
	var err error
	if !l.spread && l.format.StreamFormat == json.Format {
		parts, err = l.pieces(r, lastLine, l.lines)
	} else if l.skip = skipOf(l.format.StreamFormat); l.skip != nil {
		parts, err = l.pieces(r, l.lastValue, l.values)
	} else {
		parts, err = l.stream(r)
	}
	if err != nil {
		return err
	}
	if len(parts) == 1 {
		l.target.set(parts[0])
		return nil
	}
	n := 0
	for _, p := range parts {
		n += p.Len()
	}
	list := reflect.MakeSlice(l.target.slice.Type(), n, n)
	n = 0
	for _, p := range parts {
		n += reflect.Copy(list.Slice(n, list.Len()), p)
	}
	l.target.set(list)
	return nil
}

// stream reads the records one by one.
func (l *loader) stream(r io.Reader) ([]reflect.Value, error) {
	dec := l.format.NewDecoder(r, l.opts...)
	defer dec.Close()
	list := reflect.New(l.target.slice.Type()).Elem()
	for n := 0; ; n++ {
		extend(list)
		switch err := dec.Decode(list.Index(n).Addr().Interface()); {
		case err == io.EOF:
			list.Index(n).SetZero()
			return []reflect.Value{list.Slice(0, n)}, nil
		case err != nil:
			return nil, &Error{Record: n + 1, Err: err}
		}
	}
}

// part is what a piece of the file gives.
type part struct {
	list  reflect.Value
	lines int // in the piece
	err   error
	at    int // record of the error in the piece, from 0
	line  int // its line in the piece, from 0
}

// extend makes a slice, which can be set, longer by one element.
func extend(list reflect.Value) {
	n := list.Len()
	if n == list.Cap() {
		list.Grow(1)
	}
	list.SetLen(n + 1)
}

// pieces reads the file in pieces of whole records, each a job.
//
// whole returns the length of the whole records that b begins with; read reads
// those of a piece, whose offset is base.
func (l *loader) pieces(
	r io.Reader, whole func(b []byte) int, read func(b []byte, base int64) part,
) ([]reflect.Value, error) {
	keep := weft.Join(l.opts...).Flags(0)&weft.AliasInput(true).Flags(0) != 0
	c := cutter{r: r, whole: whole, piece: l.piece, size: l.size, keep: keep}
	var list []reflect.Value
	records, lines := 0, 0
	consume := func(p part) error {
		if p.err != nil {
			e := &Error{Record: records + p.at + 1, Err: p.err}
			if l.format.lines() {
				e.Line = lines + p.line + 1
			}
			return e
		}
		records += p.list.Len()
		lines += p.lines
		list = append(list, p.list)
		return nil
	}
	b, base, err := c.next()
	if c.ended || l.workers == 1 {
		for len(b) > 0 && err == nil {
			p := read(b, base)
			c.give(b)
			if err := consume(p); err != nil {
				return nil, err
			}
			b, base, err = c.next()
		}
	} else if err == nil {
		err = jobs.Run(l.workers, func(emit func(func() part) bool) error {
			for len(b) > 0 && err == nil {
				piece, at := b, base
				if !emit(func() part {
					defer c.give(piece)
					return read(piece, at)
				}) {
					return nil
				}
				b, base, err = c.next()
			}
			return err
		}, consume)
	}
	if err != nil {
		var already *Error
		if !errors.As(err, &already) {
			err = &Error{Record: records + 1, Err: err}
		}
		return nil, err
	}
	return list, nil
}

// cutter cuts a stream into pieces of whole records.
type cutter struct {
	r     io.Reader
	whole func(b []byte) int
	rest  []byte // read behind the last piece
	base  int64  // of rest
	err   error  // of the reader
	ended bool   // no piece is left
	piece int    // about how much is read
	size  int64  // of all, 0 when not known
	keep  bool   // results point into pieces
	mu    sync.Mutex
	free  [][]byte // pieces to use again, which go with the cutter
}

// next returns the next piece and its offset; it is empty at the end. The last
// piece may end within a record.
func (c *cutter) next() ([]byte, int64, error) {
	if c.ended {
		return nil, 0, nil
	}
	b := c.take()
	b = append(b, c.rest...)
	for {
		if c.err == nil && len(b) < cap(b) {
			var n int
			n, c.err = io.ReadFull(c.r, b[len(b):cap(b)])
			b = b[:len(b)+n]
			if c.err == io.ErrUnexpectedEOF {
				c.err = io.EOF
			}
		}
		if c.err != nil && c.err != io.EOF {
			// What is whole comes first.
			err := c.err
			if n := c.whole(b); n > 0 {
				return c.cut(b, n)
			}
			c.ended = true
			return nil, 0, err
		}
		if c.err == io.EOF {
			c.ended = true
			return b, c.base, nil
		}
		if n := c.whole(b); n > 0 {
			return c.cut(b, n)
		}
		b = slices.Grow(b, len(b)) // as much as is there
	}
}

// cut returns the first n bytes of b and keeps the others.
func (c *cutter) cut(b []byte, n int) ([]byte, int64, error) {
	c.rest = append(c.rest[:0], b[n:]...)
	base := c.base
	c.base += int64(n)
	return b[:n], base, nil
}

func (c *cutter) take() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.free); n > 0 {
		b := c.free[n-1]
		c.free = c.free[:n-1]
		if cap(b) > len(c.rest) {
			return b[:0]
		}
	}
	n := c.piece
	if c.size > 0 && c.size < int64(n) {
		n = int(c.size) + 1 // the end shows with a byte more
	}
	return make([]byte, 0, max(n, 2*len(c.rest)))
}

// give gives back a piece that has been read.
func (c *cutter) give(b []byte) {
	if c.keep {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = append(c.free, b)
}

// lastLine returns the length of the whole lines of b.
func lastLine(b []byte) int { return bytes.LastIndexByte(b, '\n') + 1 }

// lines reads the lines of b.
func (l *loader) lines(b []byte, base int64) part {
	n := bytes.Count(b, []byte{'\n'})
	p := part{lines: n, list: reflect.MakeSlice(l.target.slice.Type(), n+1, n+1)}
	n = 0
	for off := 0; off < len(b); p.line++ {
		end, last := len(b), true
		if i := bytes.IndexByte(b[off:], '\n'); i >= 0 {
			end, last = off+i, false
		}
		if line := b[off:end]; len(bytes.TrimLeft(line, " \t\r")) > 0 {
			if err := l.format.StreamFormat.Unmarshal(line, p.list.Index(n).Addr().Interface(), l.opts...); err != nil {
				if last {
					err = atEnd(line, err)
				}
				p.err, p.at = moved(err, base+int64(off)), n
				return p
			}
			n++
		}
		off = end + 1
	}
	p.list = p.list.Slice(0, n)
	return p
}

// lastValue returns the length of the whole values of b. One that is
// not well-formed ends the piece, whose reader finds it.
func (l *loader) lastValue(b []byte) int {
	rest := b
	for len(rest) > 0 {
		next, err := l.skip(rest)
		if errors.Is(err, weft.ErrUnexpectedEnd) {
			break
		} else if err != nil {
			return len(b)
		}
		rest = next
	}
	return len(b) - len(rest)
}

// values reads the values of b.
func (l *loader) values(b []byte, base int64) part {
	var p part
	list := reflect.New(l.target.slice.Type()).Elem()
	off, n := 0, 0
	for ; off < len(b); n++ {
		rest, err := l.skip(b[off:])
		if n == sampled {
			list.Grow(len(b) / (off/n + 1)) // the others are about as large
		}
		extend(list)
		end := len(b) - len(rest)
		if err == nil {
			err = l.format.StreamFormat.Unmarshal(b[off:end], list.Index(n).Addr().Interface(), l.opts...)
		}
		if err != nil {
			p.err, p.at = moved(err, base+int64(off)), n
			return p
		}
		off = end
	}
	p.list = list.Slice(0, n)
	return p
}
