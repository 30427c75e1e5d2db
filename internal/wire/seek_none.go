//go:build purego || (!amd64 && !arm64)

package wire

func hasSeek() bool { return false }

func seekBlocks(src *byte, blocks int, first byte, st *seekState) (at int) { panic("unreachable") }
