package convert

import (
	"bufio"
	"errors"
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor/cboritem"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// packedList finds out whether the MessagePack input is one array, whose elements are the records of frames and of
// a list of the hashed-tag format. That shows behind the array only.
func (c *converter) packedList() error {
	if head, _ := c.in.Peek(1); c.sink != nil || len(head) == 0 || !isArray(head[0]) {
		return nil
	}
	return c.ahead(func(r io.Reader) error {
		in := bufio.NewReader(r)
		head, _ := in.Peek(9)
		_, next, n := packwire.Head(head, 0)
		if next < 0 {
			return weft.ErrUnexpectedEnd
		}
		in.Discard(next)
		var value []byte
		for range n {
			var err error
			if value, err = readValue(in, value[:0]); err != nil {
				return err
			}
		}
		_, err := in.Peek(1)
		return err
	})
}

// itemList is packedList for CBOR.
func (c *converter) itemList() error {
	if head, _ := c.in.Peek(1); c.sink != nil || len(head) == 0 || head[0]>>5 != 4 {
		return nil
	}
	return c.ahead(func(r io.Reader) error {
		dec := cboritem.NewDecoder(r)
		if err := dec.SkipItem(); err != nil {
			return err
		}
		if c.more(dec) {
			return nil
		}
		return io.EOF
	})
}

// ahead reads ahead by pass, which returns io.EOF if the first value is the only one. What was read
// is read again.
func (c *converter) ahead(pass func(r io.Reader) error) error {
	err := pass(io.TeeReader(c.in, &c.aside))
	var located *weft.Error
	switch {
	case c.aside.err != nil:
		return c.aside.err
	case err == nil:
	case err == io.EOF, errors.Is(err, weft.ErrUnexpectedEnd), errors.As(err, &located): // told when it is converted
		c.alone = true
	default:
		return err
	}
	again, err := c.aside.reader()
	c.in = bufio.NewReaderSize(io.MultiReader(again, c.in), 64<<10)
	return err
}
