package value

import (
	"iter"
	"maps"
	"slices"
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

// Map returns the map of the given members in their order. Of several members of
// one name the last one's value stands in the place of the first.
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
	slots := newSlots(newShape(names))
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
	if len(b.names) <= 4*few {
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
	return mapWith(newShape(slices.Clip(b.names)), slices.Clip(b.vals))
}

// Len returns the number of elements of a list, of members of a map and of bytes
// of a string or a string of bytes; 0 for every other kind.
func (v Value) Len() int {
	switch v.Kind() {
	case KindString, KindBytes, KindList, KindMap:
		return int(v.num)
	}
	return 0
}

// At returns the i-th element of a list or the value of the i-th member of a map;
// null if there is none.
func (v Value) At(i int) Value {
	if uint(i) < uint(v.num) {
		switch v.Kind() {
		case KindList:
			return v.elems()[i]
		case KindMap:
			return v.members()[i]
		}
	}
	return Value{}
}

// Name returns the name of the i-th member of a map; "" if there is none.
func (v Value) Name(i int) string {
	if v.Kind() == KindMap && uint(i) < uint(v.num) {
		return v.shape().names[i]
	}
	return ""
}

// Get returns the value of the member of that name; ok is false if there is none
// or v is no map.
func (v Value) Get(name string) (m Value, ok bool) {
	if v.Kind() != KindMap || v.num == 0 {
		return Value{}, false
	}
	if i := v.shape().find(name, -1); i >= 0 {
		return v.members()[i], true
	}
	return Value{}, false
}

// Has tells whether v is a map with a member of that name.
func (v Value) Has(name string) bool {
	return v.Kind() == KindMap && v.shape().find(name, -1) >= 0
}

// All returns an iterator over the elements of a list with their indexes, or over
// the values of the members of a map with their places.
func (v Value) All() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		for i, e := range v.children() {
			if !yield(i, e) {
				return
			}
		}
	}
}

// Values returns an iterator over the elements of a list or the values of the
// members of a map.
func (v Value) Values() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for _, e := range v.children() {
			if !yield(e) {
				return
			}
		}
	}
}

// Members returns an iterator over the members of a map in its order.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.Kind() != KindMap || v.num == 0 {
			return
		}
		names := v.shape().names
		for i, e := range v.members() {
			if !yield(names[i], e) {
				return
			}
		}
	}
}

// Names returns an iterator over the names of the members of a map in its order.
func (v Value) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range v.Members() {
			if !yield(name) {
				return
			}
		}
	}
}

// Sorted returns v with its members in the order of their names, if it is a map.
func (v Value) Sorted() Value {
	if v.Kind() != KindMap || v.num == 0 {
		return v
	}
	s := v.shape()
	if slices.IsSorted(s.names) {
		return v
	}
	names := make([]string, 0, len(s.names))
	for _, i := range s.sorted() {
		names = append(names, s.names[i])
	}
	slots := newSlots(newShape(names))
	for j, i := range s.sorted() {
		slots[j+1] = v.members()[i]
	}
	return mapOf(slots)
}

func (v Value) children() []Value {
	switch v.Kind() {
	case KindList:
		return v.elems()
	case KindMap:
		return v.members()
	}
	return nil
}
