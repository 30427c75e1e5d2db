package plan

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
)

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
	numberType   = reflect.TypeFor[json.Number]()
	rawType      = reflect.TypeFor[json.RawMessage]()
	optionType   = reflect.TypeFor[setting.OptionValue]()
)

// builder builds the nodes that a type needs and the Set does not have. A node
// is entered before its children are built, so that they can refer to it.
type builder struct {
	set   *Set
	fresh *programTable[Type] // the new ones, by their Go types
	order []*Type             // the new ones, with those that are for strict types
	whole []*Type             // the structs of which the members are known now

	scan
}

// scan is what the scan of a struct needs for a while: its fields one by one, and its candidates.
type scan struct {
	field  reflect.StructField
	tag    tag
	places []*place
	room   []candidate
	first  [firstCandidates]candidate // the first room

	unexported bool // there are fields that are not exported
}

// firstCandidates is how many of a struct's fields a builder has memory for.
const firstCandidates = 7

func (b *builder) typeOf(t reflect.Type) *Type {
	id := mem.IDOfType(t)
	if n := b.set.types.Load().find(id); n != nil {
		return n
	}
	if n := b.fresh.find(id); n != nil {
		return n
	}
	n := b.newType(t)
	b.fresh = b.fresh.room(firstRows)
	b.fresh.insert(id, n)
	if c := b.codec(t); c != nil && c.IsValue() {
		n.Kind, n.Codec = Coded, c
		n.Hooks = Hooks{b.set.weft, b.set.weft, b.set.weft, b.set.weft}
		return n
	}
	d := declared(t)
	n.Strict = d != nil && d.Strict
	n.owns = n.Strict
	n.Hooks = b.hooksOf(t, n.owns)
	b.describe(n)
	if d != nil {
		b.obey(n, d)
	}
	n.hold(b.set, false)
	return n
}

// obey notes the rules that the type of n declares.
func (b *builder) obey(n *Type, d *weft.Rules) {
	var err error
	if n.Closed = d.Closed; d.Default != nil {
		if err = n.setDefault(reflect.ValueOf(d.Default)); err != nil {
			n.fault(BadRule, "%v", err)
		}
	}
	if n.Rules, err = b.typeRules(n, d); err != nil {
		n.fault(BadRule, "%v", err)
	}
}

// heldBy returns the plan of t where owner holds it, as a field, an element or in any other way. nullable tells that
// the field has this word.
func (b *builder) heldBy(owner *Type, t reflect.Type, nullable bool) *Type {
	n := b.typeOf(t)
	if !owner.Strict || n.Kind == Coded && (n.Union == nil || !nullable) ||
		n.Kind == Struct && n.Hooks.UnmarshalAddr&b.set.foreign == 0 || n.owns && !nullable {
		return n
	}
	at := &n.within[pick(nullable, 1, 0)]
	if *at == nil {
		*at = b.newType(t)
		(*at).Strict, (*at).owns, (*at).Hooks = true, n.owns, n.Hooks
		if n.Union != nil {
			_ = b.makeUnion(*at, n.Union.decl, false) // the error is that of n
			(*at).Rules = n.Rules.orNull()
			return *at
		}
		b.describe(*at)
		if (*at).Rules = n.Rules; nullable {
			(*at).Rules = n.Rules.orNull()
		}
		(*at).hold(b.set, nullable)
	}
	return *at
}

// hold finishes the plan of n: of a strict type it takes the methods that are for other packages, and finds out whether
// there is a place for null.
func (n *Type) hold(s *Set, nullable bool) {
	if n.owns || n.Kind == Pointer && n.Elem.owns {
		n.Hooks = n.Hooks.without(s.foreign)
	}
	if !n.Strict || nullable {
		return
	}
	switch n.Kind {
	case Any, Raw, Coded:
	case Option:
		n.NoNull = n.Option.Kind == setting.OptionOptional && !n.Option.Null
	case Pointer:
		n.NoNull = !n.Elem.takesNull()
	case Number: // has methods of its own in later releases of Go
		n.NoNull = true
	default:
		n.NoNull = (n.Hooks.UnmarshalAddr|n.Hooks.Unmarshal)&^s.foreign == 0
	}
}

// newType returns a plan of t, which is not described and has no hooks.
func (b *builder) newType(t reflect.Type) *Type {
	n := &b.set.kinds.Take(1, typeRoom)[0]
	n.Rtype, n.Mem, n.Size = t, mem.TypeOf(t), t.Size()
	n.Named, n.Empty, n.ZeroBytes = t.Name() != "", emptyOf(t), zeroBytes(t)
	n.set, n.NoPointers = b.set, n.Mem.NoPointers
	b.order = append(b.order, n)
	return n
}

