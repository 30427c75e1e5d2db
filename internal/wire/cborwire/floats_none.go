//go:build purego || !amd64

package cborwire

// HavePut reports whether there is a kernel [PutDoubles].
const HavePut = false

// PutDoubles returns 0.
func PutDoubles(*byte, *float64, int) (done int) { return 0 }
