package cbor

import (
	"strings"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// Null consumes a null and returns true, or consumes nothing. It passes the tags of a null as Kind does: whoever copies
// what Kind says would not get on otherwise.
func (r *reader) Null() bool {
	at := r.i
	if r.peek()&0xe0 == cborwire.Tag && r.kindAt(at) == weft.KindNull {
		at, _ = r.tagged(at)
	}
	if at >= 0 && r.null(at) {
		r.prev, r.i = r.i, at+1
		return true
	}
	return false
}

// take returns what has been read up to end, if it has, and fails for a null, which is not a value of a type.
func take[T any](r *reader, typ string, read func(r *reader, i int) (T, int)) (v T) {
	if r.null(r.i) {
		r.bad(r.i, cborwire.Mismatch, typ)
		return v
	}
	x, end := read(r, r.i)
	if end < 0 {
		return v
	}
	r.prev, r.i = r.i, end
	return x
}

// Bool reads a boolean.
func (r *reader) Bool() bool { return take(r, "bool", (*reader).boolAt) }

// Signed reads an integer.
func (r *reader) Signed(bits int) int64 {
	at, typ := r.i, wire.IntName(bits)
	v := take(r, typ, func(r *reader, i int) (int64, int) { return r.intAs(i, typ) })
	if !wire.FitsInt(v, bits) {
		r.bad(at, cborwire.Range, typ)
		return 0
	}
	return v
}

// Unsigned reads an integer that is not negative.
func (r *reader) Unsigned(bits int) uint64 {
	at, typ := r.i, wire.UintName(bits)
	v := take(r, typ, func(r *reader, i int) (uint64, int) { return r.uintAs(i, typ) })
	if !wire.FitsUint(v, bits) {
		r.bad(at, cborwire.Range, typ)
		return 0
	}
	return v
}

// Float64 reads a number.
func (r *reader) Float64() float64 { return take(r, "float64", (*reader).floatAt) }

// Float32 reads a number of single precision.
func (r *reader) Float32() float32 { return take(r, "float32", (*reader).singleAt) }

// Decimal implements backend.Reader.
func (r *reader) Decimal() string { return take(r, "number", (*reader).numberText) }

// Later implements backend.Reader.
func (r *reader) Later() (text string, ok bool) {
	at, number := r.tagged(r.i)
	if at < 0 || number != tagURL64 && number != tagHex || at >= len(r.b) || r.b[at]&0xe0 != cborwire.Bytes {
		return "", false
	}
	text = take(r, "[]byte", func(r *reader, _ int) (string, int) {
		body, end := r.body(at)
		text := textOf(number, body)
		if number == tagHex {
			text = strings.ToUpper(text) // as RFC 4648 §8 has it
		}
		return text, end
	})
	return text, true
}

// String reads a string.
func (r *reader) String() string { return take(r, "string", (*reader).text) }

// Bytes reads a string of bytes. They are the caller's.
func (r *reader) Bytes() []byte {
	return take(r, "[]byte", func(r *reader, i int) (b []byte, end int) {
		end = r.bytes(i, &b)
		return b, end
	})
}

// Time reads an instant.
func (r *reader) Time() time.Time { return take(r, "time.Time", (*reader).timeAt) }

// Any reads the next value as nil, bool, int64, uint64 or *big.Int (beyond int64), float64, string, []byte,
// time.Time, [Tag], [Simple], []any, and map[string]any or map[any]any.
func (r *reader) Any() any {
	if r.Null() {
		return nil
	}
	return take(r, "value", (*reader).anyAt)
}

// Value reads the next value into the variable v points to, by the type's plan.
func (r *reader) Value(v any) {
	if r.err != nil {
		return
	}
	if end := r.target(r.i, v); end >= 0 {
		r.prev, r.i = r.i, end
	}
}

// Raw returns the bytes of the next value, which is skipped and validated. They are valid until the document
// has been read.
func (r *reader) Raw() []byte {
	end := r.skip(r.i)
	if end < 0 {
		return nil
	}
	b := r.b[r.i:end:end]
	r.prev, r.i = r.i, end
	return b
}

// Skip validates and skips the next value.
func (r *reader) Skip() { r.Raw() }

// Single implements backend.Reader.
func (r *reader) Single() bool { return false }
