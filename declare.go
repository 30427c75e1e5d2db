package weft

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

var codedType = reflect.TypeFor[Coded]()

// declared returns the codec that t declares, nil for none.
func declared(t reflect.Type) *Codec {
	if t.PkgPath() == "" {
		return nil
	}
	switch t.Kind() {
	case reflect.Interface:
		return unionOf(t)
	case reflect.Pointer:
		return nil
	}
	if reflect.PointerTo(t).Implements(codedType) {
		if c := codecOf(t, t); c != nil {
			return c
		}
	}
	if t.Kind() == reflect.Struct {
		return tagCodec(t)
	}
	return nil
}

// codecOf returns the codec for t that the type by declares, nil for that of
// another type, such as one that by embeds.
func codecOf(by, t reflect.Type) (c *Codec) {
	defer func() {
		if c == nil && recover() != nil {
			c = nil // the method is that of an embedded pointer, which is nil
		}
	}()
	x := reflect.New(by).Interface().(Coded).WeftCodec()
	if x.rtype != t {
		return nil
	}
	return &x
}

// unionOf returns the codec that the interface type t declares by the type of
// the result of its method WeftUnion.
func unionOf(t reflect.Type) *Codec {
	m, ok := t.MethodByName("WeftUnion")
	if !ok || m.Type.NumIn() != 0 || m.Type.NumOut() != 1 {
		return nil
	}
	by := m.Type.Out(0)
	if by.Kind() == reflect.Interface || !reflect.PointerTo(by).Implements(codedType) {
		return nil
	}
	return codecOf(by, t)
}

// tagCodec returns the codec that the tag of a blank field of the struct t
// declares:
//
//	_ struct{} `weft:",tuple"`            // an array of the fields
//	_ struct{} `weft:",union:type"`       // a flat union of the fields, which are pointers
//	_ struct{} `weft:",union:type:value"` // a wrapped one
func tagCodec(t reflect.Type) *Codec {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name != "_" {
			continue
		}
		_, opts, _ := strings.Cut(f.Tag.Get("weft"), ",")
		for o := range strings.SplitSeq(opts, ",") {
			if o == "tuple" {
				return tupleCodec(t)
			}
			if names, ok := strings.CutPrefix(o, "union:"); ok {
				return structUnion(t, names)
			}
		}
	}
	return nil
}

// failing returns the codec of a type whose declaration is wrong.
func failing(t reflect.Type, format string, args ...any) *Codec {
	err := fmt.Errorf("%v: "+format, append([]any{t}, args...)...)
	return &Codec{
		rtype: t,
		put:   func(e *Encoder, _ any) error { return e.Fail(err) },
		get:   func(d *Decoder, _ any) error { return d.Fail(err) },
	}
}

// members returns the exported fields of the struct t that no tag hides.
func members(t reflect.Type) (fields []reflect.StructField) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.IsExported() && f.Tag.Get("weft") != "-" && f.Tag.Get("json") != "-" {
			fields = append(fields, f)
		}
	}
	return fields
}

// tupleCodec returns the codec that writes the struct t as an array of its
// fields.
func tupleCodec(t reflect.Type) *Codec {
	fields := members(t)
	return &Codec{
		rtype: t,
		put: func(e *Encoder, v any) error {
			s := reflect.ValueOf(v).Elem()
			a := e.Array(len(fields))
			for i := range fields {
				a.Next()
				e.Value(s.Field(fields[i].Index[0]).Addr().Interface())
			}
			return a.End()
		},
		get: func(d *Decoder, v any) error {
			if d.Null() {
				reflect.ValueOf(v).Elem().SetZero()
				return nil
			}
			s := reflect.ValueOf(v).Elem()
			return readTuple(d, len(fields), func(i int) any {
				return s.Field(fields[i].Index[0]).Addr().Interface()
			})
		},
	}
}

var (
	errNoVariant    = errors.New("no variant is set")
	errManyVariants = errors.New("more than one variant is set")
)

// structUnion returns the codec of the struct t, which is a union of what its
// fields point to: one of them is set.
func structUnion(t reflect.Type, names string) *Codec {
	tag, content, wrapped := strings.Cut(names, ":")
	if tag == "" || wrapped && (content == "" || content == tag) {
		return failing(t, "option union:%s needs the name of the tag, and may have another of the content", names)
	}
	layout := Flat(tag)
	if wrapped {
		layout = Wrapped(tag, content)
	}
	fields := members(t)
	var seen []string
	variants := make([]UnionCase, len(fields))
	for i, f := range fields {
		name := memberName(f)
		switch {
		case f.Type.Kind() != reflect.Pointer || f.Anonymous:
			return failing(t, "field %s of a union must be a pointer, and not embedded", f.Name)
		case slices.Contains(seen, name):
			return failing(t, "two variants are called %q", name)
		}
		seen = append(seen, name)
		variants[i] = UnionCase{Names: []string{name}, Type: f.Type}
	}
	u, err := newUnion(t, layout, variants)
	if err != nil {
		return failing(t, "%w", err)
	}
	return &Codec{
		rtype: t,
		put: func(e *Encoder, v any) error {
			s := reflect.ValueOf(v).Elem()
			set := -1
			for i := range fields {
				if s.Field(fields[i].Index[0]).IsNil() {
					continue
				}
				if set >= 0 {
					return e.Fail(errManyVariants)
				}
				set = i
			}
			if set < 0 {
				return e.Fail(errNoVariant)
			}
			return u.write(e, set, s.Field(fields[set].Index[0]).Interface())
		},
		get: func(d *Decoder, v any) error {
			s := reflect.ValueOf(v).Elem()
			if d.Null() {
				s.SetZero()
				return nil
			}
			i := u.peek(d)
			if i < 0 {
				return d.Err()
			}
			p := reflect.New(fields[i].Type.Elem())
			if err := u.read(d, i, p.Interface()); err != nil {
				return err
			}
			s.SetZero()
			s.Field(fields[i].Index[0]).Set(p)
			return nil
		},
	}
}
