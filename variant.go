package weft

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/namewire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Flat is the layout of an object that has the name of the variant in the member tag, beside the members of the
// variant itself, which must be written as an object: {"type":"circle","radius":2}. If objects are written as arrays,
// the layout is that of [Wrapped].
//
// A variant may have a field for that member: a string or an integer, also behind a pointer or in a type of package
// opt. Reading stores the name in it. An empty field is written as the name of the variant; the name of another
// variant is an error.
func Flat(tag string) backend.Layout {
	content := "value"
	if tag == content {
		content = "content"
	}
	return backend.Layout{Flat: true, Fields: NewFields(tag, content)}
}

// Wrapped is the layout of an object of two members: tag, the name of the variant, and content, the variant itself,
// which may be of any kind: {"type":"circle","value":{"radius":2}}.
func Wrapped(tag, content string) backend.Layout {
	return backend.Layout{Fields: NewFields(tag, content)}
}

// Union returns the codec of the interface type I that writes each value with the name of its variant, and reads the
// variant that the name selects, at any position in the object. A nil interface is null. If only one of T and *T is a
// variant, values of the other are written as that variant.
//
// A name or a type that is not among the variants is a [ChoiceError]. The codec applies if the static type is I: it
// does not apply to a variant in a variable of type any.
func Union[I any](layout backend.Layout, variants ...UnionCase) Codec {
	c := newCodec[I]()
	if c.rtype.Kind() != reflect.Interface {
		panic(fmt.Sprintf("weft: a union is of an interface type, not of %v", c.rtype))
	}
	u, err := newUnion(c.rtype, layout, variants)
	if err != nil {
		panic("weft: " + err.Error())
	}
	index := make(map[reflect.Type]int, 2*len(variants))
	for i := range variants {
		t := variants[i].Type
		if !t.Implements(c.rtype) {
			panic(fmt.Sprintf("weft: variant %s: %v does not implement %v", variants[i].Names[0], t, c.rtype))
		}
		if _, ok := index[t]; ok {
			panic(fmt.Sprintf("weft: %v is twice a variant of %v", t, c.rtype))
		}
		index[t] = i
	}
	for i := range variants {
		if t := reflect.PointerTo(variants[i].Type); t.Implements(c.rtype) {
			if _, ok := index[t]; !ok {
				index[t] = i
			}
		}
	}
	c.put = func(e *Encoder, v any) error {
		x := any(*v.(*I))
		if x == nil {
			return e.Null()
		}
		i, ok := index[reflect.TypeOf(x)]
		if !ok {
			return e.Fail(u.unknown(reflect.TypeOf(x).String()))
		}
		return u.write(e, i, x)
	}
	c.get = func(d *Decoder, v any) error {
		t := v.(*I)
		if d.Null() {
			var none I
			*t = none
			return nil
		}
		i := u.peek(d)
		if i < 0 {
			return d.Err()
		}
		p := reflect.New(variants[i].Type)
		if err := u.read(d, i, p.Interface()); err != nil {
			return err
		}
		*t = p.Elem().Interface().(I)
		return nil
	}
	return c
}

// union is what the codecs of unions have in common.
type union struct {
	name     string
	layout   backend.Layout
	names    []string // of all variants
	owner    []int    // the variant of each
	variants []UnionCase
	fields   [][]int // of variants, where they have a field for the tag; nil: they have none
}

func newUnion(t reflect.Type, layout backend.Layout, variants []UnionCase) (*union, error) {
	u := &union{name: t.String(), layout: layout, variants: variants, fields: make([][]int, len(variants))}
	if layout.Fields == nil {
		return nil, fmt.Errorf("the union %v needs a layout", t)
	}
	for i := range variants {
		c := &variants[i]
		if len(c.Names) == 0 {
			return nil, fmt.Errorf("the variant %v of %v needs a name", c.Type, t)
		}
		for _, name := range c.Names {
			if slices.Contains(u.names, name) {
				return nil, fmt.Errorf("two variants of %v are called %q", t, name)
			}
			u.names, u.owner = append(u.names, name), append(u.owner, i)
		}
		if layout.Flat {
			var err error
			if u.fields[i], err = tagField(c.Type, layout.Fields.Name(0), c.Names); err != nil {
				return nil, fmt.Errorf("variant %q of %v %w", c.Names[0], t, err)
			}
		}
	}
	return u, nil
}

