package packwire

import (
	"encoding/binary"
	"math"
	"time"
)

// Ends of values that are not valid: what the functions of this file return in place of an index
// when there is no value of the sort at the place.
const (
	Short    = -1 // the bytes end within the value
	Mismatch = -2 // a value of another sort, or a byte that begins none
	Range    = -3 // a number beyond the type's range, or a bad timestamp
)

// Class sorts values by how they go on after their first bytes.
type Class uint8

// The classes. Those before ClassStr have no length, ClassStr to ClassExt
// count bytes, ClassArray elements, ClassMap pairs.
const (
	ClassInvalid Class = iota
	ClassNil
	ClassBool
	ClassInt
	ClassUint
	ClassFloat
	ClassStr
	ClassBin
	ClassExt
	ClassArray
	ClassMap
)

// Head reads the first bytes of the value at b[i:], which must have a byte: its
// class, the index after the header (after the whole value where it has no
// length), and the length. The type of an extension is the last byte of its
// header. The index is Short or Mismatch when there is no header.
func Head(b []byte, i int) (c Class, next int, n int) {
	switch x := b[i]; {
	case x <= PosFixMax:
		return ClassUint, i + 1, 0
	case x < FixArray:
		return ClassMap, i + 1, int(x & 15)
	case x < FixStr:
		return ClassArray, i + 1, int(x & 15)
	case x < Nil:
		return ClassStr, i + 1, int(x & 31)
	case x >= NegFix:
		return ClassInt, i + 1, 0
	default:
		h := &heads[x-Nil]
		next = i + int(h.size)
		if next > len(b) {
			return h.class, Short, 0
		}
		switch h.width {
		case 0:
			n = int(h.n)
		case 1:
			n = int(b[i+1])
		case 2:
			n = int(binary.BigEndian.Uint16(b[i+1:]))
		case 4:
			u := binary.BigEndian.Uint32(b[i+1:])
			if n = int(u); uint64(u) > math.MaxInt {
				return h.class, Short, 0 // more than the memory of this machine
			}
		default:
			return ClassInvalid, Mismatch, 0
		}
		return h.class, next, n
	}
}

type head struct {
	class Class
	size  uint8 // bytes up to the end of the header
	width uint8 // bytes of the length
	n     uint8 // the length where it is implied
}

// heads are the formats from Nil to Map32.
var heads = [...]head{
	//lint:ignore SA4000 the table counts from Nil
	Nil - Nil:       {ClassNil, 1, 0, 0},
	NeverUsed - Nil: {ClassInvalid, 1, 9, 0},
	False - Nil:     {ClassBool, 1, 0, 0},
	True - Nil:      {ClassBool, 1, 0, 0},
	Bin8 - Nil:      {ClassBin, 2, 1, 0},
	Bin16 - Nil:     {ClassBin, 3, 2, 0},
	Bin32 - Nil:     {ClassBin, 5, 4, 0},
	Ext8 - Nil:      {ClassExt, 3, 1, 0},
	Ext16 - Nil:     {ClassExt, 4, 2, 0},
	Ext32 - Nil:     {ClassExt, 6, 4, 0},
	Float32 - Nil:   {ClassFloat, 5, 0, 0},
	Float64 - Nil:   {ClassFloat, 9, 0, 0},
	Uint8 - Nil:     {ClassUint, 2, 0, 0},
	Uint16 - Nil:    {ClassUint, 3, 0, 0},
	Uint32 - Nil:    {ClassUint, 5, 0, 0},
	Uint64 - Nil:    {ClassUint, 9, 0, 0},
	Int8 - Nil:      {ClassInt, 2, 0, 0},
	Int16 - Nil:     {ClassInt, 3, 0, 0},
	Int32 - Nil:     {ClassInt, 5, 0, 0},
	Int64 - Nil:     {ClassInt, 9, 0, 0},
	FixExt1 - Nil:   {ClassExt, 2, 0, 1},
	FixExt2 - Nil:   {ClassExt, 2, 0, 2},
	FixExt4 - Nil:   {ClassExt, 2, 0, 4},
	FixExt8 - Nil:   {ClassExt, 2, 0, 8},
	FixExt16 - Nil:  {ClassExt, 2, 0, 16},
	Str8 - Nil:      {ClassStr, 2, 1, 0},
	Str16 - Nil:     {ClassStr, 3, 2, 0},
	Str32 - Nil:     {ClassStr, 5, 4, 0},
	Array16 - Nil:   {ClassArray, 3, 2, 0},
	Array32 - Nil:   {ClassArray, 5, 4, 0},
	Map16 - Nil:     {ClassMap, 3, 2, 0},
	Map32 - Nil:     {ClassMap, 5, 4, 0},
}

