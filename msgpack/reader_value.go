package msgpack

import (
	"encoding/binary"
	"time"
	"unicode/utf8"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Null consumes a nil and returns true, or consumes nothing.
//
//go:noinline
func (r *Reader) Null() bool {
	if r.i < len(r.b) && r.b[r.i] == packwire.Nil {
		r.i++
		return true
	}
	return false
}

// Bool reads a boolean.
func (r *Reader) Bool() bool {
	if r.i < len(r.b) {
		if c := r.b[r.i]; c|1 == packwire.True {
			r.i++
			return c == packwire.True
		}
	}
	r.bad(r.i, packwire.Mismatch, "bool")
	return false
}

// Signed implements backend.Reader.
func (r *Reader) Signed(bits int) int64 {
	v, end := packwire.ReadInt(r.b, r.i)
	if end >= 0 && !wire.FitsInt(v, bits) {
		end = packwire.Range
	}
	if end < 0 {
		r.bad(r.i, end, wire.IntName(bits))
		return 0
	}
	r.i = end
	return v
}

// Unsigned implements backend.Reader.
func (r *Reader) Unsigned(bits int) uint64 {
	v, end := packwire.ReadUint(r.b, r.i)
	if end >= 0 && !wire.FitsUint(v, bits) {
		end = packwire.Range
	}
	if end < 0 {
		r.bad(r.i, end, wire.UintName(bits))
		return 0
	}
	r.i = end
	return v
}

// Int reads an integer.
func (r *Reader) Int() int { return int(r.Signed(0)) }

// Int8 reads an integer of 8 bits.
func (r *Reader) Int8() int8 { return int8(r.Signed(8)) }

// Int16 reads an integer of 16 bits.
func (r *Reader) Int16() int16 { return int16(r.Signed(16)) }

// Int32 reads an integer of 32 bits.
func (r *Reader) Int32() int32 { return int32(r.Signed(32)) }

// Int64 reads an integer of 64 bits.
func (r *Reader) Int64() int64 { return r.Signed(64) }

// Uint reads an unsigned integer.
func (r *Reader) Uint() uint { return uint(r.Unsigned(0)) }

// Uint8 reads an unsigned integer of 8 bits.
func (r *Reader) Uint8() uint8 { return uint8(r.Unsigned(8)) }

// Uint16 reads an unsigned integer of 16 bits.
func (r *Reader) Uint16() uint16 { return uint16(r.Unsigned(16)) }

// Uint32 reads an unsigned integer of 32 bits.
func (r *Reader) Uint32() uint32 { return uint32(r.Unsigned(32)) }

// Uint64 reads an unsigned integer of 64 bits.
func (r *Reader) Uint64() uint64 { return r.Unsigned(64) }

// Float64 reads a number.
func (r *Reader) Float64() float64 {
	v, end := packwire.ReadFloat64(r.b, r.i)
	if end < 0 {
		r.bad(r.i, end, "float64")
		return 0
	}
	r.i = end
	return v
}

// Single reports whether the next value is a float 32.
func (r *Reader) Single() bool { return r.i < len(r.b) && r.b[r.i] == packwire.Float32 }

// Float32 reads a number of single precision.
func (r *Reader) Float32() float32 {
	v, end := packwire.ReadFloat32(r.b, r.i)
	if end < 0 {
		r.bad(r.i, end, "float32")
		return 0
	}
	r.i = end
	return v
}

// String reads a string.
func (r *Reader) String() string {
	start, end := packwire.ReadString(r.b, r.i)
	if end < 0 {
		r.bad(r.i, end, "string")
		return ""
	}
	if r.flags&flagUTF8 != 0 && !utf8.Valid(r.b[start:end]) {
		r.fail(r.i, errUTF8)
		return ""
	}
	r.i = end
	return r.carve(start, end)
}

// carve returns the bytes b[start:end] as a string of the result.
func (r *Reader) carve(start, end int) string {
	if r.flags&setting.AliasInput != 0 {
		return mem.String(r.b[start:end])
	}
	return r.slab.Text(r.b, start, end)
}

// carveBytes is carve for a byte slice, which has no spare capacity.
func (r *Reader) carveBytes(start, end int) []byte {
	n := end - start
	if r.flags&setting.AliasInput != 0 {
		return r.b[start:end:end]
	}
	if n == 0 || n > mem.KeepSize || n > len(r.slab.Chunk)-r.slab.Used {
		from := r.b[start:end]
		p := make([]byte, len(from))
		copy(p, from)
		return p
	}
	at := r.slab.Used
	r.slab.Used += n
	copy(r.slab.Chunk[at:], r.b[start:end])
	return r.slab.Chunk[at:r.slab.Used:r.slab.Used]
}

// Bytes reads a string of bytes. The caller owns the result.
func (r *Reader) Bytes() []byte {
	start, end := packwire.ReadString(r.b, r.i)
	if end < 0 {
		r.bad(r.i, end, "[]byte")
		return nil
	}
	r.i = end
	return r.carveBytes(start, end)
}

// Time reads an instant: a timestamp, or a str in the form of RFC 3339.
func (r *Reader) Time() time.Time {
	t, end := r.timeAt(r.i)
	if end < 0 {
		return time.Time{}
	}
	r.i = end
	return t
}

func (r *Reader) timeAt(i int) (time.Time, int) {
	t, end := packwire.ReadTime(r.b, i)
	if end == packwire.Mismatch {
		if start, stop := packwire.ReadString(r.b, i); stop >= 0 {
			if err := t.UnmarshalText(r.b[start:stop]); err != nil {
				return time.Time{}, r.fail(i, err)
			}
			return t, stop
		}
		if r.flags&flagOldTimes != 0 {
			if t, stop := r.oldTime(i); stop >= 0 {
				return t, stop
			}
		}
	}
	if end < 0 {
		return time.Time{}, r.bad(i, end, "time.Time")
	}
	return t, end
}

// oldTime reads an instant in a form that is older than the timestamp extension.
func (r *Reader) oldTime(i int) (time.Time, int) {
	if typ, start, end := packwire.ReadExt(r.b, i); end >= 0 {
		t, ok := oldTimeBody(typ, r.b[start:end])
		if !ok {
			return t, packwire.Mismatch
		}
		return t, end
	}
	n, next := packwire.ReadArray(r.b, i)
	if next < 0 || n != 2 {
		return time.Time{}, packwire.Mismatch
	}
	sec, next := packwire.ReadInt(r.b, next)
	if next < 0 {
		return time.Time{}, next
	}
	nsec, next := packwire.ReadInt(r.b, next)
	if next < 0 || nsec < 0 || nsec > 999999999 {
		return time.Time{}, packwire.Mismatch
	}
	return time.Unix(sec, nsec).UTC(), next
}

// oldTimeBody is the instant of tinylib/msgp's extension: seconds in 64 bits and
// nanoseconds in 32.
func oldTimeBody(typ int8, p []byte) (time.Time, bool) {
	if typ != 5 || len(p) != 12 {
		return time.Time{}, false
	}
	sec, nsec := binary.BigEndian.Uint64(p), binary.BigEndian.Uint32(p[8:])
	if nsec > 999999999 {
		return time.Time{}, false
	}
	return time.Unix(int64(sec), int64(nsec)).UTC(), true
}

// Ext reads an extension: its type and its body, which is valid until the
// document has been read.
func (r *Reader) Ext() (typ int8, body []byte) {
	typ, start, end := packwire.ReadExt(r.b, r.i)
	if end < 0 {
		r.bad(r.i, end, "extension")
		return 0, nil
	}
	r.i = end
	return typ, r.b[start:end:end]
}

// Any reads the next value as nil, bool, int64, uint64 (beyond int64), float64 or
// float32, string, []byte, time.Time, [Ext], []any, and map[string]any or map[any]any.
func (r *Reader) Any() any {
	v, end := r.anyAt(r.i)
	if end < 0 {
		return nil
	}
	r.i = end
	return v
}

// Value reads the next value into the variable v points to, by the type's plan.
func (r *Reader) Value(v any) {
	if r.err != nil {
		return
	}
	if p, q := r.target(r.i, v); p != nil {
		if end := r.value(r.i, p, q); end >= 0 {
			r.i = end
		}
	}
}

// Raw returns the bytes of the next value, which is skipped and validated. They
// are valid until the document has been read.
func (r *Reader) Raw() []byte {
	start := r.i
	end := r.skip(start)
	if end < 0 {
		return nil
	}
	r.i = end
	return r.b[start:end:end]
}

// Skip validates and skips the next value.
func (r *Reader) Skip() {
	if end := r.skip(r.i); end >= 0 {
		r.i = end
	}
}
