package json

import (
	"bytes"
	"encoding/binary"
	stdjson "encoding/json"
	"math/bits"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// HTMLEscape appends to dst the JSON-encoded src with <, >, &, U+2028 and U+2029 inside string
// literals changed to \u003c, \u003e, \u0026, \u2028 and \u2029, so that the text is safe inside
// an HTML script element.
func HTMLEscape(dst *bytes.Buffer, src []byte) {
	dst.Grow(len(src))
	dst.Write(appendHTMLEscape(dst.AvailableBuffer(), src))
}

// Compact appends to dst the JSON-encoded src without its insignificant white space.
// On an error dst is left unchanged.
func Compact(dst *bytes.Buffer, src []byte) error {
	dst.Grow(len(src))
	b, err := appendCompact(dst.AvailableBuffer(), src, false)
	dst.Write(b)
	return err
}

// Indent appends to dst an indented form of the JSON-encoded src: each element of an object or an
// array begins on a line of its own that starts with prefix, followed by a copy of indent for each
// level of nesting. The text does not begin with the prefix, and white space at the end of src is
// kept, so that it embeds well in other indented text. On an error dst is left unchanged.
func Indent(dst *bytes.Buffer, src []byte, prefix, indent string) error {
	dst.Grow(indentGrowth * len(src))
	b, err := appendIndent(dst.AvailableBuffer(), src, prefix, indent)
	dst.Write(b)
	return err
}

// indentGrowth is the capacity set aside for indented text, in times its compact form.
const indentGrowth = 2

const hexDigits = "0123456789abcdef"

// appendHTMLEscape appends src with the characters that HTML cares about escaped.
func appendHTMLEscape(dst, src []byte) []byte {
	start := 0
	for i := indexHTML(src, 0); i < len(src); {
		switch c := src[i]; {
		case c != 0xE2:
			dst = append(dst, src[start:i]...)
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xF])
			i++
			start = i
		case i+2 < len(src) && src[i+1] == 0x80 && src[i+2]&^1 == 0xA8:
			dst = append(dst, src[start:i]...)
			dst = append(dst, '\\', 'u', '2', '0', '2', hexDigits[src[i+2]&0xF])
			i += 3
			start = i
		default:
			i++
		}
		i = indexHTML(src, i)
	}
	return append(dst, src[start:]...)
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// indexHTML returns the offset at or after i of the first <, >, & or byte E2 of src, or len(src).
func indexHTML(src []byte, i int) int {
	for ; i+8 <= len(src); i += 8 {
		x := binary.LittleEndian.Uint64(src[i:])
		if m := htmlMarks(x); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(src); i++ {
		if c := src[i]; c == '<' || c == '>' || c == '&' || c == 0xE2 {
			return i
		}
	}
	return i
}

// htmlMarks returns the high bits of bytes of x that HTML cares about. The lowest of them is exact, and there is none
// where there is no such byte: '<' and '>' differ in bit 1 alone, a zero byte of an xor is a hit, and a borrow can only
// mark bytes above a true hit.
func htmlMarks(x uint64) uint64 {
	lt := x&^(ones*2) ^ ones*('<'&^2)
	amp := x ^ ones*'&'
	e2 := x ^ ones*0xE2
	return ((lt-ones)&^lt | (amp-ones)&^amp | (e2-ones)&^e2) & highs
}

// appendCompact appends src, which must be one JSON value, without its white space and, when
// escape is set, with the characters that HTML cares about escaped. Nothing is appended on an
// error, whose Offset is 0 as encoding/json has it.
func appendCompact(dst, src []byte, escape bool) ([]byte, error) {
	n := len(dst)
	if out, ok := appendPlain(dst, src, escape); ok {
		return out, nil
	}
	out, html, ok := respace(dst, src, nil)
	if !ok {
		return out[:n], compactError(src)
	}
	if escape && html {
		out = escapeTail(out, n)
	}
	return out, nil
}

// appendPlain appends src if it is one string that no compacting and no escaping changes, as most methods return it.
func appendPlain(dst, src []byte, escape bool) ([]byte, bool) {
	n, l := len(src), len(dst)
	if n < 2 || src[0] != '"' || src[n-1] != '"' {
		return dst, false
	}
	var how wire.Escapes
	if escape {
		how = wire.EscapeHTML
	}
	if cap(dst)-l < n {
		dst = grow(dst, n)
	}
	out := dst[:l+n]
	if n > 2 && wire.CopyPlain(out[l+1:], mem.String(src[1:n-1]), how) < n-2 {
		return dst, false
	}
	out[l], out[l+n-1] = '"', '"'
	return out, true
}

// escapeTail escapes b[n:] for HTML in place.
func escapeTail(b []byte, n int) []byte {
	i := indexHTML(b, n)
	if i == len(b) {
		return b
	}
	return appendHTMLEscape(b[:i], bytes.Clone(b[i:]))
}

// nesting is a stack of bits: for each open array or object, whether it is an object.
type nesting struct {
	top  uint64   // the innermost 64 levels, the last one lowest
	rest []uint64 // the levels below, 64 at a time
	n    int
}

// push opens a level and reports whether the depth is allowed.
func (s *nesting) push(object uint64) bool {
	if s.n&63 == 0 && s.n > 0 {
		s.rest = append(s.rest, s.top)
	}
	s.n++
	s.top = s.top<<1 | object
	return s.n <= maxDepth
}

// pop closes a level.
func (s *nesting) pop() {
	s.n--
	s.top >>= 1
	if s.n&63 == 0 && s.n > 0 {
		last := len(s.rest) - 1
		s.top, s.rest = s.rest[last], s.rest[:last]
	}
}

// object reports whether the innermost level is an object.
func (s *nesting) object() bool { return s.top&1 != 0 }

// skipSpace returns the offset of the first byte at or after i that is not white space.
func skipSpace(src []byte, i int) int {
	for i < len(src) && src[i] <= ' ' && (src[i] == ' ' || src[i] == '\n' || src[i] == '\t' || src[i] == '\r') {
		i++
	}
	return i
}

// respace appends src without its white space, and with line breaks and indentation if in is not nil; it reports false
// when src is not one JSON value. html is false when no character in it is one that HTML cares about. Runs of src that
// stay as they are are copied whole: all from start on is still to be copied.
func respace(dst, src []byte, in *indenter) (out []byte, html, ok bool) {
	var open nesting
	var marks uint64
	start := skipSpace(src, 0)
	i := start
	key := false // the next string is the name of a member
	for {
		// A value or a name begins here.
		if i >= len(src) {
			return dst, false, false
		}
		switch c := src[i]; {
		case c == '"':
			var m uint64
			if i, m = scanString(src, i+1); i < 0 {
				return dst, false, false
			}
			marks |= m
			if key {
				key = false
				if i < len(src) && src[i] <= ' ' {
					dst = append(dst, src[start:i]...)
					i = skipSpace(src, i)
					start = i
				}
				if i >= len(src) || src[i] != ':' {
					return dst, false, false
				}
				i++
				if i < len(src) && src[i] <= ' ' || in != nil {
					dst = append(dst, src[start:i]...)
					i = skipSpace(src, i)
					start = i
					if in != nil {
						dst = append(dst, ' ')
					}
				}
				continue
			}
		case key:
			return dst, false, false
		case c == '{' || c == '[':
			object := uint64(c>>5) & 1 // '{' is 0x7B, '[' 0x5B
			if !open.push(object) {
				return dst, false, false
			}
			i++
			if i < len(src) && src[i] <= ' ' {
				dst = append(dst, src[start:i]...)
				i = skipSpace(src, i)
				start = i
			}
			if i >= len(src) || src[i] != c+2 {
				key = object != 0
				if in != nil {
					dst, start = in.newline(append(dst, src[start:i]...), open.n), i
				}
				continue
			}
			i++
			open.pop()
		default:
			if i = scanLiteral(src, i); i < 0 {
				return dst, false, false
			}
		}
		// A value has ended.
		for {
			if open.n == 0 {
				end := skipSpace(src, i)
				return append(dst, src[start:pick(in != nil, end, i)]...), marks != 0, end == len(src)
			}
			if i < len(src) && src[i] <= ' ' {
				dst = append(dst, src[start:i]...)
				i = skipSpace(src, i)
				start = i
			}
			if i >= len(src) {
				return dst, false, false
			}
			c := src[i]
			if c == ',' {
				key = open.object()
				break
			}
			if c != '}' && c != ']' || (c == '}') != open.object() {
				return dst, false, false
			}
			open.pop()
			if in != nil {
				dst, start = in.newline(append(dst, src[start:i]...), open.n), i
			}
			i++
		}
		i++
		if i < len(src) && src[i] <= ' ' || in != nil {
			dst = append(dst, src[start:i]...)
			i = skipSpace(src, i)
			start = i
			if in != nil {
				dst = in.newline(dst, open.n)
			}
		}
	}
}

// scanString returns the offset after the string whose body begins at i, or -1. html is 0 when no character in it is
// one that HTML cares about.
func scanString(src []byte, i int) (end int, html uint64) {
	for {
		for ; i+8 <= len(src); i += 8 {
			x := binary.LittleEndian.Uint64(src[i:])
			q := x ^ ones*'"'
			s := x ^ ones*'\\'
			html |= htmlMarks(x)
			m := ((q-ones)&^q | (s-ones)&^s | (x-ones*0x20)&^x) & highs
			if m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
		}
		for ; i < len(src); i++ {
			c := src[i]
			if c == '"' || c == '\\' || c < 0x20 {
				break
			}
			html |= htmlMarks(uint64(c))
		}
		if i >= len(src) || src[i] < 0x20 {
			return -1, 0
		}
		if src[i] == '"' {
			return i + 1, html
		}
		if i+1 >= len(src) {
			return -1, 0
		}
		switch src[i+1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			i += 2
		case 'u':
			if i+6 > len(src) || !isHex(src[i+2]) || !isHex(src[i+3]) || !isHex(src[i+4]) || !isHex(src[i+5]) {
				return -1, 0
			}
			i += 6
		default:
			return -1, 0
		}
	}
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// scanLiteral returns the offset after the number, true, false or null at i, or -1. What follows
// it is for the caller to judge.
func scanLiteral(src []byte, i int) int {
	switch src[i] {
	case 't':
		if i+4 <= len(src) && string(src[i:i+4]) == "true" {
			return i + 4
		}
		return -1
	case 'f':
		if i+5 <= len(src) && string(src[i:i+5]) == "false" {
			return i + 5
		}
		return -1
	case 'n':
		if i+4 <= len(src) && string(src[i:i+4]) == "null" {
			return i + 4
		}
		return -1
	}
	if n := wire.NumberLen(src[i:]); n > 0 {
		return i + n
	}
	return -1
}

// appendIndent appends the indented form of src. Nothing is appended on an error.
func appendIndent(dst, src []byte, prefix, indent string) ([]byte, error) {
	n := len(dst)
	var room [64]byte
	in := indenter{indent: indent, base: 1 + len(prefix)}
	in.line = append(append(room[:0], '\n'), prefix...)
	out, _, ok := respace(dst, src, &in)
	if !ok {
		return out[:n], indentError(src)
	}
	return out, nil
}

// indenter appends line breaks: line holds "\n", the prefix and as many indents as were needed yet.
type indenter struct {
	line   []byte
	indent string
	base   int
}

// newline appends a line break and the indentation of depth levels.
func (in *indenter) newline(dst []byte, depth int) []byte {
	n := in.base + depth*len(in.indent)
	for len(in.line) < n {
		in.line = append(in.line, in.indent...)
	}
	return append(dst, in.line[:n]...)
}

// compactError returns what is wrong with src, at offset 0 as encoding/json has it.
func compactError(src []byte) error {
	err := indentError(src)
	if e, ok := err.(*SyntaxError); ok {
		e.Offset = 0
	}
	return err
}

// indentError returns what is wrong with src. The texts of syntax errors are in a field that
// encoding/json keeps to itself: where it cannot be set that package makes the error.
func indentError(src []byte) error {
	if mem.Safe {
		return stdjson.Indent(new(bytes.Buffer), src, "", "")
	}
	return syntaxError(src)
}
