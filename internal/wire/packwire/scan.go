package packwire

// Scanner finds the end of a value that arrives in pieces. Its zero value is at
// the start of one.
type Scanner struct {
	pos    int   // next byte to look at
	left   int   // values to come at this level
	around []int // and in the containers around
	begun  bool
}

// Scan looks at b, the bytes of the value that have arrived so far, from its
// first byte on, and returns the index after the value. When that has not
// arrived yet it returns Short, and Scan is to be called again with more. Any
// other negative end is an error at index at. The value nests no deeper than
// depth arrays and maps.
func (s *Scanner) Scan(b []byte, depth int) (end, at int) {
	if !s.begun {
		s.begun, s.left = true, 1
	}
	i, left := s.pos, s.left
	for {
		for left == 0 {
			if len(s.around) == 0 {
				*s = Scanner{around: s.around[:0]}
				return i, i
			}
			left = s.around[len(s.around)-1]
			s.around = s.around[:len(s.around)-1]
		}
		s.pos, s.left = i, left
		if i >= len(b) {
			return Short, i
		}
		class, next, n := Head(b, i)
		switch {
		case next < 0:
			return next, i
		case class < ClassStr:
			i = next
		case class <= ClassExt:
			if n > len(b)-next {
				return Short, i
			}
			i = next + n
		default:
			if len(s.around) >= depth {
				return Deep, i
			}
			if class == ClassMap {
				if n > int(^uint(0)>>1)/2 {
					return Short, i // more than this machine has memory for
				}
				n *= 2
			}
			s.around = append(s.around, left-1)
			i, left = next, n
			continue
		}
		left--
	}
}