// makeUnion makes n the union that its rules declare, of which null is not a value where it is strict.
func (b *builder) makeUnion(n *Type, d *weft.Variants, strict bool) error {
	u, err := b.unionOf(n.Rtype, d, strict)
	if err != nil {
		return err
	}
	n.Kind, n.Union, n.Codec = Coded, u, u.codec(n, b.set.config.Dialect)
	n.Hooks = Hooks{b.set.weft, b.set.weft, b.set.weft, b.set.weft}
	return nil
}

// codec returns the codec for t, nil for none.
func (b *builder) codec(t reflect.Type) *weft.Codec {
	if b.set.weft == 0 {
		return nil
	}
	return b.set.config.Dialect.Codec(t)
}

// describe fills in the kind of n and what goes with it.
func (b *builder) describe(n *Type) {
	t := n.Rtype
	n.Kind = kindOf(t.Kind())
	switch n.Kind {
	case Int, Int8, Int16, Int32, Int64:
		n.Bits = uint8(t.Bits())
		if t == durationType {
			n.Kind = Duration
		}
	case Uint, Uint8, Uint16, Uint32, Uint64, Uintptr, Float32, Float64:
		n.Bits = uint8(t.Bits())
	case Complex64, Complex128:
		n.Bits = uint8(t.Bits())
		if !b.set.config.Complex {
			n.fault(BadType, "complex numbers have no form in the format")
		}
	case String:
		if t == numberType {
			n.Kind = Number
		}
	case Interface:
		if t.NumMethod() == 0 {
			n.Kind = Any
		}
	case Pointer:
		n.Elem = b.heldBy(n, t.Elem(), false)
		if n.Elem.Kind == Coded {
			n.Hooks = Hooks{} // the methods are those that the codec takes the place of
		}
		if pointsAtItself(t) {
			n.fault(SelfPointer, "a pointer that only ever points at pointers has no value")
		}
	case Slice:
		n.Elem = b.heldBy(n, t.Elem(), false)
		switch {
		case b.raw(n):
			n.Kind = Raw
		case n.Elem.Kind == Uint8 && n.Elem.Hooks.MarshalAddr == 0:
			n.Kind = Bytes
		}
	case Array:
		n.Elem, n.Len = b.heldBy(n, t.Elem(), false), t.Len()
		if n.Elem.Kind == Uint8 && n.Elem.Hooks.MarshalAddr|n.Elem.Hooks.UnmarshalAddr == 0 {
			n.Kind = ByteArray
		}
	case Map:
		b.describeMap(n)
	case Struct:
		switch kind := optionKind(t); {
		case t == timeType:
			n.Kind = Time
		case kind != setting.OptionNone:
			b.describeOption(n, kind)
		}
	case Unsupported:
		n.fault(BadType, "%s has no form in any format", t.Kind())
	}
}

// complete fills in the fields of n, a struct.
func (b *builder) complete(n *Type) {
	if n.complete.Load() {
		return
	}
	if n.body {
		b.describeBody(n)
	} else {
		b.describeStruct(n)
	}
	b.whole = append(b.whole, n)
}

// raw reports whether n holds an encoded value, and notes its format.
func (b *builder) raw(n *Type) bool {
	if n.Rtype == rawType {
		n.RawFormat = "json"
		return true
	}
	for _, r := range b.set.config.Raws {
		if n.Rtype == r.Rtype {
			n.RawFormat = r.Format
			return true
		}
	}
	return false
}

// describeMap finds out how the keys become names. encoding/json has one order
// of preference to write them, and another one to read them.
func (b *builder) describeMap(n *Type) {
	k := n.Rtype.Key()
	n.Key, n.Elem = b.heldBy(n, k, false), b.heldBy(n, n.Rtype.Elem(), false)
	var plain KeyKind
	switch kind := kindOf(k.Kind()); {
	case kind == String:
		plain = KeyString
	case kind.IsInt():
		plain = KeyInt
	case kind.IsUint():
		plain = KeyUint
	case b.set.config.AnyKeys && kind != Unsupported:
		plain = KeyOther
	}
	n.KeyMarshal, n.KeyUnmarshal = plain, plain
	if c := b.codec(k); c != nil && c.IsKey() {
		n.KeyMarshal, n.KeyUnmarshal, n.KeyCodec = KeyCodec, KeyCodec, c
		return
	}
	at := reflect.PointerTo(k)
	reads := !n.Key.owns && at.Implements(textUnmarshaler)
	// A format apart from encoding/json reads the names that it has written.
	if plain != KeyString && !n.Key.owns && k.Implements(textMarshaler) ||
		reads && b.set.json == 0 && at.Implements(textMarshaler) {
		n.KeyMarshal = KeyText
	}
	if reads {
		n.KeyUnmarshal = KeyText
	}
	if n.KeyMarshal == KeyNone || n.KeyUnmarshal == KeyNone {
		p := n.problem(BadKey, "keys of type %v cannot be names: a string, an integer or a type with %s is needed", k,
			pick(n.KeyMarshal == KeyNone, "MarshalText", "UnmarshalText"))
		p.Marshal, p.Unmarshal = n.KeyMarshal == KeyNone, n.KeyUnmarshal == KeyNone
		n.problems = append(n.problems, p)
	}
}

