package msgpack

import (
	"time"

	"github.com/weftcodec/weft/internal/wire/packwire"
)

// The functions of this file read the first value of b and return what follows
// it. Their errors have the place and no path.

// leaf returns what follows a value, or the error for the one at the start of b
// that packwire has refused with end.
func leaf(b []byte, end int, typ string) ([]byte, error) {
	if end >= 0 {
		return b[end:], nil
	}
	return nil, leafError(b, end, typ)
}

//go:noinline
func leafError(b []byte, end int, typ string) error {
	r := newReader(b, nil)
	r.bad(0, end, typ)
	err := r.err
	r.release()
	return err
}

// ReadNil reads a nil and reports whether there was one.
func ReadNil(b []byte) (rest []byte, ok bool) {
	if len(b) > 0 && b[0] == packwire.Nil {
		return b[1:], true
	}
	return b, false
}

// ReadBool reads a boolean.
func ReadBool(b []byte) (v bool, rest []byte, err error) {
	if len(b) > 0 && b[0]|1 == packwire.True {
		return b[0] == packwire.True, b[1:], nil
	}
	return false, nil, leafError(b, packwire.Mismatch, "bool")
}

// ReadInt reads an integer.
func ReadInt(b []byte) (v int64, rest []byte, err error) {
	v, end := packwire.ReadInt(b, 0)
	rest, err = leaf(b, end, "int64")
	return v, rest, err
}

// ReadUint reads an integer that is not negative.
func ReadUint(b []byte) (v uint64, rest []byte, err error) {
	v, end := packwire.ReadUint(b, 0)
	rest, err = leaf(b, end, "uint64")
	return v, rest, err
}

// ReadFloat64 reads a number.
func ReadFloat64(b []byte) (v float64, rest []byte, err error) {
	v, end := packwire.ReadFloat64(b, 0)
	rest, err = leaf(b, end, "float64")
	return v, rest, err
}

// ReadString reads a str or bin as a string.
func ReadString(b []byte) (v string, rest []byte, err error) {
	p, rest, err := ReadBytes(b)
	return string(p), rest, err
}

// ReadBytes reads a str or bin: v is a part of b.
func ReadBytes(b []byte) (v, rest []byte, err error) {
	start, end := packwire.ReadString(b, 0)
	if end < 0 {
		return nil, nil, leafError(b, end, "[]byte")
	}
	return b[start:end:end], b[end:], nil
}

// ReadArrayHeader reads the header of an array, whose n elements follow. It checks that there is at least one byte
// for each.
func ReadArrayHeader(b []byte) (n int, rest []byte, err error) {
	n, end := packwire.ReadArray(b, 0)
	rest, err = leaf(b, end, "array")
	return n, rest, err
}

// ReadMapHeader reads the header of a map, whose n pairs follow. It checks that there are at least two bytes for
// each.
func ReadMapHeader(b []byte) (n int, rest []byte, err error) {
	n, end := packwire.ReadMap(b, 0)
	rest, err = leaf(b, end, "map")
	return n, rest, err
}

// ReadTime reads the timestamp extension, in UTC.
func ReadTime(b []byte) (t time.Time, rest []byte, err error) {
	t, end := packwire.ReadTime(b, 0)
	rest, err = leaf(b, end, "time.Time")
	return t, rest, err
}

// ReadExt reads an extension: body is a part of b.
func ReadExt(b []byte) (typ int8, body, rest []byte, err error) {
	typ, start, end := packwire.ReadExt(b, 0)
	if end < 0 {
		return 0, nil, nil, leafError(b, end, "extension")
	}
	return typ, b[start:end:end], b[end:], nil
}
