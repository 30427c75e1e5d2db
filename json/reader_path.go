package json

import (
	"strconv"

	"github.com/weftcodec/weft/internal/wire"
)

// pathLevel is an open array or object, and where in it a value stands.
type pathLevel struct {
	object bool
	index  int
	name   string
	named  bool // there is a name
	start  int  // of the array or object
}

// pathAt returns the JSON pointer (RFC 6901) of the value of data that stands
// at off, or of the innermost one around it. The text is read again from the
// start, so that a decoder keeps no path while there is no error. Where the
// text is not JSON the path leads as far as its structure can be told.
func pathAt(data []byte, off int) string {
	path, _ := placeAt(data, off)
	return path
}

// pathWithin is pathAt for an offset that may be beyond the text.
func pathWithin(data []byte, offset int64) string {
	return pathAt(data, int(min(max(offset, 0), int64(len(data)))))
}

// placeAt is pathAt, and returns the offset of that value.
func placeAt(data []byte, off int) (pointer string, start int) {
	var open []pathLevel
	name := false   // a name comes next
	begins := false // a value has begun
	for i := 0; i < len(data) && i <= off; {
		end := i + 1
		switch c := data[i]; c {
		case '{', '[':
			start, begins = i, true
			if i < off {
				open = append(open, pathLevel{object: c == '{', start: i})
				begins = false
				name = c == '{'
				if j := skipSpace(data, end); j <= off && j < len(data) && data[j] == c+2 { // its closing bracket
					open = open[:len(open)-1]
					name, begins = false, true
					end = j + 1
				}
			}
		case '}', ']':
			if n := len(open); n > 0 {
				start = open[n-1].start
				open = open[:n-1]
			}
			name, begins = false, true
		case ' ', '\t', '\r', '\n':
		case ':':
			begins = false
		case ',':
			begins = false
			if n := len(open); n > 0 && i < off {
				name = open[n-1].object
				open[n-1].index++
				open[n-1].named = false
			}
		case '"':
			end = stringEnd(data, i)
			if n := len(open); name && n > 0 {
				if s, ok := unquote(data[i:end]); ok {
					open[n-1].name, open[n-1].named = string(s), true
				}
				name = false
			} else {
				start, begins = i, true
			}
		default:
			if !begins {
				start, begins = i, true
			}
		}
		i = end
	}
	var path []byte
	for _, l := range open {
		if l.object {
			if !l.named {
				break
			}
			path = wire.AppendPointer(path, l.name)
		} else {
			path = wire.AppendPointer(path, strconv.Itoa(l.index))
		}
	}
	return string(path), start
}

// stringEnd returns the index after the string that begins at i.
func stringEnd(data []byte, i int) int {
	for i++; i < len(data); i++ {
		switch data[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(data)
}
