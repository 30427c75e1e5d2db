package plan

import (
	"reflect"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
)

type isZeroer interface{ IsZero() bool }

var isZeroerType = reflect.TypeFor[isZeroer]()

// hasMethods reports whether the method set of t, or of a pointer to it, may have methods that are not those of what t
// points to. Where it has none, there is no need to make the type of the pointer, which may be new to the process.
func hasMethods(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct: // may have those of embedded fields
		return true
	case reflect.Pointer, reflect.Interface:
		return false // a pointer to one has none
	}
	return t.PkgPath() != ""
}

// zeroOf finds out how encoding/json decides that a field of type t is zero.
func zeroOf(t reflect.Type) Zero {
	if !hasMethods(t) && t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		return ZeroValue
	}
	if hasMethods(t) && !reflect.PointerTo(t).Implements(isZeroerType) { // as it does if t does
		return ZeroValue
	}
	has := t.Implements(isZeroerType)
	switch {
	case has && t.Kind() == reflect.Interface:
		return ZeroInterface
	case has && t.Kind() == reflect.Pointer:
		return ZeroPointer
	case has:
		return ZeroMethod
	case hasMethods(t):
		return ZeroAddr
	}
	return ZeroValue
}

// IsZero reports whether the field at p is zero in the sense of omitzero.
func (f *Field) IsZero(p mem.Ptr) bool {
	m := f.Type.Mem
	switch f.Zero {
	case ZeroMethod:
		return p.Addr(m).(isZeroer).IsZero() // the method set of *T includes T's
	case ZeroAddr:
		return p.Addr(m).(isZeroer).IsZero()
	case ZeroPointer:
		v := p.Value(m)
		return v.IsNil() || v.Interface().(isZeroer).IsZero()
	case ZeroInterface:
		v := p.Value(m)
		if v.IsNil() {
			return true
		}
		e := v.Elem()
		return e.Kind() == reflect.Pointer && e.IsNil() || v.Interface().(isZeroer).IsZero()
	}
	return f.Type.IsZero(p)
}

// IsZero reports whether the value at p is zero, as reflect's IsZero.
func (n *Type) IsZero(p mem.Ptr) bool {
	switch {
	case n.ZeroBytes:
		return p.AllZero(n.Mem)
	case n.Kind == String:
		return *mem.At[string](p) == ""
	}
	return n.Mem.IsZero(p)
}

// IsEmpty reports whether the value at p is empty in the sense of omitempty.
func (n *Type) IsEmpty(p mem.Ptr) bool {
	switch n.Empty {
	case EmptyAlways:
		return true
	case EmptyLen:
		if n.Rtype.Kind() == reflect.String {
			return *mem.At[string](p) == ""
		}
		return p.SliceLen() == 0
	case EmptyMap:
		return p.Value(n.Mem).Len() == 0
	case EmptyZero:
		return n.IsZero(p)
	case EmptyOption:
		if n.Option.Kind == setting.OptionField {
			return n.Option.Absent(p)
		}
		return !*mem.At[bool](p.Field(n.Option.State))
	}
	return false
}

// emptyOf says when encoding/json's isEmptyValue holds for a t.
func emptyOf(t reflect.Type) Empty {
	switch t.Kind() {
	case reflect.String, reflect.Slice:
		return EmptyLen
	case reflect.Map:
		return EmptyMap
	case reflect.Array:
		if t.Len() == 0 {
			return EmptyAlways
		}
	case reflect.Interface, reflect.Pointer:
		return EmptyZero
	default:
		if k := kindOf(t.Kind()); k == Bool || k.IsInt() || k.IsUint() || k.IsFloat() {
			return EmptyZero
		}
	}
	return EmptyNever
}

// zeroBytes reports whether a t is zero to reflect exactly where all its bytes
// are zero. Floating-point numbers have a negative zero, strings of length 0
// may point at something, and padding and blank fields may hold anything.
func zeroBytes(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return false
	case reflect.Array:
		return t.Len() == 0 || zeroBytes(t.Elem())
	case reflect.Struct:
		var end uintptr
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Offset != end || f.Name == "_" || !zeroBytes(f.Type) {
				return false
			}
			end += f.Type.Size()
		}
		return end == t.Size()
	}
	return true
}
