package weft

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Layout is how a union says which of its variants a value is.
type Layout struct {
	flat   bool
	fields *Fields // the tag, the content
}

// Flat is the layout of an object that has the name of the variant as the member
// called tag, beside the members of the variant itself, which must be written as
// an object: {"type":"circle","radius":2}. Where objects are laid out as arrays
// it is that of [Wrapped].
func Flat(tag string) Layout {
	content := "value"
	if tag == content {
		content = "content"
	}
	return Layout{true, NewFields(tag, content)}
}

// Wrapped is the layout of an object of two members: tag, the name of the variant,
// and content, what the variant is written as, which may be anything:
// {"type":"circle","value":{"radius":2}}.
func Wrapped(tag, content string) Layout { return Layout{false, NewFields(tag, content)} }

// UnionCase is one variant of a union, made by [Variant].
type UnionCase struct {
	name  string
	rtype reflect.Type
	fresh func() any        // a pointer to a new variable of the type
	value func(ptr any) any // what such a pointer points at
}

// Variant returns the variant of a union that is called name on the wire and is
// a T in Go.
func Variant[T any](name string) UnionCase {
	return UnionCase{
		name: name, rtype: reflect.TypeFor[T](),
		fresh: func() any { return new(T) },
		value: func(ptr any) any { return *ptr.(*T) },
	}
}

// Union returns the codec of the interface type I that writes each value with
// the name of its variant, and reads the variant that the name says, wherever in
// the object the name stands. A nil interface is null. A T may also be written as
// a *T where only the one is a variant.
//
// A name or a type that is not among the variants is an [UnknownVariantError].
// The codec counts where the static type is I: a Go variable of type any that
// holds a variant is not one of a union.
func Union[I any](layout Layout, variants ...UnionCase) Codec {
	c := newCodec[I]()
	if c.rtype.Kind() != reflect.Interface {
		panic(fmt.Sprintf("weft: a union is of an interface type, not of %v", c.rtype))
	}
	u := newUnion(c.rtype, layout, variants)
	index := make(map[reflect.Type]int, 2*len(variants))
	for i := range variants {
		t := variants[i].rtype
		if !t.Implements(c.rtype) {
			panic(fmt.Sprintf("weft: variant %s: %v does not implement %v", variants[i].name, t, c.rtype))
		}
		if _, ok := index[t]; ok {
			panic(fmt.Sprintf("weft: %v is twice a variant of %v", t, c.rtype))
		}
		index[t] = i
	}
	for i := range variants {
		if t := reflect.PointerTo(variants[i].rtype); t.Implements(c.rtype) {
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
		p := variants[i].fresh()
		if err := u.read(d, p); err != nil {
			return err
		}
		*t = variants[i].value(p).(I)
		return nil
	}
	return c
}

// UnknownVariantError says that a value is none of the variants of a union.
type UnknownVariantError struct {
	Union   string   // the Go type
	Variant string   // the name on the wire, or the Go type when writing
	Known   []string // the names of the variants, in the order of the declaration
}

// Error returns what is wrong, with the variants that there are.
func (e *UnknownVariantError) Error() string {
	known := make([]string, len(e.Known))
	for i, s := range e.Known {
		known[i] = strconv.Quote(s)
	}
	return fmt.Sprintf("unknown variant %s of %s: known are %s", short(e.Variant), e.Union, strings.Join(known, ", "))
}

// union is what the codecs of unions have in common.
type union struct {
	name   string
	layout Layout
	names  []string
}

func newUnion(t reflect.Type, layout Layout, variants []UnionCase) *union {
	u := &union{name: t.String(), layout: layout}
	if layout.fields == nil {
		panic(fmt.Sprintf("weft: the union %v needs a layout", t))
	}
	for i := range variants {
		c := &variants[i]
		if slices.Contains(u.names, c.name) {
			panic(fmt.Sprintf("weft: two variants of %v are called %q", t, c.name))
		}
		if tag := layout.fields.Name(0); layout.flat && hasMember(c.rtype, tag) {
			panic(fmt.Sprintf("weft: variant %q of %v has a member %q of its own", c.name, t, tag))
		}
		u.names = append(u.names, c.name)
	}
	return u
}

// hasMember tells whether a field of the struct t says that its member is called
// name.
func hasMember(t reflect.Type, name string) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && memberName(f) == name {
			return true
		}
	}
	return false
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
	return &UnknownVariantError{Union: u.name, Variant: what, Known: u.names}
}

