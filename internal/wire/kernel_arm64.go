//go:build !purego

package wire

// detectLevel: every arm64 processor that Go runs on has NEON.
func detectLevel() int { return levelNEON }

// scanBlocks runs Scan over blocks (at least one) of which the last has tail bytes, the rest of it counting as
// zeros. When before is not zero, another block stands before src and may end in an unfinished character. A
// character unfinished at the end of a full last block is left to the next call. Where dst is not nil the blocks
// are copied to it.
func scanBlocks(src *byte, blocks, tail int, s, nw *uint64, before int, dst *byte) (bad uint64) {
	return scanNEON(src, blocks, tail, s, nw, before, dst)
}

//go:noescape
func scanNEON(src *byte, blocks, tail int, s, nw *uint64, before int, dst *byte) (bad uint64)

// copyBlocks copies the start of src to dst and returns a number of bytes, twice, that are plain and valid as far as
// they go, short of the first other byte by less than 64 bytes and a character. At the end of that many a
// character may be unfinished.
func copyBlocks(dst *byte, room int, src string, how int) (n, wrote int) {
	n = copyPlainNEON(dst, src, how)
	return n, n
}

//go:noescape
func copyPlainNEON(dst *byte, src string, how int) (n int)

// validBlocks returns zero when the n bytes at src, a multiple of 64 and not zero, are valid UTF-8 but for a
// character unfinished at their end. When before is not zero, another 64 bytes stand before src.
//
//go:noescape
func validBlocks(src *byte, n, before int) (bad uint64)

// validBlocksString is validBlocks for the bytes of a string.
//
//go:noescape
func validBlocksString(src string, before int) (bad uint64)

func copyHTML(dst, src *byte, n int) (found bool) { panic("unreachable") }

func encodeBase64(dst, src *byte, blocks int) { panic("unreachable") }

func decodeBase64(dst, src *byte, blocks int) (done int) { panic("unreachable") }
