//go:build !purego

package wire

//lint:file-ignore U1000 the kernels for a level are reached from assembly

// detectLevel asks the processor, and the system through XCR0, what they support.
func detectLevel() int {
	top, _, _, _ := cpuid(0, 0)
	if top < 7 {
		return levelGeneric
	}
	const osxsave, avx = 1 << 27, 1 << 28
	_, _, c1, _ := cpuid(1, 0)
	if c1&(osxsave|avx) != osxsave|avx {
		return levelGeneric
	}
	const ymm, zmm = 0x06, 0xe6 // the registers the system saves
	const bmi1, avx2, bmi2, f, bw, vl = 1 << 3, 1 << 5, 1 << 8, 1 << 16, 1 << 30, 1 << 31
	_, b7, _, _ := cpuid(7, 0)
	saved, _ := xgetbv()
	const need2, need512 = bmi1 | bmi2 | avx2, bmi1 | bmi2 | avx2 | f | bw | vl
	switch {
	case b7&need512 == need512 && saved&zmm == zmm:
		return levelAVX512
	case b7&need2 == need2 && saved&ymm == ymm:
		return levelAVX2
	}
	return levelGeneric
}

// scanBlocks runs Scan over blocks (at least one) of which the last has tail bytes, the rest of it counting as
// zeros. When before is not zero, another block stands before src and may end in an unfinished character. A
// character unfinished at the end of a full last block is left to the next call. Where dst is not nil the blocks
// are copied to it.
//
//go:noescape
func scanBlocks(src *byte, blocks, tail int, s, nw *uint64, before int, dst *byte) (bad uint64)

//go:noescape
func scanAVX512(src *byte, blocks, tail int, s, nw *uint64, before int, dst *byte) (bad uint64)

//go:noescape
func scanAVX2(src *byte, blocks, tail int, s, nw *uint64, before int, dst *byte) (bad uint64)

func cpuid(leaf, sub uint32) (a, b, c, d uint32)

func xgetbv() (lo, hi uint32)

// copyBlocks writes src, which is not empty, to dst as it stands in a JSON string, as far as it can: it returns the
// numbers of bytes read and written. What is read is valid as far as it goes; at its end a character may be
// unfinished. It stops short of what is not UTF-8 and of U+2028 and U+2029 by less than 64 bytes and a character,
// and at a byte that is escaped unless there is room for the rest of src and 448 bytes more: below that it
// writes no more than the length of src. What stands behind the bytes written is undefined as far as it may write.
//
//go:noescape
func copyBlocks(dst *byte, room int, src string, how int) (n, wrote int)

//go:noescape
func copyPlainAVX512(dst *byte, room int, src string, how int) (n, wrote int)

//go:noescape
func copyPlainAVX2(dst *byte, room int, src string, how int) (n, wrote int)

// validBlocks returns zero when the n bytes at src, a multiple of 64 and not zero, are valid UTF-8 but for a
// character unfinished at their end. When before is not zero, another 64 bytes stand before src.
//
//go:noescape
func validBlocks(src *byte, n, before int) (bad uint64)

// validBlocksString is validBlocks for the bytes of a string.
//
//go:noescape
func validBlocksString(src string, before int) (bad uint64)

//go:noescape
func validAVX512(src *byte, n, before int) (bad uint64)

//go:noescape
func validAVX2(src *byte, n, before int) (bad uint64)

// copyHTML copies the n bytes at src, at least 32, to dst, and reports whether there is a byte that [IndexHTML] finds.
// It needs AVX2.
//
//go:noescape
func copyHTML(dst, src *byte, n int) (found bool)

// encodeBase64 writes each 24 bytes of src as 32 to dst, for as many blocks, at least one. 4 bytes more are read. It
// needs AVX2.
//
//go:noescape
func encodeBase64(dst, src *byte, blocks int)

// decodeBase64 writes each 32 bytes of src as 24 to dst, for as many blocks, at least one, until one has a byte that is
// not of the alphabet, and returns how many it has written. 8 bytes more are spoiled. It needs AVX2.
//
//go:noescape
func decodeBase64(dst, src *byte, blocks int) (done int)
