package wire

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

const (
	each01 = 0x0101010101010101
	each7f = 0x7f7f7f7f7f7f7f7f
	each80 = 0x8080808080808080
)

// scanGeneric is Scan without assembly, on eight bytes at a time. The lengths are Scan's, checked by it.
func scanGeneric(src []byte, n int, s, nw []uint64) bool {
	valid, checked := true, 0
	full := n >> 6
	for i := range full {
		blk := src[i<<6:][:64:64]
		var high uint64
		s[i], nw[i], high = scanBlock(blk)
		if high != 0 && valid {
			checked, valid = checkUTF8(src[:n], max(checked, i<<6), i<<6+64)
		}
	}
	var tail [64]byte
	copy(tail[:], src[full<<6:n])
	var high uint64
	s[full], nw[full], high = scanBlock(tail[:])
	if high != 0 && valid {
		_, valid = checkUTF8(src[:n], max(checked, full<<6), n)
	}
	return valid
}

// scanBlock returns the two bitmaps of the first 64 bytes of b and a word that is not zero when they are not
// all ASCII.
func scanBlock(b []byte) (s, nw, high uint64) {
	_ = b[63]
	for i := 0; i < 64; i += 8 {
		x := binary.LittleEndian.Uint64(b[i : i+8])
		ms, mw := scanWord(x)
		s |= moveMask(ms) << i
		nw |= moveMask(mw) << i
		high |= x
	}
	return s, nw, high & each80
}

// scanWord returns the two bitmaps of eight bytes, spread to bit 7 of each byte. Each sum stays inside its byte (0x7f +
// 0x7f), so bit 7 is exact: set when the byte differs from the one looked for, or is not below the bound.
func scanWord(x uint64) (s, nw uint64) {
	l := x & each7f
	ns := ((l ^ each01*'"') + each7f) & ((l ^ each01*'\\') + each7f) & (l + each01*(0x80-0x20))
	nonws := ((l ^ each01*' ') + each7f) & ((l ^ each01*'\t') + each7f) &
		((l ^ each01*'\n') + each7f) & ((l ^ each01*'\r') + each7f)
	return ^(ns | x), nonws | x
}

// moveMask gathers bit 7 of every byte of x in the lowest eight bits, the lowest byte first.
func moveMask(x uint64) uint64 {
	return (x & each80 >> 7) * 0x0102040810204080 >> 56
}

// checkUTF8 validates the characters of b from i, which starts a character, until one ends at or past end. It
// returns where that is, and whether all were valid.
func checkUTF8(b []byte, i, end int) (next int, valid bool) {
	for i < end {
		if b[i] < utf8.RuneSelf {
			i++
			if rest := b[i:]; len(rest) >= 8 {
				i += bits.TrailingZeros64(binary.LittleEndian.Uint64(rest)&each80) >> 3
			}
			continue
		}
		size := runeLen(b[i:])
		if size == 0 {
			return i, false
		}
		i += size
	}
	return i, true
}

// runeLen returns the length of the non-ASCII character that starts b, or 0 when it is not valid UTF-8
// (RFC 3629 §4).
func runeLen[S []byte | string](b S) int {
	if len(b) < 2 || b[1]&0xc0 != 0x80 {
		return 0
	}
	c := b[0]
	switch {
	case c < 0xc2:
		return 0
	case c < 0xe0:
		return 2
	case c < 0xf0:
		if len(b) < 3 || b[2]&0xc0 != 0x80 || c == 0xe0 && b[1] < 0xa0 || c == 0xed && b[1] > 0x9f {
			return 0
		}
		return 3
	case c < 0xf5:
		if len(b) < 4 || b[2]&0xc0 != 0x80 || b[3]&0xc0 != 0x80 || c == 0xf0 && b[1] < 0x90 || c == 0xf4 && b[1] > 0x8f {
			return 0
		}
		return 4
	}
	return 0
}
