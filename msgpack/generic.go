package msgpack

import "github.com/weftcodec/weft"

// sliceHint bounds the number of elements that a slice of any type is made for in
// advance.
const sliceHint = 16

// ReadSlice reads an array into s from its start, each element by read, which
// gets a zero value. The result is not nil.
func ReadSlice[T any](r *Reader, s []T, read func(*T, *Reader) error) []T {
	ok := r.BeginArray()
	if n := r.Left() + 1; ok && cap(s) == 0 {
		s = make([]T, 0, min(n, sliceHint)) // elements may be large
	}
	if s = s[:0]; s == nil {
		s = []T{}
	}
	for ; ok; ok = r.More() {
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
	ok := r.BeginArray()
	if n := r.Left() + 1; ok && n > cap(s) {
		s = make([]T, 0, min(n, maxHint))
	}
	if s = s[:0]; s == nil {
		s = []T{}
	}
	for ; ok; ok = r.More() {
		s = append(s, read(r))
	}
	r.listEnd, r.listDepth, r.item = r.i, r.depth, 0
	return s
}

// ReadStrings reads an array of strings into s from its start, and checks that
// each has at least so many characters and, unless most is negative, at most so
// many. The result is not nil.
func ReadStrings(r *Reader, s []string, least, most int) []string {
	ok := r.BeginArray()
	if n := r.Left() + 1; ok && n > cap(s) {
		s = make([]string, 0, min(n, maxHint))
	}
	if s = s[:0]; s == nil {
		s = []string{}
	}
	for ; ok; ok = r.More() {
		x := r.String()
		weft.ExpectLen(r, x, least, most)
		s = append(s, x)
	}
	r.listEnd, r.listDepth, r.item = r.i, r.depth, 0
	return s
}

// ReadMap reads a map into m, each value by read, which gets a zero value.
// Entries that m has stay, and the result is not nil.
func ReadMap[T any](r *Reader, m map[string]T, read func(*T, *Reader) error) map[string]T {
	if !r.BeginMap() {
		return m
	}
	if m == nil {
		m = make(map[string]T, min(r.Left(), maxHint))
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

// AppendSlice appends an array of what app appends for each element of s. On an
// error it returns b as it was.
func AppendSlice[T any](b []byte, s []T, app func(*T, []byte) ([]byte, error)) ([]byte, error) {
	out, err := AppendArrayHeader(b, len(s)), error(nil)
	for i := range s {
		if out, err = app(&s[i], out); err != nil {
			return b, weft.AtItem(i, err)
		}
	}
	return out, nil
}

// AppendStrings appends an array of strings.
func AppendStrings(b []byte, s []string) []byte {
	b = AppendArrayHeader(b, len(s))
	for i := range s {
		b = AppendString(b, s[i])
	}
	return b
}

// AppendMap appends a map of what app appends for each element of m, in no
// order. On an error it returns b as it was.
func AppendMap[T any](b []byte, m map[string]T, app func(*T, []byte) ([]byte, error)) ([]byte, error) {
	out, err := AppendMembers(AppendMapHeader(b, len(m)), m, app)
	if err != nil {
		return b, err
	}
	return out, nil
}
