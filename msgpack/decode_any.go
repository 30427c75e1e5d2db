package msgpack

import (
	"encoding/binary"
	"math"
	"reflect"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// maxHint bounds the number of entries that a map is made for in advance.
const maxHint = 4096

// skip validates the value at i and returns the index after it.
func (r *Reader) skip(i int) int {
	if r.err != nil {
		return -1
	}
	end, at := packwire.Skip(r.b, i, r.maxDepth-r.depth)
	switch {
	case end >= 0:
		if r.flags&flagUTF8 != 0 {
			return r.skippedText(i, end)
		}
		return end
	case end == packwire.Deep:
		return r.fail(at, weft.ErrDepth)
	}
	return r.bad(at, end, "value")
}

// skippedText checks the strings of the value that is skipped, up to end.
func (r *Reader) skippedText(i, end int) int {
	for i < end {
		class, next, n := packwire.Head(r.b, i)
		if class == packwire.ClassStr && !utf8.Valid(r.b[next:next+n]) {
			return r.fail(i, errUTF8)
		}
		if i = next; class >= packwire.ClassStr && class <= packwire.ClassExt {
			i += n
		}
	}
	return end
}

// deeper goes one container down, unless that is too deep.
func (r *Reader) deeper(i int) bool {
	if r.depth >= r.maxDepth {
		r.fail(i, weft.ErrDepth)
		return false
	}
	r.depth++
	return true
}

// fits reports whether n elements, of each bytes at least, can be in the bytes
// from i on beside what the containers around still need.
func (r *Reader) fits(n, i, each int) bool { return n <= (len(r.b)-i-r.reserved)/each }

// anyAt reads any value.
func (r *Reader) anyAt(i int) (any, int) {
	b := r.b
	if uint(i) >= uint(len(b)) {
		return nil, r.bad(i, packwire.Short, "value")
	}
	c := b[i]
	if r.flags&(flagAnyUints|flagAnyFloats) != 0 && packwire.IsInt(c) {
		return r.anyNumber(i, c)
	}
	switch {
	case int8(c) >= -32:
		return steps.SmallInts[uint8(c+32)], i + 1
	case c < packwire.FixArray:
		return r.anyMap(i, i+1, int(c&15))
	case c < packwire.FixStr:
		return r.anyArray(i, i+1, int(c&15))
	case c < packwire.Nil:
		s, end := r.string(i)
		if end < 0 {
			return nil, end
		}
		r.boxed = true
		return r.boxes.String(s), end
	case c|1 == packwire.True:
		return c == packwire.True, i + 1
	case len(b)-i < 9:
	case c == packwire.Float64:
		r.boxed = true
		return r.boxes.Float64(math.Float64frombits(binary.BigEndian.Uint64(b[i+1:]))), i + 9
	case c == packwire.Float32 && r.flags&flagAnyFloats == 0:
		return math.Float32frombits(binary.BigEndian.Uint32(b[i+1:])), i + 5
	default:
		if v, size := steps.ReadPackInt(mem.BytesOf(b), i, c); size != 0 {
			r.boxed = true
			return r.boxes.Int64(v), i + size
		}
	}
	return r.anyOther(i, c)
}

// anyOther is anyAt for all kinds of values.
func (r *Reader) anyOther(i int, c byte) (any, int) {
	b := r.b
	class, next, n := packwire.Head(b, i)
	if next < 0 {
		return nil, r.bad(i, next, "value")
	}
	switch class {
	case packwire.ClassNil:
		return nil, next
	case packwire.ClassInt, packwire.ClassUint:
		if v, end := packwire.ReadInt(b, i); end >= 0 {
			r.boxed = true
			return r.boxes.Int64(v), next
		}
		v, _ := packwire.ReadUint(b, i)
		return v, next
	case packwire.ClassFloat:
		if c == packwire.Float32 && r.flags&flagAnyFloats == 0 {
			v, _ := packwire.ReadFloat32(b, i)
			return v, next
		}
		v, _ := packwire.ReadFloat64(b, i)
		r.boxed = true
		return r.boxes.Float64(v), next
	case packwire.ClassArray:
		return r.anyArray(i, next, n)
	case packwire.ClassMap:
		return r.anyMap(i, next, n)
	}
	if n > len(b)-next {
		return nil, r.bad(i, packwire.Short, "value")
	}
	end := next + n
	switch {
	case class == packwire.ClassStr:
		if r.flags&flagUTF8 != 0 && !utf8.Valid(b[next:end]) {
			return nil, r.fail(i, errUTF8)
		}
		r.boxed = true
		return r.boxes.String(r.carve(next, end)), end
	case class == packwire.ClassBin && r.flags&flagAnyText != 0:
		return r.carve(next, end), end
	case class == packwire.ClassBin:
		return r.carveBytes(next, end), end
	case r.programs.exts[int8(b[next-1])] != nil:
		v, err := r.programs.exts[int8(b[next-1])].dynamic(b[next:end:end])
		if err != nil {
			return nil, r.fail(i, err)
		}
		return v, end
	case b[next-1] == 0xff:
		t, ok := packwire.TimeBody(b[next:end])
		if !ok {
			return nil, r.fail(i, errTimestamp)
		}
		return t, end
	}
	if r.flags&flagOldTimes != 0 {
		if t, ok := oldTimeBody(int8(b[next-1]), b[next:end]); ok {
			return t, end
		}
	}
	return Ext{Type: int8(b[next-1]), Data: append([]byte(nil), b[next:end]...)}, end
}

// anyNumber reads an integer, which begins with c, as the options want it.
func (r *Reader) anyNumber(i int, c byte) (any, int) {
	var v any
	end := 0
	switch {
	case r.flags&flagAnyFloats != 0:
		v, end = packwire.ReadFloat64(r.b, i)
	case c <= packwire.Uint64:
		v, end = packwire.ReadUint(r.b, i)
	default:
		v, end = packwire.ReadInt(r.b, i)
	}
	if end < 0 {
		return nil, r.bad(i, end, "number")
	}
	return v, end
}

// anyArray reads the n elements of an array.
func (r *Reader) anyArray(start, i, n int) (any, int) {
	if !r.fits(n, i, 1) {
		return nil, r.bad(start, packwire.Short, "array")
	}
	if !r.deeper(start) {
		return nil, -1
	}
	out, boxed := mem.List(n)
	around := r.reserved
	b := r.b
	plain := r.flags&(flagAnyUints|flagAnyFloats) == 0
	for j := range out {
		if plain && uint(i) < uint(len(b)) { // same as anyAt
			if c := b[i]; int8(c) >= -32 {
				out[j] = steps.SmallInts[uint8(c+32)]
				i++
				continue
			}
		}
		r.reserved = around + n - j - 1
		if out[j], i = r.anyAt(i); i < 0 {
			return nil, -1
		}
	}
	r.reserved = around
	r.depth--
	return boxed, i
}

// anyMap reads n pairs as map[string]any, or as map[any]any from the first key
// on that is not a string.
func (r *Reader) anyMap(start, i, n int) (any, int) {
	if !r.fits(n, i, 2) {
		return nil, r.bad(start, packwire.Short, "map")
	}
	if !r.deeper(start) {
		return nil, -1
	}
	if r.flags&flagAnyMap != 0 {
		return r.anyKeys(make(map[any]any, min(n, maxHint)), i, n)
	}
	out := make(map[string]any, min(n, maxHint))
	around := r.reserved
	plain := r.flags&(flagUTF8|flagAnyUints|flagAnyFloats) == 0
	from, last := mem.BytesOf(r.b), len(r.b)-2-shortKey
	for n--; n >= 0; n-- {
		r.reserved = around + 2*n
		if at := r.slab.Used; plain && i <= last && from.At(i)-packwire.FixStr-1 < shortKey &&
			at+shortKey <= len(r.slab.Chunk) {
			size := int(from.At(i) & 31)
			to := mem.BytesOf(r.slab.Chunk) // same as string and anyAt
			to.Copy16(at, from, i+1)
			r.slab.Used = at + size
			k := to.View(at, at+size)
			i += 1 + size
			if c := from.At(i); int8(c) >= -32 {
				out[k] = steps.SmallInts[uint8(c+32)]
				i++
				continue
			}
			var v any
			if v, i = r.anyAt(i); i < 0 {
				return nil, -1
			}
			out[k] = v
			continue
		}
		if i >= len(r.b) {
			return nil, r.bad(i, packwire.Short, "map key")
		}
		c := r.b[i]
		if c&0xe0 != packwire.FixStr {
			if class, _, _ := packwire.Head(r.b, i); class != packwire.ClassStr {
				wide := make(map[any]any, min(n, maxHint))
				for k, v := range out {
					wide[k] = v
				}
				r.reserved = around
				return r.anyKeys(wide, i, n+1)
			}
		}
		k, end := r.string(i)
		if end < 0 {
			return nil, end
		}
		var v any
		if v, i = r.anyAt(end); i < 0 {
			return nil, -1
		}
		out[k] = v
	}
	r.reserved = around
	r.depth--
	return out, i
}

// anyKeys reads the last n pairs of a map into out.
func (r *Reader) anyKeys(out map[any]any, i, n int) (any, int) {
	around := r.reserved
	for j := range n {
		r.reserved = around + 2*(n-j-1)
		at := i
		var k, v any
		if k, i = r.anyAt(i); i < 0 {
			return nil, -1
		}
		switch k.(type) {
		case []any, map[string]any, map[any]any, []byte, Ext:
			return nil, r.fail(at, errKey)
		}
		if r.programs.exts != nil && !reflect.ValueOf(k).Comparable() { // what a codec has made
			return nil, r.fail(at, errKey)
		}
		if r.flags&setting.RejectDuplicates != 0 {
			if _, ok := out[k]; ok {
				return nil, r.fail(at, weft.ErrDuplicateName)
			}
		}
		if v, i = r.anyAt(i); i < 0 {
			return nil, -1
		}
		out[k] = v
	}
	r.reserved = around
	r.depth--
	return out, i
}
