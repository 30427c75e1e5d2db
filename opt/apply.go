package opt

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire"
)

// Apply changes the target by a patch of another type, for example one that has a [Field] for each plain field of the
// target. A patch of the target's own type, such as [Diff] returns, is applied as by [Merge]. If there is an error,
// the target is left unchanged.
//
// A patch is a struct or a map with strings for keys. Of its members
//
//   - an absent one changes nothing. Absent are also a nil pointer, slice, map or
//     interface in a field, and what the options omitzero and omitempty leave out;
//   - a null, which is one of a [Field] or a [Null], a nil in an optional value,
//     or a nil element of a map, makes a pointer, slice, map or interface nil, an
//     optional value absent or null, and takes an element out of a map;
//   - a value goes into the target's where both are objects, structs or maps, and
//     in its place otherwise. Slices are replaced as a whole, their elements
//     converted.
//
// Members are matched by the names that the formats use, from the tag weft, else the tag json, else the Go field,
// including those of embedded structs. If a field of the patch or of the target has no name in a tag, equal Go names
// match as well. Unknown members are stored in the target's field with the option unknown, if it has one.
//
// The types of database/sql, such as sql.NullString, are treated like a [Null] on either side. Numbers are converted
// if they fit, and named types to other types of their kind. Values that need no conversion are shared with the
// patch.
//
// Errors have the path to the member in the patch, as a [weft.Error]: a null for
// a field that cannot hold one, a member that the target has not (to [errors.Is]
// it is [weft.ErrUnknownMember]), a value that does not fit.
func Apply[T any](target *T, patch any) error {
	if target == nil {
		return &weft.Error{Format: "opt", Offset: -1, Err: errors.New("the target is a nil pointer")}
	}
	var next T
	switch p := patch.(type) {
	case T:
		next = Merge(*target, p)
	default:
		v := reflect.ValueOf(&next).Elem()
		v.Set(reflect.ValueOf(target).Elem())
		if err := applyAll(v, patch); err != nil {
			return err
		}
	}
	*target = next
	return nil
}

// applyAll is Apply without its type parameter.
func applyAll(target reflect.Value, patch any) error {
	p, state := unwrap(reflect.ValueOf(patch), IsNull)
	if state == Absent {
		return nil
	}
	return apply(target, p, state, nil)
}

// unwrap returns what is in optional values, pointers, interfaces and unions, and
// its state. A nil that is in no optional value is of state none. A pointer that
// is in an interface is left, as it belongs to the value there.
func unwrap(p reflect.Value, none State) (reflect.Value, State) {
	for {
		if !p.IsValid() {
			return p, none
		}
		switch p.Kind() {
		case reflect.Pointer:
			p = p.Elem()
			continue
		case reflect.Interface:
			if p = p.Elem(); p.Kind() == reflect.Pointer && !p.IsNil() {
				return p, IsSet
			}
			continue
		case reflect.Map, reflect.Slice:
			if p.IsNil() {
				return p, none
			}
		case reflect.Struct:
			if _, optional := option(p.Type()); optional {
				if s := stateOf(p); s != IsSet {
					return p, s
				}
				p, none = p.Field(0), IsNull
				continue
			}
			if isSQL(p.Type()) {
				if !p.Field(1).Bool() {
					return p, IsNull
				}
				p = p.Field(0)
				continue
			}
			if isUnion(p.Type()) {
				p = p.Field(0)
				continue
			}
		}
		return p, IsSet
	}
}

// isSQL reports whether t is one of the nullable types of database/sql: a value,
// and whether it is valid.
func isSQL(t reflect.Type) bool {
	return t.PkgPath() == "database/sql" && t.Kind() == reflect.Struct && t.NumField() == 2 && t.Field(1).Name == "Valid"
}

// apply changes dst, which is a copy but for what it points to, by p, which
// unwrap has returned with its state: [IsNull] or [IsSet].
func apply(dst, p reflect.Value, state State, path []byte) error {
	t := dst.Type()
	_, optional := option(t)
	if state == IsSet && p.Kind() == reflect.Pointer && t.Kind() != reflect.Interface && !isUnion(t) {
		if p.Type() == t && p.Elem().Kind() == reflect.Struct && objectOf(p.Type().Elem()).opaque {
			dst.Set(p)
			return nil
		}
		p, state = unwrap(p.Elem(), IsNull)
		return apply(dst, p, state, path)
	}
	switch {
	case optional || isSQL(t):
		if state == IsNull {
			dst.SetZero()
			return nil
		}
		v := reflect.New(t.Field(0).Type).Elem()
		if stateOfTarget(dst) == IsSet {
			v.Set(dst.Field(0))
		}
		err := apply(v, p, state, path)
		if err == nil {
			setOption(dst, v)
		}
		return err
	case isUnion(t):
		if state == IsNull {
			return errNoNull(t, path)
		}
		return apply(dst.Field(0), p, state, path)
	case state == IsNull:
		switch t.Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice:
			dst.SetZero()
			return nil
		}
		return errNoNull(t, path)
	case t.Kind() == reflect.Pointer:
		v := reflect.New(t.Elem())
		if !dst.IsNil() {
			v.Elem().Set(dst.Elem())
		}
		err := apply(v.Elem(), p, state, path)
		if err == nil {
			dst.Set(v)
		}
		return err
	case t.Kind() == reflect.Interface:
		return applyInterface(dst, p, path)
	case t.Kind() == reflect.Map && hasMembers(p):
		m := reflect.MakeMap(t)
		for it := dst.MapRange(); it.Next(); {
			m.SetMapIndex(it.Key(), it.Value())
		}
		dst.Set(m)
		return eachMember(p, path, func(name string, _ *member, v reflect.Value, none State, path []byte) error {
			return applyElem(dst, name, v, none, path)
		})
	case t.Kind() == reflect.Struct && hasMembers(p):
		return applyStruct(dst, p, path)
	}
	return replace(dst, p, path)
}