// hooksOf finds the hooks of t, which may be strict. Options have methods for other libraries, which do what the
// formats do by themselves, and without a call.
func (b *builder) hooksOf(t reflect.Type, strict bool) Hooks {
	of := t
	if of.Kind() == reflect.Pointer && of.Name() == "" {
		of = of.Elem()
	}
	if optionKind(of) != setting.OptionNone {
		return Hooks{}
	}
	return b.set.config.hooksOf(t, pick(strict, b.set.foreign, 0))
}

// optionKind reports whether t is a struct of a value and its state that calls
// itself an option. The shape is looked at so that a struct that embeds an
// option, and so has its methods, is none.
func optionKind(t reflect.Type) uint8 {
	if t.Kind() != reflect.Struct || t.NumField() != 2 || !t.Implements(optionType) {
		return setting.OptionNone
	}
	return optionShape(t)
}

// optionShape is optionKind of what calls itself an option, apart from the frames of those that ask for other types.
//
//go:noinline
func optionShape(t reflect.Type) uint8 {
	if v := t.Field(0); v.Anonymous || v.Name != "V" {
		return setting.OptionNone
	}
	state := t.Field(1)
	kind := reflect.Zero(t).Interface().(setting.OptionValue).OptionKind()
	switch {
	case kind == setting.OptionField && state.Name == "State" && state.Type.Kind() == reflect.Uint8:
		return kind
	case (kind == setting.OptionNullable || kind == setting.OptionOptional) &&
		state.Name == "Valid" && state.Type.Kind() == reflect.Bool:
		return kind
	}
	return setting.OptionNone
}

// describeOption describes n, an option. A nil pointer or interface in one that may be null is that null.
//
//go:noinline
func (b *builder) describeOption(n *Type, kind uint8) {
	t := n.Rtype
	n.Kind = Option
	n.Empty = EmptyOption
	n.Option = &OptionInfo{
		Kind:  kind,
		V:     mem.PlaceOf(b.fieldOf(t, 0)),
		State: mem.PlaceOf(b.fieldOf(t, 1)),
	}
	v := b.fieldOf(t, 0).Type
	null := kind != setting.OptionOptional && (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface)
	n.Option.Value = b.heldBy(n, v, null)
	n.Option.Null = kind == setting.OptionOptional && !n.Option.Value.NoNull && setting.HasNull(v)
}

// takesNull reports whether null is a value of the type in strict types too.
func (n *Type) takesNull() bool {
	switch n.Kind {
	case Any, Raw:
		return true
	case Option:
		return n.Option.Kind != setting.OptionOptional || n.Option.Null
	}
	return false
}

// problem returns a problem of n itself in both directions.
func (n *Type) problem(code Code, format string, args ...any) Problem {
	text := fmt.Sprintf(format, args...)
	return Problem{Rtype: n.Rtype, In: n.Rtype, Code: code, Text: text, Marshal: true, Unmarshal: true}
}

func (n *Type) fault(code Code, format string, args ...any) {
	n.problems = append(n.problems, n.problem(code, format, args...))
}

// pointsAtItself reports whether following pointers from t never ends, through options
// too.
func pointsAtItself(t reflect.Type) bool {
	slow := t
	for even := false; ; even = !even {
		if t = target(t); t == nil {
			return false
		}
		if even {
			slow = target(slow)
		}
		if t == slow {
			return true
		}
	}
}

// target returns the type of what a pointer or an option of type t leads to, nil for
// other types.
func target(t reflect.Type) reflect.Type {
	switch {
	case t.Kind() == reflect.Pointer:
		return t.Elem()
	case optionKind(t) != setting.OptionNone:
		return t.Field(0).Type
	}
	return nil
}

// kindOf returns the kind of the types of reflect kind k that are not special.
func kindOf(k reflect.Kind) Kind {
	switch k {
	case reflect.Bool:
		return Bool
	case reflect.Int:
		return Int
	case reflect.Int8:
		return Int8
	case reflect.Int16:
		return Int16
	case reflect.Int32:
		return Int32
	case reflect.Int64:
		return Int64
	case reflect.Uint:
		return Uint
	case reflect.Uint8:
		return Uint8
	case reflect.Uint16:
		return Uint16
	case reflect.Uint32:
		return Uint32
	case reflect.Uint64:
		return Uint64
	case reflect.Uintptr:
		return Uintptr
	case reflect.Float32:
		return Float32
	case reflect.Float64:
		return Float64
	case reflect.Complex64:
		return Complex64
	case reflect.Complex128:
		return Complex128
	case reflect.String:
		return String
	case reflect.Interface:
		return Interface
	case reflect.Pointer:
		return Pointer
	case reflect.Slice:
		return Slice
	case reflect.Array:
		return Array
	case reflect.Map:
		return Map
	case reflect.Struct:
		return Struct
	}
	return Unsupported
}
