package jsontext

import (
	"slices"
	"strconv"

	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/nameset"
)

// level is an array or an object that is open; the lowest level is the stream.
type level struct {
	count int64 // tokens so far; names and values count each
	nameset.Object
	depth  int32 // of a walk: how many arrays and objects are open in it
	object bool
}

// state is the place in the grammar that a coder has come to. Delimiters stand before the token that
// they introduce.
type state struct {
	top    level   // the innermost level
	stack  []level // those around it
	need   byte    // the delimiter before the next token: ',' or ':' or 0 for none
	naming bool    // the next token is the name of a member or the end of the object
	after  byte    // need after a value of the lowest level
	lent   bool    // the coder is lent to a method or function
	names  nameset.Set
	outer  *wire.Place // of the stream in a greater text, nil for none
	gone   *left       // the last value that ended with an error, nil for none
}

// share begins the value at the place of s.
func (s *state) share() {
	if s.outer.Naming {
		s.naming, s.top.object = true, true
		s.names.Open(&s.top.Object)
	}
}

// beyond stands for the delimiter after the one value that a method is to read or write: which one that is the arrays
// and objects around it tell, which are looked for if there is another token.
const beyond = 0xff

// join goes on beyond the value.
func (s *state) join() {
	if s.after = '\n'; s.outer.Alone { // of no stream
		s.after = 0
	}
	if d := s.outer.Depth(); d > 0 {
		s.after = ','
		if object, _ := s.outer.LevelAt(d); object && !s.top.object {
			s.top.object = true
			s.names.Open(&s.top.Object)
		}
	}
	s.need, s.naming = s.after, s.top.object
}

// left is where the error of a value has left it, and where the coder is since.
type left struct {
	wire.Stand
	depth int
	count int64
}

func (s *state) reset() {
	s.top, s.stack = level{}, s.stack[:0]
	if cap(s.stack) > 1<<10 {
		s.stack = nil
	}
	s.need, s.after, s.naming = 0, 0, false
	s.names.Reset()
	s.gone = nil
}

// StackDepth returns the number of arrays and objects that are open.
func (s *state) StackDepth() int { return s.outer.Depth() + len(s.stack) }

// value moves on by a value.
func (s *state) value() {
	s.top.count++
	s.ended()
}

// ended moves on to what follows a value.
func (s *state) ended() {
	s.need, s.naming = ',', s.top.object
	if len(s.stack) == 0 {
		s.need = s.after
	}
}

// push moves on into an array or an object.
func (s *state) push(object bool) {
	s.enter(object)
	s.stack[len(s.stack)-1].count++ // not before: to copy the level would wait for the store
	s.need, s.naming = 0, object
}

// enter is push, and leave is pop, for a walk that does not keep the state between tokens.
func (s *state) enter(object bool) {
	n := len(s.stack)
	s.stack = slices.Grow(s.stack, 1)[:n+1]
	s.stack[n] = s.top // without a copy on the way, which append makes
	s.top.count, s.top.depth, s.top.object = 0, 0, object
	s.names.Open(&s.top.Object)
}

func (s *state) leave() {
	s.names.Leave(&s.top.Object)
	last := len(s.stack) - 1
	s.top = s.stack[last]
	s.stack = s.stack[:last]
}

// pop moves on out of the array or object.
func (s *state) pop() {
	s.leave()
	s.ended()
}

// delimiter returns the delimiter that stands before a token that begins with c.
func (s *state) delimiter(c byte) byte {
	if s.need == beyond {
		s.join()
	}
	if s.need == ',' && c|closesBit == closer { // closes, and inlined
		return 0
	}
	return s.need
}

// expectsName reports whether the name of a member is expected.
func (s *state) expectsName() bool {
	s.delimiter('"')
	return s.naming
}

// at returns the i-th level.
func (s *state) at(i int) *level {
	if i == len(s.stack) {
		return &s.top
	}
	return &s.stack[i]
}

