package convert

import (
	"bufio"
	"errors"
	"io"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/packwire"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

// elements converts an array at the top of a JSON text, element by element.
func (c *converter) elements() error {
	dec := json.Format.(weft.ArrayFormat).NewArrayDecoder(c.in)
	defer dec.Close()
	c.list = true
	var held *spool
	out := c.out
	switch c.to {
	case JSON:
		out.WriteByte('[')
		c.between = ","
	case MessagePack: // the number of elements stands first
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
	case MessagePack:
		if err := c.out.Flush(); err != nil {
			return err
		}
		c.out = out
		var head [8]byte
		out.Write(msgpack.AppendArrayHeader(head[:0], n))
		return held.copyTo(out)
	}
	return nil
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
	out := c.out
	var held *spool
	if c.to == JSON && c.records == 0 { // whether it is the only value shows behind it
		held = new(spool)
		defer held.close()
		c.out = bufio.NewWriterSize(held, 64<<10)
	} else if c.to == JSON {
		c.out.WriteString(",\n")
	}
	if c.to == MessagePack {
		c.out.Write(head[:next])
	} else {
		c.out.WriteByte('[')
	}
	c.in.Discard(next)
	begin := c.base
	c.base += int64(next)
	var value []byte
	for i := range n {
		if value, err = readValue(c.in, value[:0]); err == io.EOF {
			err = &weft.Error{Format: "msgpack", Offset: c.base, Path: "/" + strconv.Itoa(i), Err: weft.ErrUnexpectedEnd}
			return err
		} else if err != nil && !errors.Is(err, weft.ErrUnexpectedEnd) {
			return err
		}
		if i > 0 && c.to != MessagePack {
			c.out.WriteByte(',')
		}
		if err := msgpack.Read(value, element{c}); err != nil {
			return c.inElement(c.locate(err), i, true)
		}
		c.base += int64(len(value))
	}
	switch c.to {
	case JSON:
		c.out.WriteByte(']')
	case NDJSON:
		c.out.WriteString("]\n")
	}
	c.records++
	if held == nil {
		return nil
	}
	if err := c.out.Flush(); err != nil {
		return err
	}
	c.out = out
	if _, err := c.in.Peek(1); err == nil && begin == 0 {
		c.out.WriteByte('[')
	}
	return held.copyTo(c.out)
}

// element is a part of a record as MessagePack's reader calls it.
type element struct{ c *converter }

// ReadMsgpack converts the value that r is at.
func (v element) ReadMsgpack(r *msgpack.Reader) error {
	c := v.c
	c.sink.reset()
	if c.to == MessagePack {
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
