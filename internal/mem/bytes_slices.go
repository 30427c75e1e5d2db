//go:build purego || !(amd64 || arm64 || 386 || ppc64le || loong64)

package mem

import (
	"encoding/binary"
	"math/bits"
)

// Bytes is a run of bytes; see the other build for its contract.
type Bytes struct{ b []byte }

// BytesOf returns the bytes of b.
func BytesOf(b []byte) Bytes { return Bytes{b[:cap(b)]} }

// At returns the byte at i.
func (b Bytes) At(i int) byte { return b.b[i] }

// U16 returns the two bytes at i, the first one lowest.
func (b Bytes) U16(i int) uint16 { return binary.LittleEndian.Uint16(b.b[i:]) }

// U32 returns the four bytes at i, the first one lowest.
func (b Bytes) U32(i int) uint32 { return binary.LittleEndian.Uint32(b.b[i:]) }

// U64 returns the eight bytes at i, the first one lowest.
func (b Bytes) U64(i int) uint64 { return binary.LittleEndian.Uint64(b.b[i:]) }

// Set writes the byte at i.
func (b Bytes) Set(i int, c byte) { b.b[i] = c }

// SetU64 writes the eight bytes at i, the lowest first.
func (b Bytes) SetU64(i int, x uint64) { binary.LittleEndian.PutUint64(b.b[i:], x) }

// SetU32 writes the four bytes at i, the lowest first.
func (b Bytes) SetU32(i int, x uint32) { binary.LittleEndian.PutUint32(b.b[i:], x) }

// SetU16 writes the two bytes at i, the lowest first.
func (b Bytes) SetU16(i int, x uint16) { binary.LittleEndian.PutUint16(b.b[i:], x) }

// Set16 writes 16 bytes at i.
func (b Bytes) Set16(i int, x *[16]byte) { copy(b.b[i:i+16], x[:]) }

// Copy16 writes at i the 16 bytes of from at j, which do not overlap with them.
func (b Bytes) Copy16(i int, from Bytes, j int) { copy(b.b[i:i+16], from.b[j:j+16]) }

// Addr returns the address of the byte at i.
func (b Bytes) Addr(i int) *byte { return &b.b[i] }

// Slice returns the bytes i to j-1 without copying.
func (b Bytes) Slice(i, j int) []byte { return b.b[i:j:j] }

// View returns the bytes i to j-1 as a string.
func (b Bytes) View(i, j int) string { return string(b.b[i:j]) }

// Has reports whether s stands at i.
func (b Bytes) Has(i int, s string) bool { return string(b.b[i:i+len(s)]) == s }

// Ints returns n integers.
func (b Bytes) Ints(_, n int) []int { return make([]int, n) }

// Uint64s returns n integers.
func (b Bytes) Uint64s(_, n int) []uint64 { return make([]uint64, n) }

// Words is a run of 64-bit words.
type Words struct{ w []uint64 }

// WordsOf returns the words of w.
func WordsOf(w []uint64) Words { return Words{w} }

// Slice returns the words i to j-1.
func (w Words) Slice(i, j int) []uint64 { return w.w[i:j] }

// Next returns the index of the first bit at or after i that is set. There
// must be one.
func (w Words) Next(i int) int {
	x := w.w[i>>6] >> (uint(i) & 63)
	for x == 0 {
		i = i | 63 + 1
		x = w.w[i>>6]
	}
	return i + bits.TrailingZeros64(x)
}

// String returns b as a string.
func String(b []byte) string { return string(b) }

// View returns the bytes of s. They must not be written.
func View(s string) []byte { return []byte(s) }

// MakeNoZero returns a slice of length 0 and capacity at least n whose spare
// bytes hold anything.
func MakeNoZero(n int) []byte {
	if n <= 0 {
		return nil
	}
	return make([]byte, 0, n)
}
