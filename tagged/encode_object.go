package tagged

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// begin begins an object or array: its length takes one byte for now.
func begin(b []byte, wt byte) []byte { return append(as(b, wt), 0) }

// structure writes the struct at q as an object.
func (s *encoder) structure(b []byte, p *program, q mem.Ptr) []byte {
	if s.rows != nil {
		return s.rowStruct(b, p, q)
	}
	b = begin(b, tagwire.Object)
	head := len(b) - 1
	if b = s.bare(b, p, q); s.err != nil {
		return b
	}
	return tagwire.End(b, head)
}

// bare writes the members of the struct at q.
func (s *encoder) bare(b []byte, p *program, q mem.Ptr) []byte {
	if !s.enter() {
		return b
	}
	from := len(b)
	seen := s.names.use(p)
	for i := range p.fields {
		f := &p.fields[i]
		at := q.Field(f.off)
		if f.flags != 0 {
			var null, ok bool
			if at, null, ok = special(f, q); !ok {
				continue
			} else if null {
				b = append(tagwire.AppendTag(b, f.tag), 0)
				seen[i] |= 1
				continue
			}
		}
		l := len(b)
		if cap(b)-l < room {
			b = mem.Grow(b, room)
		}
		w := mem.BytesOf(b)
		switch f.enc {
		case plan.String:
			v := *mem.At[string](at)
			if n := len(v); n < 32 {
				w.SetU32(l, f.tag|tagwire.String)
				w.Set(l+4, byte(n))
				w.SetShort(l+5, v)
				b = b[:l+5+n]
			} else {
				w.SetU32(l, f.tag)
				b = appendString(b[:l+4], v)
			}
			seen[i] |= 1 << tagwire.String
			continue
		case plan.Int:
			w.SetU32(l, f.tag)
			b = appendInt64(b[:l+4], int64(*mem.At[int](at)))
			seen[i] |= 1 << tagwire.Int64
			continue
		case plan.Int64:
			w.SetU32(l, f.tag)
			b = appendInt64(b[:l+4], *mem.At[int64](at))
			seen[i] |= 1 << tagwire.Int64
			continue
		}
		w.SetU32(l, f.tag)
		b = b[:l+4]
		if b = s.value(b, f.p, at); s.err != nil {
			return s.within(b, f.f.Name)
		}
		seen[i] |= 1 << (b[l] & 15)
	}
	if p.rest != nil {
		if at := p.rest.At(q); !at.IsNil() {
			if b = s.pairs(b, p.restProg, at); s.err == nil {
				b = s.sort(b, from)
			}
		}
	}
	s.depth--
	return b
}

// special finds a field that is not plainly there: its place, whether it is
// null, and whether it is written at all.
func special(f *field, q mem.Ptr) (at mem.Ptr, null, ok bool) {
	at = q.Field(f.off)
	if f.flags&fEmbedded != 0 {
		if at = f.f.Written(q); at.IsNil() {
			return at, true, false
		}
	}
	if f.flags&fOmitEmpty != 0 && f.f.Type.IsEmpty(at) || f.flags&fOmitZero != 0 && f.f.IsZero(at) {
		return at, true, false
	}
	if f.flags&fOption != 0 {
		o := f.f.Type.Option
		switch o.StateAt(at) {
		case plan.OptionAbsent:
			return at, true, false
		case plan.OptionNull:
			return at, true, true
		}
		at = at.Field(o.V)
	}
	return at, false, true
}

// slice writes the slice at q.
func (s *encoder) slice(b []byte, p *program, q mem.Ptr) []byte {
	n := q.SliceLen()
	if n == 0 && q.SliceCap() == 0 && q.Value(p.mem).IsNil() && !p.typ.NoNull {
		return append(b, 0)
	}
	return s.elements(b, p.elem, q.Slice(), n)
}

