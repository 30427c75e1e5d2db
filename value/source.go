package value

import (
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/tree"
)

// The hooks of types, the preferred ones first.
const (
	hookWeft = iota
	hookText
)

// plans are the plans of the types that values are made from and turned into.
var plans = plan.NewSet(plan.Config{
	Keys:  []string{"value", "weft", "json"},
	Hooks: []plan.Hook{hookWeft: plan.WeftHook(), hookText: plan.TextHook()},
})

// source is a Go type compiled into how its values are read. It is immutable.
type source struct {
	code   sourceCode
	mem    *mem.Type
	plan   *plan.Type
	elem   *source // of pointers, slices, arrays, maps and options
	fields []sourceField
	rest   *sourceField // the map of the members that no field names
	shape  *tree.Shape  // of a struct with all members, where only optional values may be left out

	shapes  atomic.Pointer[[]maskShape] // of a struct without some members
	last    atomic.Pointer[tree.Shape]  // of the map met last
	entries *sync.Pool                  // of *mem.Entry for a map's type
	later   *plan.Later[rootSource]     // of a struct of which no value has come yet
}

// meet returns s, or, now that a value has come, the source of it.
func (s *source) meet() *source {
	if s.later != nil {
		return s.met()
	}
	return s
}

//go:noinline
func (s *source) met() *source {
	if root, err := s.later.Meet(plan.Marshal); err == nil {
		return root.source
	}
	return s
}

// rootSource is the source of a type that values in interfaces have.
type rootSource struct {
	*source
	err    error // what is impossible in the type
	copied bool  // a value in an interface is copied: it has methods on its address
}

type sourceField struct {
	*source
	offset mem.Field
	field  *plan.Field
	omit   omission
	optional
}

// optional is where the parts of a field that is an optional value are, within the
// struct, if no embedded pointer is in the way.
type optional struct {
	kind         optionKind
	state, value mem.Field
}

// optionKind says what the state of an optional value is.
type optionKind uint8

const (
	noOption    optionKind = iota
	optionBool             // of opt.Null and opt.Val
	optionState            // of opt.Field
)

func optionalOf(f *plan.Field) optional {
	if f.Type.Kind != plan.Option || len(f.Embeds) > 0 {
		return optional{}
	}
	o := optional{optionBool, f.Offset.Then(f.Type.Option.State), f.Offset.Then(f.Type.Option.V)}
	if f.Type.Option.Kind == setting.OptionField {
		o.kind = optionState
	}
	return o
}

// isSet reports whether the optional value in the struct at p is there.
func (o *optional) isSet(p mem.Ptr) bool {
	if o.kind == optionState {
		return *mem.At[uint8](p.Field(o.state)) == optionSet
	}
	return *mem.At[bool](p.Field(o.state))
}

// isZero reports whether the optional value in the struct at p says of itself that it
// is zero: a null that is no other state, or absent.
func (o *optional) isZero(p mem.Ptr) bool {
	if o.kind == optionState {
		state := *mem.At[uint8](p.Field(o.state))
		return state != optionNull && state != optionSet // an unknown state is absent
	}
	return !*mem.At[bool](p.Field(o.state))
}

// set makes the optional value in the struct at p one that is there.
func (o *optional) set(p mem.Ptr) {
	if o.kind == optionState {
		*mem.At[uint8](p.Field(o.state)) = optionSet
	} else {
		*mem.At[bool](p.Field(o.state)) = true
	}
}

type sourceCode uint8

const (
	sourceBad sourceCode = iota
	sourceBool
	sourceInt
	sourceInt8
	sourceInt16
	sourceInt32
	sourceInt64
	sourceUint
	sourceUint8
	sourceUint16
	sourceUint32
	sourceUint64
	sourceUintptr
	sourceFloat32
	sourceFloat64
	sourceString
	sourceBytes
	sourceByteArray
	sourceTime
	sourceNumber
	sourceAny
	sourceInterface
	sourcePointer
	sourceSlice
	sourceArray
	sourceMap
	sourceStringMap // map[string]T of any T
	sourceAnyMap    // map[string]any
	sourceTextMap   // map[string]string
	sourceStruct
	sourceMasked // a struct that may lack members
	sourceWide   // a struct that lacks members and has too many for a mask, or holds members that no field names
	sourceOption
	sourceLate // a struct of which no value has come yet
	sourceValue
	sourceWeft
	sourceText
)

