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
	w := walker{b: b}
	return w.to(off, deep)
}

// walker goes through a document from one offset to another.
type walker struct {
	b     []byte
	i     int
	past  int // where the item at i ends, if it is known to be behind the last offset
	stack []step
	ended bool
}

// to is locate, from where the walk has ended before on.
func (w *walker) to(off int, deep bool) string {
	b := w.b
	for !w.ended && w.i < off && w.past <= off && w.i < len(b) {
		i := w.i
		n, next := cborwire.Head(b, i)
		if next < 0 {
			w.ended = true
			break
		}
		switch c := b[i]; {
		case c == cborwire.Break:
			if len(w.stack) == 0 {
				w.ended = true
				return ""
			}
			w.stack = w.stack[:len(w.stack)-1]
			w.i = next
		case c >= cborwire.Array && c < cborwire.Simple && len(w.stack) < mostSteps:
			s := step{left: -1, isMap: c&0xe0 == cborwire.Map, isTag: c >= cborwire.Tag}
			switch {
			case s.isTag:
				s.left = 1
			case c&31 != cborwire.Open:
				if s.left = int(n); s.isMap {
					s.left *= 2
				}
			}
			w.stack = append(w.stack, s)
			w.i = next
		case deep && len(w.stack) == mostSteps && c >= cborwire.Array:
			return pointer(b, w.stack, off)
		default:
			end, _ := cborwire.Skip(b, i, setting.DefaultMaxDepth)
			if end < 0 {
				w.ended = true
				return pointer(b, w.stack, off)
			}
			if end > off {
				w.past = end
				return pointer(b, w.stack, off)
			}
			w.i = end
		}
		for len(w.stack) > 0 {
			s := &w.stack[len(w.stack)-1]
			if s.left != 0 {
				if s.left < 0 && w.i < len(b) && b[w.i] == cborwire.Break {
					break
				}
				if s.isMap && s.pos%2 == 0 {
					s.key = w.i
				}
				s.left--
				s.pos++
				break
			}
			w.stack = w.stack[:len(w.stack)-1]
		}
	}
	return pointer(b, w.stack, off)
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