// elements writes an array of n values.
func (s *encoder) elements(b []byte, elem *program, a mem.Array, n int) []byte {
	if n > tagwire.MaxElems {
		return s.fail(b, errElems)
	}
	if !s.enter() {
		return b
	}
	b = begin(b, tagwire.Array)
	head := len(b) - 1
	wide := 0
	if s.depth == 1 && s.expect > 0 {
		wide = tagwire.UvarintLen(uint64(s.expect)) - 1
		b = append(b, "\x00\x00\x00\x00\x00\x00\x00\x00\x00"[:wide]...)
	}
	for i := range n {
		if cap(b)-len(b) < room {
			b = mem.Grow(b, room)
		}
		b = tagwire.AppendTag(b, uint32(i+1)<<4)
		if b = s.value(b, elem, a.At(elem.mem, i)); s.err != nil {
			return s.within(b, strconv.Itoa(i))
		}
	}
	s.depth--
	if wide > 0 {
		n := len(b) - head - 1 - wide
		if tagwire.UvarintLen(uint64(n)) == wide+1 {
			tagwire.AppendUvarint(b[:head], uint64(n)) // within the place
			return b
		}
		copy(b[head+1:], b[head+1+wide:])
		b = b[:len(b)-wide]
	}
	return tagwire.End(b, head)
}

// anyMap writes an object of dynamic values.
func (s *encoder) anyMap(b []byte, m map[string]any) []byte {
	if m == nil || !s.enter() {
		return append(b, 0)
	}
	b = begin(b, tagwire.Object)
	head := len(b) - 1
	if s.rows != nil {
		b = s.rowMap(b, m)
		s.depth--
		return tagwire.End(b, head)
	}
	for name, v := range m {
		l := len(b)
		out, i, err := s.name(b, name, tagwire.Hash(name))
		if err != nil {
			return s.within(s.fail(b, err), name)
		}
		if b = s.top(out, v, true); s.err != nil {
			return s.within(b, name)
		}
		s.names.rows[i].types |= 1 << (b[l] & 15)
	}
	s.depth--
	return tagwire.End(s.sort(b, head+1), head)
}

// mapping writes the map at q.
func (s *encoder) mapping(b []byte, p *program, q mem.Ptr) []byte {
	if q.Value(p.mem).IsNil() && !p.typ.NoNull || !s.enter() {
		return append(b, 0)
	}
	b = begin(b, tagwire.Object)
	head := len(b) - 1
	b = s.pairs(b, p, q)
	s.depth--
	return tagwire.End(s.sort(b, head+1), head)
}

// pairs writes the members of the map at q in no order.
func (s *encoder) pairs(b []byte, p *program, q mem.Ptr) []byte {
	e := p.entries.Get().(*mem.Entry)
	e.Range(q.Value(p.mem))
	for e.Next() {
		name, err := p.typ.KeyName(e.KeyValue())
		if err != nil {
			return s.fail(b, err)
		}
		l := len(b)
		var i int
		if b, i, err = s.name(b, name, tagwire.Hash(name)); err != nil {
			return s.within(s.fail(b, err), name)
		}
		if b = s.value(b, p.elem, e.Elem); s.err != nil {
			return s.within(b, name)
		}
		if s.rows == nil {
			s.names.rows[i].types |= 1 << (b[l] & 15)
		}
	}
	p.entries.Put(e)
	return b
}

// run is one member of an object: its tag and its place.
type run struct {
	tag      uint32
	from, to int
}

// sort puts the members b[from:] in the order of their tags, or of their names in a row.
func (s *encoder) sort(b []byte, from int) []byte {
	if s.err != nil {
		return b
	}
	runs, pass := s.runs[:0], tagwire.Pass
	if s.rows != nil {
		pass = tagwire.PassMemory
	}
	sorted := true
	for i := from; i < len(b); {
		tag := tagwire.Tag(b, i)
		next := pass(b, i+tagwire.TagSize, len(b), tag&15)
		if next < 0 {
			return s.fail(b, errRaw)
		}
		if n := len(runs); n > 0 && sorted {
			if last := runs[n-1].tag; s.rows != nil {
				sorted = s.rows.compare(last, tag) < 0
			} else {
				sorted = int32(last) < int32(tag) && last>>8 != tag>>8
			}
		}
		runs = append(runs, run{tag, i, next})
		i = next
	}
	s.runs = runs
	if sorted {
		return b
	}
	if s.rows != nil {
		slices.SortFunc(runs, func(x, y run) int { return s.rows.compare(x.tag, y.tag) })
	} else {
		slices.SortFunc(runs, func(x, y run) int { return cmp.Compare(int32(x.tag), int32(y.tag)) })
	}
	s.tmp = s.tmp[:0]
	for i, r := range runs {
		if i > 0 && runs[i-1].tag>>8 == r.tag>>8 && s.rows == nil { // two of one name fail later
			return s.fail(b, weft.ErrDuplicateName)
		}
		s.tmp = append(s.tmp, b[r.from:r.to]...)
	}
	copy(b[from:], s.tmp)
	return b
}
