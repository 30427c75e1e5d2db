//go:build !purego && (amd64 || arm64 || 386 || ppc64le || loong64)

package mem

import "unsafe"

// Ref is one pointer to a thing whose type and length the holder remembers: the
// bytes of a string, the elements of a slice or a variable. It keeps the thing
// alive, as any Go pointer does. The zero Ref refers to nothing.
type Ref struct{ p unsafe.Pointer }

// RefTo returns the reference to *v.
func RefTo[T any](v *T) Ref { return Ref{unsafe.Pointer(v)} }

// RefSlice returns the reference to the elements of s.
func RefSlice[T any](s []T) Ref { return Ref{unsafe.Pointer(unsafe.SliceData(s))} }

// RefString returns the reference to the bytes of s.
func RefString(s string) Ref { return Ref{unsafe.Pointer(unsafe.StringData(s))} }

// RefIs reports whether r and s refer to the same thing.
func RefIs(r, s Ref) bool { return r == s }

// Target returns what [RefTo] was given.
func Target[T any](r Ref) *T { return (*T)(r.p) }

// First returns the address of the first of at least one element that
// [RefSlice] was given.
func First[T any](r Ref) *T { return (*T)(r.p) }

// Elems returns the n elements that [RefSlice] was given.
func Elems[T any](r Ref, n int) []T { return unsafe.Slice((*T)(r.p), n) }

// Text returns the string of n bytes that [RefString] was given.
func (r Ref) Text(n int) string { return unsafe.String((*byte)(r.p), n) }
