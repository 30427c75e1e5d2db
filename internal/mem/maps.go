package mem

import (
	"reflect"
	"strconv"
)

// NamedMap reports whether [At] serves to read a map of type t as a map[string]V, where its key is a string type and
// its element a type with the underlying type of V, some of which is v. That is found out by a trial with more entries
// than a group of the runtime's has; where it fails, maps are read by reflection.
func NamedMap[V any](t reflect.Type, v V) bool {
	elem := reflect.TypeFor[V]()
	if Safe || t.Key().Kind() != reflect.String || t.Elem().Kind() != elem.Kind() || !elem.ConvertibleTo(t.Elem()) {
		return false
	}
	return readsAs(t, reflect.ValueOf(&v).Elem().Convert(t.Elem()), v)
}

// SimilarMap is NamedMap for a V that is a pointer or slice type, as the element is, of whatever.
func SimilarMap[V any](t reflect.Type) bool {
	if Safe || t.Key().Kind() != reflect.String || t.Elem().Kind() != reflect.TypeFor[V]().Kind() {
		return false
	}
	v := reflect.New(t.Elem())
	if elem := t.Elem(); elem.Kind() == reflect.Slice {
		v.Elem().Set(reflect.MakeSlice(elem, 1, 1))
	} else {
		v.Elem().Set(reflect.New(elem.Elem()).Convert(elem))
	}
	return readsAs(t, v.Elem(), *At[V](Of(v)))
}

// readsAs makes maps of type t whose elements are elem, and reports whether they are read as a map[string]V of v.
func readsAs[V any](t reflect.Type, elem reflect.Value, v V) bool {
	const n = 20
	m, key := reflect.New(t), reflect.New(t.Key()).Elem()
	m.Elem().Set(reflect.MakeMap(t))
	for i := range n {
		key.SetString(strconv.Itoa(i))
		m.Elem().SetMapIndex(key, elem)
		if seen := *At[map[string]V](Of(m)); i == 1 && !holds(seen, 2, v) {
			return false
		}
	}
	return holds(*At[map[string]V](Of(m)), n, v)
}

// holds reports whether m is n numbers, each with v.
func holds[V any](m map[string]V, n int, v V) bool {
	left := n
	for k, got := range m {
		if i, err := strconv.Atoi(k); err != nil || i >= n || !reflect.DeepEqual(got, v) {
			return false
		}
		left--
	}
	return left == 0 && len(m) == n
}

// Entry is one key and one element of a map type in memory of their own, to
// be decoded into and put into a map, or to be read out of one, without an
// allocation for each entry.
type Entry struct {
	Key, Elem Ptr

	mapType   reflect.Type
	key, elem reflect.Value
	iter      reflect.MapIter
}

// NewEntry returns an entry for maps of type t.
func NewEntry(t reflect.Type) *Entry {
	k, e := reflect.New(t.Key()), reflect.New(t.Elem())
	return &Entry{Key: Of(k), Elem: Of(e), mapType: t, key: k.Elem(), elem: e.Elem()}
}

// RenewKey gives the key other memory: what had the address of the old one keeps it.
func (e *Entry) RenewKey() {
	k := reflect.New(e.mapType.Key())
	e.Key, e.key = Of(k), k.Elem()
}

// RenewElem gives the element, of type t, other memory: what had the address of the old one keeps it.
func (e *Entry) RenewElem(t *Type) {
	e.Elem = t.New()
	e.elem = e.Elem.Value(t)
}

// KeyValue returns the key, settable.
func (e *Entry) KeyValue() reflect.Value { return e.key }

// Put stores the entry in m, a map that is not nil, and clears it.
func (e *Entry) Put(m reflect.Value) {
	m.SetMapIndex(e.key, e.elem)
	e.Clear()
}

// Load sets the element to what m has under the entry's key, zero if nothing.
func (e *Entry) Load(m reflect.Value) {
	if v := m.MapIndex(e.key); v.IsValid() {
		e.elem.Set(v)
	} else {
		e.elem.SetZero()
	}
}

// Clear makes key and element zero.
func (e *Entry) Clear() {
	e.key.SetZero()
	e.elem.SetZero()
}

// Range starts to iterate over m; [Entry.Next] moves on.
func (e *Entry) Range(m reflect.Value) { e.iter.Reset(m) }

// Next sets key and element to the next entry of the map being iterated over
// and reports whether there was one. After the last the entry is cleared.
func (e *Entry) Next() bool {
	if !e.iter.Next() {
		e.iter.Reset(reflect.Value{})
		e.Clear()
		return false
	}
	e.key.SetIterKey(&e.iter)
	e.elem.SetIterValue(&e.iter)
	return true
}
