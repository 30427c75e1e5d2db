package jsontext

import (
	"io"
	"math"
	"sync"

	"github.com/weftcodec/weft/internal/wire"
)

// WriteValue writes a value, or the name of a member, given as text. The text is checked, and its whitespace and
// strings are written as the options of the encoder specify.
func (e *Encoder) WriteValue(v Value) error {
	e.longest |= len(v)
	if b, at := e.plain(v); b != nil {
		if !e.naming {
			e.value()
		} else if err := e.name(b, at, true); err != nil {
			return err
		}
		e.buf = b
		return e.written()
	}
	d := e.reader
	if d == nil {
		d = decoders.Get().(*Decoder)
	}
	d.load(v)
	d.writing = true
	d.settings = settings{
		flags: e.flags & (flagRejectDuplicates | flagInvalidUTF8), most: max(e.most-len(e.stack), 0), limit: math.MaxInt,
	}
	err := e.writeValue(d, v)
	d.writing = false
	if e.reader == nil {
		giveDecoder(d)
	}
	if err != nil {
		return err
	}
	return e.written()
}

// plain appends v, which begins at the offset at, if it is a string or a number that is written as it is. Otherwise it
// returns nil.
func (e *Encoder) plain(v Value) (b []byte, at int) {
	switch n := len(v); {
	case n > 1 && v[0] == '"':
		b = e.begin(e.buf, KindString)
		at = len(b)
		// Whatever is not plain gets longer; a last byte that is no quote would be lost.
		if b, valid := e.appendQuoted(b, viewOf(v[1:n-1])); valid && v[n-1] == '"' && len(b) == at+n {
			return b, at
		}
	case n > 0 && e.flags&(flagCanonicalInts|flagCanonicalFloats) == 0 && wire.NumberLen([]byte(v)) == n:
		if b = e.begin(e.buf, KindNumber); !e.naming { // which begin finds out beyond the value of a method
			return append(b, v...), 0
		}
	}
	return nil, 0
}

// writeValue writes v, which d reads.
func (e *Encoder) writeValue(d *Decoder, v Value) error {
	kind := d.PeekKind()
	b := e.begin(e.buf, kind)
	at := len(b)
	var err error
	plain := false
	if kind == KindBeginObject || kind == KindBeginArray {
		i := d.peeked - 1
		d.peeked = 0
		d.walking = true
		b, _, err = d.walk(b, e, i)
		d.walking = false
		if err != nil {
			// Read it again to tell what is wrong and where.
			d.load(v)
			if i, err = d.find(); err == nil {
				_, err = d.readTokens(i, 0)
			}
		}
	} else if _, err = d.advance(); err == nil {
		text := d.buf[d.start:d.end]
		switch kind {
		case KindString:
			b, _ = e.appendRawString(b, text, d.plain)
			plain = d.plain && len(b)-at == len(text)
		case KindNumber:
			b = e.appendRawNumber(b, text)
		default:
			b = append(b, text...)
		}
	}
	if err == nil {
		err = d.trailing()
	}
	if err != nil {
		return e.failWithin(b, at, d, err)
	}
	switch {
	case kind == KindString && e.naming:
		if err := e.name(b, at, plain); err != nil {
			return err
		}
		e.buf = b
		return nil
	case e.naming:
		err = ErrNonStringName
	case (kind == KindBeginObject || kind == KindBeginArray) && len(e.stack) >= e.most:
		err = errDepth
	}
	if err != nil {
		return e.fail(b, at, next, err)
	}
	e.buf = b
	e.value()
	return nil
}

// failWithin returns the error of d, which reads a value that is written at the offset at.
func (e *Encoder) failWithin(b []byte, at int, d *Decoder, err error) error {
	out := e.fail(b, at, next, io.ErrUnexpectedEOF).(*SyntacticError)
	if s, ok := err.(*SyntacticError); ok {
		out.ByteOffset += s.ByteOffset
		out.JSONPointer += s.JSONPointer
		out.Err = s.Err
	} else { // there is no value
		out.ByteOffset += d.base + int64(d.n)
	}
	return out
}

// arrange sets how values are written that are given as text.
func (e *Encoder) arrange() {
	l := &e.layout
	l.Lines = e.flags&flagMultiline != 0
	l.Colon = e.flags&flagSpaceColon != 0
	l.Comma = e.flags&flagSpaceComma != 0
	l.Numbers = e.flags&(flagCanonicalInts|flagCanonicalFloats) != 0
	l.Members = e.flags&flagReorder != 0
	l.Outer = len(e.stack)
	if l.Members {
		if e.reorders == nil {
			e.reorders = new(reorderer)
		}
		e.reorders.begin()
	}
}

var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// takeDecoder returns a decoder over v, to be given back.
func takeDecoder(v []byte, opts ...Options) *Decoder {
	d := decoders.Get().(*Decoder)
	d.set(opts)
	d.load(v)
	d.limit = math.MaxInt
	return d
}

func giveDecoder(d *Decoder) {
	if d.forget() {
		decoders.Put(d)
	}
}

// forget drops what the decoder refers to, and reports whether to keep it: its memory for names may be as large as
// the text.
func (d *Decoder) forget() bool {
	d.source, d.opts, d.peekErr = source{}, Options{}, nil
	return d.base+int64(d.end) <= 1<<20
}

var encoders = sync.Pool{New: func() any { return &Encoder{reader: new(Decoder)} }}
