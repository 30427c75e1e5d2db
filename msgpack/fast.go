package msgpack

import (
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/steps"
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
		p.enc, p.pure = cFast, elem.Kind() != reflect.Interface
	}
	if p.dec < cAppender {
		p.dec = cFast
	}
}

// plain reports whether t is a predeclared type or any, not one named after it.
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
		return listOf(steps.WriteBools[steps.Pack], steps.ReadBools[steps.Pack], getBool)
	case reflect.Int:
		return integers[int]()
	case reflect.Int8:
		return integers[int8]()
	case reflect.Int16:
		return integers[int16]()
	case reflect.Int32:
		return integers[int32]()
	case reflect.Int64:
		return integers[int64]()
	case reflect.Uint:
		return integers[uint]()
	case reflect.Uint16:
		return integers[uint16]()
	case reflect.Uint32:
		return integers[uint32]()
	case reflect.Uint64:
		return integers[uint64]()
	case reflect.Float32:
		return listOf(steps.WriteFloats[steps.Pack, float32], readFloats[float32], getSingle)
	case reflect.Float64:
		return listOf(steps.WriteFloats[steps.Pack, float64], readFloats[float64], getFloat)
	case reflect.Interface:
		return encodeAnys, decodeAnys
	}
	return nil, nil
}

func (p *program) specializeMap(key, elem reflect.Kind) {
	switch key {
	case reflect.String:
		switch elem {
		case reflect.String:
			fastMap(p, stringWay, stringWay)
		case reflect.Bool:
			fastMap(p, stringWay, way[bool]{put: putBool, get: getBool})
		case reflect.Int:
			fastMap(p, stringWay, intWay)
		case reflect.Int64:
			fastMap(p, stringWay, int64Way)
		case reflect.Uint:
			fastMap(p, stringWay, uintWay)
		case reflect.Uint64:
			fastMap(p, stringWay, uint64Way)
		case reflect.Float64:
			fastMap(p, stringWay, way[float64]{put: putFloat, get: getFloat})
		case reflect.Interface:
			fastMap(p, stringWay, anyWay())
		}
	case reflect.Int:
		switch elem {
		case reflect.Int:
			fastMap(p, intWay, intWay)
		case reflect.String:
			fastMap(p, intWay, stringWay)
		case reflect.Interface:
			fastMap(p, intWay, anyWay())
		}
	case reflect.Int64:
		if elem == reflect.String {
			fastMap(p, int64Way, stringWay)
		}
	case reflect.Uint64:
		if elem == reflect.String {
			fastMap(p, uint64Way, stringWay)
		}
	}
}

// way is how keys or elements of one plain type are written and read.
type way[T any] struct {
	put func(s *encoder, b []byte, v T) []byte
	get func(r *Reader, i int) (T, int)
	// pairs is put for all pairs of a map by strings, with no path in errors, and fill is get for n pairs from the one at
	// i on, where strings are taken as they are: nil where there is none.
	pairs func(s *encoder, b []byte, m map[string]T) []byte
	fill  func(r *Reader, i, n int, m map[string]T) int
}

var (
	stringWay = way[string]{put: (*encoder).string, get: (*Reader).string}
	intWay    = way[int]{putInt[int], getInt[int], putCounts[int], getCounts[int]}
	int64Way  = way[int64]{putInt[int64], getInt[int64], putCounts[int64], getCounts[int64]}
	uintWay   = way[uint]{putUint[uint], getInt[uint], putCounts[uint], getCounts[uint]}
	uint64Way = way[uint64]{putUint[uint64], getInt[uint64], putCounts[uint64], getCounts[uint64]}
)

func anyWay() way[any] { return way[any]{put: (*encoder).top, get: (*Reader).anyAt} }

// anyMap writes m.
func (s *encoder) anyMap(b []byte, m map[string]any) []byte {
	elem := anyWay()
	return encodeMap(s, b, m, &stringWay, &elem)
}

func putInt[T int | int64](_ *encoder, b []byte, v T) []byte { return packwire.AppendInt(b, int64(v)) }

func putUint[T uint | uint64](_ *encoder, b []byte, v T) []byte {
	return packwire.AppendUint(b, uint64(v))
}

func putCounts[T steps.Integer](s *encoder, b []byte, m map[string]T) []byte {
	return steps.WriteCounts[steps.Pack](s, b, m, (*encoder).string)
}

func putBool(_ *encoder, b []byte, v bool) []byte { return packwire.AppendBool(b, v) }

func putFloat(_ *encoder, b []byte, v float64) []byte { return packwire.AppendFloat64(b, v) }

func getBool(r *Reader, i int) (v bool, end int) {
	if i < len(r.b) {
		if c := r.b[i]; c|1 == packwire.True {
			return c == packwire.True, i + 1
		}
	}
	if r.null(i) && !r.noNil {
		return false, i + 1
	}
	return false, r.bad(i, packwire.Mismatch, "bool")
}

func getSingle(r *Reader, i int) (v float32, end int) {
	if v, end = packwire.ReadFloat32(r.b, i); end >= 0 {
		return v, end
	}
	if r.null(i) && !r.noNil {
		return 0, i + 1
	}
	return 0, r.bad(i, end, "float32")
}

