package json

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"math/bits"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// strict returns why a text that is JSON is refused by the options about duplicate names and UTF-8. Of a text
// that is not JSON it returns nothing: that is found later.
func (d *decoder) strict() error {
	var at int
	var err error
	if d.flags&decodeRefuseUTF8 != 0 {
		at, err = d.wellEncoded(0, len(d.data))
	}
	if err == nil && d.flags&decodeRejectDuplicates != 0 {
		at, err = d.duplicates()
	}
	if err == nil || !d.check() {
		return nil
	}
	return d.located(err, at)
}

// strictCode is what the options about duplicate names and UTF-8 do. It is called through a pointer that these options
// set, so that a Go program without them is linked without it.
type strictCode struct {
	whole  func(d *decoder) error
	inside func(d *decoder, i, j int) int
	stray  func(d *decoder, n *node, at, i int) (int, bool)
	end    func(w *nameWalk)
	forget func(w *nameWalk)
}

var strictly = strictCode{(*decoder).strict, (*decoder).strictInside, (*decoder).stray, (*nameWalk).end, (*nameWalk).forget}

// strictInside is strict for the value from i to j, which is JSON. It returns j, or failed.
func (d *decoder) strictInside(i, j int) int {
	if d.flags&decodeRefuseUTF8 != 0 {
		if _, err := d.wellEncoded(i, j); err != nil {
			return d.fail()
		}
	}
	if c := d.b.At(i); (c == '{' || c == '[') && d.flags&decodeRejectDuplicates != 0 && d.nameWalk().walk(d, i, true) >= 0 {
		return d.fail()
	}
	return j
}

// wellEncoded returns the error for the first byte from i up to end that is not UTF-8, or for the first escape
// that is half of a surrogate pair, and where it stands. The text need not be JSON.
func (d *decoder) wellEncoded(i, end int) (int, error) {
	if d.badUTF8 {
		off := 0
		for off < len(d.data) {
			r, n := utf8.DecodeRune(d.data[off:])
			if r == utf8.RuneError && n <= 1 {
				break
			}
			off += n
		}
		return off, errInvalidText
	}
	for text := d.data[:end]; ; {
		k := bytes.Index(text[i:], []byte(`\u`))
		if k < 0 {
			return 0, nil
		}
		i += k
		odd := true // the backslash begins an escape
		for j := i; j > 0 && d.data[j-1] == '\\'; j-- {
			odd = !odd
		}
		if !odd {
			i += 2
			continue
		}
		if end-i < 6 {
			return 0, nil
		}
		switch r := escapeAt(text[i:]); {
		case 0xD800 <= r && r < 0xDC00:
			if end-i < 12 {
				return d.halfPair(i)
			}
			if low := escapeAt(text[i+6:]); low < 0xDC00 || 0xE000 <= low {
				return d.halfPair(i)
			}
			i += 12
		case 0xDC00 <= r && r < 0xE000:
			return d.halfPair(i)
		default:
			i += 6
		}
	}
}

func (d *decoder) halfPair(i int) (int, error) {
	return i, fmt.Errorf("%w: %s is half of a pair", errInvalidText, d.data[i:i+6])
}

var errInvalidText = fmt.Errorf("invalid UTF-8")

// nameSet is the names of the members of an object.
type nameSet struct {
	names  []hashedName
	filter uint64   // has a bit for each hash
	index  []uint32 // of more than fewNames: 1 and the index of a name, by its other hash
}

type hashedName struct {
	hash uint64
	name string
}

// fewNames is how many names are compared one by one.
const fewNames = 16

// reset makes the set empty.
func (s *nameSet) reset() { s.names, s.filter = s.names[:0], 0 }

// forget drops the names that the memory of s still refers to.
func (s *nameSet) forget() {
	clear(s.names[:cap(s.names)])
	s.reset()
}

