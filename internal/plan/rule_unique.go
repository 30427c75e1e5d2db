package plan

import (
	"encoding/json"
	"hash/maphash"
	"math"
	"reflect"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
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

// equalValues is equalElements for elements of any type. To compare two costs no more than the smaller one has, so that
// short lists within lists take no more time than there are values in them, up to a logarithm.
func equalValues(list []reflect.Value) (int, int) {
	if len(list) <= fewElements {
		for j := range list {
			for i := range j {
				if equal(list[i], list[j]) {
					return i, j
				}
			}
		}
		return -1, -1
	}
	seed := maphash.MakeSeed()
	seen := make(map[uint64][]int, len(list))
	for j, v := range list {
		var h maphash.Hash
		h.SetSeed(seed)
		hashValue(&h, v)
		sum := h.Sum64()
		for _, i := range seen[sum] {
			if equal(list[i], v) {
				return i, j
			}
		}
		seen[sum] = append(seen[sum], j)
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

// numberOf returns the number that v is, as a float64 and, where it is one, as an integer.
func numberOf(v reflect.Value) (x float64, n int64, whole, ok bool) {
	switch {
	case v.CanInt():
		return float64(v.Int()), v.Int(), true, true
	case v.CanUint():
		return float64(v.Uint()), int64(v.Uint()), v.Uint() <= math.MaxInt64, true
	case v.CanFloat():
		x = v.Float()
	case v.Type() == numberType:
		number := json.Number(v.String())
		if n, err := number.Int64(); err == nil {
			return float64(n), n, true, true
		}
		var err error
		if x, err = number.Float64(); err != nil {
			return 0, 0, false, false
		}
	default:
		return 0, 0, false, false
	}
	n = int64(x)
	return x, n, float64(n) == x && x < 1<<63, true
}

// equal reports whether x and y are the same value on the wire.
func equal(x, y reflect.Value) bool {
	x, y = plainValue(x), plainValue(y)
	if !x.IsValid() || !y.IsValid() {
		return x.IsValid() == y.IsValid()
	}
	if f, n, whole, ok := numberOf(x); ok {
		g, m, also, number := numberOf(y)
		return number && f == g && whole == also && (!whole || n == m)
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

// hashValue adds v to h: the same for values that are equal.
func hashValue(h *maphash.Hash, v reflect.Value) {
	v = plainValue(v)
	if !v.IsValid() {
		h.WriteByte(0)
		return
	}
	if x, _, _, ok := numberOf(v); ok {
		maphash.WriteComparable(h, x+0)
		return
	}
	switch v.Kind() {
	case reflect.String:
		h.WriteString(v.String())
		h.WriteByte(1)
	case reflect.Bool:
		maphash.WriteComparable(h, v.Bool())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			hashValue(h, v.Index(i))
		}
		h.WriteByte(2)
	case reflect.Map:
		var sum uint64 // in no order
		for e := v.MapRange(); e.Next(); {
			var member maphash.Hash
			member.SetSeed(h.Seed())
			hashValue(&member, e.Key())
			hashValue(&member, e.Value())
			sum += member.Sum64()
		}
		maphash.WriteComparable(h, sum)
	case reflect.Struct:
		if v.Type() == timeType {
			maphash.WriteComparable(h, v.Interface().(time.Time).UnixNano())
			return
		}
		for i := range v.NumField() {
			hashValue(h, v.Field(i))
		}
	}
}