var sourceOfKind = map[plan.Kind]sourceCode{
	plan.Bool: sourceBool, plan.Int: sourceInt, plan.Int8: sourceInt8, plan.Int16: sourceInt16, plan.Int32: sourceInt32,
	plan.Int64: sourceInt64, plan.Uint: sourceUint, plan.Uint8: sourceUint8, plan.Uint16: sourceUint16,
	plan.Uint32: sourceUint32, plan.Uint64: sourceUint64, plan.Uintptr: sourceUintptr, plan.Float32: sourceFloat32,
	plan.Float64: sourceFloat64, plan.String: sourceString, plan.Bytes: sourceBytes, plan.ByteArray: sourceByteArray,
	plan.Time: sourceTime, plan.Duration: sourceInt64, plan.Number: sourceNumber, plan.Any: sourceAny,
	plan.Interface: sourceInterface, plan.Pointer: sourcePointer, plan.Slice: sourceSlice, plan.Array: sourceArray,
	plan.Map: sourceMap, plan.Struct: sourceStruct, plan.Option: sourceOption,
}

// omission says when a field is left out.
type omission uint8

const (
	omitNever omission = iota
	omitPath           // behind an embedded pointer that is nil
	omitEmpty
	omitZero
	omitEither
	omitOption // an optional value whose state is its zero
)

// maskShape is the shape of a struct of which only the fields in a mask are there.
type maskShape struct {
	mask  uint64
	shape *tree.Shape
}

// maxMaskShapes bounds the shapes remembered for a struct that lacks members.
const maxMaskShapes = 64

var (
	valueType   = reflect.TypeFor[Value]()
	anyMapType  = reflect.TypeFor[map[string]any]()
	textMapType = reflect.TypeFor[map[string]string]()
)

// dialect is what has been compiled of types under the options of a dialect.
type dialect struct {
	flags uint64
	plans *plan.Set

	sources     plan.Programs[rootSource] // by the type of the value
	sourceSet   map[*plan.Type]*source    // those below others, too
	lateSources map[*plan.Type]*source    // of structs that pointers, slices and maps lead to

	targets     plan.Programs[rootTarget] // by the type of the pointer
	targetSet   map[*plan.Type]*target    // those below others, too
	lateTargets map[*plan.Type]*target    // of structs that pointers, slices and maps lead to
}

func newDialect(set *plan.Set, flags uint64) *dialect {
	return &dialect{
		flags: flags, plans: set, sourceSet: map[*plan.Type]*source{}, targetSet: map[*plan.Type]*target{},
		lateSources: map[*plan.Type]*source{}, lateTargets: map[*plan.Type]*target{},
	}
}

// usual is the dialect without options.
var usual = newDialect(plans, 0)

type dialectKey struct{}

// dialectOf returns the dialect that opts ask for.
func dialectOf(opts []weft.Options) *dialect {
	d := plan.DialectOf(opts)
	if d == nil {
		return usual
	}
	return d.Cache(dialectKey{}, func() any { return newDialect(plans.In(d), d.Flags()) }).(*dialect)
}

// problem returns what is impossible in t, or nil.
func (d *dialect) problem(t *plan.Type, way plan.Direction) error {
	for _, p := range d.plans.CheckNear(t, way) {
		if !p.Silent {
			return &weft.Error{Format: "value", Offset: -1, Err: &p}
		}
	}
	return nil
}

// sourceOf returns how v, which is not nil, is read.
func (d *dialect) sourceOf(v any) *rootSource {
	if s := d.sources.Find(v); s != nil {
		return s
	}
	return d.makeSource(reflect.TypeOf(v))
}

func (d *dialect) makeSource(rt reflect.Type) *rootSource {
	return d.sources.Make(rt, func() *rootSource {
		t := d.plans.Of(rt)
		return &rootSource{source: d.source(t), err: d.problem(t, plan.Marshal), copied: t.MarshalsByAddr()}
	})
}

// farSource returns the source of t, values of which pointers, slices and maps lead to.
func (d *dialect) farSource(t *plan.Type) *source {
	if t.Kind != plan.Struct {
		return d.source(t)
	}
	s := d.lateSources[t]
	if s == nil {
		s = &source{code: sourceLate, mem: t.Mem, plan: t}
		s.later = d.sources.Later(func() (*rootSource, [2]error) {
			return &rootSource{source: d.source(t)}, [2]error{plan.Marshal: d.problem(t, plan.Marshal)}
		})
		d.lateSources[t] = s
	}
	if root := s.later.Made(d.sourceSet[t] != nil); root != nil {
		return root.source
	}
	return s
}