// add adds a name with its hash, which need not be a good one, and reports whether it is new.
func (s *nameSet) add(hash uint64, name string, seed maphash.Seed) bool {
	n := len(s.names)
	if n >= fewNames {
		return s.addMany(name, seed)
	}
	bit := uint64(1) << (hash >> 58)
	if s.filter&bit != 0 {
		for i := range s.names {
			if x := &s.names[i]; x.hash == hash && x.name == name {
				return false
			}
		}
	}
	s.filter |= bit
	s.names = append(s.names, hashedName{hash, name})
	return true
}

// addMany is add for a set of many names, whose hashes nobody can foresee.
func (s *nameSet) addMany(name string, seed maphash.Seed) bool {
	n := len(s.names)
	if n == fewNames || 2*n >= len(s.index) {
		size := 8 * fewNames
		if n > fewNames {
			size = 2 * len(s.index)
		}
		if cap(s.index) < size {
			s.index = make([]uint32, size)
		}
		s.index = s.index[:size]
		clear(s.index)
		for i := range s.names {
			s.put(maphash.String(seed, s.names[i].name), i, false)
		}
	}
	s.names = append(s.names, hashedName{0, name})
	return s.put(maphash.String(seed, name), n, true)
}

// put enters the i-th name. With compare it reports whether none of those entered is equal.
func (s *nameSet) put(h uint64, i int, compare bool) bool {
	mask := uint64(len(s.index) - 1)
	for h &= mask; s.index[h] != 0; h = (h + 1) & mask {
		if compare && s.names[s.index[h]-1].name == s.names[i].name {
			return false
		}
	}
	s.index[h] = uint32(i + 1)
	return true
}

// hashName returns a hash of the length and of the first and last bytes.
func hashName(s string) uint64 {
	n := len(s)
	h := uint64(n)
	switch {
	case n >= 8:
		v := mem.BytesOf(mem.View(s))
		h += v.U64(0) ^ v.U64(n-8)*31
	case n >= 4:
		v := mem.BytesOf(mem.View(s))
		h += uint64(v.U32(0)) ^ uint64(v.U32(n-4))<<29
	case n > 0:
		h += uint64(s[0])<<24 | uint64(s[n>>1])<<16 | uint64(s[n-1])<<8
	}
	return h * 0x9E3779B97F4A7C15
}

// nameMemo is the names that an object had, which are all different. Objects that stand in the same place mostly
// have the same members in the same order, and need not be looked through then.
type nameMemo struct {
	names []string
	open  int // open objects that had the same names up to now
}

// nameMemos are those of a text, by the name of the member that an object stands in.
type nameMemos struct {
	slots [64]nameMemo
	used  uint64 // slots that are
}

// mostMemo is the most names that are remembered of an object.
const mostMemo = 64

// nameFrame is an open object.
type nameFrame struct {
	depth int32  // how many arrays and objects are open in it
	same  bool   // the names so far are the first of the memo
	names int32  // how many
	last  string // the latest name
	memo  *nameMemo
}

// duplicates returns the error for the first member of the text that has the name of an earlier one of the same
// object, and where it stands. The text need not be JSON; in one that is not there may be others.
func (d *decoder) duplicates() (int, error) {
	w := d.nameWalk()
	at := w.walk(d, d.ws(0), d.checked)
	w.forget()
	if at < 0 {
		return 0, nil
	}
	return at, weft.ErrDuplicateName
}

func (d *decoder) nameWalk() *nameWalk {
	if d.names == nil {
		d.names = new(nameWalk)
	}
	return d.names
}

// stray notes the name at i of a member for which the struct has no field, and reports whether it is new. at is the
// place for the names of the object, -1 before the first one.
func (d *decoder) stray(n *node, at, i int) (int, bool) {
	w := d.nameWalk()
	if at < 0 {
		at = len(w.frames)
		w.begin(n.id&63, 0)
	}
	var name string
	if b, from, to, _ := d.raw(i); from == i+1 {
		name = b.View(from, to)
	} else if from < to {
		name = string(b.Slice(from, to))
	}
	return at, w.add(&w.frames[at], name) || d.check()
}

// nameWalk is a walk through the names of a text.
type nameWalk struct {
	through wire.Walker
	frames  []nameFrame
	sets    []nameSet // of open objects, one a frame
	memos   nameMemos
	seed    maphash.Seed // for the sets of many names
	seeded  bool
}