// IsInt reports whether a value that begins with c is an integer.
func IsInt(c byte) bool { return c <= PosFixMax || c >= NegFix || c >= Uint8 && c <= Int64 }

// IsBin reports whether a value that begins with c is binary data.
func IsBin(c byte) bool { return c >= Bin8 && c <= Bin32 }

// ReadInt reads the integer at b[i:] and returns the index after it.
func ReadInt(b []byte, i int) (v int64, end int) {
	if uint(i) >= uint(len(b)) {
		return 0, Short
	}
	c := b[i]
	if int8(c) >= -32 {
		return int64(int8(c)), i + 1
	}
	b = b[i+1:]
	switch c {
	case Uint8:
		if len(b) >= 1 {
			return int64(b[0]), i + 2
		}
	case Uint16:
		if len(b) >= 2 {
			return int64(binary.BigEndian.Uint16(b)), i + 3
		}
	case Uint32:
		if len(b) >= 4 {
			return int64(binary.BigEndian.Uint32(b)), i + 5
		}
	case Uint64:
		if len(b) >= 8 {
			u := binary.BigEndian.Uint64(b)
			if u > math.MaxInt64 {
				return 0, Range
			}
			return int64(u), i + 9
		}
	case Int8:
		if len(b) >= 1 {
			return int64(int8(b[0])), i + 2
		}
	case Int16:
		if len(b) >= 2 {
			return int64(int16(binary.BigEndian.Uint16(b))), i + 3
		}
	case Int32:
		if len(b) >= 4 {
			return int64(int32(binary.BigEndian.Uint32(b))), i + 5
		}
	case Int64:
		if len(b) >= 8 {
			return int64(binary.BigEndian.Uint64(b)), i + 9
		}
	default:
		return 0, Mismatch
	}
	return 0, Short
}

// ReadUint reads the integer at b[i:], which must not be negative, and returns
// the index after it.
func ReadUint(b []byte, i int) (v uint64, end int) {
	if uint(i) >= uint(len(b)) {
		return 0, Short
	}
	c := b[i]
	if c <= PosFixMax {
		return uint64(c), i + 1
	}
	if c == Uint64 {
		if len(b)-i < 9 {
			return 0, Short
		}
		return binary.BigEndian.Uint64(b[i+1:]), i + 9
	}
	s, end := ReadInt(b, i)
	if s < 0 {
		return 0, Range
	}
	return uint64(s), end
}

// ReadFloat64 reads the number at b[i:], an integer too, and returns the index
// after it.
func ReadFloat64(b []byte, i int) (v float64, end int) {
	if uint(i) >= uint(len(b)) {
		return 0, Short
	}
	switch b[i] {
	case Float64:
		if len(b)-i < 9 {
			return 0, Short
		}
		return math.Float64frombits(binary.BigEndian.Uint64(b[i+1:])), i + 9
	case Float32:
		if len(b)-i < 5 {
			return 0, Short
		}
		return float64(math.Float32frombits(binary.BigEndian.Uint32(b[i+1:]))), i + 5
	case Uint64:
		u, end := ReadUint(b, i)
		return float64(u), end
	}
	s, end := ReadInt(b, i)
	return float64(s), end
}

