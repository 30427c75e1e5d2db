//go:build !purego && (amd64 || arm64 || 386 || ppc64le || loong64)

package mem

import (
	"reflect"
	"unsafe"
)

// Make stores a new slice of n zero elements at p, which holds a slice of type
// s with elements of type t, and returns them.
func (p Ptr) Make(s reflect.Type, t *Type, n int) Array {
	h := (*header)(p.p)
	if n == 0 {
		*h = header{data: unsafe.Pointer(&zero)}
		return Array{h.data}
	}
	switch t.class {
	case classPlain:
		*h = header{unsafe.Pointer(unsafe.SliceData(make([]uint64, (uintptr(n)*t.Size+7)/8))), n, n}
	case classString:
		*h = header{unsafe.Pointer(unsafe.SliceData(make([]string, n))), n, n}
	case classPointer:
		*h = header{unsafe.Pointer(unsafe.SliceData(make([]unsafe.Pointer, n))), n, n}
	default:
		*h = header{}
		reflect.NewAt(s, p.p).Elem().Grow(n)
		h.len, h.cap = n, n
	}
	return Array{h.data}
}

// SetLen sets the length of the slice stored at p, to at most its capacity.
func (p Ptr) SetLen(n int) { (*header)(p.p).len = n }

// BytesIn returns the bytes of s, which must not be written.
func BytesIn(s string) Bytes { return Bytes{unsafe.Pointer(unsafe.StringData(s))} }
