package wire

// scanChunk is the number of 64-byte blocks handed to one assembly call. A call cannot be preempted, so it is
// kept well under a tenth of a millisecond.
const scanChunk = 8192

// ScanWords returns the number of words each bitmap of [Scan] needs for n bytes: one for every 64-byte block,
// counting n/64+1 blocks so that at least one bit stands past the text, and one sentinel after them.
func ScanWords(n int) int { return n>>6 + 2 }

// ScanPad returns the least length of the src given to [Scan] for n bytes: the end of the last block.
func ScanPad(n int) int { return (n>>6 + 1) << 6 }

// Scan writes two bitmaps of src[:n], one bit a byte, the lowest bit of word 0 being src[0]:
//
//   - s marks the bytes that may end or break a JSON string: '"', '\\' and everything below 0x20;
//   - nw marks the bytes that are not JSON whitespace (space, \t, \n, \r).
//
// It reports whether src[:n] is valid UTF-8 as a whole; a character cut by the end is invalid. The bitmaps are
// complete whatever it reports.
//
// src must hold at least ScanPad(n) bytes; those past n may be anything and are not looked at. s and nw must
// each hold at least ScanWords(n) words, of which exactly that many are written: every bit at n and beyond is
// set, up to the end of the sentinel word, so a search for the next set bit always ends.
func Scan(src []byte, n int, s, nw []uint64) (valid bool) {
	blocks := n>>6 + 1
	src = src[:blocks<<6]
	s = s[:blocks+1]
	nw = nw[:blocks+1]
	s[blocks] = ^uint64(0)
	nw[blocks] = ^uint64(0)
	if level == levelGeneric {
		return scanGeneric(src, n, s, nw)
	}
	var bad uint64
	for i := 0; i < blocks; {
		nb, tail := blocks-i, n&63
		if nb > scanChunk {
			nb, tail = scanChunk, 64
		}
		bad |= scanBlocks(&src[i<<6], nb, tail, &s[i], &nw[i], i, nil)
		i += nb
	}
	return bad == 0
}

// fewBytes is the length below which a copy and one call of assembly are faster than two calls.
const fewBytes = 512

// CopyScan copies src to the start of dst and is [Scan] of the copy. dst must hold at least ScanPad(len(src))
// bytes; those past the copy are set to zero.
func CopyScan(dst, src []byte, s, nw []uint64) (valid bool) {
	n := len(src)
	blocks := n >> 6
	dst = dst[:(blocks+1)<<6]
	s = s[:blocks+2]
	nw = nw[:blocks+2]
	if n < fewBytes || level == levelGeneric {
		clear(dst[copy(dst, src):])
		if level == levelGeneric {
			return Scan(dst, n, s, nw)
		}
		s[blocks+1] = ^uint64(0)
		nw[blocks+1] = ^uint64(0)
		return scanBlocks(&dst[0], blocks+1, n&63, &s[0], &nw[0], 0, nil) == 0
	}
	var bad uint64
	for i := 0; i < blocks; {
		nb := min(blocks-i, scanChunk)
		bad |= scanBlocks(&src[i<<6], nb, 64, &s[i], &nw[i], i, &dst[i<<6])
		i += nb
	}
	last := dst[blocks<<6:]
	clear(last[copy(last, src[blocks<<6:]):])
	bad |= scanBlocks(&last[0], 1, n&63, &s[blocks], &nw[blocks], blocks, nil)
	s[blocks+1] = ^uint64(0)
	nw[blocks+1] = ^uint64(0)
	return bad == 0
}
