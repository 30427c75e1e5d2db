//go:build purego || !amd64

package structwire

// Have reports whether there is a kernel.
const Have = false

// Go goes on with r.
func Go(*Run) {}

func setFloats(*byte, *float64, int, int, int) (wrote, done int) { panic("structwire: no kernel") }
