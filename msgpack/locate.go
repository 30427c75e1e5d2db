package msgpack

import (
	"math"
	"strconv"

	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// maxPath bounds the bytes of a path in an error.
const maxPath = 1 << 10

// step is one container on the way to a value.
type step struct {
	left  int // values to come in it, a pair counting two
	pos   int // values begun
	isMap bool
	key   int // offset of the current key
}

// locate returns the JSON pointer to the value at offset off, or to the one
// that cannot be read there. It walks the document again, so that reading it
// need not keep track.
func locate(b []byte, off int) string {
	return pointer(b, walk(b, off, func(int, int) {}), off)
}

// lastStart returns where the last value before off begins of those that lie in
// depth containers.
func lastStart(b []byte, off, depth int) (start int) {
	walk(b, off, func(i, open int) {
		if open == depth {
			start = i
		}
	})
	return start
}

// walk tells each of the values that begin before off, and how many containers
// are around it, and returns those around what stands at off.
func walk(b []byte, off int, each func(i, open int)) (stack []step) {
	w := walker{b: b}
	return w.to(off, each)
}

// walker goes through a document from one offset to another.
type walker struct {
	b     []byte
	i     int
	stack []step
	ended bool
}

// to is walk, from where it has ended before on; each may be nil.
func (w *walker) to(off int, each func(i, open int)) []step {
	b, i, stack := w.b, w.i, w.stack
	for !w.ended && i < off && i < len(b) {
		if each != nil {
			each(i, len(stack))
		}
		class, next, n := packwire.Head(b, i)
		switch {
		case next < 0:
			w.ended = true
			continue
		case class < packwire.ClassStr:
			i = next
		case class <= packwire.ClassExt:
			if n > len(b)-next || next+n > off {
				w.i, w.stack = i, stack
				return stack
			}
			i = next + n
		default:
			i = next
			s := step{left: n, isMap: class == packwire.ClassMap}
			if s.isMap {
				s.left = 2 * n
			}
			stack = append(stack, s)
		}
		// Move to the next value, out of the containers that are finished.
		for len(stack) > 0 {
			s := &stack[len(stack)-1]
			if s.left > 0 {
				if s.isMap && s.pos%2 == 0 {
					s.key = i
				}
				s.left--
				s.pos++
				break
			}
			stack = stack[:len(stack)-1]
		}
		w.ended = len(stack) == 0
	}
	w.i, w.stack = i, stack
	return stack
}

// deepest is more than any document can nest.
const deepest = math.MaxInt

// endOf returns the offset of the first value that is not whole in a document that
// ends too early, the length of b if there is none of it.
func endOf(b []byte) int {
	i := 0
	for i < len(b) {
		class, next, n := packwire.Head(b, i)
		switch {
		case next < 0:
			return i
		case class < packwire.ClassStr:
			i = next
		case class <= packwire.ClassExt:
			if n > len(b)-next {
				return i
			}
			i = next + n
		default:
			i = next
		}
	}
	return i
}

// pointer writes the way through the containers to what stands at off. The place of a key
// is that of its member.
func pointer(b []byte, stack []step, off int) string {
	var p []byte
	for i := range stack {
		s := &stack[i]
		switch {
		case len(p) > maxPath:
			return string(append(p, "/…"...))
		case s.pos == 0:
			return string(p)
		case s.isMap && s.pos%2 == 1:
			if s.key == off && off < len(b) && isKey(b, off) {
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

// isKey reports whether a key that has a text begins at i and is whole.
func isKey(b []byte, i int) bool {
	class, next, n := packwire.Head(b, i)
	return next >= 0 && (class == packwire.ClassInt || class == packwire.ClassUint ||
		(class == packwire.ClassStr || class == packwire.ClassBin) && n <= len(b)-next)
}

// appendKey appends a map's key as a reference token.
func appendKey(p, b []byte, i int) []byte {
	if start, end := packwire.ReadString(b, i); end >= 0 {
		return wire.AppendPointer(p, string(b[start:min(end, start+maxPath)]))
	}
	if v, end := packwire.ReadInt(b, i); end >= 0 {
		return strconv.AppendInt(append(p, '/'), v, 10)
	}
	if v, end := packwire.ReadUint(b, i); end >= 0 {
		return strconv.AppendUint(append(p, '/'), v, 10)
	}
	return append(p, "/?"...)
}
