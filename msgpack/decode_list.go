package msgpack

import (
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// A slice is made at its exact size in advance if that takes at most roomy bytes
// and growth times the bytes that are left of the document. Beyond that it
// grows with the elements that have been read.
const (
	roomy  = 32 << 10
	growth = 16
)

// slice reads an array into the slice at q.
func (r *Reader) slice(i int, p *program, q mem.Ptr) int {
	n, next := packwire.ReadArray(r.b, i)
	if next < 0 || !r.fits(n, next, 1) {
		if r.null(i) {
			p.mem.Clear(q)
			return i + 1
		}
		return r.bad(i, min(next, packwire.Short), p.typ.Rtype.String())
	}
	if !r.deeper(i) {
		return -1
	}
	elem := p.elem
	if n > 0 {
		elem = elem.meet(plan.Unmarshal)
	}
	size := int(elem.mem.Size)
	if n > q.SliceCap() && n > (roomy+growth*(len(r.b)-next))/max(size, 1) {
		return r.longSlice(next, p, q, n)
	}
	var a mem.Array
	shares := false
	if n > 0 && n <= q.SliceCap() {
		q.SetLen(n)
		a = q.Slice()
		if elem.dec >= plan.Bytes && elem.dec != plan.Time {
			for j := range n {
				elem.mem.Clear(a.At(elem.mem, j))
			}
		}
	} else {
		a, shares = r.slabs.Make(elem.slab, elem.mem, q, p.typ.Rtype, n)
	}
	if next = r.elements(next, elem, a, n); next < 0 {
		return -1
	}
	if shares {
		p.mem.KeepSlice(q, next-i)
	}
	r.depth--
	return next
}

// elements reads n values into a.
func (r *Reader) elements(i int, elem *program, a mem.Array, n int) int {
	around := r.reserved
	if elem.dec == plan.Struct {
		runs := elem.whole && r.runs(elem, r.depth+1) && (elem.rest == nil || r.flags&flagStrictLen == 0)
		for j := 0; j < n; j++ {
			if runs {
				if i, j = r.wholes(i, elem, a, j, n); j == n {
					break
				}
			}
			r.reserved = around + n - j - 1
			if i = r.structure(i, elem, a.At(elem.mem, j)); i < 0 {
				return -1
			}
		}
	} else {
		for j := range n {
			r.reserved = around + n - j - 1
			if i = r.value(i, elem, a.At(elem.mem, j)); i < 0 {
				return -1
			}
		}
	}
	r.reserved = around
	return i
}

// longSlice reads n elements where that many are large for the bytes that are
// left: the memory grows with those that are there.
func (r *Reader) longSlice(i int, p *program, q mem.Ptr, n int) int {
	g := mem.NewGather(p.elem.mem, true)
	around := r.reserved
	for j := range n {
		r.reserved = around + n - j - 1
		if i = r.value(i, p.elem, g.Next()); i < 0 {
			return -1
		}
	}
	g.Take(0, q, false)
	r.reserved = around
	r.depth--
	return i
}

// array reads an array into the Go array at q: what is missing is zero, what is
// too much is skipped.
func (r *Reader) array(i int, p *program, q mem.Ptr) int {
	if r.null(i) {
		p.mem.Clear(q)
		return i + 1
	}
	n, next := packwire.ReadArray(r.b, i)
	if next < 0 {
		return r.bad(i, next, p.typ.Rtype.String())
	}
	if r.flags&flagStrictLen != 0 && n != p.typ.Len {
		return r.fail(i, lengthError(n, p.typ.Len))
	}
	if !r.deeper(i) {
		return -1
	}
	a := q.Array()
	have := min(n, p.typ.Len)
	around := r.reserved
	r.reserved = around + n - have
	next = r.elements(next, p.elem, a, have)
	r.reserved = around
	for j := have; next >= 0 && j < n; j++ {
		next = r.skip(next)
	}
	if next < 0 {
		return -1
	}
	for j := have; j < p.typ.Len; j++ {
		p.elem.mem.Clear(a.At(p.elem.mem, j))
	}
	r.depth--
	return next
}

// pairsAt reads the header of a map of n pairs at i, or a nil, for which n is -1.
func (r *Reader) pairsAt(i int, p *program) (n, start, next int) {
	if i < len(r.b) && r.b[i]&0xf0 == packwire.FixMap { // same as ReadMap
		if n = int(r.b[i] & 15); r.fits(n, i+1, 2) {
			return n, i, i + 1
		}
	}
	n, next = packwire.ReadMap(r.b, i)
	if next >= 0 && r.fits(n, next, 2) {
		return n, i, next
	}
	if r.null(i) {
		return -1, i, i + 1
	}
	return 0, i, r.bad(i, min(next, packwire.Short), p.typ.Rtype.String())
}

// mapping reads a map into the map at q, which keeps what it has.
func (r *Reader) mapping(i int, p *program, q mem.Ptr) int {
	n, start, i := r.pairsAt(i, p)
	if i < 0 {
		return -1
	}
	m := q.Value(p.mem)
	if n < 0 {
		m.SetZero()
		return i
	}
	if !r.deeper(start) {
		return -1
	}
	if m.IsNil() {
		m.Set(reflect.MakeMapWithSize(p.typ.Rtype, min(n, maxHint)))
	}
	once := r.flags&setting.RejectDuplicates != 0 && m.Len() == 0
	if n > 0 {
		e := p.entries.Get().(*mem.Entry)
		around := r.reserved
		for ; n > 0; n-- {
			r.reserved = around + 2*(n-1)
			if i = r.pair(i, p, e, m, once); i < 0 {
				return -1
			}
		}
		r.reserved = around
		p.entries.Put(e)
	}
	r.depth--
	return i
}

// pair reads a key and its value into m, which must not have that key if it is
// met once: one document may write it in more than one way.
func (r *Reader) pair(i int, p *program, e *mem.Entry, m reflect.Value, once bool) int {
	at := i
	if p.typ.Strict && r.null(i) {
		return r.bad(i, packwire.Mismatch, p.key.typ.Rtype.String())
	}
	if i = r.keyAt(i, p.key, e.Key); i < 0 {
		return -1
	}
	if once && m.MapIndex(e.Key.Value(p.key.mem)).IsValid() {
		return r.fail(at, weft.ErrDuplicateName)
	}
	if i = r.value(i, p.elem, e.Elem); i < 0 {
		return -1
	}
	e.Put(m)
	return i
}

// keyAt reads the key of a map. Where an integer is expected its decimal digits are
// accepted too, as formats whose keys are all strings write it.
func (r *Reader) keyAt(i int, p *program, q mem.Ptr) int {
	switch p.dec {
	case plan.String:
		s, end := r.string(i)
		if end >= 0 {
			*mem.At[string](q) = s
		}
		return end
	case plan.Bool, plan.Float32, plan.Float64, plan.Time:
		return r.value(i, p, q)
	case plan.Int, plan.Int8, plan.Int16, plan.Int32, plan.Int64,
		plan.Uint, plan.Uint8, plan.Uint16, plan.Uint32, plan.Uint64, plan.Uintptr:
		start, end := packwire.ReadString(r.b, i)
		if end < 0 {
			return r.value(i, p, q)
		}
		if err := plan.ParseIntKey(string(r.b[start:end]), q.Value(p.mem)); err != nil {
			return r.fail(i, err)
		}
		return end
	}
	end := r.value(i, p, q)
	if end >= 0 && !p.mem.Comparable(q) {
		return r.fail(i, errKey)
	}
	return end
}
