package cbor

import (
	"encoding/binary"
	"math"
	"reflect"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// skip validates the item at i and returns the index after it.
func (r *reader) skip(i int) int {
	if r.err != nil {
		return -1
	}
	end, at := cborwire.Check(r.b, i, r.maxDepth-r.depth, r.rules)
	if end < 0 {
		return r.broke(at, end)
	}
	return end
}

// checkedLevels is how many levels may be open before the rest of the document is checked to be well-formed:
// memory is taken for no levels that are not there.
const checkedLevels = 16

// deeper goes one level down, unless that is too deep.
func (r *reader) deeper(i int) bool {
	if r.depth >= r.maxDepth {
		r.fail(i, weft.ErrDepth)
		return false
	}
	if r.depth++; r.depth == checkedLevels && i >= r.checked {
		end, at := cborwire.Skip(r.b, i, r.maxDepth-r.depth+1)
		if end < 0 {
			r.illFormed(at, end)
			return false
		}
		r.checked = end
	}
	return true
}

// anyAt reads any value.
func (r *reader) anyAt(i int) (any, int) {
	if i < len(r.b) { // same as below
		switch c := r.b[i]; {
		case c < 24:
			return steps.SmallInts[c+32], i + 1
		case c^cborwire.Text < steps.ShortText:
			if i <= r.quickText() { // same as text
				if s, end := steps.ReadText(&r.carver, r.b, i); end > 0 {
					r.boxed = true
					return r.boxes.String(s), end
				}
			}
			return r.anyText(i)
		case c == cborwire.Double && r.rules&cborwire.Reduced == 0 && i+9 <= len(r.b):
			if u := binary.BigEndian.Uint64(r.b[i+1:]); r.rules == 0 || steps.OnlyDouble(u) {
				r.boxed = true
				return r.boxes.Float64(math.Float64frombits(u)), i + 9
			}
		case c|1 == cborwire.True:
			return c == cborwire.True, i + 1
		case c-cborwire.Nint < 24:
			return steps.SmallInts[31-(c-cborwire.Nint)], i + 1
		case c&0xe0 == cborwire.Bytes:
			if at, end := r.shortBytes(i); end > at { // same as below
				return r.carver.Keep(r.b[at:end]), end
			}
		case c^cborwire.Map < steps.ShortText:
			return r.anyMap(i)
		case c^cborwire.Array < steps.ShortText:
			return r.anyList(i)
		}
		if i <= len(r.b)-steps.ValueRoom {
			if v, size := steps.ReadCBORInt(mem.BytesOf(r.b), i, r.b[i]); size != 0 {
				r.boxed = true
				return r.boxes.Int64(v), i + size
			}
		}
	}
	c, n, next := r.head(i)
	if next < 0 {
		return nil, -1
	}
	switch c & 0xe0 {
	case cborwire.Uint:
		if n > math.MaxInt64 {
			if r.flags&flagByteText != 0 {
				return nil, r.bad(i, cborwire.Range, "int64")
			}
			return n, next
		}
		r.boxed = true
		return r.boxes.Int64(int64(n)), next
	case cborwire.Nint:
		if n <= math.MaxInt64 {
			r.boxed = true
			return r.boxes.Int64(^int64(n)), next
		}
		if r.flags&flagByteText != 0 {
			return nil, r.bad(i, cborwire.Range, "int64")
		}
		return r.anyBig(i)
	case cborwire.Bytes:
		body, end := r.body(i)
		if end < 0 {
			return nil, -1
		}
		if r.flags&flagByteText != 0 {
			return r.string(body), end
		}
		return r.own(body), end
	case cborwire.Text:
		return r.anyText(i)
	case cborwire.Array:
		return r.anyList(i)
	case cborwire.Map:
		return r.anyMap(i)
	case cborwire.Tag:
		return r.anyTag(i, n, next)
	}
	switch c {
	case cborwire.False, cborwire.True:
		return c == cborwire.True, next
	case cborwire.Null, cborwire.Undefined:
		return nil, next
	case cborwire.Half, cborwire.Single, cborwire.Double:
		v, end := cborwire.ReadFloat(r.b, i)
		r.boxed = true
		return r.boxes.Float64(v), end
	case cborwire.Break:
		return nil, r.bad(i, cborwire.Malformed, "value")
	}
	return Simple(n), next
}

// anyText reads a text string.
func (r *reader) anyText(i int) (any, int) {
	s, end := r.text(i)
	if end < 0 {
		return nil, -1
	}
	r.boxed = true
	return r.boxes.String(s), end
}

// anyBig reads an integer of any size.
func (r *reader) anyBig(i int) (any, int) {
	v, end := r.bigAt(i)
	switch {
	case end < 0:
		return nil, -1
	case v.IsInt64():
		return v.Int64(), end
	case v.IsUint64():
		return v.Uint64(), end
	}
	return v, end
}

// anyTag reads the item at i, with a tag whose content stands at next.
func (r *reader) anyTag(i int, number uint64, next int) (any, int) {
	if t := r.programs.tags; t != nil && t.byNumber[number] != nil {
		return r.tagAny(i, t.byNumber[number])
	}
	switch number {
	case tagText, tagEpoch, tagDays, tagDate:
		t, end := r.timeAt(i)
		if end < 0 {
			return nil, -1
		}
		if r.flags&flagByteText != 0 {
			return t.Format(time.RFC3339Nano), end
		}
		return t, end
	case tagPositive, tagNegative:
		if r.flags&flagByteText != 0 {
			return nil, r.bad(i, cborwire.Mismatch, "int64")
		}
		return r.anyBig(i)
	}
	if t := typedSlice(number); t != nil && next < len(r.b) && r.b[next]&0xe0 == cborwire.Bytes {
		return r.tagAny(i, t)
	}
	if !r.deeper(i) {
		return nil, -1
	}
	isBytes := next < len(r.b) && r.b[next]&0xe0 == cborwire.Bytes
	if isBytes && r.flags&flagByteText != 0 && number >= tagURL64 && number <= tagHex {
		r.depth--
		return r.anyText(i)
	}
	v, end := r.anyAt(next)
	if end < 0 {
		return nil, -1
	}
	r.depth--
	if r.flags&flagByteText != 0 {
		return v, end
	}
	switch number {
	case tagURL64, tagBase64, tagHex, tagUnique, 55799: // what bytes are to become, a set, and what says that it is CBOR
		return v, end
	}
	return Tag{number, v}, end
}

// anyList reads an array.
func (r *reader) anyList(i int) (any, int) {
	if i < len(r.b) && r.b[i]^cborwire.Array < steps.ShortText {
		n, next := r.count(i, cborwire.Array)
		if next < 0 || !r.deeper(i) {
			return nil, -1
		}
		list, boxed := mem.List(n)
		for j := range list {
			r.reserved--
			if next < len(r.b) && r.b[next] < 24 { // same as anyAt
				list[j] = steps.SmallInts[r.b[next]+32]
				next++
				continue
			}
			if list[j], next = r.anyAt(next); next < 0 {
				return nil, -1
			}
		}
		r.depth--
		return boxed, next
	}
	var list []any
	w := way[any]{get: (*reader).anyAt}
	end := getList(r, i, &list, &w, nil)
	if end < 0 {
		return nil, -1
	}
	return list, end
}

// anyPairs reads pairs into m whose keys are short text, from the one at i on and n at most, as [reader.quickKeys] lets
// them. It returns how many are left, and the index of what comes then, -1 after an error.
func (r *reader) anyPairs(i, n int, m map[string]any, last *keySpan) (left, next int) {
	b, quick := mem.BytesOf(r.b), r.quickText()
	sorted, word := r.rules&cborwire.Sorted != 0, uint64(0)
	for ; n > 0 && i < len(r.b); n-- {
		at, size, used := i, int(b.At(i)-cborwire.Text), r.carver.Used
		if size >= steps.ShortText {
			break
		}
		r.reserved -= 2
		name := ""
		if size <= steps.KeyRoom && i <= quick && used <= len(r.carver.Chunk)-steps.Room && steps.AreASCII(b, i+1, size) {
			to := mem.BytesOf(r.carver.Chunk) // same as text
			to.Copy16(used, b, i+1)
			r.carver.Used = used + size
			name = to.View(used, used+size)
			i += 1 + size
		} else if name, i = r.text(i); i < 0 {
			return 0, -1
		}
		if sorted { // same as ordered
			if w := steps.TextWord(r.b, at); w > word {
				word, *last = w, keySpan{at, i}
			} else if word = w; !r.ordered(last, at, i) {
				return 0, -1
			}
		}
		if i < len(r.b) && b.At(i) < 24 { // same as anyAt
			m[name] = steps.SmallInts[b.At(i)+32]
			i++
			continue
		}
		var v any
		if v, i = r.anyAt(i); i < 0 {
			return 0, -1
		}
		m[name] = v
	}
	return n, i
}

// anyMap reads a map as map[string]any, or as map[any]any from the first key on that is not text.
func (r *reader) anyMap(i int) (any, int) {
	n, next := r.count(i, cborwire.Map)
	if next < 0 || !r.deeper(i) {
		return nil, -1
	}
	var last keySpan
	hint, byteText := max(0, min(n, roomy/64)), r.flags&flagByteText != 0
	if r.flags&flagAnyMaps != 0 || n != 0 && next < len(r.b) && r.b[next] < cborwire.Bytes && !byteText { // same as below
		wide := make(map[any]any, hint)
		if next = r.anyKeys(next, n, wide, &last, true, byteText); next < 0 {
			return nil, -1
		}
		r.depth--
		return wide, next
	}
	named, once := make(map[string]any, hint), r.flags&setting.RejectDuplicates != 0
	if n > 0 && r.quickKeys(once) { // same as below
		if n, next = r.anyPairs(next, n, named, &last); next < 0 {
			return nil, -1
		}
	}
	for ; n != 0 && !r.ends(&next, n, 2); n-- {
		at, name, end := next, "", 0
		switch {
		case at < len(r.b) && r.b[at]&0xe0 == cborwire.Text:
			name, end = r.text(at)
		case byteText:
			var k any
			if k, end = r.anyAt(at); end >= 0 {
				var isText bool
				if name, isText = k.(string); !isText {
					return nil, r.bad(at, cborwire.Mismatch, "member name")
				}
			}
		default:
			wide := make(map[any]any, len(named)+1)
			for k, v := range named {
				wide[k] = v
			}
			if n > 0 {
				r.reserved += 2 // it is begun again
			}
			if next = r.anyKeys(at, n, wide, &last, true, false); next < 0 {
				return nil, -1
			}
			r.depth--
			return wide, next
		}
		if end < 0 || !r.ordered(&last, at, end) {
			return nil, -1
		}
		if once {
			if _, again := named[name]; again {
				return nil, r.fail(at, weft.ErrDuplicateName)
			}
		}
		var v any
		if v, next = r.anyAt(end); next < 0 {
			return nil, -1
		}
		named[name] = v
	}
	r.depth--
	return named, next
}

// anyKeys reads n pairs into m. The keys must differ where they are to be there once, if the options say so, and be
// text where they are names.
func (r *reader) anyKeys(i, n int, m map[any]any, last *keySpan, once, names bool) int {
	once = once && r.flags&setting.RejectDuplicates != 0
	for ; n != 0 && !r.ends(&i, n, 2); n-- {
		k, end := r.anyAt(i)
		if end < 0 || !r.ordered(last, i, end) {
			return -1
		}
		switch _, isText := k.(string); {
		case isText:
		case names:
			return r.bad(i, cborwire.Mismatch, "member name")
		case k != nil && !reflect.ValueOf(k).Comparable():
			return r.fail(i, errKey)
		}
		if once {
			if _, again := m[k]; again {
				return r.fail(i, weft.ErrDuplicateName)
			}
		}
		v, next := r.anyAt(end)
		if next < 0 {
			return -1
		}
		m[k], i = v, next
	}
	return i
}

// getAnyMap reads a map into a map[any]any.
func getAnyMap(r *reader, i int, q mem.Ptr) int {
	p := mem.At[map[any]any](q)
	n, next := r.count(i, cborwire.Map)
	if next < 0 || n == isNull {
		if next >= 0 {
			*p = nil
		}
		return next
	}
	if !r.deeper(i) {
		return -1
	}
	if *p == nil {
		*p = make(map[any]any, max(0, min(n, roomy/64)))
	}
	if next = r.anyKeys(next, n, *p, new(keySpan), len(*p) == 0, false); next >= 0 {
		r.depth--
	}
	return next
}
