package tagged

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/framewire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// The columns of a node of any values are found for each frame, from all of its
// values: each kind has columns of its own, and so has each member of objects.

// How objects become columns.
const (
	objectsShapes   = 0 // which of the lists of names each has
	objectsPresence = 1 // which of the names, of which there is one order, each has
	objectsNames    = 2 // names as a column of their own
)

// maxFreeValues is how many values of such nodes a frame may have that take no bytes.
const maxFreeValues = 1 << 20

// rowKinds are the kinds of values by the wire types of rows; null has none.
var rowKinds = [16]byte{
	tagwire.Int32: framewire.Int, tagwire.Int64: framewire.Int, tagwire.Double: framewire.Float64,
	tagwire.Fixed64: framewire.Uint, tagwire.String: framewire.String, tagwire.Object: framewire.Struct,
	tagwire.Array: framewire.List, tagwire.Number: framewire.Number, tagwire.Bool: framewire.Bool,
	tagwire.Single: framewire.Float32, tagwire.Bytes: framewire.Bytes, tagwire.Time: framewire.Time,
}

// dynamic adds the value at q, a row.
func (w *frameWriter) dynamic(nd *node, q mem.Ptr) {
	if w.encoder == nil {
		w.encoder = newEncoder(w.opts)
		w.encoder.rows = &w.names
	}
	c := &w.columns[nd.column]
	c.ints = append(c.ints, int64(len(w.rowed)))
	s := w.encoder
	w.rowed = s.value(append(w.rowed, 0, 0, 0, 0), nd.p, q) // the tag of a row has the number 0
	w.size += len(w.rowed) - int(c.ints[len(c.ints)-1])
	if s.err != nil {
		w.fail(s.located())
	} else if len(w.names.list) > maxRowNames {
		w.fail(errTooMany)
	}
}

// span returns the bytes of the string or container whose tag is at i of the rows.
func (w *frameWriter) span(i int64) (start, stop int) {
	return tagwire.Span(w.rowed, int(i)+tagwire.TagSize, len(w.rowed))
}

// spend reports whether n values may take no bytes.
func (w *frameWriter) spend(n int) bool {
	if n > framewire.MaxFree {
		return false
	}
	w.spent += n
	return w.spent <= maxFreeValues
}

// paid appends a block of v, which takes at least a bit for each unless it may be
// free.
func paid(b []byte, v []int64, free bool) []byte {
	if free || len(v) == 0 {
		return framewire.AppendInts(b, v)
	}
	return framewire.AppendPaid(b, v)
}

// values appends the columns of the values whose tags are at the given places of the
// rows.
func (w *frameWriter) values(b []byte, at []int64) []byte {
	n := len(at)
	kinds := w.Take(n)
	var count [framewire.Kinds]int
	for i, a := range at {
		k := rowKinds[w.rowed[a]&15]
		kinds[i] = int64(k)
		count[k]++
	}
	var present []byte
	var order [framewire.Kinds]int64
	for k, c := range count {
		if c > 0 {
			order[k] = int64(len(present))
			present = append(present, byte(k))
		}
	}
	free := w.spend(n)
	indexed := len(present) > 1 || n > 0 && !free
	head := uint64(2 * len(present))
	if indexed {
		head++
	}
	b = append(tagwire.AppendUvarint(b, head), present...)
	if indexed {
		index := w.Take(n)
		for i, k := range kinds {
			index[i] = order[k]
		}
		b = paid(b, index, free)
		w.Free(index)
	}
	for _, k := range present {
		if len(present) == 1 {
			b = w.kind(b, k, at)
			break
		}
		some := w.Take(count[k])[:0]
		for i, a := range at {
			if kinds[i] == int64(k) {
				some = append(some, a)
			}
		}
		b = w.kind(b, k, some)
		w.Free(some)
	}
	w.Free(kinds)
	return b
}

