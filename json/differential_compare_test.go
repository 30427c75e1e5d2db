package json_test

import (
	stdjson "encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"unsafe"
)

// comparison walks two values of one type side by side. It is stricter than
// reflect.DeepEqual: nil and empty differ, floats are compared by their bits,
// and what is shared on one side must be shared on the other. Capacities may
// differ.
type comparison struct {
	pairs map[comparedPair]bool
	left  map[unsafe.Pointer]unsafe.Pointer
	right map[unsafe.Pointer]unsafe.Pointer
	diff  string
}

// comparedPair is a pair of targets that was walked before.
type comparedPair struct {
	a, b unsafe.Pointer
	typ  reflect.Type
	len  int
}

// differ returns where and how two values differ, or nothing.
func differ(a, b reflect.Value) string {
	c := comparison{map[comparedPair]bool{}, map[unsafe.Pointer]unsafe.Pointer{}, map[unsafe.Pointer]unsafe.Pointer{}, ""}
	c.walk("", a, b)
	return c.diff
}

func (c *comparison) fail(path string, a, b any) bool {
	if path == "" {
		path = "value"
	}
	c.diff = fmt.Sprintf("%s: got %v, want %v", path, b, a)
	return false
}

// walk reports whether a and b are the same; a is the oracle's.
func (c *comparison) walk(path string, a, b reflect.Value) bool {
	if a.IsValid() != b.IsValid() {
		return c.fail(path, a, b)
	}
	if !a.IsValid() {
		return true
	}
	if a.Type() != b.Type() {
		return c.fail(path, a.Type(), b.Type())
	}
	switch a.Kind() {
	case reflect.Bool:
		if a.Bool() != b.Bool() {
			return c.fail(path, a, b)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if a.Int() != b.Int() {
			return c.fail(path, a.Int(), b.Int())
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if a.Uint() != b.Uint() {
			return c.fail(path, a.Uint(), b.Uint())
		}
	case reflect.Float32, reflect.Float64:
		if math.Float64bits(a.Float()) != math.Float64bits(b.Float()) {
			return c.fail(path, a.Float(), b.Float())
		}
	case reflect.Complex64, reflect.Complex128:
		if a.Complex() != b.Complex() {
			return c.fail(path, a, b)
		}
	case reflect.String:
		if a.String() != b.String() {
			return c.fail(path, fmt.Sprintf("%q", a.String()), fmt.Sprintf("%q", b.String()))
		}
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		if a.IsNil() != b.IsNil() {
			return c.fail(path, a, b)
		}
	case reflect.Interface:
		if a.IsNil() != b.IsNil() {
			return c.fail(path, a, b)
		}
		return a.IsNil() || c.walk(path+".("+a.Elem().Type().String()+")", a.Elem(), b.Elem())
	case reflect.Pointer:
		if a.IsNil() != b.IsNil() {
			return c.fail(path, a, b)
		}
		if a.IsNil() || !c.shared(path, a, b, a.Type().Elem().Size() > 0) || c.seen(a, b) {
			return c.diff == ""
		}
		return c.walk("(*"+path+")", a.Elem(), b.Elem())
	case reflect.Map:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return c.fail(path, fmt.Sprintf("map nil=%v len=%d", a.IsNil(), a.Len()), fmt.Sprintf("map nil=%v len=%d %v", b.IsNil(), b.Len(), b))
		}
		if a.IsNil() || !c.shared(path, a, b, true) || c.seen(a, b) {
			return c.diff == ""
		}
		for _, k := range a.MapKeys() {
			if !k.Equal(k) {
				continue // holds a NaN: no way to find it
			}
			w := b.MapIndex(k)
			if !w.IsValid() {
				return c.fail(fmt.Sprintf("%s[%#v]", path, k), a.MapIndex(k), "nothing")
			}
			if !c.walk(fmt.Sprintf("%s[%#v]", path, k), a.MapIndex(k), w) {
				return false
			}
		}
	case reflect.Slice:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return c.fail(path, fmt.Sprintf("slice nil=%v len=%d", a.IsNil(), a.Len()), fmt.Sprintf("slice nil=%v len=%d", b.IsNil(), b.Len()))
		}
		if a.Len() > 0 && c.seen(a, b) {
			return true
		}
		fallthrough
	case reflect.Array:
		for i := range a.Len() {
			if !c.walk(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i)) {
				return false
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if !c.walk(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i)) {
				return false
			}
		}
	}
	return true
}

// shared checks that what a points at corresponds to what b points at.
func (c *comparison) shared(path string, a, b reflect.Value, distinct bool) bool {
	p, q := a.UnsafePointer(), b.UnsafePointer()
	if !distinct || p == q { // package-level values such as time.UTC
		return true
	}
	x, okx := c.left[p]
	y, oky := c.right[q]
	if okx && x != q || oky && y != p {
		// A pointer to a struct and one to its first field are one address.
		return a.Type().Elem().Kind() == reflect.Struct || c.fail(path, "a target of its own", "a shared target")
	}
	c.left[p], c.right[q] = q, p
	return true
}

// seen reports whether the pair was walked before.
func (c *comparison) seen(a, b reflect.Value) bool {
	k := comparedPair{a: a.UnsafePointer(), b: b.UnsafePointer(), typ: a.Type()}
	if a.Kind() == reflect.Slice {
		k.len = a.Len()
	}
	if c.pairs[k] {
		return true
	}
	c.pairs[k] = true
	return false
}

