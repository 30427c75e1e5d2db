package framewire

import (
	"math/bits"
	"slices"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// Encodings of a block of integers.
const (
	intsConstant = 0 // the value
	intsPacked   = 1 // base, width, values less the base in that many bits each
	intsDelta    = 2 // the first value, base, width, differences less the base
	intsRuns     = 3 // number of runs, block of values, block of lengths less one
	intsPlain    = 4 // varints
)

// MaxFree is how many values of a column may take no bytes. Beyond it there is
// at least one bit for each, so that memory grows with the bytes that are there.
const MaxFree = 1 << 16

// Scratch is slices of integers that are used again.
type Scratch struct{ free [][]int64 }

// Take returns a slice of n integers that have any values. It goes back by Free.
func (s *Scratch) Take(n int) []int64 {
	if k := len(s.free) - 1; k >= 0 {
		v := s.free[k]
		s.free = s.free[:k]
		if cap(v) >= n {
			return v[:n]
		}
	}
	return make([]int64, n, n+n/4)
}

// Free gives a slice back.
func (s *Scratch) Free(v []int64) { s.free = append(s.free, v) }

// Memory returns how many bytes the slices have, and how many were in use when they were last.
func (s *Scratch) Memory() (kept, used int) {
	for _, v := range s.free {
		kept += 8 * cap(v)
		used += 8 * len(v)
	}
	return kept, used
}

// Reset begins to count anew what is in use. It keeps at most so many slices.
func (s *Scratch) Reset(most int) {
	if len(s.free) > most {
		clear(s.free[most:])
		s.free = s.free[:most]
	}
	for i := range s.free {
		s.free[i] = s.free[i][:0]
	}
}

// BeginBlock begins a block, whose length takes one byte until [tagwire.End].
func BeginBlock(b []byte, encoding byte) []byte { return append(b, encoding, 0) }

// AppendInts appends a block of v.
func AppendInts(b []byte, v []int64) []byte {
	n := len(v)
	if n == 0 {
		return append(b, intsPlain, 0)
	}
	lo, hi := v[0], v[0]
	for _, x := range v {
		lo, hi = min(lo, x), max(hi, x)
	}
	return appendIntsIn(b, v, lo, hi)
}

// appendIntsIn appends a block of v, of which lo and hi are the least and the
// greatest.
func appendIntsIn(b []byte, v []int64, lo, hi int64) []byte {
	n := len(v)
	width := bits.Len64(uint64(hi - lo))
	if width == 0 && n <= MaxFree {
		b = BeginBlock(b, intsConstant)
		head := len(b) - 1
		return tagwire.End(tagwire.AppendVarint(b, lo), head)
	}
	width = max(width, 1)
	size := (n*width + 7) / 8
	if width > 1 && n > 1 {
		equal, dlo, dhi := sampleInts(v)
		if equal && n <= MaxFree {
			if out, ok := appendRuns(b, v, size); ok {
				return out
			}
		}
		if bits.Len64(uint64(dhi-dlo)) < width {
			if out, ok := appendDelta(b, v, size); ok {
				return out
			}
		}
		if width > 16 {
			plain := 0
			for _, x := range v {
				plain += tagwire.UvarintLen(uint64(x)<<1 ^ uint64(x>>63))
			}
			if plain < size {
				b = BeginBlock(b, intsPlain)
				head := len(b) - 1
				for _, x := range v {
					b = tagwire.AppendVarint(b, x)
				}
				return tagwire.End(b, head)
			}
		}
	} else if width == 1 && n > 64 && n <= MaxFree {
		if equal, _, _ := sampleInts(v); equal {
			if out, ok := appendRuns(b, v, size); ok {
				return out
			}
		}
	}
	return appendPacked(b, v, lo, width)
}

// AppendPaid appends a block of v, of which there are some, that takes at least a bit for each.
func AppendPaid(b []byte, v []int64) []byte {
	lo, hi := slices.Min(v), slices.Max(v)
	return appendPacked(b, v, lo, max(bits.Len64(uint64(hi-lo)), 1))
}

// appendPacked appends a block of v less lo in width bits each.
func appendPacked(b []byte, v []int64, lo int64, width int) []byte {
	size := (len(v)*width + 7) / 8
	b = append(b, intsPacked)
	b = tagwire.AppendUvarint(b, uint64(tagwire.UvarintLen(uint64(lo)<<1^uint64(lo>>63))+1+size))
	b = append(tagwire.AppendVarint(b, lo), byte(width))
	return appendBits(b, v, lo, width)
}

// sampleInts looks at some neighbours: whether many are equal, and the range of
// their differences.
func sampleInts(v []int64) (equal bool, lo, hi int64) {
	n := len(v)
	step := max((n-1)/16, 1)
	same, seen := 0, 0
	for i := 1; i < n; i += step {
		d := v[i] - v[i-1]
		if seen == 0 {
			lo, hi = d, d
		}
		lo, hi = min(lo, d), max(hi, d)
		if d == 0 {
			same++
		}
		seen++
	}
	return 4*same >= 3*seen, lo, hi
}

// appendDelta appends differences if they take less than size bytes.
func appendDelta(b []byte, v []int64, size int) ([]byte, bool) {
	n := len(v)
	lo := v[1] - v[0]
	hi := lo
	last := v[0]
	for _, x := range v[1:] {
		d := x - last
		lo, hi = min(lo, d), max(hi, d)
		last = x
	}
	width := bits.Len64(uint64(hi - lo))
	if n > MaxFree {
		width = max(width, 1)
	}
	if ((n-1)*width+7)/8+12 >= size {
		return b, false
	}
	b = BeginBlock(b, intsDelta)
	head := len(b) - 1
	b = append(tagwire.AppendVarint(tagwire.AppendVarint(b, v[0]), lo), byte(width))
	if width > 0 {
		diffs := make([]int64, n-1)
		for i := range diffs {
			diffs[i] = v[i+1] - v[i]
		}
		b = appendBits(b, diffs, lo, width)
	}
	return tagwire.End(b, head), true
}

// appendRuns appends runs if they take less than size bytes.
func appendRuns(b []byte, v []int64, size int) ([]byte, bool) {
	var values, lengths []int64
	most := size/4 + 1
	for i := 0; i < len(v); {
		k := i + 1
		for k < len(v) && v[k] == v[i] {
			k++
		}
		if len(values) >= most {
			return b, false
		}
		values, lengths = append(values, v[i]), append(lengths, int64(k-i-1))
		i = k
	}
	start := len(b)
	b = BeginBlock(b, intsRuns)
	head := len(b) - 1
	b = tagwire.AppendUvarint(b, uint64(len(values)))
	b = tagwire.End(AppendPaid(AppendPaid(b, values), lengths), head)
	if len(b)-start >= size {
		return b[:start], false
	}
	return b, true
}

// appendBits appends the values less base in width bits each, the lowest
// first, and nothing in the bits left over.
func appendBits(b []byte, v []int64, base int64, width int) []byte {
	size := (len(v)*width + 7) / 8
	l := len(b)
	b = room(b, size+8)
	w := mem.BytesOf(b)
	var acc uint64
	fill := uint(0)
	at := l
	if width <= 8 {
		// Same as below: eight values are width bytes.
		s := uint(width)
		for ; len(v) >= 8; v = v[8:] {
			x := uint64(v[0]-base) | uint64(v[1]-base)<<s | uint64(v[2]-base)<<(2*s) | uint64(v[3]-base)<<(3*s)
			y := uint64(v[4]-base) | uint64(v[5]-base)<<s | uint64(v[6]-base)<<(2*s) | uint64(v[7]-base)<<(3*s)
			w.SetU64(at, x|y<<(4*s))
			at += width
		}
	}
	for _, x := range v {
		u := uint64(x - base)
		acc |= u << fill
		fill += uint(width)
		if fill >= 64 {
			w.SetU64(at, acc)
			at += 8
			fill -= 64
			acc = u >> (uint(width) - fill)
		}
	}
	if fill > 0 {
		w.SetU64(at, acc)
	}
	return b[:l+size]
}

// ReadBlock splits the next block off b.
func ReadBlock(b []byte) (encoding byte, data, rest []byte, ok bool) {
	if len(b) < 2 {
		return 0, nil, nil, false
	}
	start, stop := tagwire.Span(b, 1, len(b))
	if stop < 0 {
		return 0, nil, nil, false
	}
	return b[0], b[start:stop:stop], b[stop:], true
}

// ReadInts reads a block of len(v) integers into v.
func ReadInts(b []byte, v []int64) (rest []byte, ok bool) { return readInts(b, v, false) }

// readInts is ReadInts for a block that is within one of runs, where none may be of runs itself: memory for as many
// runs would be taken again at each level.
func readInts(b []byte, v []int64, within bool) (rest []byte, ok bool) {
	encoding, data, rest, ok := ReadBlock(b)
	if !ok {
		return nil, false
	}
	n := len(v)
	switch encoding {
	case intsConstant:
		x, next := varint(data, 0)
		if next != len(data) || n > MaxFree {
			return nil, false
		}
		for i := range v {
			v[i] = x
		}
		return rest, true
	case intsPacked:
		base, next := varint(data, 0)
		if next < 0 || next >= len(data) {
			return nil, false
		}
		return rest, unpack(data[next+1:], v, base, int(data[next]))
	case intsDelta:
		first, next := varint(data, 0)
		if next < 0 || n == 0 {
			return nil, false
		}
		base, next := varint(data, next)
		if next < 0 || next >= len(data) {
			return nil, false
		}
		width := int(data[next])
		if width == 0 {
			if next+1 != len(data) || n > MaxFree {
				return nil, false
			}
			for i := range v {
				v[i] = first
				first += base
			}
			return rest, true
		}
		if !unpack(data[next+1:], v[1:], base, width) {
			return nil, false
		}
		v[0] = first
		for i := 1; i < n; i++ {
			first += v[i]
			v[i] = first
		}
		return rest, true
	case intsRuns:
		k, next := tagwire.Uvarint(data, 0, len(data))
		if within || next < 0 || k > uint64(n) || k > uint64(8*len(data)) || n > MaxFree {
			return nil, false
		}
		runs := make([]int64, 2*k)
		data, ok = readInts(data[next:], runs[:k], true)
		if !ok {
			return nil, false
		}
		if data, ok = readInts(data, runs[k:], true); !ok || len(data) != 0 {
			return nil, false
		}
		i := 0
		for j := range runs[:k] {
			l := runs[int(k)+j]
			if l < 0 || l >= int64(n-i) {
				return nil, false
			}
			for range l + 1 {
				v[i] = runs[j]
				i++
			}
		}
		return rest, i == n
	case intsPlain:
		next := 0
		for i := range v {
			if v[i], next = varint(data, next); next < 0 {
				return nil, false
			}
		}
		return rest, next == len(data)
	}
	return nil, false
}

func varint(b []byte, i int) (int64, int) {
	u, next := tagwire.Uvarint(b, i, len(b))
	return tagwire.Unzigzag(u), next
}

// unpack reads len(v) values of width bits each.
func unpack(data []byte, v []int64, base int64, width int) bool {
	n := len(v)
	if width < 1 || width > 64 || n > 8*len(data)/width || (n*width+7)/8 != len(data) {
		return false
	}
	mask := ^uint64(0) >> (64 - uint(width))
	fast := 0
	if len(data) > 16 && width <= 56 {
		fast = min((len(data)-8)*8/width, n)
	}
	w := mem.BytesOf(data)
	bit := 0
	for i := range v[:fast] {
		v[i] = base + int64(w.U64(bit>>3)>>(uint(bit)&7)&mask)
		bit += width
	}
	for i := fast; i < n; i++ {
		v[i] = base + int64(loadBits(data, bit)&mask)
		bit += width
	}
	return true
}

// loadBits returns 64 bits from the given one on, zeros beyond the end.
func loadBits(b []byte, bit int) uint64 {
	var u uint64
	at, shift := bit>>3, uint(bit)&7
	for k := 0; k < 8 && at+k < len(b); k++ {
		u |= uint64(b[at+k]) << (8 * k)
	}
	u >>= shift
	if shift > 0 && at+8 < len(b) {
		u |= uint64(b[at+8]) << (64 - shift)
	}
	return u
}

// SkipBlock skips a block.
func SkipBlock(b []byte) (rest []byte, ok bool) {
	_, _, rest, ok = ReadBlock(b)
	return rest, ok
}
