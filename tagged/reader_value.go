package tagged

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// intAt reads an integer of any wire type.
func (r *reader) intAt(i, end int, wt uint32) (int64, int) {
	switch wt {
	case tagwire.Int32, tagwire.Int64:
		u, next := tagwire.Uvarint(r.b, i, end)
		if next >= 0 && wt == tagwire.Int32 && u > math.MaxUint32 {
			return 0, tagwire.Broken
		}
		return tagwire.Unzigzag(u), next
	case tagwire.Uint32:
		u, next := tagwire.Uvarint(r.b, i, end)
		if next >= 0 && u > math.MaxUint32 {
			return 0, tagwire.Broken
		}
		return int64(u), next
	case tagwire.Fixed32:
		if end-i < 4 {
			return 0, tagwire.Short
		}
		return int64(int32(binary.LittleEndian.Uint32(r.b[i:]))), i + 4
	case tagwire.Fixed64:
		if end-i < 8 {
			return 0, tagwire.Short
		}
		u, next := r.rowUint(i)
		if r.exact && u > math.MaxInt64 {
			return 0, tagwire.Range
		}
		return int64(u), next
	case tagwire.Number:
		return numberAt(r, i, end, func(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) })
	}
	return 0, tagwire.Mismatch
}

// numberAt reads a number that is text by a function of strconv.
func numberAt[T any](r *reader, i, end int, parse func(s string) (T, error)) (v T, next int) {
	start, stop := tagwire.Span(r.b, i, end)
	switch {
	case stop < 0:
		return v, stop
	case !tagwire.IsNumber(r.b[start:stop]):
		return v, tagwire.Broken
	}
	v, err := parse(string(r.b[start:stop]))
	switch {
	case err == nil:
		return v, stop
	case errors.Is(err, strconv.ErrRange):
		return v, tagwire.Range
	}
	return v, tagwire.Mismatch
}

// uintAt reads an integer that is not negative.
func (r *reader) uintAt(i, end int, wt uint32) (uint64, int) {
	if wt == tagwire.Number {
		return numberAt(r, i, end, func(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) })
	}
	if wt == tagwire.Fixed64 && r.exact {
		return r.rowUint(i)
	}
	v, next := r.intAt(i, end, wt)
	if next >= 0 && v < 0 {
		return 0, tagwire.Range
	}
	return uint64(v), next
}

