// Package nameset has sets of the names of the members of objects in JSON text, which tell whether a name comes twice.
package nameset

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/weftcodec/weft/internal/mem"
)

// Set is the names of the members of the objects that are open, those of an inner object after those of the objects
// around it. Where duplicates are allowed only the last name of each is kept.
type Set struct {
	spans []span
	text  []byte   // names that are not in the buffer of the text
	fresh int      // names from here on may be in the buffer
	kept  int      // bytes of text when that was settled
	table []uint32 // tables of the objects with many names: index from the object's first name + 1
	seed  uint64
}

// span is where a name is: at off in the buffer, or at ^off in text.
type span struct {
	off, n int
	key    uint64 // when duplicates are looked for: keyOf, or hashName for an object with a table
}

// Object is an open object, whose names are in a [Set].
type Object struct {
	names int    // names that were there when it was opened
	text  int    // bytes of Set.text then
	slots int    // where its table begins in Set.table
	size  int    // of its table, 0 while it has none
	seen  uint64 // bits of the names that have been looked for while it has no table
}

// few is how many names are looked through one by one.
const few = 16

// Reset makes the set empty, with no object open.
func (s *Set) Reset() {
	s.spans, s.text, s.table = s.spans[:0], s.text[:0], s.table[:0]
	if cap(s.spans) > 1<<10 {
		s.spans, s.table = nil, nil
	}
	if cap(s.text) > 1<<14 {
		s.text = nil
	}
	s.fresh, s.kept = 0, 0
}

// Len returns how many names there are.
func (s *Set) Len() int { return len(s.spans) }

// Open makes o an object within those that are open.
func (s *Set) Open(o *Object) {
	o.names, o.text, o.slots, o.size, o.seen = len(s.spans), len(s.text), len(s.table), 0, 0
}

// Last returns the last name of the objects around o.
func (s *Set) Last(o *Object, buf []byte) []byte { return s.name(o.names-1, buf) }

// Latest returns the last name of all.
func (s *Set) Latest(buf []byte) []byte { return s.name(len(s.spans)-1, buf) }

// name returns the i-th name.
func (s *Set) name(i int, buf []byte) []byte {
	p := s.spans[i]
	if p.off < 0 {
		return s.text[^p.off : ^p.off+p.n]
	}
	return buf[p.off : p.off+p.n]
}

// keep returns where a name is kept that is at off in the buffer, or if off is negative nowhere yet.
func (s *Set) keep(name []byte, off int) int {
	if off < 0 {
		off = ^len(s.text)
		s.text = append(s.text, name...)
	}
	return off
}

// Replace makes name the only name of the object o, the innermost one. It is at off in the buffer, see [Set.Insert].
func (s *Set) Replace(o *Object, name []byte, off int) {
	if len(s.spans) == o.names {
		s.spans = append(s.spans, span{s.keep(name, off), len(name), 0})
		return
	}
	if s.fresh > o.names {
		s.fresh, s.kept = o.names, o.text
	}
	s.text = s.text[:o.text]
	s.spans[o.names] = span{s.keep(name, off), len(name), 0}
}

// Insert adds a name to the object o, the innermost one, or returns false if it has that name. The name is at off in
// buf, or nowhere that lasts where off is negative.
func (s *Set) Insert(o *Object, name []byte, off int, buf []byte) bool {
	return s.InsertKey(o, name, off, buf, keyOf(name))
}

// InsertPlain is Insert for the bytes of b, which are those of buf, from i to end. Seven bytes more can be loaded.
func (s *Set) InsertPlain(o *Object, b mem.Bytes, buf []byte, i, end int) bool {
	key := PlainKey(b, i, end)
	return s.InsertNew(o, key, i, end) || s.InsertKey(o, buf[i:end], i, buf, key)
}

// PlainKey returns the key of the name from i to end.
func PlainKey(b mem.Bytes, i, end int) uint64 {
	key := b.U64(i)
	if n := end - i; n < 8 {
		return key & (1<<(8*n&63) - 1)
	}
	return longKey(key, b.U64(end-8))
}

// InsertNew adds the name from i to end, with that key, if the key alone tells that it is new, and reports whether it
// does.
func (s *Set) InsertNew(o *Object, key uint64, i, end int) bool {
	bit := seenBit(key)
	if o.seen&bit != 0 || len(s.spans)-o.names >= few {
		return false
	}
	o.seen |= bit
	s.spans = append(s.spans, span{i, end - i, key})
	return true
}

// InsertKey is Insert for a name of that key. Keys of names with less than eight bytes are different if the names are.
func (s *Set) InsertKey(o *Object, name []byte, off int, buf []byte, key uint64) bool {
	if o.size != 0 {
		return s.insertTable(o, name, off, buf)
	}
	names := s.spans[o.names:]
	o.seen |= seenBit(key)
	for i := range names {
		if names[i].key == key && names[i].n == len(name) &&
			(len(name) < 8 || string(s.name(o.names+i, buf)) == string(name)) {
			return false
		}
	}
	if off < 0 {
		off = s.keep(name, off)
	}
	s.spans = append(s.spans, span{off, len(name), key})
	if len(names) == few {
		if s.seed == 0 {
			s.seed = rand.Uint64() | 1
		}
		for i := o.names; i < len(s.spans); i++ {
			s.spans[i].key = hashName(s.name(i, buf), s.seed)
		}
		s.makeTable(o, 8*few)
	}
	return true
}

