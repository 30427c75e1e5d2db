package jsontext

import (
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

// namesNext reports whether the name of a member is expected.
func (s *state) namesNext() bool {
	return s.naming || s.outer != nil && s.outer.Naming && len(s.stack) == 0 && s.top.count == 0
}

// reads implements [wire.Reads].
type reads struct{ *Decoder }

// share makes d read the value of its place, from the text around it.
func (d *Decoder) share() {
	t := d.outer.Text
	d.own, d.text = d.window, t
	d.b, d.s, d.nw, d.n, d.utf8 = t.B, t.S, t.NW, len(t.Bytes), t.UTF8
	d.buf, d.bits, d.cut, d.full = t.Bytes, nil, 0, false
	d.start, d.end = d.outer.Index, d.outer.Index
	d.base = d.outer.Offset - int64(d.outer.Index)
}

// unshare is the end of share.
func (d *Decoder) unshare() {
	d.window, d.own, d.text = d.own, window{}, nil
}

// settle finds the end of a value that has been passed without it.
func (d *Decoder) settle() {
	if d.peeked >= 0 {
		return
	}
	i := -d.peeked - 1
	d.peeked = 0
	switch c := d.b.At(i); c {
	case '{', '[':
		d.walker.Begin(math.MaxInt32, false)
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

func (d reads) Text() *wire.Text { return d.text }

func (d reads) Naming() bool { return d.namesNext() }

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
		d.settle()
	}
	return d.start, d.end
}

func (d reads) Done() {
	if d.text != nil {
		d.unshare()
	}
	d.restart(source{ends: true})
	d.opts = Options{}
}

func (d reads) Count() (depth int, own int64) { return len(d.stack), d.top.count }

// writes implements [wire.Writes].
type writes struct{ *Encoder }

// share makes e append to the buffer of its place.
func (e *Encoder) share() {
	e.own, e.w, e.lean, e.shared = e.buf, nil, true, true
	e.buf = e.outer.Buf
	e.base -= int64(len(e.buf))
}

// unshare is the end of share.
func (e *Encoder) unshare() { e.buf, e.own, e.shared = e.own, nil, false }

func (e writes) Naming() bool { return e.namesNext() }

func (e writes) Plain() bool {
	const formats = flagsSpace | flagSequence | flagCanonicalInts | flagCanonicalFloats | flagReorder
	return e.flags&formats == 0
}

func (e writes) Shared() *wire.Place {
	if !e.shared {
		return nil
	}
	return e.outer
}

func (e writes) Open() []byte {
	e.from = len(e.buf)
	if e.need != 0 {
		return append(e.buf, e.need)
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

func (e writes) Done() []byte {
	b := e.buf
	if e.shared {
		e.unshare()
	}
	e.state.reset()
	e.opts = Options{}
	return b
}

func (e writes) Delimited() bool { return e.need != 0 }

func (e writes) Count() (depth int, own int64) { return len(e.stack), e.top.count }
