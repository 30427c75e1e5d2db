package json

import (
	"cmp"
	"errors"
	"strconv"

	"github.com/weftcodec/weft/internal/wire"
)

// scanner checks JSON text byte by byte. It is for text that arrives in
// pieces, and to find the first error of a text that the decoder has refused:
// its errors are encoding/json's.
type scanner struct {
	state  scanState
	number wire.NumberState // the state in a number
	expect string           // what is left of a literal
	lit    string           // the literal
	hex    int              // digits left of \uXXXX
	key    bool             // the string is a member's name
	stack  []byte           // '{' or '[' of each open value
	most   int              // how many may be open, 0 for encoding/json's maximum
	deep   bool             // the error is that there are more
	n      int64            // bytes consumed
	err    error
}

// scanState is what a scanner is in the middle of.
type scanState uint8

const (
	scanValue     scanState = iota // before a value
	scanFirstElem                  // after [
	scanFirstName                  // after {
	scanName                       // after , in an object
	scanColon                      // after a name
	scanElem                       // after an element
	scanMember                     // after a member
	scanDone                       // after the top-level value
	inString
	scanEscape // after a backslash
	scanHex    // in \uXXXX
	inNumber
	inLiteral // in true, false or null
	scanFailed
)

// syntaxFault is what encoding/json says of a byte that may not follow a text, and a text that it says so of.
type syntaxFault struct{ words, after string }

