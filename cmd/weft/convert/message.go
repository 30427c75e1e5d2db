package convert

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/wire/tagwire"
	"github.com/weftcodec/weft/tagged"
)

// maxBatch is about how many bytes of a list are converted at once.
const maxBatch = 1 << 18

// message converts one message of the hashed-tag format, a list in batches of its elements.
func (c *converter) message() error {
	head, _ := c.in.Peek(tagwire.TagSize + 10)
	if len(head) > tagwire.TagSize && tagwire.Tag(head, 0) == tagwire.Array {
		if size, next := tagwire.Uvarint(head, tagwire.TagSize, len(head)); next >= 0 && int64(size) >= 0 {
			return c.messageList(head[:next:next], int64(size))
		}
	}
	return c.wholeMessage(c.in, c.size)
}

// wholeMessage converts a message of about that size at once.
func (c *converter) wholeMessage(r io.Reader, size int) error {
	var text bytes.Buffer
	text.Grow(size)
	if _, err := text.ReadFrom(r); err != nil {
		return err
	}
	if text.Len() == 0 { // an empty object, or what a crash leaves
		return &weft.Error{Format: "tagged", Err: weft.ErrUnexpectedEnd}
	}
	if err := tagged.Unmarshal(text.Bytes(), &record{c}); err != nil || c.to != JSON {
		return err
	}
	return c.out.WriteByte('\n')
}

// messageList converts a list, whose elements have so many bytes behind its head. They are held back, because the
// names of their members stand behind them.
func (c *converter) messageList(head []byte, size int64) error {
	head = bytes.Clone(head)
	c.in.Discard(len(head))
	if n, err := io.Copy(&c.aside, io.LimitReader(c.in, size)); err != nil {
		return err
	} else if n < size { // cut off: the reader says where
		held, err := c.aside.reader()
		if err != nil {
			return err
		}
		return c.wholeMessage(io.MultiReader(bytes.NewReader(head), held), 0)
	}
	names, err := io.ReadAll(c.in)
	if err != nil {
		return err
	}
	again, err := c.aside.reader()
	if err != nil {
		return err
	}
	b := &batch{c: c, in: bufio.NewReaderSize(again, 64<<10), left: size, base: int64(len(head)), names: names,
		size: int64(len(head)) + size}
	l := new(list)
	if b.each = c.one; c.to != NDJSON {
		b.each = func(r backend.Reader) error {
			l.next(b.n)
			b.n++
			return (element{c}).convert(r)
		}
		l = c.openList(-1, nil)
		defer l.close()
	}
	for {
		if err := b.next(); err != nil {
			return err
		}
		if err := b.convert(); err != nil {
			return err
		}
		if b.left == 0 {
			break
		}
	}
	if c.to == NDJSON {
		return nil
	}
	if err := l.end(b.n, nil); err != nil || c.to != JSON {
		return err
	}
	return c.out.WriteByte('\n')
}

// batch is a part of a list, as a message of its own.
type batch struct {
	c     *converter
	in    *bufio.Reader // elements
	left  int64         // bytes of them
	names []byte        // what stands behind all
	size  int64         // of the message before them
	base  int64         // offset of this part
	first int           // index of its first element
	count int           // of its elements
	n     int           // elements converted
	each  func(r backend.Reader) error

	elems, text []byte
}

// next reads the next elements.
func (b *batch) next() error {
	b.base += int64(len(b.elems))
	b.first += b.count
	b.elems, b.count = b.elems[:0], 0
	for b.left > 0 && len(b.elems) < maxBatch {
		head, err := b.in.Peek(int(min(b.left, tagwire.TagSize+10)))
		if err != nil {
			return err
		}
		at, size := len(b.elems), int64(len(head)) // if it is not well-formed, the reader says how
		if len(head) > tagwire.TagSize {
			size = elementSize(head, b.left)
		}
		if b.elems, err = readBytes(b.in, b.elems, int(size)); err != nil {
			return err
		}
		b.left -= size
		b.count++
		if len(head) > tagwire.TagSize {
			tag, index := tagwire.Tag(b.elems, at), uint32(0)
			if tag>>4 == uint32(b.first+b.count) {
				index = uint32(b.count)
			}
			tagwire.AppendTag(b.elems[:at], index<<4|tag&15)
		}
	}
	return nil
}

// elementSize returns the size of the element that begins with head, all that is left if it is not well-formed.
func elementSize(head []byte, left int64) int64 {
	switch wt := tagwire.Tag(head, 0) & 15; wt {
	case tagwire.String, tagwire.Object, tagwire.Array, tagwire.Number:
		n, next := tagwire.Uvarint(head, tagwire.TagSize, len(head))
		if next < 0 || n > uint64(left)-uint64(next) {
			return left
		}
		return int64(next) + int64(n)
	default:
		next := tagwire.Pass(head, tagwire.TagSize, len(head), wt)
		if next < 0 {
			return left
		}
		return int64(next)
	}
}

// convert converts the elements. An error is about the message that they are a part of.
func (b *batch) convert() error {
	b.text = tagwire.AppendUvarint(tagwire.AppendTag(b.text[:0], tagwire.Array), uint64(len(b.elems)))
	head := int64(len(b.text))
	b.text = append(append(b.text, b.elems...), b.names...)
	b.c.base = b.base - head
	err := tagged.Unmarshal(b.text, b)
	var located *weft.Error
	if !errors.As(err, &located) {
		return err
	}
	moved := *located
	if end := head + int64(len(b.elems)); moved.Offset >= end && len(b.names) > 0 {
		moved.Offset += b.size - end
	} else if moved.Offset >= 0 {
		moved.Offset += b.base - head
	}
	if path, ok := strings.CutPrefix(moved.Path, "/"); ok {
		index, rest, more := strings.Cut(path, "/")
		if i, err := strconv.Atoi(index); err == nil {
			if moved.Path = "/" + strconv.Itoa(b.first+i); more {
				moved.Path += "/" + rest
			}
		}
	}
	return &moved
}

// UnmarshalWeft converts the elements of the array that d is at.
func (b *batch) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	for ok := r.BeginArray(); ok; ok = r.More() {
		if err := b.each(r); err != nil {
			return err
		}
	}
	return r.Err()
}
