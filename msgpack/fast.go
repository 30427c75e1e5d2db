package msgpack

import (
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Functions for the slices and maps of plain Go types that are met most. They
// do the same as the general ones, without a step through the program for each
// element.

// specialize replaces the codes of a slice or map program by cFast where there
// is a function for just this type.
func (p *program) specialize() {
	elem := p.typ.Rtype.Elem()
	if !plain(elem) {
		return
	}
	if p.typ.Kind == plan.Slice {
		p.encFast, p.decFast = fastSlice(elem.Kind())
	} else if key := p.typ.Rtype.Key(); plain(key) {
		p.specializeMap(key.Kind(), elem.Kind())
	}
	if p.encFast == nil {
		return
	}
	if p.enc < cAppender {
		p.enc = cFast
	}
	if p.dec < cAppender {
		p.dec = cFast
	}
}

// plain tells whether t is a predeclared type or any, not one named after it.
func plain(t reflect.Type) bool {
	return t.PkgPath() == "" && (t.Kind() != reflect.Interface || t.NumMethod() == 0)
}

type (
	encodeFunc = func(s *encoder, b []byte, q mem.Ptr) []byte
	decodeFunc = func(r *Reader, i int, q mem.Ptr) int
)

func fastSlice(elem reflect.Kind) (encodeFunc, decodeFunc) {
	switch elem {
	case reflect.String:
		return encodeStrings, decodeStrings
	case reflect.Bool:
		return encodeBools, decodeBools
	case reflect.Int:
		return encodeInts[int], decodeInts[int]
	case reflect.Int32:
		return encodeInts[int32], decodeInts[int32]
	case reflect.Int64:
		return encodeInts[int64], decodeInts[int64]
	case reflect.Uint:
		return encodeUints[uint], decodeUints[uint]
	case reflect.Uint32:
		return encodeUints[uint32], decodeUints[uint32]
	case reflect.Uint64:
		return encodeUints[uint64], decodeUints[uint64]
	case reflect.Float64:
		return encodeFloats, decodeFloats
	case reflect.Interface:
		return encodeAnys, decodeAnys
	}
	return nil, nil
}

func (p *program) specializeMap(key, elem reflect.Kind) {
	switch [2]reflect.Kind{key, elem} {
	case [2]reflect.Kind{reflect.String, reflect.String}:
		fastMap[string, string](p)
	case [2]reflect.Kind{reflect.String, reflect.Bool}:
		fastMap[string, bool](p)
	case [2]reflect.Kind{reflect.String, reflect.Int}:
		fastMap[string, int](p)
	case [2]reflect.Kind{reflect.String, reflect.Int64}:
		fastMap[string, int64](p)
	case [2]reflect.Kind{reflect.String, reflect.Uint}:
		fastMap[string, uint](p)
	case [2]reflect.Kind{reflect.String, reflect.Uint64}:
		fastMap[string, uint64](p)
	case [2]reflect.Kind{reflect.String, reflect.Float64}:
		fastMap[string, float64](p)
	case [2]reflect.Kind{reflect.String, reflect.Interface}:
		fastMap[string, any](p)
	case [2]reflect.Kind{reflect.Int, reflect.Int}:
		fastMap[int, int](p)
	case [2]reflect.Kind{reflect.Int, reflect.String}:
		fastMap[int, string](p)
	case [2]reflect.Kind{reflect.Int, reflect.Interface}:
		fastMap[int, any](p)
	case [2]reflect.Kind{reflect.Int64, reflect.String}:
		fastMap[int64, string](p)
	case [2]reflect.Kind{reflect.Uint64, reflect.String}:
		fastMap[uint64, string](p)
	}
}

// head writes the header of an array of n elements, or nil.
func head(b []byte, n int, null bool) []byte {
	if null {
		return append(b, packwire.Nil)
	}
	return packwire.AppendArrayHeader(b, n)
}

// block is the number of elements that room is made for at a time.
const block = 64

func encodeInts[T int | int32 | int64](_ *encoder, b []byte, q mem.Ptr) []byte {
	v := *mem.At[[]T](q)
	b = head(b, len(v), v == nil)
	for len(v) > 0 {
		n := min(len(v), block)
		if cap(b)-len(b) < 9*n {
			b = grow(b, 9*n)
		}
		w, l := mem.BytesOf(b), len(b)
		for _, x := range v[:n] {
			if x >= -32 && x < 128 {
				w.Set(l, byte(x))
				l++
			} else {
				l = putInt(w, l, int64(x))
			}
		}
		b, v = b[:l], v[n:]
	}
	return b
}

func encodeUints[T uint | uint32 | uint64](_ *encoder, b []byte, q mem.Ptr) []byte {
	v := *mem.At[[]T](q)
	b = head(b, len(v), v == nil)
	for len(v) > 0 {
		n := min(len(v), block)
		if cap(b)-len(b) < 9*n {
			b = grow(b, 9*n)
		}
		w, l := mem.BytesOf(b), len(b)
		for _, x := range v[:n] {
			l = putUint(w, l, uint64(x))
		}
		b, v = b[:l], v[n:]
	}
	return b
}

func encodeFloats(_ *encoder, b []byte, q mem.Ptr) []byte {
	v := *mem.At[[]float64](q)
	b = head(b, len(v), v == nil)
	for _, x := range v {
		b = packwire.AppendFloat64(b, x)
	}
	return b
}

func encodeBools(_ *encoder, b []byte, q mem.Ptr) []byte {
	v := *mem.At[[]bool](q)
	b = head(b, len(v), v == nil)
	for _, x := range v {
		b = packwire.AppendBool(b, x)
	}
	return b
}

func encodeStrings(s *encoder, b []byte, q mem.Ptr) []byte {
	v := *mem.At[[]string](q)
	b = head(b, len(v), v == nil)
	for _, x := range v {
		b = s.string(b, x)
	}
	return b
}

func encodeAnys(s *encoder, b []byte, q mem.Ptr) []byte { return s.anys(b, *mem.At[[]any](q)) }

// list reads the header of an array, or a nil, for which n is -1. Of the bytes
// of the containers around none are counted.
func (r *Reader) list(i int, typ string) (n, next int) {
	n, next = packwire.ReadArray(r.b, i)
	if next >= 0 && r.fits(n, next, 1) {
		return n, next
	}
	if next == packwire.Mismatch && r.b[i] == packwire.Nil {
		return -1, i + 1
	}
	return 0, r.bad(i, min(next, packwire.Short), typ)
}

// sized returns a slice of n elements: s itself when it is large enough.
func sized[T any](s []T, n int) []T {
	if n <= cap(s) && s != nil {
		return s[:n]
	}
	return make([]T, n)
}

func decodeInts[T int | int32 | int64](r *Reader, i int, q mem.Ptr) int {
	p := mem.At[[]T](q)
	n, i := r.list(i, "[]int")
	if n < 0 || i < 0 {
		*p = nil
		return i
	}
	v := sized(*p, n)
	b := r.b
	for j := range v {
		if i < len(b) && int8(b[i]) >= -32 {
			v[j] = T(int8(b[i]))
			i++
			continue
		}
		x, end := packwire.ReadInt(b, i)
		if end < 0 || int64(T(x)) != x {
			if end == packwire.Mismatch && b[i] == packwire.Nil {
				v[j] = 0
				i++
				continue
			}
			return r.bad(i, outOf(end), reflect.TypeFor[T]().String())
		}
		v[j], i = T(x), end
	}
	*p = v
	return i
}

func decodeUints[T uint | uint32 | uint64](r *Reader, i int, q mem.Ptr) int {
	p := mem.At[[]T](q)
	n, i := r.list(i, "[]uint")
	if n < 0 || i < 0 {
		*p = nil
		return i
	}
	v := sized(*p, n)
	b := r.b
	for j := range v {
		x, end := packwire.ReadUint(b, i)
		if end < 0 || uint64(T(x)) != x {
			if end == packwire.Mismatch && b[i] == packwire.Nil {
				v[j] = 0
				i++
				continue
			}
			return r.bad(i, outOf(end), reflect.TypeFor[T]().String())
		}
		v[j], i = T(x), end
	}
	*p = v
	return i
}

// outOf turns the end of a number that was read but does not fit into Range.
func outOf(end int) int {
	if end >= 0 {
		return packwire.Range
	}
	return end
}

func decodeFloats(r *Reader, i int, q mem.Ptr) int {
	p := mem.At[[]float64](q)
	n, i := r.list(i, "[]float64")
	if n < 0 || i < 0 {
		*p = nil
		return i
	}
	v := sized(*p, n)
	for j := range v {
		x, end := packwire.ReadFloat64(r.b, i)
		if end < 0 {
			if end != packwire.Mismatch || r.b[i] != packwire.Nil {
				return r.bad(i, end, "float64")
			}
			end = i + 1
		}
		v[j], i = x, end
	}
	*p = v
	return i
}

func decodeBools(r *Reader, i int, q mem.Ptr) int {
	p := mem.At[[]bool](q)
	n, i := r.list(i, "[]bool")
	if n < 0 || i < 0 {
		*p = nil
		return i
	}
	v := sized(*p, n)
	for j := range v {
		if i = r.bool(i, &v[j]); i < 0 {
			return i
		}
	}
	*p = v
	return i
}

func decodeStrings(r *Reader, i int, q mem.Ptr) int {
	p := mem.At[[]string](q)
	n, i := r.list(i, "[]string")
	if n < 0 || i < 0 {
		*p = nil
		return i
	}
	if n*stringSize > roomy+growth*(len(r.b)-i) {
		return r.manyStrings(i, n, p)
	}
	v := sized(*p, n)
	for j := range v {
		if v[j], i = r.string(i); i < 0 {
			return i
		}
	}
	*p = v
	return i
}

const stringSize = 16

// manyStrings reads n strings where n is large for the bytes that are left.
func (r *Reader) manyStrings(i, n int, p *[]string) int {
	var v []string
	for range n {
		var s string
		if s, i = r.string(i); i < 0 {
			return i
		}
		v = append(v, s)
	}
	*p = append(make([]string, 0, len(v)), v...)
	return i
}

func decodeAnys(r *Reader, i int, q mem.Ptr) int {
	p := mem.At[[]any](q)
	start := i
	n, i := r.list(i, "[]any")
	if n < 0 || i < 0 {
		*p = nil
		return i
	}
	v, i := r.anyArray(start, i, n)
	if i >= 0 {
		*p = v.([]any)
	}
	return i
}

// entry is one key and one element of a map, in memory of their own.
type entry[K comparable, V any] struct {
	key  K
	elem V
}

// fastMap makes p write and read a map[K]V.
func fastMap[K comparable, V any](p *program) {
	p.entries.New = func() any { return new(entry[K, V]) }
	p.encFast = func(s *encoder, b []byte, q mem.Ptr) []byte {
		return encodeMap(s, b, *mem.At[map[K]V](q), p)
	}
	p.encPairs = func(s *encoder, b []byte, q mem.Ptr) []byte {
		return encodePairs(s, b, *mem.At[map[K]V](q), p)
	}
	p.decFast = func(r *Reader, i int, q mem.Ptr) int {
		return decodeMap(r, i, mem.At[map[K]V](q), p)
	}
}

// encodeMap writes m, whose program is p.
func encodeMap[K comparable, V any](s *encoder, b []byte, m map[K]V, p *program) []byte {
	if m == nil {
		return append(b, packwire.Nil)
	}
	if !s.enter() {
		return b
	}
	b = packwire.AppendMapHeader(b, len(m))
	if len(m) > 0 {
		if b = encodePairs(s, b, m, p); s.err != nil {
			return b
		}
	}
	s.depth--
	return b
}

func encodePairs[K comparable, V any](s *encoder, b []byte, m map[K]V, p *program) []byte {
	e := p.entries.Get().(*entry[K, V])
	sorted, mark := s.sorted()
	kq, vq := mem.To(&e.key), mem.To(&e.elem)
	for k, v := range m {
		e.key, e.elem = k, v
		key := len(b)
		if b = s.value(b, p.key, kq); s.err != nil {
			return b
		}
		val := len(b)
		if b = s.value(b, p.elem, vq); s.err != nil {
			return s.within(b, keyName(b[key:val]))
		}
		if sorted {
			s.sorter.add(key, val, len(b))
		}
	}
	if sorted {
		s.sorter.end(b, mark)
	}
	*e = entry[K, V]{}
	p.entries.Put(e)
	return b
}

// decodeMap reads a map into *m.
func decodeMap[K comparable, V any](r *Reader, i int, m *map[K]V, p *program) int {
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
	e := p.entries.Get().(*entry[K, V])
	kq, vq := mem.To(&e.key), mem.To(&e.elem)
	around := r.reserved
	out := *m
	for ; n > 0; n-- {
		r.reserved = around + 2*(n-1)
		at := i
		*e = entry[K, V]{}
		if i = r.keyAt(i, p.key, kq); i < 0 {
			return i
		}
		if r.flags&weft.FlagRejectDuplicates != 0 {
			if _, ok := out[e.key]; ok {
				return r.fail(at, weft.ErrDuplicateName)
			}
		}
		if i = r.value(i, p.elem, vq); i < 0 {
			return i
		}
		out[e.key] = e.elem
	}
	*e = entry[K, V]{}
	p.entries.Put(e)
	r.reserved = around
	r.depth--
	return i
}
