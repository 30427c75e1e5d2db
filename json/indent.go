package json

import (
	"bytes"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json/jsontext"
)

// HTMLEscape appends to dst the JSON-encoded src with <, >, &, U+2028 and U+2029 inside string
// literals changed to \u003c, \u003e, \u0026, \u2028 and \u2029, so that the text is safe inside
// an HTML script element.
func HTMLEscape(dst *bytes.Buffer, src []byte) {
	dst.Grow(len(src))
	dst.Write(wire.AppendHTMLEscape(dst.AvailableBuffer(), src, true, true))
}

// Compact appends to dst the JSON-encoded src without its insignificant white space.
// If there is an error, dst is left unchanged.
func Compact(dst *bytes.Buffer, src []byte) error {
	dst.Grow(len(src))
	if wire.Verbatim(src, 0) || isWord(src) {
		dst.Write(src)
		return nil
	}
	d := newDecoder(src, decodeOptions{})
	b, err := d.compact(dst.AvailableBuffer(), false)
	d.release(err == nil)
	dst.Write(b)
	return err
}

// Indent appends to dst an indented form of the JSON-encoded src: each element of an object or an
// array begins on a line of its own that starts with prefix, followed by a copy of indent for each
// level of nesting. The text does not begin with the prefix, and white space at the end of src is
// kept, so that it embeds well in other indented text. If there is an error, dst is left unchanged.
func Indent(dst *bytes.Buffer, src []byte, prefix, indent string) error {
	dst.Grow(indentGrowth * len(src))
	b, err := appendIndent(dst.AvailableBuffer(), src, prefix, indent)
	dst.Write(b)
	return err
}

// indentGrowth is the capacity set aside for indented text, in times its compact form.
const indentGrowth = 2

// compact appends raw, which a method or function returned and which must be one JSON value, without its white space
// and as the flags ask with the characters that HTML cares about escaped. Nothing is appended on an error, whose Offset
// is 0 as encoding/json has it.
func (e *encoder) compact(b, raw []byte) ([]byte, error) {
	escape, v2 := e.flags&flagEscapeHTML != 0, e.flags&flagV2 != 0
	name := v2 && e.outer.names()
	if !v2 || e.flags&flagsCanonical == 0 && !name {
		if out, ok := appendPlain(b, raw, escape); ok {
			return out, nil
		}
	}
	if v2 {
		out, err := e.set.mode.code.reformat(b, raw, e.options())
		if err == nil && name && out[len(b)] != '"' {
			err = &jsontext.SyntacticError{Err: jsontext.ErrNonStringName}
		}
		if err != nil {
			return b, err
		}
		return out, nil
	}
	if wire.Verbatim(raw, e.flags.escapes()) {
		return append(b, raw...), nil
	}
	if wire.HasValidJSON() {
		if e.grammar == nil {
			e.grammar = wire.NewGrammar()
		}
		if e.grammar.Compact(raw, maxDepth) { // as methods mostly return it
			if escape {
				return wire.AppendHTMLEscape(b, raw, true, true), nil
			}
			return append(b, raw...), nil
		}
	}
	if e.texts == nil {
		e.texts = newDecoder(raw, decodeOptions{})
	} else {
		e.texts.start(raw)
	}
	return e.texts.compact(b, escape)
}

// compact appends the text of d.
func (d *decoder) compact(dst []byte, escape bool) ([]byte, error) {
	d.layout.Lines, d.layout.Colon = false, false
	out, ok := d.respace(dst)
	if !ok {
		err := d.fault(new(scanner))
		if e, ok := err.(*SyntaxError); ok {
			e.Offset = 0 // as encoding/json has it
		}
		return out[:len(dst)], err
	}
	if escape {
		out = escapeTail(out, len(dst))
	}
	return out, nil
}

// isWord reports whether src is a number or a literal, and nothing else.
func isWord(src []byte) bool {
	switch string(src) {
	case "null", "true", "false":
		return true
	}
	return len(src) > 0 && wire.NumberLen(src) == len(src)
}

// appendPlain appends src if it is one string, number or literal that no compacting and no escaping changes, as most
// methods return it.
func appendPlain(dst, src []byte, escape bool) ([]byte, bool) {
	n, l := len(src), len(dst)
	switch {
	case n == 0 || src[0] == '{' || src[0] == '[':
		return dst, false
	case src[0] != '"':
		if isWord(src) {
			return append(dst, src...), true
		}
		return dst, false
	case n == 1 || src[n-1] != '"':
		return dst, false
	}
	if cap(dst)-l < n {
		dst = grow(dst, n)
	}
	out := dst[:l+n]
	if n > 2 && wire.CopyPlain(out[l+1:], mem.String(src[1:n-1]), wire.HTML(escape)) < n-2 {
		return dst, false
	}
	out[l], out[l+n-1] = '"', '"'
	return out, true
}

// escapeTail escapes b[n:] for HTML in place.
func escapeTail(b []byte, n int) []byte {
	if !wire.AnyHTML(b[n:]) {
		return b
	}
	i := wire.IndexHTML(b, n)
	return wire.AppendHTMLEscape(b[:i], bytes.Clone(b[i:]), true, true)
}

// skipSpace returns the offset of the first byte at or after i that is not white space.
func skipSpace(src []byte, i int) int {
	for i < len(src) && src[i] <= ' ' && (src[i] == ' ' || src[i] == '\n' || src[i] == '\t' || src[i] == '\r') {
		i++
	}
	return i
}

// respace appends the text of d with the white space of its layout instead of its own, if it is one JSON value.
func (d *decoder) respace(dst []byte) (out []byte, ok bool) {
	out, i := dst, d.nw.Next(0)
	if c := d.b.At(i); c == '{' || c == '[' {
		w := &d.walk
		w.Begin(maxDepth, false)
		out, i = w.Respace(dst, &d.layout, d.b, d.s, d.nw, i)
		ok = w.State == wire.WalkDone
	} else if end := d.skipScalar(i); end > 0 {
		out, i, ok = append(dst, d.data[i:end]...), end, true
	}
	if ok {
		ok = d.nw.Next(i) >= d.n
		if d.layout.Lines {
			out = append(out, d.data[i:]...)
		}
	}
	return out, ok
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// appendIndent appends the indented form of src. Nothing is appended on an error.
func appendIndent(dst, src []byte, prefix, indent string) ([]byte, error) {
	if isWord(src) {
		return append(dst, src...), nil
	}
	n := len(dst)
	d := newDecoder(src, decodeOptions{})
	d.layout.Lines, d.layout.Colon = true, true
	d.layout.Indent(prefix, indent)
	out, ok := d.respace(dst)
	var err error
	if !ok {
		out, err = out[:n], d.fault(new(scanner))
	}
	d.release(ok)
	return out, err
}