// tagField returns the index of the field of the struct t, or that which t points
// to, whose member is called tag, nil for none. It can hold each of the names.
func tagField(t reflect.Type, tag string, names []string) ([]int, error) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil, nil
	}
	for _, f := range reflect.VisibleFields(t) {
		if !f.IsExported() || f.Anonymous || memberName(f) != tag {
			continue
		}
		x := reflect.New(t).Elem()
		for _, name := range names {
			if !setTag(x, f.Index, name) {
				return nil, fmt.Errorf("has a member %q of its own that cannot be %q", tag, name)
			}
		}
		return f.Index, nil
	}
	return nil, nil
}

// setTag gives the field of the struct s a name. Pointers on the way are copied. It
// reports whether the field can hold the name.
func setTag(s reflect.Value, index []int, name string) bool {
	for _, i := range index {
		if s = fresh(s); !s.IsValid() {
			return false
		}
		s = s.Field(i)
	}
	if o, ok := s.Interface().(setting.OptionValue); ok && s.NumField() >= 2 {
		if state := s.Field(1); o.OptionKind() == setting.OptionField {
			state.SetUint(optionIsSet)
		} else {
			state.SetBool(true)
		}
		s = s.Field(0)
	}
	s = fresh(s)
	switch {
	case !s.IsValid() || !s.CanSet():
	case s.Kind() == reflect.String:
		s.SetString(name)
		return true
	case s.CanInt():
		n, err := strconv.ParseInt(name, 10, s.Type().Bits())
		s.SetInt(n)
		return err == nil && strconv.FormatInt(n, 10) == name
	case s.CanUint():
		n, err := strconv.ParseUint(name, 10, s.Type().Bits())
		s.SetUint(n)
		return err == nil && strconv.FormatUint(n, 10) == name
	}
	return false
}

// optionIsSet is the state of an setting.OptionField that has a value.
const optionIsSet = 2

// fresh returns what the pointer v points to, made anew, or v itself. It is invalid
// where the pointer cannot be set.
func fresh(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Pointer {
		return v
	}
	if !v.CanSet() {
		return reflect.Value{}
	}
	p := reflect.New(v.Type().Elem())
	if !v.IsNil() {
		p.Elem().Set(v.Elem())
	}
	v.Set(p)
	return p.Elem()
}

// tagOf returns the name in the field of the struct s, "" where it is empty.
func tagOf(s reflect.Value, index []int) string {
	f, err := s.FieldByIndexErr(index)
	if err != nil {
		return ""
	}
	if o, ok := f.Interface().(setting.OptionValue); ok {
		state := f.Field(1)
		set := state.Kind() == reflect.Bool && state.Bool() ||
			o.OptionKind() == setting.OptionField && state.Uint() == optionIsSet
		if !set {
			return ""
		}
		f = f.Field(0)
	}
	if f.Kind() == reflect.Pointer {
		f = f.Elem()
	}
	switch {
	case f.Kind() == reflect.String:
		return f.String()
	case f.IsValid() && f.CanInt():
		return strconv.FormatInt(f.Int(), 10)
	case f.IsValid() && f.CanUint():
		return strconv.FormatUint(f.Uint(), 10)
	}
	return ""
}

// named returns the name that v, the i-th variant, is written by, and v with that
// name in its field for it: a copy where it is empty.
func (u *union) named(i int, v any) (string, any, error) {
	names, index := u.variants[i].Names, u.fields[i]
	if index == nil {
		return names[0], v, nil
	}
	s := reflect.ValueOf(v)
	ptr := s.Kind() == reflect.Pointer
	if ptr {
		if s = s.Elem(); !s.IsValid() {
			return "", nil, errNoObject
		}
	}
	name := tagOf(s, index)
	if slices.Contains(names, name) {
		return name, v, nil
	}
	if name != "" && name != "0" {
		tag := u.layout.Fields.Name(0)
		err := &ConstraintError{
			Rule: "be " + wire.OneOf(names) + " in " + u.variants[i].Type.String(), Value: wire.Quote(name),
		}
		return "", nil, Violation{string(wire.AppendPointer(nil, tag)), -1, err}
	}
	c := reflect.New(s.Type())
	c.Elem().Set(s)
	setTag(c.Elem(), index, names[0])
	if ptr {
		return names[0], c.Interface(), nil
	}
	return names[0], c.Elem().Interface(), nil
}

