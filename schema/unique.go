package schema

import (
	"hash/maphash"
	"math"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
)

// seenElements are the elements of an array that have been met, by their sums.
type seenElements map[uint64][]seenElement

type seenElement struct {
	index int
	at    backend.Mark
}

// add adds the k-th element, which comes next. It returns the index of one that is equal, or -1.
func (s *seenElements) add(e *evaluator, k int) int {
	if *s == nil {
		*s = make(seenElements)
	}
	m := e.r.Mark()
	sum := e.sum()
	e.r.Reset(m)
	for _, other := range (*s)[sum] {
		e.r.Reset(other.at)
		text := e.text()
		e.r.Reset(m)
		equal := e.text() == text
		e.r.Reset(m)
		if equal {
			return other.index
		}
	}
	(*s)[sum] = append((*s)[sum], seenElement{k, m})
	return -1
}

// text reads the next value and returns its canonical text.
func (e *evaluator) text() string {
	all := math.MaxInt
	return string(appendValue(nil, e.r, &all))
}

// seed is of one run of a program: so are sums.
var seed = maphash.MakeSeed()

// sum returns a hash of the next value, the same for equal values. Each array and object is read for it once, whatever
// it is in. The caller resets the reader.
func (e *evaluator) sum() uint64 {
	k := e.r.Kind()
	if known, ok := e.sums[e.r.Offset()]; ok && (k == weft.KindArray || k == weft.KindObject) {
		return known
	}
	return e.addSum(k)
}

// addSum is sum for a value that has not been read before, of the kind. It consumes the value.
func (e *evaluator) addSum(k weft.Kind) (h uint64) {
	r := e.r
	at := r.Offset()
	h = uint64(k)
	switch k {
	case weft.KindArray:
		for ok := r.BeginArray(); ok; ok = r.More() {
			h = maphash.Comparable(seed, [2]uint64{h, e.addSum(r.Kind())})
		}
	case weft.KindObject:
		for ok := r.BeginMap(); ok; { // in any order
			var name string
			if name, ok = r.NextKey(); ok {
				member := maphash.String(seed, name)
				h += maphash.Comparable(seed, [2]uint64{member, e.addSum(r.Kind())})
			}
		}
	default:
		return maphash.String(seed, e.text())
	}
	if e.sums == nil {
		e.sums = make(map[int]uint64)
	}
	e.sums[at] = h
	return h
}
