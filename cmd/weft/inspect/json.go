package inspect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// space reads insignificant whitespace (RFC 8259 §2).
func (d *dump) space() error {
	for {
		c, err := d.in.ReadByte()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return d.fail(d.off, err)
		}
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return d.in.UnreadByte()
		}
		d.off++
	}
}

// token reads whitespace and the first byte of the token after it.
func (d *dump) token() (byte, error) {
	if err := d.space(); err != nil {
		return 0, err
	}
	return d.next()
}

// jsonValue prints one value with all that is in it.
func (d *dump) jsonValue() error {
	for {
		c, err := d.token()
		if err != nil {
			return err
		}
		opened, err := d.jsonToken(c)
		if err != nil {
			return err
		}
		due := false
		if opened {
			if due, err = d.jsonFirst(); err != nil {
				return err
			}
		}
		for !due && len(d.frames) > 0 {
			if due, err = d.jsonNext(); err != nil {
				return err
			}
		}
		if !due {
			return nil
		}
	}
}

// jsonToken prints a scalar, or enters an array or object.
func (d *dump) jsonToken(c byte) (opened bool, err error) {
	start, depth := d.off-1, len(d.frames)
	switch {
	case c == '{' || c == '[':
		what := "array"
		if c == '{' {
			what = "object"
		}
		d.row(start, nil, depth, what)
		return true, d.open(frame{start: start, object: c == '{', index: -1})
	case c == '"':
		t, err := d.jsonString()
		what := "string, " + count(t.n, "byte") + ": \"" + t.String() + "\""
		if t.n <= maxText {
			what = "string \"" + t.String() + "\""
		}
		what += flaw(err)
		if err == nil && !t.valid() {
			what += ", not UTF-8"
		}
		d.row(start, nil, depth, what)
		return false, err
	case c == '-' || c >= '0' && c <= '9':
		t, err := d.jsonNumber(c)
		d.row(start, nil, depth, "number "+t.String()+flaw(err))
		return false, err
	case c == 't':
		return false, d.jsonLiteral(start, "true")
	case c == 'f':
		return false, d.jsonLiteral(start, "false")
	case c == 'n':
		return false, d.jsonLiteral(start, "null")
	}
	return false, d.unexpected(c, "where a value is expected")
}

// jsonFirst goes to the first member or element of what was just opened, and
// reports whether there is one.
func (d *dump) jsonFirst() (due bool, err error) {
	f := &d.frames[len(d.frames)-1]
	f.aside = true
	c, err := d.token()
	if err != nil {
		return false, err
	}
	switch {
	case !f.object && c == ']' || f.object && c == '}':
		d.jsonClose()
		return false, nil
	case f.object:
		return true, d.jsonName(c, "where a member or '}' is expected")
	}
	f.index++
	f.aside = false
	d.off--
	return true, d.in.UnreadByte()
}

// jsonNext goes to the next member or element, and reports whether there is one.
func (d *dump) jsonNext() (due bool, err error) {
	f := &d.frames[len(d.frames)-1]
	f.aside = true
	c, err := d.token()
	if err != nil {
		return false, err
	}
	switch {
	case c == ',' && f.object:
		if c, err = d.token(); err != nil {
			return false, err
		}
		return true, d.jsonName(c, "where a member is expected")
	case c == ',':
		f.index++
		f.aside = false
		return true, nil
	case !f.object && c == ']' || f.object && c == '}':
		d.jsonClose()
		return false, nil
	case f.object:
		return false, d.unexpected(c, "where ',' or '}' is expected")
	}
	return false, d.unexpected(c, "where ',' or ']' is expected")
}

// jsonClose leaves the innermost array or object.
func (d *dump) jsonClose() {
	f := d.frames[len(d.frames)-1]
	d.frames = d.frames[:len(d.frames)-1]
	what := "end of array, " + count(f.index+1, "element")
	if f.object {
		what = "end of object, " + count(f.index+1, "member")
	}
	d.row(f.start, nil, len(d.frames), what+", "+count(d.off-f.start, "byte"))
}

// jsonName prints the name of a member whose first byte is c, and reads the
// colon.
func (d *dump) jsonName(c byte, due string) error {
	f := &d.frames[len(d.frames)-1]
	if c != '"' {
		return d.unexpected(c, due)
	}
	start := d.off - 1
	f.index++
	t, err := d.jsonString()
	f.name = abbreviate(&t)
	what := "name \"" + t.String() + "\""
	what += flaw(err)
	if err == nil && !t.valid() {
		what += ", not UTF-8"
	}
	d.line(start, nil, len(d.frames), what, "")
	if err != nil {
		return err
	}
	if c, err = d.token(); err != nil {
		return err
	}
	if c != ':' {
		return d.unexpected(c, "where ':' is expected")
	}
	f.aside = false
	return nil
}

