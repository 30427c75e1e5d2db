//go:build purego || !(amd64 || arm64 || 386 || ppc64le || loong64)

package mem

// Ref is a reference; see the other build for its contract.
type Ref struct{ v any } // a pointer, a *[]T or a *string

// RefTo returns the reference to *v.
func RefTo[T any](v *T) Ref { return Ref{v} }

// RefSlice returns the reference to the elements of s.
func RefSlice[T any](s []T) Ref {
	if len(s) == 0 {
		return Ref{}
	}
	return Ref{&s}
}

// RefString returns the reference to the bytes of s.
func RefString(s string) Ref {
	if s == "" {
		return Ref{}
	}
	return Ref{&s}
}

// RefIs reports whether r and s refer to the same thing. It may answer false for
// two references to one slice or string.
func RefIs(r, s Ref) bool { return r.v == s.v }

// Target returns what [RefTo] was given.
func Target[T any](r Ref) *T {
	p, _ := r.v.(*T)
	return p
}

// First returns the address of the first of at least one element that
// [RefSlice] was given.
func First[T any](r Ref) *T { return &(*r.v.(*[]T))[0] }

// Elems returns the n elements that [RefSlice] was given.
func Elems[T any](r Ref, n int) []T {
	if n == 0 {
		return nil
	}
	return (*r.v.(*[]T))[:n:n]
}

// Text returns the string of n bytes that [RefString] was given.
func (r Ref) Text(n int) string {
	if n == 0 {
		return ""
	}
	return (*r.v.(*string))[:n]
}
