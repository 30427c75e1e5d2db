//go:build purego || !amd64

package wire

func seekBlocks(src *byte, blocks int, first byte, st *seekState) (at int) { panic("unreachable") }
