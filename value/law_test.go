package value

import (
	"math/big"
	"slices"
	"testing"
)

// TestOrder checks that Compare is a total order with which Equal and Hash agree.
func TestOrder(t *testing.T) {
	r := newRandom(1)
	var vs []Value
	for range 300 {
		vs = append(vs, r.scalar(), r.value(3))
	}
	for i, v := range vs {
		if v.Compare(v) != 0 || !v.Equal(v) {
			t.Fatalf("%#v differs from itself", v)
		}
		for _, w := range vs[:i] {
			c := v.Compare(w)
			if w.Compare(v) != -c {
				t.Fatalf("%#v and %#v: %d and %d", v, w, c, w.Compare(v))
			}
			if v.Equal(w) != (c == 0) || w.Equal(v) != (c == 0) {
				t.Fatalf("%#v and %#v: Compare %d, Equal %t", v, w, c, v.Equal(w))
			}
			if c == 0 && v.Hash() != w.Hash() {
				t.Fatalf("%#v and %#v are equal and have hashes of their own", v, w)
			}
			if a, b := rational(v), rational(w); a != nil && b != nil && a.Cmp(b) != c {
				t.Fatalf("%#v and %#v: Compare %d", v, w, c)
			}
		}
	}
	// Sorted by a relation that is not transitive, some pair would be out of order.
	slices.SortFunc(vs, Compare)
	for i, v := range vs {
		for _, w := range vs[:i] {
			if w.Compare(v) > 0 {
				t.Fatalf("%#v sorts before %#v", w, v)
			}
		}
	}
}

// rational returns the number that v is, nil for anything else.
func rational(v Value) *big.Rat {
	if f, ok := v.Float(); v.Kind() == KindFloat {
		if !ok {
			return nil
		}
		return new(big.Rat).SetFloat64(f) // nil unless finite
	}
	if text, ok := v.Number(); ok {
		r, _ := new(big.Rat).SetString(text)
		return r
	}
	return nil
}

func TestHashSpreads(t *testing.T) {
	seen := map[uint64]Value{}
	for i := range 10000 {
		for _, v := range []Value{
			Int(int64(i)), Float(float64(i) + 0.5), List(Int(int64(i))), Map(Member{"a", Int(int64(i))}),
			String(string(rune(i))),
		} {
			if w, ok := seen[v.Hash()]; ok && !v.Equal(w) {
				t.Fatalf("%v and %v have one hash", v, w)
			}
			seen[v.Hash()] = v
		}
	}
}
