package value

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

var errPath = errors.New("value: bad path")

// step is one step into a map or a list.
type step struct {
	name  string
	index int // -1 where name is
}

// nextStep cuts the first step off a path such as a.b[2] or ["a.b"][0]; first
// tells that nothing comes before it.
func nextStep(path string, first bool) (s step, rest string, ok bool) {
	switch c := path[0]; {
	case c == '[':
		return bracketStep(path)
	case c == '.' && !first:
		path = path[1:]
	case !first:
		return s, "", false
	}
	end := 0
	for end < len(path) && path[end] != '.' && path[end] != '[' && path[end] != ']' {
		end++
	}
	return step{path[:end], -1}, path[end:], end > 0
}

func bracketStep(path string) (s step, rest string, ok bool) {
	if len(path) > 1 && (path[1] == '"' || path[1] == '`') {
		q, err := strconv.QuotedPrefix(path[1:])
		if err != nil || len(path) <= 1+len(q) || path[1+len(q)] != ']' {
			return s, "", false
		}
		name, err := strconv.Unquote(q)
		return step{name, -1}, path[2+len(q):], err == nil
	}
	end := strings.IndexByte(path, ']')
	if end < 0 {
		return s, "", false
	}
	i, ok := parseIndex(path[1:end])
	return step{"", i}, path[end+1:], ok
}

// parseIndex reads an index as RFC 6901 §4 has it: digits without a leading zero.
func parseIndex(s string) (int, bool) {
	if s == "" || len(s) > 9 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		c := s[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = 10*n + int(c)
	}
	return n, true
}

// into returns what one step leads to.
func (v Value) into(s step) (Value, bool) {
	if s.index < 0 {
		return v.Get(s.name)
	}
	if v.Kind() != KindList || s.index >= v.count() {
		return Value{}, false
	}
	return v.child(s.index), true
}

// Lookup returns the value at a path in v; ok is false if there is none or the path is invalid. A path consists of
// names with dots between them and indexes in brackets: a.b[2]. A name with a dot or a bracket is written in brackets
// and quotes: ["a.b"].c. The empty path is that of v.
func (v Value) Lookup(path string) (x Value, ok bool) {
	i := 0
	if path != "" && path[0] != '[' {
		i = -1 // as if there were a dot before
	}
	for i < len(path) {
		if i >= 0 && path[i] != '.' {
			s, rest, ok := nextStep(path[i:], i == 0)
			if !ok {
				return Value{}, false
			}
			if v, ok = v.into(s); !ok {
				return Value{}, false
			}
			i = len(path) - len(rest)
			continue
		}
		// Same as nextStep and into for a name after a dot.
		from := i + 1
		i = nameEnd(path, from)
		if i == from {
			return Value{}, false
		}
		if v, ok = v.Get(path[from:i]); !ok {
			return Value{}, false
		}
	}
	return v, true
}

// nameEnd returns where the name that begins at i ends.
func nameEnd(path string, i int) int {
	for ; i+8 <= len(path); i += 8 {
		s := path[i : i+8]
		x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		// The lowest bit that is set is of the first byte that is the one looked for.
		const ones = 0x0101010101010101
		dot, open, shut := x^'.'*ones, x^'['*ones, x^']'*ones
		if m := (dot-ones)&^dot | (open-ones)&^open | (shut-ones)&^shut; m&(0x80*ones) != 0 {
			return i + bits.TrailingZeros64(m&(0x80*ones))>>3
		}
	}
	for i < len(path) && !endsName[path[i]] {
		i++
	}
	return i
}

// endsName has the bytes that end a name in a path.
var endsName = [256]bool{'.': true, '[': true, ']': true}

// Pointer returns the value at a JSON pointer (RFC 6901) in v; ok is false if there is none or the pointer is
// invalid.
func (v Value) Pointer(pointer string) (x Value, ok bool) {
	for pointer != "" {
		token, rest, ok := nextToken(pointer)
		if !ok {
			return Value{}, false
		}
		switch v.Kind() {
		case KindMap:
			v, ok = v.Get(token)
		case KindList:
			i, isIndex := parseIndex(token)
			if ok = isIndex && i < v.count(); ok {
				v = v.child(i)
			}
		default:
			ok = false
		}
		if !ok {
			return Value{}, false
		}
		pointer = rest
	}
	return v, true
}

// nextToken cuts the first reference token off a JSON pointer that is not empty.
func nextToken(pointer string) (token, rest string, ok bool) {
	if pointer[0] != '/' {
		return "", "", false
	}
	token = pointer[1:]
	if end := strings.IndexByte(token, '/'); end >= 0 {
		token, rest = token[:end], token[end:]
	}
	if strings.IndexByte(token, '~') < 0 {
		return token, rest, true
	}
	for i := range len(token) {
		if token[i] == '~' && (i+1 == len(token) || token[i+1] != '0' && token[i+1] != '1') {
			return "", "", false
		}
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~"), rest, true
}

// parsePath returns the steps of a path as [Value.Lookup] takes it.
func parsePath(path string) ([]step, error) {
	var steps []step
	for rest := path; rest != ""; {
		s, next, ok := nextStep(rest, len(steps) == 0)
		if !ok {
			return nil, fmt.Errorf("%w %.60q", errPath, path)
		}
		steps = append(steps, s)
		rest = next
	}
	return steps, nil
}
