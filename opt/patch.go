package opt

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/weftcodec/weft"
)

// Merge returns the target after the patch, by the rules of JSON Merge Patch
// (RFC 7396, section 2): of a [Field] in patch, absent keeps what the target
// has, null removes it, and a value goes into it where both are objects, and in
// its place otherwise. Objects are structs, maps, and what is in an interface
// or behind a pointer; a nil interface, pointer or map is null. Fields that are
// not optional are in every document, and so they replace.
//
// Neither target nor patch is changed; what both leave alone is shared with the
// result.
func Merge[T any](target, patch T) (result T) {
	t, p := reflect.ValueOf(&target).Elem(), reflect.ValueOf(&patch).Elem()
	reflect.ValueOf(&result).Elem().Set(merge(t, p))
	return result
}

// Diff returns the patch that makes to of from by [Merge]. A patch can neither
// introduce a null nor remove a member of a map whose elements have no null: that is
// an error with the path.
func Diff[T any](from, to T) (patch T, err error) {
	p, err := diff(reflect.ValueOf(&from).Elem(), reflect.ValueOf(&to).Elem(), "")
	if err == nil {
		reflect.ValueOf(&patch).Elem().Set(p)
	}
	return patch, err
}

// option returns which kind of option a type is, if it is one of these.
func option(t reflect.Type) (weft.OptionKind, bool) {
	if t.Kind() != reflect.Struct || t.PkgPath() != optionPath {
		return 0, false
	}
	o, ok := reflect.Zero(t).Interface().(interface{ OptionKind() weft.OptionKind })
	if !ok {
		return 0, false
	}
	return o.OptionKind(), true
}

var optionPath = reflect.TypeFor[RawUUID]().PkgPath()

// stateOf returns the state of an option.
func stateOf(v reflect.Value) State {
	return v.Interface().(interface{ state() State }).state()
}

// isObject reports whether a struct is an object of its fields: it has no form
// of its own.
func isObject(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && !reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()) &&
		!reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

// isNull reports whether v is null in JSON.
func isNull(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer, reflect.Map:
		return v.IsNil() || v.Kind() == reflect.Interface && isNull(v.Elem())
	}
	if _, ok := option(v.Type()); ok {
		return stateOf(v) == IsNull
	}
	return false
}

// isAbsent reports whether v is an option that is absent.
func isAbsent(v reflect.Value) bool {
	_, ok := option(v.Type())
	return ok && stateOf(v) == Absent
}

// merge returns a value of the type of patch. The target is invalid where there
// is none.
func merge(target, patch reflect.Value) reflect.Value {
	t := patch.Type()
	result := reflect.New(t).Elem()
	if kind, ok := option(t); ok {
		return mergeOption(kind, target, patch)
	}
	switch {
	case isNull(patch):
		return result
	case t.Kind() == reflect.Interface:
		if target.IsValid() {
			target = target.Elem()
		}
		result.Set(merge(ofType(target, patch.Elem().Type()), patch.Elem()))
	case t.Kind() == reflect.Pointer:
		if target.IsValid() {
			target = target.Elem()
		}
		result.Set(reflect.New(t.Elem()))
		result.Elem().Set(merge(target, patch.Elem()))
	case t.Kind() == reflect.Map:
		result.Set(reflect.MakeMap(t))
		if target.IsValid() {
			for it := target.MapRange(); it.Next(); {
				result.SetMapIndex(it.Key(), it.Value())
			}
		}
		for it := patch.MapRange(); it.Next(); {
			switch v := it.Value(); {
			case isAbsent(v):
			case isNull(v):
				result.SetMapIndex(it.Key(), reflect.Value{})
			default:
				result.SetMapIndex(it.Key(), merge(result.MapIndex(it.Key()), v))
			}
		}
	case isObject(t):
		result.Set(patch)
		for i := range t.NumField() {
			if !t.Field(i).IsExported() {
				continue
			}
			var old reflect.Value
			if target.IsValid() {
				old = target.Field(i)
			}
			result.Field(i).Set(merge(old, patch.Field(i)))
		}
	default:
		return patch
	}
	return result
}

func mergeOption(kind weft.OptionKind, target, patch reflect.Value) reflect.Value {
	result := reflect.New(patch.Type()).Elem()
	switch s := stateOf(patch); {
	case s == Absent && target.IsValid():
		return target
	case s != IsSet: // a Null has no way to be absent: its zero value is null
		return result
	}
	var old reflect.Value
	if target.IsValid() && stateOf(target) == IsSet {
		old = target.Field(0)
	}
	result.Field(0).Set(merge(old, patch.Field(0)))
	setOption(kind, result)
	return result
}

