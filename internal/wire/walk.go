package wire

import "github.com/weftcodec/weft/internal/mem"

// WalkState is what a [Walker] expects where it stops.
type WalkState uint8

const (
	WalkValue WalkState = iota // a value
	WalkFirst                  // after [ or {
	WalkName                   // the name of a member
	WalkColon                  // what is between a name and its value
	WalkAfter                  // what follows an element or a member
	WalkEnd                    // the end of an object, of [Walker.Respace]
	WalkDone                   // nothing: the array or object has ended
)

// Walker goes through the text of an array or object by the bitmaps of [Scan], and checks it. It stops where the text
// is not JSON, where it ends, and before what its caller wants to look at. Then the caller may read more text, or read
// the string, number or literal itself and set the state that follows it, and let it go on. A number that the text ends
// with may go on: w stops before it.
type Walker struct {
	State   WalkState
	Escapes bool             // stop before each string with a backslash
	first   bool             // the latest name is the first of its object
	Depth   int              // arrays and objects that are open
	names   *[someNames]Name // nil for none
	named   int              // how many of them have been passed since [Walker.Names]
	most    int              // open ones that are allowed
	room    int              // the same, or how many the stack has room for
	from    int              // where Walk was called
	object  bool             // the innermost is an object
	stack   []uint64         // a bit for each level around it: whether that is an object
}

// Name is where the name of a member stands, or the end of an object.
type Name struct {
	Start, End int   // of its quotes; Start of an end is negative
	Out        int   // where [Walker.Respace] has put it
	Depth      int32 // of its object
	First      bool  // it is the first of it
	Plain      bool  // it has no backslash
}

// someNames is how many names are gathered.
const someNames = 128

// Begin makes w expect an array or an object, in which most may be open, and gather names if asked.
func (w *Walker) Begin(most int, names bool) {
	w.State, w.Escapes, w.first = WalkValue, false, false
	w.Depth, w.most, w.object = 0, most, false
	w.room = min(most, 64*len(w.stack))
	switch {
	case !names:
		w.names = nil
	case w.names == nil:
		w.names = new([someNames]Name)
	}
	w.named = 0
}

// Object reports whether the innermost array or object is an object.
func (w *Walker) Object() bool { return w.object }

// Names returns the names that w has passed since the last call, and whether it has stopped for them.
func (w *Walker) Names() (names []Name, full bool) {
	if w.names == nil {
		return nil, false
	}
	n := w.named
	w.named = 0
	return w.names[:n], n == someNames
}

// Place returns the depth of the object of the name before which w has stopped, and whether it is the first of it.
func (w *Walker) Place() (depth int32, first bool) { return int32(w.Depth), w.first }

