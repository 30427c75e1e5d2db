//go:build purego || !(amd64 || arm64 || 386 || ppc64le || loong64)

package mem

import "reflect"

// Make stores a new slice of n zero elements at p, which holds a slice of type
// s with elements of type t, and returns them.
func (p Ptr) Make(s reflect.Type, t *Type, n int) Array {
	v := p.v.Elem()
	v.Set(reflect.MakeSlice(s, n, n).Convert(v.Type()))
	return Array{v}
}

// SetLen sets the length of the slice stored at p, to at most its capacity.
func (p Ptr) SetLen(n int) { p.v.Elem().SetLen(n) }

// BytesIn returns the bytes of s, which must not be written.
func BytesIn(s string) Bytes { return Bytes{[]byte(s)} }
