package sample

import (
	"reflect"
	"time"

	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/opt"
)

// Value returns a pointer to a random value of t.
func (m *Maker) Value(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t)
	m.fill(v.Elem(), depth)
	return v
}

// fill sets v to a random value that comes back equal: slices and maps that
// omitempty leaves out are nil, floats are not NaN.
func (m *Maker) fill(v reflect.Value, depth int) {
	if m.Set != nil && m.Set(m, v) || m.special(v, depth) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(m.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(m.Uint64()) >> m.IntN(64))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(m.Uint64() >> m.IntN(64))
	case reflect.Float32, reflect.Float64:
		x := []float64{0, 1, -1.5, 0.125, 1e30, m.NormFloat64(), m.ExpFloat64() * 1e30}[m.IntN(7)]
		if m.Float != nil {
			x = m.Float(x)
		}
		v.SetFloat(x)
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(m.NormFloat64(), m.NormFloat64()))
	case reflect.String:
		v.SetString(m.String())
	case reflect.Pointer:
		m.pointer(v, depth)
	case reflect.Slice:
		if depth > 0 && m.IntN(4) > 0 {
			n := m.IntN(5)
			if m.IntN(20) == 0 {
				n = m.IntN(300)
			}
			if n == 0 {
				return
			}
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				m.fill(v.Index(i), min(depth-1, 2))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			m.fill(v.Index(i), depth-1)
		}
	case reflect.Map:
		if n := m.IntN(5); depth > 0 && n > 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range n {
				k, e := m.Value(v.Type().Key(), depth-1), m.Value(v.Type().Elem(), depth-1)
				v.SetMapIndex(k.Elem(), e.Elem())
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				m.fill(f, depth-1)
			}
		}
		if isOption(v) {
			if state := v.Field(1); state.CanUint() {
				state.SetUint(m.Uint64N(3))
			}
			if !isSet(v) {
				v.Field(0).SetZero()
			}
		}
	}
}

// special sets v where its type is more than its kind.
func (m *Maker) special(v reflect.Value, depth int) bool {
	some := m.IntN(2) == 0
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		if m.IntN(4) > 0 {
			*x = time.Unix(m.Int64N(1<<37)-1<<35, m.Int64N(1e9)).UTC()
		}
	case *any:
		*x = m.Any(depth)
	case *opt.Null[int]:
		if some {
			*x = opt.NullOf(m.Int())
		}
	case *opt.Null[string]:
		if some {
			*x = opt.NullOf("v")
		}
	case *opt.Val[int]:
		if some {
			*x = opt.ValOf(m.Int())
		}
	case *opt.Field[float64]:
		// Never absent: an array of the members can only say null.
		if *x = opt.FieldNull[float64](); some {
			*x = opt.FieldOf(0.25)
		}
	case *catch:
		if x.A = m.Int(); some {
			x.More = map[string]any{"x": int64(1), "y": []any{}}
		}
	default:
		return false
	}
	return true
}

func (m *Maker) pointer(v reflect.Value, depth int) {
	if depth <= 0 || m.IntN(3) == 0 {
		return
	}
	v.Set(reflect.New(v.Type().Elem()))
	switch v.Elem().Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		v.SetZero() // a pointer to nil and a nil pointer are the same on the wire
		return
	}
	m.fill(v.Elem(), depth-1)
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok && z.IsZero() {
		v.SetZero() // which omitzero would leave out
		return
	}
	if o, ok := v.Interface().(setting.OptionValue); ok && o.OptionKind() != setting.OptionNone {
		if p, ok := v.Interface().(*opt.Null[int]); ok {
			*p = opt.NullOf(1)
		} else {
			v.SetZero()
		}
	}
}

// String returns a string of any bytes.
func (m *Maker) String() string {
	n := []int{0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 32, 255, 256, 2000}[m.IntN(14)]
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(m.IntN(256))
	}
	if m.Text != nil {
		return m.Text(string(b))
	}
	return string(b)
}

// Any returns a value as decoding into an interface makes it.
func (m *Maker) Any(depth int) any {
	k := m.IntN(8 + len(m.Dynamic))
	switch {
	case k == 0 && depth > 0:
		v := make([]any, m.IntN(4))
		for i := range v {
			v[i] = m.Any(depth - 1)
		}
		return v
	case k == 1 && depth > 0:
		v := map[string]any{}
		for range m.IntN(4) {
			v[m.String()] = m.Any(depth - 1)
		}
		return v
	case k == 2:
		return m.NormFloat64()
	case k == 3:
		return nil
	case k == 4:
		return m.String()
	case k >= 8:
		return m.Dynamic[k-8](m, depth)
	}
	return int64(m.Uint64()) >> m.IntN(64)
}
