package cbor

import (
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// Special values of counts.
const (
	isOpen = -1 // the container has an indefinite length
	isNull = -2 // a null stands in its place
)

// count reads the head of the array or map, as major says, at i, or a null: how many elements or pairs there
// are, and the index of the first. As many as are in the containers around must fit into the document. Each
// is to be begun by ends.
func (r *reader) count(i int, major byte) (n, next int) {
	if i < len(r.b) && r.b[i]^major < steps.ShortText { // same as below
		n, next = int(r.b[i]^major), i+1
		if items := pick(major == cborwire.Map, 2*n, n); items <= len(r.b)-next-r.reserved {
			r.reserved += items
			return n, next
		}
	}
	if r.null(i) {
		return isNull, i + 1
	}
	at := r.content(i)
	if at < 0 {
		return 0, -1
	}
	c, u, next := r.head(at)
	switch {
	case next < 0:
		return 0, -1
	case c&0xe0 != major:
		return 0, r.bad(i, cborwire.Mismatch, pick(major == cborwire.Map, "map", "array"))
	case c&31 == cborwire.Open:
		return isOpen, next
	}
	each := pick(major == cborwire.Map, 2, 1)
	if u > uint64(max(len(r.b)-next-r.reserved, 0)/each) {
		return 0, r.bad(i, cborwire.Short, "array")
	}
	r.reserved += int(u) * each
	return int(u), next
}

// content returns the index of what the tags at i are of: of an item that is encoded in a byte string (§3.4.5.1), which
// must end with it, that item.
func (r *reader) content(i int) int {
	i, number := r.tagged(i)
	if i < 0 || number != tagEncoded {
		return i
	}
	n, next := cborwire.Head(r.b, i)
	if next < 0 || r.b[i]&0xe0 != cborwire.Bytes || r.b[i]&31 == cborwire.Open || n > uint64(len(r.b)-next) {
		return i
	}
	body := r.b[:next+int(n)]
	if end, at := cborwire.Check(body, next, r.maxDepth-r.depth, r.rules); end < 0 {
		return r.broke(at, end)
	} else if end != len(body) {
		return r.fail(end, weft.ErrTrailingData)
	}
	next, _ = r.tagged(next)
	return next
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// ends reports whether the container ends at *i, where n elements of so many items are expected, or as many as there
// are; if not one begins there.
func (r *reader) ends(i *int, n, each int) bool {
	if n >= 0 {
		r.reserved -= each
		return false
	}
	if *i < len(r.b) && r.b[*i] == cborwire.Break {
		*i++
		return true
	}
	return false
}

// keySpan is where the last key of a map is.
type keySpan struct{ at, end int }

// ordered checks that the key that stands from at to end comes after the last one, where the rules say so.
func (r *reader) ordered(last *keySpan, at, end int) bool {
	if r.rules&cborwire.Sorted == 0 {
		return true
	}
	if last.end > 0 && !steps.Rises(r.b, last.at, at) && !r.after(r.b[last.at:last.end], at, end) {
		return false
	}
	*last = keySpan{at, end}
	return true
}

// quickKeys reports whether no rule, and once, that keys must differ, asks more of a map whose first keys are short
// text than that each comes after the one before, if the rules say so.
func (r *reader) quickKeys(once bool) bool {
	return r.rules&cborwire.Sorted != 0 || r.rules == 0 && !once
}

// after checks that the key that stands from at to end comes after this one.
func (r *reader) after(key []byte, at, end int) bool {
	switch c := cborwire.CompareKeys(key, r.b[at:end], r.rules&cborwire.LengthFirst != 0); {
	case c == 0:
		r.broke(at, cborwire.Twice)
		return false
	case c > 0:
		r.broke(at, cborwire.NotSorted)
		return false
	}
	return true
}

// slice reads an array into the slice at q.
func (r *reader) slice(i int, p *program, q mem.Ptr) int {
	if r.isTyped(i) {
		return r.typed(i, func(i int) int { return r.slice(i, p, q) })
	}
	n, next := r.count(i, cborwire.Array)
	if next < 0 {
		return -1
	}
	if n == isNull {
		p.mem.Clear(q)
		return next
	}
	if !r.deeper(i) {
		return -1
	}
	if n < 0 && r.ends(&next, n, 1) {
		n = 0
	}
	elem := p.elem
	if n != 0 {
		elem = elem.meet(plan.Unmarshal)
	}
	size := max(int(elem.mem.Size), 1)
	if n >= 0 && (n <= q.SliceCap() || n <= (roomy+growth*(len(r.b)-next))/size) {
		var a mem.Array
		shares := false
		if n > 0 && n <= q.SliceCap() {
			q.SetLen(n)
			a = q.Slice()
			if elem.dec >= plan.Bytes {
				for j := range n {
					elem.mem.Clear(a.At(elem.mem, j))
				}
			}
		} else {
			a, shares = r.slabs.Make(elem.slab, elem.mem, q, p.typ.Rtype, n)
		}
		var u *runs
		if elem.dec == plan.Struct && next < len(r.b) && r.flags&flagExactArrays == 0 {
			if u = r.runs(elem, r.depth+1, r.b[next]&0xe0 == cborwire.Map); u != nil && !u.whole {
				u = nil
			}
		}
		for j := 0; j < n; j++ {
			if u != nil {
				k := j
				next, j = r.wholes(next, elem, u, a, j, n)
				if r.reserved -= j - k; j == n {
					break
				}
			}
			r.reserved--
			if next = r.value(next, elem, a.At(elem.mem, j)); next < 0 {
				return -1
			}
		}
		if shares {
			p.mem.KeepSlice(q, next-i)
		}
	} else {
		g := mem.NewGather(elem.mem, true)
		for ; n != 0 && !r.ends(&next, n, 1); n-- {
			if next = r.value(next, elem, g.Next()); next < 0 {
				return -1
			}
		}
		g.Take(0, q, false)
	}
	r.depth--
	return next
}

// A slice is made before its elements are read if it takes no more than roomy bytes and growth times what is left of
// the document. Beyond that it grows with the elements that have been read.
const (
	roomy  = 8 << 10
	growth = 2
)

// array reads an array into the Go array at q: what is missing is zero, what is too much is skipped.
func (r *reader) array(i int, p *program, q mem.Ptr) int {
	if r.isTyped(i) {
		return r.typed(i, func(i int) int { return r.array(i, p, q) })
	}
	n, next := r.count(i, cborwire.Array)
	if next < 0 {
		return -1
	}
	a := q.Array()
	j := 0
	if n != isNull {
		if r.flags&flagExactArrays != 0 && n >= 0 && n != p.typ.Len {
			return r.fail(i, lengthError(n, p.typ.Len))
		}
		if !r.deeper(i) {
			return -1
		}
		for ; n != 0 && !r.ends(&next, n, 1); n-- {
			if j < p.typ.Len {
				next = r.value(next, p.elem, a.At(p.elem.mem, j))
			} else {
				next = r.skip(next)
			}
			if j++; next < 0 {
				return -1
			}
		}
		r.depth--
	}
	for ; j < p.typ.Len; j++ {
		p.elem.mem.Clear(a.At(p.elem.mem, j))
	}
	return next
}

// mapping reads a map into the map at q, which keeps what it has, or an array, whose elements are its keys.
func (r *reader) mapping(i int, p *program, q mem.Ptr) int {
	var last keySpan
	order, major, each := &last, byte(cborwire.Map), 2
	if r.isSet(i, p) {
		order, major, each = nil, cborwire.Array, 1
	}
	n, next := r.count(i, major)
	if next < 0 {
		return -1
	}
	m := q.Value(p.mem)
	if n == isNull {
		m.SetZero()
		return next
	}
	if !r.deeper(i) {
		return -1
	}
	if m.IsNil() {
		m.Set(reflect.MakeMapWithSize(p.typ.Rtype, max(0, min(n, roomy/64))))
	}
	once := r.flags&setting.RejectDuplicates != 0 && m.Len() == 0
	e := p.entries.Get().(*mem.Entry)
	rise := order != nil && r.rules&cborwire.Sorted != 0 && p.key.dec == plan.String // short text in order is there once
	for ; n != 0 && !r.ends(&next, n, each); n-- {
		rise = rise && next < len(r.b) && r.b[next]^cborwire.Text < steps.ShortText
		if next = r.pair(next, p, e, m, once && !rise, order); next < 0 {
			return -1
		}
	}
	p.entries.Put(e)
	r.depth--
	return next
}

// pair reads a key and its value into m, which must not have that key if it is met once. If last is nil, m is a set,
// and there is no value.
func (r *reader) pair(i int, p *program, e *mem.Entry, m reflect.Value, once bool, last *keySpan) int {
	at := i
	if last != nil && p.typ.Strict && r.null(i) {
		return r.bad(i, cborwire.Mismatch, p.key.typ.Rtype.String())
	}
	if i = r.keyAt(i, p.key, e.Key); i < 0 || last != nil && !r.ordered(last, at, i) {
		return -1
	}
	if once && m.MapIndex(e.Key.Value(p.key.mem)).IsValid() {
		return r.fail(at, weft.ErrDuplicateName)
	}
	if last != nil {
		if i = r.value(i, p.elem, e.Elem); i < 0 {
			return -1
		}
	}
	e.Put(m)
	return i
}

// keyAt reads the key of a map. Where an integer is expected its decimal digits are accepted too, as formats whose
// keys are all strings write it.
func (r *reader) keyAt(i int, p *program, q mem.Ptr) int {
	isText := i < len(r.b) && (r.b[i]&0xe0 == cborwire.Text || r.b[i]&0xe0 == cborwire.Bytes)
	switch {
	case p.dec == plan.String:
		text, end := r.keyText(i)
		if end >= 0 {
			*mem.At[string](q) = text
		}
		return end
	case isText && p.dec >= plan.Int && p.dec <= plan.Uintptr:
		text, end := r.text(i)
		if end < 0 {
			return -1
		}
		if err := plan.ParseIntKey(text, q.Value(p.mem)); err != nil {
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

// keyText reads a string or an integer as a name.
func (r *reader) keyText(i int) (string, int) {
	if i < len(r.b) && r.b[i] < cborwire.Bytes {
		v, end := r.bigAt(i)
		if end < 0 {
			return "", -1
		}
		return v.String(), end
	}
	if r.null(i) {
		return "", r.bad(i, cborwire.Mismatch, "member name")
	}
	return r.text(i)
}
