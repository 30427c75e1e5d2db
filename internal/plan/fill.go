package plan

import (
	"fmt"
	"reflect"

	"github.com/weftcodec/weft/internal/mem"
)

// setDefault makes the fields of v, an n or a pointer to one, the defaults of those of n.
func (n *Type) setDefault(v reflect.Value) error {
	own := reflect.New(n.Rtype)
	switch {
	case n.Kind != Struct:
		return fmt.Errorf("rule Default is for structs, not for %v", n.Rtype)
	case v.Type() == n.Rtype:
		own.Elem().Set(v)
	case v.Type() == own.Type() && !v.IsNil():
		own.Elem().Set(v.Elem())
	default:
		return fmt.Errorf("the Default of the rules is a %v: a %v is needed", v.Type(), n.Rtype)
	}
	n.filled = mem.Of(own)
	return nil
}

// fills finds out whether f, a field of n, has a default.
func (n *Type) fills(f *Field) {
	if n.filled.IsNil() {
		return
	}
	at := f.At(n.filled)
	f.Fills = !at.IsNil() && !f.Type.Mem.IsZero(at)
}

// Fill makes the k-th field of the struct of type n at p a copy of its default, unless it has something.
func (n *Type) Fill(k int, p mem.Ptr) {
	f := &n.Members()[k]
	if at := f.At(p); !at.IsNil() && !f.Type.Mem.IsZero(at) {
		return
	}
	if at, blocked := f.Make(p); blocked == nil {
		at.Value(f.Type.Mem).Set(cloned(f.At(n.filled).Value(f.Type.Mem)))
	}
}

// cloned returns a copy of v that shares no memory with it that could change, but for what structs with unexported
// fields refer to.
func cloned(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(cloned(v.Elem()))
		}
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(cloned(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(cloned(v.Index(i)))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			out.Index(i).Set(cloned(v.Index(i)))
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
			for e := v.MapRange(); e.Next(); {
				out.SetMapIndex(e.Key(), cloned(e.Value()))
			}
		}
	case reflect.Struct:
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(cloned(v.Field(i)))
			}
		}
	default:
		out.Set(v)
	}
	return out
}

// Index returns the index of f, one of the fields of n.
func (n *Type) Index(f *Field) int {
	members := n.Members()
	for i := range members {
		if &members[i] == f {
			return i
		}
	}
	return -1
}
