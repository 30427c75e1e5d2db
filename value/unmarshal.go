package value

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
)

var errTarget = errors.New("value: Unmarshal needs a pointer that is not nil")

// Unmarshal stores v in the variable that out points to. It is the inverse of [Marshal].
//
// A number fits every numeric type that represents it exactly; floats are rounded to the type's precision. A string
// is also read as bytes, from base64, and as an instant, from RFC 3339, because formats without these kinds write
// them so. Null sets a variable to its zero value. A list fits an array of another length: missing elements are zero,
// extra elements are skipped. Members of a map are stored in the fields of the same names; other members are skipped.
// Fields without a member keep their values, unless they are required. An interface without methods receives the
// result of [Value.Interface].
//
// If there is an error, which has the path, out may be partly changed.
func Unmarshal(v Value, out any) error { return unmarshal(v, out, usual) }

// UnmarshalWith is like [Unmarshal] with options: those that affect types, such as [weft.Codecs], and
// [weft.FoldNames].
func UnmarshalWith(v Value, out any, opts ...weft.Options) error {
	return unmarshal(v, out, dialectOf(opts), opts...)
}

func unmarshal(v Value, out any, in *dialect, opts ...weft.Options) error {
	u := unmarshaler{types: in}
	for i := range opts {
		u.flags = opts[i].Flags(u.flags)
	}
	return u.root(v, out)
}

// unmarshalMember is unmarshal of an object from whose members some are left out of
// account.
func unmarshalMember(v Value, out any, r *reader, ignored backend.IgnoredMember) error {
	ignored.Depth = 0 // of the first object
	u := unmarshaler{types: r.types, flags: r.flags, ignored: ignored, ahead: r.ahead}
	return u.root(v, out)
}

// root stores v in the variable that out points at.
func (u *unmarshaler) root(v Value, out any) error {
	t := u.types.targetOf(out)
	if t == nil {
		return errTarget
	}
	p := mem.PtrOf(out)
	if p.IsNil() {
		return errTarget
	}
	if t.err != nil {
		return t.err
	}
	if !u.value(t.target, &v, p) {
		return u.err
	}
	if u.violations != nil {
		return &weft.Error{Format: "value", Offset: -1, Err: &weft.ValidationError{Violations: u.violations}}
	}
	return nil
}

// unmarshaler stores one Value.
type unmarshaler struct {
	ahead   *backend.Lookahead // nil until a type reads itself
	types   *dialect
	flags   uint64
	ignored backend.IgnoredMember
	depth   int
	err     *weft.Error

	path       []step           // by depth, where all violations are wanted
	violations []weft.Violation // these
}

func (u *unmarshaler) fail(err error) bool {
	if e, ok := err.(*weft.Error); ok && e.Format == "value" {
		u.err = &weft.Error{Format: "value", Offset: -1, Path: e.Path, Err: e.Err}
		return false
	}
	u.err = &weft.Error{Format: "value", Offset: -1, Err: err}
	return false
}

func (u *unmarshaler) in(s step) bool {
	u.err.Path = string(s.append(nil)) + u.err.Path
	return false
}

// wrong says that v does not fit t.
func (u *unmarshaler) wrong(v *Value, t *target) bool {
	return u.fail(typeError(v, t.plan.Rtype.String()))
}

func typeError(v *Value, want string) error {
	e := &weft.TypeError{Kind: v.Kind().wire(), Type: want}
	if v.Kind().IsNumber() {
		if e.Text = string(v.appendScalar(nil)); len(e.Text) > 40 {
			e.Text = ""
		}
	}
	return e
}

// wire returns the kind as formats name it.
func (k Kind) wire() weft.Kind {
	return [numKinds]weft.Kind{weft.KindNull, weft.KindBool, weft.KindInt, weft.KindUint, weft.KindFloat, weft.KindNumber,
		weft.KindString, weft.KindBytes, weft.KindTime, weft.KindArray, weft.KindObject, weft.KindExt}[k]
}

func (u *unmarshaler) enter() bool {
	if u.depth >= setting.DefaultMaxDepth {
		return u.fail(weft.ErrDepth)
	}
	u.depth++
	return true
}