// forget drops what refers to the text.
func (w *nameWalk) forget() {
	if w.memos.used == 0 {
		w.frames = w.frames[:0]
		return
	}
	for i := range w.sets {
		w.sets[i].forget()
	}
	clear(w.frames[:cap(w.frames)])
	w.frames = w.frames[:0]
	for m := w.memos.used; m != 0; m &= m - 1 {
		s := &w.memos.slots[bits.TrailingZeros64(m)]
		clear(s.names[:cap(s.names)])
		s.names, s.open = s.names[:0], 0
	}
	w.memos.used = 0
}

// begin opens an object, whose memo is that of the slot.
func (w *nameWalk) begin(slot int, depth int32) *nameFrame {
	n := len(w.frames)
	w.frames = append(w.frames, nameFrame{depth: depth})
	f := &w.frames[n]
	if n == len(w.sets) {
		w.sets = append(w.sets, nameSet{})
	}
	w.sets[n].reset()
	w.memos.used |= 1 << slot
	f.memo = &w.memos.slots[slot]
	if f.same = len(f.memo.names) > 0; f.same {
		f.memo.open++
	}
	return f
}

// end closes the innermost object.
func (w *nameWalk) end() {
	n := len(w.frames) - 1
	f, set := &w.frames[n], &w.sets[n]
	switch m := f.memo; {
	case f.same:
		m.open--
	case m.open == 0 && len(set.names) <= mostMemo:
		m.names = m.names[:0]
		for i := range set.names {
			m.names = append(m.names, set.names[i].name)
		}
	}
	w.frames = w.frames[:n]
}

// add adds a name to the innermost object and reports whether it is new.
func (w *nameWalk) add(f *nameFrame, name string) bool {
	f.last = name
	set := &w.sets[len(w.frames)-1]
	if f.same {
		n := int(f.names)
		if n < len(f.memo.names) && f.memo.names[n] == name {
			f.names++
			return true
		}
		f.same = false
		f.memo.open--
		for _, s := range f.memo.names[:n] {
			w.enter(set, s)
		}
	}
	return w.enter(set, name)
}

func (w *nameWalk) enter(set *nameSet, name string) bool {
	if len(set.names) == fewNames && !w.seeded {
		w.seed, w.seeded = maphash.MakeSeed(), true
	}
	return set.add(hashName(name), name, w.seed)
}

// walk returns where the first name stands that its object has already, or -1 when there is none in the array or object
// at i up to where the text is not JSON, which it is known to be with checked.
func (w *nameWalk) walk(d *decoder, i int, checked bool) int {
	t, base := &w.through, len(w.frames)
	t.Begin(d.most-base, true)
	var f *nameFrame
	for full := true; full; {
		i = t.Walk(d.b, d.s, d.nw, i)
		var names []wire.Name
		names, full = t.Names()
		for k := range names {
			at := &names[k]
			if at.First || f.depth != at.Depth {
				f = w.innermost(base, at)
			}
			var name string
			if at.Plain && !d.badUTF8 {
				name = d.b.View(at.Start+1, at.End)
			} else {
				if !checked && !d.check() {
					return -1
				}
				checked = true
				var e int
				if name, e = d.str(at.Start); e < 0 {
					return -1
				}
			}
			if !w.add(f, name) {
				return at.Start
			}
		}
	}
	for len(w.frames) > base {
		w.end()
	}
	return -1
}

// innermost returns the object, of those from base on, of the name that the walk has come to.
func (w *nameWalk) innermost(base int, at *wire.Name) *nameFrame {
	n := len(w.frames)
	for n > base && (w.frames[n-1].depth > at.Depth || at.First && w.frames[n-1].depth == at.Depth) {
		w.end()
		n--
	}
	if !at.First {
		return &w.frames[n-1]
	}
	var last string
	if n > 0 {
		last = w.frames[n-1].last
	}
	return w.begin(int(hashName(last)>>58), at.Depth)
}
