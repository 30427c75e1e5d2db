package value

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/tree"
)

// Marshal returns v as a Value.
//
// Integers, floats, strings, []byte and time.Time become the kinds of their names,
// byte arrays bytes, durations their nanoseconds, json.Number a number, structs and
// maps a map, slices and arrays a list; nil is null. Members of a struct have the
// order of its fields, those of a Go map the order of their names. The tags of
// fields have the key value, weft or json; the types of package opt, omitempty,
// omitzero and inline mean what they mean to the formats. A type that is a
// [weft.Marshaler] or an [encoding.TextMarshaler] marshals itself.
//
// The Value shares the strings of v, which cannot change, and nothing else. A value that cannot be represented, such
// as a channel, is an error.
func Marshal(v any) (Value, error) { return marshal(v, usual) }

// MarshalWith is like [Marshal] with options: those that affect types, such as [weft.Codecs], and omitted members,
// such as [weft.OmitEmpty].
func MarshalWith(v any, opts ...weft.Options) (Value, error) { return marshal(v, dialectOf(opts)) }

func marshal(v any, in *dialect) (Value, error) {
	m := marshaler{types: in}
	var out Value
	if !m.any(v, &out) {
		return Value{}, m.err
	}
	return out, nil
}

// marshaler makes one Value.
type marshaler struct {
	types *dialect
	depth int
	free  []Value // memory for containers to come
	size  int     // of the memory made last
	err   *weft.Error
}

// chunk is how many values share memory at most: a value kept keeps no more than
// 2 KB alive beside itself.
const chunk = 84

// values returns memory for n values. The first container gets memory of its own,
// in case it is the only one.
func (m *marshaler) values(n int) []Value {
	if n <= len(m.free) {
		out := m.free[:n:n]
		m.free = m.free[n:]
		return out
	}
	return m.moreValues(n)
}

func (m *marshaler) moreValues(n int) []Value {
	if n > chunk/4 || m.size == 0 {
		m.size = max(m.size, min(n, chunk/4))
		return make([]Value, n)
	}
	m.size = min(max(2*m.size, n), chunk)
	m.free = make([]Value, m.size)
	return m.values(n)
}

// slots is newSlots over values.
func (m *marshaler) slots(s *tree.Shape) []Value {
	slots := m.values(1 + s.Len())
	slots[0].ref = mem.RefTo(s)
	return slots
}

func (m *marshaler) fail(err error) bool {
	if e, ok := err.(*weft.Error); ok && e.Format == "value" {
		m.err = &weft.Error{Format: "value", Offset: -1, Path: e.Path, Err: e.Err}
		return false
	}
	m.err = &weft.Error{Format: "value", Offset: -1, Err: err}
	return false
}

// in puts a step before the path of the error.
func (m *marshaler) in(s step) bool {
	m.err.Path = string(s.append(nil)) + m.err.Path
	return false
}

func (m *marshaler) enter() bool {
	if m.depth >= setting.DefaultMaxDepth {
		return m.fail(weft.ErrDepth)
	}
	m.depth++
	return true
}

// any stores v at out.
func (m *marshaler) any(v any, out *Value) bool {
	switch v := v.(type) {
	case nil:
		*out = Value{}
	case bool:
		*out = Bool(v)
	case int:
		*out = Int(int64(v))
	case int64:
		*out = Int(v)
	case uint64:
		*out = Uint(v)
	case float64:
		*out = Float(v)
	case string:
		*out = String(v)
	case []byte:
		m.bytes(v, out)
	case time.Time:
		if m.types != usual {
			return m.other(v, out)
		}
		*out = Time(v)
	case Value:
		*out = v
	case []any:
		if v != nil {
			return m.list(&anySource, mem.ArrayOf(v), len(v), out)
		}
		*out = Value{}
	case map[string]any:
		return m.anyMap(nil, v, out)
	default:
		return m.other(v, out)
	}
	return true
}

// other stores v, which is not nil, by its type.
func (m *marshaler) other(v any, out *Value) bool {
	s := m.types.sourceOf(v)
	switch {
	case s.err != nil:
		return m.fail(s.err)
	case s.code == sourcePointer:
		p := mem.PtrOf(v)
		if p.IsNil() {
			*out = Value{}
			return true
		}
		return m.pointed(s.elem.meet(), p, out)
	}
	p := mem.Data(v, s.mem)
	if s.copied {
		q := s.mem.New()
		s.mem.Copy(q, p)
		p = q
	}
	return m.value(s.source, p, out)
}

