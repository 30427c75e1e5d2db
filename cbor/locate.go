package cbor

import (
	"strconv"
	"unicode/utf8"

	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// maxPath bounds the bytes of a path in an error.
const maxPath = 1 << 10

// mostSteps bounds the levels that a path goes through: it is as long as it gets then.
const mostSteps = 128

// step is one level on the way to a value.
type step struct {
	left  int // values to come in it, -1 for what a break ends
	pos   int // values begun
	isMap bool
	isTag bool
	key   int // offset of the current key
}

// locate returns the JSON pointer to the value at offset off, or to the one that cannot be read there. It
// walks the document again, so that reading it need not keep track. Of what is too deep the way there is
// one that is cut off.
func locate(b []byte, off int, deep bool) string {
	var stack []step
	for i, end := 0, 0; i < off && i < len(b); {
		n, next := cborwire.Head(b, i)
		if next < 0 {
			break
		}
		switch c := b[i]; {
		case c == cborwire.Break:
			if len(stack) == 0 {
				return ""
			}
			stack = stack[:len(stack)-1]
			i = next
		case c >= cborwire.Array && c < cborwire.Simple && len(stack) < mostSteps:
			s := step{left: -1, isMap: c&0xe0 == cborwire.Map, isTag: c >= cborwire.Tag}
			switch {
			case s.isTag:
				s.left = 1
			case c&31 != cborwire.Open:
				if s.left = int(n); s.isMap {
					s.left *= 2
				}
			}
			stack = append(stack, s)
			i = next
		case deep && len(stack) == mostSteps && c >= cborwire.Array:
			return pointer(b, stack, off)
		default:
			if end, _ = cborwire.Skip(b, i, setting.DefaultMaxDepth); end < 0 || end > off {
				return pointer(b, stack, off)
			}
			i = end
		}
		for len(stack) > 0 {
			s := &stack[len(stack)-1]
			if s.left != 0 {
				if s.left < 0 && i < len(b) && b[i] == cborwire.Break {
					break
				}
				if s.isMap && s.pos%2 == 0 {
					s.key = i
				}
				s.left--
				s.pos++
				break
			}
			stack = stack[:len(stack)-1]
		}
	}
	return pointer(b, stack, off)
}

// pointer writes the way through the levels to what stands at off. The place of a key is that of its member.
func pointer(b []byte, stack []step, off int) string {
	var p []byte
	for i := range stack {
		s := &stack[i]
		switch {
		case len(p) > maxPath || i == mostSteps-1:
			return string(append(p, "/…"...))
		case s.isTag:
		case s.pos == 0:
			return string(p)
		case s.isMap && s.pos%2 == 1:
			if end, _ := cborwire.Skip(b, s.key, 1); s.key == off && end >= 0 {
				p = appendKey(p, b, off)
			}
			return string(p)
		case s.isMap:
			p = appendKey(p, b, s.key)
		default:
			p = strconv.AppendInt(append(p, '/'), int64(s.pos-1), 10)
		}
	}
	return string(p)
}

// appendKey appends a map's key as a reference token.
func appendKey(p, b []byte, i int) []byte {
	if body, end := cborwire.AppendString(nil, b, i); end >= 0 {
		body = body[:min(len(body), maxPath)]
		for len(body) > 0 && !utf8.Valid(body) {
			body = body[:len(body)-1]
		}
		return wire.AppendPointer(p, string(body))
	}
	n, end := cborwire.Head(b, i)
	switch {
	case end < 0 || b[i] >= cborwire.Bytes:
		return append(p, "/?"...)
	case b[i] >= cborwire.Nint:
		if n == 1<<64-1 {
			return append(p, "/-18446744073709551616"...)
		}
		return strconv.AppendUint(append(p, "/-"...), n+1, 10)
	}
	return strconv.AppendUint(append(p, '/'), n, 10)
}