// value stores v at p by t.
func (u *unmarshaler) value(t *target, v *Value, p mem.Ptr) bool {
	switch t.code {
	case targetBool:
		if v.Kind() == KindBool {
			*mem.At[bool](p) = v.num != 0
			return true
		}
	case targetString:
		if v.Kind() == KindString {
			*mem.At[string](p) = v.text()
			return true
		}
	case targetInt:
		if i, ok := v.Int(); ok && int64(int(i)) == i {
			*mem.At[int](p) = int(i)
			return true
		}
	case targetInt8:
		if i, ok := v.Int(); ok && int64(int8(i)) == i {
			*mem.At[int8](p) = int8(i)
			return true
		}
	case targetInt16:
		if i, ok := v.Int(); ok && int64(int16(i)) == i {
			*mem.At[int16](p) = int16(i)
			return true
		}
	case targetInt32:
		if i, ok := v.Int(); ok && int64(int32(i)) == i {
			*mem.At[int32](p) = int32(i)
			return true
		}
	case targetInt64:
		if i, ok := v.Int(); ok {
			*mem.At[int64](p) = i
			return true
		}
	case targetUint:
		if i, ok := v.Uint(); ok && uint64(uint(i)) == i {
			*mem.At[uint](p) = uint(i)
			return true
		}
	case targetUint8:
		if i, ok := v.Uint(); ok && uint64(uint8(i)) == i {
			*mem.At[uint8](p) = uint8(i)
			return true
		}
	case targetUint16:
		if i, ok := v.Uint(); ok && uint64(uint16(i)) == i {
			*mem.At[uint16](p) = uint16(i)
			return true
		}
	case targetUint32:
		if i, ok := v.Uint(); ok && uint64(uint32(i)) == i {
			*mem.At[uint32](p) = uint32(i)
			return true
		}
	case targetUint64:
		if i, ok := v.Uint(); ok {
			*mem.At[uint64](p) = i
			return true
		}
	case targetUintptr:
		if i, ok := v.Uint(); ok && uint64(uintptr(i)) == i {
			*mem.At[uintptr](p) = uintptr(i)
			return true
		}
	case targetFloat64:
		if f, ok := v.Float(); ok {
			*mem.At[float64](p) = f
			return true
		}
	case targetFloat32:
		if f, ok := v.float32(); ok {
			*mem.At[float32](p) = f
			return true
		}
	case targetStruct:
		if v.Kind() == KindMap {
			return u.structure(t, v, p)
		}
	case targetSlice:
		if v.Kind() == KindList {
			return u.slice(t, v, p)
		}
	case targetPointer:
		if v.Kind() != KindNull {
			return u.pointer(t, v, p)
		}
	case targetTime:
		if at, ok := v.asTime(); ok {
			*mem.At[time.Time](p) = at
			return true
		}
	case targetValue:
		*mem.At[Value](p) = *v
		return true
	case targetTextMap:
		if v.Kind() == KindMap {
			return u.textMap(t, v, p)
		}
	case targetAnyMap:
		if v.Kind() == KindMap {
			m := mem.At[map[string]any](p)
			var boxes mem.Boxes
			*m = v.boxedMap(*m, &boxes)
			return true
		}
	default:
		return u.rare(t, v, p)
	}
	return u.zero(t, v, p)
}

// zero stores null, which fits everything.
func (u *unmarshaler) zero(t *target, v *Value, p mem.Ptr) bool {
	if v.Kind() != KindNull || t.plan.NoNull {
		return u.wrong(v, t)
	}
	t.mem.Clear(p)
	return true
}

func (v Value) float32() (float32, bool) {
	if v.Kind() == KindNumber { // rounded once
		f, err := strconv.ParseFloat(v.text(), 32)
		return float32(f), err == nil
	}
	f, ok := v.Float()
	g := float32(f)
	return g, ok && (!math.IsInf(float64(g), 0) || math.IsInf(f, 0))
}

// asTime returns the instant that v is or describes.
func (v Value) asTime() (time.Time, bool) {
	switch v.Kind() {
	case KindTime:
		return v.time(), true
	case KindString:
		t, err := wire.ParseTimeRFC3339([]byte(v.text()))
		return t, err == nil
	}
	return time.Time{}, false
}

