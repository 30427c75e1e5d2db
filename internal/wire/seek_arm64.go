//go:build !purego

package wire

// hasSeek reports whether seekBlocks may be called.
func hasSeek() bool { return level == levelNEON }

// seekBlocks is [SeekName] for blocks of 64 bytes, at least one, and goes on from what st says of the blocks
// before.
//
//go:noescape
func seekBlocks(src *byte, blocks int, first byte, st *seekState) (at int)
