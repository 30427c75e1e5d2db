package packwire

// Deep is the end of a value that nests deeper than is allowed; see [Short].
const Deep = -4

// Skip checks that one well-formed value stands at b[i:] and returns the index
// after it. It nests no deeper than depth arrays and maps. When there is no
// such value, end is negative and at is the index of what is wrong.
func Skip(b []byte, i, depth int) (end, at int) {
	if uint(i) < uint(len(b)) {
		if s := passes[b[i]]; s.size > 0 && s.values == 0 && int(s.size) <= len(b)-i {
			return i + int(s.size), i + int(s.size)
		}
	}
	return skip(b, i, depth)
}

// skip is Skip for all values.
func skip(b []byte, i, depth int) (end, at int) {
	var buf [32]int
	around := buf[:0] // values to come in the containers around
	for left := 1; ; {
		if i >= len(b) {
			return Short, i
		}
		left--
		if s := passes[b[i]]; s.size > 0 && s.values == 0 {
			if int(s.size) > len(b)-i {
				return Short, i
			}
			i += int(s.size)
		} else {
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
				if class == ClassMap {
					if n > (len(b)-next)/2 {
						return Short, i
					}
					n *= 2
				}
				switch {
				case len(around) >= depth:
					return Deep, i
				case n > len(b)-next:
					return Short, i
				}
				i = next
				around = append(around, left)
				left = n
			}
		}
		for left == 0 {
			if len(around) == 0 {
				return i, i
			}
			left = around[len(around)-1]
			around = around[:len(around)-1]
		}
	}
}

// Pass returns the index after the values at b[i:], of which there are so many, or a negative one. It checks nothing
// but where values end, for those who read them later, and takes a fraction of the time of Skip.
func Pass(b []byte, i, values int) int {
	for left := values; left > 0; left-- {
		if uint(i) >= uint(len(b)) {
			return Short
		}
		c := b[i]
		if s := passes[c]; s.size > 0 {
			i += int(s.size)
			left += int(s.values)
			continue
		}
		if c == Str8 && uint(i+1) < uint(len(b)) {
			i += 2 + int(b[i+1])
			continue
		}
		class, next, n := Head(b, i)
		switch {
		case next < 0:
			return next
		case n > len(b)-next:
			return Short
		case class == ClassMap:
			i, left = next, left+2*n
		case class == ClassArray:
			i, left = next, left+n
		default:
			i = next + n
		}
	}
	if i > len(b) {
		return Short
	}
	return i
}

// passes are, for the first byte of values whose size it tells, that size, and how many values follow in it.
var passes = func() (t [256]struct{ size, values uint8 }) {
	var b [32]byte
	for c := range t {
		b[0] = byte(c)
		class, next, n := Head(b[:], 0)
		switch {
		case next < 0 || next > 1 && class >= ClassStr && (c < FixExt1 || c > FixExt16):
		case class == ClassMap:
			t[c].size, t[c].values = 1, uint8(2*n)
		case class == ClassArray:
			t[c].size, t[c].values = 1, uint8(n)
		default:
			t[c].size = uint8(next + n)
		}
	}
	return t
}()
