package cborwire

// Scanner finds the end of an item that arrives in pieces. Its zero value is at the start of one.
type Scanner struct {
	nest Nest
	pos  int // next byte to look at
}

// Scan looks at b, the bytes of the item that have arrived so far, from its first byte on, and returns
// the index after the item. When that has not arrived yet it returns Short, and Scan is to be called
// again with more. Any other negative end is an error at index at. Arrays, maps and tags nest no deeper
// than depth.
func (s *Scanner) Scan(b []byte, depth int) (end, at int) {
	for {
		i := s.pos
		n, next := Head(b, i)
		if next < 0 {
			return next, i
		}
		c := b[i]
		if major := c & 0xe0; (major == Bytes || major == Text) && c&31 != Open {
			if n > uint64(len(b)-next) {
				if end := s.nest.chunk(major); end < 0 {
					return end, i
				}
				return Short, i
			}
			next += int(n)
		}
		if end := s.nest.Step(c, n, depth); end < 0 {
			return end, i
		}
		s.pos = next
		if s.nest.Top() {
			*s = Scanner{nest: Nest{levels: s.nest.levels}}
			return next, i
		}
	}
}

// chunk returns Malformed where a string of the major type may not stand.
func (s *Nest) chunk(major byte) int {
	if s.left == openBytes && major != Bytes || s.left == openText && major != Text {
		return Malformed
	}
	return 0
}

// Skip checks that one well-formed item stands at b[i:] (Appendix C) and returns the index after it.
// Arrays, maps and tags nest no deeper than depth. When there is no such item, end is negative and at
// is the index of what is wrong.
func Skip(b []byte, i, depth int) (end, at int) {
	n, next := Head(b, i)
	if next < 0 {
		return next, i
	}
	switch major := b[i] & 0xe0; { // what is most items
	case major == Uint, major == Nint, major == Simple && b[i] != Break:
		return next, i
	case (major == Bytes || major == Text) && b[i]&31 != Open:
		if n > uint64(len(b)-next) {
			return Short, i
		}
		return next + int(n), i
	}
	var buf [64]byte
	s := Scanner{nest: Nest{levels: buf[:0]}}
	if end, at = s.Scan(b[i:], depth); end >= 0 {
		return i + end, i + at
	}
	return end, i + at
}
