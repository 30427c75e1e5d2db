package json

import (
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// smallShape and mostShape are the numbers of names for which there is room on the stack.
const (
	smallShape = 12
	mostShape  = 64
)

// shape is a set of names that a map[string]any had, in order, with their encoding. Maps come in
// lots of one shape: where a map has as many entries as the shape and each of its names, its
// entries are looked up in order, without being collected and sorted.
type shape struct {
	how   wire.Escapes
	plain bool     // no name has an escape, so that it is the same in every mode
	busy  bool     // a map is being written by it
	good  uint8    // how often it was found of late: it is not given up at once
	keys  []string // the names, within text
	ends  []nameEnd
	enc   []byte // `,"name":` of each name, and nameRoom bytes more
	text  []byte
}

// nameEnd is where the encoding of a name ends in enc, and a hash of the name.
type nameEnd struct{ end, hash uint32 }

// shapes remembers shapes by the size of the map and the name of the member that it stands in.
type shapes struct {
	slots        [128]shape
	busy         int // slots that are
	hits, misses int
}

// maxShapeText is the most bytes of names in a shape.
const maxShapeText = 2 << 10

// slot returns the place of the shape for a map of n entries at the given place.
func (t *shapes) slot(n int, place uint32) *shape {
	return &t.slots[(place^uint32(n))*0x9E3779B1>>25]
}

// worth reports whether shapes are found often enough to learn new ones.
func (t *shapes) worth() bool { return t.misses <= 2*t.hits+64 }

// age lets the past count for less, and ends what an error left unfinished.
func (t *shapes) age() {
	t.hits, t.misses = t.hits>>1, t.misses>>1
	if t.busy != 0 {
		for i := range t.slots {
			t.slots[i].busy = false
		}
		t.busy = 0
	}
}

// match sets vals to the values of m in the order of the names and reports whether m has the shape.
func (s *shape) match(m map[string]any, vals []any, how wire.Escapes, mode bool) bool {
	if len(s.keys) != len(vals) || s.how != how || mode && !s.plain {
		return false
	}
	for i, k := range s.keys {
		v, ok := m[k]
		if !ok {
			return false
		}
		vals[i] = v
	}
	return true
}

// learn sets vals as match does and makes s the shape of m. It reports false when the names are too
// long to be kept.
func (s *shape) learn(w *sorter, m map[string]any, vals []any, how wire.Escapes) bool {
	var names [mostShape]string
	var found [mostShape]any
	n, size := 0, 0
	for k, v := range m {
		names[n], found[n] = k, v
		size += len(k)
		n++
	}
	if size > maxShapeText {
		return false
	}
	f := len(w.order)
	for i, k := range names[:n] {
		w.order = append(w.order, sortKey{prefix(k), uint32(i)})
	}
	order := w.order[f:]
	w.order = w.order[:f]
	sortNames(order, names[:])
	for i, k := range order {
		vals[i] = found[k.i]
	}
	s.how, s.plain, s.keys, s.ends, s.enc = how, true, s.keys[:0], s.ends[:0], s.enc[:0]
	if cap(s.text) < size {
		s.text = make([]byte, 0, size)
	}
	s.text = s.text[:0]
	for _, k := range order {
		name := names[k.i]
		at := len(s.text)
		s.text = append(s.text, name...)
		s.keys = append(s.keys, mem.String(s.text[at:]))
		from := len(s.enc)
		s.enc = append(wire.AppendJSONString(append(s.enc, ','), name, how), ':')
		s.plain = s.plain && len(s.enc)-from == len(name)+len(`,"":`)
		s.ends = append(s.ends, nameEnd{uint32(len(s.enc)), uint32(k.prefix>>32^k.prefix) ^ uint32(len(name)<<5)})
	}
	s.enc = append(s.enc, make([]byte, nameRoom)...)
	return true
}

// anyShape writes the entries of a map that has 2 to mostShape of them to l. It reports false, having
// done nothing, when the map is of no known shape and none should be learned.
func (e *encoder) anyShape(l int, m map[string]any) (int, bool) {
	if len(m) <= smallShape {
		var room [smallShape]any
		return e.shaped(l, m, room[:len(m)])
	}
	return e.anyShapeLarge(l, m)
}

func (e *encoder) anyShapeLarge(l int, m map[string]any) (int, bool) {
	var room [mostShape]any
	return e.shaped(l, m, room[:len(m)])
}

// shaped is anyShape with room for the values.
func (e *encoder) shaped(l int, m map[string]any, vals []any) (int, bool) {
	w := e.scratch()
	how := e.flags.escapes()
	mode := e.flags&flagsInverted != 0
	s := w.shapes.slot(len(m), e.place)
	if s.match(m, vals, how, mode) {
		w.shapes.hits++
		s.good = 2
	} else {
		w.shapes.misses++
		if s.good > 0 {
			s.good--
			return l, false
		}
		if s.busy || !w.shapes.worth() || !s.learn(w, m, vals, how) || mode && !s.plain {
			return l, false
		}
	}
	was, place := s.busy, e.place
	s.busy = true
	w.shapes.busy++
	from := 0
	for i, v := range vals {
		end := int(s.ends[i].end)
		n := end - from
		if len(e.buf)-l < max(n, slack) {
			e.grow(l, max(n, slack))
		}
		if n <= nameRoom {
			d, c := mem.BytesOf(e.buf), mem.BytesOf(s.enc)
			d.Copy16(l, c, from)
			d.Copy16(l+16, c, from+16)
		} else {
			copy(e.buf[l:], s.enc[from:end])
		}
		from = end
		e.place = s.ends[i].hash
		if l = e.any(l+n, v); l < 0 {
			return e.within(l, s.keys[i]), true
		}
	}
	e.place = place
	s.busy = was
	w.shapes.busy--
	return l, true
}
