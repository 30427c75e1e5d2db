package opt

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
)

// Diff returns the patch with which [Merge] turns from into to. A change that a patch cannot express is an error with
// the path: a member that becomes null, or a removed member whose type has no null, such as a [Val] of a number or a
// member with the option omitzero.
func Diff[T any](from, to T) (patch T, err error) {
	p, err := diff(reflect.ValueOf(&from).Elem(), reflect.ValueOf(&to).Elem(), nil)
	if err == nil {
		reflect.ValueOf(&patch).Elem().Set(p)
	}
	return patch, err
}

var errSetNull = errors.New("a patch cannot set a null")

// fault returns an error at a path.
func fault(path []byte, err error) error {
	return &weft.Error{Format: "opt", Offset: -1, Path: string(path), Err: err}
}

// diff returns the patch from one value to another of the same type; from is
// invalid where there is none.
func diff(from, to reflect.Value, path []byte) (patch reflect.Value, err error) {
	t := to.Type()
	patch = reflect.New(t).Elem()
	_, optional := option(t)
	var in reflect.Value
	switch {
	case optional:
		return patch, diffOption(from, to, patch, path)
	case isNull(to):
	case isUnion(t):
		if in, err = diff(fieldOf(from, 0), to.Field(0), path); err == nil {
			patch.Field(0).Set(in)
		}
	case t.Kind() == reflect.Interface:
		if from.IsValid() {
			from = from.Elem()
		}
		if in, err = diff(ofType(from, to.Elem().Type()), to.Elem(), path); err == nil {
			patch.Set(in)
		}
	case t.Kind() == reflect.Pointer:
		if from.IsValid() {
			from = from.Elem()
		}
		if in, err = diff(from, to.Elem(), path); err == nil {
			patch.Set(reflect.New(t.Elem()))
			patch.Elem().Set(in)
		}
	case t.Kind() == reflect.Map:
		patch.Set(reflect.MakeMap(t))
		err = diffMap(from, to, patch, path)
	case isObject(t):
		err = diffStruct(from, to, patch, path)
	default:
		return to, nil
	}
	return patch, err
}

// diffOption sets the patch from one option to another, outside of an object.
func diffOption(from, to, patch reflect.Value, path []byte) error {
	kind, _ := option(to.Type())
	var old reflect.Value
	was := Absent
	if from.IsValid() {
		was = stateOf(from)
	}
	switch is := stateOf(to); {
	case is == IsNull && kind != setting.OptionNullable && was != IsNull:
		return fault(path, errSetNull)
	case is == Absent && was != Absent:
		return remove(patch, path)
	case is != IsSet:
		return nil
	case was == IsSet && kind != setting.OptionNullable && same(from.Field(0), to.Field(0)):
		return nil
	case was == IsSet:
		old = from.Field(0)
	}
	v, err := diff(old, to.Field(0), path)
	if err == nil {
		setOption(patch, v)
	}
	return err
}

// remove makes the patch, which is zero, a null.
func remove(patch reflect.Value, path []byte) error {
	switch kind, optional := option(patch.Type()); {
	case optional && kind == setting.OptionField:
		patch.Field(1).SetUint(uint64(IsNull))
	case optional && kind == setting.OptionOptional && isNull(patch.Field(0)):
		patch.Field(1).SetBool(true)
	}
	if !isNull(patch) {
		return fault(path, fmt.Errorf("%v has no null, which would remove it", patch.Type()))
	}
	return nil
}

// diffStruct sets the patch by members.
func diffStruct(from, to, patch reflect.Value, path []byte) error {
	o := objectOf(to.Type())
	for i := range o.members {
		m := &o.members[i]
		if err := m.diff(from, to, patch, wire.AppendPointer(path, m.name)); err != nil {
			return err
		}
	}
	if o.rest == nil {
		return nil
	}
	var old reflect.Value
	if from.IsValid() {
		old = o.rest.of(from)
	}
	is := o.rest.of(to)
	if !is.IsValid() {
		is = reflect.Zero(to.Type().FieldByIndex(o.rest.index).Type)
	}
	rest := reflect.MakeMap(is.Type())
	err := diffMap(old, is, rest, path)
	if err == nil && rest.Len() > 0 {
		o.rest.in(patch).Set(rest)
	}
	return err
}

// diff sets the member of the patch.
func (m *member) diff(from, to, patch reflect.Value, path []byte) error {
	var old reflect.Value
	if from.IsValid() {
		old = m.of(from)
	}
	is := m.of(to)
	was, out := !m.leavesOut(old), m.leavesOut(is)
	if out && !was {
		return nil
	}
	none := reflect.New(to.Type().FieldByIndex(m.index).Type).Elem()
	if out {
		if err := remove(none, path); err != nil {
			return err
		}
		if m.leavesOut(none) {
			return fault(path, fmt.Errorf("null of type %v is omitted, which would remove the member", none.Type()))
		}
		m.in(patch).Set(none)
		return nil
	}
	if was && m.leavesOut(none) && same(old, is) {
		return nil
	}
	if !was {
		old = reflect.Value{}
	}
	v, err := diff(old, is, path)
	if err == nil && m.leavesOut(v) && isObject(v.Type()) { // with all that stays it may not be
		if v, err = diff(reflect.Value{}, is, path); err == nil && m.leavesOut(v) {
			err = fault(path, fmt.Errorf("the change of type %v is omitted: its value is empty", v.Type()))
		}
	}
	if err == nil {
		m.in(patch).Set(v)
	}
	return err
}

// diffMap adds to the patch, which is a map.
func diffMap(from, to, patch reflect.Value, path []byte) error {
	at := func(key reflect.Value) []byte { return wire.AppendPointer(path, fmt.Sprint(key)) }
	if from.IsValid() {
		for it := from.MapRange(); it.Next(); {
			if v := to.MapIndex(it.Key()); v.IsValid() && !isAbsent(v) || isAbsent(it.Value()) {
				continue
			}
			null := reflect.New(to.Type().Elem()).Elem()
			if err := remove(null, at(it.Key())); err != nil {
				return err
			}
			patch.SetMapIndex(it.Key(), null)
		}
	}
	for it := to.MapRange(); it.Next(); {
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
			return fault(at(it.Key()), errSetNull)
		}
		v, err := diff(old, it.Value(), at(it.Key()))
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