// asBytes returns a copy of the string of bytes that v is or describes.
func (v Value) asBytes() ([]byte, bool) {
	switch v.Kind() {
	case KindBytes:
		return append([]byte{}, v.bytes()...), true
	case KindString:
		b, err := base64.StdEncoding.DecodeString(v.text())
		return b, err == nil
	}
	return nil, false
}

// rare is value for the other codes.
func (u *unmarshaler) rare(t *target, v *Value, p mem.Ptr) bool {
	switch t.code {
	case targetRuled:
		return u.ruled(t, v, p)
	case targetLate:
		root, err := t.later.Meet(plan.Unmarshal)
		if err != nil {
			return u.fail(err)
		}
		return u.value(root.target, v, p)
	case targetWeft:
		return u.hook(t, v, p)
	case targetOption:
		return u.option(t, v, p, false)
	case targetInterface:
		return u.iface(t, v, p, p.Value(t.mem).Elem())
	case targetAny:
		if x := mem.At[any](p); *x != nil && v.Kind() != KindNull {
			return u.iface(t, v, p, reflect.ValueOf(*x))
		}
		*mem.At[any](p) = v.Interface()
		return true
	case targetBad:
		return u.fail(fmt.Errorf("a value cannot be read as %v", t.plan.Rtype))
	}
	if v.Kind() == KindNull {
		return u.zero(t, v, p)
	}
	switch t.code {
	case targetText:
		if v.Kind() == KindString {
			if err := p.Addr(t.mem).(encoding.TextUnmarshaler).UnmarshalText([]byte(v.text())); err != nil {
				return u.fail(err)
			}
			return true
		}
	case targetBytes:
		if b, ok := v.asBytes(); ok {
			p.Value(t.mem).SetBytes(b)
			return true
		}
		if v.Kind() == KindList {
			return u.slice(t, v, p)
		}
	case targetByteArray:
		if b, ok := v.asBytes(); ok {
			if len(b) != t.plan.Len {
				return u.fail(fmt.Errorf("%d bytes do not fit %v", len(b), t.plan.Rtype))
			}
			copy(p.Value(t.mem).Bytes(), b)
			return true
		}
		if v.Kind() == KindList {
			return u.array(t, v, p)
		}
	case targetNumber:
		if text, ok := v.Number(); ok {
			*mem.At[json.Number](p) = json.Number(text)
			return true
		}
	case targetArray:
		if v.Kind() == KindList {
			return u.array(t, v, p)
		}
	case targetMap:
		if v.Kind() == KindMap {
			return u.goMap(t, v, p)
		}
	}
	return u.wrong(v, t)
}

func (u *unmarshaler) pointer(t *target, v *Value, p mem.Ptr) bool {
	if !u.enter() {
		return false
	}
	elem := t.elem.meet()
	q := p.Deref(elem.mem)
	if q.IsNil() {
		q = elem.mem.New()
		p.SetPtr(q)
	}
	ok := u.value(elem, v, q)
	u.depth--
	return ok
}

// iface stores v in the interface at p, which holds x: in what a pointer points at.
func (u *unmarshaler) iface(t *target, v *Value, p mem.Ptr, x reflect.Value) bool {
	switch {
	case v.Kind() == KindNull:
		return u.zero(t, v, p)
	case x.IsValid() && x.Kind() == reflect.Pointer && !x.IsNil():
		to := u.types.targetOf(x.Interface())
		if to.err != nil {
			return u.fail(to.err)
		}
		if !u.enter() {
			return false
		}
		ok := u.value(to.target, v, mem.Of(x))
		u.depth--
		return ok
	case t.code == targetAny:
		*mem.At[any](p) = v.Interface()
		return true
	}
	return u.wrong(v, t)
}

