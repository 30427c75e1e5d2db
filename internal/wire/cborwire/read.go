package cborwire

import (
	"encoding/binary"
	"math"
)

// Ends of items that are not valid: what the functions of this file return in place of an index
// when there is no item of the sort at the place.
const (
	Short     = -1 // the bytes end within the item
	Mismatch  = -2 // an item of another sort, or of indefinite length
	Range     = -3 // a number beyond the type's range
	Malformed = -4 // no item begins so: a reserved head, or a break out of place
	Deep      = -5 // more levels than are allowed
)

// Head reads the head of the item at b[i:]: its argument, 0 for one of indefinite length and
// for a break, and the index after it, which is Short or Malformed when there is no head.
func Head(b []byte, i int) (n uint64, next int) {
	if uint(i) >= uint(len(b)) {
		return 0, Short
	}
	c := b[i]
	info := c & 31
	if info < 24 {
		return uint64(info), i + 1
	}
	rest := b[i+1:]
	switch info {
	case 24:
		if len(rest) < 1 {
			return 0, Short
		}
		if c == Simple8 && rest[0] < 32 {
			return 0, Malformed // these are written in the first byte, or not at all
		}
		return uint64(rest[0]), i + 2
	case 25:
		if len(rest) < 2 {
			return 0, Short
		}
		return uint64(binary.BigEndian.Uint16(rest)), i + 3
	case 26:
		if len(rest) < 4 {
			return 0, Short
		}
		return uint64(binary.BigEndian.Uint32(rest)), i + 5
	case 27:
		if len(rest) < 8 {
			return 0, Short
		}
		return binary.BigEndian.Uint64(rest), i + 9
	case Open:
		if m := c & 0xe0; m >= Bytes && m <= Map || c == Break {
			return 0, i + 1
		}
	}
	return 0, Malformed
}

// Preferred reports whether the head that begins with c is the shortest with the argument n,
// or of indefinite length; a number whether no shorter one is equal (§4.1).
func Preferred(c byte, n uint64) bool {
	switch c {
	case Single:
		_, ok := ToHalf(uint32(n))
		return !ok
	case Double:
		_, ok := narrow(n)
		return !ok
	case Half, Simple8:
		return true
	}
	switch c & 31 {
	case 24:
		return n >= 24
	case 25:
		return n > math.MaxUint8
	case 26:
		return n > math.MaxUint16
	case 27:
		return n > math.MaxUint32
	}
	return true
}

// ReadInt reads the integer at b[i:] and returns the index after it.
func ReadInt(b []byte, i int) (v int64, end int) {
	n, end := Head(b, i)
	if end < 0 {
		return 0, end
	}
	switch c := b[i]; {
	case c >= Bytes:
		return 0, Mismatch
	case n > math.MaxInt64:
		return 0, Range
	case c >= Nint:
		return ^int64(n), end
	}
	return int64(n), end
}

// ReadUint reads the integer at b[i:], which must not be negative, and returns the index after it.
func ReadUint(b []byte, i int) (v uint64, end int) {
	v, end = Head(b, i)
	switch {
	case end < 0:
		return 0, end
	case b[i] >= Bytes:
		return 0, Mismatch
	case b[i] >= Nint:
		return 0, Range
	}
	return v, end
}

// ReadFloat reads the floating-point number or integer at b[i:] and returns the index after it.
func ReadFloat(b []byte, i int) (v float64, end int) {
	n, end := Head(b, i)
	if end < 0 {
		return 0, end
	}
	switch c := b[i]; {
	case c < Nint:
		return float64(n), end
	case c < Bytes:
		if n == math.MaxUint64 {
			return -1 << 64, end
		}
		return -float64(n + 1), end
	case c == Half:
		return FromHalf(uint16(n)), end
	case c == Single:
		return float64(math.Float32frombits(uint32(n))), end
	case c == Double:
		return math.Float64frombits(n), end
	}
	return 0, Mismatch
}

// ReadString finds the bytes of the byte or text string at b[i:], of definite length: b[start:end].
// In place of end there is a negative value when there is none.
func ReadString(b []byte, i int) (start, end int) {
	n, start := Head(b, i)
	switch {
	case start < 0:
		return 0, start
	case b[i]&0xe0 != Text && b[i]&0xe0 != Bytes || b[i]&31 == Open:
		return 0, Mismatch
	case n > uint64(len(b)-start):
		return 0, Short
	}
	return start, start + int(n)
}

// AppendString appends the bytes of the byte or text string at b[i:], of either length, to dst and
// returns the index after it. The chunks of one of indefinite length are of its own type (§3.2.3).
func AppendString(dst, b []byte, i int) (out []byte, end int) {
	start, end := ReadString(b, i)
	if end != Mismatch || b[i]&31 != Open || b[i]&0xe0 != Text && b[i]&0xe0 != Bytes {
		if end < 0 {
			return dst, end
		}
		return append(dst, b[start:end]...), end
	}
	major, out := b[i]&0xe0, dst
	for i++; ; i = end {
		if i < len(b) && b[i] == Break {
			return out, i + 1
		}
		if i < len(b) && (b[i]&0xe0 != major || b[i]&31 == Open) {
			return dst, Malformed
		}
		if start, end = ReadString(b, i); end < 0 {
			return dst, end
		}
		out = append(out, b[start:end]...)
	}
}

// ReadCount reads the head of the array or map, as major says, at b[i:]. The count is -1 for one of
// indefinite length. One that cannot be in the bytes that are left is Short.
func ReadCount(b []byte, i int, major byte) (n, next int) {
	u, next := Head(b, i)
	switch {
	case next < 0:
		return 0, next
	case b[i]&0xe0 != major:
		return 0, Mismatch
	case b[i]&31 == Open:
		return -1, next
	}
	left := uint64(len(b) - next)
	if major == Map {
		left /= 2
	}
	if u > left {
		return 0, Short
	}
	return int(u), next
}