// retain keeps the names that are in the buffer, which is about to change.
func (s *state) retain(buf []byte) {
	s.names.Settle(buf, len(s.stack)+1, func(i int) *nameset.Object { return &s.at(i).Object })
}

// StackIndex describes the i-th level, for i from 0 to StackDepth. It returns [KindInvalid] for the stream, which is
// level 0, [KindBeginObject] or [KindBeginArray], and the number of values read or written in it. The name of a member
// and its value count separately.
func (s *state) StackIndex(i int) (Kind, int64) {
	object, count := s.index(i)
	switch {
	case i == 0:
		return KindInvalid, count
	case object:
		return KindBeginObject, count
	}
	return KindBeginArray, count
}

// index is StackIndex.
func (s *state) index(i int) (object bool, count int64) {
	around := s.outer.Depth()
	if i <= around {
		object, count = s.outer.LevelAt(i)
	}
	if i >= around {
		l := s.at(i - around)
		object, count = object || l.object, count+l.count
	}
	return object, count
}

// Which value a pointer leads to.
const (
	previous = wire.Previous
	around   = wire.Around
	next     = wire.Next
)

// pointer appends the pointer to the value if more tokens of the innermost level have been taken. buf is the buffer
// that names lie in.
func (s *state) pointer(b, buf []byte, which int, more int64) []byte {
	switch l := s.at(0); {
	case l.object && (l.count > 1 || l.count > 0 && s.outer.Naming): // members in the object around
		b = s.beside(b, buf, which, more)
	case len(s.stack) == 0:
		b = s.outer.AppendPointer(b, which, l.count+more)
	default:
		b = s.outer.AppendPointer(b, previous, l.count)
	}
	for i := 1; i <= len(s.stack); i++ {
		l, to, n := s.at(i), previous, int64(0)
		last := i == len(s.stack)
		if last {
			to, n = which, more
		}
		k, ok := wire.Step(l.object, l.count+n, to)
		switch {
		case !ok:
			return b
		case !l.object:
			b = strconv.AppendInt(append(b, '/'), k, 10)
		case last:
			b = appendToken(b, s.names.Latest(buf))
		default:
			b = appendToken(b, s.names.Last(&s.at(i+1).Object, buf))
		}
	}
	return b
}

// beside is pointer for a member in the object around, of which the coder writes the name, or more than one.
func (s *state) beside(b, buf []byte, which int, more int64) []byte {
	n := int64(0)
	if !s.outer.Naming {
		n = 1 // the value before
	}
	b = s.outer.AppendPointer(b, next, n)
	if len(s.stack) > 0 {
		return appendToken(b, s.names.Last(&s.at(1).Object, buf))
	}
	if _, ok := wire.Step(true, s.top.count+n+more, which); ok {
		b = appendToken(b, s.names.Latest(buf))
	}
	return b
}

// stand returns where the coder stands, unless the last value tells it: there, with offset. It also returns the pointer
// of an error of a method, before which the coder was in that depth and had taken own tokens there.
func (s *state) stand(buf []byte, depth int, own, offset int64) (at wire.Stand, pointer string) {
	around, base := s.StackDepth(), s.outer.Depth()
	_, n := s.index(around)
	at = wire.Stand{Offset: offset, Depth: around, Count: n}
	if l := s.gone; l != nil && l.depth == len(s.stack) && l.count == s.top.count {
		at = l.Stand
	} else {
		at.Pointer = string(s.pointer(nil, buf, wire.Around, 0))
	}
	if at.Depth == around && depth == around-base {
		switch more := at.Count - n; s.top.count + more - own {
		case 0:
			return at, string(s.pointer(nil, buf, next, more))
		case 1:
			return at, string(s.pointer(nil, buf, previous, more))
		}
	}
	return at, at.Pointer
}

// where names the place of a character that is not the delimiter that is expected.
func (s *state) where(need byte) string {
	switch {
	case need == ':':
		return afterName
	case need == 0:
		return atValue
	case s.top.object:
		return afterMember
	}
	return afterElement
}
