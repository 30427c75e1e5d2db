package json

import (
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// Literals as four bytes, the first one lowest.
const (
	wordNull = 'n' | 'u'<<8 | 'l'<<16 | 'l'<<24
	wordTrue = 't' | 'r'<<8 | 'u'<<16 | 'e'<<24
	wordAlse = 'a' | 'l'<<8 | 's'<<16 | 'e'<<24
)

// isFalse reports whether the literal false stands at i.
func isFalse(b mem.Bytes, i int) bool { return b.At(i) == 'f' && b.U32(i+1) == wordAlse }

// skip checks the value at i and returns the index after it, or failed.
// Nesting is kept in a bit stack: 1 for an object, 0 for an array.
func (d *decoder) skip(i int) int {
	b, ends, solid := d.b, d.s, d.nw
	c := b.At(i)
	if c != '{' && c != '[' {
		return d.skipScalar(i)
	}
	var few [4]uint64
	stack := few[:]
	depth, obj := 0, false
	for {
		// b.At(i) begins a value, c
		switch c {
		case '"':
			i = ends.Next(i + 1)
			if b.At(i) != '"' {
				if i = d.skipEscapes(i); i < 0 {
					return d.fail()
				}
			}
			i++
		case '{', '[':
			if d.depth+depth >= d.most {
				return d.fail()
			}
			if depth>>6 == len(stack) {
				stack = append(stack, make([]uint64, len(stack))...)
			}
			bit := uint64(1) << (uint(depth) & 63)
			if obj {
				stack[depth>>6] |= bit
			} else {
				stack[depth>>6] &^= bit
			}
			depth++
			obj = c == '{'
			i++
			if b.At(i) <= ' ' {
				i = solid.Next(i)
			}
			if c = b.At(i); c == ']' && !obj || c == '}' && obj {
				goto closed
			}
			goto element
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			if next := b.At(i + 1); next == ',' || next == '}' || next == ']' { // most numbers have one digit
				i++
				break
			}
			fallthrough
		case '-':
			if i = d.skipNumber(i); i < 0 {
				return i
			}
		default:
			if i = d.skipScalar(i); i < 0 {
				return i
			}
		}
	after:
		c = b.At(i)
		if c <= ' ' {
			i = solid.Next(i)
			c = b.At(i)
		}
		if c == ',' {
			i++
			if b.At(i) <= ' ' {
				i = solid.Next(i)
			}
			c = b.At(i)
			goto element
		}
		if !(c == '}' && obj || c == ']' && !obj) {
			return d.fail()
		}
	closed:
		i++
		depth--
		if depth == 0 {
			return i
		}
		obj = stack[depth>>6]>>(uint(depth)&63)&1 != 0
		goto after
	element:
		if obj {
			if c != '"' {
				return d.fail()
			}
			i = ends.Next(i + 1)
			if b.At(i) != '"' {
				if i = d.skipEscapes(i); i < 0 {
					return d.fail()
				}
			}
			i++
			if c = b.At(i); c != ':' {
				i = d.ws(i)
				if b.At(i) != ':' {
					return d.fail()
				}
			}
			i++
			c = b.At(i)
			if c == ' ' {
				i++
				c = b.At(i)
			}
			if c <= ' ' {
				i = solid.Next(i)
				c = b.At(i)
			}
		}
	}
}

// skipSure is skip where d may be unsure.
func (d *decoder) skipSure(i int) int {
	j := d.skip(i)
	if j >= 0 && d.unsure {
		j = d.code.inside(d, i, j)
	}
	return j
}

// skipScalar is skip for a string, a number or a literal.
func (d *decoder) skipScalar(i int) int {
	b := d.b
	switch c := b.At(i); c {
	case '"':
		e := d.strEnd(i + 1)
		if b.At(e) != '"' {
			if e = d.skipEscapes(e); e < 0 {
				return d.fail()
			}
		}
		return e + 1
	case 't':
		if b.U32(i) == wordTrue {
			return i + 4
		}
	case 'n':
		if b.U32(i) == wordNull {
			return i + 4
		}
	case 'f':
		if isFalse(b, i) {
			return i + 5
		}
	default:
		return d.skipNumber(i)
	}
	return d.fail()
}

// skipEscapes goes on from e, where a string has a backslash, and returns the
// index of the closing quote, or failed.
func (d *decoder) skipEscapes(e int) int {
	b := d.b
	for {
		for b.At(e) == '\\' { // escapes often come in runs
			c := b.At(e + 1)
			if c == 'u' {
				if wire.Hex4(b, e+2) < 0 {
					return failed
				}
				e += 6
				continue
			}
			if unescaped[c] == 0 {
				return failed
			}
			e += 2
		}
		if e = d.strEnd(e); b.At(e) == '"' {
			return e
		}
		if b.At(e) != '\\' {
			return failed
		}
	}
}

// skipNumber checks the number at i and returns the index after it, or failed.
func (d *decoder) skipNumber(i int) int {
	if i = wire.SkipNumber(d.b, i); i < 0 {
		return d.fail()
	}
	return i
}