// null stores what a nil is of the type of s: null, or where a strict type has no place for that what is empty.
func (m *marshaler) null(s *source, out *Value) bool {
	*out = Value{}
	if !s.plan.NoNull {
		return true
	}
	switch s.plan.Kind {
	case plan.Slice:
		*out = List()
	case plan.Bytes:
		*out = Bytes([]byte{})
	case plan.Map:
		*out = Map()
	default:
		return m.fail(plan.NilError(s.plan.Rtype))
	}
	return true
}

func (m *marshaler) bytes(b []byte, out *Value) {
	if b == nil {
		*out = Value{}
		return
	}
	*out = Bytes(b)
}

// bytesAt returns the slice of bytes of any type at p.
func bytesAt(t *mem.Type, p mem.Ptr) []byte {
	if mem.Safe {
		return p.Value(t).Bytes() // the bytes may have a type of their own
	}
	return *mem.At[[]byte](p)
}

// pointed stores what a pointer points at.
func (m *marshaler) pointed(s *source, p mem.Ptr, out *Value) bool {
	if !m.enter() {
		return false
	}
	ok := m.value(s, p, out)
	m.depth--
	return ok
}

// value stores the value at p, read by s, at out.
func (m *marshaler) value(s *source, p mem.Ptr, out *Value) bool {
	switch s.code {
	case sourceBool:
		*out = Bool(*mem.At[bool](p))
	case sourceInt:
		*out = Int(int64(*mem.At[int](p)))
	case sourceInt8:
		*out = Int(int64(*mem.At[int8](p)))
	case sourceInt16:
		*out = Int(int64(*mem.At[int16](p)))
	case sourceInt32:
		*out = Int(int64(*mem.At[int32](p)))
	case sourceInt64:
		*out = Int(*mem.At[int64](p))
	case sourceUint:
		*out = Uint(uint64(*mem.At[uint](p)))
	case sourceUint8:
		*out = Uint(uint64(*mem.At[uint8](p)))
	case sourceUint16:
		*out = Uint(uint64(*mem.At[uint16](p)))
	case sourceUint32:
		*out = Uint(uint64(*mem.At[uint32](p)))
	case sourceUint64:
		*out = Uint(*mem.At[uint64](p))
	case sourceUintptr:
		*out = Uint(uint64(*mem.At[uintptr](p)))
	case sourceFloat32:
		*out = Float32(*mem.At[float32](p))
	case sourceFloat64:
		*out = Float(*mem.At[float64](p))
	case sourceString:
		*out = String(*mem.At[string](p))
	case sourceBytes:
		if p.SliceIsNil() {
			return m.null(s, out)
		}
		m.bytes(bytesAt(s.mem, p), out)
	case sourceTime:
		*out = Time(*mem.At[time.Time](p))
	case sourceValue:
		*out = *mem.At[Value](p)
	case sourceAny:
		return m.any(*mem.At[any](p), out)
	case sourcePointer:
		if p = p.Deref(s.elem.mem); !p.IsNil() {
			return m.pointed(s.elem, p, out)
		}
		return m.null(s, out)
	case sourceStruct:
		return m.plain(s, p, out)
	case sourceMasked:
		return m.masked(s, p, out)
	case sourceOption:
		set := false
		if s.plan.Option.Kind == setting.OptionField {
			set = *mem.At[uint8](p.Field(s.plan.Option.State)) == optionSet
		} else {
			set = *mem.At[bool](p.Field(s.plan.Option.State))
		}
		if set {
			return m.value(s.elem, p.Field(s.plan.Option.V), out)
		}
		return m.null(s, out)
	case sourceSlice:
		if p.SliceIsNil() {
			return m.null(s, out)
		}
		elem, n := s.elem, p.SliceLen()
		if n > 0 {
			elem = elem.meet()
		}
		return m.list(elem, p.Slice(), n, out)
	default:
		return m.rare(s, p, out)
	}
	return true
}

