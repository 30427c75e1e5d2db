package cborwire

import (
	"bytes"
	"cmp"
	"math"

	"github.com/weftcodec/weft/internal/wire"
)

// Rules are what an item may have to be beside well-formed.
type Rules uint16

// The rules, in the order of the flags of package cbor for them.
const (
	LengthFirst Rules = 1 << iota // sorted keys have shorter ones first (§4.2.3)
	AnyFloats                     // floating-point numbers may be longer than their shortest form
	Reduced                       // no floating-point number that is equal to an integer
	UTF8                          // text strings are UTF-8
	Finite                        // no infinities and NaN
	Shortest                      // heads and numbers in their shortest form (§4.1)
	Sorted                        // keys in the order of their bytes (§4.2.1)
	Definite                      // no indefinite lengths
	Untagged                      // no tags
	FewSimple                     // no simple values but false, true and null
	Unique                        // no key twice
)

// Ends of items that break a rule; see [Short].
const (
	NotShortest = -16 - iota
	NotDefinite
	NotSorted
	Twice
	Tagged
	BadSimple
	NotFinite
	NotUTF8
	NotReduced
)

// Head checks the head of an item that begins with c, with the argument n, and ends at b[next:], and returns 0 or the
// end for the rule that it breaks. The head of a bignum breaks one if its bytes are not the shortest form.
func (r Rules) Head(c byte, n uint64, b []byte, next int) (end int) {
	if r&Shortest != 0 && c&31 >= 24 && !Preferred(c, n) && (r&AnyFloats == 0 || c < Simple) {
		return NotShortest
	}
	if c&31 == Open && r&Definite != 0 && c != Break {
		return NotDefinite
	}
	switch {
	case c < Tag:
		return 0
	case c < Simple:
		if r&Untagged != 0 {
			return Tagged
		}
		if r&Shortest != 0 && n|1 == 3 && isShortBignum(b, next) {
			return NotShortest
		}
		return 0
	case c < Half:
		if r&FewSimple != 0 && (c < False || c > Null) {
			return BadSimple
		}
		return 0
	case c > Double || r&(Finite|Reduced) == 0:
		return 0
	}
	return r.Float(floatOf(c, n))
}

// Float checks a floating-point number as Head does.
func (r Rules) Float(v float64) (end int) {
	switch {
	case r&Finite != 0 && (math.IsInf(v, 0) || v != v):
		return NotFinite
	case r&Reduced != 0 && IsWhole(v):
		return NotReduced
	}
	return 0
}

// IsWhole reports whether v is an integer of CBOR, of 64 bits and a sign.
func IsWhole(v float64) bool { return v == math.Trunc(v) && v >= -1<<64 && v < 1<<64 }

func floatOf(c byte, n uint64) float64 {
	switch c {
	case Half:
		return FromHalf(uint16(n))
	case Single:
		return float64(math.Float32frombits(uint32(n)))
	}
	return math.Float64frombits(n)
}

// CompareKeys orders two encoded keys by their bytes, or the shorter one first.
func CompareKeys(x, y []byte, lengthFirst bool) int {
	if lengthFirst {
		if c := cmp.Compare(len(x), len(y)); c != 0 {
			return c
		}
	}
	return bytes.Compare(x, y)
}

// checkLevel is a container or tag that is open.
type checkLevel struct {
	left    int // items to come, -1 for what has an indefinite length
	isMap   bool
	isKey   bool // the item that comes next is a key
	key     int  // where the last key begins
	prev    int  // where the key before begins and ends, the end is 0 for none
	prevEnd int
	keys    map[string]struct{} // those so far, where they are not sorted
	wide    map[int]int         // by their length, where the first one begins that is an array, a map or has a tag
}

// firstLevels is how many levels may be open before what is within is checked to be well-formed:
// memory is taken for no more than is there.
const firstLevels = 64

// Check is [Skip] of an item that obeys the rules. What breaks one stands at index at.
func Check(b []byte, i, depth int, rules Rules) (end, at int) {
	if rules == 0 {
		return Skip(b, i, depth)
	}
	var buf [8]checkLevel
	levels := buf[:0]
	checked := i
	for {
		n, next := Head(b, i)
		if next < 0 {
			return next, i
		}
		c := b[i]
		if fault := rules.Head(c, n, b, next); fault != 0 {
			return fault, i
		}
		start := i
		switch major := c & 0xe0; {
		case major == Bytes || major == Text:
			if i, start = checkString(b, i, n, next, rules); i < 0 {
				return i, start
			}
		case major >= Array && major <= Tag:
			if len(levels) >= depth {
				return Deep, i
			}
			if len(levels) == firstLevels && i >= checked {
				if checked, start = Skip(b, i, depth-len(levels)); checked < 0 {
					return checked, start
				}
			}
			l := checkLevel{left: -1, isMap: major == Map, isKey: major == Map}
			switch {
			case major == Tag:
				l.left = 1
			case c&31 != Open:
				if n > math.MaxInt/2 {
					return Short, i // more than the memory of this machine
				}
				if l.left = int(n); l.isMap {
					l.left *= 2
				}
			}
			i = next
			if l.left != 0 {
				levels = append(levels, l)
				levels[len(levels)-1].begin(i)
				continue
			}
		case c == Break:
			top := len(levels) - 1
			if top < 0 || levels[top].left >= 0 || levels[top].isMap && !levels[top].isKey {
				return Malformed, i
			}
			levels, i = levels[:top], next
		default:
			i = next
		}
		for {
			if len(levels) == 0 {
				return i, i
			}
			top := &levels[len(levels)-1]
			if fault := top.finish(b, i, rules); fault != 0 {
				return fault, top.key
			}
			if top.left != 0 {
				break
			}
			levels = levels[:len(levels)-1]
		}
	}
}

