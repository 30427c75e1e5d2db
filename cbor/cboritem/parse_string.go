package cboritem

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// string reads a string, which may be in several parts, and its encoding indicator; or <<items>>.
func (p *parser) string() error {
	at := len(p.b)
	p.b = append(p.b, 0)
	major, err := p.part()
	if err != nil {
		return err
	}
	size := p.indicator()
	if size < 0 && p.accept("_") {
		if len(p.b) > at+1 {
			return errIndicator
		}
		p.b[at] = major | cborwire.Open
		p.b = append(p.b, cborwire.Break)
		return nil
	}
	for size < 0 {
		before := p.i
		if err := p.space(); err != nil {
			return err
		}
		if !p.begins() {
			p.i = before
			break
		}
		if _, err := p.part(); err != nil { // bytes and text may be joined: the first says what it is
			return err
		}
		size = p.indicator()
	}
	if major == cborwire.Text && !utf8.Valid(p.b[at+1:]) {
		return errText
	}
	return p.close(at, major, uint64(len(p.b)-at-1), size)
}

// quoted are the ways to begin bytes in quotes.
var quoted = []struct {
	prefix string
	decode func(s string) ([]byte, error)
}{
	{"h'", hex.DecodeString},
	{"b64'", decode64},
	{"b32'", base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString},
	{"h32'", base32.HexEncoding.WithPadding(base32.NoPadding).DecodeString},
}

// decode64 reads either alphabet.
func decode64(s string) ([]byte, error) {
	s = strings.NewReplacer("-", "+", "_", "/").Replace(s)
	return base64.RawStdEncoding.DecodeString(s)
}

// begins reports whether a string comes next.
func (p *parser) begins() bool {
	rest := p.text[p.i:]
	for i := range quoted {
		if strings.HasPrefix(rest, quoted[i].prefix) {
			return true
		}
	}
	return rest != "" && (rest[0] == '"' || rest[0] == '\'') || strings.HasPrefix(rest, "<<")
}

// part appends the bytes of one part of a string, and returns its major type.
func (p *parser) part() (major byte, err error) {
	for i := range quoted {
		if p.accept(quoted[i].prefix) {
			return cborwire.Bytes, p.digits(quoted[i].decode)
		}
	}
	switch {
	case p.accept("<<"):
		return cborwire.Bytes, p.embedded()
	case p.accept("'"):
		return cborwire.Bytes, p.quote('\'')
	case p.accept(`"`):
		return cborwire.Text, p.quote('"')
	}
	return 0, p.unexpected("an item")
}

// digits appends the bytes whose digits stand before a quote, with spaces and comments between them.
func (p *parser) digits(decode func(string) ([]byte, error)) error {
	var text []byte
	for {
		// A slash is a comment here: base64 may have the alphabet without it.
		if err := p.space(); err != nil {
			return err
		}
		if p.i >= len(p.text) {
			return errEnd
		}
		c := p.text[p.i]
		if p.i++; c == '\'' {
			break
		}
		text = append(text, c)
	}
	body, err := decode(strings.TrimRight(string(text), "="))
	p.b = append(p.b, body...)
	return err
}

// embedded appends items separated by commas up to >>.
func (p *parser) embedded() error {
	return p.level(func() error {
		for n := 0; ; n++ {
			if err := p.space(); err != nil {
				return err
			}
			if p.accept(">>") {
				return nil
			}
			if n > 0 {
				if err := p.expect(","); err != nil {
					return err
				}
			}
			if err := p.item(); err != nil {
				return err
			}
		}
	})
}

var errEscape = errors.New("escape sequence is not valid")

// quote appends the text up to the quote, with the escapes of JSON.
func (p *parser) quote(end byte) error {
	for p.i < len(p.text) {
		c := p.text[p.i]
		p.i++
		switch {
		case c == end:
			return nil
		case c != '\\':
			p.b = append(p.b, c)
			continue
		case p.i == len(p.text):
			return errEnd
		}
		c = p.text[p.i]
		p.i++
		switch c {
		case '"', '\'', '\\', '/':
			p.b = append(p.b, c)
		case 'b', 'f', 'n', 'r', 't':
			p.b = append(p.b, "\b\f\n\r\t"[strings.IndexByte("bfnrt", c)])
		case 'u':
			r, err := p.rune()
			if err != nil {
				return err
			}
			p.b = utf8.AppendRune(p.b, r)
		default:
			return errEscape
		}
	}
	return errEnd
}

// rune reads what stands behind \u: four digits, two times of a surrogate pair, or any in braces.
func (p *parser) rune() (rune, error) {
	if p.accept("{") {
		text, _, ok := strings.Cut(p.text[p.i:], "}")
		v, err := strconv.ParseUint(text, 16, 32)
		if !ok || err != nil || !utf8.ValidRune(rune(v)) {
			return 0, errEscape
		}
		p.i += len(text) + 1
		return rune(v), nil
	}
	first, ok := p.hex4()
	if !ok {
		return 0, errEscape
	}
	if !utf16.IsSurrogate(first) {
		return first, nil
	}
	if !p.accept(`\u`) {
		return 0, errEscape
	}
	second, ok := p.hex4()
	r := utf16.DecodeRune(first, second)
	if !ok || r == utf8.RuneError {
		return 0, errEscape
	}
	return r, nil
}

func (p *parser) hex4() (rune, bool) {
	if p.i+4 > len(p.text) {
		return 0, false
	}
	v, err := strconv.ParseUint(p.text[p.i:p.i+4], 16, 16)
	p.i += 4
	return rune(v), err == nil
}
