package jsontext

import (
	"bytes"
	"math"

	"github.com/weftcodec/weft/internal/wire"
)

// A coder that package json gives to a method or function reads the text, or appends to the buffer, that it stands in,
// so that no text is copied or checked once for each level of methods within methods. What package json calls for that
// are methods of [reads] and [writes].

// reading and writing let package json ask for them, and nobody else.
type (
	reading = wire.Reading
	writing = wire.Writing
)

// reads implements [wire.Reads].
type reads struct{ *Decoder }

// share makes d read the value of its place, from the text around it.
func (d *Decoder) share() {
	t := d.outer.Text
	d.text = t
	d.window = window{b: t.B, s: t.S, nw: t.NW, n: len(t.Bytes), utf8: t.UTF8, place: place{buf: t.Bytes}}
	reads{d}.Begin()
}

func (d reads) Begin() {
	t := d.text
	if t == nil { // since Done
		d.share()
		return
	}
	d.again()
	d.state.share()
	d.after = beyond
	d.base = d.outer.Offset - int64(d.outer.Index)
	// The delimiter before a value belongs to its first token.
	i := beforeSpace(t.Bytes, d.outer.Index)
	if i > 0 && (t.Bytes[i-1] == ',' || t.Bytes[i-1] == ':') {
		i = beforeSpace(t.Bytes, i-1)
	}
	d.start, d.end, d.peeked = i, i, d.outer.Index+1
}

// beforeSpace returns the index of the whitespace before i.
func beforeSpace(b []byte, i int) int {
	for i > 0 && b[i-1] <= ' ' {
		i--
	}
	return i
}

// findEnd finds the end of a value that has been passed without it.
func (d *Decoder) findEnd() {
	i := -d.peeked - 1
	d.peeked = 0
	switch c := d.b.At(i); c {
	case '{', '[':
		d.beginWalk(math.MaxInt32, false)
		i = d.walker.Walk(d.b, d.s, d.nw, i)
	case '"':
		if i = d.quote(i + 1); d.b.At(i) != '"' {
			i = wire.SkipEscapes(d.b, d.s, i)
		}
		i++
	case 'n', 't', 'f':
		i = wire.SkipLiteral(d.b, i)
	default:
		i = wire.SkipNumber(d.b, i)
	}
	d.end = max(i, d.start)
}

func (d reads) Trailing() error { return d.trailing() }

func (d reads) Text() *wire.Text { return d.text }

func (d reads) Naming() bool { return d.expectsName() }

func (d reads) Lend(on bool) { d.lent = on }

func (d reads) Next() int {
	if d.peeked <= 0 && d.PeekKind() == KindInvalid {
		return -1
	}
	i := d.peeked - 1
	if c := d.b.At(i); closes(c) || d.naming && c != '"' {
		return -1
	}
	return i
}

func (d reads) Pass(i, end int) {
	d.value()
	d.peeked = 0
	d.start, d.end = i, end
	if end < 0 {
		d.end, d.peeked = i, -i-1
	}
}

func (d reads) Last() (i, end int) {
	if d.peeked < 0 {
		d.findEnd()
	}
	return d.start, d.end
}

func (d reads) Ends() {
	if i := d.end - 1; i >= d.start && closes(d.b.At(i)) {
		d.start = i
	}
}

func (d reads) Done() {
	d.window, d.text = window{}, nil
	d.source = source{ends: true}
	d.restart()
}

func (d reads) Count() (depth int, own int64) { return len(d.stack), d.top.count }

func (d reads) Level(i int) (object bool, count int64) { return d.index(i) }

func (d reads) AppendPointer(b []byte, which int, more int64) []byte {
	return d.pointer(b, d.buf, which, more)
}

func (d reads) Where(depth int, own int64) (wire.Stand, string) {
	offset := d.InputOffset()
	if depth == len(d.stack) && own == d.top.count || d.peeked > 0 || d.start == d.end {
		d.PeekKind()
		rest := d.UnreadBuffer()
		offset = d.base + int64(d.end+len(rest)-len(bytes.TrimLeft(rest, ",: \n\r\t"))) // with dropped whitespace
	} else {
		offset -= int64(d.end - d.start)
	}
	return d.stand(d.buf, depth, own, offset)
}

func (d reads) Left(at wire.Stand) { d.gone = &left{at, len(d.stack), d.top.count} }

// writes implements [wire.Writes].
type writes struct{ *Encoder }

// Begin makes e append to the buffer of its place.
func (e writes) Begin() {
	e.state.reset()
	e.buf = e.outer.Buf
	e.base = e.outer.Offset - int64(len(e.buf))
	if e.outer.In != nil {
		e.after = beyond
	}
	e.state.share()
}

func (e writes) Lend(on bool) { e.lent = on }

func (e writes) Naming() bool { return e.expectsName() }

func (e writes) Plain() bool {
	const formats = flagsSpace | flagSequence | flagCanonicalInts | flagCanonicalFloats | flagReorder
	return e.flags&formats == 0
}

func (e writes) Write(b []byte, strings bool) error {
	was := e.flags
	e.flags &^= flagReorder | flagCanonicalInts | flagCanonicalFloats
	if strings {
		e.flags = e.flags&^flagsEscape | flagPreserveStrings
	}
	if strings && !e.naming { // what it may have twice has been asked where it was written, with other options perhaps
		e.flags = e.flags&^flagRejectDuplicates | flagInvalidUTF8
	}
	err := e.WriteValue(b)
	e.flags = was
	return err
}

func (e writes) Shared() *wire.Place { return e.outer }

func (e writes) Open() []byte {
	e.from = len(e.buf)
	if delim := e.delimiter('"'); delim != 0 {
		return append(e.buf, delim)
	}
	return e.buf
}

func (e writes) Close(b []byte, ok bool) error {
	if e.buf = b; !ok {
		e.buf = b[:e.from]
		return nil
	}
	e.value()
	return e.written()
}

func (e writes) Written() []byte { return e.buf }

func (e writes) Done() { e.buf, e.opts = nil, Options{} }

func (e writes) Begins() int64 {
	at := e.base + int64(len(e.buf))
	if e.delimiter('"') != 0 {
		at++
	}
	if e.flags&flagsSpace != 0 {
		e.scratch = e.space(e.scratch[:0], '"')
		at += int64(len(e.scratch))
	}
	return at
}

func (e writes) Count() (depth int, own int64) { return len(e.stack), e.top.count }

func (e writes) Level(i int) (object bool, count int64) { return e.index(i) }

func (e writes) AppendPointer(b []byte, which int, more int64) []byte {
	return e.pointer(b, e.buf, which, more)
}

func (e writes) Left(at wire.Stand) { e.gone = &left{at, len(e.stack), e.top.count} }

func (e writes) Where(depth int, own int64) (wire.Stand, string) {
	return e.stand(e.buf, depth, own, e.Begins())
}