// rare is value for the other codes.
func (m *marshaler) rare(s *source, p mem.Ptr, out *Value) bool {
	switch s.code {
	case sourceByteArray:
		*out = Bytes(p.Value(s.mem).Bytes())
	case sourceNumber:
		text := string(*mem.At[json.Number](p))
		if text == "" {
			text = "0" // as encoding/json has it
		}
		v, err := Number(text)
		if err != nil {
			return m.fail(errNumber)
		}
		*out = v
	case sourceInterface:
		if v := p.Value(s.mem); !v.IsNil() {
			return m.any(v.Elem().Interface(), out)
		}
		return m.null(s, out)
	case sourceArray:
		return m.list(s.elem, p.Array(), s.plan.Len, out)
	case sourceMap, sourceStringMap:
		return m.goMap(s, p, out)
	case sourceAnyMap:
		from := *mem.At[map[string]any](p)
		if from == nil {
			return m.null(s, out)
		}
		return m.anyMap(s, from, out)
	case sourceTextMap:
		from := *mem.At[map[string]string](p)
		if from == nil {
			return m.null(s, out)
		}
		m.textMap(s, from, out)
	case sourceWide:
		return m.wide(s, p, out)
	case sourceLate:
		root, err := s.later.Meet(plan.Marshal)
		if err != nil {
			return m.fail(err)
		}
		return m.value(root.source, p, out)
	case sourceWeft, sourceText:
		return m.hook(s, p, out)
	default:
		return m.fail(fmt.Errorf("a %v has no form as a value", s.plan.Rtype))
	}
	return true
}

// States of an opt.Field.
const (
	optionNull = 1
	optionSet  = 2
)

// plain stores a struct all of whose members are there.
func (m *marshaler) plain(s *source, p mem.Ptr, out *Value) bool {
	slots := m.slots(s.shape)
	for i := range s.fields {
		f := &s.fields[i]
		from, at := f.source, f.offset
		if f.kind != noOption {
			if !f.isSet(p) {
				continue // the slot is null
			}
			from, at = f.elem, f.value
		}
		if from.code == sourceString { // most members are
			slots[i+1] = String(*mem.At[string](p.Field(at)))
		} else if !m.value(from, p.Field(at), &slots[i+1]) {
			return m.in(step{f.field.Name, -1})
		}
	}
	*out = mapOf(slots)
	return true
}

// masked stores a struct that may lack members.
func (m *marshaler) masked(s *source, p mem.Ptr, out *Value) bool {
	if s.isWhole(p) {
		return m.plain(s, p, out)
	}
	var mask uint64
	for i := range s.fields {
		if f := &s.fields[i]; f.omit == omitNever || f.omit == omitOption && !f.isZero(p) ||
			f.omit != omitOption && !f.at(p).IsNil() {
			mask |= 1 << i
		}
	}
	slots := m.slots(s.masked(mask))
	for k := 1; mask != 0; k++ {
		f := &s.fields[bits.TrailingZeros64(mask)]
		mask &= mask - 1
		from, at := f.source, p
		switch {
		case f.kind != noOption:
			if !f.isSet(p) {
				continue // the slot is null
			}
			from, at = f.elem, p.Field(f.value)
		case len(f.field.Embeds) == 0 && !f.field.Fixed():
			at = p.Field(f.offset)
		default:
			if at = f.field.Written(p); at.IsNil() {
				continue // a method has taken it away
			}
		}
		if !m.value(from, at, &slots[k]) {
			return m.in(step{f.field.Name, -1})
		}
	}
	*out = mapOf(slots)
	return true
}

// wide stores a struct member by member.
func (m *marshaler) wide(s *source, p mem.Ptr, out *Value) bool {
	if s.isWhole(p) {
		return m.plain(s, p, out)
	}
	b := newBuilder(len(s.fields))
	for i := range s.fields {
		f := &s.fields[i]
		q := f.at(p)
		if q.IsNil() {
			continue
		}
		var x Value
		if !m.value(f.source, q, &x) {
			return m.in(step{f.field.Name, -1})
		}
		b.add(f.field.Name, x)
	}
	if s.rest != nil {
		if q := s.rest.at(p); !q.IsNil() {
			var rest Value
			if !m.value(s.rest.source, q, &rest) {
				return false
			}
			for name, x := range rest.Members() {
				if b.find(name) >= 0 {
					return m.fail(fmt.Errorf("%w %q", weft.ErrDuplicateName, name))
				}
				b.add(name, x)
			}
		}
	}
	*out = b.done()
	return true
}

// list stores n elements.
func (m *marshaler) list(elem *source, a mem.Array, n int, out *Value) bool {
	if !m.enter() {
		return false
	}
	elems := m.values(n)
	for i := range elems {
		if !m.value(elem, a.At(elem.mem, i), &elems[i]) {
			return m.in(step{index: i})
		}
	}
	m.depth--
	*out = listOf(elems)
	return true
}

// anySource is that of an any, and remembers the shape of map[string]any.
var anySource = source{code: sourceAny, mem: mem.TypeOf(reflect.TypeFor[any]())}

