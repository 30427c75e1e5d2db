package value

import (
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/tree"
)

// newSlots returns memory for a map of shape s and the values of its members.
func newSlots(s *tree.Shape) []Value {
	slots := make([]Value, 1+s.Len())
	slots[0].ref = mem.RefTo(s)
	return slots
}

// mapOf returns the map that newSlots has made memory for. The values must not
// change any more.
func mapOf(slots []Value) Value {
	if len(slots) <= 1 {
		return make1(KindMap, 0)
	}
	return makeRef(KindMap, mem.RefSlice(slots), len(slots)-1)
}

// mapWith returns the map of shape s whose values are slots but the first.
func mapWith(s *tree.Shape, slots []Value) Value {
	slots[0].ref = mem.RefTo(s)
	return mapOf(slots)
}

// isTree reports whether the list or map v is part of a document: ref then refers to
// that, and meta has in 40 bits one more than the place of its cells and, for a map,
// in 16 bits above the number of its shape.
func (v Value) isTree() bool { return v.meta>>metaShift != 0 }

const (
	shapeShift = 48
	shapeFar   = 0xffff // the number of the shape is in the word before the cells
)

// inTree returns the value that a cell of a document is.
func inTree(d *tree.Doc, c tree.Cell) Value {
	switch c.Tag() {
	case tree.TagSimple:
		switch c {
		case tree.False:
			return Bool(false)
		case tree.True:
			return Bool(true)
		}
		if f, ok := c.Float32(); ok {
			return Float32(f)
		}
		return Value{}
	case tree.TagInt:
		return Int(c.Int())
	case tree.TagString:
		return String(d.Text(c.At(), c.Small()))
	case tree.TagNumber:
		return numberOf(d.Text(c.At(), c.Small()))
	case tree.TagList:
		return treeList(d, c.At(), c.Small())
	case tree.TagMap:
		if c == tree.EmptyMap {
			return make1(KindMap, 0)
		}
		return treeMap(d, c.At(), c.Small(), d.Shape(c.Small()))
	case tree.TagFar:
		return farValue(d, c)
	}
	return make1(KindFloat, uint64(c))
}

func treeList(d *tree.Doc, at, n int) Value {
	if n == 0 {
		return make1(KindList, 0)
	}
	return Value{ref: mem.RefTo(d), num: uint64(n), meta: uint64(KindList) | uint64(at+1)<<metaShift}
}

func treeMap(d *tree.Doc, at, shape int, s *tree.Shape) Value {
	return Value{
		ref:  mem.RefTo(d),
		num:  uint64(s.Len()),
		meta: uint64(KindMap) | uint64(at+1)<<metaShift | uint64(shape)<<shapeShift,
	}
}

func farValue(d *tree.Doc, c tree.Cell) Value {
	code, at := c.Far()
	switch code {
	case tree.FarInt:
		return Int(int64(d.Word(at)))
	case tree.FarUint:
		return Uint(d.Word(at))
	case tree.FarFloat:
		return make1(KindFloat, d.Word(at))
	case tree.FarString:
		return String(d.Text(int(d.Word(at)), int(d.Word(at+1))))
	case tree.FarNumber:
		return numberOf(d.Text(int(d.Word(at)), int(d.Word(at+1))))
	case tree.FarBytes:
		return bytesOf(d.Bytes(int(d.Word(at)), int(d.Word(at+1))))
	case tree.FarTime:
		return Time(time.Unix(int64(d.Word(at)), int64(d.Word(at+1))).UTC())
	case tree.FarExt:
		return extOf(int64(d.Word(at+2)), d.Bytes(int(d.Word(at)), int(d.Word(at+1))))
	case tree.FarOwnString:
		return String(d.OwnText(at))
	case tree.FarOwnNumber:
		return numberOf(d.OwnText(at))
	case tree.FarList:
		return treeList(d, at+1, int(d.Word(at)))
	case tree.FarLazy:
		l := d.Lazy(at)
		return Value{ref: mem.RefTo(l), num: 1, meta: uint64(pick(l.IsMap(), KindMap, KindList)) | lazyMark<<metaShift}
	}
	return treeMap(d, at+1, shapeFar, d.Shape(int(d.Word(at))))
}

// kids is the elements of a list or the values of the members of a map.
type kids struct {
	vals []Value
	doc  *tree.Doc // nil where vals is
	from int       // the place of the first cell
	n    int
}

// kids returns what is in v: nothing unless it is a list or a map.
func (v *Value) kids() kids {
	k := v.Kind()
	switch {
	case k != KindList && k != KindMap || v.num == 0:
		return kids{}
	case v.isLazy():
		w := v.open()
		return w.kids()
	case v.isTree():
		return kids{doc: mem.Target[tree.Doc](v.ref), from: v.cells(), n: int(v.num)}
	case k == KindList:
		return kids{vals: mem.Elems[Value](v.ref, int(v.num)), n: int(v.num)}
	}
	return kids{vals: mem.Elems[Value](v.ref, int(v.num)+1)[1:], n: int(v.num)}
}

// at returns the i-th of less than n.
func (k *kids) at(i int) Value {
	if k.doc == nil {
		return k.vals[i]
	}
	return inTree(k.doc, k.doc.Cell(k.from+i))
}

// all returns them side by side.
func (k *kids) all() []Value {
	if k.doc == nil {
		return k.vals
	}
	out := make([]Value, k.n)
	for i := range out {
		out[i] = inTree(k.doc, k.doc.Cell(k.from+i))
	}
	return out
}

// lazyMark stands in meta of a list or a map of which there is only the text: ref
// refers to a tree.Lazy, and num is not 0.
const lazyMark = 0xffff << (shapeShift - metaShift)

func (v *Value) isLazy() bool { return v.meta>>metaShift == lazyMark }

// open returns v as a part of a document that has been read.
func (v *Value) open() Value {
	if !v.isLazy() {
		return *v
	}
	return inTree(mem.Target[tree.Lazy](v.ref).Open())
}

// count returns the number of what is in a list or a map.
func (v *Value) count() int {
	if v.isLazy() {
		w := v.open()
		return int(w.num)
	}
	return int(v.num)
}

// cells returns the place of the first cell of a list or map in a document.
func (v *Value) cells() int { return int(v.meta>>metaShift&(1<<40-1)) - 1 }

// shape returns the shape of the map v, nil if it is empty.
func (v Value) shape() *tree.Shape {
	if v.num == 0 {
		return nil
	}
	if !v.isTree() {
		return mem.Target[tree.Shape](mem.First[Value](v.ref).ref)
	}
	if v.isLazy() {
		return v.open().shape()
	}
	d := mem.Target[tree.Doc](v.ref)
	n := int(v.meta >> shapeShift)
	if n == shapeFar {
		n = int(d.Word(v.cells() - 1))
	}
	return d.Shape(n)
}

// names returns the names of the members of the map v.
func (v Value) names() []string {
	if s := v.shape(); s != nil {
		return s.Names
	}
	return nil
}

// members returns the values of the map v in its order.
func (v Value) members() []Value {
	k := v.kids()
	return k.all()
}

// elems returns the elements of the list v.
func (v Value) elems() []Value { return v.members() }

// child returns the i-th value in v, a list or a map of more.
func (v *Value) child(i int) Value {
	k := v.kids()
	return k.at(i)
}

// listOf returns the list that keeps elems, which must not change any more.
func listOf(elems []Value) Value { return makeRef(KindList, mem.RefSlice(elems), len(elems)) }
