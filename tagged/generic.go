package tagged

import "github.com/weftcodec/weft"

// ReadSlice reads an array into s from its start, each element by read, which
// gets a zero value. The result is not nil.
func ReadSlice[T any](r *Reader, s []T, read func(*T, *Reader) error) []T {
	if s = s[:0]; s == nil {
		s = []T{}
	}
	for ok := r.BeginArray(); ok; ok = r.More() {
		var zero T
		s = append(s, zero)
		if err := read(&s[len(s)-1], r); err != nil {
			r.Fail(err)
			break
		}
	}
	return s
}

// ReadScalars reads an array into s from its start, each element by read, such
// as (*Reader).String. The result is not nil.
func ReadScalars[T any](r *Reader, s []T, read func(*Reader) T) []T {
	if s = s[:0]; s == nil {
		s = []T{}
	}
	for ok := r.BeginArray(); ok; ok = r.More() {
		s = append(s, read(r))
	}
	r.listEnd, r.listDepth, r.item = r.i, r.depth, 0
	return s
}

// ReadStrings reads an array of strings into s from its start, and checks that
// each has at least so many characters and, unless most is negative, at most so
// many. The result is not nil.
func ReadStrings(r *Reader, s []string, least, most int) []string {
	if s = s[:0]; s == nil {
		s = []string{}
	}
	for ok := r.BeginArray(); ok; ok = r.More() {
		x := r.String()
		weft.ExpectLen(r, x, least, most)
		s = append(s, x)
	}
	r.listEnd, r.listDepth, r.item = r.i, r.depth, 0
	return s
}

// ReadMap reads an object into m, each value by read, which gets a zero value.
// Entries that m has stay, and the result is not nil.
func ReadMap[T any](r *Reader, m map[string]T, read func(*T, *Reader) error) map[string]T {
	if m == nil {
		m = make(map[string]T)
	}
	if !r.BeginMap() {
		return m
	}
	v := new(T)
	for {
		name, ok := r.NextKey()
		if !ok {
			return m
		}
		var zero T
		*v = zero
		if err := read(v, r); err != nil {
			r.Fail(err)
			return m
		}
		m[name] = *v
	}
}
