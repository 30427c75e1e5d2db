package sample

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"time"

	"github.com/weftcodec/weft/internal/setting"
)

// Same returns where y differs from x, and how; "" if they are the same. Instants may differ in their zones, numbers in
// interfaces in their types. What leads to null is as good as null, but for a member that is absent. In arrays there
// are none.
func Same(x, y reflect.Value, arrays bool) string {
	if n := isNull(x); n || isNull(y) {
		return differs(n && isNull(y), x, y)
	}
	x, y = bare(x), bare(y)
	if x.CanInterface() && y.CanInterface() {
		if same, ok := equal(x.Interface(), y.Interface()); ok {
			return differs(same, x, y)
		}
	}
	if x.Type() != y.Type() {
		return fmt.Sprintf(": %v, not %v", y.Type(), x.Type())
	}
	switch x.Kind() {
	case reflect.Struct:
		for i := range x.NumField() {
			if f, g := x.Field(i), y.Field(i); !arrays && isAbsent(f) != isAbsent(g) {
				return "." + x.Type().Field(i).Name + differs(false, f, g)
			}
			if at := Same(x.Field(i), y.Field(i), arrays); at != "" {
				return "." + x.Type().Field(i).Name + at
			}
		}
	case reflect.Map:
		if x.Len() != y.Len() {
			return fmt.Sprintf(": %d members, not %d", y.Len(), x.Len())
		}
		for _, k := range x.MapKeys() {
			if at := Same(x.MapIndex(k), entry(y, k), arrays); at != "" {
				return fmt.Sprintf("[%v]%s", k, at)
			}
		}
	case reflect.Slice, reflect.Array:
		if x.Len() != y.Len() {
			return fmt.Sprintf(": %d elements, not %d, %v", y.Len(), x.Len(), y.Type())
		}
		for i := range x.Len() {
			if at := Same(x.Index(i), y.Index(i), arrays); at != "" {
				return fmt.Sprintf("[%d]%s", i, at)
			}
		}
	default:
		return differs(x.Equal(y) || x.CanFloat() && x.Float() != x.Float() && y.Float() != y.Float(), x, y)
	}
	return ""
}

func differs(same bool, x, y reflect.Value) string {
	if same {
		return ""
	}
	return fmt.Sprintf(": %v, not %v (%v)", y, x, x.Type())
}

// bare returns what pointers, interfaces and options lead to.
func bare(v reflect.Value) reflect.Value {
	for {
		switch {
		case v.Kind() == reflect.Pointer, v.Kind() == reflect.Interface:
			v = v.Elem()
		case isOption(v):
			v = v.Field(0)
		default:
			return v
		}
	}
}

// isNull reports whether v is nil, not there, or leads to what is, or to what has no content.
func isNull(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Interface:
		return v.IsNil() || isNull(v.Elem()) || v.Kind() == reflect.Pointer && v.Type().Elem().Size() == 0
	case reflect.Slice, reflect.Map:
		return v.IsNil()
	}
	return isOption(v) && (!isSet(v) || isNull(v.Field(0)))
}

// isAbsent reports whether v is an option that is absent.
func isAbsent(v reflect.Value) bool {
	if !isOption(v) || isSet(v) {
		return false
	}
	o := reflect.Zero(v.Type()).Interface().(setting.OptionValue)
	return o.OptionKind() == setting.OptionOptional || v.Field(1).CanUint() && v.Field(1).Uint() == 0
}

// isOption reports whether v is an option, whose fields are its value and its state.
func isOption(v reflect.Value) bool {
	if v.Kind() != reflect.Struct {
		return false
	}
	o, ok := reflect.Zero(v.Type()).Interface().(setting.OptionValue)
	return ok && o.OptionKind() != setting.OptionNone && v.NumField() == 2
}

// isSet reports whether the option v has a value.
func isSet(v reflect.Value) bool {
	state := v.Field(1)
	return state.Kind() == reflect.Bool && state.Bool() || state.CanUint() && state.Uint() == 2
}

// entry returns the entry of m whose key is the same as k.
func entry(m, k reflect.Value) reflect.Value {
	if e := m.MapIndex(k); e.IsValid() {
		return e
	}
	for _, j := range m.MapKeys() {
		if Same(k, j, false) == "" {
			return m.MapIndex(j)
		}
	}
	return reflect.Value{}
}

// equal compares x and y by their method Equal or Cmp, and numbers of any type.
func equal(x, y any) (same, ok bool) {
	if x, isTime := x.(time.Time); isTime {
		y, isTime := y.(time.Time)
		return isTime && x.Equal(y), true
	}
	if x, isNumber := x.(json.Number); isNumber {
		y, isNumber := y.(json.Number)
		a, ok := new(big.Rat).SetString(string(x))
		b, too := new(big.Rat).SetString(string(y))
		return isNumber && (x == y || ok && too && a.Cmp(b) == 0), true
	}
	a, b := reflect.ValueOf(x), reflect.ValueOf(y)
	if n, ok := number(a); ok && a.Type() != b.Type() {
		if m, ok := number(b); ok {
			if f, _ := n.Float64(); a.CanFloat() || b.CanFloat() { // as numbers of JSON are
				g, _ := m.Float64()
				return f == g, true
			}
			return n.Cmp(m) == 0, true
		}
	}
	for _, name := range []string{"Equal", "Cmp"} {
		p, q := reflect.New(a.Type()), reflect.New(b.Type())
		p.Elem().Set(a)
		q.Elem().Set(b)
		m := p.MethodByName(name)
		if !m.IsValid() || m.Type().NumIn() != 1 || m.Type().NumOut() != 1 {
			continue
		}
		switch in := m.Type().In(0); {
		case in == b.Type():
			q = q.Elem()
		case in != q.Type():
			continue
		}
		switch out := m.Call([]reflect.Value{q})[0]; out.Kind() {
		case reflect.Bool:
			return out.Bool(), true
		case reflect.Int:
			return out.Int() == 0, true
		}
	}
	return false, false
}

// number returns the number that v is.
func number(v reflect.Value) (*big.Float, bool) {
	n := new(big.Float).SetPrec(2000)
	switch {
	case v.CanInt():
		return n.SetInt64(v.Int()), true
	case v.CanUint():
		return n.SetUint64(v.Uint()), true
	case v.CanFloat() && v.Float() == v.Float():
		return n.SetFloat64(v.Float()), true
	}
	return nil, false
}
