package framewire

import (
	"reflect"

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

// Writer appends blocks. What it has made for one serves the next.
type Writer struct {
	Scratch
	Most     int  // bytes that a block of strings may have, 0 for any number
	TooLarge bool // one would have had more, and is without its strings
	index    map[string]int64
	shape    shape
}

// Forget forgets the strings that have been written.
func (w *Writer) Forget() { clear(w.shape.text) }

// spare is room behind a block for a short string, of which more is stored than it has.
const spare = 48

// room returns b with room for n more bytes.
func room(b []byte, n int) []byte {
	if cap(b)-len(b) < n {
		return mem.Grow(b, n)
	}
	return b
}

// AppendStrings appends a block of v. Dictionaries do not nest.
func (w *Writer) AppendStrings(b []byte, v Target, dict bool) []byte {
	n := v.N
	if n == 0 {
		return append(b, stringsPlain, 2, intsPlain, 0)
	}
	if n <= MaxFree && v.constant() {
		b = BeginBlock(b, stringsConstant)
		head := len(b) - 1
		return tagwire.End(append(b, v.Text(0)...), head)
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
	b = BeginBlock(b, stringsPlain)
	head := len(b) - 1
	lengths := w.Take(n)
	size := 0
	for i := range lengths {
		l := len(v.Text(i))
		lengths[i] = int64(l)
		size += l
	}
	if w.Most > 0 && size > w.Most {
		w.TooLarge = true
		size, n = 0, 0
	}
	b = AppendInts(b, lengths)
	w.Free(lengths)
	b = room(b, size+spare)
	l := len(b)
	out := mem.BytesOf(b)
	for i := range n {
		s := v.Text(i)
		if len(s) < 32 && cap(b)-l >= 32 {
			out.SetShort(l, s)
		} else {
			copy(b[l:cap(b)], s)
		}
		l += len(s)
	}
	return tagwire.End(b[:l], head)
}

// constant reports whether all strings are equal.
func (t *Target) constant() bool {
	first := t.Text(0)
	n := len(first)
	if n < 8 || n > 16 || mem.Safe {
		for i := 1; i < t.N; i++ {
			if t.Text(i) != first {
				return false
			}
		}
		return true
	}
	// Same as above, in two words that may overlap.
	w := mem.BytesIn(first)
	x, y := w.U64(0), w.U64(n-8)
	for i := 1; i < t.N; i++ {
		s := t.Text(i)
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
func sampleStrings(v Target) (distinct bool, shared, total int) {
	step := max(v.N/sampleSize, 1)
	seen := make(map[string]struct{}, sampleSize)
	count := 0
	for i := 0; i < v.N && count < sampleSize; i += step {
		s := v.Text(i)
		count++
		seen[s] = struct{}{}
		total += len(s)
		if i > 0 {
			shared += prefix(v.Text(i-1), s)
		}
	}
	return v.N >= 8 && 4*len(seen) <= 3*count, shared, total
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
func (w *Writer) appendDict(b []byte, v Target) ([]byte, bool) {
	n := v.N
	codes := w.Take(n)
	defer w.Free(codes)
	index := w.index
	if index == nil {
		index = make(map[string]int64)
		w.index = index
	}
	clear(index)
	var entries []string
	for i := range codes {
		s := v.Text(i)
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
	b = BeginBlock(b, stringsDict)
	head := len(b) - 1
	b = tagwire.AppendUvarint(b, uint64(len(entries)))
	b = w.AppendStrings(b, TextsOf(entries), false)
	return tagwire.End(AppendInts(b, codes), head), true
}

// appendFront appends each string without what it shares with the one before.
func (w *Writer) appendFront(b []byte, v Target) []byte {
	n := v.N
	same, rest := w.Take(n), w.Take(n)
	last, size := "", 0
	for i := range n {
		s := v.Text(i)
		k := prefix(last, s)
		same[i], rest[i] = int64(k), int64(len(s)-k)
		size += len(s) - k
		last = s
	}
	if w.Most > 0 && size > w.Most {
		w.TooLarge = true
		size, n = 0, 0
	}
	b = BeginBlock(b, stringsFront)
	head := len(b) - 1
	b = AppendInts(AppendInts(b, same), rest)
	b = room(b, size+spare)
	for i := range n {
		b = append(b, v.Text(i)[same[i]:]...)
	}
	w.Free(same)
	w.Free(rest)
	return tagwire.End(b, head)
}

// Reader reads blocks, carving strings from slabs.
type Reader struct {
	Scratch
	slab []byte
	used int
}

// slabBytes is the length of a slab: that much a string can keep alive beside
// itself.
const slabBytes = 32 << 10

// carve returns the location of n bytes.
func (r *Reader) carve(n int) []byte {
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
func (r *Reader) copy(b []byte) string {
	n := len(b)
	at := r.used
	if n > len(r.slab)-at {
		p := r.carve(n)
		copy(p, b)
		return mem.String(p)
	}
	r.used = at + n
	copy(r.slab[at:], b)
	return mem.String(r.slab[at : at+n])
}

// Target is where values go to, or come from: the N elements of A.
type Target struct {
	A   mem.Array
	T   *mem.Type
	Off mem.Field // in each of the elements
	N   int
}

// At returns the location of the i-th value.
func (t *Target) At(i int) mem.Ptr { return t.A.At(t.T, i).Field(t.Off) }

// Text returns the i-th value, a string.
func (t *Target) Text(i int) string { return *mem.At[string](t.At(i)) }

var stringType = mem.TypeOf(reflect.TypeFor[string]())

// TextsOf returns the elements of v as a Target.
func TextsOf(v []string) Target {
	if len(v) == 0 {
		return Target{}
	}
	return Target{A: mem.To(&v).Slice(), T: stringType, N: len(v)}
}

// Strings reads a block of strings into to. With dict it may be a dictionary.
func (r *Reader) Strings(b []byte, to Target, dict bool) (rest []byte, ok bool) {
	encoding, data, rest, ok := ReadBlock(b)
	if !ok {
		return nil, false
	}
	n := to.N
	switch encoding {
	case stringsConstant:
		if n > MaxFree || n == 0 {
			return nil, false
		}
		s := string(data)
		for i := range n {
			*mem.At[string](to.At(i)) = s
		}
		return rest, true
	case stringsPlain:
		lengths := r.Take(n)
		defer r.Free(lengths)
		if data, ok = ReadInts(data, lengths); !ok {
			return nil, false
		}
		for i, l := range lengths {
			if uint64(l) > uint64(len(data)) {
				return nil, false
			}
			*mem.At[string](to.At(i)) = r.copyShort(data, int(l))
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
		if data, ok = r.Strings(data[next:], TextsOf(entries), false); !ok {
			return nil, false
		}
		codes := r.Take(n)
		defer r.Free(codes)
		if data, ok = ReadInts(data, codes); !ok || len(data) != 0 {
			return nil, false
		}
		for i, c := range codes {
			if uint64(c) >= k {
				return nil, false
			}
			*mem.At[string](to.At(i)) = entries[c]
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
func (r *Reader) copyShort(b []byte, n int) string {
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

func (r *Reader) front(data []byte, to Target) bool {
	n := to.N
	same, more := r.Take(n), r.Take(n)
	defer r.Free(same)
	defer r.Free(more)
	data, ok := ReadInts(data, same)
	if !ok {
		return false
	}
	if data, ok = ReadInts(data, more); !ok {
		return false
	}
	last := ""
	for i := range n {
		k, l := same[i], more[i]
		if uint64(k) > uint64(len(last)) || uint64(l) > uint64(len(data)) || k > maxShared {
			return false
		}
		p := r.carve(int(k + l))
		copy(p, last[:k])
		copy(p[k:], data[:l])
		data = data[l:]
		last = mem.String(p)
		*mem.At[string](to.At(i)) = last
	}
	return len(data) == 0
}
