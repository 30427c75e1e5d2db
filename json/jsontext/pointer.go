package jsontext

import (
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/weftcodec/weft/internal/wire"
)

// Pointer is a JSON Pointer (RFC 6901) to a value within a top-level value: for each level, from the
// outermost, a slash and the name of a member or the index of an element. Only the value determines whether a token
// is a name or an index. Pointers to the same value are equal strings.
type Pointer string

// IsValid reports whether p is a JSON Pointer in valid UTF-8.
func (p Pointer) IsValid() bool {
	if p == "" {
		return true
	}
	if p[0] != '/' || !utf8.ValidString(string(p)) {
		return false
	}
	for i := range len(p) {
		if p[i] == '~' && (i+1 == len(p) || p[i+1]&^1 != '0') {
			return false
		}
	}
	return true
}

// Contains reports whether the value at p is or contains the value at q.
func (p Pointer) Contains(q Pointer) bool {
	return len(q) >= len(p) && q[:len(p)] == p && (len(q) == len(p) || q[len(p)] == '/')
}

// Parent returns p without its last token; the empty pointer is its own parent.
func (p Pointer) Parent() Pointer { return p[:p.last()] }

// LastToken returns the last token, unescaped, or "" for the empty pointer.
func (p Pointer) LastToken() string {
	if p == "" {
		return ""
	}
	return wire.UnescapeToken(strings.TrimPrefix(string(p[p.last():]), "/"))
}

// last returns the offset of the last slash, or 0.
func (p Pointer) last() int { return max(strings.LastIndexByte(string(p), '/'), 0) }

// AppendToken returns p with one more token, escaped.
func (p Pointer) AppendToken(token string) Pointer {
	b := make([]byte, 0, len(p)+len(token)+1)
	return Pointer(appendToken(append(b, p...), token))
}

// Tokens returns the tokens of p, unescaped, from the first to the last.
func (p Pointer) Tokens() iter.Seq[string] {
	return func(yield func(string) bool) {
		for rest := string(p); rest != ""; {
			rest = strings.TrimPrefix(rest, "/")
			n := strings.IndexByte(rest, '/')
			if n < 0 {
				n = len(rest)
			}
			if !yield(wire.UnescapeToken(rest[:n])) {
				return
			}
			rest = rest[n:]
		}
	}
}

// appendToken appends a slash and the token, escaped (RFC 6901 §3); what is not UTF-8 in it becomes
// U+FFFD.
func appendToken[T []byte | string](b []byte, token T) []byte {
	s := viewOf(token)
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	return wire.AppendPointer(b, s)
}