// isShortBignum reports whether the content of the tag of a bignum, at b[i:], is the bytes of an integer of 64 bits, or
// begins with zeros (§3.4.3).
func isShortBignum(b []byte, i int) bool {
	_, next := Head(b, i)
	if next < 0 || b[i]&0xe0 != Bytes {
		return false
	}
	if b[i]&31 != Open {
		start, end := ReadString(b, i)
		return end >= 0 && (end-start <= 8 || b[start] == 0)
	}
	size, first := 0, byte(0)
	for i = next; i < len(b) && b[i] != Break; {
		start, end := ReadString(b, i)
		if end < 0 || b[i]&0xe0 != Bytes {
			return false
		}
		if size == 0 && start < end {
			first = b[start]
		}
		size, i = size+end-start, end
	}
	return i < len(b) && (size <= 8 || first == 0)
}

// begin notes where the next item of the level begins.
func (l *checkLevel) begin(i int) {
	if l.isKey {
		l.key = i
	}
}

// finish notes that an item of the level ends at i. Of a key it checks the place.
func (l *checkLevel) finish(b []byte, i int, rules Rules) (fault int) {
	if l.left > 0 {
		l.left--
	}
	if l.isMap {
		if l.isKey {
			if fault = l.order(b, i, rules); fault != 0 {
				return fault
			}
		}
		l.isKey = !l.isKey
		l.begin(i)
	}
	return 0
}

// order checks the key that ends at i against those before.
func (l *checkLevel) order(b []byte, i int, rules Rules) (fault int) {
	key := b[l.key:i]
	if rules&Sorted != 0 {
		if l.prevEnd > 0 {
			switch c := CompareKeys(b[l.prev:l.prevEnd], key, rules&LengthFirst != 0); {
			case c == 0:
				return Twice
			case c > 0:
				return NotSorted
			}
		}
		l.prev, l.prevEnd = l.key, i
		return 0
	}
	if rules&Unique != 0 {
		var buf [64]byte
		switch {
		case key[0] >= Array && key[0] < Simple:
			// One may hold others, each of which would be copied at every level: the first of its length is only when
			// there is a second one.
			first, ok := l.wide[len(key)]
			if !ok {
				if l.wide == nil {
					l.wide = make(map[int]int)
				}
				l.wide[len(key)] = l.key
				return 0
			}
			if l.keys == nil {
				l.keys = make(map[string]struct{})
				if l.prevEnd > 0 {
					l.keys[string(AppendKey(buf[:0], b, l.prev, l.prevEnd))] = struct{}{}
				}
			}
			l.keys[string(b[first:first+len(key)])] = struct{}{}
		case l.keys != nil:
		case l.prevEnd == 0: // nothing to compare with
			l.prev, l.prevEnd = l.key, i
			return 0
		default:
			l.keys = map[string]struct{}{string(AppendKey(buf[:0], b, l.prev, l.prevEnd)): {}}
		}
		k := AppendKey(buf[:0], b, l.key, i)
		if _, ok := l.keys[string(k)]; ok {
			return Twice
		}
		l.keys[string(k)] = struct{}{}
	}
	return 0
}

// checkString checks the string at b[i:], whose head has the argument n and ends at next.
func checkString(b []byte, i int, n uint64, next int, rules Rules) (end, at int) {
	c := b[i]
	if c&31 == Open {
		for i = next; ; i = end {
			if i < len(b) && b[i] == Break {
				return i + 1, i
			}
			n, next := Head(b, i)
			switch {
			case next < 0:
				return next, i
			case b[i]&0xe0 != c&0xe0 || b[i]&31 == Open:
				return Malformed, i
			}
			if fault := rules.Head(b[i], n, b, next); fault != 0 {
				return fault, i
			}
			if end, at = checkString(b, i, n, next, rules); end < 0 {
				return end, at
			}
		}
	}
	if n > uint64(len(b)-next) {
		return Short, i
	}
	end = next + int(n)
	if c >= Text && rules&UTF8 != 0 && !wire.ValidUTF8(b[next:end]) {
		return NotUTF8, i
	}
	return end, i
}

// AppendKey appends the key b[i:end], which is well-formed, in its preferred form, by which keys are told
// apart: an integer, a number or a string; anything else as it stands.
func AppendKey(dst, b []byte, i, end int) []byte {
	n, _ := Head(b, i)
	switch c := b[i]; {
	case c < Bytes:
		return AppendHead(dst, c&0xe0, n)
	case c < Array:
		start, stop := ReadString(b, i)
		if stop < 0 {
			text, _ := AppendString(nil, b, i)
			return append(AppendHead(dst, c&0xe0, uint64(len(text))), text...)
		}
		return append(AppendHead(dst, c&0xe0, uint64(stop-start)), b[start:stop]...)
	case c == Half || c == Single || c == Double:
		return AppendFloat(dst, floatOf(c, n))
	}
	return append(dst, b[i:end]...)
}
