package json

import (
	"cmp"
	"errors"
	"strconv"
)

// scanner checks JSON text byte by byte. It is for text that arrives in
// pieces, and to find the first error of a text that the decoder has refused:
// its errors are encoding/json's.
type scanner struct {
	state  scanState
	expect string // what is left of a literal
	lit    string // the literal
	hex    int    // digits left of \uXXXX
	key    bool   // the string is a member's name
	stack  []byte // '{' or '[' of each open value
	most   int    // how many may be open, 0 for encoding/json's maximum
	deep   bool   // the error is that there are more
	n      int64  // bytes consumed
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
	scanAfter                      // after a value
	inString                       // in a string
	scanEscape                     // after a backslash
	scanHex                        // in \uXXXX
	inLiteral                      // in true, false or null
	scanMinus                      // after -
	scanZero                       // after a leading 0
	scanDigits                     // in the integer part
	scanPoint                      // after .
	scanFraction                   // in the fraction
	scanE                          // after e
	scanESign                      // after the exponent's sign
	scanExponent                   // in the exponent
	scanDone                       // after the top-level value
	scanFailed
)

// reset makes s expect a value; the count of bytes goes on.
func (s *scanner) reset() {
	s.state, s.err = scanValue, nil
	s.stack = s.stack[:0]
}

// number reports whether a number could end here.
func (s *scanner) number() bool {
	switch s.state {
	case scanZero, scanDigits, scanFraction, scanExponent:
		return true
	}
	return false
}

// step consumes c and reports whether the text is right so far.
func (s *scanner) step(c byte) bool {
	s.n++
	switch s.state {
	case inString:
		switch {
		case c == '"':
			s.endString()
		case c == '\\':
			s.state = scanEscape
		case c < ' ':
			return s.fail(c, "in string literal")
		}
		return true
	case scanValue:
		if isSpace(c) {
			return true
		}
		return s.begin(c, "looking for beginning of value")
	case scanFirstElem:
		if isSpace(c) {
			return true
		}
		if c == ']' {
			s.pop()
			return true
		}
		return s.begin(c, "looking for beginning of value")
	case scanFirstName, scanName:
		switch {
		case isSpace(c):
			return true
		case c == '"':
			s.key, s.state = true, inString
			return true
		case c == '}' && s.state == scanFirstName:
			s.pop()
			return true
		}
		return s.fail(c, "looking for beginning of object key string")
	case scanColon:
		switch {
		case isSpace(c):
			return true
		case c == ':':
			s.state = scanValue
			return true
		}
		return s.fail(c, "after object key")
	case scanEscape:
		switch c {
		case 'b', 'f', 'n', 'r', 't', '\\', '/', '"':
			s.state = inString
			return true
		case 'u':
			s.state, s.hex = scanHex, 4
			return true
		}
		return s.fail(c, "in string escape code")
	case scanHex:
		if !(isDigit(c) || c|0x20-'a' < 6) {
			return s.fail(c, "in \\u hexadecimal character escape")
		}
		if s.hex--; s.hex == 0 {
			s.state = inString
		}
		return true
	case inLiteral:
		if c != s.expect[0] {
			return s.fail(c, "in literal "+s.lit+" (expecting "+quoteChar(s.expect[0])+")")
		}
		if s.expect = s.expect[1:]; s.expect == "" {
			s.endValue()
		}
		return true
	case scanMinus:
		switch {
		case c == '0':
			s.state = scanZero
			return true
		case isDigit(c):
			s.state = scanDigits
			return true
		}
		return s.fail(c, "in numeric literal")
	case scanPoint:
		if isDigit(c) {
			s.state = scanFraction
			return true
		}
		return s.fail(c, "after decimal point in numeric literal")
	case scanE:
		if c == '+' || c == '-' {
			s.state = scanESign
			return true
		}
		fallthrough
	case scanESign:
		if isDigit(c) {
			s.state = scanExponent
			return true
		}
		return s.fail(c, "in exponent of numeric literal")
	case scanZero, scanDigits, scanFraction, scanExponent:
		switch {
		case isDigit(c) && s.state != scanZero:
			return true
		case c == '.' && (s.state == scanZero || s.state == scanDigits):
			s.state = scanPoint
			return true
		case c|0x20 == 'e' && s.state != scanExponent:
			s.state = scanE
			return true
		}
		s.endValue()
		return s.after(c)
	case scanAfter, scanDone:
		return s.after(c)
	}
	s.n--
	return false
}

// begin consumes the first byte of a value.
func (s *scanner) begin(c byte, context string) bool {
	switch {
	case c == '{' || c == '[':
		if most := cmp.Or(s.most, maxDepth); len(s.stack) >= most {
			s.deep = true
			return s.fail(c, "exceeded max depth")
		}
		s.stack = append(s.stack, c)
		s.state = scanFirstName
		if c == '[' {
			s.state = scanFirstElem
		}
	case c == '"':
		s.key, s.state = false, inString
	case c == '-':
		s.state = scanMinus
	case c == '0':
		s.state = scanZero
	case isDigit(c):
		s.state = scanDigits
	case c == 't':
		s.state, s.lit, s.expect = inLiteral, "true", "rue"
	case c == 'f':
		s.state, s.lit, s.expect = inLiteral, "false", "alse"
	case c == 'n':
		s.state, s.lit, s.expect = inLiteral, "null", "ull"
	default:
		return s.fail(c, context)
	}
	return true
}

// after consumes a byte after a value.
func (s *scanner) after(c byte) bool {
	if isSpace(c) {
		return true
	}
	if len(s.stack) == 0 {
		return s.fail(c, "after top-level value")
	}
	if s.stack[len(s.stack)-1] == '{' {
		switch c {
		case ',':
			s.state = scanName
			return true
		case '}':
			s.pop()
			return true
		}
		return s.fail(c, "after object key:value pair")
	}
	switch c {
	case ',':
		s.state = scanValue
		return true
	case ']':
		s.pop()
		return true
	}
	return s.fail(c, "after array element")
}

func (s *scanner) endString() {
	if s.key {
		s.state = scanColon
		return
	}
	s.endValue()
}

func (s *scanner) endValue() {
	s.state = scanAfter
	if len(s.stack) == 0 {
		s.state = scanDone
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

func (s *scanner) fail(c byte, context string) bool {
	s.state = scanFailed
	s.err = newSyntaxError("invalid character "+quoteChar(c)+" "+context, s.n)
	return false
}

func isSpace(c byte) bool { return c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r') }

func isDigit(c byte) bool { return c-'0' <= 9 }

// quoteChar returns c as encoding/json's errors quote it.
func quoteChar(c byte) string {
	switch c {
	case '\'':
		return `'\''`
	case '"':
		return `'"'`
	}
	s := strconv.Quote(string(rune(c)))
	return "'" + s[1:len(s)-1] + "'"
}

// syntaxError returns the first error of data, nil if it is one JSON value.
func syntaxError(data []byte) error {
	var s scanner
	return s.check(data)
}

// check consumes data and returns its first error, nil if it is one JSON
// value.
func (s *scanner) check(data []byte) error {
	for _, c := range data {
		if !s.step(c) {
			return s.err
		}
	}
	if !s.end() {
		return s.err
	}
	return nil
}