func getFloat(r *Reader, i int) (v float64, end int) {
	if v, end = packwire.ReadFloat64(r.b, i); end >= 0 {
		return v, end
	}
	if r.null(i) && !r.noNil {
		return 0, i + 1
	}
	return 0, r.bad(i, end, "float64")
}

func getInt[T steps.Integer](r *Reader, i int) (v T, end int) {
	if v, end = integerAt[T](r.b, i); end >= 0 {
		return v, end
	}
	if r.null(i) && !r.noNil {
		return 0, i + 1
	}
	return 0, r.bad(i, end, reflect.TypeFor[T]().String())
}

// integerAt reads the integer at b[i:] as packwire does: one that is not a T is out of range.
func integerAt[T steps.Integer](b []byte, i int) (v T, end int) {
	fits := false
	if steps.IsUnsigned[T]() {
		var u uint64
		u, end = packwire.ReadUint(b, i)
		v, fits = T(u), uint64(T(u)) == u
	} else {
		var x int64
		x, end = packwire.ReadInt(b, i)
		v, fits = T(x), int64(T(x)) == x
	}
	if end >= 0 && !fits {
		return 0, packwire.Range
	}
	return v, end
}

// listOf returns how a []T is written by put, and read: run reads elements, as many as it can, and get one of any other
// form.
func listOf[T any](
	put func(b []byte, list []T) []byte,
	run func(doc []byte, i int, list []T) (n, next int), get func(r *Reader, i int) (T, int),
) (encodeFunc, decodeFunc) {
	return func(s *encoder, b []byte, q mem.Ptr) []byte {
			list := *mem.At[[]T](q)
			if s.depth >= s.maxDepth && list != nil {
				return s.fail(b, weft.ErrDepth)
			}
			return put(b, list)
		}, func(r *Reader, i int, q mem.Ptr) int {
			p := mem.At[[]T](q)
			n, next := r.list(i, reflect.TypeFor[[]T]())
			if n < 0 || next < 0 {
				*p = nil
				return next
			} else if r.depth >= r.maxDepth {
				return r.fail(i, weft.ErrDepth)
			}
			v := sized(r, *p, n)
			for rest := v; ; rest = rest[1:] {
				n, next = run(r.b, next, rest)
				if rest = rest[n:]; len(rest) == 0 {
					*p = v
					return next
				}
				if rest[0], next = get(r, next); next < 0 {
					return next
				}
			}
		}
}

func integers[T steps.Integer]() (encodeFunc, decodeFunc) {
	return listOf(steps.WriteInts[steps.Pack, T], steps.ReadInts[steps.Pack, T], getInt[T])
}

func readFloats[T float32 | float64](doc []byte, i int, list []T) (n, next int) {
	return steps.ReadFloats[steps.Pack](doc, i, list, false)
}

func encodeStrings(s *encoder, b []byte, q mem.Ptr) []byte {
	return steps.WriteTexts[steps.Pack](s, b, *mem.At[[]string](q), (*encoder).string)
}

func encodeAnys(s *encoder, b []byte, q mem.Ptr) []byte { return s.anys(b, *mem.At[[]any](q)) }

// list reads the header of an array, or a nil, for which n is -1. Of the bytes
// of the containers around none are counted.
func (r *Reader) list(i int, typ reflect.Type) (n, next int) {
	if i < len(r.b) && r.b[i]&0xf0 == packwire.FixArray { // same as ReadArray
		if n = int(r.b[i] & 15); r.fits(n, i+1, 1) {
			return n, i + 1
		}
	}
	n, next = packwire.ReadArray(r.b, i)
	if next >= 0 && r.fits(n, next, 1) {
		return n, next
	}
	if next == packwire.Mismatch && r.b[i] == packwire.Nil {
		return -1, i + 1
	}
	return 0, r.bad(i, min(next, packwire.Short), typ.String())
}

// sized returns a slice of n elements: s itself when it is large enough.
func sized[T any](r *Reader, s []T, n int) []T {
	if n <= cap(s) && s != nil {
		return s[:n]
	}
	if few, ok := any(&s).(*[]int); ok { // the type that is met most: short lists share memory
		*few = r.slab.Ints(n)
		return s
	}
	return make([]T, n)
}

func decodeStrings(r *Reader, i int, q mem.Ptr) int {
	p := mem.At[[]string](q)
	n, i := r.list(i, reflect.TypeFor[[]string]())
	if n < 0 || i < 0 {
		*p = nil
		return i
	}
	long := n*stringSize > roomy+growth*(len(r.b)-i) // it grows with those that are there
	var v []string
	if !long {
		v = sized(r, *p, n)[:0]
	}
	for range n {
		var text string
		if text, i = r.string(i); i < 0 {
			return i
		}
		v = append(v, text)
	}
	if long {
		v = append(make([]string, 0, len(v)), v...)
	}
	*p = v
	return i
}

const stringSize = 16

func decodeAnys(r *Reader, i int, q mem.Ptr) int {
	p := mem.At[[]any](q)
	start := i
	n, i := r.list(i, reflect.TypeFor[[]any]())
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
