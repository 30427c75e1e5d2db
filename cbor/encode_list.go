package cbor

import (
	"slices"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// slice writes the slice at q.
func (s *encoder) slice(b []byte, p *program, q mem.Ptr) []byte {
	if q.SliceIsNil() && !p.typ.NoNull {
		return append(b, cborwire.Null)
	}
	elem, n := p.elem, q.SliceLen()
	if n > 0 {
		elem = elem.meet(plan.Marshal)
	}
	return s.elements(b, elem, q.Slice(), n)
}

// null writes the null of a pointer, an interface or bytes, or what stands for it where the type has no place for that.
func (s *encoder) null(b []byte, p *program) []byte {
	switch {
	case !p.typ.NoNull:
		return append(b, cborwire.Null)
	case p.enc == plan.Bytes || p.enc == plan.ByteSlice:
		return s.bytes(b, []byte{})
	}
	return s.fail(b, plan.NilError(p.typ.Rtype))
}

// elements writes an array of n values.
func (s *encoder) elements(b []byte, elem *program, a mem.Array, n int) []byte {
	if !s.enter() {
		return b
	}
	b = cborwire.AppendHead(b, cborwire.Array, uint64(n))
	if elem.enc == plan.Struct && n > 0 && s.flags&flagByteText == 0 {
		if sh := elem.shapeIn(s.order, s.array); sh.Ops != nil && s.depth+1+sh.nest <= s.maxDepth {
			i := 0
			if b, i = s.plainList(b, elem, sh, a, n); s.err != nil {
				return s.within(b, strconv.Itoa(i))
			}
			s.depth--
			return b
		}
	}
	for i := range n {
		if b = s.value(b, elem, a.At(elem.mem, i)); s.err != nil {
			return s.within(b, strconv.Itoa(i))
		}
	}
	s.depth--
	return b
}

// mapping writes the map at q.
func (s *encoder) mapping(b []byte, p *program, q mem.Ptr) []byte {
	m := q.Value(p.mem)
	if m.IsNil() && !p.typ.NoNull {
		return append(b, cborwire.Null)
	}
	if !s.enter() {
		return b
	}
	b = cborwire.AppendHead(b, cborwire.Map, uint64(m.Len()))
	mark := len(s.pairs)
	b = s.sort(s.entries(b, p, q, false), mark)
	s.depth--
	return b
}

// entries writes the pairs of the map at q, or the keys alone, and notes where they are if they are to be sorted, or if
// two may have one key.
func (s *encoder) entries(b []byte, p *program, q mem.Ptr, keys bool) []byte {
	e := p.entries.Get().(*mem.Entry)
	e.Range(q.Value(p.mem))
	mark, meet := len(s.pairs), p.meets && p.key.enc != plan.Any
	for s.err == nil && e.Next() {
		at := len(b)
		meet = meet || p.meets && !plan.IsDistinctKey(*mem.At[any](e.Key))
		b = s.value(b, p.key, e.Key)
		val := len(b)
		if s.err == nil && !keys {
			if b = s.value(b, p.elem, e.Elem); s.err != nil {
				b = s.within(b, keyName(b[at:val]))
			}
		}
		if p.meets || s.order != declared {
			s.pairs = append(s.pairs, pair{at, val, len(b)})
		}
	}
	if !meet && s.order == declared {
		s.pairs = s.pairs[:mark]
	}
	e.Clear()
	p.entries.Put(e)
	return b
}

// keyName is the text of an encoded key, for paths.
func keyName(key []byte) string { return wire.UnescapeToken(string(appendKey(nil, key, 0)[1:])) }

// pair is where the key, the value and the next pair begin.
type pair struct{ key, val, end int }

const pairSize = 24

// note remembers a pair, if pairs are sorted.
func (s *encoder) note(key, val, end int) {
	if s.order != declared {
		s.pairs = append(s.pairs, pair{key, val, end})
	}
}

// sort sorts the pairs that have been noted since mark, which are the end of b. Two with one key are an error.
func (s *encoder) sort(b []byte, mark int) []byte {
	if len(s.pairs) == mark || s.err != nil {
		return b
	}
	run := s.pairs[mark:]
	if len(run) > 1 {
		first := run[0].key
		slices.SortFunc(run, func(x, y pair) int {
			return cborwire.CompareKeys(b[x.key:x.val], b[y.key:y.val], s.order == lengthFirst)
		})
		s.sorted = s.sorted[:0]
		for i, x := range run {
			if i > 0 && string(b[run[i-1].key:run[i-1].val]) == string(b[x.key:x.val]) {
				return s.within(s.fail(b, weft.ErrDuplicateName), keyName(b[x.key:x.val]))
			}
			s.sorted = append(s.sorted, b[x.key:x.end]...)
		}
		copy(b[first:], s.sorted)
	}
	s.pairs = s.pairs[:mark]
	return b
}

// resort notes and sorts the pairs that are written from at to the end of b.
func (s *encoder) resort(b []byte, at int) []byte {
	if s.order == declared || s.err != nil {
		return b
	}
	mark := len(s.pairs)
	for i := at; i < len(b); {
		val, _ := cborwire.Skip(b, i, s.maxDepth)
		if val < 0 {
			return s.fail(b, errRaw)
		}
		end, _ := cborwire.Skip(b, val, s.maxDepth)
		if end < 0 {
			return s.fail(b, errRaw)
		}
		s.note(i, val, end)
		i = end
	}
	return s.sort(b, mark)
}
