// Package cborwire writes and reads the bytes of CBOR (RFC 8949): pure functions, and a
// scanner for items that arrive in pieces.
package cborwire

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Major types, as the first byte of a head has them (§3.1).
const (
	Uint   = 0x00
	Nint   = 0x20
	Bytes  = 0x40
	Text   = 0x60
	Array  = 0x80
	Map    = 0xa0
	Tag    = 0xc0
	Simple = 0xe0
)

// First bytes of items of the last major type, and Open, which is what the low five
// bits of the first byte of an item of indefinite length are (§3.2, §3.3).
const (
	False     = 0xf4
	True      = 0xf5
	Null      = 0xf6
	Undefined = 0xf7
	Simple8   = 0xf8
	Half      = 0xf9
	Single    = 0xfa
	Double    = 0xfb
	Break     = 0xff
	Open      = 31
)

// MaxHead is the length of the longest head.
const MaxHead = 9

// AppendHead appends the shortest head of the given major type and argument.
func AppendHead(b []byte, major byte, n uint64) []byte {
	switch {
	case n < 24:
		return append(b, major|byte(n))
	case n <= math.MaxUint8:
		return append(b, major|24, byte(n))
	case n <= math.MaxUint16:
		return append(b, major|25, byte(n>>8), byte(n))
	case n <= math.MaxUint32:
		return append(b, major|26, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	return binary.BigEndian.AppendUint64(append(b, major|27), n)
}

// HeadSize returns the length of the shortest head with the argument n.
func HeadSize(n uint64) int {
	switch {
	case n < 24:
		return 1
	case n <= math.MaxUint8:
		return 2
	case n <= math.MaxUint16:
		return 3
	case n <= math.MaxUint32:
		return 5
	}
	return 9
}

// CloseHead writes the head of a container with n elements or pairs over the size bytes
// that are kept for it at b[at:], and moves what follows when the shortest is not as long.
func CloseHead(b []byte, at, size int, major byte, n uint64) []byte {
	var w [MaxHead]byte
	head := AppendHead(w[:0], major, n)
	if need := len(head); need < size {
		b = append(b[:at+need], b[at+size:]...)
	} else if need > size {
		b = append(b, w[:need-size]...)
		copy(b[at+need:], b[at+size:len(b)-need+size])
	}
	copy(b[at:], head)
	return b
}

// AppendInt appends v as an integer.
func AppendInt(b []byte, v int64) []byte {
	if v < 0 {
		return AppendHead(b, Nint, uint64(^v))
	}
	return AppendHead(b, Uint, uint64(v))
}

// AppendUint appends v as an integer.
func AppendUint(b []byte, v uint64) []byte { return AppendHead(b, Uint, v) }

// AppendBool appends a boolean.
func AppendBool(b []byte, v bool) []byte {
	c := byte(False)
	if v {
		c = True
	}
	return append(b, c)
}

// AppendText appends s as a text string.
func AppendText(b []byte, s string) []byte { return append(AppendHead(b, Text, uint64(len(s))), s...) }

// AppendBytes appends p as a byte string.
func AppendBytes(b, p []byte) []byte { return append(AppendHead(b, Bytes, uint64(len(p))), p...) }

// AppendSimple appends a simple value, which is not in 24 to 31 (§3.3).
func AppendSimple(b []byte, v uint8) []byte {
	if v < 24 {
		return append(b, Simple|v)
	}
	return append(b, Simple8, v)
}

// AppendHalf appends the bits of a number of half precision.
func AppendHalf(b []byte, u uint16) []byte { return append(b, Half, byte(u>>8), byte(u)) }

// AppendFloat32 appends v in single precision.
func AppendFloat32(b []byte, v float32) []byte {
	u := math.Float32bits(v)
	return append(b, Single, byte(u>>24), byte(u>>16), byte(u>>8), byte(u))
}

// AppendFloat64 appends v in double precision.
func AppendFloat64(b []byte, v float64) []byte {
	return binary.BigEndian.AppendUint64(append(b, Double), math.Float64bits(v))
}

// nan is the one NaN that is written, of half precision (§4.2.2).
const nan = 0x7e00

// AppendFloat appends v in the shortest of the three precisions that has it (§4.1).
// Every NaN is written as the same.
func AppendFloat(b []byte, v float64) []byte {
	f := float32(v)
	if float64(f) != v {
		if v != v {
			return AppendHalf(b, nan)
		}
		return AppendFloat64(b, v)
	}
	if h, ok := ToHalf(math.Float32bits(f)); ok {
		return AppendHalf(b, h)
	}
	return AppendFloat32(b, f)
}

// ToHalf returns the bits of a number of single precision in half precision, if that has
// it; a NaN with its payload.
func ToHalf(u uint32) (h uint16, ok bool) {
	sign := uint16(u >> 16 & 0x8000)
	exp, frac := int(u>>23&0xff)-127, u&0x7fffff
	switch {
	case u<<1 == 0:
		return sign, true
	case exp == 128:
		return sign | 0x7c00 | uint16(frac>>13), frac&0x1fff == 0
	case exp > 15 || exp < -24:
		return 0, false
	case exp >= -14:
		return sign | uint16(exp+15)<<10 | uint16(frac>>13), frac&0x1fff == 0
	}
	// Subnormal: a multiple of 2**-24.
	frac |= 1 << 23
	shift := uint(-1 - exp)
	return sign | uint16(frac>>shift), frac&(1<<shift-1) == 0
}

// FromHalf returns the number whose bits in half precision are h (Appendix D).
func FromHalf(h uint16) float64 {
	exp, frac := uint64(h>>10&31), uint64(h&0x3ff)
	sign := uint64(h>>15) << 63
	switch exp {
	case 0:
		if frac == 0 {
			return math.Float64frombits(sign)
		}
		k := uint64(bits.Len64(frac) - 1) // the first bit, which a normal number does not write
		return math.Float64frombits(sign | (1023-24+k)<<52 | frac<<(52-k)&(1<<52-1))
	case 31:
		return math.Float64frombits(sign | 0x7ff<<52 | frac<<42)
	}
	return math.Float64frombits(sign | (exp+1023-15)<<52 | frac<<42)
}

// narrow returns the bits of a number of double precision in single precision, if that
// has it; a NaN with its payload.
func narrow(u uint64) (s uint32, ok bool) {
	f := math.Float64frombits(u)
	if f != f {
		return uint32(u>>32&0x80000000 | 0x7f800000 | u>>29&0x7fffff), u&(1<<29-1) == 0
	}
	return math.Float32bits(float32(f)), float64(float32(f)) == f
}