// write writes v, the i-th variant.
func (u *union) write(e *Encoder, i int, v any) error {
	if u.layout.flat && !e.array {
		e.count++
		e.tagged(u.layout.fields, u.names[i], v)
		return e.err
	}
	o := e.Object(u.layout.fields)
	o.String(0, u.names[i])
	o.Value(1, v)
	return o.End()
}

// peek returns the variant of the object that comes next, -1 after an error.
func (u *union) peek(d *Decoder) int {
	f := u.layout.fields
	name, ok := PeekTag(d.r, f)
	if !ok {
		// The error is that of reading it as what it should be, if there is one.
		for i := d.r.BeginObject(f); i != End; i = d.r.Member(f, 0) {
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
		d.r.Fail(u.unknown(name))
	}
	return i
}

// read reads the object that comes next, whose variant is known, into what p
// points to.
func (u *union) read(d *Decoder, p any) error {
	if !u.layout.flat || d.r.Kind() == KindArray {
		o := d.Object(u.layout.fields)
		for o.Next() {
			if o.Index() == 1 {
				d.r.Value(p)
			}
		}
		return o.End()
	}
	if r, ok := d.r.(TagReader); ok {
		before := r.IgnoreMember(IgnoredMember{Name: u.layout.fields.Name(0)})
		d.r.Value(p)
		r.IgnoreMember(before)
	} else {
		d.r.Value(p)
	}
	return d.r.Err()
}

// TagReader is a [Reader] that can leave one member out of account, as it must
// for flat unions in a format that refuses unknown members, or has types keep
// them.
type TagReader interface {
	Reader
	// IgnoreMember has the object that comes next skip the member of a name that
	// its type does not know, and returns what was ignored before, for a second
	// call when the object has been read.
	IgnoreMember(IgnoredMember) IgnoredMember
	// Tags returns what is known of the tags in the document, nil where it costs
	// little to skip a value.
	Tags() *Tags
}

// IgnoredMember is a member that a [TagReader] ignores. A zero Depth stands for
// that of the object that comes next; any other belongs to the format.
type IgnoredMember struct {
	Name  string
	Depth int
}

// TagWriter is a [Writer] that can add to an object that is complete, as it must
// for flat unions.
type TagWriter interface {
	Writer
	// AddMember adds f's i-th member, a string, to the object that has just been
	// written and begins at head. It comes first, where members have an order. It
	// fails if the value there is no object.
	AddMember(b []byte, head int, f *Fields, i int, value string) ([]byte, error)
}

var (
	errNoObject = errors.New("a variant of a flat union must be written as an object")
	errNoFlat   = errors.New("the format has no flat unions")
)

// tagged writes v, an object, with the member that f's first name is added to it.
func (e *Encoder) tagged(f *Fields, name string, v any) {
	if e.err != nil {
		return
	}
	head := len(e.b)
	switch e.syn {
	case SyntaxJSON:
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
	case SyntaxMsgpack:
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
		front = append(front, f.PackKeys().At(0).Encoded()...)
		front = packwire.AppendString(front, name)
		front = append(front, e.b[next:]...)
		e.b = append(e.b[:head], front...)
	default:
		e.value(v)
		if e.err != nil {
			return
		}
		w, ok := e.w.(TagWriter)
		if !ok {
			e.Fail(errNoFlat)
			return
		}
		b, err := w.AddMember(e.b, head, f, 0, name)
		if err != nil {
			e.Fail(err)
			return
		}
		e.b = b
	}
}
