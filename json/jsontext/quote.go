package jsontext

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

const hexDigits = "0123456789abcdef"

// AppendQuote appends src as a JSON string in its shortest form (RFC 8785 §3.2.2.2). Each byte that is not UTF-8
// becomes U+FFFD; then AppendQuote also returns an error. dst and src must not overlap.
func AppendQuote[Bytes ~[]byte | ~string](dst []byte, src Bytes) ([]byte, error) {
	dst, valid := appendQuoted(dst, viewOf(src), 0)
	if !valid {
		return dst, &SyntacticError{Err: errUTF8}
	}
	return dst, nil
}

// AppendUnquote appends the value of src, one JSON string without whitespace around it. Each byte that is not UTF-8
// and each unpaired surrogate becomes U+FFFD; then AppendUnquote also returns an error. It stops at any other error.
// dst and src must not overlap.
func AppendUnquote[Bytes ~[]byte | ~string](dst []byte, src Bytes) ([]byte, error) {
	dst, err := unquote(dst, viewOf(src))
	if err != nil {
		return dst, &SyntacticError{Err: err}
	}
	return dst, nil
}

// viewOf returns src as a string without copying it.
func viewOf[Bytes ~[]byte | ~string](src Bytes) string {
	switch s := any(src).(type) {
	case string:
		return s
	case []byte:
		return mem.String(s)
	}
	return string(src)
}

// appendQuoted appends s as a JSON string with the escapes that the flags ask for. Each byte that is not
// of a valid UTF-8 character becomes U+FFFD; then valid is false.
func appendQuoted(b []byte, s string, flags uint64) (_ []byte, valid bool) {
	html := flags&flagEscapeHTML != 0
	valid = true
	b = slices.Grow(b, len(s)+2)
	o := len(b) + 1
	d := b[:cap(b)]
	d[o-1] = '"'
	for i := 0; ; {
		n := wire.CopyPlain(d[o:], s[i:], wire.HTML(html))
		i += n
		o += n
		if i == len(s) {
			d[o] = '"'
			return d[:o+1], valid
		}
		// Room for what follows, at worst six bytes for the next and one for each other, and a quote.
		if len(d)-o < len(s)-i+7 {
			d = slices.Grow(d[:o], len(s)-i+64)
			d = d[:cap(d)]
		}
		c := s[i]
		switch {
		case c < utf8.RuneSelf:
			o += putEscape(d[o:o+6], c)
			i++
		case isLineSeparator(s[i:]):
			if flags&flagEscapeJS != 0 {
				copy(d[o:], `\u2028`)
				d[o+5] = hexDigits[s[i+2]&15]
				o += 6
			} else {
				o += copy(d[o:], s[i:i+3])
			}
			i += 3
		default:
			o += copy(d[o:], "\ufffd")
			i++
			valid = false
		}
	}
}

// putEscape writes the shortest escape of an ASCII character and returns its length.
func putEscape(d []byte, c byte) int {
	d[0] = '\\'
	switch c {
	case '"', '\\':
		d[1] = c
		return 2
	case '\b':
		d[1] = 'b'
		return 2
	case '\f':
		d[1] = 'f'
		return 2
	case '\n':
		d[1] = 'n'
		return 2
	case '\r':
		d[1] = 'r'
		return 2
	case '\t':
		d[1] = 't'
		return 2
	}
	d[1], d[2], d[3], d[4], d[5] = 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15]
	return 6
}

// isLineSeparator reports whether s begins with U+2028 or U+2029.
func isLineSeparator(s string) bool {
	return len(s) >= 3 && s[0] == 0xe2 && s[1] == 0x80 && s[2]|1 == 0xa9
}

// appendPreserved appends the text of a string as it is, but for the escapes that the flags ask for.
func appendPreserved(b, text []byte, flags uint64) []byte {
	html, js := flags&flagEscapeHTML != 0, flags&flagEscapeJS != 0
	from := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case html && (c == '<' || c == '>' || c == '&'):
			b = append(b, text[from:i]...)
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			from = i + 1
		case js && c == 0xe2 && i+2 < len(text) && text[i+1] == 0x80 && text[i+2]|1 == 0xa9:
			b = append(b, text[from:i]...)
			b = append(b, '\\', 'u', '2', '0', '2', hexDigits[text[i+2]&15])
			i += 2
			from = i + 1
		}
	}
	return append(b, text[from:]...)
}

