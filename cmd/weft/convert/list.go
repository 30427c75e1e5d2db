package convert

import (
	"bufio"
	"errors"
	"strconv"

	"github.com/weftcodec/weft"
)

// list is an array that is written element by element. It is held back where its length stands before it and is
// not known, and where it shows only behind it whether it is the one value of a JSON text.
type list struct {
	c    *converter
	out  *bufio.Writer
	held *spool
	last []byte // of an array that is copied
}

// openList begins an array of n elements, n < 0 for a number that is not known. In the format that is written
// head is how it begins.
func (c *converter) openList(n int, head []byte) *list {
	l := &list{c: c, out: c.out}
	if c.sink == nil { // its elements are records
		c.list = true
		return l
	}
	same, counted := c.from == c.to, c.counted()
	if !same && counted && n < 0 || c.to == JSON && c.records == 0 && c.from != Tagged {
		l.held = new(spool)
		c.out = bufio.NewWriterSize(l.held, 64<<10)
	}
	switch {
	case same:
		c.out.Write(head)
	case c.to == JSON && c.records > 0:
		c.out.WriteString(",\n[")
	case !counted:
		c.out.WriteByte('[')
	case n >= 0:
		c.writeHead(n)
	}
	return l
}

// counted reports whether the number of elements stands before them in what is written.
func (c *converter) counted() bool { return c.to == MessagePack || c.to == CBOR }

// writeHead writes the header of an array of n elements.
func (c *converter) writeHead(n int) {
	var room [16]byte
	if c.to == CBOR {
		c.out.Write(itemHead(room[:0], n, false))
	} else {
		c.out.Write(packHead(room[:0], n, false))
	}
}

// next begins element i.
func (l *list) next(i int) {
	if i > 0 && l.c.sink != nil && !l.c.counted() {
		l.c.out.WriteByte(',')
	}
}

// end ends the array, which has n elements. More reports whether another value follows.
func (l *list) end(n int, more func() bool) error {
	c := l.c
	if c.sink == nil {
		return nil
	}
	switch c.to {
	case JSON:
		c.out.WriteByte(']')
	case NDJSON:
		c.out.WriteString("]\n")
	case c.from:
		c.out.Write(l.last)
	}
	c.records++
	if l.held == nil {
		return nil
	}
	if err := c.out.Flush(); err != nil {
		return err
	}
	c.out = l.out
	if c.to != JSON {
		c.writeHead(n)
	} else if more() {
		c.out.WriteByte('[')
	}
	return l.held.copyTo(c.out)
}

func (l *list) close() {
	if l.held != nil {
		l.held.close()
	}
	l.c.out = l.out
}

// inElement returns err, if it has a path or is about the element for sure, with the
// index of the element before its path.
func (c *converter) inElement(err error, i int, sure bool) error {
	var located *weft.Error
	if !errors.As(err, &located) || located.Path == "" && !sure {
		return err
	}
	moved := *located
	moved.Path = "/" + strconv.Itoa(i) + moved.Path
	return &moved
}
