package json

import (
	"reflect"
	"strconv"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// any writes the value in an interface to l: the common types directly, the others by their programs.
func (e *encoder) any(l int, v any) int {
	if len(e.buf)-l < slack/2 {
		l = e.room(l)
	}
	if m := e.set.mode; m != nil && m.marshalers != nil && v != nil { // which may be for a common type
		return e.root(l, v, e.set.lookup(v, e.flags))
	}
	switch v := v.(type) {
	case nil:
		return e.putNull(l)
	case string:
		return e.putString(l, v)
	case bool:
		return setBool(mem.BytesOf(e.buf), l, v)
	case map[string]any:
		return e.anyMap(l, nil, v)
	case []any:
		return e.anySlice(l, v)
	case float64:
		if v-v == 0 && e.flags&flagStringNumbers == 0 {
			return e.appended(wire.AppendFloat64(e.buf[:l], v))
		}
	case int:
		if e.flags&flagStringNumbers == 0 {
			return wire.SetInt(mem.BytesOf(e.buf), l, int64(v))
		}
	case int64:
		if e.flags&flagStringNumbers == 0 {
			return wire.SetInt(mem.BytesOf(e.buf), l, v)
		}
	case uint64:
		if e.flags&flagStringNumbers == 0 {
			return wire.SetUint(mem.BytesOf(e.buf), l, v)
		}
	case Number:
		if e.flags&flagStringNumbers == 0 && e.set.in == nil {
			return e.opened(appendNumber(e.buf[:l], string(v)))
		}
	case time.Time:
		if e.set.in != nil || e.set.mode != nil {
			break
		}
		if b, err := appendTime(e.buf[:l], v); err == nil {
			return e.appended(b)
		}
	}
	return e.root(l, v, e.set.lookup(v, e.flags))
}

// anySlice writes a slice of interfaces to l.
func (e *encoder) anySlice(l int, s []any) int {
	if len(s) == 0 {
		return e.empty(l, "[]", s == nil, flagNilSliceAsEmpty)
	}
	if e.level >= startCycles {
		return e.deepAnySlice(l, s)
	}
	e.level++
	start := l
	for i, v := range s {
		if l == len(e.buf) {
			l = e.room(l)
		}
		mem.BytesOf(e.buf).Set(l, ',')
		if l = e.any(l+1, v); l < 0 {
			return e.within(l, strconv.Itoa(i))
		}
	}
	e.level--
	return e.endArray(l, start)
}

// deepAnySlice is the way of slices of interfaces beyond startCycles.
func (e *encoder) deepAnySlice(l int, s []any) int {
	return e.deep(l, e.set.lookup(s, e.flags), reflect.ValueOf(s), mem.To(&s))
}

// anyMap writes a map of interfaces to l; pr is its program, nil for that of the type.
func (e *encoder) anyMap(l int, pr *program, m map[string]any) int {
	if len(m) == 0 {
		return e.empty(l, "{}", m == nil, flagNilMapAsEmpty)
	}
	if e.level >= startCycles || e.refusesNames() {
		if pr == nil {
			pr = e.set.lookup(m, e.flags)
		}
		return e.mapValue(l, pr, reflect.ValueOf(m))
	}
	e.level++
	// Sorted is as good an order as any where none is asked for.
	if 1 < len(m) && len(m) <= mostShape {
		if end, done := e.anyShape(l, m); done {
			if end >= 0 {
				end = e.endObject(end, l)
			}
			e.level--
			return end
		}
	}
	l = commonMap(e, l, nil, m)
	e.level--
	return l
}

// refusesNames reports whether a map of interfaces may have names that are refused as equal once they are UTF-8.
func (e *encoder) refusesNames() bool {
	return e.flags&(flagV2|flagRefuseDuplicates|flagRefuseUTF8) == flagV2|flagRefuseDuplicates
}
