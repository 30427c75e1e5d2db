package cbor

import (
	"errors"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// Normalized rejects text, including names, for which the function is returns false. [DCBOR] requires NFC, which
// Normalized(norm.NFC.IsNormalString) checks, with golang.org/x/text/unicode/norm. ASCII text is normalized in all
// forms, so is is not called for it. If is is nil, which is the default, all text is accepted. It affects both
// marshaling and unmarshaling.
func Normalized(is func(text string) bool) Options { return weft.With(normalKey{}, is) }

type normalKey struct{}

var errNormal = errors.New("text is not normalized")

// normalOf returns the function of [Normalized], nil for none.
func normalOf(o Options) func(text string) bool {
	is, _ := o.Value(normalKey{})
	f, _ := is.(func(text string) bool)
	return f
}

// unnormalized returns where the first text stands in b that is not normalized, -1 for nowhere. It goes from head to
// head, as far as b is well-formed: how items nest does not matter.
func unnormalized(b []byte, is func(text string) bool) int {
	for i := 0; i < len(b); {
		n, next := cborwire.Head(b, i)
		if next < 0 {
			break
		}
		switch c := b[i]; {
		case c&0xe0 != cborwire.Bytes && c&0xe0 != cborwire.Text:
			i = next
			continue
		case c == cborwire.Text|cborwire.Open:
			text, end := cborwire.AppendString(nil, b, i)
			if end < 0 {
				return -1
			}
			if !isNormal(text, is) {
				return i
			}
			i = end
			continue
		case c&31 == cborwire.Open:
			i = next
			continue
		case n > uint64(len(b)-next):
			return -1
		case c >= cborwire.Text && !isNormal(b[next:next+int(n)], is):
			return i
		}
		i = next + int(n)
	}
	return -1
}

func isNormal(text []byte, is func(text string) bool) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return is(mem.String(text))
		}
	}
	return true
}

// root is top for all that a call writes.
func (s *encoder) root(b []byte, v any, p *program) []byte {
	at := len(b)
	if p != nil {
		b = s.by(b, p, v)
	} else {
		b = s.top(b, v)
	}
	if s.normal == nil || s.err != nil {
		return b
	}
	if i := unnormalized(b[at:], s.normal); i >= 0 {
		s.err, s.path = errNormal, []string{grammar.Path(b[at:], i)}
	}
	return b
}
