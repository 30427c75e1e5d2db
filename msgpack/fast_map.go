package msgpack

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// stringPairs writes the pairs of a map by strings. Same as encodePairs.
func stringPairs[V any](s *encoder, b []byte, m map[string]V, elem *way[V]) []byte {
	if elem.pairs != nil {
		if out := elem.pairs(s, b, m); s.err == nil {
			return out
		}
		s.err = nil // it is met again below, with its path
	}
	for k, v := range m {
		b = s.string(b, k)
		if b = elem.put(s, b, v); s.err != nil {
			return s.within(b, k)
		}
	}
	return b
}

// fastMap makes p write and read a map[K]V.
func fastMap[K comparable, V any](p *program, key way[K], elem way[V]) {
	p.encFast = func(s *encoder, b []byte, q mem.Ptr) []byte {
		return encodeMap(s, b, *mem.At[map[K]V](q), &key, &elem)
	}
	p.encPairs = func(s *encoder, b []byte, q mem.Ptr) []byte {
		return encodePairs(s, b, *mem.At[map[K]V](q), &key, &elem)
	}
	_, names := any(key).(way[string])
	p.decFast = func(r *Reader, i int, q mem.Ptr) int {
		if names && elem.fill != nil && r.flags&(setting.RejectDuplicates|flagUTF8) == 0 && r.depth < r.maxDepth {
			// Same as decodeMap: a level that nothing is read below need not be counted.
			if n, _, next := r.pairsAt(i, p); next >= 0 && n >= 0 {
				m := mem.At[map[string]V](q)
				if *m == nil {
					*m = make(map[string]V, min(n, maxHint))
				}
				return elem.fill(r, next, n, *m)
			}
		}
		return decodeMap(r, i, mem.At[map[K]V](q), p, &key, &elem)
	}
}

// encodeMap writes m.
func encodeMap[K comparable, V any](s *encoder, b []byte, m map[K]V, key *way[K], elem *way[V]) []byte {
	if m == nil {
		return append(b, packwire.Nil)
	}
	if !s.enter() {
		return b
	}
	b = packwire.AppendMapHeader(b, len(m))
	if len(m) > 0 {
		if b = encodePairs(s, b, m, key, elem); s.err != nil {
			return b
		}
	}
	s.leave()
	return b
}

func encodePairs[K comparable, V any](s *encoder, b []byte, m map[K]V, key *way[K], elem *way[V]) []byte {
	sorted, mark := s.sorted()
	if m, ok := any(m).(map[string]V); ok && !sorted {
		return stringPairs(s, b, m, elem)
	}
	for k, v := range m {
		start := len(b)
		b = key.put(s, b, k)
		val := len(b)
		if b = elem.put(s, b, v); s.err != nil {
			return s.within(b, keyName(b[start:val]))
		}
		if sorted {
			s.sorter.add(start, val, len(b))
		}
	}
	if sorted {
		s.sorter.end(b, mark)
	}
	return b
}

// isStr reports whether a str begins at b[i:].
func isStr(b []byte, i int) bool {
	return i < len(b) && (b[i]&0xe0 == packwire.FixStr || b[i] >= packwire.Str8 && b[i] <= packwire.Str32)
}

// decodeMap reads a map into *m.
func decodeMap[K comparable, V any](r *Reader, i int, m *map[K]V, p *program, key *way[K], elem *way[V]) int {
	n, start, i := r.pairsAt(i, p)
	if i < 0 || n < 0 {
		if i >= 0 {
			*m = nil
		}
		return i
	}
	if !r.deeper(start) {
		return -1
	}
	if *m == nil {
		*m = make(map[K]V, min(n, maxHint))
	}
	out := *m
	if m, ok := any(out).(map[string]V); ok && r.flags&setting.RejectDuplicates == 0 {
		if i = stringEntries(r, i, n, m, elem); i >= 0 {
			r.depth--
		}
		return i
	}
	once := r.flags&setting.RejectDuplicates != 0 && len(out) == 0 // see pair
	around := r.reserved
	for ; n > 0; n-- {
		r.reserved = around + 2*(n-1)
		at := i
		var k K
		var v V
		if p.key.dec != plan.String && isStr(r.b, i) { // the digits of an integer
			if k, i = textKey[K](r, i, p.key); i < 0 {
				return i
			}
		} else if k, i = key.get(r, i); i < 0 {
			return i
		}
		if once {
			if _, ok := out[k]; ok {
				return r.fail(at, weft.ErrDuplicateName)
			}
		}
		if v, i = elem.get(r, i); i < 0 {
			return i
		}
		out[k] = v
	}
	r.reserved = around
	r.depth--
	return i
}

// stringEntries reads the n pairs of a map by strings into m. Same as the loop of
// decodeMap.
func stringEntries[V any](r *Reader, i, n int, m map[string]V, elem *way[V]) int {
	around := r.reserved
	for ; n > 0; n-- {
		r.reserved = around + 2*(n-1)
		var k string
		if k, i = r.string(i); i < 0 {
			return i
		}
		var v V
		if v, i = elem.get(r, i); i < 0 {
			return i
		}
		m[k] = v
	}
	r.reserved = around
	return i
}

// getCounts is stringEntries for integers.
func getCounts[V int | int64 | uint | uint64](r *Reader, i, n int, m map[string]V) int {
	for {
		k, _, next := steps.ReadCounts[steps.Pack](&r.slab, r.b, i, n, m, 0)
		if n, i = n-k, next; n == 0 {
			return i
		}
		var name string
		if name, i = r.string(i); i < 0 {
			return i
		}
		var v V
		if v, i = getInt[V](r, i); i < 0 {
			return i
		}
		m[name] = v
		n--
	}
}

// shortKey is the length of the longest key that is copied as two words.
const shortKey = 16

// textKey reads a key that is not of the kind that is expected.
func textKey[K comparable](r *Reader, i int, p *program) (K, int) {
	k := new(K)
	i = r.keyAt(i, p, mem.To(k))
	return *k, i
}