// hasMembers reports whether p is a map or a struct that is an object.
func hasMembers(p reflect.Value) bool {
	if p.Kind() != reflect.Struct {
		return p.Kind() == reflect.Map
	}
	o := objectOf(p.Type())
	return !o.opaque && !o.union
}

func errNoNull(t reflect.Type, path []byte) error {
	return fault(path, fmt.Errorf("null does not fit type %v", t))
}

// stateOfTarget is stateOf for an option or a type of database/sql.
func stateOfTarget(v reflect.Value) State {
	if isSQL(v.Type()) {
		if v.Field(1).Bool() {
			return IsSet
		}
		return IsNull
	}
	return stateOf(v)
}

// eachMember calls f for the members of p, a map or a struct, that are not left
// out, with the member that the field is, nil for one without, and what a nil
// means.
func eachMember(p reflect.Value, path []byte,
	f func(name string, m *member, v reflect.Value, none State, path []byte) error) error {
	if p.Kind() == reflect.Map {
		for it := p.MapRange(); it.Next(); {
			if it.Key().Kind() != reflect.String {
				return fault(path, fmt.Errorf("patch of type %v: keys must be strings", p.Type()))
			}
			name := it.Key().String()
			if err := f(name, nil, it.Value(), IsNull, wire.AppendPointer(path, name)); err != nil {
				return err
			}
		}
		return nil
	}
	o := objectOf(p.Type())
	for i := range o.members {
		m := &o.members[i]
		v := m.of(p)
		if m.leavesOut(v) {
			continue
		}
		if err := f(m.name, m, v, Absent, wire.AppendPointer(path, m.name)); err != nil {
			return err
		}
	}
	if o.rest != nil {
		if v := o.rest.of(p); v.IsValid() {
			return eachMember(v, path, f)
		}
	}
	return nil
}

// applyStruct changes dst, a struct, by the members of p.
func applyStruct(dst, p reflect.Value, path []byte) error {
	o := objectOf(dst.Type())
	o.own(dst)
	from := map[*member]string{}
	var rest reflect.Value // once it is dst's own
	return eachMember(p, path, func(name string, m *member, v reflect.Value, none State, path []byte) error {
		v, state := unwrap(v, none)
		if state == Absent {
			return nil
		}
		to := o.find(name, m)
		if to == nil && o.rest != nil {
			if !rest.IsValid() {
				rest = o.rest.in(dst)
				c := reflect.MakeMap(rest.Type())
				for it := rest.MapRange(); it.Next(); {
					c.SetMapIndex(it.Key(), it.Value())
				}
				rest.Set(c)
			}
			return applyElem(rest, name, v, state, path)
		}
		if to == nil {
			return fault(path, fmt.Errorf("%w: %v has none of the name", weft.ErrUnknownMember, dst.Type()))
		}
		if other, ok := from[to]; ok {
			return fault(path, fmt.Errorf("it is for the field %s of %v, as is %q", to.goName, dst.Type(), other))
		}
		from[to] = name
		if to.locked {
			return fault(path, fmt.Errorf("%s of %v is behind a pointer that is not exported", to.goName, dst.Type()))
		}
		return apply(to.in(dst), v, state, path)
	})
}

// applyElem changes the element of the map dst under a name.
func applyElem(dst reflect.Value, name string, p reflect.Value, none State, path []byte) error {
	t := dst.Type()
	p, state := unwrap(p, none)
	if state == Absent {
		return nil
	}
	if t.Key().Kind() != reflect.String {
		return fault(path, fmt.Errorf("type %v has no named members", t))
	}
	key := reflect.ValueOf(name).Convert(t.Key())
	if state == IsNull {
		dst.SetMapIndex(key, reflect.Value{})
		return nil
	}
	v := reflect.New(t.Elem()).Elem()
	if old := dst.MapIndex(key); old.IsValid() {
		v.Set(old)
	}
	err := apply(v, p, state, path)
	if err == nil {
		dst.SetMapIndex(key, v)
	}
	return err
}

