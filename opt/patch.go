package opt

import (
	"reflect"

	"github.com/weftcodec/weft/internal/setting"
)

// Merge returns the target after the patch, by the rules of JSON Merge Patch
// (RFC 7396, section 2) for the documents that the formats write of the two: a
// member that is absent in patch keeps what the target has, null removes it, and
// a value goes into it where both are objects, and in its place otherwise.
//
// Objects are maps and structs, also those in an interface, behind a pointer or
// in a union. A struct that marshals itself is one if a tag names a member of it
// or one of its fields is optional, as in all types that are generated; others,
// such as [time.Time], are replaced as a whole. Absent are optional values of
// this package and of opt/slim that are, and what the options omitzero and
// omitempty leave out; a nil interface, pointer, map or slice that they do not
// leave out is null. Fields without any of this are in every document, and so
// they replace.
//
// Neither target nor patch is changed; unchanged parts are shared with the result. Fields that are not in documents,
// such as unexported ones, keep the value of the target.
func Merge[T any](target, patch T) (result T) {
	t, p := reflect.ValueOf(&target).Elem(), reflect.ValueOf(&patch).Elem()
	reflect.ValueOf(&result).Elem().Set(merge(t, p))
	return result
}

// option returns which kind of option a type is, if it is one: one of this
// package, of opt/slim, or another that calls itself so and has their fields.
func option(t reflect.Type) (uint8, bool) {
	if t.Kind() != reflect.Struct || t.NumField() != 2 || t.Field(0).Name != "V" || t.Field(0).Anonymous {
		return 0, false
	}
	o, ok := reflect.Zero(t).Interface().(setting.OptionValue)
	if !ok {
		return 0, false
	}
	kind, state := o.OptionKind(), t.Field(1)
	if kind == setting.OptionField {
		return kind, state.Name == "State" && state.Type.Kind() == reflect.Uint8
	}
	known := kind == setting.OptionNullable || kind == setting.OptionOptional
	return kind, known && state.Name == "Valid" && state.Type.Kind() == reflect.Bool
}

// stateOf returns the state of an option. A null that is its value is one.
func stateOf(v reflect.Value) State {
	kind, _ := option(v.Type())
	state := v.Field(1)
	switch {
	case kind == setting.OptionField && State(state.Uint()) == IsNull, kind == setting.OptionNullable && !state.Bool():
		return IsNull
	case kind == setting.OptionField && State(state.Uint()) != IsSet, kind == setting.OptionOptional && !state.Bool():
		return Absent
	case isNull(v.Field(0)):
		return IsNull
	}
	return IsSet
}

// setOption makes v the value of the option o.
func setOption(o, v reflect.Value) {
	o.Field(0).Set(v)
	if state := o.Field(1); state.Kind() == reflect.Bool {
		state.SetBool(true)
	} else {
		state.SetUint(uint64(IsSet))
	}
}

// isNull reports whether v is null in JSON.
func isNull(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return v.IsNil() || isNull(v.Elem())
	case reflect.Map, reflect.Slice:
		return v.IsNil()
	case reflect.Struct:
		if _, ok := option(v.Type()); ok {
			return stateOf(v) == IsNull
		}
		return isUnion(v.Type()) && isNull(v.Field(0))
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
	_, optional := option(t)
	switch {
	case optional && stateOf(patch) == Absent:
		if target.IsValid() {
			return target
		}
	case isNull(patch): // a Null has no way to be absent: its zero value is null
	case optional:
		var old reflect.Value
		if target.IsValid() && stateOf(target) == IsSet {
			old = target.Field(0)
		}
		setOption(result, merge(old, patch.Field(0)))
	case isUnion(t):
		result.Field(0).Set(merge(fieldOf(target, 0), patch.Field(0)))
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
		result.Set(mergeMap(target, patch))
	case isObject(t):
		mergeStruct(target, patch, result)
	default:
		return patch
	}
	return result
}

// mergeMap returns a new map.
func mergeMap(target, patch reflect.Value) reflect.Value {
	result := reflect.MakeMap(patch.Type())
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
	return result
}

// mergeStruct sets the result, by members.
func mergeStruct(target, patch, result reflect.Value) {
	o := objectOf(patch.Type())
	result.Set(patch)
	if target.IsValid() {
		result.Set(target)
	}
	o.own(result)
	for i := range o.members {
		m := &o.members[i]
		p := m.of(patch)
		if m.leavesOut(p) {
			continue
		}
		var old reflect.Value
		if target.IsValid() {
			old = m.of(target)
		}
		m.in(result).Set(merge(old, p))
	}
	if o.rest == nil {
		return
	}
	if p := o.rest.of(patch); p.IsValid() && p.Len() > 0 {
		var old reflect.Value
		if target.IsValid() {
			old = o.rest.of(target)
		}
		o.rest.in(result).Set(mergeMap(old, p))
	}
}

// fieldOf returns a field of v, or no value if v is none.
func fieldOf(v reflect.Value, i int) reflect.Value {
	if !v.IsValid() {
		return v
	}
	return v.Field(i)
}

// ofType returns v if it is of type t, and no value otherwise.
func ofType(v reflect.Value, t reflect.Type) reflect.Value {
	if v.IsValid() && v.Type() == t {
		return v
	}
	return reflect.Value{}
}
