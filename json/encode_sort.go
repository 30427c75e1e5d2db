package json

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/nameset"
)

// sorter is scratch for the members of maps that are being written, the maps that are nested
// within each other behind one another.
type sorter struct {
	names []string  // of the members, in the order of the map
	anys  []any     // their values, for maps of interfaces
	strs  []string  // their values, for maps of strings
	ptrs  []*byte   // their values, for maps of pointers
	lists [][]byte  // their values, for maps of slices
	order []sortKey // the members in the order of their names
	text  []byte    // names made of numbers
	most  frame     // the greatest lengths that there were
	raw   int       // length of the last name that a program has written

	taken  nameset.Set // the names of the objects in which none may come twice
	shapes shapes
}

// frame is the lengths of a sorter's slices where the members of a map begin.
type frame struct{ names, anys, strs, ptrs, lists, order, text int }

// sortKey stands for one name in the sort: pointer-free and mostly decided by its first word.
type sortKey struct {
	prefix uint64 // the first eight bytes of the name, the first one highest, zeros after its end
	i      uint32 // index of the name
}

var sorters = sync.Pool{New: func() any { return new(sorter) }}

// scratch returns the encoder's sorter.
func (e *encoder) scratch() *sorter {
	if e.work == nil {
		e.work = sorters.Get().(*sorter)
	}
	return e.work
}

// release gives the scratch back. It is called once, when the encoder is done.
func (e *encoder) release() {
	if e.work != nil {
		e.work.free()
		e.work = nil
	}
	if e.texts != nil {
		e.texts.release(true)
		e.texts = nil
	}
	if e.tokens != nil {
		e.tokens.release()
		e.tokens = nil
	}
	if e.grammar != nil {
		e.grammar.Release()
		e.grammar = nil
	}
}

// free forgets the members and keeps the memory for the next use, unless there is much of it.
func (w *sorter) free() {
	w.note()
	if w.most.names > 1<<14 || w.most.text > 1<<18 {
		return
	}
	clear(w.names[:w.most.names])
	clear(w.anys[:w.most.anys])
	clear(w.strs[:w.most.strs])
	clear(w.ptrs[:w.most.ptrs])
	clear(w.lists[:w.most.lists])
	w.taken.Reset()
	w.drop(frame{})
	w.most = frame{}
	w.shapes.age()
	sorters.Put(w)
}

// mark returns where the members of the next map begin.
func (w *sorter) mark() frame {
	return frame{len(w.names), len(w.anys), len(w.strs), len(w.ptrs), len(w.lists), len(w.order), len(w.text)}
}

// drop forgets the members since the mark.
func (w *sorter) drop(f frame) {
	w.names, w.anys, w.strs = w.names[:f.names], w.anys[:f.anys], w.strs[:f.strs]
	w.ptrs, w.lists = w.ptrs[:f.ptrs], w.lists[:f.lists]
	w.order, w.text = w.order[:f.order], w.text[:f.text]
}

func (w *sorter) note() {
	w.most.names = max(w.most.names, len(w.names))
	w.most.anys = max(w.most.anys, len(w.anys))
	w.most.strs = max(w.most.strs, len(w.strs))
	w.most.ptrs = max(w.most.ptrs, len(w.ptrs))
	w.most.lists = max(w.most.lists, len(w.lists))
	w.most.text = max(w.most.text, len(w.text))
}

// prefix returns the sort prefix of s.
func prefix(s string) uint64 {
	n := len(s)
	if n >= 8 {
		return binary.BigEndian.Uint64(mem.View(s[:8]))
	}
	var x uint64
	switch {
	case n >= 4:
		x = uint64(load32(s))<<32 | uint64(load32(s[n-4:]))<<(8*uint(8-n))
	case n >= 2:
		x = uint64(s[0])<<56 | uint64(s[1])<<48 | uint64(s[n-1])<<(8*uint(8-n))
	case n == 1:
		x = uint64(s[0]) << 56
	}
	return x
}

// load32 returns the first four bytes of s, the first one highest.
func load32(s string) uint32 {
	_ = s[3]
	return uint32(s[0])<<24 | uint32(s[1])<<16 | uint32(s[2])<<8 | uint32(s[3])
}

// sort brings the names since the mark into order: w.order[f.order:], of indexes from f.names on.
func (w *sorter) sort(f frame) {
	w.note()
	names := w.names[f.names:]
	for i, s := range names {
		w.order = append(w.order, sortKey{prefix(s), uint32(i)})
	}
	sortNames(w.order[f.order:], names)
}

// arrange is sort where flags ask for it, and otherwise leaves the names in the order in which they came.
func (w *sorter) arrange(f frame, flags encodeFlags) {
	if flags&flagSortMapKeys != 0 {
		w.sort(f)
		return
	}
	w.note()
	for i := range w.names[f.names:] {
		w.order = append(w.order, sortKey{0, uint32(i)})
	}
}

// less reports whether the name of a comes before that of b.
func less(a, b sortKey, names []string) bool {
	if a.prefix != b.prefix {
		return a.prefix < b.prefix
	}
	return names[a.i] < names[b.i]
}

// sortNames sorts keys by the names that they stand for.
func sortNames(keys []sortKey, names []string) {
	const small = 12
	for rounds := 0; len(keys) > small; rounds++ {
		if rounds > 40 { // more than chance explains
			slices.SortFunc(keys, func(a, b sortKey) int { return strings.Compare(names[a.i], names[b.i]) })
			return
		}
		n := len(keys)
		a, m, z := keys[n/8], keys[n/2], keys[n-1-n/8]
		if less(m, a, names) {
			a, m = m, a
		}
		if less(z, m, names) {
			if m = z; less(m, a, names) {
				m = a
			}
		}
		// Hoare's partition: up to j not after m, from i on not before it.
		i, j := 0, n-1
		for i <= j {
			for less(keys[i], m, names) {
				i++
			}
			for less(m, keys[j], names) {
				j--
			}
			if i <= j {
				keys[i], keys[j] = keys[j], keys[i]
				i++
				j--
			}
		}
		if j < n-i {
			sortNames(keys[:j+1], names)
			keys = keys[i:]
		} else {
			sortNames(keys[i:], names)
			keys = keys[:j+1]
		}
	}
	for i := 1; i < len(keys); i++ {
		k := keys[i]
		j := i
		for j > 0 && less(k, keys[j-1], names) {
			keys[j] = keys[j-1]
			j--
		}
		keys[j] = k
	}
}
