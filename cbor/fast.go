package cbor

import (
	"reflect"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// Functions for the slices and maps of plain Go types that are met most. They do the same as the general ones,
// without a step through the program for each element.

// specialize replaces the codes of a slice or map program by cFast where there are functions for just this type.
func (p *program) specialize() {
	rt := p.typ.Rtype
	var put encodeFunc
	var get decodeFunc
	if !plain(rt.Elem()) {
		return
	}
	if p.typ.Kind == plan.Slice {
		put, get = fastList(rt.Elem())
	} else if plain(rt.Key()) {
		put, get = fastMap(rt.Key().Kind(), rt.Elem())
		if rt.Key().Kind() == reflect.Interface && rt.Elem().Kind() == reflect.Interface {
			put, get = putAnyMap, getAnyMap
		}
	}
	if put == nil {
		return
	}
	if p.enc < cHook {
		p.enc, p.encFast, p.pure = cFast, put, rt.Elem().Kind() != reflect.Interface
	}
	if p.dec < cHook {
		p.dec, p.decFast = cFast, get
	}
}

// plain reports whether t is a predeclared type, any or []byte, not one named after it.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice:
		return t == reflect.TypeFor[[]byte]()
	case reflect.Interface:
		return t.NumMethod() == 0 && t.PkgPath() == ""
	}
	return t.PkgPath() == ""
}

func fastList(elem reflect.Type) (encodeFunc, decodeFunc) {
	switch elem.Kind() {
	case reflect.String:
		return func(s *encoder, b []byte, q mem.Ptr) []byte { return putStrings(s, b, *mem.At[[]string](q)) },
			func(r *reader, i int, q mem.Ptr) int {
				return getList(r, i, mem.At[[]string](q), &stringWay, getStrings)
			}
	case reflect.Bool:
		return func(s *encoder, b []byte, q mem.Ptr) []byte {
				return putPlain(s, b, *mem.At[[]bool](q), steps.WriteBools[steps.CBOR])
			}, func(r *reader, i int, q mem.Ptr) int {
				return getList(r, i, mem.At[[]bool](q), &boolWay, getBools)
			}
	case reflect.Int:
		return integers(newInts)
	case reflect.Int16:
		return integers(newList[int16])
	case reflect.Int32:
		return integers(newList[int32])
	case reflect.Int64:
		return integers(newList[int64])
	case reflect.Uint:
		return integers(newList[uint])
	case reflect.Uint16:
		return integers(newList[uint16])
	case reflect.Uint32:
		return integers(newList[uint32])
	case reflect.Uint64:
		return integers(newList[uint64])
	case reflect.Float32:
		return floats(&singleWay)
	case reflect.Float64:
		return floats(&floatWay)
	case reflect.Slice:
		return listOf(&way[[]byte]{(*encoder).bytes, getBytes, nil})
	case reflect.Interface:
		return listOf(anyWay())
	}
	return nil, nil
}

// newList returns a list of n integers.
func newList[T steps.Integer](_ *reader, n int) []T { return make([]T, n) }

// newInts is newList for the type that is met most, of which short lists share memory.
func newInts(r *reader, n int) []int {
	if n > fewInts || r.flags&setting.AliasInput != 0 {
		return make([]int, n)
	}
	return r.carver.Ints(n)
}

// fewInts is the most integers of a list that shares memory.
const fewInts = 16

func fastMap(key reflect.Kind, elem reflect.Type) (encodeFunc, decodeFunc) {
	if key != reflect.String {
		return nil, nil
	}
	switch elem.Kind() {
	case reflect.String:
		return mapOf(&stringWay, nil)
	case reflect.Bool:
		return mapOf(&boolWay, nil)
	case reflect.Int:
		return mapOf(intWay[int](), countsOf[int]())
	case reflect.Int32:
		return mapOf(intWay[int32](), countsOf[int32]())
	case reflect.Int64:
		return mapOf(intWay[int64](), countsOf[int64]())
	case reflect.Uint:
		return mapOf(intWay[uint](), countsOf[uint]())
	case reflect.Uint32:
		return mapOf(intWay[uint32](), countsOf[uint32]())
	case reflect.Uint64:
		return mapOf(intWay[uint64](), countsOf[uint64]())
	case reflect.Float64:
		return mapOf(&floatWay, nil)
	case reflect.Slice:
		return mapOf(&way[[]byte]{(*encoder).bytes, getBytes, nil}, nil)
	case reflect.Interface:
		return mapOf(anyWay(), nil)
	}
	return nil, nil
}

