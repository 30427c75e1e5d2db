// Package packwire writes and reads the bytes of MessagePack: pure functions
// without state, and the tables by which names are matched.
package packwire

import (
	"encoding/binary"
	"math"
	"time"
)

// First bytes of the formats of the specification.
const (
	PosFixMax = 0x7f
	FixMap    = 0x80
	FixArray  = 0x90
	FixStr    = 0xa0
	Nil       = 0xc0
	NeverUsed = 0xc1
	False     = 0xc2
	True      = 0xc3
	Bin8      = 0xc4
	Bin16     = 0xc5
	Bin32     = 0xc6
	Ext8      = 0xc7
	Ext16     = 0xc8
	Ext32     = 0xc9
	Float32   = 0xca
	Float64   = 0xcb
	Uint8     = 0xcc
	Uint16    = 0xcd
	Uint32    = 0xce
	Uint64    = 0xcf
	Int8      = 0xd0
	Int16     = 0xd1
	Int32     = 0xd2
	Int64     = 0xd3
	FixExt1   = 0xd4
	FixExt2   = 0xd5
	FixExt4   = 0xd6
	FixExt8   = 0xd7
	FixExt16  = 0xd8
	Str8      = 0xd9
	Str16     = 0xda
	Str32     = 0xdb
	Array16   = 0xdc
	Array32   = 0xdd
	Map16     = 0xde
	Map32     = 0xdf
	NegFix    = 0xe0
)

// ExtTime is the type of the timestamp extension.
const ExtTime = -1

// AppendNil appends nil.
func AppendNil(b []byte) []byte { return append(b, Nil) }

// AppendBool appends a boolean.
func AppendBool(b []byte, v bool) []byte {
	c := byte(False)
	if v {
		c = True
	}
	return append(b, c)
}

// AppendInt appends v in its shortest form.
func AppendInt(b []byte, v int64) []byte {
	if v >= -32 && v < 128 {
		return append(b, byte(v))
	}
	if v >= 0 {
		return appendUintLong(b, uint64(v))
	}
	return appendIntLong(b, v)
}

