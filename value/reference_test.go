package value

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/weftcodec/weft/internal/setting"
)

// The reference implementation: the same conversions by reflection, with nothing
// compiled. It knows what the types of these tests need.

type refField struct {
	name  string
	index []int
	empty bool // omitempty
	need  bool // required
	rest  bool
}

var refCache sync.Map

func refFields(t reflect.Type) []refField {
	if f, ok := refCache.Load(t); ok {
		return f.([]refField)
	}
	var fields []refField
	defer func() { refCache.Store(t, fields) }()
	for _, sf := range reflect.VisibleFields(t) {
		tag, tagged := sf.Tag.Lookup("value")
		if !tagged {
			tag, tagged = sf.Tag.Lookup("weft")
		}
		if !tagged {
			tag = sf.Tag.Get("json")
		}
		name, options, _ := strings.Cut(tag, ",")
		et := sf.Type
		if et.Kind() == reflect.Pointer {
			et = et.Elem()
		}
		if tag == "-" || sf.Anonymous && et.Kind() == reflect.Struct && name == "" || !sf.IsExported() {
			continue
		}
		if name == "" {
			name = sf.Name
		}
		f := refField{name: name, index: sf.Index}
		for o := range strings.SplitSeq(options, ",") {
			f.empty = f.empty || o == "omitempty"
			f.need = f.need || o == "required"
			f.rest = f.rest || o == "inline"
		}
		fields = append(fields, f)
	}
	return fields
}

var errReference = errors.New("reference: cannot convert")

func refMarshal(v any) (Value, error) { return refValue(reflect.ValueOf(v)) }

