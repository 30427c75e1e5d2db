//go:build purego || !amd64

package wire

func hasFloats() bool { return false }

func setFloats(*byte, *float64, int, int, int) (wrote, done int) { panic("wire: no float kernel") }
