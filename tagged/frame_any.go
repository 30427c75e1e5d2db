package tagged

import (
	"encoding/json"
	"math"
	"strconv"
	"time"
)

// ordered is an object whose members keep the order of the schema.
type ordered struct {
	names  []string
	values []any
}

// absence is what stands for a member that is absent.
type absence struct{ _ byte }

var absent any = &absence{}

// dynamic reads n values as dynamic Go values: a map[string]any for a struct, or
// an ordered; a Raw for a message; absent for what is absent.
func (r *frameReader) dynamic(s *schema, n int, inOrder bool) ([]any, bool) {
	if !r.affords(n) {
		return nil, false
	}
	if s.nullable {
		v, there, ok := r.presence(n)
		if !ok {
			return nil, false
		}
		defer r.free(v)
		in := *s
		in.nullable = false
		list, ok := r.dynamic(&in, there, inOrder)
		if !ok || there == n {
			return list, ok
		}
		out := make([]any, n)
		k := 0
		for i, x := range v {
			switch x {
			case isThere:
				out[i] = list[k]
				k++
			case isAbsent:
				out[i] = absent
			}
		}
		return out, true
	}
	out := make([]any, n)
	switch s.kind {
	case kStruct:
		if len(s.nodes) == 0 && n > maxFree {
			return nil, r.fail(errBlock)
		}
		columns := make([][]any, len(s.nodes))
		for i, c := range s.nodes {
			var ok bool
			r.enter(level{name: s.names[i]})
			if columns[i], ok = r.dynamic(c, n, inOrder); !r.leave(ok) {
				return nil, false
			}
		}
		for i := range out {
			out[i] = structOf(s, columns, i, inOrder)
		}
		return out, true
	case kList:
		v, total, ok := r.lengths(n)
		if !ok {
			return nil, false
		}
		defer r.free(v)
		list, ok := r.dynamic(s.nodes[0], total, inOrder)
		if !ok {
			return nil, false
		}
		noneAbsent(list)
		for i := range list {
			if !inOrder {
				list[i] = plainValue(list[i])
			}
		}
		for i, l := range v {
			if l > 0 {
				out[i], list = list[:l-1:l-1], list[l-1:]
			}
		}
		return out, true
	case kMap:
		return out, r.dynamicMaps(s, out, inOrder)
	case kFloat32, kFloat64:
		v := r.scratch(n)
		defer r.free(v)
		rest, ok := readFloats(r.data, v, s.kind == kFloat32)
		if !ok {
			return nil, r.fail(errBlock)
		}
		r.data = rest
		for i, x := range v {
			if s.kind == kFloat32 {
				out[i] = math.Float32frombits(uint32(x))
			} else {
				out[i] = math.Float64frombits(uint64(x))
			}
		}
		return out, true
	case kTime:
		return out, r.eachTime(n, func(i int, t time.Time) { out[i] = t })
	case kBool, kInt, kUint:
		v, ok := r.integers(n)
		if !ok {
			return nil, false
		}
		defer r.free(v)
		for i, x := range v {
			switch {
			case s.kind == kBool:
				out[i] = x == 1
			case s.kind == kUint && x < 0:
				out[i] = uint64(x)
			default:
				out[i] = x
			}
		}
		return out, true
	}
	v, ok := r.take(n)
	if !ok {
		return nil, false
	}
	for i, x := range v {
		switch s.kind {
		case kBytes:
			out[i] = []byte(x)
		case kNumber:
			out[i] = json.Number(x)
		case kMessage:
			out[i] = Raw(x)
		default:
			out[i] = x
		}
	}
	return out, true
}

// structOf makes the i-th struct of its columns.
func structOf(s *schema, columns [][]any, i int, inOrder bool) any {
	if inOrder {
		o := &ordered{}
		for k, name := range s.names {
			if v := columns[k][i]; v != absent {
				o.names, o.values = append(o.names, name), append(o.values, v)
			}
		}
		return o
	}
	m := make(map[string]any, len(s.names))
	for k, name := range s.names {
		if v := plainValue(columns[k][i]); v != absent {
			m[name] = v
		}
	}
	return m
}

// plainValue reads a value that is a message.
func plainValue(v any) any {
	if raw, ok := v.(Raw); ok {
		var x any
		if Unmarshal(raw, &x) != nil {
			return raw
		}
		return x
	}
	return v
}

// noneAbsent makes what is absent null.
func noneAbsent(list []any) {
	for i, x := range list {
		if x == absent {
			list[i] = nil
		}
	}
}

func (r *frameReader) dynamicMaps(s *schema, out []any, inOrder bool) bool {
	v, total, ok := r.lengths(len(out))
	if !ok {
		return false
	}
	defer r.free(v)
	keys, ok := r.dynamic(s.nodes[0], total, inOrder)
	if !ok {
		return false
	}
	elems, ok := r.dynamic(s.nodes[1], total, inOrder)
	if !ok {
		return false
	}
	noneAbsent(elems)
	for i, l := range v {
		if l == 0 {
			continue
		}
		o := &ordered{values: elems[:l-1]}
		m := make(map[string]any, l-1)
		for k, key := range keys[:l-1] {
			name := nameOf(key)
			o.names = append(o.names, name)
			if !inOrder {
				m[name] = plainValue(elems[k])
			}
		}
		keys, elems = keys[l-1:], elems[l-1:]
		if out[i] = m; inOrder {
			out[i] = o
		}
	}
	return true
}

// nameOf returns a key of a map as a name.
func nameOf(key any) string {
	switch k := key.(type) {
	case string:
		return k
	case int64:
		return strconv.FormatInt(k, 10)
	case uint64:
		return strconv.FormatUint(k, 10)
	}
	return ""
}