// appendUnquoted appends the value of a string of which text is what stands between the quotes, known to
// be well-formed. Halves of surrogate pairs and bytes that are not UTF-8 become U+FFFD; then valid is
// false.
func appendUnquoted(b, text []byte) (_ []byte, valid bool) {
	valid = true
	for {
		n := bytes.IndexByte(text, '\\')
		if n < 0 {
			n = len(text)
		}
		if plain := text[:n]; wire.ValidUTF8(plain) {
			b = append(b, plain...)
		} else {
			b = appendValid(b, plain)
			valid = false
		}
		if text = text[n:]; len(text) == 0 {
			return b, valid
		}
		switch c := text[1]; c {
		case 'u':
			r, size := unescapeUnicode(text)
			if r == utf8.RuneError && size < 0 {
				valid, size = false, -size
			}
			b = utf8.AppendRune(b, r)
			text = text[size:]
		default:
			b = append(b, unescaped(c))
			text = text[2:]
		}
	}
}

// appendValid appends s with each byte that is not of a valid UTF-8 character replaced by U+FFFD.
func appendValid(b, s []byte) []byte {
	for len(s) > 0 {
		n := validPrefix(s)
		b = append(b, s[:n]...)
		if s = s[n:]; len(s) > 0 {
			b = append(b, "\ufffd"...)
			s = s[1:]
		}
	}
	return b
}

// unescaped returns what the character after a backslash stands for.
func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// unescapeUnicode returns the character that the escapes stand for that text begins with, and their
// length. For half a surrogate pair it is U+FFFD and the length is negative.
func unescapeUnicode[T []byte | string](text T) (r rune, size int) {
	v, _, _ := hex4(text[2:])
	if v&0xf800 != 0xd800 {
		return v, 6
	}
	if v < 0xdc00 && len(text) >= 12 && text[6] == '\\' && text[7] == 'u' {
		if low, whole, ok := hex4(text[8:]); ok && whole && low&0xfc00 == 0xdc00 {
			return (v&0x3ff)<<10 + low&0x3ff + 0x10000, 12
		}
	}
	return utf8.RuneError, -6
}

// unquote appends the value of s, which should be one JSON string.
func unquote(b []byte, s string) ([]byte, error) {
	if s == "" {
		return b, io.ErrUnexpectedEOF
	}
	if s[0] != '"' {
		return b, invalidCharacter([]byte(s[:min(len(s), utf8.UTFMax)]), atString)
	}
	b = slices.Grow(b, len(s))
	s = s[1:]
	var bad error
	for {
		n := plainPrefix(s)
		b = append(b, s[:n]...)
		if s = s[n:]; s == "" {
			return b, io.ErrUnexpectedEOF
		}
		head := func(n int) []byte { return []byte(s[:min(len(s), n)]) }
		switch c := s[0]; {
		case c == '"':
			if s = s[1:]; s != "" {
				return b, invalidCharacter(head(utf8.UTFMax), afterString)
			}
			return b, bad
		case c < ' ':
			return b, invalidCharacter(head(1), inString)
		case c != '\\':
			if !utf8.FullRuneInString(s) {
				return b, io.ErrUnexpectedEOF
			}
			b = append(b, "\ufffd"...)
			s = s[1:]
			bad = errUTF8
		default:
			n, ok := escape(head(12), false)
			if !ok {
				return b, invalidEscape(head(n))
			}
			if n == 0 {
				return b, io.ErrUnexpectedEOF
			}
			if n == 2 {
				b = append(b, unescaped(s[1]))
				s = s[2:]
				continue
			}
			r, size := unescapeUnicode(s)
			if size < 0 {
				size = -size
				n, ok := escape(head(12), true)
				if n == 0 && ok {
					return append(b, "\ufffd"...), io.ErrUnexpectedEOF
				}
				bad = invalidEscape(head(n))
			}
			b = utf8.AppendRune(b, r)
			s = s[size:]
		}
	}
}

// plainPrefix returns the length of the longest start of s that has no quote, backslash, control
// character or byte that is not UTF-8.
func plainPrefix(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool { return r == '"' || r == '\\' || r < ' ' || r == utf8.RuneError })
	for n >= 0 && strings.HasPrefix(s[n:], "\ufffd") {
		k := strings.IndexFunc(s[n+3:], func(r rune) bool { return r == '"' || r == '\\' || r < ' ' || r == utf8.RuneError })
		if k < 0 {
			return len(s)
		}
		n += 3 + k
	}
	if n < 0 {
		return len(s)
	}
	return n
}
