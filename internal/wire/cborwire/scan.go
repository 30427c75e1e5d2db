package cborwire

import (
	"encoding/binary"
	"math"
)

// Scanner finds the end of an item that arrives in pieces. Its zero value is at the start of one.
type Scanner struct {
	pos    int    // next byte to look at
	left   int    // items to come at this level, or one of the states below
	depth  int    // levels that count
	levels []byte // what is to come in the levels around, packed
	begun  bool
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

// push remembers what is to come at this level: in a byte, or in eight and one that says so.
func (s *Scanner) push(left int) {
	if left > few {
		s.levels = append(binary.LittleEndian.AppendUint64(s.levels, uint64(left)), few+1)
	} else {
		s.levels = append(s.levels, byte(left))
	}
}

// pop is the way back of push.
func (s *Scanner) pop() (left int) {
	n := len(s.levels) - 1
	switch c := s.levels[n]; {
	case c <= few:
		left = int(c)
	case c == few+1:
		n -= 8
		left = int(binary.LittleEndian.Uint64(s.levels[n:]))
	default:
		left = int(int8(c))
	}
	s.levels = s.levels[:n]
	return left
}

// Scan looks at b, the bytes of the item that have arrived so far, from its first byte on, and returns
// the index after the item. When that has not arrived yet it returns Short, and Scan is to be called
// again with more. Any other negative end is an error at index at. Arrays, maps and tags nest no deeper
// than depth.
func (s *Scanner) Scan(b []byte, depth int) (end, at int) {
	if !s.begun {
		s.begun, s.left = true, 1
	}
	i, left := s.pos, s.left
	for {
		for left == 0 {
			if len(s.levels) == 0 {
				*s = Scanner{levels: s.levels}
				return i, i
			}
			left = s.pop()
			s.depth--
		}
		s.pos, s.left = i, left
		n, next := Head(b, i)
		if next < 0 {
			return next, i
		}
		c := b[i]
		if c == Break {
			if left > 0 || left == openValue {
				return Malformed, i
			}
			if left > openBytes {
				s.depth--
			}
			i, left = next, s.pop()
			continue
		}
		major := c & 0xe0
		if left <= openBytes && (c&31 == Open || major != Bytes && left == openBytes || major != Text && left == openText) {
			return Malformed, i
		}
		switch major {
		case Bytes, Text:
			if c&31 == Open {
				s.push(after(left))
				left = openBytes
				if major == Text {
					left = openText
				}
				i = next
				continue
			}
			if n > uint64(len(b)-next) {
				return Short, i
			}
			next += int(n)
		case Array, Map, Tag:
			if s.depth >= depth {
				return Deep, i
			}
			if n > math.MaxInt/2 && major != Tag {
				return Short, i // more than the memory of this machine
			}
			s.depth++
			s.push(after(left))
			i = next
			switch {
			case major == Tag:
				left = 1
			case c&31 != Open:
				if left = int(n); major == Map {
					left *= 2
				}
			case major == Map:
				left = openMap
			default:
				left = openArray
			}
			continue
		}
		i, left = next, after(left)
	}
}

// Skip checks that one well-formed item stands at b[i:] (Appendix C) and returns the index after it.
// Arrays, maps and tags nest no deeper than depth. When there is no such item, end is negative and at
// is the index of what is wrong.
func Skip(b []byte, i, depth int) (end, at int) {
	if n, next := Head(b, i); next > 0 { // what is most items
		switch major := b[i] & 0xe0; {
		case major == Uint, major == Nint, major == Simple && b[i] != Break:
			return next, i
		case (major == Bytes || major == Text) && b[i]&31 != Open:
			if n > uint64(len(b)-next) {
				return Short, i
			}
			return next + int(n), i
		}
	}
	var buf [64]byte
	s := Scanner{levels: buf[:0]}
	if end, at = s.Scan(b[i:], depth); end >= 0 {
		return i + end, i + at
	}
	return end, i + at
}
