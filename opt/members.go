package opt

import (
	"cmp"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/setting"
)

// object is what a struct is to a document: its members, found by the rules of
// encoding/json. internal/plan finds the same for the formats, and a test holds
// one against the other; that package is not used here because it is ten times
// the code, which every program with an optional value would have.
type object struct {
	members []member
	rest    *member // the map of the members that no field names
	embeds  [][]int // the embedded pointers that can be set, outer ones first

	opaque bool // the struct has its own wire form, of which its fields tell nothing
	union  bool // the struct is written as what its only field holds
	locked bool // some members are behind an embedded pointer that cannot be set
}

// member is a field that is a member of the document.
type member struct {
	name, goName        string
	tagged              bool // the name comes from a tag
	index               []int
	omitEmpty, omitZero bool
	locked              bool // behind an embedded pointer that cannot be set
}

var objects sync.Map // of *object by reflect.Type

// objectOf returns what the struct type t is to a document.
func objectOf(t reflect.Type) *object {
	if o, ok := objects.Load(t); ok {
		return o.(*object)
	}
	o, _ := objects.LoadOrStore(t, newObject(t))
	return o.(*object)
}

// isObject reports whether values of type t are objects of the fields of t.
func isObject(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	o := objectOf(t)
	return !o.opaque && !o.union && !o.locked
}

// isUnion reports whether values of type t are written as what their only field
// holds.
func isUnion(t reflect.Type) bool { return t.Kind() == reflect.Struct && objectOf(t).union }

// newObject finds the members of the struct type t. One that marshals itself is
// taken for an object of its fields where these say so: by a tag, or by being
// optional. What a generator writes is; a time is not.
func newObject(t reflect.Type) *object {
	o := &object{}
	o.members = dominant(o.scan(t))
	says := o.rest != nil
	for _, m := range o.members {
		_, optional := option(t.FieldByIndex(m.index).Type)
		says = says || m.tagged || optional
		o.locked = o.locked || m.locked
	}
	p, n := reflect.PointerTo(t), t.NumField()
	own := p.Implements(jsonMarshaler) || p.Implements(weftMarshaler)
	text := !own && p.Implements(textMarshaler)
	o.union = own && !says && len(o.members) == 1 && n == 1 && t.Field(0).Type.Kind() == reflect.Interface
	o.opaque = !o.union && (text || own && !says || len(o.members) == 0 && o.rest == nil && n > 0)
	return o
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	weftMarshaler = reflect.TypeFor[weft.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	timeType      = reflect.TypeFor[time.Time]()
)

// place is a struct to look into, and the way there.
type place struct {
	rtype reflect.Type
	index []int
	twice bool // there are several of the type at this depth

	locked bool // behind a pointer that cannot be set
}

// scan returns the fields of t and of the structs embedded in it, several of a
// name if there are.
func (o *object) scan(t reflect.Type) (fields []member) {
	places := []place{{rtype: t}} // level by level
	for at := 0; at < len(places); at++ {
		p := places[at]
		if slices.ContainsFunc(places[:at], func(q place) bool { return q.rtype == p.rtype }) {
			continue
		}
		for i := range p.rtype.NumField() {
			f := p.rtype.Field(i)
			st, pointer := f.Type, f.Type.Kind() == reflect.Pointer && f.Type.Name() == ""
			if pointer {
				st = st.Elem()
			}
			embedded := f.Anonymous && st.Kind() == reflect.Struct
			m, inline, hidden := readTag(f.Tag)
			if hidden || !f.IsExported() && (!embedded || m.tagged) {
				continue
			}
			m.index, m.locked = append(slices.Clip(p.index), i), p.locked
			_, optional := option(st)
			switch {
			case !m.tagged && (embedded || inline && st.Kind() == reflect.Struct && !optional && st != timeType):
				locked := p.locked || pointer && !f.IsExported()
				if pointer && !locked {
					o.embeds = append(o.embeds, m.index)
				}
				places = enter(places, place{rtype: st, index: m.index, locked: locked})
			case !m.tagged && inline && f.Type.Kind() == reflect.Map:
				if o.rest == nil {
					o.rest = &m
				}
			default:
				m.goName = f.Name
				if !m.tagged {
					m.name = f.Name
				}
				fields = append(fields, m)
				if p.twice { // they hide each other
					fields = append(fields, m)
				}
			}
		}
	}
	return fields
}

// enter adds p to the places, of which the last are those of its depth.
func enter(places []place, p place) []place {
	for i := len(places) - 1; len(places[i].index) == len(p.index); i-- {
		if places[i].rtype == p.rtype {
			places[i].twice = true
			return places
		}
	}
	return append(places, p)
}

// dominant returns the fields that are members, in their order: of those with
// one name the one at the smallest depth, if there is one such, or one such with
// a tag.
func dominant(fields []member) (members []member) {
	rank := func(a, b member) int {
		if d := cmp.Compare(len(a.index), len(b.index)); d != 0 || a.tagged == b.tagged {
			return d
		}
		if a.tagged {
			return -1
		}
		return 1
	}
	slices.SortStableFunc(fields, func(a, b member) int {
		return cmp.Or(strings.Compare(a.name, b.name), rank(a, b))
	})
	for len(fields) > 0 {
		n := 1
		for n < len(fields) && fields[n].name == fields[0].name {
			n++
		}
		if n == 1 || rank(fields[0], fields[1]) != 0 {
			members = append(members, fields[0])
		}
		fields = fields[n:]
	}
	slices.SortFunc(members, func(a, b member) int { return slices.Compare(a.index, b.index) })
	return members
}

// readTag reads the tag weft of a field, or else its tag json. It reports
// whether the members of the field are those of its struct, and whether the
// field is none.
func readTag(tags reflect.StructTag) (m member, inline, hidden bool) {
	text, ok := tags.Get("weft"), true
	if text == "" {
		text, ok = tags.Get("json"), false
	}
	name, options, _ := strings.Cut(text, ",")
	if text == "-" || ok && name == "" && tags.Get("json") == "-" {
		return m, false, true
	}
	if validName(name) {
		m.name, m.tagged = name, true
	}
	for o := range strings.SplitSeq(options, ",") {
		switch o {
		case "omitempty":
			m.omitEmpty = true
		case "omitzero":
			m.omitZero = true
		case "inline", "unknown":
			inline = inline || ok
		}
	}
	return m, inline, false
}

// validName reports whether encoding/json takes s as a name from a tag.
func validName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	})
}

