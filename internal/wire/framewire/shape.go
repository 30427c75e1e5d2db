package framewire

import (
	"strconv"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// A shape is what strings have in common that differ in their numbers only, such
// as names that are counted, versions, dates: the text between the numbers.
type shape struct {
	text  []string // one more than there are numbers
	slots []slot
}

// word is a text of up to 8 bytes as a number, and which bits of it count.
type word struct {
	bits, mask uint64
	n          int
	shift      uint8 // bits that it takes
}

func wordOf(s string) word {
	if len(s) > 8 {
		return word{n: 9, bits: 1} // of nothing
	}
	w := word{n: len(s), shift: 8 * uint8(len(s))}
	for i := range len(s) {
		w.bits |= uint64(s[i]) << (8 * i)
		w.mask |= 0xff << (8 * i)
	}
	return w
}

// load returns s, which has no more than 8 bytes, as a number.
func load(s string) uint64 {
	n := len(s)
	b := mem.BytesIn(s)
	switch {
	case n >= 4:
		return uint64(b.U32(0)) | uint64(b.U32(n-4))<<(8*uint(n-4)&63)
	case n >= 2:
		return uint64(b.U16(0)) | uint64(b.U16(n-2))<<(8*uint(n-2))
	case n == 1:
		return uint64(b.At(0))
	}
	return 0
}

// decimalOf returns the number that the n lowest bytes of x, 1 to 8 digits, are.
func decimalOf(x uint64, n int) int64 {
	const zeros = 0x3030303030303030
	return int64(wire.Parse8Digits(x<<(64-8*uint(n)) | zeros>>(8*uint(n))))
}

// slot is one number of a shape.
type slot struct {
	v      []int64
	lo, hi int64
	behind word // the text behind it
	width  int  // digits of all numbers, 0 where they differ
	plain  bool // no number begins with a zero that it could do without
}

// Limits of shapes.
const (
	maxSlots  = 8
	maxDigits = 18
	maxShared = 255 // bytes of text, and bytes that a string may share with the one before
)

// number reads the decimal number at s[i:]: a minus counts where it does not
// follow a digit. digits is 0 where there is none; canonical tells that it has no
// zero in front.
func number(s string, i int) (v int64, digits, next int, canonical bool) {
	neg := false
	if i < len(s) && s[i] == '-' && (i == 0 || s[i-1]-'0' > 9) {
		neg = true
		i++
	}
	from := i
	for i < len(s) {
		c := s[i] - '0'
		if c > 9 {
			break
		}
		if i-from == maxDigits {
			return 0, 0, 0, false
		}
		v = v*10 + int64(c)
		i++
	}
	digits = i - from
	canonical = digits == 1 && !(neg && v == 0) || digits > 1 && s[from] != '0'
	if neg {
		if !canonical {
			return 0, 0, 0, false
		}
		return -v, digits, i, true
	}
	return v, digits, i, canonical
}

// shapeOf splits s at its numbers.
func (w *Writer) shapeOf(s string) (*shape, bool) {
	f := &w.shape
	f.text, f.slots = f.text[:0], f.slots[:0]
	from := 0
	for i := 0; i < len(s); {
		v, digits, next, canonical := int64(0), 0, 0, false
		if c := s[i]; c-'0' <= 9 || c == '-' {
			v, digits, next, canonical = number(s, i)
		}
		if digits == 0 {
			i++
			continue
		}
		if len(f.slots) == maxSlots {
			return nil, false
		}
		if len(f.slots) < cap(f.slots) {
			f.slots = f.slots[:len(f.slots)+1]
		} else {
			f.slots = append(f.slots, slot{})
		}
		sl := &f.slots[len(f.slots)-1]
		sl.width, sl.plain, sl.lo, sl.hi, sl.v = digits, canonical, v, v, sl.v[:0]
		f.text = append(f.text, s[from:i])
		from, i = next, next
	}
	f.text = append(f.text, s[from:])
	for k := range f.slots {
		f.slots[k].behind = wordOf(f.text[k+1])
	}
	return f, len(f.slots) > 0 && len(s) <= maxShared
}

// match reads the numbers of all strings of v, whose indexes begin at 0, from the
// i-th on, in steps.
func (f *shape) match(v *Target, i, step int) bool {
	first := f.text[0]
	slots, begin := f.slots, wordOf(first)
	size := 0 // of the texts
	for _, text := range f.text {
		size += len(text)
	}
	for ; i < v.N; i += step {
		s := v.Text(i)
		var x uint64
		switch {
		case len(s) <= 8 && begin.n <= 8 && !mem.Safe:
			x = load(s)
			if x&begin.mask != begin.bits {
				return false
			}
			x >>= begin.shift & 63
		case len(s) < len(first) || s[:len(first)] != first:
			return false
		case len(s)-len(first) > 8 || mem.Safe:
			if !f.matchLong(s, i) {
				return false
			}
			continue
		default:
			x = load(s[len(first):])
		}
		// Same as matchLong, in one word. Signs and digits come as they like: few
		// steps depend on them. Zeros behind the end of s may look like bytes of a
		// text, but then rest is not right.
		rest := len(s) - size // bytes that have to be numbers
		for k := range slots {
			sl := &slots[k]
			sign := int64((x&0xff^'-')-1) >> 63 // -1 for a minus
			x >>= uint64(sign) & 8
			n := 1
			d := int64(x&0xff) - '0'
			if x>>8&0xff-'0' > 9 && uint64(d) <= 9 {
				if d < -sign {
					return false // -0
				}
				x >>= 8
			} else {
				if n = wire.CountDigits(x); n == 0 {
					return false
				}
				d = decimalOf(x, n)
				if x&15 == 0 {
					if sl.plain = false; sl.width == 0 || sign != 0 {
						return false
					}
				}
				x = x >> (8 * uint(n-1) & 63) >> 8
			}
			if sl.width != 0 && (n != sl.width || sign != 0) {
				if sl.width = 0; !sl.plain {
					return false
				}
			}
			rest += int(sign) - n
			d = (d ^ sign) - sign
			if d < sl.lo {
				sl.lo = d
			}
			if d > sl.hi {
				sl.hi = d
			}
			sl.v[i] = d
			if x&sl.behind.mask != sl.behind.bits {
				return false
			}
			x >>= sl.behind.shift & 63
		}
		if rest != 0 {
			return false
		}
	}
	return true
}

// matchLong is match for a string of any length.
func (f *shape) matchLong(s string, at int) bool {
	i := 0
	for k := range f.slots {
		text := f.text[k]
		if len(s)-i < len(text) || s[i:i+len(text)] != text {
			return false
		}
		v, digits, next, canonical := number(s, i+len(text))
		if digits == 0 {
			return false
		}
		sl := &f.slots[k]
		if digits != sl.width || v < 0 {
			sl.width = 0
		}
		sl.plain = sl.plain && canonical
		if !sl.plain && sl.width == 0 {
			return false
		}
		sl.lo, sl.hi = min(sl.lo, v), max(sl.hi, v)
		sl.v[at] = v
		i = next
	}
	return s[i:] == f.text[len(f.slots)]
}

// appendShape appends strings by their shape, if they have one.
func (w *Writer) appendShape(b []byte, v Target) ([]byte, bool) {
	f, ok := w.shapeOf(v.Text(0))
	if !ok {
		return b, false
	}
	n := v.N
	for k := range f.slots {
		sl := &f.slots[k]
		if cap(sl.v) < n {
			sl.v = make([]int64, max(n, 1024))
		}
		sl.v = sl.v[:n]
		if sl.lo < 0 {
			sl.width = 0
		}
	}
	if !f.match(&v, 0, max(n/16, 1)) || !f.match(&v, 0, 1) { // a sample first
		return b, false
	}
	b = BeginBlock(b, stringsShape)
	head := len(b) - 1
	b = append(b, byte(len(f.slots)))
	for _, text := range f.text {
		b = append(tagwire.AppendUvarint(b, uint64(len(text))), text...)
	}
	for k := range f.slots {
		sl := &f.slots[k]
		if sl.plain {
			sl.width = 0
		}
		b = append(b, byte(sl.width))
		b = appendIntsIn(b, sl.v, sl.lo, sl.hi)
	}
	return tagwire.End(b, head), true
}

// shape reads strings by their shape.
func (r *Reader) shape(data []byte, to Target) bool {
	if len(data) == 0 || data[0] == 0 || data[0] > maxSlots {
		return false
	}
	m := int(data[0])
	n := to.N
	var texts [maxSlots + 1]text
	size := 0
	i := 1
	for k := range m + 1 {
		start, stop := tagwire.Span(data, i, len(data))
		if stop < 0 {
			return false
		}
		texts[k] = text{wordOf(string(data[start:min(stop, start+8)])), data[start:stop]}
		size += stop - start
		i = stop
	}
	data = data[i:]
	var widths [maxSlots]int
	var slots [maxSlots][]int64
	for k := range m {
		if len(data) == 0 || data[0] > maxDigits {
			return false
		}
		widths[k] = int(data[0])
		slots[k] = r.Take(n)
		defer r.Free(slots[k])
		var ok bool
		if data, ok = ReadInts(data[1:], slots[k]); !ok {
			return false
		}
	}
	if len(data) != 0 || size > maxShared {
		return false
	}
	most := size + 24*m + 16 // of one string, and what is too much of a word
	for i := range n {
		if len(r.slab)-r.used < most {
			r.slab, r.used = mem.MakeNoZero(max(slabBytes, 2*most))[:max(slabBytes, 2*most)], 0
		}
		from := r.used
		l := from
		w := mem.BytesOf(r.slab)
		for k := range m {
			t := &texts[k]
			w.SetU64(l, t.bits)
			if len(t.all) > 8 {
				copy(r.slab[l:], t.all)
			}
			l += len(t.all)
			v := slots[k][i]
			switch {
			case widths[k] > 0:
				if v < 0 || !wire.SetPadded(w, l, widths[k], uint64(v)) {
					return false
				}
				l += widths[k]
			case uint64(v+99) < padded:
				l = setShort(w, l, v)
			case uint64(v) < 1e6:
				high := v / 1000
				l = setShort(w, l, high)
				w.SetU32(l, shortNumbers[v-1000*high+padded])
				l += 3
			default:
				l = wire.SetInt(w, l, v)
			}
		}
		t := &texts[m]
		w.SetU64(l, t.bits)
		if len(t.all) > 8 {
			copy(r.slab[l:], t.all)
		}
		l += len(t.all)
		r.used = l
		*mem.At[string](to.At(i)) = mem.String(r.slab[from:l])
	}
	return true
}

// text is a text of a shape, and its first 8 bytes.
type text struct {
	word
	all []byte
}

// shortNumbers are the numbers from -99 to 999 in decimal, then those from 0 to 999 in three digits: the first byte
// lowest, with their length in the highest byte.
var shortNumbers = func() (t [padded + 1000]uint32) {
	for i := range t {
		s := strconv.Itoa(i - 99)
		if i >= padded {
			s = strconv.Itoa(1000 + i - padded)[1:]
		}
		t[i] = uint32(len(s)) << 24
		for k, c := range []byte(s) {
			t[i] |= uint32(c) << (8 * k)
		}
	}
	return t
}()

// padded is the index of the first of shortNumbers in three digits.
const padded = 99 + 1000

// setShort writes v, from -99 to 999, at w[l:] and returns the index after it. Same as wire.SetInt: of the numbers in
// texts most are short, and there are several in a text.
func setShort(w mem.Bytes, l int, v int64) int {
	x := shortNumbers[v+99]
	w.SetU32(l, x)
	return l + int(x>>24)
}

// powers are the powers of ten.
var powers = func() (p [19]int64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = 10 * p[i-1]
	}
	return p
}()
