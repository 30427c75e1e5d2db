// Package shape finds what dynamic values have in common, to make a Go type or a schema of it.
package shape

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/weftcodec/weft/value"
)

// Shape is what the values of one place have in common.
type Shape struct {
	kinds  uint32 // set of value.Kind
	seen   int    // values that are not null
	elem   *Shape
	fields []*field
	index  map[string]int
}

// field is a member that some of the maps have.
type field struct {
	name string
	n    int // maps that have it
	Shape
}

// maxFields bounds the members of a struct: maps of more are maps by key.
const maxFields = 100

// Add takes in a value.
func (s *Shape) Add(v value.Value) {
	k := v.Kind()
	s.kinds |= 1 << k
	switch k {
	case value.KindNull:
		return
	case value.KindList:
		if s.elem == nil {
			s.elem = new(Shape)
		}
		for e := range v.Values() {
			s.elem.Add(e)
		}
	case value.KindMap:
		if s.index == nil {
			s.index = map[string]int{}
		}
		for name, m := range v.Members() {
			i, ok := s.index[name]
			if !ok {
				i = len(s.fields)
				s.index[name] = i
				s.fields = append(s.fields, &field{name: name})
			}
			s.fields[i].n++
			s.fields[i].Add(m)
		}
	}
	s.seen++
}

// has reports whether all values but null are of the kinds.
func (s *Shape) has(kinds ...value.Kind) bool {
	var set uint32
	for _, k := range kinds {
		set |= 1 << k
	}
	rest := s.kinds &^ (1 << value.KindNull)
	return rest != 0 && rest&^set == 0
}

// Type returns a Go type for the values, a pointer when some are null: [value.Value] where there is no other.
func (s *Shape) Type() reflect.Type {
	t := s.plain()
	if s.kinds&(1<<value.KindNull) != 0 && t != dynamic {
		return reflect.PointerTo(t)
	}
	return t
}

var dynamic = reflect.TypeFor[value.Value]()

// plain returns a Go type for the values that are not null.
func (s *Shape) plain() reflect.Type {
	switch {
	case s.has(value.KindBool):
		return reflect.TypeFor[bool]()
	case s.has(value.KindInt):
		return reflect.TypeFor[int64]()
	case s.has(value.KindUint):
		return reflect.TypeFor[uint64]()
	case s.has(value.KindInt, value.KindFloat):
		return reflect.TypeFor[float64]()
	case s.has(value.KindString):
		return reflect.TypeFor[string]()
	case s.has(value.KindBytes):
		return reflect.TypeFor[[]byte]()
	case s.has(value.KindTime):
		return reflect.TypeFor[time.Time]()
	case s.has(value.KindList):
		return reflect.SliceOf(s.elem.Type())
	case s.has(value.KindMap) && s.isRecord():
		var fields []reflect.StructField
		for i, f := range s.fields {
			t, tag := f.Type(), f.name
			if f.n < s.seen { // absent from some
				if t = f.plain(); t != dynamic {
					t = reflect.PointerTo(t)
				}
				tag += ",omitzero"
			}
			fields = append(fields, reflect.StructField{Name: "F" + strconv.Itoa(i), Type: t, Tag: reflect.StructTag("json:" + strconv.Quote(tag))})
		}
		return reflect.StructOf(fields)
	case s.has(value.KindMap):
		elem := new(Shape)
		for _, f := range s.fields {
			elem.merge(&f.Shape)
		}
		return reflect.MapOf(reflect.TypeFor[string](), elem.Type())
	}
	return dynamic
}

// merge makes s the shape of the values of both.
func (s *Shape) merge(o *Shape) {
	s.kinds |= o.kinds
	s.seen += o.seen
	if o.elem != nil {
		if s.elem == nil {
			s.elem = new(Shape)
		}
		s.elem.merge(o.elem)
	}
	for _, f := range o.fields {
		if s.index == nil {
			s.index = map[string]int{}
		}
		i, ok := s.index[f.name]
		if !ok {
			i = len(s.fields)
			s.index[f.name] = i
			s.fields = append(s.fields, &field{name: f.name})
		}
		s.fields[i].n += f.n
		s.fields[i].merge(&f.Shape)
	}
}

// isRecord reports whether the maps are the records of a struct: they have names
// that a tag can hold, not too many, and about the same.
func (s *Shape) isRecord() bool {
	members := 0
	for _, f := range s.fields {
		members += f.n
		if f.name == "" || f.name == "-" || strings.ContainsFunc(f.name, func(c rune) bool {
			return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("_-.:/@$", c))
		}) {
			return false
		}
	}
	return len(s.fields) <= maxFields && members*4 >= len(s.fields)*s.seen
}