// of returns the field of the struct v, or no value behind a nil pointer.
func (m *member) of(v reflect.Value) reflect.Value {
	for i, x := range m.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v
}

// in is of, and sets the nil pointers on the way.
func (m *member) in(v reflect.Value) reflect.Value {
	for i, x := range m.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v
}

// own makes the embedded pointers in the struct v, which can be set, its own: what
// they pointed to is not changed through them.
func (o *object) own(v reflect.Value) {
	for _, index := range o.embeds {
		e := (&member{index: index}).of(v)
		if e.IsValid() && !e.IsNil() {
			c := reflect.New(e.Type().Elem())
			c.Elem().Set(e.Elem())
			e.Set(c)
		}
	}
}

// leavesOut reports whether the member is not in the document of which v is the
// field. A v without a value is behind a nil pointer.
func (m *member) leavesOut(v reflect.Value) bool {
	switch {
	case !v.IsValid():
		return true
	case m.omitZero && isZero(v), m.omitEmpty && isEmpty(v):
		return true
	}
	return isAbsent(v)
}

type zeroer interface{ IsZero() bool }

// isZero reports whether v is zero in the sense of the option omitzero.
func isZero(v reflect.Value) bool {
	if k := v.Kind(); (k == reflect.Pointer || k == reflect.Interface) && v.IsNil() {
		return true
	}
	if z, ok := v.Interface().(zeroer); ok {
		return z.IsZero()
	}
	if p := reflect.PointerTo(v.Type()); p.Implements(reflect.TypeFor[zeroer]()) {
		c := reflect.New(v.Type())
		c.Elem().Set(v)
		return c.Interface().(zeroer).IsZero()
	}
	return v.IsZero()
}

// isEmpty reports whether v is empty in the sense of the option omitempty.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String, reflect.Slice, reflect.Map, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		kind, optional := option(v.Type())
		return optional && (stateOf(v) == Absent || stateOf(v) == IsNull && kind == setting.OptionNullable)
	}
	return v.IsZero()
}
