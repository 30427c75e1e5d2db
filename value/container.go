package value

import (
	"iter"
	"maps"
	"slices"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/tree"
)

// Member is a member of a map: a name and a value.
type Member struct {
	Name  string
	Value Value
}

// List returns the list of the given values.
func List(elems ...Value) Value { return listOf(slices.Clone(elems)) }

// ListOf returns the list of the values of seq.
func ListOf(seq iter.Seq[Value]) Value { return listOf(slices.Collect(seq)) }

// Map returns the map of the given members in their order. If several members have the same name, the value of the
// last one is at the position of the first.
func Map(members ...Member) Value {
	b := newBuilder(len(members))
	for i := range members {
		b.add(members[i].Name, members[i].Value)
	}
	return b.done()
}

// MapOf returns the map of the names and values of seq in their order; of equal
// names see [Map]. It takes what [Value.Members] and maps.All return.
func MapOf(seq iter.Seq2[string, Value]) Value {
	b := newBuilder(0)
	for name, v := range seq {
		b.add(name, v)
	}
	return b.done()
}

// MapSorted returns the map of m with its members in the order of their names.
func MapSorted(m map[string]Value) Value {
	names := slices.Sorted(maps.Keys(m))
	slots := newSlots(tree.NewShape(names))
	for i, name := range names {
		slots[i+1] = m[name]
	}
	return mapOf(slots)
}

// builder collects the members of a map.
type builder struct {
	names []string
	vals  []Value // the first is for the shape
	index map[string]int
}

func newBuilder(n int) *builder {
	return &builder{names: make([]string, 0, n), vals: make([]Value, 1, n+1)}
}

func (b *builder) add(name string, v Value) {
	if i := b.find(name); i >= 0 {
		b.vals[i+1] = v
		return
	}
	if b.index != nil {
		b.index[name] = len(b.names)
	}
	b.names = append(b.names, name)
	b.vals = append(b.vals, v)
}

func (b *builder) find(name string) int {
	if len(b.names) <= 4*tree.Few {
		return slices.Index(b.names, name)
	}
	if b.index == nil {
		b.index = make(map[string]int, 2*len(b.names))
		for i, n := range b.names {
			b.index[n] = i
		}
	}
	if i, ok := b.index[name]; ok {
		return i
	}
	return -1
}

func (b *builder) done() Value {
	return mapWith(tree.NewShape(slices.Clip(b.names)), slices.Clip(b.vals))
}

// Len returns the number of elements of a list, of members of a map and of bytes
// of a string or a string of bytes; 0 for every other kind.
func (v Value) Len() int {
	switch v.Kind() {
	case KindString, KindBytes:
		return int(v.num)
	case KindList, KindMap:
		return v.count()
	}
	return 0
}

// At returns the i-th element of a list or the value of the i-th member of a map;
// null if there is none.
func (v Value) At(i int) Value {
	if uint(i) < uint(v.Len()) {
		if k := v.Kind(); k == KindList || k == KindMap {
			return v.child(i)
		}
	}
	return Value{}
}

// Name returns the name of the i-th member of a map; "" if there is none.
func (v Value) Name(i int) string {
	if v.Kind() == KindMap && uint(i) < uint(v.count()) {
		return v.shape().Names[i]
	}
	return ""
}

// Get returns the value of the member of that name; ok is false if there is none
// or v is not a map.
func (v Value) Get(name string) (m Value, ok bool) {
	if v.Kind() != KindMap || v.num == 0 {
		return Value{}, false
	}
	if !v.isTree() {
		slots := mem.Elems[Value](v.ref, int(v.num)+1)
		i := mem.Target[tree.Shape](slots[0].ref).Index(name)
		if i < 0 {
			return Value{}, false
		}
		return slots[i+1], true
	}
	if v.isLazy() {
		w := v.open()
		return w.Get(name)
	}
	d := mem.Target[tree.Doc](v.ref)
	shape := int(v.meta >> shapeShift)
	if shape == shapeFar {
		shape = int(d.Word(v.cells() - 1))
	}
	i := d.Shape(shape).Index(name)
	if i < 0 {
		return Value{}, false
	}
	c := d.Cell(v.cells() + i)
	if c.Tag() == tree.TagMap && c != tree.EmptyMap {
		return treeMap(d, c.At(), c.Small(), d.Shape(c.Small())), true
	}
	return inTree(d, c), true
}

// Has reports whether v is a map with a member of that name.
func (v Value) Has(name string) bool {
	return v.Kind() == KindMap && v.shape().Find(name, -1) >= 0
}

// All returns an iterator over the elements of a list with their indexes, or over
// the values of the members of a map with their places.
func (v Value) All() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		all := v.kids()
		for i := range all.n {
			if !yield(i, all.at(i)) {
				return
			}
		}
	}
}

// Values returns an iterator over the elements of a list or the values of the
// members of a map.
func (v Value) Values() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		all := v.kids()
		for i := range all.n {
			if !yield(all.at(i)) {
				return
			}
		}
	}
}

// Members returns an iterator over the members of a map in its order.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.Kind() != KindMap || v.count() == 0 {
			return
		}
		names, all := v.shape().Names, v.kids()
		for i := range all.n {
			if !yield(names[i], all.at(i)) {
				return
			}
		}
	}
}

// Names returns an iterator over the names of the members of a map in its order.
func (v Value) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		if v.Kind() != KindMap {
			return
		}
		for _, name := range v.names() {
			if !yield(name) {
				return
			}
		}
	}
}

// Sorted returns v with its members in the order of their names, if it is a map.
func (v Value) Sorted() Value {
	if v.Kind() != KindMap || v.count() == 0 {
		return v
	}
	s := v.shape()
	if slices.IsSorted(s.Names) {
		return v
	}
	names := make([]string, 0, len(s.Names))
	for _, i := range s.Sorted() {
		names = append(names, s.Names[i])
	}
	slots := newSlots(tree.NewShape(names))
	for j, i := range s.Sorted() {
		slots[j+1] = v.child(int(i))
	}
	return mapOf(slots)
}
