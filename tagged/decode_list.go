package tagged

import (
	"encoding/json"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// A slice is made at its exact size in advance if that takes at most roomy bytes
// and growth times the bytes that are there for its elements. Beyond that it
// grows with the elements that have been read.
const (
	roomy  = 32 << 10
	growth = 16
)

// maxHint bounds the number of entries that a map is made for in advance.
const maxHint = 4096

// list opens the array or object at i, of the wire type that is wanted: it returns how many values b[start:stop] holds.
// The type is nil for an any.
func (r *reader) list(i, end int, wt, want uint32, typ *plan.Type) (n, start, stop int) {
	stop = tagwire.Mismatch
	if wt == want {
		start, stop = r.content(i, end)
	}
	if stop < 0 {
		name := "any"
		if typ != nil {
			name = typ.Rtype.String()
		}
		return 0, 0, r.bad(i, wt, stop, name)
	}
	if !r.deeper(i) {
		return 0, 0, -1
	}
	if n, i = r.count(start, stop); i < 0 || wt == tagwire.Object && r.nameless && !r.named(start, stop) {
		return 0, 0, -1
	}
	return n, start, stop
}

// count returns how many fields or elements b[i:stop] holds.
func (r *reader) count(i, stop int) (n, next int) {
	for i < stop {
		if stop-i <= tagwire.TagSize {
			return 0, r.fail(i, weft.ErrUnexpectedEnd)
		}
		wt := uint32(r.b[i] & 15)
		i += tagwire.TagSize
		if wt == tagwire.Object || wt == tagwire.String { // same as Pass
			if c := r.b[i]; c < 0x80 && int(c) < stop-i {
				i += int(c) + 1
				n++
				continue
			}
		}
		at := i
		if i = r.pass(i, stop, wt); i < 0 {
			return 0, r.bad(at, wt, i, "value")
		}
		n++
	}
	return n, i
}

// slice reads an array into the slice at q.
func (r *reader) slice(i, end int, wt uint32, p *program, q mem.Ptr) int {
	start := i
	n, i, stop := r.list(i, end, wt, tagwire.Array, p.typ)
	if stop < 0 {
		return -1
	}
	elem := p.elem
	if n > q.SliceCap() && n > (roomy+growth*(stop-i))/max(int(elem.mem.Size), 1) {
		g := mem.NewGather(elem.mem, true)
		for k := range n {
			if i = r.elem(i, stop, k, elem, g.Next()); i < 0 {
				return -1
			}
		}
		g.Take(0, q, false)
		r.depth--
		return stop
	}
	var a mem.Array
	shares := false
	if n > 0 && n <= q.SliceCap() {
		q.SetLen(n)
		a = q.Slice()
		for j := range n {
			elem.mem.Clear(a.At(elem.mem, j))
		}
	} else {
		a, shares = r.slabs.Make(elem.slab, elem.mem, q, p.typ.Rtype, n)
	}
	for k := range n {
		if i = r.elem(i, stop, k, elem, a.At(elem.mem, k)); i < 0 {
			return -1
		}
	}
	if shares {
		p.mem.KeepSlice(q, stop-start)
	}
	r.depth--
	return stop
}

// elem reads the k-th element of an array, whose tag is at i.
func (r *reader) elem(i, stop, k int, p *program, q mem.Ptr) int {
	wt, ok := r.element(i, stop, k)
	if !ok {
		return -1
	}
	if p.dec == plan.Struct {
		return r.structure(i+tagwire.TagSize, stop, wt, p, q)
	}
	return r.value(i+tagwire.TagSize, stop, wt, p, q)
}

// array reads an array into the Go array at q: what is missing is zero, what is
// too much is skipped.
func (r *reader) array(i, end int, wt uint32, p *program, q mem.Ptr) int {
	n, i, stop := r.list(i, end, wt, tagwire.Array, p.typ)
	if stop < 0 {
		return -1
	}
	a := q.Array()
	for k := range n {
		if k < p.typ.Len {
			i = r.elem(i, stop, k, p.elem, a.At(p.elem.mem, k))
		} else if wt, ok := r.element(i, stop, k); ok {
			i = r.skip(i+tagwire.TagSize, stop, wt)
		} else {
			return -1
		}
		if i < 0 {
			return -1
		}
	}
	for k := n; k < p.typ.Len; k++ {
		p.elem.mem.Clear(a.At(p.elem.mem, k))
	}
	r.depth--
	return stop
}

// mapping reads an object into the map at q, which keeps what it has.
func (r *reader) mapping(i, end int, wt uint32, p *program, q mem.Ptr) int {
	n, start, stop := r.list(i, end, wt, tagwire.Object, p.typ)
	if stop < 0 {
		return -1
	}
	m := q.Value(p.mem)
	if m.IsNil() {
		m.Set(reflect.MakeMapWithSize(p.typ.Rtype, min(n, maxHint)))
	}
	e := p.entries.Get().(*mem.Entry)
	i, last := start, uint32(0)
	for i < stop {
		tag := tagwire.Tag(r.b, i)
		if tag&0xf0 != 0 {
			return r.fail(i, errTag)
		}
		if i > start && tag>>8 == last>>8 {
			return r.fail(i, errTwice)
		}
		last = tag
		if i = r.pair(i+tagwire.TagSize, stop, tag, p, e, m); i < 0 {
			return -1
		}
	}
	p.entries.Put(e)
	r.depth--
	return stop
}

// pair reads the member of the given tag into m.
func (r *reader) pair(i, end int, tag uint32, p *program, e *mem.Entry, m reflect.Value) int {
	name, ok := r.nameOf(i, tag)
	if !ok {
		return -1
	}
	if err := p.typ.ParseKey(name, e.KeyValue()); err != nil {
		return r.fail(i, err)
	}
	if r.flags&setting.RejectDuplicates != 0 && m.MapIndex(e.KeyValue()).IsValid() {
		return r.fail(i, weft.ErrDuplicateName)
	}
	if i = r.value(i, end, tag&15, p.elem, e.Elem); i >= 0 {
		e.Put(m)
	}
	return i
}

// anyAt reads any value.
func (r *reader) anyAt(i, end int, wt uint32) (v any, next int) {
	if r.err != nil || wt > tagwire.Number && !r.exact {
		return nil, r.bad(i, wt, tagwire.Broken, "value")
	}
	next = tagwire.Broken
	switch wt {
	case tagwire.Null:
		next = tagwire.Pass(r.b, i, end, wt)
	case tagwire.Int32, tagwire.Uint32, tagwire.Int64, tagwire.Fixed32, tagwire.Fixed64:
		if wt == tagwire.Fixed64 && r.exact {
			return r.rowUint(i)
		}
		var x int64
		if x, next = r.intAt(i, end, wt); next >= 0 {
			v = r.boxes.Int64(x)
		}
	case tagwire.Double:
		var x float64
		if x, next = r.floatAt(i, end, wt); next >= 0 {
			v = r.boxes.Float64(x)
		}
	case tagwire.String:
		var start int
		if start, next = tagwire.Span(r.b, i, end); next >= 0 {
			v = r.boxes.String(r.carve(start, next))
		}
	case tagwire.Number:
		var s string
		next = r.number(i, end, wt, &s)
		v = json.Number(s)
	case tagwire.Array:
		return r.anyArray(i, end, wt)
	case tagwire.Object:
		return r.anyMap(i, end, wt)
	case tagwire.Bool:
		return r.boolAt(i, end, wt)
	case tagwire.Single:
		return r.rowFloat32(i)
	case tagwire.Bytes:
		return r.rowBytes(i)
	case tagwire.Time:
		return r.rowTime(i)
	}
	if next < 0 {
		return nil, r.bad(i, wt, next, "value")
	}
	r.boxed = true
	return v, next
}

func (r *reader) anyArray(i, end int, wt uint32) (any, int) {
	n, i, stop := r.list(i, end, wt, tagwire.Array, nil)
	if stop < 0 {
		return nil, -1
	}
	out := make([]any, n)
	for k := range out {
		wt, ok := r.element(i, stop, k)
		if !ok {
			return nil, -1
		}
		if out[k], i = r.anyAt(i+tagwire.TagSize, stop, wt); i < 0 {
			return nil, -1
		}
	}
	r.depth--
	return out, stop
}

func (r *reader) anyMap(i, end int, wt uint32) (any, int) {
	n, i, stop := r.list(i, end, wt, tagwire.Object, nil)
	if stop < 0 {
		return nil, -1
	}
	out := make(map[string]any, min(n, maxHint))
	for range n {
		tag := tagwire.Tag(r.b, i)
		if tag&0xf0 != 0 {
			return nil, r.fail(i, errTag)
		}
		i += tagwire.TagSize
		name, ok := r.nameOf(i, tag)
		if !ok {
			return nil, -1
		}
		if _, ok := out[name]; ok {
			return nil, r.fail(i, errTwice)
		}
		if out[name], i = r.anyAt(i, stop, tag&15); i < 0 {
			return nil, -1
		}
	}
	r.depth--
	return out, stop
}
