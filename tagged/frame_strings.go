package tagged

import (
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// Encodings of a block of strings.
const (
	stringsPlain    = 0 // block of lengths, bytes
	stringsConstant = 1 // the bytes
	stringsDict     = 2 // number of entries, block of entries, block of their indexes
	stringsFront    = 3 // block of lengths shared with the one before, block of lengths of the rest, bytes
	stringsShape    = 4 // text with numbers in it: the text, then a block for each number
)

// appendStrings appends a block of v. Dictionaries do not nest.
func (w *frameWriter) appendStrings(b []byte, v target, dict bool) []byte {
	n := v.n
	if n == 0 {
		return append(b, stringsPlain, 2, intsPlain, 0)
	}
	if n <= maxFree && v.constant() {
		b = block(b, stringsConstant)
		head := len(b) - 1
		return end(append(b, v.text(0)...), head)
	}
	if out, ok := w.appendShape(b, v); ok {
		return out
	}
	distinct, shared, total := sampleStrings(v)
	if dict && distinct {
		if out, ok := w.appendDict(b, v); ok {
			return out
		}
	}
	if 4*shared > total+2*sampleSize {
		return w.appendFront(b, v)
	}
	b = block(b, stringsPlain)
	head := len(b) - 1
	lengths := w.scratch(n)
	size := 0
	for i := range lengths {
		l := len(v.text(i))
		lengths[i] = int64(l)
		size += l
	}
	if w.most > 0 && size > w.most {
		w.fail(errLarge)
		size, n = 0, 0
	}
	b = appendInts(b, lengths)
	w.free(lengths)
	if cap(b)-len(b) < size+room {
		b = grow(b, size+room)
	}
	l := len(b)
	out := mem.BytesOf(b)
	for i := range n {
		s := v.text(i)
		if len(s) < 32 && cap(b)-l >= 32 {
			putShort(out, l, s)
		} else {
			copy(b[l:cap(b)], s)
		}
		l += len(s)
	}
	return end(b[:l], head)
}

// constant reports whether all strings are equal.
func (t *target) constant() bool {
	first := t.text(0)
	n := len(first)
	if n < 8 || n > 16 || mem.Safe {
		for i := 1; i < t.n; i++ {
			if t.text(i) != first {
				return false
			}
		}
		return true
	}
	// Same as above, in two words that may overlap.
	w := mem.BytesIn(first)
	x, y := w.U64(0), w.U64(n-8)
	for i := 1; i < t.n; i++ {
		s := t.text(i)
		if len(s) != n {
			return false
		}
		if w := mem.BytesIn(s); w.U64(0) != x || w.U64(n-8) != y {
			return false
		}
	}
	return true
}

const sampleSize = 64

// sampleStrings looks at some strings: whether at most half of them differ, how
// many bytes neighbours share at their start, and how long they are.
func sampleStrings(v target) (distinct bool, shared, total int) {
	step := max(v.n/sampleSize, 1)
	seen := make(map[string]struct{}, sampleSize)
	count := 0
	for i := 0; i < v.n && count < sampleSize; i += step {
		s := v.text(i)
		count++
		seen[s] = struct{}{}
		total += len(s)
		if i > 0 {
			shared += prefix(v.text(i-1), s)
		}
	}
	return v.n >= 8 && 4*len(seen) <= 3*count, shared, total
}

// prefix returns how many bytes a and b share at their start.
func prefix(a, b string) int {
	n := min(len(a), len(b), maxShared)
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// appendDict appends a dictionary, unless more than half of the strings differ.
func (w *frameWriter) appendDict(b []byte, v target) ([]byte, bool) {
	n := v.n
	codes := w.scratch(n)
	defer w.free(codes)
	index := w.index
	if index == nil {
		index = make(map[string]int64)
		w.index = index
	}
	clear(index)
	var entries []string
	for i := range codes {
		s := v.text(i)
		c, ok := index[s]
		if !ok {
			if 2*len(entries) > n {
				clear(index)
				return b, false
			}
			c = int64(len(entries))
			index[s] = c
			entries = append(entries, s)
		}
		codes[i] = c
	}
	clear(index)
	b = block(b, stringsDict)
	head := len(b) - 1
	b = tagwire.AppendUvarint(b, uint64(len(entries)))
	b = w.appendStrings(b, stringTarget(entries), false)
	return end(appendInts(b, codes), head), true
}

// appendFront appends each string without what it shares with the one before.
func (w *frameWriter) appendFront(b []byte, v target) []byte {
	n := v.n
	same, rest := w.scratch(n), w.scratch(n)
	last, size := "", 0
	for i := range n {
		s := v.text(i)
		k := prefix(last, s)
		same[i], rest[i] = int64(k), int64(len(s)-k)
		size += len(s) - k
		last = s
	}
	if w.most > 0 && size > w.most {
		w.fail(errLarge)
		size, n = 0, 0
	}
	b = block(b, stringsFront)
	head := len(b) - 1
	b = appendInts(appendInts(b, same), rest)
	if cap(b)-len(b) < size+room {
		b = grow(b, size+room)
	}
	for i := range n {
		b = append(b, v.text(i)[same[i]:]...)
	}
	w.free(same)
	w.free(rest)
	return end(b, head)
}

// stringReader reads blocks of strings, carving them from slabs.
type stringReader struct {
	slab []byte
	used int
	ints [][]int64 // scratch
}

// slabBytes is the length of a slab: that much a string can keep alive beside
// itself.
const slabBytes = 32 << 10

// room returns the location of n bytes.
func (r *stringReader) room(n int) []byte {
	if n > len(r.slab)-r.used {
		if n > slabBytes/8 {
			return make([]byte, n)
		}
		r.slab, r.used = mem.MakeNoZero(slabBytes)[:slabBytes], 0
	}
	p := r.slab[r.used : r.used+n : r.used+n]
	r.used += n
	return p
}

// copy returns a string of the bytes of b.
func (r *stringReader) copy(b []byte) string {
	n := len(b)
	at := r.used
	if n > len(r.slab)-at {
		p := r.room(n)
		copy(p, b)
		return mem.String(p)
	}
	r.used = at + n
	copy(r.slab[at:], b)
	return mem.String(r.slab[at : at+n])
}

// scratch returns a slice of n integers, to be given back to free.
func (r *stringReader) scratch(n int) []int64 {
	if k := len(r.ints) - 1; k >= 0 {
		s := r.ints[k]
		r.ints = r.ints[:k]
		if cap(s) >= n {
			return s[:n]
		}
	}
	return make([]int64, n)
}

func (r *stringReader) free(s []int64) { r.ints = append(r.ints, s) }

// target is where values go to, or come from: the n elements of a.
type target struct {
	a   mem.Array
	t   *mem.Type
	off mem.Field
	n   int
}

func (t *target) at(i int) mem.Ptr { return t.a.At(t.t, i).Field(t.off) }

// text returns the i-th value, a string.
func (t *target) text(i int) string { return *mem.At[string](t.at(i)) }

// elements is the target of a slice of its own.
func stringTarget(v []string) target {
	if len(v) == 0 {
		return target{}
	}
	return target{a: mem.To(&v).Slice(), t: stringMem, n: len(v)}
}

// strings reads a block of strings into to.
func (r *stringReader) strings(b []byte, to target, dict bool) (rest []byte, ok bool) {
	encoding, data, rest, ok := readBlock(b)
	if !ok {
		return nil, false
	}
	n := to.n
	switch encoding {
	case stringsConstant:
		if n > maxFree || n == 0 {
			return nil, false
		}
		s := string(data)
		for i := range n {
			*mem.At[string](to.at(i)) = s
		}
		return rest, true
	case stringsPlain:
		lengths := r.scratch(n)
		defer r.free(lengths)
		if data, ok = readInts(data, lengths); !ok {
			return nil, false
		}
		for i, l := range lengths {
			if uint64(l) > uint64(len(data)) {
				return nil, false
			}
			*mem.At[string](to.at(i)) = r.copyShort(data, int(l))
			data = data[l:]
		}
		return rest, len(data) == 0
	case stringsDict:
		if !dict {
			return nil, false
		}
		k, next := tagwire.Uvarint(data, 0, len(data))
		if next < 0 || k > uint64(n) {
			return nil, false
		}
		entries := make([]string, k)
		if data, ok = r.strings(data[next:], stringTarget(entries), false); !ok {
			return nil, false
		}
		codes := r.scratch(n)
		defer r.free(codes)
		if data, ok = readInts(data, codes); !ok || len(data) != 0 {
			return nil, false
		}
		for i, c := range codes {
			if uint64(c) >= k {
				return nil, false
			}
			*mem.At[string](to.at(i)) = entries[c]
		}
		return rest, true
	case stringsFront:
		return rest, r.front(data, to)
	case stringsShape:
		return rest, r.shape(data, to)
	}
	return nil, false
}

// copyShort returns a string of the first n bytes of b.
func (r *stringReader) copyShort(b []byte, n int) string {
	at := r.used
	if n <= 16 && len(b) >= 16 && len(r.slab)-at >= 16 {
		from, to := mem.BytesOf(b), mem.BytesOf(r.slab)
		to.SetU64(at, from.U64(0))
		to.SetU64(at+8, from.U64(8))
		r.used = at + n
		return mem.String(r.slab[at : at+n])
	}
	return r.copy(b[:n])
}

func (r *stringReader) front(data []byte, to target) bool {
	n := to.n
	same, more := r.scratch(n), r.scratch(n)
	defer r.free(same)
	defer r.free(more)
	data, ok := readInts(data, same)
	if !ok {
		return false
	}
	if data, ok = readInts(data, more); !ok {
		return false
	}
	last := ""
	for i := range n {
		k, l := same[i], more[i]
		if uint64(k) > uint64(len(last)) || uint64(l) > uint64(len(data)) || k > maxShared {
			return false
		}
		p := r.room(int(k + l))
		copy(p, last[:k])
		copy(p[k:], data[:l])
		data = data[l:]
		last = mem.String(p)
		*mem.At[string](to.at(i)) = last
	}
	return len(data) == 0
}