// memberName returns the name that the tags weft and json give to a field.
func memberName(f reflect.StructField) string {
	for _, key := range []string{"weft", "json"} {
		if tag, ok := f.Tag.Lookup(key); ok {
			if name, _, _ := strings.Cut(tag, ","); name != "" {
				return name
			}
			break
		}
	}
	return f.Name
}

func (u *union) unknown(what string) error {
	return &ChoiceError{Union: u.name, Value: what, Variants: u.names}
}

// write writes v, the i-th variant.
func (u *union) write(e *Encoder, i int, v any) error {
	name, v, err := u.named(i, v)
	if err != nil {
		return e.Fail(err)
	}
	return e.Variant(u.layout, name, v, u.fields[i] != nil)
}

// Variant writes v, the variant of a union that is called name. With the layout [Flat], own reports whether v itself
// has the member for the name; otherwise the member is added. It is for package plan.
func (e *Encoder) Variant(l backend.Layout, name string, v any, own bool) error {
	switch {
	case l.Flat && !e.array && own:
		return e.Value(v)
	case l.Flat && !e.array:
		e.count++
		e.tagged(l.Fields, name, v)
		return e.err
	}
	o := e.Object(l.Fields)
	o.String(0, name)
	o.Value(1, v)
	return o.End()
}

// peek returns the variant of the object that comes next, -1 after an error.
func (u *union) peek(d *Decoder) int {
	f := u.layout.Fields
	name, ok := d.r.Tag(f)
	if !ok {
		// The error is that of reading it as what it should be, if there is one.
		for i := d.r.BeginObject(f); i != backend.End; i = d.r.Member(f, 0) {
			if i == 0 {
				_ = d.r.String()
				continue
			}
			d.r.Skip()
		}
		if d.r.Err() == nil {
			d.r.Missing(f, 0, 1)
		}
		return -1
	}
	i := slices.Index(u.names, name)
	if i < 0 {
		d.r.Fail(&ChoiceError{Union: u.name, Member: f.Name(0), Value: strings.Clone(name), Variants: u.names})
		return -1
	}
	return u.owner[i]
}

// read reads the object that comes next, the i-th variant, into what p points to.
func (u *union) read(d *Decoder, i int, p any) error {
	if !u.layout.Flat || d.r.Kind() == KindArray {
		o := d.Object(u.layout.Fields)
		for o.Next() {
			if o.Index() == 1 {
				d.r.Value(p)
			}
		}
		return o.End()
	}
	if u.fields[i] == nil {
		before := d.r.IgnoreMember(backend.IgnoredMember{Name: u.layout.Fields.Name(0)})
		d.r.Value(p)
		d.r.IgnoreMember(before)
	} else {
		d.r.Value(p)
	}
	return d.r.Err()
}

var errNoObject = errors.New("a variant of a flat union must be written as an object")

// tagged writes v, an object, with the member that f's first name is added to it.
func (e *Encoder) tagged(f *Fields, name string, v any) {
	if e.err != nil {
		return
	}
	head := len(e.b)
	switch e.syn {
	case setting.SyntaxJSON:
		e.b = append(append(e.b, '{'), e.jsonKeys(f)[0]...)
		e.b = appendJSONString(e.b, name, e.cfg.Flags)
		at := len(e.b)
		e.value(v)
		switch {
		case e.err != nil:
		case len(e.b) < at+2 || e.b[at] != '{':
			e.Fail(errNoObject)
		case e.b[at+1] == '}':
			e.b = append(e.b[:at], '}')
		default:
			e.b[at] = ','
		}
	case setting.SyntaxMsgpack:
		e.value(v)
		if e.err != nil {
			return
		}
		n, next := packwire.ReadMap(e.b, head)
		if next < 0 {
			e.Fail(errNoObject)
			return
		}
		var room [64]byte
		front := packwire.AppendMapHeader(room[:0], n+1)
		front = append(front, namewire.Of(f.Names()).Pack().At(0).Encoded()...)
		front = packwire.AppendString(front, name)
		front = append(front, e.b[next:]...)
		e.b = append(e.b[:head], front...)
	default:
		e.value(v)
		if e.err != nil {
			return
		}
		b, err := e.w.AddMember(e.b, head, f, 0, name)
		if err != nil {
			e.Fail(err)
			return
		}
		e.b = b
	}
}
