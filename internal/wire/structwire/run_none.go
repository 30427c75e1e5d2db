//go:build purego || !amd64

package structwire

// Have reports whether there is a kernel.
const Have = false

// Go goes on with r.
func Go(*Run) {}
