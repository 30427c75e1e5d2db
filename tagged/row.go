package tagged

import (
	"slices"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// A row is a value on its way to the columns of a frame or from there. It is like a
// message, with these differences: it has every kind, by wire types that no message
// has; members keep their order; and the hash in the tag of a member is the number
// of its name instead, in a table that all rows of a frame share. Rows are in memory
// only.

// rowNames is the names of the rows of a frame.
type rowNames struct {
	list   []nameEntry // by number, from 1 on; the tag is that of a message
	number map[string]uint32
	tables map[*weft.Fields][]uint32 // tags of names
	fields map[*program][]uint32     // tags of fields, in declared order
}

// maxRowNames is how many names tags can tell apart.
const maxRowNames = 1<<24 - 1

func (n *rowNames) reset() {
	clear(n.list)
	n.list = n.list[:0]
	clear(n.number)
	clear(n.tables)
	clear(n.fields)
}

// tag returns the tag of a name, without a wire type.
func (n *rowNames) tag(name string) uint32 {
	if i, ok := n.number[name]; ok {
		return i << 8
	}
	if n.number == nil {
		n.number = make(map[string]uint32)
		n.tables = make(map[*weft.Fields][]uint32)
		n.fields = make(map[*program][]uint32)
	}
	if len(n.list) == 0 {
		n.list = append(n.list, nameEntry{})
	}
	i := uint32(len(n.list))
	n.list = append(n.list, nameEntry{tag: tagwire.Hash(name), name: name})
	n.number[name] = i
	return i << 8
}

// compare compares the names of two tags.
func (n *rowNames) compare(x, y uint32) int {
	return strings.Compare(n.list[x>>8].name, n.list[y>>8].name)
}

// table returns the tags of the names of f.
func (n *rowNames) table(f *weft.Fields) []uint32 {
	tags := n.tables[f]
	if tags == nil && f.Len() > 0 {
		tags = make([]uint32, f.Len())
		for i := range tags {
			tags[i] = n.tag(f.Name(i))
		}
		n.tables[f] = tags
	}
	return tags
}

// of returns the tags of the fields of a struct.
func (n *rowNames) of(p *program) []uint32 {
	tags := n.fields[p]
	if tags == nil && len(p.declared) > 0 {
		tags = make([]uint32, len(p.declared))
		for i, k := range p.declared {
			tags[i] = n.tag(p.fields[k].f.Name)
		}
		n.fields[p] = tags
	}
	return tags
}

// appendInstant appends an instant as rows have it: its seconds and nanoseconds since 1970, and the seconds that its
// zone is east of UTC.
func appendInstant(b []byte, sec, nsec, zone int64) []byte {
	b = append(as(b, tagwire.Time), 0)
	head := len(b) - 1
	return tagwire.End(tagwire.AppendVarint(tagwire.AppendVarint(tagwire.AppendVarint(b, sec), nsec), zone), head)
}

// rowStruct writes the struct at q, its members in declared order.
func (s *encoder) rowStruct(b []byte, p *program, q mem.Ptr) []byte {
	if !s.enter() {
		return b
	}
	b = begin(b, tagwire.Object)
	head := len(b) - 1
	tags := s.rows.of(p)
	for i, k := range p.declared {
		f := &p.fields[k]
		at, null, ok := special(f, q)
		if !ok {
			continue
		}
		if b = tagwire.AppendTag(b, tags[i]); null {
			b = append(b, 0)
		} else if b = s.value(b, f.p, at); s.err != nil {
			return s.within(b, f.f.Name)
		}
	}
	if p.rest != nil {
		if at := p.rest.At(q); !at.IsNil() {
			from := len(b)
			if b = s.pairs(b, p.restProg, at); s.err != nil {
				return b
			}
			b = s.sort(b, from)
		}
	}
	s.depth--
	return tagwire.End(b, head)
}

// rowMap writes a map of dynamic values, in the order of its names, which takes less than to sort what is written.
func (s *encoder) rowMap(b []byte, m map[string]any) []byte {
	from := len(s.sorted)
	for name := range m {
		s.sorted = append(s.sorted, name)
	}
	slices.Sort(s.sorted[from:])
	for _, name := range s.sorted[from:] {
		if b = s.top(tagwire.AppendTag(b, s.rows.tag(name)), m[name], true); s.err != nil {
			return s.within(b, name)
		}
	}
	clear(s.sorted[from:])
	s.sorted = s.sorted[:from]
	return b
}

// rowOf appends the value of wire type wt at i in the message of r, which is
// well-formed, as one of a row.
func (s *encoder) rowOf(b []byte, r *reader, i, stop int, wt uint32) []byte {
	switch wt {
	case tagwire.Uint32, tagwire.Fixed32, tagwire.Fixed64:
		v, _ := r.intAt(i, stop, wt)
		return appendInt64(b, v)
	case tagwire.Object, tagwire.Array:
	default:
		return append(as(b, byte(wt)), r.b[i:tagwire.Pass(r.b, i, stop, wt)]...)
	}
	i, stop = r.content(i, stop)
	b = begin(b, byte(wt))
	head := len(b) - 1
	for tag, at := range r.parts(i, stop) {
		out := tag &^ 15
		if wt == tagwire.Object {
			name, ok := r.nameOf(at, tag)
			if !ok {
				return s.fail(b, errNoName)
			}
			out = s.rows.tag(name)
		}
		b = s.rowOf(tagwire.AppendTag(b, out), r, at, stop, tag&15)
	}
	return tagwire.End(b, head)
}
