package msgpack

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/packwire"
	"github.com/weftcodec/weft/internal/wire/trail"
)

// slice writes the slice at q.
func (s *encoder) slice(b []byte, p *program, q mem.Ptr) []byte {
	n := q.SliceLen()
	if n == 0 && q.SliceIsNil() && !p.typ.NoNull {
		return append(b, packwire.Nil)
	}
	elem := p.elem
	if n > 0 {
		elem = elem.meet(plan.Marshal)
	}
	return s.elements(b, elem, q.Slice(), n)
}

// elements writes an array of n values.
func (s *encoder) elements(b []byte, elem *program, a mem.Array, n int) []byte {
	if uint64(n) > math.MaxUint32 {
		return s.fail(b, errLength)
	}
	if !s.enter() {
		return b
	}
	b = packwire.AppendArrayHeader(b, n)
	if elem.enc == plan.Struct && n > 0 && s.depth+elem.nest < s.maxDepth {
		var i int
		s.enter()
		if b, i = s.plainList(b, elem, a, n); s.err != nil {
			return s.within(b, strconv.Itoa(i))
		}
		s.leave()
	} else {
		for i := range n {
			if b = s.value(b, elem, a.At(elem.mem, i)); s.err != nil {
				return s.within(b, strconv.Itoa(i))
			}
		}
	}
	s.leave()
	return b
}

// anys writes an array of dynamic values.
func (s *encoder) anys(b []byte, v []any) []byte {
	if v == nil {
		return append(b, packwire.Nil)
	}
	if uint64(len(v)) > math.MaxUint32 {
		return s.fail(b, errLength)
	}
	if !s.enter() {
		return b
	}
	b = packwire.AppendArrayHeader(b, len(v))
	for i := range v {
		if b = s.top(b, v[i]); s.err != nil {
			return s.within(b, strconv.Itoa(i))
		}
	}
	s.leave()
	return b
}

// mapping writes the map at q.
func (s *encoder) mapping(b []byte, p *program, q mem.Ptr) []byte {
	m := q.Value(p.mem)
	if m.IsNil() && p.typ.NoNull {
		return append(b, packwire.FixMap)
	} else if m.IsNil() {
		return append(b, packwire.Nil)
	}
	if !s.enter() {
		return b
	}
	b = packwire.AppendMapHeader(b, m.Len())
	b = s.pairs(b, p, q)
	s.leave()
	return b
}

// pairs writes the pairs of the map at q.
func (s *encoder) pairs(b []byte, p *program, q mem.Ptr) []byte {
	if p.encPairs != nil {
		return p.encPairs(s, b, q)
	}
	e := p.entries.Get().(*mem.Entry)
	e.Range(q.Value(p.mem))
	sorted, mark := s.sorted()
	meet := p.meets && p.key.enc != plan.Any
	for e.Next() {
		key := len(b)
		meet = meet || p.meets && !plan.IsDistinctKey(*mem.At[any](e.Key))
		if b = s.value(b, p.key, e.Key); s.err != nil {
			return b
		}
		val := len(b)
		if b = s.value(b, p.elem, e.Elem); s.err != nil {
			return s.within(b, keyName(b[key:val]))
		}
		if sorted || p.meets {
			s.sorter.add(key, val, len(b))
		}
	}
	if !sorted && !meet {
		s.sorter.pairs = s.sorter.pairs[:mark]
	} else if again := s.sorter.end(b, mark); again != nil {
		return s.within(s.fail(b, weft.ErrDuplicateName), keyName(again))
	}
	p.entries.Put(e)
	return b
}

// unique fails when one of the pairs of the catch-all field, from at on, has the
// name of a member that has been written, from first on.
func (s *encoder) unique(b []byte, first, at int, keys *packwire.Keys) {
	for i := at; uint(i) < uint(len(b)); { // a value that has written itself may be anything
		start, end := packwire.ReadString(b, i)
		if end < 0 {
			return
		}
		if keys.Find(b[start:end]) >= 0 {
			for j := first; uint(j) < uint(at); {
				from, to := packwire.ReadString(b, j)
				if to < 0 {
					return
				}
				if string(b[from:to]) == string(b[start:end]) {
					s.fail(b, fmt.Errorf("%w %q", weft.ErrDuplicateName, b[start:end]))
					return
				}
				j, _ = packwire.Skip(b, to, s.maxDepth)
			}
		}
		i, _ = packwire.Skip(b, end, s.maxDepth)
	}
}

// keyName is the text of an encoded key, for paths.
func keyName(key []byte) string {
	if start, end := packwire.ReadString(key, 0); end >= 0 {
		return string(key[start:min(end, start+trail.MaxPath)])
	}
	return string(appendKey(nil, key, 0)[1:])
}

// sorter puts the pairs of maps in the order of their keys. Maps nest: each has
// the pairs from its mark on.
type sorter struct {
	pairs []pair
	buf   []byte
	used  int // bytes of both in use at most, since the call began
}

// pair is where the key, the value and the next pair begin.
type pair struct{ key, val, end int }

const pairSize = 24

// kept is the bytes that t has.
func (t *sorter) kept() int { return pairSize*cap(t.pairs) + cap(t.buf) }

// sorted reports whether maps are sorted, and where the pairs of one begin.
func (s *encoder) sorted() (on bool, mark int) {
	return s.flags&setting.Deterministic != 0, len(s.sorter.pairs)
}

func (t *sorter) add(key, val, end int) { t.pairs = append(t.pairs, pair{key, val, end}) }

// end sorts the pairs since mark, which are the end of b, and returns a key that two of them have, or nil.
func (t *sorter) end(b []byte, mark int) (again []byte) {
	run := t.pairs[mark:]
	if len(run) > 1 {
		start := run[0].key
		slices.SortFunc(run, func(x, y pair) int { return compareKeys(b[x.key:x.val], b[y.key:y.val]) })
		t.buf = t.buf[:0]
		for i, x := range run {
			if i > 0 && string(b[run[i-1].key:run[i-1].val]) == string(b[x.key:x.val]) {
				return b[x.key:x.val]
			}
			t.buf = append(t.buf, b[x.key:x.end]...)
		}
		copy(b[start:], t.buf)
		t.used = max(t.used, pairSize*len(t.pairs)+len(t.buf))
	}
	t.pairs = t.pairs[:mark]
	return nil
}

// compareKeys orders encoded keys: integers by value, then strings by their
// bytes, then the others by their encoding.
func compareKeys(x, y []byte) int {
	cx, vx, sx := sortKey(x)
	cy, vy, sy := sortKey(y)
	if c := cmp.Compare(cx, cy); c != 0 {
		return c
	}
	if c := cmp.Compare(vx, vy); c != 0 {
		return c
	}
	return bytes.Compare(sx, sy)
}

func sortKey(k []byte) (class int, v int64, s []byte) {
	if v, end := packwire.ReadInt(k, 0); end >= 0 {
		return 0, v, nil
	}
	if start, end := packwire.ReadString(k, 0); end >= 0 {
		return 2, 0, k[start:end]
	}
	if _, end := packwire.ReadUint(k, 0); end >= 0 {
		return 1, 0, k
	}
	return 3, 0, k
}
