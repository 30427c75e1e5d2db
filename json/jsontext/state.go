package jsontext

import (
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
	names  nameset.Set
	outer  *wire.Place // of the stream in a greater text, nil for none
}

func (s *state) reset() {
	s.top, s.stack = level{}, s.stack[:0]
	if cap(s.stack) > 1<<10 {
		s.stack = nil
	}
	s.need, s.naming = 0, false
	s.names.Reset()
	s.outer = nil
}

// StackDepth returns the number of arrays and objects that are open.
func (s *state) StackDepth() int { return len(s.outer.Around()) + len(s.stack) }

// value moves on by a value.
func (s *state) value() {
	s.top.count++
	s.naming = s.top.object
	if len(s.stack) > 0 {
		s.need = ','
	} else {
		s.need = 0
	}
}

// push moves on into an array or an object.
func (s *state) push(object bool) {
	s.top.count++
	s.enter(object)
	s.need, s.naming = 0, object
}

// enter is push, and leave is pop, for a walk that does not keep the state between tokens.
func (s *state) enter(object bool) {
	s.stack = append(s.stack, s.top)
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
	s.naming = s.top.object
	if len(s.stack) > 0 {
		s.need = ','
	} else {
		s.need = 0
	}
}

// delimiter returns the delimiter that stands before a token that begins with c.
func (s *state) delimiter(c byte) byte {
	if s.need == ',' && closes(c) {
		return 0
	}
	return s.need
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
	if around := s.outer.Around(); len(around) > 0 {
		n := len(around)
		if i == 0 {
			return KindInvalid, 1
		}
		if i <= n {
			l := around[i-1]
			if i == n {
				l.Count += s.at(0).count
			}
			if l.Object {
				return KindBeginObject, l.Count
			}
			return KindBeginArray, l.Count
		}
		i -= n
	}
	l := s.at(i)
	switch {
	case i == 0:
		return KindInvalid, l.count
	case l.object:
		return KindBeginObject, l.count
	}
	return KindBeginArray, l.count
}

// Which value a pointer leads to.
const (
	previous = -1 // the token before
	around   = 0  // the array or object, or the member between its name and its value
	next     = +1 // the value that is expected, or the object where a name is expected
)

// pointer appends the pointer to the value. buf is the buffer that names lie in.
func (s *state) pointer(b, buf []byte, which int) []byte {
	levels := s.outer.Around()
	for i, l := range levels {
		k := l.Count - 1 // of an array the value that is open
		if i == len(levels)-1 {
			own := s.at(0).count
			k += own
			switch {
			case len(s.stack) > 0:
			case l.Object && own > 0 && which != previous, !l.Object && which == around, k < 0 && which == previous:
				return b
			case which == next:
				k++
			}
		}
		if l.Object {
			b = appendToken(b, l.Name)
		} else {
			b = strconv.AppendInt(append(b, '/'), k, 10)
		}
	}
	for i := 1; i <= len(s.stack); i++ {
		l := s.at(i)
		last := i == len(s.stack)
		if last {
			wanted := l.object && !s.naming // a value is
			if which == previous && l.count == 0 || which == around && !wanted || which == next && s.naming {
				return b
			}
		}
		if l.object {
			if last {
				b = appendToken(b, s.names.Latest(buf))
			} else {
				b = appendToken(b, s.names.Last(&s.at(i+1).Object, buf))
			}
			continue
		}
		k := l.count - 1
		if last && which == next {
			k++
		}
		b = strconv.AppendInt(append(b, '/'), k, 10)
	}
	return b
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