// way is how elements of one plain type are written and read.
type way[T any] struct {
	put func(s *encoder, b []byte, v T) []byte
	get func(r *reader, i int) (T, int)
	// pairs is put for all pairs of a map by text, with no path in errors: nil where there is none.
	pairs func(s *encoder, b []byte, m map[string]T) []byte
}

var (
	stringWay = way[string]{(*encoder).string, (*reader).text, nil}
	floatWay  = way[float64]{(*encoder).float, (*reader).floatAt, nil}
	singleWay = way[float32]{(*encoder).float32, (*reader).singleAt, nil}
	boolWay   = way[bool]{
		func(_ *encoder, b []byte, v bool) []byte { return cborwire.AppendBool(b, v) },
		(*reader).boolAt, nil,
	}
)

// anyWay returns the way of values of any type. A variable would refer to itself.
func anyWay() *way[any] { return &way[any]{(*encoder).top, (*reader).anyAt, nil} }

// intWay returns the way of integers of a type.
func intWay[T steps.Integer]() *way[T] {
	return &way[T]{func(_ *encoder, b []byte, v T) []byte {
		if steps.IsUnsigned[T]() {
			return cborwire.AppendUint(b, uint64(v))
		}
		return cborwire.AppendInt(b, int64(v))
	}, getInt[T], func(s *encoder, b []byte, m map[string]T) []byte {
		return steps.WriteCounts[steps.CBOR](s, b, m, (*encoder).string)
	}}
}

func getInt[T steps.Integer](r *reader, i int) (v T, end int) {
	if i < len(r.b) && r.b[i] < 24 { // same as intAs and uintAs
		return T(r.b[i]), i + 1
	}
	typ, fits := reflect.TypeFor[T]().String(), false
	if steps.IsUnsigned[T]() {
		var u uint64
		u, end = r.uintAs(i, typ)
		v, fits = T(u), uint64(T(u)) == u
	} else {
		var x int64
		x, end = r.intAs(i, typ)
		v, fits = T(x), int64(T(x)) == x
	}
	if end >= 0 && !fits {
		return 0, r.bad(i, cborwire.Range, typ)
	}
	return v, end
}

func getBytes(r *reader, i int) (v []byte, end int) {
	end = r.bytes(i, &v)
	return v, end
}

// listOf returns how a []T is written and read.
func listOf[T any](w *way[T]) (encodeFunc, decodeFunc) {
	return func(s *encoder, b []byte, q mem.Ptr) []byte { return putList(s, b, *mem.At[[]T](q), w) },
		func(r *reader, i int, q mem.Ptr) int { return getList(r, i, mem.At[[]T](q), w, nil) }
}

// integers is listOf for integers, of which make returns a new list.
func integers[T steps.Integer](make func(r *reader, n int) []T) (encodeFunc, decodeFunc) {
	w := intWay[T]()
	return func(s *encoder, b []byte, q mem.Ptr) []byte {
			return putPlain(s, b, *mem.At[[]T](q), steps.WriteInts[steps.CBOR, T])
		},
		func(r *reader, i int, q mem.Ptr) int {
			p := mem.At[[]T](q)
			if n, next := r.shortList(i); next > 0 { // same as getList
				list := *p
				if n <= cap(list) && list != nil {
					list = list[:n]
				} else {
					list = make(r, n)
				}
				if k, end := steps.ReadInts[steps.CBOR](r.b, next, list); k == n {
					*p = list
					return end
				}
			}
			return getList(r, i, p, w, getInts[T])
		}
}

// shortList reads the head of an array of less than [steps.ShortText] elements, none of which has elements: neither
// they nor its level need to be counted. The next index is 0 for any other.
func (r *reader) shortList(i int) (n, next int) {
	if i >= len(r.b) || r.b[i]^cborwire.Array >= steps.ShortText || r.depth >= min(r.maxDepth, checkedLevels-1) {
		return 0, 0
	}
	if n = int(r.b[i] ^ cborwire.Array); n > len(r.b)-i-1-r.reserved {
		return 0, 0
	}
	return n, i + 1
}

