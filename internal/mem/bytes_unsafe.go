//go:build !purego && (amd64 || arm64 || 386 || ppc64le || loong64)

package mem

import (
	"math/bits"
	"strings"
	"unsafe"
)

// Bytes is a run of bytes read without bounds checks. The holder keeps to its
// length, loads included: a load of eight bytes at i touches i to i+7.
type Bytes struct{ p unsafe.Pointer }

// BytesOf returns the bytes of b.
func BytesOf(b []byte) Bytes { return Bytes{unsafe.Pointer(unsafe.SliceData(b))} }

// At returns the byte at i.
func (b Bytes) At(i int) byte { return *(*byte)(unsafe.Add(b.p, i)) }

// U16 returns the two bytes at i, the first one lowest.
func (b Bytes) U16(i int) uint16 { return *(*uint16)(unsafe.Add(b.p, i)) }

// U32 returns the four bytes at i, the first one lowest.
func (b Bytes) U32(i int) uint32 { return *(*uint32)(unsafe.Add(b.p, i)) }

// U64 returns the eight bytes at i, the first one lowest.
func (b Bytes) U64(i int) uint64 { return *(*uint64)(unsafe.Add(b.p, i)) }

// Set writes the byte at i.
func (b Bytes) Set(i int, c byte) { *(*byte)(unsafe.Add(b.p, i)) = c }

// SetU64 writes the eight bytes at i, the lowest first.
func (b Bytes) SetU64(i int, x uint64) { *(*uint64)(unsafe.Add(b.p, i)) = x }

// SetU32 writes the four bytes at i, the lowest first.
func (b Bytes) SetU32(i int, x uint32) { *(*uint32)(unsafe.Add(b.p, i)) = x }

// SetU16 writes the two bytes at i, the lowest first.
func (b Bytes) SetU16(i int, x uint16) { *(*uint16)(unsafe.Add(b.p, i)) = x }

// Set16 writes 16 bytes at i.
func (b Bytes) Set16(i int, x *[16]byte) { *(*[16]byte)(unsafe.Add(b.p, i)) = *x }

// Copy16 writes at i the 16 bytes of from at j, which do not overlap with them.
func (b Bytes) Copy16(i int, from Bytes, j int) {
	*(*[16]byte)(unsafe.Add(b.p, i)) = *(*[16]byte)(unsafe.Add(from.p, j))
}

// Addr returns the address of the byte at i.
func (b Bytes) Addr(i int) *byte { return (*byte)(unsafe.Add(b.p, i)) }

// Slice returns the bytes i to j-1 without copying.
func (b Bytes) Slice(i, j int) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(b.p, i)), j-i)
}

// View returns the bytes i to j-1 as a string without copying: it changes
// when they change.
func (b Bytes) View(i, j int) string {
	return unsafe.String((*byte)(unsafe.Add(b.p, i)), j-i)
}

// Has reports whether s stands at i.
func (b Bytes) Has(i int, s string) bool {
	return unsafe.String((*byte)(unsafe.Add(b.p, i)), len(s)) == s
}

// Ints returns the bytes from i on as n integers without copying: they change
// when these do. The bytes hold no pointers, and i is a multiple of the size of
// an integer, as is the address of the bytes: they are of a buffer of their own.
func (b Bytes) Ints(i, n int) []int { return unsafe.Slice((*int)(unsafe.Add(b.p, i)), n) }

// Uint64s is Ints for integers of 64 bits.
func (b Bytes) Uint64s(i, n int) []uint64 { return unsafe.Slice((*uint64)(unsafe.Add(b.p, i)), n) }

// Words is a run of 64-bit words read without bounds checks.
type Words struct{ p unsafe.Pointer }

// WordsOf returns the words of w.
func WordsOf(w []uint64) Words { return Words{unsafe.Pointer(unsafe.SliceData(w))} }

// Slice returns the words i to j-1 without copying.
func (w Words) Slice(i, j int) []uint64 { return unsafe.Slice((*uint64)(unsafe.Add(w.p, i<<3)), j-i) }

// Next returns the index of the first bit at or after i that is set. There
// must be one.
func (w Words) Next(i int) int {
	x := *(*uint64)(unsafe.Add(w.p, i>>6<<3)) >> (uint(i) & 63)
	for x == 0 {
		i = i | 63 + 1
		x = *(*uint64)(unsafe.Add(w.p, i>>3))
	}
	return i + bits.TrailingZeros64(x)
}

// String returns b as a string without copying. b must not change while the
// string is in use; the string keeps b's memory alive.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// View returns the bytes of s without copying. They must not be written.
func View(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// MakeNoZero returns a slice of length 0 and capacity at least n whose spare
// bytes hold anything.
func MakeNoZero(n int) []byte {
	if n <= 0 {
		return nil
	}
	var sb strings.Builder
	sb.Grow(n)
	c := sb.Cap()
	sb.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(sb.String()), c)[:0]
}