// ReadFloat32 is ReadFloat64 for single precision: the number is rounded, and
// out of range when it is finite and would round to an infinity.
func ReadFloat32(b []byte, i int) (v float32, end int) {
	if len(b)-i >= 5 && i >= 0 && b[i] == Float32 {
		return math.Float32frombits(binary.BigEndian.Uint32(b[i+1:])), i + 5
	}
	d, end := ReadFloat64(b, i)
	v = float32(d)
	if math.IsInf(float64(v), 0) && !math.IsInf(d, 0) {
		return 0, Range
	}
	return v, end
}

// ReadString finds the bytes of the str or bin at b[i:]: b[start:end]. In the
// place of end there is a negative value when there is none.
func ReadString(b []byte, i int) (start, end int) {
	if uint(i) >= uint(len(b)) {
		return 0, Short
	}
	c := b[i]
	n := int(c & 31)
	start = i + 1
	if c&0xe0 != FixStr {
		var class Class
		class, start, n = Head(b, i)
		if class != ClassStr && class != ClassBin {
			return 0, Mismatch
		}
		if start < 0 {
			return 0, start
		}
	}
	if n > len(b)-start {
		return 0, Short
	}
	return start, start + n
}

// ReadArray reads the header of the array at b[i:]. An array that cannot be in
// the bytes that are left, of which each element needs one, is Short.
func ReadArray(b []byte, i int) (n, next int) { return readCount(b, i, ClassArray, 1) }

// ReadMap is ReadArray for maps and their pairs.
func ReadMap(b []byte, i int) (n, next int) { return readCount(b, i, ClassMap, 2) }

func readCount(b []byte, i int, want Class, each int) (n, next int) {
	if uint(i) >= uint(len(b)) {
		return 0, Short
	}
	c, next, n := Head(b, i)
	if c != want {
		return 0, Mismatch
	}
	if next < 0 || n > (len(b)-next)/each {
		return 0, Short
	}
	return n, next
}

// ReadExt finds the type and the body, b[start:end], of the extension at b[i:].
func ReadExt(b []byte, i int) (typ int8, start, end int) {
	if uint(i) >= uint(len(b)) {
		return 0, 0, Short
	}
	c, start, n := Head(b, i)
	if c != ClassExt {
		return 0, 0, Mismatch
	}
	if start < 0 || n > len(b)-start {
		return 0, 0, Short
	}
	return int8(b[start-1]), start, start + n
}

// ReadTime reads the timestamp extension at b[i:], in UTC.
func ReadTime(b []byte, i int) (t time.Time, end int) {
	if len(b)-i >= 10 && b[i] == FixExt8 && b[i+1] == 0xff { // same as TimeBody
		u := binary.BigEndian.Uint64(b[i+2:])
		if u>>34 > 999999999 {
			return time.Time{}, Range
		}
		return time.Unix(int64(u&(1<<34-1)), int64(u>>34)).UTC(), i + 10
	}
	typ, start, end := ReadExt(b, i)
	if end < 0 {
		return time.Time{}, end
	}
	if typ != ExtTime {
		return time.Time{}, Mismatch
	}
	t, ok := TimeBody(b[start:end])
	if !ok {
		return time.Time{}, Range
	}
	return t, end
}

// TimeBody returns the instant of a timestamp's body.
func TimeBody(p []byte) (t time.Time, ok bool) {
	var sec, nsec uint64
	switch len(p) {
	case 4:
		sec = uint64(binary.BigEndian.Uint32(p))
	case 8:
		u := binary.BigEndian.Uint64(p)
		nsec, sec = u>>34, u&(1<<34-1)
	case 12:
		nsec, sec = uint64(binary.BigEndian.Uint32(p)), binary.BigEndian.Uint64(p[4:])
	default:
		return time.Time{}, false
	}
	if nsec > 999999999 {
		return time.Time{}, false
	}
	return time.Unix(int64(sec), int64(nsec)).UTC(), true
}