// putPlain is putList for elements that put writes without a call for each.
func putPlain[T any](s *encoder, b []byte, list []T, put func(b []byte, list []T) []byte) []byte {
	if s.depth >= s.maxDepth && list != nil {
		return s.fail(b, weft.ErrDepth)
	}
	return put(b, list)
}

// floats is integers for floating-point numbers.
func floats[T float32 | float64](w *way[T]) (encodeFunc, decodeFunc) {
	return func(s *encoder, b []byte, q mem.Ptr) []byte {
			list := *mem.At[[]T](q)
			if s.depth >= s.maxDepth || s.flags&(flagFinite|flagReduce|flagKeepFloats) != 0 {
				return putList(s, b, list, w)
			}
			return steps.WriteFloats[steps.CBOR](b, list)
		},
		func(r *reader, i int, q mem.Ptr) int { return getList(r, i, mem.At[[]T](q), w, getFloats[T]) }
}

// putStrings is putPlain for text.
func putStrings(s *encoder, b []byte, list []string) []byte {
	if s.depth < s.maxDepth && s.flags&flagByteText == 0 {
		if out := steps.WriteTexts[steps.CBOR](s, b, list, (*encoder).string); !s.failed(out) || s.isShared {
			return out
		}
		s.err = nil // it is met again, with its path
	}
	return putList(s, b, list, &stringWay)
}

// getInts reads integers into list, from the one at i on, as steps.ReadInts does.
func getInts[T steps.Integer](r *reader, i int, list []T) (n, next int) {
	return steps.ReadInts[steps.CBOR](r.b, i, list)
}

// getBools is getInts for booleans.
func getBools(r *reader, i int, list []bool) (n, next int) {
	return steps.ReadBools[steps.CBOR](r.b, i, list)
}

// getStrings is getInts for short text.
func getStrings(r *reader, i int, list []string) (n, next int) {
	for quick := r.quickText(); n < len(list) && i <= quick; n++ {
		s, end := steps.ReadText(&r.carver, r.b, i)
		if end == 0 {
			return n, i
		}
		list[n], i = s, end
	}
	return n, i
}

// getFloats is getInts for floating-point numbers.
func getFloats[T float32 | float64](r *reader, i int, list []T) (n, next int) {
	if r.rules&cborwire.Reduced != 0 {
		return 0, i
	}
	return steps.ReadFloats[steps.CBOR](r.b, i, list, r.rules != 0)
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
		if b = w.put(s, b, list[i]); s.failed(b) {
			return s.within(b, strconv.Itoa(i))
		}
	}
	s.leave()
	return b
}

// mostMade bounds the bytes of a slice that is made before any element has been read.
const mostMade = 16 << 10

// made returns for how many of n elements of type T, -1 for not known, a slice is made before any has been read.
func made[T any](n int) int {
	if uint(n) <= mostMade/32 { // same as below: no T is larger
		return n
	}
	return max(min(n, mostMade/int(reflect.TypeFor[T]().Size())), 0)
}

// mostEntries bounds the entries that a map is made for before any has been read.
const mostEntries = 512