// setOption says that an option has a value.
func setOption(kind weft.OptionKind, o reflect.Value) {
	if kind == weft.OptionField {
		o.Field(1).SetUint(uint64(IsSet))
	} else {
		o.Field(1).SetBool(true)
	}
}

// ofType returns v if it is of type t, and no value otherwise.
func ofType(v reflect.Value, t reflect.Type) reflect.Value {
	if v.IsValid() && v.Type() == t {
		return v
	}
	return reflect.Value{}
}

// diff returns the patch from one value to another of the same type; from is
// invalid where there is none.
func diff(from, to reflect.Value, path string) (patch reflect.Value, err error) {
	t := to.Type()
	patch = reflect.New(t).Elem()
	if kind, ok := option(t); ok {
		return diffOption(kind, from, to, path)
	}
	switch {
	case isNull(to):
		return patch, nil
	case t.Kind() == reflect.Interface:
		if from.IsValid() {
			from = from.Elem()
		}
		v, err := diff(ofType(from, to.Elem().Type()), to.Elem(), path)
		if err == nil {
			patch.Set(v)
		}
		return patch, err
	case t.Kind() == reflect.Pointer:
		if from.IsValid() {
			from = from.Elem()
		}
		patch.Set(reflect.New(t.Elem()))
		v, err := diff(from, to.Elem(), path)
		if err == nil {
			patch.Elem().Set(v)
		}
		return patch, err
	case t.Kind() == reflect.Map:
		patch.Set(reflect.MakeMap(t))
		return patch, diffMap(from, to, patch, path)
	case isObject(t):
		patch.Set(to)
		for i := range t.NumField() {
			if !t.Field(i).IsExported() {
				continue
			}
			var old reflect.Value
			if from.IsValid() {
				old = from.Field(i)
			}
			v, err := diff(old, to.Field(i), path+"/"+t.Field(i).Name)
			if err != nil {
				return patch, err
			}
			patch.Field(i).Set(v)
		}
		return patch, nil
	}
	return to, nil
}

func diffOption(kind weft.OptionKind, from, to reflect.Value, path string) (patch reflect.Value, err error) {
	patch = reflect.New(to.Type()).Elem()
	switch was, is := from.IsValid() && stateOf(from) == IsSet, stateOf(to); {
	case is == IsNull && kind == weft.OptionField && from.IsValid() && stateOf(from) == IsNull:
		return patch, nil
	case is == IsNull && kind == weft.OptionField:
		return patch, fmt.Errorf("opt: at %s: a patch cannot set a null", path)
	case is == Absent && from.IsValid() && stateOf(from) != Absent:
		if kind != weft.OptionField {
			return patch, fmt.Errorf("opt: at %s: %v has no null, which would remove it", path, to.Type())
		}
		patch.Field(1).SetUint(uint64(IsNull))
		return patch, nil
	case is != IsSet, was && kind != weft.OptionNullable && same(from.Field(0), to.Field(0)):
		return patch, nil
	case was:
		from = from.Field(0)
	default:
		from = reflect.Value{}
	}
	v, err := diff(from, to.Field(0), path)
	if err == nil {
		patch.Field(0).Set(v)
		setOption(kind, patch)
	}
	return patch, err
}

func diffMap(from, to, patch reflect.Value, path string) error {
	if from.IsValid() {
		for it := from.MapRange(); it.Next(); {
			if v := to.MapIndex(it.Key()); v.IsValid() && !isAbsent(v) || isAbsent(it.Value()) {
				continue
			}
			null := reflect.New(to.Type().Elem()).Elem()
			if kind, ok := option(null.Type()); ok && kind == weft.OptionField {
				null.Field(1).SetUint(uint64(IsNull))
			}
			if !isNull(null) {
				return fmt.Errorf("opt: at %s/%v: %v has no null, which would remove it", path, it.Key(), null.Type())
			}
			patch.SetMapIndex(it.Key(), null)
		}
	}
	for it := to.MapRange(); it.Next(); {
		at := fmt.Sprintf("%s/%v", path, it.Key())
		var old reflect.Value
		if from.IsValid() {
			old = from.MapIndex(it.Key())
		}
		switch {
		case isAbsent(it.Value()):
			continue
		case old.IsValid() && same(old, it.Value()):
			continue
		case isNull(it.Value()):
			return fmt.Errorf("opt: at %s: a patch cannot set a null", at)
		}
		v, err := diff(old, it.Value(), at)
		if err != nil {
			return err
		}
		patch.SetMapIndex(it.Key(), v)
	}
	return nil
}

// same reports whether nothing has to be said about a member.
func same(a, b reflect.Value) bool {
	if x, ok := a.Interface().(time.Time); ok {
		y, _ := b.Interface().(time.Time)
		return x.Equal(y)
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}
