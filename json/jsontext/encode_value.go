package jsontext

import (
	"io"
	"math"
	"sync"
)

// WriteValue writes a value, or the name of a member, that is given as text. The text is checked, and
// written with the whitespace and the strings that the options of the encoder ask for.
func (e *Encoder) WriteValue(v Value) error {
	e.longest |= len(v)
	d := takeDecoder(v)
	d.settings = settings{flags: e.flags & (flagRejectDuplicates | flagInvalidUTF8), most: max(e.most-len(e.stack), 0), limit: math.MaxInt}
	err := e.writeValue(d)
	giveDecoder(d)
	if err != nil {
		return err
	}
	return e.written()
}

// writeValue writes the value that d reads, the only one in its input.
func (e *Encoder) writeValue(d *Decoder) error {
	kind := d.PeekKind()
	b := e.buf
	if delim := e.delimiter(byte(kind)); delim != 0 {
		b = append(b, delim)
	}
	if e.flags&(flagsSpace|flagSequence) != 0 {
		b = e.space(b, byte(kind))
	}
	at := len(b)
	b, plain, err := e.transcode(b, d)
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

// transcode appends the value that d reads in the form that the flags ask for. plain tells that it is a
// string that stands for itself.
func (e *Encoder) transcode(b []byte, d *Decoder) (_ []byte, plain bool, err error) {
	reorder := e.flags&flagReorder != 0
	if reorder {
		e.reorders.begin()
	}
	outer := len(e.stack)
	for {
		need, naming, depth := d.need, d.naming, len(d.stack)
		kind, err := d.advance()
		if err != nil {
			return b, false, err
		}
		if kind == KindEndObject || kind == KindEndArray {
			if need == ',' && e.flags&flagMultiline != 0 {
				b = e.line(b, outer+depth-1)
			}
			if reorder && kind == KindEndObject {
				b = e.reorders.end(b, need == ',')
			}
			b = append(b, byte(kind))
		} else {
			if need != 0 {
				b = append(b, need)
			}
			if e.flags&flagsSpace != 0 && depth > 0 {
				b = e.spaceWithin(b, need, outer+depth)
			}
			switch kind {
			case KindString:
				if reorder && naming {
					e.reorders.member(b, d)
				}
				at := len(b)
				b, _ = e.appendRawString(b, d.buf[d.start:d.end], d.plain)
				plain = d.plain && len(b)-at == d.end-d.start
			case KindNumber:
				b = e.appendRawNumber(b, d.buf[d.start:d.end])
			case KindBeginObject, KindBeginArray:
				b = append(b, byte(kind))
				d.within = 1
				if reorder && kind == KindBeginObject {
					e.reorders.object()
				}
			default:
				b = append(b, d.buf[d.start:d.end]...)
			}
		}
		if len(d.stack) == 0 {
			return b, plain, nil
		}
	}
}

// spaceWithin is space for the tokens of a value.
func (e *Encoder) spaceWithin(b []byte, need byte, depth int) []byte {
	if need == ':' {
		if e.flags&flagSpaceColon != 0 {
			b = append(b, ' ')
		}
		return b
	}
	if need == ',' && e.flags&flagSpaceComma != 0 {
		b = append(b, ' ')
	}
	if e.flags&flagMultiline != 0 {
		b = e.line(b, depth)
	}
	return b
}

var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// takeDecoder returns a decoder over v, to be given back.
func takeDecoder(v []byte, opts ...Options) *Decoder {
	d := decoders.Get().(*Decoder)
	d.reset(source{mem: v}, opts)
	d.limit = math.MaxInt
	return d
}

func giveDecoder(d *Decoder) {
	d.source, d.opts, d.peekErr = source{}, Options{}, nil
	decoders.Put(d)
}

var encoders = sync.Pool{New: func() any { return new(Encoder) }}
