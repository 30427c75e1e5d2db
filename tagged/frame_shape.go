package tagged

import (
	"math/bits"
	"strconv"

	"github.com/weftcodec/weft/internal/mem"
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

// digitsOf returns how many of the bytes of x, the lowest first, are digits.
func digitsOf(x uint64) int {
	const ones = 0x0101010101010101
	t := x ^ 0x30*ones // a digit is 0 to 9 now
	return bits.TrailingZeros64(((t&^(0x80*ones))+0x76*ones|t)&(0x80*ones)) >> 3
}

// decimalOf returns the number that the n lowest bytes of x, 1 to 8 digits, are.
func decimalOf(x uint64, n int) int64 {
	x = x << (64 - 8*uint(n)) & 0x0f0f0f0f0f0f0f0f
	x = x*10 + x>>8
	x = (x&0x00ff00ff00ff00ff)*100 + x>>16&0x00ff00ff00ff00ff
	return int64((x&0xffff)*10000 + x>>32&0xffff)
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
func (w *frameWriter) shapeOf(s string) (*shape, bool) {
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
func (f *shape) match(v *target, i, step int) bool {
	first := f.text[0]
	slots, begin := f.slots, wordOf(first)
	size := 0 // of the texts
	for _, text := range f.text {
		size += len(text)
	}
	for ; i < v.n; i += step {
		s := v.text(i)
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
				if n = digitsOf(x); n == 0 {
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
func (w *frameWriter) appendShape(b []byte, v target) ([]byte, bool) {
	f, ok := w.shapeOf(v.text(0))
	if !ok {
		return b, false
	}
	n := v.n
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
	b = block(b, stringsShape)
	head := len(b) - 1
	b = append(b, byte(len(f.slots)))
	for _, text := range f.text {
		b = appendText(b, text)
	}
	for k := range f.slots {
		sl := &f.slots[k]
		if sl.plain {
			sl.width = 0
		}
		b = append(b, byte(sl.width))
		b = appendIntsIn(b, sl.v, sl.lo, sl.hi)
	}
	return end(b, head), true
}

// shape reads strings by their shape.
func (r *stringReader) shape(data []byte, to target) bool {
	if len(data) == 0 || data[0] == 0 || data[0] > maxSlots {
		return false
	}
	m := int(data[0])
	n := to.n
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
		slots[k] = r.scratch(n)
		defer r.free(slots[k])
		var ok bool
		if data, ok = readInts(data[1:], slots[k]); !ok {
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
			if u := uint64(v + 99); u < uint64(len(shortNumbers)) && widths[k] == 0 {
				x := shortNumbers[u]
				w.SetU32(l, x)
				l += int(x >> 24)
				continue
			} else if uint64(v) < 1e6 && widths[k] == 0 {
				high := v / 1000
				x := shortNumbers[high+99]
				w.SetU32(l, x)
				l += int(x >> 24)
				w.SetU32(l, threeDigits[v-1000*high])
				l += 3
				continue
			}
			if l = putNumber(w, r.slab, l, v, widths[k]); l < 0 {
				return false
			}
		}
		t := &texts[m]
		w.SetU64(l, t.bits)
		if len(t.all) > 8 {
			copy(r.slab[l:], t.all)
		}
		l += len(t.all)
		r.used = l
		*mem.At[string](to.at(i)) = mem.String(r.slab[from:l])
	}
	return true
}

// text is a text of a shape, and its first 8 bytes.
type text struct {
	word
	all []byte
}

// shortNumbers are the numbers from -99 to 999 in decimal, the first byte lowest,
// with their length in the highest byte.
var shortNumbers = func() (t [1099]uint32) {
	for i := range t {
		s := strconv.Itoa(i - 99)
		t[i] = uint32(len(s)) << 24
		for k, c := range []byte(s) {
			t[i] |= uint32(c) << (8 * k)
		}
	}
	return t
}()

// threeDigits are the numbers from 0 to 999 in three digits, the first one lowest.
var threeDigits = func() (t [1000]uint32) {
	for i := range t {
		t[i] = uint32('0'+i/100) | uint32('0'+i/10%10)<<8 | uint32('0'+i%10)<<16
	}
	return t
}()

// powers are the powers of ten.
var powers = func() (p [19]int64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = 10 * p[i-1]
	}
	return p
}()

// putNumber writes v in width digits, or as many as it has for a width of 0.
func putNumber(w mem.Bytes, slab []byte, l int, v int64, width int) int {
	if v < 0 {
		if width > 0 || v == -1<<63 {
			return -1
		}
		w.Set(l, '-')
		l++
		v = -v
	}
	n := width
	if n == 0 {
		if v >= powers[maxDigits] {
			return l + len(strconv.AppendInt(slab[l:l:len(slab)], v, 10))
		}
		n = 1
		for v >= powers[n] {
			n++
		}
	} else if v >= powers[n] {
		return -1
	}
	i := l + n
	for i-2 >= l {
		q := v / 100
		d := uint(v-100*q) * 2
		w.Set(i-1, pairs[d+1])
		w.Set(i-2, pairs[d])
		v = q
		i -= 2
	}
	if i > l {
		w.Set(l, '0'+byte(v))
	}
	return l + n
}

// pairs are the numbers from 0 to 99 in two digits.
const pairs = "00010203040506070809" +
	"10111213141516171819" +
	"20212223242526272829" +
	"30313233343536373839" +
	"40414243444546474849" +
	"50515253545556575859" +
	"60616263646566676869" +
	"70717273747576777879" +
	"80818283848586878889" +
	"90919293949596979899"