// kind appends the columns of values of one kind.
func (w *frameWriter) kind(b []byte, k byte, at []int64) []byte {
	switch k {
	case 0:
		return b
	case framewire.Struct:
		return w.objects(b, at)
	case framewire.List:
		return w.lists(b, at, false)
	case framewire.String, framewire.Bytes, framewire.Number:
		texts := w.texts[:0]
		for _, a := range at {
			start, stop := w.span(a)
			texts = append(texts, mem.String(w.rowed[start:stop]))
		}
		w.texts = texts
		return w.AppendStrings(b, framewire.TextsOf(texts), true)
	case framewire.Time:
		sec, nsec, zone := w.Take(len(at)), w.Take(len(at)), w.Take(len(at))
		for i, a := range at {
			from, stop := w.span(a)
			for _, v := range [][]int64{sec, nsec, zone} {
				var u uint64
				u, from = tagwire.Uvarint(w.rowed, from, stop)
				v[i] = tagwire.Unzigzag(u)
			}
		}
		b = framewire.AppendInts(framewire.AppendInts(framewire.AppendInts(b, sec), nsec), zone)
		w.Free(sec)
		w.Free(nsec)
		w.Free(zone)
		return b
	}
	v := w.Take(len(at))
	for i, a := range at {
		from := int(a) + tagwire.TagSize
		switch k {
		case framewire.Bool:
			v[i] = int64(w.rowed[from])
		case framewire.Int:
			u, _ := tagwire.Uvarint(w.rowed, from, len(w.rowed))
			v[i] = tagwire.Unzigzag(u)
		case framewire.Float32:
			v[i] = int64(binary.LittleEndian.Uint32(w.rowed[from:]))
		default:
			v[i] = int64(binary.LittleEndian.Uint64(w.rowed[from:]))
		}
	}
	if k == framewire.Float32 || k == framewire.Float64 {
		b = w.AppendFloats(b, v, k == framewire.Float32)
	} else {
		b = framewire.AppendInts(b, v)
	}
	w.Free(v)
	return b
}

// lists appends the lengths of lists, and the columns of their elements; or of objects and their members, whose names
// are data.
func (w *frameWriter) lists(b []byte, at []int64, named bool) []byte {
	lengths, elems := w.Take(len(at)), w.Take(0)
	texts := w.texts[:0]
	for i, a := range at {
		from := len(elems)
		for j, stop := w.span(a); j < stop; {
			elems = append(elems, int64(j))
			if named {
				texts = append(texts, w.names.list[tagwire.Tag(w.rowed, j)>>8].name)
			}
			j = tagwire.PassMemory(w.rowed, j+tagwire.TagSize, stop, uint32(w.rowed[j]&15))
		}
		lengths[i] = int64(len(elems)-from) + 1
	}
	b = framewire.AppendInts(b, lengths)
	if named {
		w.texts = texts
		b = w.AppendStrings(b, framewire.TextsOf(texts), true)
	}
	b = w.values(b, elems)
	w.Free(lengths)
	w.Free(elems)
	return b
}

// objectShape is the names of some objects, in order.
type objectShape struct {
	tags  []byte // of its names, without their wire types
	slots []int32
}

// objectSet is what a frame has of objects at one place.
type objectSet struct {
	shapes  []objectShape
	which   []int64   // the shape of each
	names   []uint32  // the tags of all names
	members [][]int64 // where the values of each are
	total   int
}

// objects appends the columns of objects.
func (w *frameWriter) objects(b []byte, at []int64) []byte {
	set := w.objectSet(at)
	if w.err != nil {
		return b
	}
	if n := len(set.names); n > 16 && n > set.total/8 {
		b = w.lists(append(b, objectsNames), at, true)
	} else {
		b = w.objectMembers(b, set)
	}
	for _, m := range set.members {
		w.places.Free(m)
	}
	w.Free(set.which)
	return b
}

// objectSet finds the shapes of objects, and where the values of their members are.
func (w *frameWriter) objectSet(at []int64) *objectSet {
	set := &objectSet{which: w.Take(len(at))}
	known := make(map[string]int)
	slots := make(map[uint32]int32)
	var tags []byte
	var places []int64
	last := -1
	for i, a := range at {
		tags, places = tags[:0], places[:0]
		for j, stop := w.span(a); j < stop; {
			tags = append(tags, 0, w.rowed[j+1], w.rowed[j+2], w.rowed[j+3])
			places = append(places, int64(j))
			j = tagwire.PassMemory(w.rowed, j+tagwire.TagSize, stop, uint32(w.rowed[j]&15))
		}
		if last < 0 || !bytes.Equal(set.shapes[last].tags, tags) {
			k, ok := known[string(tags)]
			if !ok {
				k = len(set.shapes)
				known[string(tags)] = k
				if !w.newShape(set, tags, slots) {
					return nil
				}
			}
			last = k
		}
		set.which[i] = int64(last)
		set.total += len(places)
		for j, slot := range set.shapes[last].slots {
			set.members[slot] = append(set.members[slot], places[j])
		}
	}
	return set
}

