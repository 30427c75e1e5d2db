//go:build !purego

package cborwire

// HavePut reports whether there is a kernel [PutDoubles]. The processor must have AVX2.
const HavePut = true

// PutDoubles writes numbers from src on to dst, four at a time and n at most, as long as they are finite and have bits
// that single precision does not have. It returns how many.
//
//go:noescape
func PutDoubles(dst *byte, src *float64, n int) (done int)