// option stores an optional value: null is none, unless it is a null of the
// value's own type. Where one that is never null could have been left out, as a
// member, null is an error. The old value stays as it is when the new one does
// not fit.
func (u *unmarshaler) option(t *target, v *Value, p mem.Ptr, member bool) bool {
	o := t.plan.Option
	state, to := p.Field(o.State), p.Field(o.V)
	if v.Kind() == KindNull && !o.Null {
		switch {
		case member && o.Kind == setting.OptionOptional:
			return u.wrong(v, t.elem)
		case t.plan.NoNull:
			return u.wrong(v, t)
		}
		t.mem.Clear(p)
		if o.Kind == setting.OptionField {
			*mem.At[uint8](state) = optionNull
		}
		return true
	}
	set := false
	if o.Kind == setting.OptionField {
		set = *mem.At[uint8](state) == optionSet
	} else {
		set = *mem.At[bool](state)
	}
	switch {
	case t.elem.code <= targetNumber: // written whole or not at all
		if !u.value(t.elem, v, to) {
			return false
		}
	case set:
		own := t.elem.mem.New()
		if !u.value(t.elem, v, own) {
			return false
		}
		t.elem.mem.Copy(to, own)
	default:
		if !to.AllZero(t.elem.mem) {
			t.elem.mem.Clear(to)
		}
		if !u.value(t.elem, v, to) {
			t.elem.mem.Clear(to)
			return false
		}
	}
	if o.Kind == setting.OptionField {
		*mem.At[uint8](state) = optionSet
	} else {
		*mem.At[bool](state) = true
	}
	return true
}

func (u *unmarshaler) slice(t *target, v *Value, p mem.Ptr) bool {
	if !u.enter() {
		return false
	}
	var x Value // not in the loop, where it would be on the heap
	from := v.kids()
	elem := t.elem
	if from.n > 0 {
		elem = elem.meet()
	}
	a := p.Make(t.plan.Rtype, elem.mem, from.n)
	for i := range from.n {
		x = from.at(i)
		u.at(step{index: i})
		if !u.value(elem, &x, a.At(elem.mem, i)) {
			return u.in(step{index: i})
		}
	}
	u.depth--
	return true
}

func (u *unmarshaler) array(t *target, v *Value, p mem.Ptr) bool {
	if !u.enter() {
		return false
	}
	var x Value
	from := v.kids()
	a := p.Array()
	for i := range t.plan.Len {
		q := a.At(t.elem.mem, i)
		if i >= from.n {
			t.elem.mem.Clear(q)
			continue
		}
		x = from.at(i)
		u.at(step{index: i})
		if !u.value(t.elem, &x, q) {
			return u.in(step{index: i})
		}
	}
	u.depth--
	return true
}

// structure stores a map in a struct.
func (u *unmarshaler) structure(t *target, v *Value, p mem.Ptr) bool {
	if v.count() == 0 {
		if t.need {
			if err := t.missing(make([]bool, len(t.fields)), u.flags, p); err != nil {
				return u.violate("", err)
			}
		}
		return true
	}
	if !u.enter() {
		return false
	}
	if u.ignored.Depth == 0 {
		u.ignored.Depth = u.depth
	}
	var x Value
	from := v.kids()
	if t.directed || u.flags&setting.FoldNames != 0 {
		return u.strange(t, v, p)
	}
	if r := t.routeFor(v.shape()); r != nil {
		if r.missing != nil && !u.violate("", r.missing) {
			return false
		}
		for i, k := range r.field {
			if k == noTaker {
				continue
			}
			x = from.at(i)
			if k < 0 {
				if !u.other(t, v.Name(i), &x, p) {
					return false
				}
				continue
			}
			if u.flags&setting.AllViolations != 0 {
				u.at(step{v.Name(i), -1})
			}
			f, ok := &t.fields[k], false
			switch {
			case f.how == storePlain:
				ok = u.value(f.target, &x, p.Field(f.offset))
			case f.how == storeOption && x.Kind() != KindNull:
				if ok = u.value(f.elem, &x, p.Field(f.optional.value)); ok {
					f.set(p)
				}
			default:
				ok = u.field(f, &x, p)
			}
			if !ok {
				return u.in(step{v.Name(i), -1})
			}
		}
		u.depth--
		return true
	}
	return u.strange(t, v, p)
}

