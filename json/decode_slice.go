package json

import (
	"fmt"
	"reflect"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// sliceValue decodes the array at i into the slice at p.
func (d *decoder) sliceValue(n *node, p mem.Ptr, i int) int {
	b := d.b
	if b.At(i) != '[' {
		return d.misfit(n, p, i)
	}
	if p.SliceCap() != 0 {
		return d.reuseSlice(n, p, i)
	}
	if n.elem.op == opStruct && d.depth < longDepth && d.longList(n) {
		return d.longSlice(n, p, i)
	}
	if d.depth++; d.depth > d.most {
		return d.fail()
	}
	i++
	if b.At(i) <= ' ' {
		i = d.space(i)
	}
	if b.At(i) == ']' {
		d.depth--
		p.SetEmpty()
		return i + 1
	}
	g := d.gather(n)
	if n.elem.op == opString {
		g.In(d.strings.made)
	}
	mark, start := g.Mark(), i
	flip := 0
	for elem := n.elem; ; {
		q := g.Next()
		switch elem.op {
		case opStruct:
			i = d.structValue(elem, q, i)
		case opString:
			i = d.stringValue(elem, q, i)
		case opSlice:
			i = d.sliceValue(elem, q, i)
		case opFloat64:
			i = d.floatValue(elem, q, i)
		default:
			i = d.value(elem, q, i)
		}
		if i < 0 {
			if i == failed {
				if d.err != nil {
					g.Take(mark, p, false)
				}
				return i
			}
			i, flip = ^i, -1
		}
		if b.At(i) <= ' ' {
			i = d.space(i)
		}
		switch b.At(i) {
		case ',':
			i++
			if b.At(i) <= ' ' {
				i = d.space(i)
			}
			continue
		case ']':
			g.Take(mark, p, i-start <= n.elem.shares())
			if elem.op == opStruct && d.depth <= longDepth {
				d.counted(n, p.SliceCap())
			}
			d.depth--
			return (i + 1) ^ flip
		}
		return d.fail()
	}
}

// A list of at least longBytes, within fewer than longDepth others, is decoded where it stays, in memory for as many
// elements as the last ones had, and not copied at its end: it is the list of a page, and pages are mostly of one size.
const (
	longBytes = 4 << 10
	longDepth = 3
)

// longList reports whether the last lists of type n were long.
func (d *decoder) longList(n *node) bool {
	if n.id >= len(d.counts) {
		return false
	}
	c := &d.counts[n.id]
	return uintptr(min(c[0], c[1]))*n.elem.mem.Size >= longBytes
}

// longSlice is sliceValue for a list that is expected to be long.
func (d *decoder) longSlice(n *node, p mem.Ptr, i int) int {
	i = d.reuseSlice(n, p, i)
	if v := p.Value(n.mem); v.Len() < v.Cap()/2 { // it is short, and is not to keep the memory of a long one
		own := reflect.MakeSlice(n.rtype, v.Len(), v.Len())
		reflect.Copy(own, v)
		v.Set(own)
	}
	return i
}

// reuseSlice is sliceValue for a slice that has memory, whose elements must not move, or that is long: they are
// decoded into as they are, which is what encoding/json does.
func (d *decoder) reuseSlice(n *node, p mem.Ptr, i int) int {
	v := p.Value(n.mem)
	if v.Cap() != 0 && !d.commit() || !d.waits && n.op != opSlice && !d.wellFormed() {
		return d.fail()
	}
	if d.depth++; d.depth > d.most {
		return d.fail()
	}
	if n.fresh {
		v.SetLen(v.Cap())
		v.Clear()
		v.SetLen(0)
	}
	i = d.ws(i + 1)
	if d.b.At(i) == ']' {
		d.depth--
		p.SetEmpty()
		return i + 1
	}
	flip, mark := 0, len(d.later)
	if v.Cap() == 0 {
		v.Grow(max(d.expected(n, n.elem.mem.Size, i), 1))
	}
	for k := 0; ; k++ {
		if k >= v.Cap() {
			if !d.growSlice(n, p, v, k, mark) {
				return d.fail()
			}
		}
		if k >= v.Len() {
			v.SetLen(k + 1)
		}
		i = d.value(n.elem, p.Slice().At(n.elem.mem, k), i)
		if i < 0 {
			if i == failed {
				return i
			}
			i, flip = ^i, -1
		}
		i = d.ws(i)
		if d.b.At(i) == ',' {
			i = d.ws(i + 1)
			continue
		}
		if d.b.At(i) != ']' {
			return d.fail()
		}
		if k+1 < v.Len() { // decoding an element may have changed a slice that holds itself
			v.SetLen(k + 1)
		}
		d.counted(n, k+1)
		d.depth--
		return (i + 1) ^ flip
	}
}

// growSlice makes room for one more element of the slice v at p, which has k elements. The methods that wait since
// mark follow their elements.
func (d *decoder) growSlice(n *node, p mem.Ptr, v reflect.Value, k, mark int) bool {
	if mem.Safe && len(d.later) > mark && !d.commit() {
		return false
	}
	from := p.Slice()
	v.Grow(1)
	to := p.Slice()
	for l := min(mark, len(d.later)); l < len(d.later); l++ {
		c := &d.later[l]
		c.p = c.p.Moved(from, to, n.elem.mem, k)
	}
	return true
}

// arrayValue decodes the array at i into the Go array at p. Elements that are
// too many are skipped, missing ones become zero, unless the length must fit.
func (d *decoder) arrayValue(n *node, p mem.Ptr, i int) int {
	b := d.b
	if b.At(i) != '[' {
		return d.misfit(n, p, i)
	}
	if d.depth++; d.depth > d.most {
		return d.fail()
	}
	if n.fresh && !p.AllZero(n.mem) {
		n.mem.Clear(p)
	}
	a := p.Array()
	i = d.ws(i + 1)
	k, flip := 0, 0
	for b.At(i) != ']' || k > 0 {
		switch elem := n.elem; {
		case k >= n.len:
			i = d.skip(i)
		case elem.op == opFloat64:
			if f, j, ok := wire.ReadFloat64(b, i); ok {
				*mem.At[float64](a.At(elem.mem, k)) = f
				i = j
			} else {
				i = d.misfit(elem, a.At(elem.mem, k), i)
			}
		default:
			i = d.value(elem, a.At(elem.mem, k), i)
		}
		k++
		if i < 0 {
			if i == failed {
				return i
			}
			i, flip = ^i, -1
		}
		i = d.ws(i)
		if b.At(i) == ',' {
			i = d.ws(i + 1)
			continue
		}
		if b.At(i) != ']' {
			return d.fail()
		}
		break
	}
	d.depth--
	if n.exact && k != n.len {
		return d.wrongText(n, fmt.Errorf("an array of %d elements does not fit %v", k, n.rtype), i, i+1)
	}
	if k < n.len && len(d.later) > 0 && d.hooked(n.elem) && !d.commit() {
		return d.fail()
	}
	for ; k < n.len; k++ {
		n.elem.mem.Clear(a.At(n.elem.mem, k))
	}
	return (i + 1) ^ flip
}

// bytesValue decodes the base64 string at i, or an array of numbers, into the
// slice of bytes at p.
func (d *decoder) bytesValue(n *node, p mem.Ptr, i int) int {
	if d.b.At(i) != '"' {
		if n.strict {
			return d.misfit(n, p, i)
		}
		if d.b.At(i) == '[' && d.hooked(n.elem) {
			return d.reuseSlice(n, p, i)
		}
		return d.sliceValue(n, p, i)
	}
	out, j, err := d.base64(i)
	switch {
	case j < 0:
		return j
	case err != nil:
		return d.save(d.about(n.rtype, err), i, j)
	case n.rtype == bytesType:
		*mem.At[[]byte](p) = out
	default:
		p.Value(n.mem).SetBytes(out)
	}
	return j
}

// base64 returns the bytes that the string at i has in base64 (RFC 4648 §4), not nil, and the index after it.
func (d *decoder) base64(i int) (out []byte, j int, err error) {
	text, j := d.text(i)
	if j < 0 {
		return nil, j, nil
	}
	out, err = wire.AppendFromBase64([]byte{}, text)
	return out, j, err
}

var bytesType = reflect.TypeFor[[]byte]()
