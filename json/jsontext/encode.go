package jsontext

import (
	"errors"
	"io"
	"math/bits"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// Encoder writes a stream of tokens and of values as text. Calls of [Encoder.WriteToken] and [Encoder.WriteValue] may
// alternate; the encoder adds delimiters and whitespace. Each top-level value ends with a line break.
//
// The encoder flushes its buffer when a top-level value is complete, and earlier if the buffer is large. An error of
// the writer loses nothing: what it did not accept is written with the next token. Any other error leaves the encoder
// unchanged.
type Encoder struct {
	coder
	writing
	w    io.Writer
	buf  []byte
	base int64 // offset in the stream of buf
	from int   // where a value begins that is appended to buf

	longest  int    // about the longest value that was written
	spare    []byte // see AvailableBuffer
	scratch  []byte
	layout   wire.Layout
	reorders *reorderer // nil before the first value with ReorderRawObjects
	reader   *Decoder   // of values, of an encoder that is kept
	idle     mem.Spare  // of the same
	lean     bool       // no line break after a top-level value
}

// gather is the size from which on text is written though its top-level value is not whole.
const gather = 32 << 10

// NewEncoder returns an encoder that writes to w.
func NewEncoder(w io.Writer, opts ...Options) *Encoder {
	e := new(Encoder)
	e.Reset(w, opts...)
	return e
}

// Reset makes the encoder write to w like a new one. It reuses the memory of the encoder.
func (e *Encoder) Reset(w io.Writer, opts ...Options) {
	e.checkReset(w)
	e.reset(w, opts)
}

func (e *Encoder) reset(w io.Writer, opts []Options) {
	e.set(opts)
	e.writing = wire.WritingOf(writes{e})
	e.state.reset()
	e.w, e.base, e.buf, e.lean = w, 0, e.buf[:0], false
	if e.flags&flagMultiline != 0 {
		m := marginOf(&e.opts)
		e.layout.Indent(m.prefix, m.indent)
	}
	if e.outer = wire.PlaceOf(w); e.outer != nil {
		e.w, e.lean = nil, true
		writes{e}.Begin()
	}
}

// OutputOffset returns the offset in the stream of the end of the last token or value written. The writer may have
// received less.
func (e *Encoder) OutputOffset() int64 {
	at := e.base + int64(len(e.buf))
	if e.outer != nil && len(e.buf) == len(e.outer.Buf) {
		// The delimiter before a value belongs to its first token.
		if _, n := e.index(e.StackDepth()); n > 0 && e.outer.Depth() > 0 {
			at--
		}
	}
	return at
}

// StackPointer returns the pointer to the last value written.
func (e *Encoder) StackPointer() Pointer {
	e.scratch = e.state.pointer(e.scratch[:0], e.buf, previous, 0)
	return Pointer(e.scratch)
}

// AvailableBuffer returns an empty buffer, to which the text of a value can be appended for the next
// [Encoder.WriteValue]:
//
//	b := e.AvailableBuffer()
//	b = strconv.AppendInt(b, n, 10)
//	err := e.WriteValue(b)
func (e *Encoder) AvailableBuffer() []byte {
	if n := 1 << bits.Len(uint(e.longest|63)); cap(e.spare) < n {
		e.spare = make([]byte, 0, n)
	}
	return e.spare[:0]
}

// WriteToken writes the next token. A token that the grammar does not allow at this position is a [SyntacticError].
func (e *Encoder) WriteToken(t Token) error {
	b, k := e.buf, t.Kind()
	// Same as begin, which is not inlined.
	if delim := e.delimiter(byte(k)); delim != 0 {
		b = append(b, delim)
	}
	if e.flags&(flagsSpace|flagSequence) != 0 {
		b = e.space(b, byte(k))
	}
	at := len(b)
	var err error
	switch k {
	case KindString:
		return e.writeString(b, t)
	case KindNumber:
		switch t.raw.form {
		case formInt:
			b = wire.AppendInt(b, int64(t.num))
		case formRaw:
			b = e.appendRawNumber(b, t.text())
		default:
			b = t.appendNumber(b)
		}
		err = e.allow()
	case KindNull:
		b = append(b, "null"...)
		err = e.allow()
	case KindTrue:
		b = append(b, "true"...)
		err = e.allow()
	case KindFalse:
		b = append(b, "false"...)
		err = e.allow()
	case KindBeginObject, KindBeginArray:
		if err = e.allow(); err == nil && len(e.stack) >= e.most {
			err = errDepth
		}
		if err != nil {
			return e.fail(b, at, next, err)
		}
		e.buf = append(b, byte(k))
		e.push(k == KindBeginObject)
		return nil
	case KindEndObject, KindEndArray:
		switch {
		case len(e.stack) == 0 || e.top.object != (k == KindEndObject):
			return e.fail(b, at, next, errMismatch)
		case e.need == ':':
			return e.fail(b, at, next, errNoValue)
		}
		e.buf = append(b, byte(k))
		e.pop()
		return e.written()
	default:
		err = errToken
	}
	if err != nil {
		return e.fail(b, at, next, err)
	}
	e.buf = b
	e.value()
	return e.written()
}

// allow returns the error for a token that is not a string and closes nothing.
func (e *Encoder) allow() error {
	if e.naming {
		return ErrNonStringName
	}
	return nil
}

// writeString is WriteToken for a string, after delimiter and space.
func (e *Encoder) writeString(b []byte, t Token) error {
	at, valid := len(b), true
	var text []byte
	if t.raw != nil {
		text = t.text()
		b, valid = e.appendRawString(b, text, t.num&notPlain == 0)
	} else {
		b, valid = e.appendQuoted(b, t.str)
	}
	if !valid && e.flags&flagInvalidUTF8 == 0 {
		return e.fail(b, at, next, errUTF8)
	}
	if e.naming {
		// What was written is the name between quotes unless something in it was escaped.
		n := len(t.str)
		if t.raw != nil {
			n = -1
			if t.num&notPlain == 0 {
				n = len(text) - 2
			}
		}
		if err := e.name(b, at, len(b) == at+n+2 && valid); err != nil {
			return err
		}
	} else {
		e.value()
	}
	e.buf = b
	return e.written()
}

// name makes the string at the end of b, from at on, the name of the next member. plain tells that it
// stands for itself.
func (e *Encoder) name(b []byte, at int, plain bool) error {
	name, off := b[at+1:len(b)-1], at+1
	if !plain {
		e.scratch, _ = appendUnquoted(e.scratch[:0], name)
		name, off = e.scratch, -1
	}
	if e.flags&flagRejectDuplicates == 0 {
		e.names.Replace(&e.top.Object, name, off)
	} else if !e.names.Insert(&e.top.Object, name, off, b) {
		err := e.fail(b, at, next, ErrDuplicateName).(*SyntacticError)
		err.JSONPointer = Pointer(appendToken([]byte(err.JSONPointer), name))
		return err
	}
	e.top.count++
	e.need, e.naming = ':', false
	return nil
}

// appendRawString appends the text of a string that was read, in the form that the flags ask for.
func (e *Encoder) appendRawString(b, text []byte, plain bool) (_ []byte, valid bool) {
	switch {
	case e.flags&flagsEscape == 0 && (plain || e.flags&flagPreserveStrings != 0):
		return append(b, text...), true
	case e.flags&flagPreserveStrings != 0:
		return wire.AppendHTMLEscape(b, text, e.flags&flagEscapeHTML != 0, e.flags&flagEscapeJS != 0), true
	}
	value := text[1 : len(text)-1]
	if !plain {
		e.scratch, _ = appendUnquoted(e.scratch[:0], value)
		value = e.scratch
	}
	return e.appendQuoted(b, viewOf(value))
}

// appendQuoted appends s as a JSON string with the escapes that the flags ask for.
func (e *Encoder) appendQuoted(b []byte, s string) (_ []byte, valid bool) {
	return wire.AppendQuoted(b, s, wire.HTML(e.flags&flagEscapeHTML != 0), e.flags&flagEscapeJS != 0)
}

// appendRawNumber appends the text of a number that was read, in the form that the flags ask for.
func (e *Encoder) appendRawNumber(b, text []byte) []byte {
	const exact = 16 // integers with fewer characters are canonical, but for -0
	switch f := e.flags & (flagCanonicalInts | flagCanonicalFloats); {
	case f == 0:
	case string(text) == "-0":
		return append(b, '0')
	case isInteger(text):
		if f&flagCanonicalInts != 0 && len(text) >= exact {
			return appendCanonical(b, text)
		}
	case f&flagCanonicalFloats != 0:
		return appendCanonical(b, text)
	}
	return append(b, text...)
}

// isInteger reports whether a number has neither fraction nor exponent.
func isInteger(text []byte) bool {
	for _, c := range text {
		if c == '.' || c|0x20 == 'e' {
			return false
		}
	}
	return true
}

// begin appends what stands before a token of a kind.
func (e *Encoder) begin(b []byte, k Kind) []byte {
	if delim := e.delimiter(byte(k)); delim != 0 {
		b = append(b, delim)
	}
	if e.flags&(flagsSpace|flagSequence) != 0 {
		b = e.space(b, byte(k))
	}
	return b
}

// space appends what stands before a token that begins with c, after its delimiter.
func (e *Encoder) space(b []byte, c byte) []byte {
	if e.flags&flagSequence != 0 && len(e.stack) == 0 {
		b = append(b, RecordSeparator)
	}
	switch {
	case e.need == ':':
		if e.flags&flagSpaceColon != 0 {
			b = append(b, ' ')
		}
		return b
	case closes(c):
		if e.flags&flagMultiline != 0 && e.need == ',' {
			b = e.layout.Line(b, len(e.stack)-1)
		}
		return b
	case e.need == ',' && e.flags&flagSpaceComma != 0:
		b = append(b, ' ')
	}
	if e.flags&flagMultiline != 0 && len(e.stack) > 0 {
		b = e.layout.Line(b, len(e.stack))
	}
	return b
}

// fail returns the error err at the offset at of b, where which value is at fault.
func (e *Encoder) fail(b []byte, at, which int, err error) error {
	return &SyntacticError{
		ByteOffset:  e.base + int64(at),
		JSONPointer: Pointer(e.state.pointer(nil, b, which, 0)),
		Err:         err,
	}
}

// written gives text to the writer if it is time to.
func (e *Encoder) written() error {
	if len(e.stack) == 0 || len(e.buf) >= gather {
		return e.flush()
	}
	return nil
}

func (e *Encoder) flush() error {
	if len(e.stack) == 0 && !e.lean {
		e.buf = append(e.buf, '\n')
	}
	if e.w == nil {
		return nil
	}
	e.retain(e.buf)
	n, err := e.w.Write(e.buf)
	if n < 0 || n > len(e.buf) {
		n, err = 0, errBadWrite
	}
	if n < len(e.buf) && err == nil {
		err = io.ErrShortWrite
	}
	e.base += int64(n)
	e.buf = e.buf[:copy(e.buf, e.buf[n:])]
	if err != nil {
		return &wire.IOError{What: "write", Err: err}
	}
	return nil
}

var errBadWrite = errors.New("writer returned an impossible count")