// strange is structure for a map whose shape is not known.
func (u *unmarshaler) strange(t *target, v *Value, p mem.Ptr) bool {
	var has []bool
	if t.need {
		has = make([]bool, len(t.fields))
	}
	var x Value
	fold, all := u.flags&setting.FoldNames != 0 && !t.plan.Strict, u.flags&setting.AllViolations != 0
	from, hint := v.kids(), 0
	for i, name := range v.names() {
		x = from.at(i)
		f := t.names.Find(name, hint)
		if f >= 0 {
			f = t.owner[f]
		} else if fold {
			f = t.plan.FieldFold(name)
		}
		if f < 0 {
			takes := t.plan.Takes(name)
			if takes && !u.other(t, name, &x, p) {
				return false
			}
			if !takes && t.plan.Closed && u.flags&setting.AllowUnknown == 0 && !u.ignores(name) {
				u.at(step{name, -1})
				if !u.violate("", weft.ErrUnknownMember) {
					return u.in(step{name, -1})
				}
			}
			continue
		}
		if all {
			u.at(step{name, -1})
		}
		if !u.field(&t.fields[f], &x, p) {
			return u.in(step{name, -1})
		}
		if hint = f + 1; has != nil {
			has[f] = true
		}
	}
	if has != nil {
		u.at(step{index: noStep})
		if err := t.missing(has, u.flags, p); err != nil && !u.violate("", err) {
			return false
		}
	}
	u.depth--
	return true
}

// field stores v in a field of the struct at p.
func (u *unmarshaler) field(f *targetField, v *Value, p mem.Ptr) bool {
	switch {
	case f.how == storePlain:
		return u.value(f.target, v, p.Field(f.offset))
	case f.kind != noOption && v.Kind() != KindNull:
		if !u.value(f.elem, v, p.Field(f.optional.value)) {
			return false
		}
		f.set(p)
		if f.how == storeOption {
			return true
		}
	case len(f.field.Embeds) > 0:
		q, e := f.field.Make(p)
		if e != nil {
			return u.fail(fmt.Errorf("cannot set embedded pointer to unexported struct %v", e.Elem.Rtype))
		}
		if !u.value(f.target, v, q) {
			return false
		}
	case f.target.code == targetOption:
		if !u.option(f.target, v, p.Field(f.offset), true) {
			return false
		}
	default:
		if !u.value(f.target, v, p.Field(f.offset)) {
			return false
		}
	}
	return f.field.Rules == nil || u.obeys(f.field.Rules, f.field.At(p))
}

// ignores reports whether a member is left out of account.
func (u *unmarshaler) ignores(name string) bool {
	return (u.ignored.All || name == u.ignored.Name && name != "") && u.depth == u.ignored.Depth
}

// other stores a member that no field names in the map for those.
func (u *unmarshaler) other(t *target, name string, v *Value, p mem.Ptr) bool {
	if u.ignores(name) {
		return true
	}
	q, e := t.rest.field.Make(p)
	if e != nil {
		return u.fail(fmt.Errorf("cannot set embedded pointer to unexported struct %v", e.Elem.Rtype))
	}
	one := Value{}.set(name, *v)
	return u.value(t.rest.target, &one, q)
}

func (u *unmarshaler) textMap(t *target, v *Value, p mem.Ptr) bool {
	at := mem.At[map[string]string](p)
	names, all := v.names(), v.kids()
	m := *at
	if m == nil {
		m = make(map[string]string, all.n)
		*at = m
	}
	for i := range all.n {
		x := all.at(i)
		switch k := x.Kind(); {
		case k == KindString:
			m[names[i]] = x.text()
		case k == KindNull && !t.elem.plan.NoNull:
			m[names[i]] = ""
		default:
			u.wrong(&x, t.elem)
			return u.in(step{names[i], -1})
		}
	}
	return true
}

func (u *unmarshaler) goMap(t *target, v *Value, p mem.Ptr) bool {
	if !u.enter() {
		return false
	}
	to := p.Value(t.mem)
	if to.IsNil() {
		to.Set(reflect.MakeMapWithSize(t.plan.Rtype, v.Len()))
	}
	e := t.entries.Get().(*mem.Entry)
	var x Value
	from := v.kids()
	for i := range from.n {
		name := v.Name(i)
		if err := t.key(e, name); err != nil {
			u.fail(err)
			return u.in(step{name, -1})
		}
		x = from.at(i)
		u.at(step{name, -1})
		if !u.value(t.elem, &x, e.Elem) {
			return u.in(step{name, -1})
		}
		e.Put(to)
	}
	t.entries.Put(e)
	u.depth--
	return true
}

// key makes name the key of the entry.
func (t *target) key(e *mem.Entry, name string) error {
	if t.plan.KeyUnmarshal == plan.KeyString {
		*mem.At[string](e.Key) = name
		return nil
	}
	return t.plan.ParseKey(name, e.KeyValue())
}
