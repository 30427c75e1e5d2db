package compare

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/weftcodec/weft/value"
)

// shape is what values of one place have in common, to make a Go type of.
type shape struct {
	kinds  uint32 // set of value.Kind
	seen   int    // values that are not null
	elem   *shape
	fields []*field
	index  map[string]int
}

// field is a member that some of the maps have.
type field struct {
	name string
	n    int // maps that have it
	shape
}

// maxFields bounds the members of a struct: maps of more are maps by key.
const maxFields = 100

func (s *shape) add(v value.Value) {
	k := v.Kind()
	s.kinds |= 1 << k
	switch k {
	case value.KindNull:
		return
	case value.KindList:
		if s.elem == nil {
			s.elem = new(shape)
		}
		for e := range v.Values() {
			s.elem.add(e)
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
			s.fields[i].add(m)
		}
	}
	s.seen++
}

// has tells whether all values but null are of the kinds.
func (s *shape) has(kinds ...value.Kind) bool {
	var set uint32
	for _, k := range kinds {
		set |= 1 << k
	}
	rest := s.kinds &^ (1 << value.KindNull)
	return rest != 0 && rest&^set == 0
}

// typ returns a Go type for the values, a pointer when some are null.
func (s *shape) typ() reflect.Type {
	t := s.plain()
	if s.kinds&(1<<value.KindNull) != 0 && t != dynamic {
		return reflect.PointerTo(t)
	}
	return t
}

var dynamic = reflect.TypeFor[value.Value]()

// plain returns a Go type for the values that are not null.
func (s *shape) plain() reflect.Type {
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
		return reflect.SliceOf(s.elem.typ())
	case s.has(value.KindMap) && s.isRecord():
		var fields []reflect.StructField
		for i, f := range s.fields {
			t, tag := f.typ(), f.name
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
		elem := new(shape)
		for _, f := range s.fields {
			elem.merge(&f.shape)
		}
		return reflect.MapOf(reflect.TypeFor[string](), elem.typ())
	}
	return dynamic
}

// merge makes s the shape of the values of both.
func (s *shape) merge(o *shape) {
	s.kinds |= o.kinds
	s.seen += o.seen
	if o.elem != nil {
		if s.elem == nil {
			s.elem = new(shape)
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
		s.fields[i].merge(&f.shape)
	}
}

// isRecord tells whether the maps are the records of a struct: they have names
// that a tag can hold, not too many, and about the same.
func (s *shape) isRecord() bool {
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

// asStructs returns the records as Go structs, or says why these do not hold all there
// is in them.
func (s *sample) asStructs(list value.Value) (data any, why string) {
	one := len(s.list) == 1
	all := new(shape)
	for _, v := range s.list {
		all.add(v)
	}
	t := all.typ()
	if t == dynamic {
		return nil, s.kinds()
	}
	if !one {
		t = reflect.SliceOf(t)
	}
	p := reflect.New(t)
	if err := value.Unmarshal(list, p.Interface()); err != nil {
		return nil, err.Error()
	}
	back, err := value.Marshal(p.Interface())
	if err != nil {
		return nil, err.Error()
	}
	if !value.Equal(list, back) {
		return nil, s.why(back)
	}
	return p.Elem().Interface(), ""
}
