package convert

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"

	"github.com/weftcodec/weft/internal/wire/tagwire"
	"github.com/weftcodec/weft/tagged"
)

// messages gathers records as one message of the hashed-tag format, in which the
// length of an array stands before it and the names stand behind all.
type messages struct {
	first []byte // the only one so far
	n     int
	held  spool
	out   *bufio.Writer // to held
	size  int64         // of what was written to out
	buf   []byte
	names map[uint32]string // by tag, whose low bits are the wire type
	ofTag map[uint32]string // by tag without
}

// add adds a message.
func (l *messages) add(m []byte) error {
	if l.n++; l.n > tagwire.MaxElems {
		return fmt.Errorf("more than %d records, which are as many as an array of the hashed-tag format has", tagwire.MaxElems)
	}
	if l.n == 1 {
		l.first = append([]byte(nil), m...)
		return nil
	}
	if l.n == 2 {
		if err := l.element(l.first, 1); err != nil {
			return err
		}
	}
	return l.element(m, l.n)
}

// element writes a message, which is well-formed, as the n-th element.
func (l *messages) element(m []byte, n int) error {
	if l.out == nil {
		l.out = bufio.NewWriterSize(&l.held, 64<<10)
		l.names, l.ofTag = map[uint32]string{}, map[uint32]string{}
	}
	wt, start, end := uint32(tagwire.Object), 0, 0
	if len(m) > tagwire.TagSize {
		if tag := tagwire.Tag(m, 0); tag < 16 && tag != tagwire.Names {
			wt, start = tag, tagwire.TagSize
			end = tagwire.Pass(m, start, len(m), wt)
		}
	}
	if start == 0 {
		for end < len(m) && tagwire.Tag(m, end) != tagwire.Names {
			end = tagwire.Pass(m, end+tagwire.TagSize, len(m), tagwire.Tag(m, end)&15)
		}
	}
	l.buf = tagwire.AppendTag(l.buf[:0], uint32(n)<<4|wt)
	if start == 0 {
		l.buf = tagwire.AppendUvarint(l.buf, uint64(end))
	}
	l.buf = append(l.buf, m[start:end]...)
	l.size += int64(len(l.buf))
	if _, err := l.out.Write(l.buf); err != nil || end == len(m) {
		return err
	}
	for i, stop := tagwire.Span(m, end+tagwire.TagSize, len(m)); i < stop; {
		tag := tagwire.Tag(m, i)
		from, to := tagwire.Span(m, i+tagwire.TagSize, stop)
		i = to
		if _, ok := l.names[tag]; ok && l.names[tag] == string(m[from:to]) {
			continue
		}
		name := string(m[from:to])
		if other, ok := l.ofTag[tag>>8]; ok && other != name {
			return &tagged.CollisionError{First: other, Second: name}
		}
		l.names[tag], l.ofTag[tag>>8] = name, name
	}
	return nil
}

// writeTo writes the message: of a list, or of the one record alone.
func (l *messages) writeTo(w *bufio.Writer, list bool) error {
	if l.n == 1 && !list {
		if len(l.first) == 0 { // an empty object, which a crash leaves as well
			l.first = tagwire.AppendTag(nil, tagwire.Object)
			l.first = append(l.first, 0)
		}
		_, err := w.Write(l.first)
		return err
	}
	if l.n == 1 {
		if err := l.element(l.first, 1); err != nil {
			return err
		}
	}
	w.Write(tagwire.AppendUvarint(tagwire.AppendTag(nil, tagwire.Array), uint64(l.size)))
	if l.out == nil {
		return nil
	}
	if err := l.out.Flush(); err != nil {
		return err
	}
	if err := l.held.copyTo(w); err != nil || len(l.names) == 0 {
		return err
	}
	tags := make([]uint32, 0, len(l.names))
	size := 0
	for tag, name := range l.names {
		tags = append(tags, tag)
		size += tagwire.TagSize + tagwire.UvarintLen(uint64(len(name))) + len(name)
	}
	slices.SortFunc(tags, func(a, b uint32) int { return cmp.Compare(int32(a), int32(b)) })
	b := tagwire.AppendUvarint(tagwire.AppendTag(nil, tagwire.Names), uint64(size))
	for _, tag := range tags {
		b = append(tagwire.AppendUvarint(tagwire.AppendTag(b, tag), uint64(len(l.names[tag]))), l.names[tag]...)
	}
	_, err := w.Write(b)
	return err
}
