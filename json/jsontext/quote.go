package jsontext

import (
	"bytes"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// AppendQuote appends src as a JSON string in its shortest form (RFC 8785 §3.2.2.2). Each byte that is not UTF-8
// becomes U+FFFD; then AppendQuote also returns an error. dst and src must not overlap.
func AppendQuote[Bytes ~[]byte | ~string](dst []byte, src Bytes) ([]byte, error) {
	dst, valid := wire.AppendQuoted(dst, viewOf(src), 0, false)
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
			b = append(b, string([]rune(string(plain)))...)
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
			b = append(b, wire.Unescaped[c])
			text = text[2:]
		}
	}
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
	head := func(n int) []byte { return []byte(s[:min(len(s), n)]) }
	var bad error
	for {
		n := 0
		for n < len(s) && s[n]-' ' < utf8.RuneSelf-' ' && s[n] != '"' && s[n] != '\\' {
			n++
		}
		b, s = append(b, s[:n]...), s[n:]
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case size == 0:
			return b, io.ErrUnexpectedEOF
		case r == '"':
			if s = s[1:]; s != "" {
				return b, invalidCharacter(head(utf8.UTFMax), afterString)
			}
			return b, bad
		case r < ' ':
			return b, invalidCharacter(head(1), inString)
		case r == utf8.RuneError && size == 1:
			if !utf8.FullRuneInString(s) {
				return b, io.ErrUnexpectedEOF
			}
			bad = errUTF8
		case r == '\\':
			n, ok := escape(head(12), false)
			if !ok {
				return b, invalidEscape(head(n))
			}
			if n == 0 {
				return b, io.ErrUnexpectedEOF
			}
			if n == 2 {
				r, size = rune(wire.Unescaped[s[1]]), n
			} else if r, size = unescapeUnicode(s); size < 0 {
				size = -size
				n, ok := escape(head(12), true)
				if n == 0 && ok {
					return append(b, "\ufffd"...), io.ErrUnexpectedEOF
				}
				bad = invalidEscape(head(n))
			}
		}
		b = utf8.AppendRune(b, r)
		s = s[size:]
	}
}