func appendIntLong(b []byte, v int64) []byte {
	switch {
	case v >= math.MinInt8:
		return append(b, Int8, byte(v))
	case v >= math.MinInt16:
		return append(b, Int16, byte(v>>8), byte(v))
	case v >= math.MinInt32:
		return append(b, Int32, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
	}
	return binary.BigEndian.AppendUint64(append(b, Int64), uint64(v))
}

// AppendUint appends v in its shortest form.
func AppendUint(b []byte, v uint64) []byte {
	if v < 128 {
		return append(b, byte(v))
	}
	return appendUintLong(b, v)
}

func appendUintLong(b []byte, v uint64) []byte {
	switch {
	case v <= math.MaxUint8:
		return append(b, Uint8, byte(v))
	case v <= math.MaxUint16:
		return append(b, Uint16, byte(v>>8), byte(v))
	case v <= math.MaxUint32:
		return append(b, Uint32, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
	}
	return binary.BigEndian.AppendUint64(append(b, Uint64), v)
}

// AppendFloat32 appends v as float 32.
func AppendFloat32(b []byte, v float32) []byte {
	u := math.Float32bits(v)
	return append(b, Float32, byte(u>>24), byte(u>>16), byte(u>>8), byte(u))
}

// AppendFloat64 appends v as float 64.
func AppendFloat64(b []byte, v float64) []byte {
	u := math.Float64bits(v)
	return append(b, Float64, byte(u>>56), byte(u>>48), byte(u>>40), byte(u>>32),
		byte(u>>24), byte(u>>16), byte(u>>8), byte(u))
}

// AppendString appends s as str.
func AppendString(b []byte, s string) []byte {
	return append(AppendStringHeader(b, len(s)), s...)
}

// AppendStringHeader appends the header of a str of n bytes.
func AppendStringHeader(b []byte, n int) []byte {
	switch {
	case n < 32:
		return append(b, FixStr|byte(n))
	case n <= math.MaxUint8:
		return append(b, Str8, byte(n))
	case n <= math.MaxUint16:
		return append(b, Str16, byte(n>>8), byte(n))
	}
	return append(b, Str32, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
}

// AppendBytes appends p as bin.
func AppendBytes(b, p []byte) []byte {
	return append(AppendBytesHeader(b, len(p)), p...)
}

// AppendBytesHeader appends the header of a bin of n bytes.
func AppendBytesHeader(b []byte, n int) []byte {
	switch {
	case n <= math.MaxUint8:
		return append(b, Bin8, byte(n))
	case n <= math.MaxUint16:
		return append(b, Bin16, byte(n>>8), byte(n))
	}
	return append(b, Bin32, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
}

// AppendArrayHeader appends the header of an array of n elements.
func AppendArrayHeader(b []byte, n int) []byte {
	switch {
	case n < 16:
		return append(b, FixArray|byte(n))
	case n <= math.MaxUint16:
		return append(b, Array16, byte(n>>8), byte(n))
	}
	return append(b, Array32, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
}

// AppendMapHeader appends the header of a map of n pairs.
func AppendMapHeader(b []byte, n int) []byte {
	switch {
	case n < 16:
		return append(b, FixMap|byte(n))
	case n <= math.MaxUint16:
		return append(b, Map16, byte(n>>8), byte(n))
	}
	return append(b, Map32, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
}

// MapHeaderSize returns the length of the shortest header of a map of n pairs.
// An array's is as long.
func MapHeaderSize(n int) int {
	switch {
	case n < 16:
		return 1
	case n <= math.MaxUint16:
		return 3
	}
	return 5
}

// CloseMap writes the header of a map of n pairs over the size bytes reserved
// for it at head, and moves what follows when the shortest header has another length.
func CloseMap(b []byte, head, size, n int) []byte {
	if MapHeaderSize(n) == size {
		AppendMapHeader(b[:head], n)
		return b
	}
	var room [5]byte
	return closeMoved(b, head, size, AppendMapHeader(room[:0], n))
}

// CloseArray is CloseMap for an array of n elements.
func CloseArray(b []byte, head, size, n int) []byte {
	if MapHeaderSize(n) == size {
		AppendArrayHeader(b[:head], n)
		return b
	}
	var room [5]byte
	return closeMoved(b, head, size, AppendArrayHeader(room[:0], n))
}

// closeMoved puts the header h into the place of size bytes.
func closeMoved(b []byte, head, size int, h []byte) []byte {
	if d := len(h) - size; d > 0 {
		b = append(b, h[:d]...) // for the room
		copy(b[head+len(h):], b[head+size:len(b)-d])
	} else {
		b = append(b[:head+len(h)], b[head+size:]...)
	}
	copy(b[head:], h)
	return b
}

// AppendExt appends an extension of the type typ with the body p.
func AppendExt(b []byte, typ int8, p []byte) []byte {
	return append(AppendExtHeader(b, typ, len(p)), p...)
}

// AppendExtHeader appends the header of an extension with a body of n bytes.
func AppendExtHeader(b []byte, typ int8, n int) []byte {
	switch n {
	case 1:
		return append(b, FixExt1, byte(typ))
	case 2:
		return append(b, FixExt2, byte(typ))
	case 4:
		return append(b, FixExt4, byte(typ))
	case 8:
		return append(b, FixExt8, byte(typ))
	case 16:
		return append(b, FixExt16, byte(typ))
	}
	switch {
	case n <= math.MaxUint8:
		return append(b, Ext8, byte(n), byte(typ))
	case n <= math.MaxUint16:
		return append(b, Ext16, byte(n>>8), byte(n), byte(typ))
	}
	return append(b, Ext32, byte(n>>24), byte(n>>16), byte(n>>8), byte(n), byte(typ))
}

// AppendTime appends t as the timestamp extension, in the shortest of its
// three widths.
func AppendTime(b []byte, t time.Time) []byte {
	sec, nsec := t.Unix(), uint64(t.Nanosecond())
	switch {
	case nsec == 0 && uint64(sec)>>32 == 0:
		return append(b, FixExt4, 0xff, byte(sec>>24), byte(sec>>16), byte(sec>>8), byte(sec))
	case uint64(sec)>>34 == 0:
		return binary.BigEndian.AppendUint64(append(b, FixExt8, 0xff), nsec<<34|uint64(sec))
	}
	b = append(b, Ext8, 12, 0xff, byte(nsec>>24), byte(nsec>>16), byte(nsec>>8), byte(nsec))
	return binary.BigEndian.AppendUint64(b, uint64(sec))
}