// floatAt reads a number.
func (r *reader) floatAt(i, end int, wt uint32) (float64, int) {
	switch wt {
	case tagwire.Double:
		if end-i < 8 {
			return 0, tagwire.Short
		}
		return math.Float64frombits(binary.LittleEndian.Uint64(r.b[i:])), i + 8
	case tagwire.Number:
		return numberAt(r, i, end, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
	case tagwire.Single:
		if r.exact {
			v, next := r.rowFloat32(i)
			return float64(v), next
		}
	case tagwire.Fixed64:
		if r.exact {
			v, next := r.rowUint(i)
			return float64(v), next
		}
	}
	v, next := r.intAt(i, end, wt)
	return float64(v), next
}

func (r *reader) timeAt(i, end int, wt uint32) (time.Time, int) {
	if wt == tagwire.Time && r.exact {
		return r.rowTime(i)
	}
	var t time.Time
	start, stop := r.textAt(i, end, wt, "time.Time")
	if stop < 0 {
		return t, -1
	}
	if err := t.UnmarshalText(r.b[start:stop]); err != nil {
		return time.Time{}, r.fail(i, err)
	}
	return t, stop
}

// bytesAt reads base64.
func (r *reader) bytesAt(i, end int, wt uint32) ([]byte, int) {
	if wt == tagwire.Bytes && r.exact {
		return r.rowBytes(i)
	}
	start, stop := r.textAt(i, end, wt, "[]byte")
	if stop < 0 {
		return nil, -1
	}
	p, err := wire.AppendFromBase64([]byte{}, r.b[start:stop])
	if err != nil {
		return nil, r.fail(i, err)
	}
	return p, stop
}

// textAt returns where the bytes of a string begin and end, -1 if there is none, which is no value of the Go type.
func (r *reader) textAt(i, end int, wt uint32, typ string) (start, stop int) {
	stop = tagwire.Mismatch
	if wt == tagwire.String {
		start, stop = tagwire.Span(r.b, i, end)
	}
	if stop < 0 {
		return 0, r.bad(i, wt, stop, typ)
	}
	return start, stop
}

// Null consumes a null and returns true, or consumes nothing.
func (r *reader) Null() bool {
	if r.err != nil || r.wt != tagwire.Null || r.i >= r.top.end || r.b[r.i] != 0 {
		return false
	}
	r.i++
	return true
}

// moved moves behind the value that comes next, unless it has failed.
func (r *reader) moved(next int) bool {
	if next >= 0 {
		r.i = next
	}
	return next >= 0
}

// accept moves behind the value that comes next and returns it, if there is an index after it.
func accept[T any](r *reader, v T, next int, typ string) (none T) {
	if next < 0 {
		r.bad(r.i, r.wt, next, typ)
		return none
	}
	r.i = next
	return v
}

// Bool reads a boolean: an integer that is 0 or 1.
func (r *reader) Bool() bool {
	v, next := r.boolAt(r.i, r.top.end, r.wt)
	return accept(r, v, next, "bool")
}

// Signed reads an integer.
func (r *reader) Signed(bits int) int64 {
	v, next := r.intAt(r.i, r.top.end, r.wt)
	if next >= 0 && !wire.FitsInt(v, bits) {
		next = tagwire.Range
	}
	return accept(r, v, next, wire.IntName(bits))
}

// Unsigned reads an integer that is not negative.
func (r *reader) Unsigned(bits int) uint64 {
	v, next := r.uintAt(r.i, r.top.end, r.wt)
	if next >= 0 && !wire.FitsUint(v, bits) {
		next = tagwire.Range
	}
	return accept(r, v, next, wire.UintName(bits))
}

// Float64 reads a number.
func (r *reader) Float64() float64 {
	v, next := r.floatAt(r.i, r.top.end, r.wt)
	return accept(r, v, next, "float64")
}

// Float32 reads a number of single precision.
func (r *reader) Float32() float32 {
	v, next := r.floatAt(r.i, r.top.end, r.wt)
	if next >= 0 && overflows(v) {
		next = tagwire.Range
	}
	return accept(r, float32(v), next, "float32")
}

// overflows reports whether v is beyond single precision.
func overflows(v float64) bool {
	return math.IsInf(float64(float32(v)), 0) && !math.IsInf(v, 0)
}

// String reads a string.
func (r *reader) String() string {
	start, stop := r.textAt(r.i, r.top.end, r.wt, "string")
	if !r.moved(stop) {
		return ""
	}
	return r.carve(start, stop)
}

// Bytes reads a string of bytes, which this format has as base64.
func (r *reader) Bytes() []byte {
	v, next := r.bytesAt(r.i, r.top.end, r.wt)
	r.moved(next)
	return v
}

// Time reads an instant: a string in the form of RFC 3339.
func (r *reader) Time() time.Time {
	t, next := r.timeAt(r.i, r.top.end, r.wt)
	r.moved(next)
	return t
}

// Any reads the next value as nil, int64, float64, string, json.Number, []any or
// map[string]any; from frames also as bool, uint64, float32, []byte or time.Time.
func (r *reader) Any() any {
	v, next := r.anyAt(r.i, r.top.end, r.wt)
	r.moved(next)
	return v
}

// Value reads the next value into the variable v points to, by the type's plan.
func (r *reader) Value(v any) {
	if r.err == nil {
		r.moved(r.target(r.i, r.top.end, r.wt, v))
	}
}

// Raw returns the next value, which is skipped and validated, as a message of
// its own, with the names that it needs.
func (r *reader) Raw() []byte {
	if r.exact && r.err == nil && r.Kind() == weft.KindNumber { // its text, as KindNumber has it
		start, stop := tagwire.Span(r.b, r.i, r.top.end)
		r.i = stop
		return r.b[start:stop]
	}
	raw, next := r.rawAt(nil, r.i, r.top.end, r.wt)
	if !r.moved(next) {
		return nil
	}
	return raw
}

// rawAt appends the value at i as a message of its own.
func (r *reader) rawAt(raw []byte, i, end int, wt uint32) ([]byte, int) {
	if r.exact {
		return r.rowMessage(raw, i, wt)
	}
	next := r.skip(i, end, wt)
	if next < 0 {
		return raw, next
	}
	table := r.table()
	if r.err != nil {
		return raw, -1
	}
	used := make([]bool, len(table))
	r.eachName(i, end, wt, func(tag uint32) bool {
		if k := lowest(table, tag); k < len(table) && table[k].tag == tag {
			used[k] = true
		}
		return true
	})
	if wt == tagwire.Object {
		start, stop := r.content(i, end)
		raw = append(raw, r.b[start:stop]...)
	} else {
		raw = append(tagwire.AppendTag(raw, wt), r.b[i:next]...)
	}
	var list []nameEntry
	for k := range table {
		if used[k] {
			list = append(list, table[k])
		}
	}
	return appendNames(raw, list), next
}

// Skip validates and skips the next value.
func (r *reader) Skip() { r.moved(r.skip(r.i, r.top.end, r.wt)) }

// skip validates the value at i and returns the index after it.
func (r *reader) skip(i, end int, wt uint32) int {
	if r.err != nil {
		return -1
	}
	if r.exact {
		return r.pass(i, end, wt)
	}
	next, at := 0, i
	if wt == tagwire.Object && i == 0 && !r.lone {
		next, at = tagwire.Fields(r.b, 0, r.tableAt, r.maxDepth-r.depth)
	} else {
		next, at = tagwire.Skip(r.b, i, end, wt, r.maxDepth-r.depth)
	}
	if next < 0 {
		return r.bad(at, tagwire.Null, next, "value")
	}
	if r.nameless && !r.eachName(i, end, wt, r.nameThere) {
		return -1
	}
	return next
}

// carve returns the bytes b[start:end] as a string of the result.
func (r *reader) carve(start, end int) string {
	if r.flags&setting.AliasInput != 0 {
		return mem.String(r.b[start:end])
	}
	return r.carver.Text(r.b, start, end)
}
