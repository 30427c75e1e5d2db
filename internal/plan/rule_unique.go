package plan

import (
	"hash/maphash"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
)

// fewElements is how many elements are compared each with each.
const fewElements = 8

// equalElements returns the indexes of two elements of the list of type t at p that are equal, or -1.
func equalElements(t *Type, p mem.Ptr) (int, int) {
	a, n := elements(t, p)
	switch {
	case t.Elem.Kind == String && !mem.Safe:
		return equalTexts(mem.Flat[string](a, n))
	case t.Elem.Scalar() && t.Elem.Kind != Number && t.Elem.Kind != String:
		return equalBits(t.Elem, a, n)
	}
	list := make([]reflect.Value, n)
	for i := range list {
		list[i] = a.At(t.Elem.Mem, i).Value(t.Elem.Mem)
	}
	return equalValues(list)
}

func equalTexts(list []string) (int, int) {
	if len(list) <= fewElements {
		for j := range list {
			for i := range j {
				if list[i] == list[j] {
					return i, j
				}
			}
		}
		return -1, -1
	}
	seen := make(map[string]int, len(list))
	for j, s := range list {
		if i, ok := seen[s]; ok {
			return i, j
		}
		seen[s] = j
	}
	return -1, -1
}

func equalBits(t *Type, a mem.Array, n int) (int, int) {
	if n <= fewElements {
		for j := range n {
			x := scalarBits(t, a.At(t.Mem, j))
			for i := range j {
				if scalarBits(t, a.At(t.Mem, i)) == x {
					return i, j
				}
			}
		}
		return -1, -1
	}
	seen := make(map[uint64]int, n)
	for j := range n {
		x := scalarBits(t, a.At(t.Mem, j))
		if i, ok := seen[x]; ok {
			return i, j
		}
		seen[x] = j
	}
	return -1, -1
}

// equalValues is equalElements for elements of any type. To compare two costs no more than the smaller one has, and to
// hash one no more than tells it from the others, so that lists within lists take no more time than there are values in
// them, up to a logarithm.
func equalValues(list []reflect.Value) (int, int) {
	all := make([]int, len(list))
	for i := range all {
		all[i] = i
	}
	return equalAmong(list, all, 16)
}

// equalAmong is equalValues for the elements at the indexes, of each of which it hashes at most so many values first.
func equalAmong(list []reflect.Value, at []int, most int) (i, j int) {
	if len(at) <= fewElements {
		return equalPair(list, at)
	}
	seed, whole := maphash.MakeSeed(), true
	same := make(map[uint64][]int, len(at))
	for _, i := range at {
		h := hasher{left: most}
		h.SetSeed(seed)
		h.value(list[i])
		whole = whole && h.left >= 0
		sum := h.Sum64()
		same[sum] = append(same[sum], i)
	}
	i, j = -1, -1
	for _, group := range same {
		x, y := -1, -1
		if whole {
			x, y = equalPair(list, group)
		} else {
			x, y = equalAmong(list, group, 4*most)
		}
		if x >= 0 && (j < 0 || y < j) {
			i, j = x, y
		}
	}
	return i, j
}

// equalPair is equalAmong by comparing each with each.
func equalPair(list []reflect.Value, at []int) (int, int) {
	for k, j := range at {
		for _, i := range at[:k] {
			if equal(list[i], list[j]) {
				return i, j
			}
		}
	}
	return -1, -1
}

// dynamic is implemented by value.Value, whose fields do not tell what it is.
type dynamic interface {
	Interface() any
	Hash() uint64
}

var dynamicType = reflect.TypeFor[dynamic]()

// plainValue follows pointers, interfaces and options from v, and dynamic values to the Go values that they are. The
// zero Value stands for nil, and for an option that is not set.
func plainValue(v reflect.Value) reflect.Value {
	for v.IsValid() {
		if v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
			v = v.Elem()
			continue
		}
		if v.Kind() == reflect.Struct && v.CanInterface() && v.Type().Implements(dynamicType) {
			return reflect.ValueOf(v.Interface().(dynamic).Interface())
		}
		kind := optionKind(v.Type())
		switch {
		case kind == setting.OptionNone:
			return v
		case kind == setting.OptionField && v.Field(1).Uint() != 2, kind != setting.OptionField && !v.Field(1).Bool():
			return reflect.Value{}
		}
		v = v.Field(0)
	}
	return v
}

// number is a number of any Go type: two are equal, as values of this type, if they are the same number.
type number struct {
	x    float64 // the nearest
	n    uint64  // the lower 64 bits of an integer
	wide string  // what is neither a float64 nor an integer of 64 bits; see [wire.ReadNumber]
}