// getList reads an array. Run, if there is one, reads the first elements, as many as it can, and those behind any
// other.
func getList[T any](r *reader, i int, p *[]T, w *way[T], run func(r *reader, i int, list []T) (n, next int)) int {
	if r.isTyped(i) {
		return r.typed(i, func(i int) int { return getList(r, i, p, w, run) })
	}
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
	if most := made[T](n); cap(list) < most || list == nil {
		list = make([]T, 0, most)
	}
	for ; n != 0; n-- {
		if run != nil && n > 0 {
			l := len(list)
			k, end := run(r, next, list[l:min(l+n, cap(list))])
			list, next = list[:l+k], end
			r.reserved -= k
			if n -= k; n == 0 {
				break
			}
		}
		if r.ends(&next, n, 1) {
			break
		}
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

// counts reads pairs of a map, as many as it can, in any order or sorted: steps.ReadCounts.
type counts[V any] [2]func(c *mem.Carver, b []byte, i, n int, m map[string]V, last int) (k, key, next int)

func countsOf[V steps.Integer]() *counts[V] {
	return &counts[V]{steps.ReadCounts[steps.CBOR, V], steps.ReadCounts[steps.CBORKeyed, V]}
}

// mapOf returns how a map[string]V is written and read.
func mapOf[V any](w *way[V], run *counts[V]) (encodeFunc, decodeFunc) {
	return func(s *encoder, b []byte, q mem.Ptr) []byte { return putMap(s, b, *mem.At[map[string]V](q), w) },
		func(r *reader, i int, q mem.Ptr) int { return getMap(r, i, mem.At[map[string]V](q), w, run) }
}

func putMap[V any](s *encoder, b []byte, m map[string]V, w *way[V]) []byte {
	if m == nil {
		return append(b, cborwire.Null)
	}
	if !s.enter() {
		return b
	}
	b = cborwire.AppendHead(b, cborwire.Map, uint64(len(m)))
	mark, isText := len(s.pairs), s.flags&flagByteText == 0
	if w.pairs != nil && isText && s.order == declared { // same as below
		if out := w.pairs(s, b, m); !s.failed(out) || s.isShared {
			s.leave()
			return out
		}
		s.err = nil // it is met again below, with its path
	}
	for k, v := range m {
		at, val := len(b), 0
		if cap(b)-at < room {
			b = steps.Grow(b, room)
		}
		ascii := false
		if isText && len(k) < steps.ShortText {
			val, ascii = steps.CBORShort(mem.BytesOf(b), at, k)
		}
		if ascii { // same as string
			b = b[:val]
		} else if b = s.string(b, k); s.failed(b) {
			return b
		} else {
			val = len(b)
		}
		if b = w.put(s, b, v); s.failed(b) {
			return s.within(b, k)
		}
		s.note(at, val, len(b))
	}
	b = s.sort(b, mark)
	s.leave()
	return b
}

func putAnyMap(s *encoder, b []byte, q mem.Ptr) []byte {
	m := *mem.At[map[any]any](q)
	if m == nil {
		return append(b, cborwire.Null)
	}
	if !s.enter() {
		return b
	}
	b = cborwire.AppendHead(b, cborwire.Map, uint64(len(m)))
	mark, meet := len(s.pairs), false
	for k, v := range m {
		at := len(b)
		meet = meet || !plan.IsDistinctKey(k)
		if b = s.top(b, k); s.err != nil {
			return b
		}
		val := len(b)
		if b = s.top(b, v); s.err != nil {
			return s.within(b, keyName(b[at:val]))
		}
		s.pairs = append(s.pairs, pair{at, val, len(b)})
	}
	if !meet && s.order == declared {
		s.pairs = s.pairs[:mark]
	}
	s.depth--
	return s.sort(b, mark)
}

func getMap[V any](r *reader, i int, p *map[string]V, w *way[V], run *counts[V]) int {
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
		*p = make(map[string]V, max(min(n, mostEntries), 0))
	}
	m := *p
	once := r.flags&setting.RejectDuplicates != 0 && len(m) == 0
	var last keySpan
	if n > 0 && r.quickKeys(once) { // same as below
		sorted, quick, word := r.rules&cborwire.Sorted != 0, r.quickText(), uint64(0)
		for ; ; n-- {
			if run != nil && quick >= 0 {
				k, at := 0, last.at
				k, at, next = run[pick(sorted, 1, 0)](&r.carver, r.b, next, n, m, at)
				if n, r.reserved = n-k, r.reserved-2*k; k > 0 && sorted {
					last, word = keySpan{at, at + 1 + int(r.b[at]^cborwire.Text)}, steps.TextWord(r.b, at)
				}
			}
			if n == 0 || next >= len(r.b) || r.b[next]^cborwire.Text >= steps.ShortText {
				break
			}
			r.reserved -= 2
			var v V
			k, end := "", 0
			if next <= quick { // same as text
				k, end = steps.ReadText(&r.carver, r.b, next)
			}
			if end == 0 {
				k, end = r.text(next)
			}
			if end < 0 {
				return -1
			}
			if sorted { // same as ordered
				if w := steps.TextWord(r.b, next); w > word {
					word, last = w, keySpan{next, end}
				} else if word = w; !r.ordered(&last, next, end) {
					return -1
				}
			}
			if v, next = w.get(r, end); next < 0 {
				return -1
			}
			m[k] = v
		}
	}
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
