//go:build !purego

package structwire

// Have reports whether there is a kernel. The processor must have AVX2.
const Have = true

// Go goes on with r.
//
//go:noescape
func Go(r *Run)
