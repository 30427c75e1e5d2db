package tree

import (
	"hash/maphash"
	"math/bits"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Shape is the names of the members of maps, in order. It is immutable and shared
// by all the maps that were made alike, so that the names stand in memory once
// and a place found in one map holds for the others.
type Shape struct {
	Names []string
	index atomic.Pointer[nameIndex] // made when many names are looked up
	heads atomic.Pointer[[Few]uint64]
	order atomic.Pointer[[]int32] // the places in the order of their names
	grown atomic.Pointer[Shape]   // the shape with one more name, made last
	wire  [numSpellings]spelled   // the names as formats write them

	scanned atomic.Bool
}

// Few is up to how many names are compared one by one.
const Few = 8

// NewShape returns the shape of the given names, which must differ, or nil for
// none. It keeps names.
func NewShape(names []string) *Shape {
	if len(names) == 0 {
		return nil
	}
	return &Shape{Names: names}
}

// Len returns the number of names.
func (s *Shape) Len() int {
	if s == nil {
		return 0
	}
	return len(s.Names)
}

// Find returns the place of a name, -1 if it is none of the shape's. The place
// hint is tried first.
func (s *Shape) Find(name string, hint int) int {
	if s == nil {
		return -1
	}
	names := s.Names
	if uint(hint) < uint(len(names)) && names[hint] == name {
		return hint
	}
	return s.Index(name)
}

// Index returns the place of a name, -1 if it is none of the shape's.
func (s *Shape) Index(name string) int {
	names := s.Names
	if len(names) > Few {
		return s.lookup(name)
	}
	heads := s.heads.Load()
	if heads == nil {
		return s.scan(name)
	}
	h := head(name)
	for i := range names {
		if heads[i&(Few-1)] == h && len(names[i]) == len(name) && (len(name) <= 8 || names[i] == name) {
			return i
		}
	}
	return -1
}

// scan is Index for few names. When it is called for the second time, names are
// found by their heads from then on.
func (s *Shape) scan(name string) int {
	if s.scanned.Swap(true) {
		heads := new([Few]uint64)
		for i, x := range s.Names {
			heads[i] = head(x)
		}
		s.heads.Store(heads)
	}
	return slices.Index(s.Names, name)
}

// head returns the first eight bytes of a name. Names of one length up to eight that
// have the same head are the same.
func head(s string) uint64 {
	n := len(s)
	switch {
	case n >= 8:
		return load64(s)
	case n >= 4:
		return load32(s) | load32(s[n-4:])<<32
	case n > 0:
		return uint64(s[0]) | uint64(s[n/2])<<8 | uint64(s[n-1])<<16
	}
	return 0
}

// nameIndex is a hash table of the places of names, open addressing, at most half
// full.
type nameIndex struct {
	slots  []int32      // place + 1
	seeded bool         // names hash alike by HashName, perhaps on purpose
	seed   maphash.Seed // where seeded
}

// longRun is how many places in a row may be taken before the names are hashed by
// a seed that nobody outside knows.
const longRun = 24

func (s *Shape) lookup(name string) int {
	x := s.index.Load()
	if x == nil {
		x = newNameIndex(s.Names)
		s.index.Store(x)
	}
	mask := uint(len(x.slots) - 1)
	for h := x.hash(name) & mask; ; h = (h + 1) & mask {
		i := int(x.slots[h]) - 1
		if i < 0 || s.Names[i] == name {
			return i
		}
	}
}

func (x *nameIndex) hash(name string) uint {
	if x.seeded {
		return uint(maphash.String(x.seed, name))
	}
	return HashName(name)
}

// HashName hashes the length, the first and the last bytes of a name.
func HashName(s string) uint {
	n := len(s)
	var a, b uint64
	switch {
	case n >= 8:
		a, b = load64(s), load64(s[n-8:])
	case n >= 4:
		a, b = load32(s), load32(s[n-4:])
	case n > 0:
		a = uint64(s[0]) | uint64(s[n/2])<<8 | uint64(s[n-1])<<16
	}
	hi, lo := bits.Mul64(a^0x9e3779b97f4a7c15, (b+uint64(n))^0xe7037ed1a0b428db)
	return uint(hi ^ lo)
}

func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func load32(s string) uint64 {
	_ = s[3]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

// newNameIndex returns the table of the names, nil if they do not differ.
func newNameIndex(names []string) *nameIndex {
	size := 4
	for size < 2*len(names) {
		size *= 2
	}
	x := &nameIndex{slots: make([]int32, size)}
	ok, same := x.fill(names)
	if !ok && !same {
		x.seeded, x.seed = true, maphash.MakeSeed()
		clear(x.slots)
		ok, _ = x.fill(names)
	}
	if !ok {
		return nil
	}
	return x
}

// fill enters the names. It returns false if two of them are the same, or if there
// is a long run and no seed.
func (x *nameIndex) fill(names []string) (ok, same bool) {
	mask := uint(len(x.slots) - 1)
	for i, name := range names {
		h, run := x.hash(name)&mask, 0
		for ; x.slots[h] != 0; run++ {
			if names[x.slots[h]-1] == name {
				return false, true
			}
			if run > longRun && !x.seeded {
				return false, false
			}
			h = (h + 1) & mask
		}
		x.slots[h] = int32(i) + 1
	}
	return true, false
}

// Sorted returns the places in the order of their names.
func (s *Shape) Sorted() []int32 {
	if s == nil {
		return nil
	}
	if o := s.order.Load(); o != nil {
		return *o
	}
	o := make([]int32, len(s.Names))
	for i := range o {
		o[i] = int32(i)
	}
	slices.SortFunc(o, func(a, b int32) int { return strings.Compare(s.Names[a], s.Names[b]) })
	s.order.Store(&o)
	return o
}

// With returns the shape with one more name at the end.
func (s *Shape) With(name string) *Shape {
	if s == nil {
		return NewShape([]string{name})
	}
	if g := s.grown.Load(); g != nil && g.Names[len(s.Names)] == name {
		return g
	}
	names := make([]string, 0, len(s.Names)+1)
	g := NewShape(append(append(names, s.Names...), name))
	if len(s.Names) < MaxShared {
		s.grown.Store(g)
	}
	return g
}

// Without returns the shape without the name at a place.
func (s *Shape) Without(i int) *Shape {
	names := make([]string, 0, len(s.Names)-1)
	return NewShape(append(append(names, s.Names[:i]...), s.Names[i+1:]...))
}

// MaxShared is the size up to which shapes are remembered for maps to come: the
// names of a larger map are likely to be data.
const MaxShared = 64

// Distinct reports whether the names differ from each other.
func (s *Shape) Distinct() bool {
	if len(s.Names) <= Few {
		for i, name := range s.Names {
			for _, other := range s.Names[:i] {
				if name == other {
					return false
				}
			}
		}
		return true
	}
	x := newNameIndex(s.Names)
	if x == nil {
		return false
	}
	s.index.Store(x)
	return true
}

// Own copies the names into memory of their own.
func (s *Shape) Own() {
	var text []byte
	for _, name := range s.Names {
		text = append(text, name...)
	}
	all := string(text)
	for i, name := range s.Names {
		s.Names[i], all = all[:len(name)], all[len(name):]
	}
}

// The ways to spell the names of members.
const (
	SpellJSON = iota
	SpellHTML
	SpellMsgpack
	numSpellings
)

// spelled is the names of a shape in one spelling, made when they are written for
// the second time.
type spelled struct {
	written atomic.Bool
	names   atomic.Pointer[[]string]
}

// Spelling returns the names in one spelling, nil where each is to be written anew.
func (s *Shape) Spelling(how int) []string {
	w := &s.wire[how]
	if p := w.names.Load(); p != nil {
		return *p
	}
	if len(s.Names) > MaxShared || !w.written.Swap(true) {
		return nil
	}
	var b []byte
	ends := make([]int, len(s.Names))
	for i, name := range s.Names {
		b = AppendName(b, name, how)
		ends[i] = len(b)
	}
	text, from := string(b), 0
	names := make([]string, len(ends))
	for i, end := range ends {
		names[i], from = text[from:end], end
	}
	w.names.Store(&names)
	return names
}

// AppendName appends the name of a member and what stands between it and the value.
func AppendName(b []byte, name string, how int) []byte {
	if how == SpellMsgpack {
		return packwire.AppendString(b, name)
	}
	return append(wire.AppendJSONString(b, name, wire.HTML(how == SpellHTML)), ':')
}
