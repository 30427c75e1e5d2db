package packwire

// Deep is the end of a value that nests deeper than is allowed; see [Short].
const Deep = -4

// Skip checks that one well-formed value stands at b[i:] and returns the index
// after it. It nests no deeper than depth arrays and maps. When there is no
// such value, end is negative and at is the index of what is wrong.
func Skip(b []byte, i, depth int) (end, at int) {
	var buf [32]int
	around := buf[:0] // values to come in the containers around
	for left := 1; ; {
		if i >= len(b) {
			return Short, i
		}
		left--
		if c := b[i]; c <= PosFixMax || c >= NegFix {
			i++
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
