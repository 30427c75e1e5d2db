package value

import (
	"slices"

	"github.com/weftcodec/weft/internal/tree"
)

// draft is a list or a map that the operations of a patch change in place. The first that does copies it, so that many
// cost no more than what they change.
type draft struct {
	from    Value    // what it was made of
	slots   []Value  // the first is for the shape of a map
	inner   []*draft // those that stand in place of what is behind the first slot; nil while there are none
	changed bool

	// Of a map: the shape of from, the names behind it with their places, and how many members are gone.
	shape *tree.Shape
	added []string
	index map[string]int
	gone  int
}

// removed stands in inner for a member that is gone.
var removed = new(draft)

func newDraft(v Value) *draft {
	d, all := &draft{from: v}, v.kids()
	if v.Kind() == KindMap {
		d.shape = v.shape()
	}
	d.slots = make([]Value, 1, all.n+2) // one more is likely
	for i := range all.n {
		d.slots = append(d.slots, all.at(i))
	}
	return d
}

// finish puts what a draft has become in its place, if there is one.
func finish(v *Value, d **draft) Value {
	if *d != nil {
		*v, *d = (*d).done(), nil
	}
	return *v
}

// done returns what the draft has become: from itself if nothing is changed.
func (d *draft) done() Value {
	for i, in := range d.inner {
		if in != nil && in != removed {
			d.put(i, in.done())
		}
	}
	switch {
	case !d.changed:
		return d.from
	case d.from.Kind() == KindList:
		return listOf(d.slots[1:])
	case d.gone == 0 && len(d.slots) <= tree.MaxShared:
		s := d.shape
		for _, name := range d.added {
			s = s.With(name)
		}
		return mapWith(s, d.slots)
	}
	names, n := make([]string, 0, d.len()-d.gone), 0
	for i, x := range d.slots[1:] {
		if !d.isGone(i) {
			names = append(names, d.name(i))
			n++
			d.slots[n] = x
		}
	}
	return mapWith(tree.NewShape(names), d.slots[:n+1])
}

func (d *draft) len() int { return len(d.slots) - 1 }

func (d *draft) isGone(i int) bool { return d.inner != nil && d.inner[i] == removed }

// name returns the name of the i-th member.
func (d *draft) name(i int) string {
	if n := d.shape.Len(); i >= n {
		return d.added[i-n]
	}
	return d.shape.Names[i]
}

// find returns the place of a name in a map, -1 if there is none.
func (d *draft) find(name string) int {
	if i, ok := d.index[name]; ok {
		return i
	}
	if i := d.shape.Find(name, -1); i >= 0 && !d.isGone(i) {
		return i
	}
	return -1
}

// at returns where the i-th value stands, and its draft.
func (d *draft) at(i int) (*Value, **draft) {
	if d.inner == nil {
		d.inner = make([]*draft, d.len(), cap(d.slots))
	}
	return &d.slots[i+1], &d.inner[i]
}

// put makes x the i-th value.
func (d *draft) put(i int, x Value) {
	if d.inner != nil {
		d.inner[i] = nil
	}
	if !d.slots[i+1].same(x) {
		d.slots[i+1], d.changed = x, true
	}
}

// insert puts x before the i-th value of a list, or behind the last of a list or map.
func (d *draft) insert(i int, x Value) {
	d.slots, d.changed = slices.Insert(d.slots, i+1, x), true
	if d.inner != nil {
		d.inner = slices.Insert(d.inner, i, nil)
	}
}

// add adds a member behind the last.
func (d *draft) add(name string, x Value) {
	if d.index == nil {
		d.index = make(map[string]int)
	}
	d.index[name] = d.len()
	d.added = append(d.added, name)
	d.insert(d.len(), x)
}

// remove removes the i-th value.
func (d *draft) remove(i int) {
	_, in := d.at(i)
	if d.changed = true; d.from.Kind() == KindMap {
		delete(d.index, d.name(i))
		*in = removed
		d.gone++
		return
	}
	d.slots = slices.Delete(d.slots, i+1, i+2)
	d.inner = slices.Delete(d.inner, i, i+1)
}

// pointer returns the value at a JSON pointer in v, which has the draft d or none. Its draft is finished.
func pointer(v *Value, d **draft, path string) (Value, bool) {
	var in *draft
	for *d != nil && path != "" {
		token, rest, ok := nextToken(path)
		i := -1
		if in = *d; ok && v.Kind() == KindMap {
			i = in.find(token)
		} else if n, isIndex := parseIndex(token); ok && isIndex && n < in.len() {
			i = n
		}
		if i < 0 {
			return Value{}, false
		}
		v, d = in.at(i)
		path = rest
	}
	old := *v
	if x := finish(v, d); in != nil && !x.same(old) {
		in.changed = true
	}
	return v.Pointer(path)
}

type edit uint8

const (
	editAdd edit = iota
	editReplace
	editRemove
)

// apply changes what a JSON pointer leads to in v, which has the draft d or none.
func (how edit) apply(v *Value, d **draft, path string, x Value) error {
	if path == "" {
		if how == editRemove {
			return errWhole
		}
		*v, *d = x, nil
		return nil
	}
	token, rest, ok := nextToken(path)
	kind := v.Kind()
	switch {
	case !ok:
		return errPointer
	case kind != KindMap && kind != KindList:
		return errAbsent
	case *d == nil:
		*d = newDraft(*v)
	}
	w, i := *d, 0
	if kind == KindMap {
		if i = w.find(token); i < 0 {
			if rest != "" || how != editAdd {
				return errAbsent
			}
			w.add(token, x)
			return nil
		}
	} else {
		add := rest == "" && how == editAdd
		if i, ok = parseIndex(token); token == "-" && add {
			i, ok = w.len(), true
		}
		switch {
		case !ok:
			return errPointer
		case i > w.len() || i == w.len() && !add:
			return errNoIndex
		case add:
			w.insert(i, x)
			return nil
		}
	}
	switch {
	case rest == "" && how == editRemove:
		w.remove(i)
	case rest == "":
		w.put(i, x)
	default:
		v, d := w.at(i)
		return how.apply(v, d, rest, x)
	}
	return nil
}