// keyOf returns a number that few other names have: of the first eight bytes, the lowest first, and the
// last eight.
func keyOf(name []byte) uint64 {
	if len(name) >= 8 {
		return longKey(binary.LittleEndian.Uint64(name), binary.LittleEndian.Uint64(name[len(name)-8:]))
	}
	var key uint64
	for i, c := range name {
		key |= uint64(c) << (8 * i)
	}
	return key
}

// insertTable is Insert for an object that has a table: open addressing, at most half full.
func (s *Set) insertTable(o *Object, name []byte, off int, buf []byte) bool {
	h := hashName(name, s.seed)
	table := s.table[o.slots : o.slots+o.size]
	mask := uint64(o.size - 1)
	i := h & mask
	for ; table[i] != 0; i = (i + 1) & mask {
		k := o.names + int(table[i]) - 1
		if s.spans[k].key == h && string(s.name(k, buf)) == string(name) {
			return false
		}
	}
	s.spans = append(s.spans, span{s.keep(name, off), len(name), h})
	n := len(s.spans) - o.names
	table[i] = uint32(n)
	if 2*n > o.size {
		s.makeTable(o, 4*o.size)
	}
	return true
}

// makeTable gives the object o, the innermost one, a table of the size.
func (s *Set) makeTable(o *Object, size int) {
	s.table = slices.Grow(s.table[:o.slots], size)[:o.slots+size]
	table := s.table[o.slots:]
	clear(table)
	o.size = size
	mask := uint64(size - 1)
	for k := range s.spans[o.names:] {
		i := s.spans[o.names+k].key & mask
		for table[i] != 0 {
			i = (i + 1) & mask
		}
		table[i] = uint32(k + 1)
	}
}

// Leave drops the names of the object o, the innermost one.
func (s *Set) Leave(o *Object) {
	if len(s.spans) > o.names {
		s.drop(o)
	}
}

func (s *Set) drop(o *Object) {
	s.spans = s.spans[:o.names]
	s.text, s.table = s.text[:o.text], s.table[:o.slots]
	if s.fresh > o.names {
		s.fresh, s.kept = o.names, o.text
	}
}

// Cut drops the names from the n-th on, of the innermost object o and of objects within it.
func (s *Set) Cut(o *Object, n int) {
	s.spans = s.spans[:n]
	s.table = s.table[:o.slots+o.size]
	if s.fresh > n {
		s.fresh, s.kept = n, len(s.text)
	}
}

// Settle copies the names that are in the buffer, which is about to change. Names keep their order in text, so that
// those of an inner object can be dropped. open returns the i-th of n objects that are open.
func (s *Set) Settle(buf []byte, n int, open func(i int) *Object) {
	if s.fresh == len(s.spans) {
		return
	}
	// The names from fresh on are written after all others, and then moved to where the first of
	// them belongs.
	begin := len(s.text)
	o := n
	for o > 0 && open(o-1).names >= s.fresh {
		o--
	}
	for i := s.fresh; i <= len(s.spans); i++ {
		at := s.kept + len(s.text) - begin
		for ; o < n && open(o).names == i; o++ {
			open(o).text = at
		}
		if i == len(s.spans) {
			break
		}
		name := s.name(i, buf)
		s.spans[i].off = ^at
		s.text = append(s.text, name...)
	}
	s.text = append(s.text[:s.kept], s.text[begin:]...)
	s.fresh, s.kept = len(s.spans), len(s.text)
}

// hashName mixes a name with the seed, which keeps who writes the names from choosing those that
// collide.
func hashName(b []byte, seed uint64) uint64 {
	const k0, k1 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93
	n := len(b)
	h := seed
	for len(b) > 16 {
		h = mix(binary.LittleEndian.Uint64(b)^h, binary.LittleEndian.Uint64(b[8:])^k0)
		b = b[16:]
	}
	var x, y uint64
	switch {
	case len(b) >= 8:
		x, y = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[len(b)-8:])
	case len(b) >= 4:
		x = uint64(binary.LittleEndian.Uint32(b))<<32 | uint64(binary.LittleEndian.Uint32(b[len(b)-4:]))
	case len(b) > 0:
		x = uint64(b[0])<<16 | uint64(b[len(b)>>1])<<8 | uint64(b[len(b)-1])
	}
	return mix(x^h, y^k1^uint64(n)<<32^seed>>7)
}

func longKey(first, last uint64) uint64 { return first ^ bits.RotateLeft64(last, 29) }

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// seenBit returns the bit of Object.seen that stands for names of a key.
func seenBit(key uint64) uint64 { return 1 << (key * 0x9e3779b97f4a7c15 >> 58) }
