package jsontext

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// names are the names of the members of the objects that are open, those of an inner object after
// those of the objects around it. When duplicates are allowed only the last name of each is kept.
type names struct {
	spans []span
	text  []byte   // names that are not in the coder's buffer
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

// fewNames are looked through one by one.
const fewNames = 16

func (s *names) reset() {
	s.spans, s.text, s.table = s.spans[:0], s.text[:0], s.table[:0]
	if cap(s.spans) > 1<<10 {
		s.spans, s.table = nil, nil
	}
	if cap(s.text) > 1<<14 {
		s.text = nil
	}
	s.fresh, s.kept = 0, 0
	if s.seed == 0 {
		s.seed = rand.Uint64() | 1
	}
}

// name returns the i-th name.
func (s *names) name(i int, buf []byte) []byte {
	p := s.spans[i]
	if p.off < 0 {
		return s.text[^p.off : ^p.off+p.n]
	}
	return buf[p.off : p.off+p.n]
}

// keep returns where a name is kept that is at off in the buffer, or if off is negative nowhere yet.
func (s *names) keep(name []byte, off int) int {
	if off < 0 {
		off = ^len(s.text)
		s.text = append(s.text, name...)
	}
	return off
}

// replace makes name the only name of the object l.
func (s *names) replace(l *level, name []byte, off int) {
	if len(s.spans) == l.names {
		s.spans = append(s.spans, span{s.keep(name, off), len(name), 0})
		return
	}
	if s.fresh > l.names {
		s.fresh, s.kept = l.names, l.text
	}
	s.text = s.text[:l.text]
	s.spans[l.names] = span{s.keep(name, off), len(name), 0}
}

// insert adds a name to the object l, or returns false if it has that name.
func (s *names) insert(l *level, name []byte, off int, buf []byte) bool {
	return s.insertFew(l, name, off, buf, keyOf(name))
}

// insertFew is insert for an object that mostly has no table. Keys of names with less than eight bytes are
// different if the names are.
func (s *names) insertFew(l *level, name []byte, off int, buf []byte, key uint64) bool {
	if l.size != 0 {
		return s.insertTable(l, name, off, buf)
	}
	few := s.spans[l.names:]
	l.seen |= seenBit(key)
	for i := range few {
		if few[i].key == key && few[i].n == len(name) && (len(name) < 8 || string(s.name(l.names+i, buf)) == string(name)) {
			return false
		}
	}
	if off < 0 {
		off = s.keep(name, off)
	}
	s.spans = append(s.spans, span{off, len(name), key})
	if len(few) == fewNames {
		for i := l.names; i < len(s.spans); i++ {
			s.spans[i].key = hashName(s.name(i, buf), s.seed)
		}
		s.makeTable(l, 8*fewNames)
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

// seenBit returns the bit of level.seen that stands for names of a key.
func seenBit(key uint64) uint64 { return 1 << (key * 0x9e3779b97f4a7c15 >> 58) }

func longKey(first, last uint64) uint64 { return first ^ bits.RotateLeft64(last, 29) }

// insertTable is insert for an object that has a table: open addressing, at most half full.
func (s *names) insertTable(l *level, name []byte, off int, buf []byte) bool {
	h := hashName(name, s.seed)
	table := s.table[l.slots : l.slots+l.size]
	mask := uint64(l.size - 1)
	i := h & mask
	for ; table[i] != 0; i = (i + 1) & mask {
		k := l.names + int(table[i]) - 1
		if s.spans[k].key == h && string(s.name(k, buf)) == string(name) {
			return false
		}
	}
	s.spans = append(s.spans, span{s.keep(name, off), len(name), h})
	n := len(s.spans) - l.names
	table[i] = uint32(n)
	if 2*n > l.size {
		s.makeTable(l, 4*l.size)
	}
	return true
}

// makeTable gives the object l, the innermost one, a table of the size.
func (s *names) makeTable(l *level, size int) {
	s.table = slices.Grow(s.table[:l.slots], size)[:l.slots+size]
	table := s.table[l.slots:]
	clear(table)
	l.size = size
	mask := uint64(size - 1)
	for k := range s.spans[l.names:] {
		i := s.spans[l.names+k].key & mask
		for table[i] != 0 {
			i = (i + 1) & mask
		}
		table[i] = uint32(k + 1)
	}
}

// leave drops the names of the object l, the innermost one.
func (s *names) leave(l *level) {
	s.spans = s.spans[:l.names]
	s.text, s.table = s.text[:l.text], s.table[:l.slots]
	if s.fresh > l.names {
		s.fresh, s.kept = l.names, l.text
	}
}

// cut drops the names from the n-th on, of the innermost object l and of objects within it.
func (s *names) cut(l *level, n int) {
	s.spans = s.spans[:n]
	s.table = s.table[:l.slots+l.size]
	if s.fresh > n {
		s.fresh, s.kept = n, len(s.text)
	}
}

// settle copies the names that are in the buffer, which is about to change. Names keep their order
// in text, so that those of an inner object can be dropped.
func (s *state) settle(buf []byte) {
	n := &s.names
	if n.fresh == len(n.spans) {
		return
	}
	// The names from fresh on are written after all others, and then moved to where the first of
	// them belongs.
	begin := len(n.text)
	lev := len(s.stack) + 1
	for lev > 0 && s.at(lev-1).names >= n.fresh {
		lev--
	}
	for i := n.fresh; i <= len(n.spans); i++ {
		at := n.kept + len(n.text) - begin
		for ; lev <= len(s.stack) && s.at(lev).names == i; lev++ {
			s.at(lev).text = at
		}
		if i == len(n.spans) {
			break
		}
		name := n.name(i, buf)
		n.spans[i].off = ^at
		n.text = append(n.text, name...)
	}
	n.text = append(n.text[:n.kept], n.text[begin:]...)
	n.fresh, n.kept = len(n.spans), len(n.text)
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

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