// jsonString reads a string behind its first quote (RFC 8259 §7).
func (d *dump) jsonString() (text, error) {
	t := text{limit: maxText}
	var one [utf8.UTFMax]byte
	for {
		// A run of plain characters, as far as it is in the buffer.
		plain, _ := d.in.Peek(d.in.Buffered())
		if i := bytes.IndexFunc(plain, func(r rune) bool { return r < 0x20 || r == '"' || r == '\\' }); i >= 0 {
			plain = plain[:i]
		}
		t.add(plain)
		d.off += int64(len(plain))
		if _, err := d.in.Discard(len(plain)); err != nil {
			return t, d.fail(d.off, err)
		}
		c, err := d.next()
		switch {
		case err != nil:
			return t, err
		case c == '"':
			return t, nil
		case c < 0x20:
			return t, d.fail(d.off-1, fmt.Errorf("control character %#02x in a string", c))
		case c != '\\':
			one[0] = c
			t.add(one[:1])
			continue
		}
		r, err := d.jsonEscape()
		if err != nil {
			return t, err
		}
		t.add(utf8.AppendRune(one[:0], r))
	}
}

// jsonEscape reads what follows a backslash.
func (d *dump) jsonEscape() (rune, error) {
	c, err := d.next()
	if err != nil {
		return 0, err
	}
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		r, err := d.jsonHex()
		if err != nil || !utf16.IsSurrogate(r) {
			return r, err
		}
		// The second half of a pair, when it is one.
		ahead, _ := d.in.Peek(6)
		if len(ahead) == 6 && ahead[0] == '\\' && ahead[1] == 'u' {
			if low, ok := hex4(ahead[2:]); ok {
				if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
					_, err := d.in.Discard(6)
					d.off += 6
					return pair, err
				}
			}
		}
		return utf8.RuneError, nil
	}
	return 0, d.unexpected(c, "after a backslash")
}

// jsonHex reads the four digits of an escape.
func (d *dump) jsonHex() (rune, error) {
	var digits [4]byte
	start := d.off - 2
	for i := range digits {
		c, err := d.next()
		if err != nil {
			return 0, err
		}
		digits[i] = c
	}
	r, ok := hex4(digits[:])
	if !ok {
		return 0, d.fail(start, errors.New("escape \\u without four hexadecimal digits"))
	}
	return r, nil
}

func hex4(b []byte) (rune, bool) {
	var r rune
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// jsonNumber reads a number whose first byte is c (RFC 8259 §6).
func (d *dump) jsonNumber(c byte) (text, error) {
	t := text{limit: maxText}
	end := false
	// step takes the current byte and reads the one after it.
	step := func() error {
		t.add([]byte{c})
		next, err := d.in.ReadByte()
		if err != nil && err != io.EOF {
			return d.fail(d.off, err)
		}
		if end = err != nil; end {
			next = 0
		} else {
			d.off++
		}
		c = next
		return nil
	}
	wrong := func(where string) error {
		err := d.unexpected(c, where)
		d.off-- // not the number's any more
		return err
	}
	digits := func(what string) error {
		if c < '0' || c > '9' {
			if end {
				return d.fail(d.off, ended(io.EOF))
			}
			return wrong(what)
		}
		for c >= '0' && c <= '9' {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	}
	if c == '-' {
		if err := step(); err != nil {
			return t, err
		}
	}
	if c == '0' {
		if err := step(); err != nil {
			return t, err
		}
		if c >= '0' && c <= '9' {
			return t, wrong("after a leading zero")
		}
	} else if err := digits("in a number"); err != nil {
		return t, err
	}
	if c == '.' {
		if err := step(); err != nil {
			return t, err
		}
		if err := digits("in a fraction"); err != nil {
			return t, err
		}
	}
	if c == 'e' || c == 'E' {
		if err := step(); err != nil {
			return t, err
		}
		if c == '+' || c == '-' {
			if err := step(); err != nil {
				return t, err
			}
		}
		if err := digits("in an exponent"); err != nil {
			return t, err
		}
	}
	if end {
		return t, nil
	}
	d.off--
	return t, d.in.UnreadByte()
}

// jsonLiteral reads true, false or null behind its first byte.
func (d *dump) jsonLiteral(start int64, literal string) error {
	for i := 1; i < len(literal); i++ {
		c, err := d.next()
		if err != nil {
			return err
		}
		if c != literal[i] {
			return d.unexpected(c, "in the literal "+literal)
		}
	}
	d.row(start, nil, len(d.frames), literal)
	return nil
}

// unexpected returns the error for the byte just read.
func (d *dump) unexpected(c byte, where string) error {
	return d.fail(d.off-1, fmt.Errorf("%s %s", printable(c), where))
}

func printable(c byte) string {
	if c > 0x20 && c < 0x7f {
		return "'" + string(rune(c)) + "'"
	}
	return fmt.Sprintf("byte %#02x", c)
}