func refValue(v reflect.Value) (Value, error) {
	if !v.IsValid() {
		return Null(), nil
	}
	if k := v.Kind(); (k == reflect.Pointer || k == reflect.Interface || k == reflect.Slice || k == reflect.Map) && v.IsNil() {
		return Null(), nil
	}
	if v.Kind() == reflect.Pointer {
		return refValue(v.Elem())
	}
	switch x := v.Interface().(type) {
	case Value:
		return x, nil
	case time.Time:
		return Time(x), nil
	case json.Number:
		return Number(pick(x == "", "0", string(x)))
	case setting.OptionValue:
		if state := v.Field(1); state.IsZero() || state.Kind() == reflect.Uint8 && state.Uint() == 1 {
			return Null(), nil
		}
		return refValue(v.Field(0))
	case encoding.TextMarshaler:
		b, err := x.MarshalText()
		return String(string(b)), err
	}
	switch v.Kind() {
	case reflect.Bool:
		return Bool(v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Int(v.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return Uint(v.Uint()), nil
	case reflect.Float32:
		return Float32(float32(v.Float())), nil
	case reflect.Float64:
		return Float(v.Float()), nil
	case reflect.String:
		return String(v.String()), nil
	case reflect.Interface:
		return refValue(v.Elem())
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			b := make([]byte, v.Len())
			for i := range b {
				b[i] = byte(v.Index(i).Uint())
			}
			return Bytes(b), nil
		}
		var elems []Value
		for i := range v.Len() {
			e, err := refValue(v.Index(i))
			if err != nil {
				return e, err
			}
			elems = append(elems, e)
		}
		return List(elems...), nil
	case reflect.Map:
		m := map[string]Value{}
		for it := v.MapRange(); it.Next(); {
			e, err := refValue(it.Value())
			if err != nil {
				return e, err
			}
			m[fmt.Sprint(it.Key())] = e
		}
		return MapSorted(m), nil
	case reflect.Struct:
		return refStruct(v)
	}
	return Null(), errReference
}

func refStruct(v reflect.Value) (Value, error) {
	out := Map()
	var rest Value
	for _, f := range refFields(v.Type()) {
		x, err := v.FieldByIndexErr(f.index)
		if err != nil {
			continue // behind a nil pointer
		}
		if f.empty && (x.IsZero() || (x.Kind() == reflect.Slice || x.Kind() == reflect.Map) && x.Len() == 0) {
			continue
		}
		if o, ok := x.Interface().(setting.OptionValue); ok && o.OptionKind() != setting.OptionNullable && x.Field(1).IsZero() {
			continue
		}
		e, err := refValue(x)
		if err != nil {
			return e, err
		}
		if f.rest {
			rest = e
			continue
		}
		out = out.WithMember(f.name, e)
	}
	for name, e := range rest.Members() {
		if out.Has(name) {
			return out, errReference
		}
		out = out.WithMember(name, e)
	}
	return out, nil
}

func refUnmarshal(v Value, out any) error { return refStore(v, reflect.ValueOf(out).Elem()) }

func refStore(v Value, to reflect.Value) error {
	switch p := to.Addr().Interface().(type) {
	case *Value:
		*p = v
		return nil
	case *time.Time:
		t, ok := v.Time()
		if !ok && !v.IsNull() {
			return errReference
		}
		*p = t
		return nil
	case *json.Number:
		text, ok := v.Number()
		if !ok && !v.IsNull() {
			return errReference
		}
		*p = json.Number(text)
		return nil
	case setting.OptionValue:
		to.SetZero()
		if v.IsNull() {
			if p.OptionKind() == setting.OptionField {
				to.Field(1).SetUint(1)
			}
			return nil
		}
		if p.OptionKind() == setting.OptionField {
			to.Field(1).SetUint(2)
		} else {
			to.Field(1).SetBool(true)
		}
		return refStore(v, to.Field(0))
	case encoding.TextUnmarshaler:
		if s, ok := v.Text(); ok {
			return p.UnmarshalText([]byte(s))
		}
		to.SetZero()
		return pick(v.IsNull(), nil, errReference)
	}
	if v.IsNull() {
		to.SetZero()
		return nil
	}
	i, isInt := v.Int()
	u, isUint := v.Uint()
	f, isFloat := v.Float()
	switch k := to.Kind(); k {
	case reflect.Bool:
		b, ok := v.Bool()
		to.SetBool(b)
		return pick(ok, nil, errReference)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if !isInt || to.OverflowInt(i) {
			return errReference
		}
		to.SetInt(i)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if !isUint || to.OverflowUint(u) {
			return errReference
		}
		to.SetUint(u)
	case reflect.Float32, reflect.Float64:
		if !isFloat || k == reflect.Float32 && math.IsInf(float64(float32(f)), 0) && !math.IsInf(f, 0) {
			return errReference
		}
		to.SetFloat(f)
	case reflect.String:
		s, ok := v.Text()
		to.SetString(s)
		return pick(ok, nil, errReference)
	case reflect.Interface:
		if to.NumMethod() > 0 {
			return errReference
		}
		to.Set(reflect.ValueOf(v.Interface()))
	case reflect.Pointer:
		if to.IsNil() {
			to.Set(reflect.New(to.Type().Elem()))
		}
		return refStore(v, to.Elem())
	case reflect.Slice:
		if to.Type().Elem().Kind() == reflect.Uint8 {
			b, ok := v.asBytes()
			to.SetBytes(b)
			return pick(ok, nil, errReference)
		}
		if v.Kind() != KindList {
			return errReference
		}
		to.Set(reflect.MakeSlice(to.Type(), v.Len(), v.Len()))
		fallthrough
	case reflect.Array:
		if v.Kind() != KindList {
			if b, ok := v.asBytes(); ok && len(b) == to.Len() && to.Type().Elem().Kind() == reflect.Uint8 {
				copy(to.Bytes(), b)
				return nil
			}
			return errReference
		}
		for i := range to.Len() {
			if err := refStore(v.At(i), to.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		return refMap(v, to)
	case reflect.Struct:
		if v.Kind() != KindMap {
			return errReference
		}
		var rest reflect.Value
		left := maps.Collect(v.Members())
		for _, f := range refFields(to.Type()) {
			x, ok := v.Get(f.name)
			if f.rest {
				rest = to.FieldByIndex(f.index)
				continue
			}
			delete(left, f.name)
			if !ok {
				if f.need {
					return errReference
				}
				continue
			}
			q := to
			for _, j := range f.index {
				if q.Kind() == reflect.Pointer {
					if q.IsNil() {
						q.Set(reflect.New(q.Type().Elem()))
					}
					q = q.Elem()
				}
				q = q.Field(j)
			}
			if err := refStore(x, q); err != nil {
				return err
			}
		}
		if rest.IsValid() && len(left) > 0 {
			return refMap(MapSorted(left), rest)
		}
	default:
		return errReference
	}
	return nil
}

func refMap(v Value, to reflect.Value) error {
	if v.Kind() != KindMap {
		return errReference
	}
	if to.IsNil() {
		to.Set(reflect.MakeMap(to.Type()))
	}
	for _, name := range slices.Sorted(v.Names()) {
		k := reflect.New(to.Type().Key()).Elem()
		switch k.Kind() {
		case reflect.String:
			k.SetString(name)
		case reflect.Int, reflect.Int8, reflect.Int64:
			i, err := strconv.ParseInt(name, 10, 64)
			if err != nil || k.OverflowInt(i) {
				return errReference
			}
			k.SetInt(i)
		case reflect.Uint16:
			i, err := strconv.ParseUint(name, 10, 16)
			if err != nil {
				return err
			}
			k.SetUint(i)
		}
		e := reflect.New(to.Type().Elem()).Elem()
		x, _ := v.Get(name)
		if err := refStore(x, e); err != nil {
			return err
		}
		to.SetMapIndex(k, e)
	}
	return nil
}
