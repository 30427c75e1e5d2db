package cbor

import (
	"reflect"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// Functions for the slices and maps of plain Go types that are met most. They do the same as the general ones,
// without a step through the program for each element.

// specialize replaces the codes of a slice or map program by cFast where there are functions for just this type.
func (p *program) specialize() {
	rt := p.typ.Rtype
	var put encodeFunc
	var get decodeFunc
	switch reflect.Zero(reflect.PointerTo(rt)).Interface().(type) {
	case *[]string:
		put, get = listOf(&stringWay)
	case *[]int:
		put, get = listOf(&intWay)
	case *[]int64:
		put, get = listOf(&int64Way)
	case *[]uint64:
		put, get = listOf(&uint64Way)
	case *[]float64:
		put, get = listOf(&floatWay)
	case *[]bool:
		put, get = listOf(&boolWay)
	case *[]any:
		put, get = listOf(&way[any]{(*encoder).top, (*reader).anyAt})
	case *map[string]string:
		put, get = mapOf(&stringWay)
	case *map[string]int:
		put, get = mapOf(&intWay)
	case *map[string]int64:
		put, get = mapOf(&int64Way)
	case *map[string]float64:
		put, get = mapOf(&floatWay)
	case *map[string]bool:
		put, get = mapOf(&boolWay)
	case *map[string]any:
		put, get = mapOf(&way[any]{(*encoder).top, (*reader).anyAt})
	default:
		return
	}
	if p.enc < cHook {
		p.enc, p.encFast = cFast, put
	}
	if p.dec < cHook {
		p.dec, p.decFast = cFast, get
	}
}

// way is how elements of one plain type are written and read.
type way[T any] struct {
	put func(s *encoder, b []byte, v T) []byte
	get func(r *reader, i int) (T, int)
}

var (
	stringWay = way[string]{(*encoder).string, (*reader).text}
	intWay    = way[int]{putInt[int], getInt[int]}
	int64Way  = way[int64]{putInt[int64], getInt[int64]}
	uint64Way = way[uint64]{
		func(_ *encoder, b []byte, v uint64) []byte { return cborwire.AppendUint(b, v) },
		(*reader).uintAt,
	}
	floatWay = way[float64]{(*encoder).float, (*reader).floatAt}
	boolWay  = way[bool]{
		func(_ *encoder, b []byte, v bool) []byte { return cborwire.AppendBool(b, v) },
		(*reader).boolAt,
	}
)

func putInt[T int | int64](_ *encoder, b []byte, v T) []byte { return cborwire.AppendInt(b, int64(v)) }

func getInt[T int | int64](r *reader, i int) (T, int) {
	typ := "int64"
	if _, ok := any(T(0)).(int); ok {
		typ = "int"
	}
	v, end := r.intAs(i, typ)
	if end >= 0 && int64(T(v)) != v {
		return 0, r.bad(i, cborwire.Range, typ)
	}
	return T(v), end
}

// listOf returns how a []T is written and read.
func listOf[T any](w *way[T]) (encodeFunc, decodeFunc) {
	return func(s *encoder, b []byte, q mem.Ptr) []byte { return putList(s, b, *mem.At[[]T](q), w) },
		func(r *reader, i int, q mem.Ptr) int { return getList(r, i, mem.At[[]T](q), w) }
}

func putList[T any](s *encoder, b []byte, list []T, w *way[T]) []byte {
	if list == nil {
		return append(b, cborwire.Null)
	}
	if !s.enter() {
		return b
	}
	b = cborwire.AppendHead(b, cborwire.Array, uint64(len(list)))
	for i := range list {
		if b = w.put(s, b, list[i]); s.err != nil {
			return s.within(b, strconv.Itoa(i))
		}
	}
	s.depth--
	return b
}

// mostMade bounds the elements that a slice or map is made for before any has been read.
const mostMade = 4096

func getList[T any](r *reader, i int, p *[]T, w *way[T]) int {
	n, next := r.count(i, cborwire.Array)
	if next < 0 || n == isNull {
		if next >= 0 {
			*p = nil
		}
		return next
	}
	if !r.deeper(i) {
		return -1
	}
	list := (*p)[:0]
	if most := min(n, mostMade); cap(list) < most || list == nil {
		list = make([]T, 0, max(most, 0))
	}
	for ; n != 0 && !r.ends(&next, n, 1); n-- {
		var v T
		if v, next = w.get(r, next); next < 0 {
			return -1
		}
		list = append(list, v)
	}
	*p = list
	r.depth--
	return next
}

// mapOf returns how a map[string]V is written and read.
func mapOf[V any](w *way[V]) (encodeFunc, decodeFunc) {
	return func(s *encoder, b []byte, q mem.Ptr) []byte { return putMap(s, b, *mem.At[map[string]V](q), w) },
		func(r *reader, i int, q mem.Ptr) int { return getMap(r, i, mem.At[map[string]V](q), w) }
}

func putMap[V any](s *encoder, b []byte, m map[string]V, w *way[V]) []byte {
	if m == nil {
		return append(b, cborwire.Null)
	}
	if !s.enter() {
		return b
	}
	b = cborwire.AppendHead(b, cborwire.Map, uint64(len(m)))
	mark := len(s.pairs)
	for k, v := range m {
		at := len(b)
		if b = s.string(b, k); s.err != nil {
			return b
		}
		val := len(b)
		if b = w.put(s, b, v); s.err != nil {
			return s.within(b, k)
		}
		s.note(at, val, len(b))
	}
	b = s.sort(b, mark)
	s.depth--
	return b
}

func getMap[V any](r *reader, i int, p *map[string]V, w *way[V]) int {
	n, next := r.count(i, cborwire.Map)
	if next < 0 || n == isNull {
		if next >= 0 {
			*p = nil
		}
		return next
	}
	if !r.deeper(i) {
		return -1
	}
	if *p == nil {
		*p = make(map[string]V, max(min(n, mostMade), 0))
	}
	m := *p
	once := r.flags&weft.FlagRejectDuplicates != 0 && len(m) == 0
	var last keySpan
	for ; n != 0 && !r.ends(&next, n, 2); n-- {
		at := next
		var k string
		var v V
		if k, next = r.keyText(at); next < 0 || !r.ordered(&last, at, next) {
			return -1
		}
		if once {
			if _, ok := m[k]; ok {
				return r.fail(at, weft.ErrDuplicateName)
			}
		}
		if v, next = w.get(r, next); next < 0 {
			return -1
		}
		m[k] = v
	}
	r.depth--
	return next
}
