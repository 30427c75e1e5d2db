package tagged

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// names gathers the names of one message while it is written.
type names struct {
	rows  []nameRow
	slots []int32 // open addressing: 1 + index of the row, 0 for none
	used  []usage // programs met
	slot  []int32 // by the ID of a program: 1 + its index in used
	list  []nameEntry
}

// nameRow is one name with the wire types that its values have had.
type nameRow struct {
	tag   uint32
	types uint16
	name  string
}

// usage is the wire types that the fields of a struct have had.
type usage struct {
	p    *program
	seen []uint16
}

// nameEntry is an entry of the table of names.
type nameEntry struct {
	tag  uint32
	slot int32 // the field of the name, of the names of a program
	name string
}

// sortNames puts names in the order of their tags.
func sortNames(list []nameEntry) {
	slices.SortFunc(list, func(x, y nameEntry) int { return cmp.Compare(int32(x.tag), int32(y.tag)) })
}

// reset forgets everything.
func (n *names) reset() {
	for i := range n.used {
		n.slot[n.used[i].p.id] = 0
		n.used[i].p = nil
	}
	n.used = n.used[:0]
	if len(n.rows) > 0 {
		clear(n.slots)
		clear(n.rows)
		n.rows = n.rows[:0]
	}
}

// use returns the place for what is seen of the fields of p.
func (n *names) use(p *program) []uint16 {
	if p.id < len(n.slot) {
		if i := n.slot[p.id]; i > 0 {
			return n.used[i-1].seen
		}
	}
	return n.meet(p)
}

func (n *names) meet(p *program) []uint16 {
	if p.id >= len(n.slot) {
		n.slot = append(n.slot, make([]int32, p.id+1-len(n.slot))...)
	}
	i := len(n.used)
	n.used = slices.Grow(n.used, 1)[:i+1]
	u := &n.used[i]
	u.p, u.seen = p, append(u.seen[:0], make([]uint16, len(p.fields))...)
	n.slot[p.id] = int32(i + 1)
	return u.seen
}

// note returns the index of the row of a name, or the name that has its hash.
func (n *names) note(tag uint32, name string) (int, error) {
	if len(n.slots) > 0 {
		if i := n.find(tag); i >= 0 {
			if n.rows[i].name != name {
				return 0, &CollisionError{n.rows[i].name, name}
			}
			return i, nil
		}
	}
	if 2*len(n.rows) >= len(n.slots) {
		n.grow()
	}
	n.rows = append(n.rows, nameRow{tag: tag, name: name})
	n.insert(len(n.rows) - 1)
	return len(n.rows) - 1, nil
}

func (n *names) find(tag uint32) int {
	mask := uint32(len(n.slots) - 1)
	for h := tag >> 8 & mask; n.slots[h] != 0; h = (h + 1) & mask {
		if i := int(n.slots[h] - 1); n.rows[i].tag == tag {
			return i
		}
	}
	return -1
}

func (n *names) insert(i int) {
	mask := uint32(len(n.slots) - 1)
	h := n.rows[i].tag >> 8 & mask
	for n.slots[h] != 0 {
		h = (h + 1) & mask
	}
	n.slots[h] = int32(i + 1)
}

func (n *names) grow() {
	n.slots = make([]int32, max(16, 2*len(n.slots)))
	for i := range n.rows {
		n.insert(i)
	}
}

// appendTable appends the table of all names, if there are any.
func (n *names) appendTable(b []byte) ([]byte, error) {
	list := n.list[:0]
	if len(n.used) == 1 && len(n.rows) == 0 {
		// The tags of one struct are in order and do not collide.
		u := &n.used[0]
		for i, types := range u.seen {
			f := &u.p.fields[i]
			list = appendTypes(list, f.tag, types, f.f.Name)
		}
	} else {
		for k := range n.used {
			u := &n.used[k]
			for i, types := range u.seen {
				if types == 0 {
					continue
				}
				f := &u.p.fields[i]
				r, err := n.note(f.tag, f.f.Name)
				if err != nil {
					return b, err
				}
				n.rows[r].types |= types
			}
		}
		for i := range n.rows {
			list = appendTypes(list, n.rows[i].tag, n.rows[i].types, n.rows[i].name)
		}
		sortNames(list)
	}
	n.list = list
	return appendNames(b, list), nil
}

// appendNames appends a table of names, which it forgets, if there are any.
func appendNames(b []byte, list []nameEntry) []byte {
	if len(list) == 0 {
		return b
	}
	size := 0
	for i := range list {
		size += tagwire.TagSize + tagwire.UvarintLen(uint64(len(list[i].name))) + len(list[i].name)
	}
	b = tagwire.AppendUvarint(tagwire.AppendTag(b, tagwire.Names), uint64(size))
	for i := range list {
		b = appendText(tagwire.AppendTag(b, list[i].tag), list[i].name)
		list[i].name = ""
	}
	return b
}

func appendTypes(list []nameEntry, tag uint32, types uint16, name string) []nameEntry {
	for ; types != 0; types &= types - 1 {
		list = append(list, nameEntry{tag: tag | uint32(bits.TrailingZeros16(types)), name: name})
	}
	return list
}