// scanFaults are those of each state but the ones in numbers and literals.
var scanFaults = [...]syntaxFault{
	scanValue:     {"looking for beginning of value", `[0,`},
	scanFirstElem: {"looking for beginning of value", `[`},
	scanFirstName: {"looking for beginning of object key string", `{`},
	scanName:      {"looking for beginning of object key string", `{"":0,`},
	scanColon:     {"after object key", `{""`},
	scanElem:      {"after array element", `[""`},
	scanMember:    {"after object key:value pair", `{"":""`},
	scanDone:      {"after top-level value", `""`},
	inString:      {"in string literal", `"`},
	scanEscape:    {"in string escape code", `"\`},
	scanHex:       {`in \u hexadecimal character escape`, `"\u`},
}

// numberFaults are those of the states of a number.
var numberFaults = [...]syntaxFault{
	wire.NumberMinus: {"in numeric literal", `-`},
	wire.NumberPoint: {"after decimal point in numeric literal", `0.`},
	wire.NumberE:     {"in exponent of numeric literal", `0e`},
	wire.NumberSign:  {"in exponent of numeric literal", `0e+`},
}

// literalFault is that of the literal of which expect is left.
func literalFault(lit, expect string) syntaxFault {
	return syntaxFault{"in literal " + lit + " (expecting " + quoteChar(expect[0]) + ")", lit[:len(lit)-len(expect)]}
}

// tooManyOpen is what encoding/json says of a bracket after as many as may be open.
const tooManyOpen = "exceeded max depth"

// reset makes s expect a value; the count of bytes goes on.
func (s *scanner) reset() {
	s.state, s.err = scanValue, nil
	s.stack = s.stack[:0]
}

// step consumes c and reports whether the text is right so far.
func (s *scanner) step(c byte) bool {
	s.n++
	switch s.state {
	case inString:
		switch {
		case c == '"':
			if s.state = scanColon; !s.key {
				s.endValue()
			}
		case c == '\\':
			s.state = scanEscape
		case c < ' ':
			return s.fail(c)
		}
		return true
	case scanEscape:
		switch {
		case c == 'u':
			s.state, s.hex = scanHex, 4
		case wire.Unescaped[c] != 0:
			s.state = inString
		default:
			return s.fail(c)
		}
		return true
	case scanHex:
		if !isHex(c) {
			return s.fail(c)
		}
		if s.hex--; s.hex == 0 {
			s.state = inString
		}
		return true
	case inNumber:
		if next := s.number.Step(c); next != 0 {
			s.number = next
			return true
		}
		if !s.number.Done() {
			return s.fail(c)
		}
		s.endValue()
	case inLiteral:
		if c != s.expect[0] {
			return s.fail(c)
		}
		if s.expect = s.expect[1:]; s.expect == "" {
			s.endValue()
		}
		return true
	case scanFailed:
		s.n--
		return false
	}
	if isSpace(c) {
		return true
	}
	switch s.state {
	case scanValue, scanFirstElem:
		if c == ']' && s.state == scanFirstElem {
			s.pop()
			return true
		}
		return s.begin(c)
	case scanFirstName, scanName:
		switch {
		case c == '"':
			s.key, s.state = true, inString
			return true
		case c == '}' && s.state == scanFirstName:
			s.pop()
			return true
		}
	case scanColon:
		if c == ':' {
			s.state = scanValue
			return true
		}
	case scanElem:
		switch c {
		case ',':
			s.state = scanValue
			return true
		case ']':
			s.pop()
			return true
		}
	case scanMember:
		switch c {
		case ',':
			s.state = scanName
			return true
		case '}':
			s.pop()
			return true
		}
	}
	return s.fail(c)
}

// begin consumes the first byte of a value.
func (s *scanner) begin(c byte) bool {
	switch c {
	case '{', '[':
		if len(s.stack) >= cmp.Or(s.most, maxDepth) {
			s.deep = true
			return s.failFor(c, tooManyOpen)
		}
		s.stack = append(s.stack, c)
		s.state = pick(c == '{', scanFirstName, scanFirstElem)
	case '"':
		s.key, s.state = false, inString
	case 't':
		s.state, s.lit, s.expect = inLiteral, "true", "rue"
	case 'f':
		s.state, s.lit, s.expect = inLiteral, "false", "alse"
	case 'n':
		s.state, s.lit, s.expect = inLiteral, "null", "ull"
	default:
		if s.number = wire.NumberState(0).Step(c); s.number == 0 {
			return s.fail(c)
		}
		s.state = inNumber
	}
	return true
}

func (s *scanner) endValue() {
	switch n := len(s.stack); {
	case n == 0:
		s.state = scanDone
	case s.stack[n-1] == '{':
		s.state = scanMember
	default:
		s.state = scanElem
	}
}

func (s *scanner) pop() {
	s.stack = s.stack[:len(s.stack)-1]
	s.endValue()
}

// end reports whether the text may end here. As in encoding/json the end counts
// as a space, which some errors name.
func (s *scanner) end() bool {
	if s.state == scanFailed {
		return false
	}
	s.n--
	s.step(' ')
	if s.state == scanDone {
		return true
	}
	if s.err == nil {
		s.state, s.err = scanFailed, newSyntaxError(unexpectedEnd, s.n)
	}
	return false
}

const unexpectedEnd = "unexpected end of JSON input"

// offset returns the offset of the byte at fault.
func (s *scanner) offset() int64 {
	if e, ok := errors.AsType[*SyntaxError](s.err); ok {
		return syntaxOffset(e)
	}
	return s.n
}

// fail ends the walk because c may not stand here.
func (s *scanner) fail(c byte) bool {
	switch s.state {
	case inNumber:
		return s.failFor(c, numberFaults[s.number].words)
	case inLiteral:
		return s.failFor(c, literalFault(s.lit, s.expect).words)
	}
	return s.failFor(c, scanFaults[s.state].words)
}

func (s *scanner) failFor(c byte, words string) bool {
	s.state = scanFailed
	s.err = newSyntaxError("invalid character "+quoteChar(c)+" "+words, s.n)
	return false
}

func isSpace(c byte) bool { return c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r') }

func isDigit(c byte) bool { return c-'0' <= 9 }

// quoteChar returns c as encoding/json's errors quote it.
func quoteChar(c byte) string {
	switch {
	case c == '\'':
		return `'\''`
	case ' ' <= c && c <= '~' && c != '\\':
		return "'" + string(rune(c)) + "'"
	}
	s := strconv.Quote(string(rune(c)))
	return "'" + s[1:len(s)-1] + "'"
}

// check consumes the rest of a text and returns its first error, nil if the text is one JSON value.
func (s *scanner) check(rest []byte) error {
	for i := 0; i < len(rest) && s.err == nil; {
		if s.state >= inString {
			i += s.scalar(rest[i:])
		} else if s.step(rest[i]) {
			i++
		}
	}
	s.end()
	return s.err
}

// fault returns the first error of the text of d, which s finds, nil if it is one JSON value.
func (d *decoder) fault(s *scanner) error {
	i := d.nw.Next(0)
	if c := d.b.At(i); c != '{' && c != '[' {
		return s.check(d.data)
	}
	s.most = d.most
	d.walk.Begin(s.most, false)
	i = d.walk.Walk(d.b, d.s, d.nw, i)
	s.resume(&d.walk)
	s.n = int64(i)
	return s.check(d.data[i:])
}
