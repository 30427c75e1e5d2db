package convert

import (
	"bufio"
	"errors"
	"io"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/wire/packwire"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

// elements converts an array at the top of a JSON text, element by element.
func (c *converter) elements() error {
	dec := json.Format.NewArrayDecoder(c.in)
	defer dec.Close()
	c.list = true
	var held *spool
	out := c.out
	switch c.to {
	case JSON:
		out.WriteByte('[')
		c.between = ","
	case MessagePack, CBOR: // the number of elements stands first
		held = new(spool)
		defer held.close()
		c.out = bufio.NewWriterSize(held, 64<<10)
	}
	var raw json.RawMessage
	n := 0
	for ; ; n++ {
		err := dec.Decode(&raw)
		if err == io.EOF {
			break
		} else if err != nil {
			return c.inElement(err, n, false)
		}
		c.base = dec.(interface{ InputOffset() int64 }).InputOffset() - int64(len(raw))
		if err := c.json(raw); err != nil {
			return c.inElement(err, n, true)
		}
	}
	switch c.to {
	case JSON:
		out.WriteString("]\n")
	case MessagePack, CBOR:
		if err := c.out.Flush(); err != nil {
			return err
		}
		c.out = out
		c.writeHead(n)
		return held.copyTo(out)
	}
	return nil
}

// packed converts the MessagePack array that c.in is at, element by element: the one
// value of a JSON text or of a file, or a line.
func (c *converter) packed() error {
	head, err := c.in.Peek(9)
	if len(head) == 0 {
		return err
	}
	_, next, n := packwire.Head(head, 0)
	if next < 0 { // cut off within its length
		return &weft.Error{Format: "msgpack", Offset: c.base, Err: weft.ErrUnexpectedEnd}
	}
	l := c.openList(n, head[:next])
	defer l.close()
	c.in.Discard(next)
	c.base += int64(next)
	var value []byte
	for i := range n {
		if value, err = readValue(c.in, value[:0]); err == io.EOF {
			err = &weft.Error{Format: "msgpack", Offset: c.base, Path: "/" + strconv.Itoa(i), Err: weft.ErrUnexpectedEnd}
			return err
		} else if err != nil && !errors.Is(err, weft.ErrUnexpectedEnd) {
			return err
		}
		l.next(i)
		if err := msgpack.Read(value, element{c}); err != nil {
			return c.inElement(c.locate(err), i, true)
		}
		c.base += int64(len(value))
	}
	return l.end(n, func() bool { _, err := c.in.Peek(1); return err == nil })
}

// element is a part of a record as the formats' readers call it.
type element struct{ c *converter }

// ReadMsgpack converts the value that r is at.
func (v element) ReadMsgpack(r *msgpack.Reader) error { return v.convert(r) }

// convert converts the value that r is at.
func (v element) convert(r backend.Reader) error {
	c := v.c
	if c.sink == nil {
		return c.keep(r)
	}
	c.sink.reset()
	if c.from == c.to {
		c.sink.raw(r.Raw())
	} else {
		c.value(r)
	}
	if err := r.Err(); err != nil {
		return err
	}
	c.report(r)
	if s, ok := c.sink.(*textSink); ok {
		c.out.Write(s.b)
	} else {
		c.sink.flush(c.out)
	}
	_, err := c.out.Write(nil)
	return err
}
