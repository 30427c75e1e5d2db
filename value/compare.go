package value

import (
	"bytes"
	"cmp"
	"math"
	"strings"

	"github.com/weftcodec/weft/internal/mem"
)

// rank is the place of a kind in the order of kinds: numbers share one.
func (k Kind) rank() Kind {
	if k.IsNumber() {
		return KindInt
	}
	return k
}

// same reports whether v and w are one and the same.
func (v Value) same(w Value) bool {
	return v.meta == w.meta && v.num == w.num && mem.RefIs(v.ref, w.ref)
}

// Equal reports whether v and w are equal: Compare returns 0.
//
// Numbers are equal if they are exactly the same number, of whatever kind; a NaN
// is equal to itself. Instants are equal in any time zone. Maps are equal if they
// have equal members, in any order.
func (v Value) Equal(w Value) bool {
	if v.same(w) {
		return true
	}
	k := v.Kind()
	if k != w.Kind() {
		return k.IsNumber() && w.Kind().IsNumber() && compareNumbers(v, w) == 0
	}
	switch k {
	case KindNull:
		return true
	case KindBool, KindInt, KindUint:
		return v.num == w.num
	case KindFloat, KindNumber:
		return compareNumbers(v, w) == 0
	case KindString:
		return v.text() == w.text()
	case KindBytes:
		return bytes.Equal(v.bytes(), w.bytes())
	case KindTime:
		return v.num == w.num && v.meta == w.meta
	case KindList:
		a, b := v.kids(), w.kids()
		if a.n != b.n {
			return false
		}
		for i := range a.n {
			if !a.at(i).Equal(b.at(i)) {
				return false
			}
		}
		return true
	case KindMap:
		return equalMaps(v, w)
	}
	return v.num == w.num && bytes.Equal(v.extData(), w.extData())
}

func equalMaps(v, w Value) bool {
	if v.count() != w.count() {
		return false
	}
	s, t := v.shape(), w.shape()
	a, b := v.kids(), w.kids()
	for i := range a.n {
		j := i
		if s != t {
			if j = t.Find(s.Names[i], i); j < 0 {
				return false
			}
		}
		if !a.at(i).Equal(b.at(j)) {
			return false
		}
	}
	return true
}

// Compare orders values of all kinds: it returns -1 if v comes before w, 1 if it
// comes after, and 0 if they are equal.
//
// Null comes first, then false, true, numbers, strings, strings of bytes, instants,
// lists, maps and extensions. Numbers of all kinds are ordered by their exact size,
// with NaN before all others. Lists are ordered by their first elements that differ; a list comes after its prefixes.
// Maps are ordered in the same way by their members, sorted by name.
func (v Value) Compare(w Value) int {
	if v.same(w) {
		return 0
	}
	k := v.Kind()
	if c := cmp.Compare(k.rank(), w.Kind().rank()); c != 0 {
		return c
	}
	switch k {
	case KindNull:
		return 0
	case KindBool:
		return cmp.Compare(v.num, w.num)
	case KindInt, KindUint, KindFloat, KindNumber:
		return compareNumbers(v, w)
	case KindString:
		return strings.Compare(v.text(), w.text())
	case KindBytes:
		return bytes.Compare(v.bytes(), w.bytes())
	case KindTime:
		if c := cmp.Compare(int64(v.num), int64(w.num)); c != 0 {
			return c
		}
		return cmp.Compare(v.meta, w.meta)
	case KindList:
		a, b := v.kids(), w.kids()
		for i := range min(a.n, b.n) {
			if c := a.at(i).Compare(b.at(i)); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.n, b.n)
	case KindMap:
		return compareMaps(v, w)
	}
	if c := cmp.Compare(int64(v.num), int64(w.num)); c != 0 {
		return c
	}
	return bytes.Compare(v.extData(), w.extData())
}

// Compare is [Value.Compare] as a function, for slices.SortFunc and the like.
func Compare(v, w Value) int { return v.Compare(w) }

// Equal is [Value.Equal] as a function, for slices.EqualFunc, maps.EqualFunc and
// the like.
func Equal(v, w Value) bool { return v.Equal(w) }

func compareMaps(v, w Value) int {
	s, t := v.shape(), w.shape()
	a, b := v.kids(), w.kids()
	x, y := s.Sorted(), t.Sorted()
	for i := range min(len(x), len(y)) {
		p, q := x[i], y[i]
		if c := strings.Compare(s.Names[p], t.Names[q]); c != 0 {
			return c
		}
		if c := a.at(int(p)).Compare(b.at(int(q))); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.n, b.n)
}

// compareNumbers compares two numbers of any kinds.
func compareNumbers(v, w Value) int {
	switch k, l := v.Kind(), w.Kind(); {
	case k == KindInt && l == KindInt:
		return cmp.Compare(int64(v.num), int64(w.num))
	case k == KindUint && l == KindUint:
		return cmp.Compare(v.num, w.num)
	case k == KindFloat && l == KindFloat:
		return cmp.Compare(math.Float64frombits(v.num), math.Float64frombits(w.num))
	case k == KindInt && l == KindFloat:
		return compareIntFloat(int64(v.num), math.Float64frombits(w.num))
	case k == KindFloat && l == KindInt:
		return -compareIntFloat(int64(w.num), math.Float64frombits(v.num))
	}
	n, m := v.number(), w.number()
	return n.compare(&m)
}

func compareIntFloat(i int64, f float64) int {
	switch {
	case f != f:
		return 1
	case f >= 1<<63:
		return -1
	case f < -1<<63:
		return 1
	}
	whole := math.Trunc(f)
	if c := cmp.Compare(i, int64(whole)); c != 0 {
		return c
	}
	return cmp.Compare(whole, f)
}