// source returns how values of t are read.
func (d *dialect) source(t *plan.Type) *source {
	if s, ok := d.sourceSet[t]; ok {
		return s
	}
	s := &source{mem: t.Mem, plan: t}
	d.sourceSet[t] = s
	hooks := t.Hooks.MarshalAddr | t.Hooks.Marshal
	switch {
	case t.Rtype == valueType:
		s.code = sourceValue
		return s
	case t.Kind == plan.Time || t.Kind == plan.Option:
	case t.Kind == plan.Pointer: // what it points at has the same methods
	case hooks.Has(hookWeft):
		s.code = sourceWeft
		return s
	case hooks.Has(hookText):
		s.code = sourceText
		return s
	}
	s.code = sourceOfKind[t.Kind]
	switch t.Kind {
	case plan.Pointer, plan.Slice:
		s.elem = d.farSource(t.Elem)
	case plan.Array:
		s.elem = d.source(t.Elem)
	case plan.Map:
		s.elem = d.farSource(t.Elem)
		s.entries = &sync.Pool{New: func() any { return mem.NewEntry(t.Rtype) }}
		switch {
		case t.KeyMarshal == plan.KeyNone:
			s.code = sourceBad
		case t.Rtype.ConvertibleTo(anyMapType):
			s.code = sourceAnyMap
		case t.Rtype.ConvertibleTo(textMapType):
			s.code = sourceTextMap
		case t.KeyMarshal == plan.KeyString:
			s.code = sourceStringMap
		}
	case plan.Option:
		s.elem = d.source(t.Option.Value)
	case plan.Struct:
		d.sourceStruct(s)
	}
	return s
}

func (d *dialect) sourceStruct(s *source) {
	t := s.plan
	members := t.Members()
	s.fields = make([]sourceField, len(members))
	names := make([]string, len(members))
	for i := range members {
		f := &members[i]
		names[i] = f.Name
		s.fields[i] = sourceField{d.source(f.Type), f.Offset, f, omissionOf(f), optionalOf(f)}
		if f.Unexported && (s.fields[i].code == sourceWeft || s.fields[i].code == sourceText) {
			s.fields[i].source = &source{mem: f.Type.Mem, plan: f.Type} // no method may be called on it
		}
		if s.fields[i].omit != omitNever {
			s.code = sourceMasked
		}
	}
	if t.Rest() != nil {
		s.rest = &sourceField{d.source(t.Rest().Type), t.Rest().Offset, t.Rest(), omitPath, optional{}}
	}
	if s.rest != nil || s.code == sourceMasked && len(names) > 64 {
		s.code = sourceWide
	}
	odd := func(f sourceField) bool { return f.omit != omitNever && f.omit != omitOption }
	if s.rest == nil && !slices.ContainsFunc(s.fields, odd) {
		s.shape = tree.NewShape(names)
	}
}

func omissionOf(f *plan.Field) omission {
	empty := f.OmitEmpty && f.Type.Empty != plan.EmptyNever ||
		f.Type.Kind == plan.Option && f.Type.Option.Kind != setting.OptionNullable // an absent value is not a member
	switch {
	case f.Type.Kind == plan.Option && len(f.Embeds) == 0 &&
		(empty || f.OmitZero) && (!f.OmitZero || f.Zero == plan.ZeroMethod):
		// Same as IsEmpty and the type's own IsZero, which ask for the state alone.
		return omitOption
	case empty && f.OmitZero:
		return omitEither
	case empty:
		return omitEmpty
	case f.OmitZero:
		return omitZero
	case len(f.Embeds) > 0 || f.Fixed():
		return omitPath
	}
	return omitNever
}

// at returns the location of the field in the struct at p: the zero Ptr if it is
// left out.
func (f *sourceField) at(p mem.Ptr) mem.Ptr {
	if f.omit == omitOption && f.isZero(p) {
		return mem.Ptr{}
	}
	if len(f.field.Embeds) > 0 || f.field.Fixed() {
		if p = f.field.Written(p); p.IsNil() {
			return p
		}
	} else {
		p = p.Field(f.offset)
	}
	switch f.omit {
	case omitEmpty:
		if f.plan.IsEmpty(p) {
			return mem.Ptr{}
		}
	case omitZero:
		if f.field.IsZero(p) {
			return mem.Ptr{}
		}
	case omitEither:
		if f.plan.IsEmpty(p) || f.field.IsZero(p) {
			return mem.Ptr{}
		}
	}
	return p
}

// isWhole tells at little cost that a struct that may lack members lacks none.
func (s *source) isWhole(p mem.Ptr) bool {
	if s.shape == nil {
		return false
	}
	for i := range s.fields {
		if f := &s.fields[i]; f.omit == omitOption && f.isZero(p) {
			return false
		}
	}
	return true
}

// masked returns the shape of a struct that has the fields in mask alone.
func (s *source) masked(mask uint64) *tree.Shape {
	known := s.shapes.Load()
	if known != nil {
		for i := range *known {
			if m := &(*known)[i]; m.mask == mask {
				return m.shape
			}
		}
	}
	var names []string
	for i := range s.fields {
		if mask>>i&1 != 0 {
			names = append(names, s.fields[i].field.Name)
		}
	}
	m := maskShape{mask, tree.NewShape(names)}
	for {
		var next []maskShape
		if known != nil {
			if next = *known; len(next) >= maxMaskShapes {
				return m.shape
			}
		}
		next = append(next[:len(next):len(next)], m)
		if s.shapes.CompareAndSwap(known, &next) {
			return m.shape
		}
		known = s.shapes.Load()
	}
}
