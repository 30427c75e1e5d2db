package msgpack

import (
	"maps"
	"slices"
)

// Check fails with err unless it is nil.
func (r *Reader) Check(err error) {
	if err != nil {
		r.Fail(err)
	}
}

// ReadSlice reads an array into s from its start, each element by read, which
// gets a zero value. The result is not nil.
func ReadSlice[T any](r *Reader, s []T, read func(*T, *Reader) error) []T {
	if s = s[:0]; s == nil {
		s = []T{}
	}
	for ok := r.BeginArray(); ok; ok = r.More() {
		if len(s) == cap(s) {
			s = slices.Grow(s, growBy(r))
		}
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
		if len(s) == cap(s) {
			s = slices.Grow(s, growBy(r))
		}
		s = append(s, read(r))
	}
	return s
}

// growBy returns for how many more elements a slice grows: those that are still to
// come, but no more at once than fit in a few kilobytes, however many the input
// claims.
func growBy(r *Reader) int {
	const most = 64
	return min(r.Left()+1, most)
}

// ReadMap reads a map into m, each value by read, which gets a zero value.
// Entries that m has stay, and the result is not nil.
func ReadMap[T any](r *Reader, m map[string]T, read func(*T, *Reader) error) map[string]T {
	if m == nil {
		m = make(map[string]T)
	}
	if !r.BeginMap() {
		return m
	}
	for {
		name, ok := r.NextKey()
		if !ok {
			return m
		}
		var v T
		if err := read(&v, r); err != nil {
			r.Fail(err)
			return m
		}
		m[name] = v
	}
}

// AppendStrings appends an array of strings.
func AppendStrings(b []byte, s []string) []byte {
	b = AppendArrayHeader(b, len(s))
	for _, x := range s {
		b = AppendString(b, x)
	}
	return b
}

// AppendSlice appends an array of what app appends for each element of s. On an
// error it returns b as it was.
func AppendSlice[T any](b []byte, s []T, app func(*T, []byte) ([]byte, error)) ([]byte, error) {
	out, err := AppendArrayHeader(b, len(s)), error(nil)
	for i := range s {
		if out, err = app(&s[i], out); err != nil {
			return b, err
		}
	}
	return out, nil
}

// AppendMap appends a map of what app appends for each value of m, in the order
// of the names. On an error it returns b as it was.
func AppendMap[T any](b []byte, m map[string]T, app func(*T, []byte) ([]byte, error)) ([]byte, error) {
	out, err := AppendMembers(AppendMapHeader(b, len(m)), m, app)
	if err != nil {
		return b, err
	}
	return out, nil
}

// AppendMembers appends the pairs of m to a map whose header counts them: what
// app appends for each value, in the order of the names. On an error it returns b
// as it was.
func AppendMembers[T any](b []byte, m map[string]T, app func(*T, []byte) ([]byte, error)) ([]byte, error) {
	out, err := b, error(nil)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		v := m[name]
		if out, err = app(&v, AppendString(out, name)); err != nil {
			return b, err
		}
	}
	return out, nil
}