// Walk goes on at i and returns where it stops. Behind the text b must have 8 bytes that are 0.
func (w *Walker) Walk(b mem.Bytes, ends, solid mem.Words, i int) int {
	w.from = i
	depth, object := w.Depth, w.object
	var e int
	c := b.At(i)
	if c <= ' ' {
		i = solid.Next(i)
		c = b.At(i)
	}
	switch w.State {
	case WalkFirst:
		goto begun
	case WalkName:
		goto name
	case WalkColon:
		goto colon
	case WalkAfter:
		goto after
	}
	if depth == 0 && c != '{' && c != '[' {
		goto stop
	}
value:
	switch c {
	case '"':
		if e = ends.Next(i + 1); b.At(e) != '"' {
			if e = w.escapes(b, ends, e); e < 0 {
				w.State = WalkValue
				goto stop
			}
		}
		i = e + 1
	case '{', '[':
		if depth >= w.room && !w.deepen(depth) {
			w.State = WalkValue
			goto stop
		}
		w.open(depth, object)
		depth++
		object = c == '{'
		i++
		if c = b.At(i); c <= ' ' {
			i = solid.Next(i)
			c = b.At(i)
		}
		goto begun
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if next := b.At(i + 1); next == ',' || next == '}' || next == ']' { // most numbers have one digit
			i++
			break
		}
		fallthrough
	case '-':
		if e = SkipNumber(b, i); e < 0 {
			w.State = WalkValue
			goto stop
		}
		i = e
	default:
		if e = SkipLiteral(b, i); e < 0 {
			w.State = WalkValue
			goto stop
		}
		i = e
	}
after:
	if c = b.At(i); c <= ' ' {
		i = solid.Next(i)
		c = b.At(i)
	}
	if c == ',' {
		i++
		if c = b.At(i); c <= ' ' {
			i = solid.Next(i)
			c = b.At(i)
		}
		if !object {
			goto value
		}
		w.first = false
		goto name
	}
	if !(c == '}' && object || c == ']' && !object) {
		w.State = WalkAfter
		if c == 0 && b.At(i-1)-'0' < 10 && i > w.from {
			for w.State = WalkValue; i > w.from && inNumber(b.At(i-1)); i-- {
			}
		}
		goto stop
	}
closed:
	i++
	depth--
	if depth == 0 {
		w.State = WalkDone
		goto stop
	}
	object = w.stack[depth>>6]>>(uint(depth)&63)&1 != 0
	goto after
begun:
	if c == ']' && !object || c == '}' && object {
		goto closed
	}
	if c == 0 {
		w.State = WalkFirst
		goto stop
	}
	if !object {
		goto value
	}
	w.first = true
name:
	if c != '"' {
		w.State = WalkName
		goto stop
	}
	e = ends.Next(i + 1)
	if c = b.At(e); c != '"' {
		if e = w.escapes(b, ends, e); e < 0 {
			w.State = WalkName
			goto stop
		}
	}
	if w.names != nil {
		n := &w.names[w.named%someNames]
		n.Start, n.End, n.Depth, n.First, n.Plain = i, e, int32(depth), w.first, c == '"'
		if w.named++; w.named == someNames {
			i, w.State = e+1, WalkColon
			goto stop
		}
	}
	i = e + 1
	c = b.At(i)
colon:
	if c != ':' {
		if c <= ' ' {
			i = solid.Next(i)
		}
		if b.At(i) != ':' {
			w.State = WalkColon
			goto stop
		}
	}
	i++
	if c = b.At(i); c == ' ' {
		i++
		c = b.At(i)
	}
	if c <= ' ' {
		i = solid.Next(i)
		c = b.At(i)
	}
	goto value
stop:
	w.Depth, w.object = depth, object
	return i
}

// open notes of the level at depth whether it is an object.
func (w *Walker) open(depth int, object bool) {
	if bit := uint64(1) << (uint(depth) & 63); object {
		w.stack[depth>>6] |= bit
	} else {
		w.stack[depth>>6] &^= bit
	}
}

// deepen makes room for more levels than depth, and reports whether there may be more.
//
//go:noinline
func (w *Walker) deepen(depth int) bool {
	if depth >= w.most {
		return false
	}
	w.stack = append(w.stack, make([]uint64, max(len(w.stack), 4))...)
	w.room = min(w.most, 64*len(w.stack))
	return true
}

// inNumber reports whether c may stand in a number.
func inNumber(c byte) bool { return numberColumns[c] < 6 }

// escapes is [SkipEscapes] unless w stops there.
func (w *Walker) escapes(b mem.Bytes, ends mem.Words, i int) int {
	if w.Escapes {
		return -1
	}
	return SkipEscapes(b, ends, i)
}

// SkipEscapes goes on from i, where a string has a backslash, and returns the index of the closing quote, or -1.
func SkipEscapes(b mem.Bytes, ends mem.Words, i int) int {
	for {
		for b.At(i) == '\\' { // escapes often come in runs
			switch b.At(i + 1) {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				i += 2
			case 'u':
				if Hex4(b, i+2) < 0 {
					return -1
				}
				i += 6
			default:
				return -1
			}
		}
		if i = ends.Next(i); b.At(i) == '"' {
			return i
		}
		if b.At(i) != '\\' {
			return -1
		}
	}
}

// Literals as four bytes, the first one lowest.
const (
	WordNull = 'n' | 'u'<<8 | 'l'<<16 | 'l'<<24
	WordTrue = 't' | 'r'<<8 | 'u'<<16 | 'e'<<24
	WordAlse = 'a' | 'l'<<8 | 's'<<16 | 'e'<<24
)

// SkipLiteral returns the index after the true, false or null at i, or -1.
func SkipLiteral(b mem.Bytes, i int) int {
	switch b.U32(i) {
	case WordNull, WordTrue:
		return i + 4
	}
	if b.At(i) == 'f' && b.U32(i+1) == WordAlse {
		return i + 5
	}
	return -1
}