// newShape adds a shape of the given tags. A name that is there twice is an error.
func (w *frameWriter) newShape(set *objectSet, tags []byte, slots map[uint32]int32) bool {
	s := objectShape{tags: bytes.Clone(tags)}
	for i := 0; i < len(tags); i += tagwire.TagSize {
		tag := tagwire.Tag(tags, i)
		slot, ok := slots[tag]
		if !ok {
			slot = int32(len(set.names))
			slots[tag] = slot
			set.names = append(set.names, tag)
			set.members = append(set.members, w.places.Take(0))
		}
		s.slots = append(s.slots, slot)
	}
	seen := slices.Clone(s.slots)
	slices.Sort(seen)
	for i := 1; i < len(seen); i++ {
		if seen[i] == seen[i-1] {
			w.fail(fmt.Errorf("%w %q", weft.ErrDuplicateName, w.names.list[set.names[seen[i]]>>8].name))
			return false
		}
	}
	set.shapes = append(set.shapes, s)
	return true
}

// objectMembers appends the columns of the members of objects, and which objects have
// which of them.
func (w *frameWriter) objectMembers(b []byte, set *objectSet) []byte {
	n := len(set.which)
	order := make([]int32, len(set.names))
	for i := range order {
		order[i] = int32(i)
	}
	// What they take in about as many bits.
	shapes, presence := n*bits.Len(uint(len(set.shapes)-1)), 0
	for _, s := range set.shapes {
		shapes += 8 * (1 + len(s.slots))
	}
	for _, m := range set.members {
		presence += 32
		if len(m) < n {
			presence += n
		}
	}
	mode := byte(objectsShapes)
	if len(set.shapes) > 1 && presence < shapes {
		if sorted := set.order(); sorted != nil {
			mode, order = objectsPresence, sorted
		}
	}
	b = tagwire.AppendUvarint(append(b, mode), uint64(len(order)))
	for _, slot := range order {
		b = appendText(b, w.names.list[set.names[slot]>>8].name)
	}
	if mode == objectsShapes {
		b = tagwire.AppendUvarint(b, uint64(len(set.shapes)))
		for _, s := range set.shapes {
			b = tagwire.AppendUvarint(b, uint64(len(s.slots)))
			for _, slot := range s.slots {
				b = tagwire.AppendUvarint(b, uint64(slot))
			}
		}
		if len(set.shapes) > 1 {
			b = paid(b, set.which, w.spend(n))
		}
	} else {
		has, of := w.Take(n), w.Take(len(set.shapes))
		for _, slot := range order {
			for k := range of {
				of[k] = 0
				if slices.Contains(set.shapes[k].slots, slot) {
					of[k] = 1
				}
			}
			for i, k := range set.which {
				has[i] = of[k]
			}
			b = paid(b, has, w.spend(n))
		}
		w.Free(has)
		w.Free(of)
	}
	for _, slot := range order {
		b = w.values(b, set.members[slot])
	}
	return b
}

// order returns the names in one order of which each shape has a part, nil if there
// is none.
func (set *objectSet) order() []int32 {
	after := make([][]int32, len(set.names))
	before := make([]int, len(set.names))
	for _, s := range set.shapes {
		for i := 1; i < len(s.slots); i++ {
			a, b := s.slots[i-1], s.slots[i]
			if !slices.Contains(after[a], b) {
				after[a] = append(after[a], b)
				before[b]++
			}
		}
	}
	var order []int32
	for i, n := range before {
		if n == 0 {
			order = append(order, int32(i))
		}
	}
	for i := 0; i < len(order); i++ {
		for _, b := range after[order[i]] {
			if before[b]--; before[b] == 0 {
				order = append(order, b)
			}
		}
	}
	if len(order) < len(set.names) {
		return nil
	}
	return order
}
