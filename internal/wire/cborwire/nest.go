package cborwire

import (
	"encoding/binary"
	"math"
	"slices"
)

// Nest is the levels that are open around the next item: what is to come in each takes a byte, or more
// where that is much, and nothing where it is the same as in the level around. Its zero value is before the first item.
type Nest struct {
	left   int    // items to come at this level, or one of the states below
	depth  int    // levels that count
	around int    // items to come in the level around
	same   int    // levels from there outwards in which as many are to come, 0 for no level around
	levels []byte // what is to come in the levels around these, packed
}

// States of what has an indefinite length.
const (
	openArray = -1 - iota
	openMap   // a key or the break comes next
	openValue // the value of a pair
	openBytes // chunks
	openText
)

// after returns what is to come at a level when an item of it has been read.
func after(left int) int {
	switch {
	case left > 0:
		return left - 1
	case left == openMap:
		return openValue
	case left == openValue:
		return openMap
	}
	return left
}

// few is the most items to come that take one byte in levels.
const few = 0xf0

// Bytes of levels that say what stands before them.
const (
	twoBytes = few + 1 + iota
	eightBytes
	levelCount // of eight bytes: as many levels as the value before it is for
)

// push remembers what is to come at this level.
func (s *Nest) push(left int) {
	switch {
	case s.same == 0:
	case left == s.around:
		s.same++
		return
	default:
		s.pack()
	}
	s.around, s.same = left, 1
}

// pack moves the levels that are the same to levels: what is to come is a byte, or two or eight and one that says so.
func (s *Nest) pack() {
	if cap(s.levels)-len(s.levels) < 2*9 {
		s.levels = slices.Grow(s.levels, 2*9+cap(s.levels)) // twice as many, however many there are
	}
	switch {
	case s.around > math.MaxUint16:
		s.levels = append(binary.LittleEndian.AppendUint64(s.levels, uint64(s.around)), eightBytes)
	case s.around > few:
		s.levels = append(binary.LittleEndian.AppendUint16(s.levels, uint16(s.around)), twoBytes)
	default:
		s.levels = append(s.levels, byte(s.around))
	}
	if s.same > 1 {
		s.levels = append(binary.LittleEndian.AppendUint64(s.levels, uint64(s.same)), levelCount)
	}
}

// pop is the way back of push.
func (s *Nest) pop() (left int) {
	left = s.around
	if s.same--; s.same == 0 && len(s.levels) > 0 {
		s.unpack()
	}
	return left
}

// unpack is the way back of pack.
func (s *Nest) unpack() {
	s.same = 1
	n := len(s.levels) - 1
	if s.levels[n] == levelCount {
		s.same = int(binary.LittleEndian.Uint64(s.levels[n-8:]))
		n -= 9
	}
	switch c := s.levels[n]; {
	case c <= few:
		s.around = int(c)
	case c == twoBytes:
		n -= 2
		s.around = int(binary.LittleEndian.Uint16(s.levels[n:]))
	case c == eightBytes:
		n -= 8
		s.around = int(binary.LittleEndian.Uint64(s.levels[n:]))
	default:
		s.around = int(int8(c))
	}
	s.levels = s.levels[:n]
}

// Top reports whether no item is open: the next one is another of a sequence.
func (s *Nest) Top() bool { return s.same == 0 && s.left == 0 }

// Depth returns how many arrays, maps and tags are open.
func (s *Nest) Depth() int { return s.depth }

// InString reports whether a string of indefinite length is open: chunks come next.
func (s *Nest) InString() bool { return s.left <= openBytes }

// Left returns how many items are to come at this level, -1 where the break tells.
func (s *Nest) Left() int { return max(s.left, -1) }

// Step notes that the next item begins with c and has the argument n; a string of definite length is there
// as a whole. Arrays, maps and tags nest no deeper than depth. In place of 0 it returns Malformed, Deep, or
// Short for what no memory of this machine has, and notes nothing.
func (s *Nest) Step(c byte, n uint64, depth int) (end int) {
	left := s.left
	if left == 0 {
		left = 1 // at the top
	}
	if c == Break {
		if left > 0 || left == openValue {
			return Malformed
		}
		if left > openBytes {
			s.depth--
		}
		s.left = s.pop()
		s.up()
		return 0
	}
	major := c & 0xe0
	if left <= openBytes && (c&31 == Open || major != Bytes && left == openBytes || major != Text && left == openText) {
		return Malformed
	}
	if major < Bytes || major == Simple || major <= Text && c&31 != Open {
		if left > 1 {
			s.left = left - 1
			return 0
		}
		s.left = after(left)
		s.up()
		return 0
	}
	if major <= Text {
		s.push(after(left))
		if s.left = openBytes; major == Text {
			s.left = openText
		}
		return 0
	}
	if s.depth >= depth {
		return Deep
	}
	if n > math.MaxInt/2 && major != Tag {
		return Short
	}
	s.depth++
	s.push(after(left))
	switch {
	case major == Tag:
		s.left = 1
	case c&31 == Open && major == Map:
		s.left = openMap
	case c&31 == Open:
		s.left = openArray
	case major == Map:
		s.left = 2 * int(n)
	default:
		s.left = int(n)
	}
	s.up()
	return 0
}

// Item notes a whole item, which may be an array or a map. It reports whether one may stand here.
func (s *Nest) Item() bool { return s.left > openBytes && s.Step(Null, 0, 0) == 0 }

// up leaves the levels that are finished.
func (s *Nest) up() {
	for s.left == 0 && s.same > 0 {
		s.left = s.pop()
		s.depth--
	}
}