// anyMap stores a map whose type is s's.
func (m *marshaler) anyMap(s *source, from map[string]any, out *Value) bool {
	if from == nil {
		*out = Value{}
		return true
	}
	if !m.enter() {
		return false
	}
	if s == nil {
		s = &anySource
	}
	// Maps often have the names of the one before.
	sh := s.last.Load()
	if sh.Len() != len(from) {
		sh = shapeOf(s, from)
	}
	slots := m.slots(sh)
	for i := 1; i < len(slots); i++ {
		x, ok := from[sh.Names[i-1]]
		if !ok {
			sh, i = shapeOf(s, from), 0
			slots[0].ref = mem.RefTo(sh)
			continue
		}
		if !m.any(x, &slots[i]) {
			return m.in(step{sh.Names[i-1], -1})
		}
	}
	m.depth--
	*out = mapOf(slots)
	return true
}

func (m *marshaler) textMap(s *source, from map[string]string, out *Value) {
	if from == nil {
		*out = Value{}
		return
	}
	sh := s.last.Load()
	if sh.Len() != len(from) {
		sh = shapeOf(s, from)
	}
	slots := m.slots(sh)
	for i := 1; i < len(slots); i++ {
		x, ok := from[sh.Names[i-1]]
		if !ok {
			sh, i = shapeOf(s, from), 0
			slots[0].ref = mem.RefTo(sh)
			continue
		}
		slots[i] = String(x)
	}
	*out = mapOf(slots)
}

// shapeOf returns the shape of a map.
func shapeOf[T any](s *source, from map[string]T) *tree.Shape {
	names := slices.AppendSeq(make([]string, 0, len(from)), maps.Keys(from))
	slices.Sort(names)
	return s.remember(tree.NewShape(names))
}

// remember makes sh the shape to try for the next map.
func (s *source) remember(sh *tree.Shape) *tree.Shape {
	if n := sh.Len(); 0 < n && n <= tree.MaxShared {
		s.last.Store(sh)
	}
	return sh
}

// goMap stores a map of any type.
func (m *marshaler) goMap(s *source, p mem.Ptr, out *Value) bool {
	from := p.Value(s.mem)
	if from.IsNil() {
		return m.null(s, out)
	}
	if !m.enter() {
		return false
	}
	n := from.Len()
	e := s.entries.Get().(*mem.Entry)
	ok := false
	if sh := s.last.Load(); s.code == sourceStringMap && sh.Len() == n && n > 0 {
		ok = m.knownNames(s, e, from, sh, out)
	}
	if !ok && m.err == nil {
		ok = m.newNames(s, e, from, out)
	}
	if ok {
		s.entries.Put(e)
		m.depth--
	}
	return ok
}

// knownNames stores a map whose names are those of sh; it returns false without an
// error if they are others.
func (m *marshaler) knownNames(s *source, e *mem.Entry, from reflect.Value, sh *tree.Shape, out *Value) bool {
	slots := m.slots(sh)
	hint := 0
	for e.Range(from); e.Next(); {
		name := *mem.At[string](e.Key)
		i := sh.Find(name, hint)
		if i < 0 {
			clear(slots[1:])
			return false
		}
		if !m.value(s.elem, e.Elem, &slots[i+1]) {
			return m.in(step{name, -1})
		}
		hint = i + 1
	}
	*out = mapOf(slots)
	return true
}

func (m *marshaler) newNames(s *source, e *mem.Entry, from reflect.Value, out *Value) bool {
	members := make([]Member, 0, from.Len())
	for e.Range(from); e.Next(); {
		name, err := s.name(e)
		if err != nil {
			return m.fail(err)
		}
		members = append(members, Member{Name: name})
		if !m.value(s.elem, e.Elem, &members[len(members)-1].Value) {
			return m.in(step{name, -1})
		}
	}
	slices.SortFunc(members, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	names := make([]string, len(members))
	for i := range members {
		if names[i] = members[i].Name; i > 0 && names[i] == names[i-1] {
			return m.fail(fmt.Errorf("%w %q", weft.ErrDuplicateName, names[i]))
		}
	}
	slots := m.slots(s.remember(tree.NewShape(names)))
	for i := range members {
		slots[i+1] = members[i].Value
	}
	*out = mapOf(slots)
	return true
}

// name returns the key of the entry as a name.
func (s *source) name(e *mem.Entry) (string, error) {
	if s.plan.KeyMarshal == plan.KeyString {
		return *mem.At[string](e.Key), nil
	}
	return s.plan.KeyName(e.KeyValue())
}