// errorDiff tells how two errors differ: in presence, in type, in text or in
// an exported field.
func errorDiff(want, got error) string {
	if want == nil || got == nil {
		if want == nil && got == nil {
			return ""
		}
		return fmt.Sprintf("error: got %s, want %s", describe(got), describe(want))
	}
	if reflect.TypeOf(want) != reflect.TypeOf(got) || want.Error() != got.Error() {
		return fmt.Sprintf("error: got %s, want %s", describe(got), describe(want))
	}
	same := true
	switch w := want.(type) {
	case *stdjson.SyntaxError:
		same = w.Offset == got.(*stdjson.SyntaxError).Offset
	case *stdjson.UnmarshalTypeError:
		same = reflect.DeepEqual(w, got)
	case *stdjson.InvalidUnmarshalError:
		same = *w == *got.(*stdjson.InvalidUnmarshalError)
	case *stdjson.UnsupportedTypeError:
		same = *w == *got.(*stdjson.UnsupportedTypeError)
	case *stdjson.UnsupportedValueError:
		g := got.(*stdjson.UnsupportedValueError)
		same = w.Str == g.Str && (w.Value.IsValid() == g.Value.IsValid()) && (!w.Value.IsValid() || w.Value.Type() == g.Value.Type())
	case *stdjson.MarshalerError:
		g := got.(*stdjson.MarshalerError)
		if w.Type != g.Type {
			same = false
		} else if d := errorDiff(w.Err, g.Err); d != "" {
			return "wrapped " + d
		}
	}
	if !same {
		return fmt.Sprintf("error: got %s, want %s", describe(got), describe(want))
	}
	return ""
}

// describe prints an error with its type and fields.
func describe(err error) string {
	switch e := err.(type) {
	case nil:
		return "none"
	case *stdjson.SyntaxError:
		return fmt.Sprintf("SyntaxError %q at %d", e.Error(), e.Offset)
	case *stdjson.UnmarshalTypeError:
		return fmt.Sprintf("UnmarshalTypeError %q (value %q type %v offset %d struct %q field %q)", e.Error(), e.Value,
			e.Type, e.Offset, e.Struct, e.Field)
	case *stdjson.MarshalerError:
		return fmt.Sprintf("MarshalerError %q (type %v) of %s", e.Error(), e.Type, describe(e.Err))
	}
	return fmt.Sprintf("%T %q", err, err.Error())
}

// dump prints a value as Go-like text, with pointers followed.
func dump(v reflect.Value) string {
	var b strings.Builder
	dumpTo(&b, v, 8)
	return b.String()
}

func dumpTo(b *strings.Builder, v reflect.Value, depth int) {
	if depth == 0 || b.Len() > 4000 {
		b.WriteString("…")
		return
	}
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("nil")
	case reflect.Pointer:
		if v.IsNil() {
			fmt.Fprintf(b, "(%v)(nil)", v.Type())
			return
		}
		b.WriteByte('&')
		dumpTo(b, v.Elem(), depth-1)
	case reflect.Interface:
		dumpTo(b, v.Elem(), depth)
	case reflect.Struct:
		b.WriteString(typeName(v.Type()) + "{")
		first := true
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				continue
			}
			if !first {
				b.WriteString(", ")
			}
			first = false
			b.WriteString(v.Type().Field(i).Name + ": ")
			dumpTo(b, v.Field(i), depth-1)
		}
		b.WriteByte('}')
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			fmt.Fprintf(b, "%s(nil)", typeName(v.Type()))
			return
		}
		b.WriteString(typeName(v.Type()) + "{")
		for i := range v.Len() {
			if i > 0 {
				b.WriteString(", ")
			}
			dumpTo(b, v.Index(i), depth-1)
		}
		b.WriteByte('}')
		if v.Kind() == reflect.Slice && v.Cap() > v.Len() {
			fmt.Fprintf(b, "/*cap %d, beyond: ", v.Cap())
			for i := v.Len(); i < v.Cap(); i++ {
				dumpTo(b, v.Slice(0, v.Cap()).Index(i), depth-1)
				b.WriteByte(' ')
			}
			b.WriteString("*/")
		}
	case reflect.Map:
		if v.IsNil() {
			fmt.Fprintf(b, "%s(nil)", typeName(v.Type()))
			return
		}
		b.WriteString(typeName(v.Type()) + "{")
		for i, k := range v.MapKeys() {
			if i > 0 {
				b.WriteString(", ")
			}
			dumpTo(b, k, depth-1)
			b.WriteString(": ")
			dumpTo(b, v.MapIndex(k), depth-1)
		}
		b.WriteByte('}')
	case reflect.String:
		fmt.Fprintf(b, "%s(%q)", typeName(v.Type()), v.String())
	default:
		fmt.Fprintf(b, "%s(%v)", typeName(v.Type()), v)
	}
}

// typeName is a type's text without the package of this test.
func typeName(t reflect.Type) string {
	s := strings.ReplaceAll(t.String(), "json_test.", "")
	if len(s) > 60 && t.Name() == "" {
		s = t.Kind().String()
	}
	return s
}