// numberOf returns the number that v is.
func numberOf(v reflect.Value) (_ number, ok bool) {
	switch {
	case v.CanInt():
		return number{x: float64(v.Int()), n: uint64(v.Int())}, true
	case v.CanUint():
		return number{x: float64(v.Uint()), n: v.Uint()}, true
	case v.CanFloat():
		return floatNumber(v.Float()), true
	case v.Type() != numberType:
		return number{}, false
	}
	if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
		return number{x: float64(n), n: uint64(n)}, true
	}
	if n, err := strconv.ParseUint(v.String(), 10, 64); err == nil {
		return number{x: float64(n), n: n}, true
	}
	x, wide, ok := wire.ReadNumber(v.String())
	if wide != "" {
		return number{x: x, wide: wide}, true
	}
	return floatNumber(x), ok
}

// floatNumber returns the number x.
func floatNumber(x float64) number {
	x += 0 // no negative zero
	switch {
	case x != math.Trunc(x):
	case -1<<63 <= x && x < 1<<63:
		return number{x: x, n: uint64(int64(x))}
	case 1<<63 <= x && x < 1<<64:
		return number{x: x, n: uint64(x)}
	}
	return number{x: x}
}

// equal reports whether x and y are the same value on the wire.
func equal(x, y reflect.Value) bool {
	x, y = plainValue(x), plainValue(y)
	if !x.IsValid() || !y.IsValid() {
		return x.IsValid() == y.IsValid()
	}
	if n, ok := numberOf(x); ok {
		m, ok := numberOf(y)
		return ok && n == m
	}
	if x.Kind() != y.Kind() {
		return false
	}
	switch x.Kind() {
	case reflect.String:
		return x.String() == y.String()
	case reflect.Bool:
		return x.Bool() == y.Bool()
	case reflect.Slice, reflect.Array:
		if x.Len() != y.Len() {
			return false
		}
		for i := range x.Len() {
			if !equal(x.Index(i), y.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if x.Len() != y.Len() || x.Type().Key() != y.Type().Key() {
			return false
		}
		for e := x.MapRange(); e.Next(); {
			if other := y.MapIndex(e.Key()); !other.IsValid() || !equal(e.Value(), other) {
				return false
			}
		}
		return true
	case reflect.Struct:
		if x.Type() != y.Type() {
			return false
		}
		if x.Type() == timeType {
			return x.Interface().(time.Time).Equal(y.Interface().(time.Time))
		}
		for i := range x.NumField() {
			if !equal(x.Field(i), y.Field(i)) {
				return false
			}
		}
		return true
	}
	return false
}

// hasher hashes values: the same for values that are equal.
type hasher struct {
	maphash.Hash
	left int // how many values it takes before it ignores the rest
}

// value adds v.
func (h *hasher) value(v reflect.Value) {
	if h.left--; h.left < 0 {
		return
	}
	v = plainValue(v)
	if !v.IsValid() {
		h.WriteByte(0)
		return
	}
	if n, ok := numberOf(v); ok {
		maphash.WriteComparable(&h.Hash, n)
		return
	}
	switch v.Kind() {
	case reflect.String:
		h.WriteString(v.String())
		h.WriteByte(1)
	case reflect.Bool:
		maphash.WriteComparable(&h.Hash, v.Bool())
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len() && h.left >= 0; i++ {
			h.value(v.Index(i))
		}
		h.WriteByte(2)
	case reflect.Map:
		h.members(v)
	case reflect.Struct:
		if v.Type() == timeType {
			maphash.WriteComparable(&h.Hash, v.Interface().(time.Time).UnixNano())
			return
		}
		for i := range v.NumField() {
			h.value(v.Field(i))
		}
	}
}

// members adds the members of the map v, in no order: each may take the same share of what is left.
func (h *hasher) members(v reflect.Value) {
	maphash.WriteComparable(&h.Hash, v.Len())
	if h.left < 2*v.Len() {
		h.left = -1
		return
	}
	share, sum, left := h.left/max(v.Len(), 1), uint64(0), h.left
	for e := v.MapRange(); e.Next(); {
		member := hasher{left: share}
		member.SetSeed(h.Seed())
		member.value(e.Key())
		member.value(e.Value())
		sum += member.Sum64()
		left -= share - max(member.left, 0)
		if member.left < 0 {
			h.left = -1
		}
	}
	maphash.WriteComparable(&h.Hash, sum)
	h.left = min(h.left, left)
}