// find returns the member of a name, or of the Go name of m where one of the two
// has no name in a tag; nil for none.
func (o *object) find(name string, m *member) *member {
	for i := range o.members {
		if o.members[i].name == name {
			return &o.members[i]
		}
	}
	for i := range o.members {
		if x := &o.members[i]; m != nil && x.goName == m.goName && !(x.tagged && m.tagged) {
			return x
		}
	}
	return nil
}

// applyInterface goes into what the interface dst holds where p does, and takes
// its place otherwise.
func applyInterface(dst, p reflect.Value, path []byte) error {
	t := dst.Type()
	held := reflect.Value{}
	if !dst.IsNil() {
		held = reflect.New(dst.Elem().Type()).Elem()
		held.Set(dst.Elem())
	}
	mapped := held.IsValid() && held.Kind() == reflect.Map && hasMembers(reflect.Indirect(p))
	if held.IsValid() && (mapped || held.Type() == p.Type() || held.Type() == reflect.PointerTo(p.Type())) {
		err := apply(held, p, IsSet, path)
		if err == nil {
			dst.Set(held)
		}
		return err
	}
	v := merge(reflect.Value{}, p) // without nulls
	switch {
	case v.Type().AssignableTo(t):
	case reflect.PointerTo(v.Type()).AssignableTo(t):
		c := reflect.New(v.Type())
		c.Elem().Set(v)
		v = c
	default:
		return errNoFit(p, t, path)
	}
	dst.Set(v)
	return nil
}

func errNoFit(p reflect.Value, t reflect.Type, path []byte) error {
	return fault(path, fmt.Errorf("type %v does not fit type %v", p.Type(), t))
}

// replace sets dst to p, converted.
func replace(dst, p reflect.Value, path []byte) error {
	t, k := dst.Type(), p.Kind()
	switch {
	case p.Type().AssignableTo(t):
		dst.Set(p)
		return nil
	case k == reflect.Slice && t.Kind() == reflect.Slice:
		s := reflect.MakeSlice(t, p.Len(), p.Len())
		dst.Set(s)
		return replaceElems(s, p, path)
	case k == reflect.Array && t.Kind() == reflect.Array && p.Len() == t.Len():
		dst.SetZero()
		return replaceElems(dst, p, path)
	case k == t.Kind() && (k == reflect.String || k == reflect.Bool || k == reflect.Struct) && p.CanConvert(t):
		dst.Set(p.Convert(t))
		return nil
	case setNumber(dst, p):
		return nil
	}
	if isNumber(k) && isNumber(t.Kind()) {
		return fault(path, fmt.Errorf("%v does not fit type %v", p, t))
	}
	return errNoFit(p, t, path)
}

// replaceElems sets the elements of dst, which are zero, to those of p.
func replaceElems(dst, p reflect.Value, path []byte) error {
	for i := range p.Len() {
		at := wire.AppendPointer(path, fmt.Sprint(i))
		v, state := unwrap(p.Index(i), IsNull)
		if state == Absent {
			continue
		}
		if err := apply(dst.Index(i), v, state, at); err != nil {
			return err
		}
	}
	return nil
}

func isNumber(k reflect.Kind) bool { return reflect.Int <= k && k <= reflect.Float64 }

// setNumber sets dst to p if both are numbers and p fits: an integer as it is, a
// float rounded as Go does.
func setNumber(dst, p reflect.Value) bool {
	switch {
	case p.CanInt():
		n := p.Int()
		switch {
		case dst.CanInt() && !dst.OverflowInt(n):
			dst.SetInt(n)
			return true
		case dst.CanUint() && n >= 0 && !dst.OverflowUint(uint64(n)):
			dst.SetUint(uint64(n))
			return true
		}
		return dst.CanFloat() && setFloat(dst, float64(n)) && exact(dst.Float()) && int64(dst.Float()) == n
	case p.CanUint():
		n := p.Uint()
		switch {
		case dst.CanUint() && !dst.OverflowUint(n):
			dst.SetUint(n)
			return true
		case dst.CanInt() && n <= math.MaxInt64 && !dst.OverflowInt(int64(n)):
			dst.SetInt(int64(n))
			return true
		}
		return dst.CanFloat() && setFloat(dst, float64(n)) && dst.Float() < 1<<64 && uint64(dst.Float()) == n
	case p.CanFloat():
		f := p.Float()
		switch {
		case dst.CanFloat():
			return setFloat(dst, f)
		case f != math.Trunc(f) || math.IsInf(f, 0):
			return false
		case dst.CanInt() && exact(f) && !dst.OverflowInt(int64(f)):
			dst.SetInt(int64(f))
			return true
		case dst.CanUint() && f >= 0 && f < 1<<64 && !dst.OverflowUint(uint64(f)):
			dst.SetUint(uint64(f))
			return true
		}
	}
	return false
}

// exact reports whether f is within the range of int64.
func exact(f float64) bool { return -1<<63 <= f && f < 1<<63 }

func setFloat(dst reflect.Value, f float64) bool {
	if dst.OverflowFloat(f) {
		return false
	}
	dst.SetFloat(f)
	return true
}
