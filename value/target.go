package value

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/tree"
)

// target is a Go type compiled into how its values are made. It is immutable.
type target struct {
	code     targetCode
	mem      *mem.Type
	plan     *plan.Type
	elem     *target // of pointers, slices, arrays, maps and options
	unruled  *target // of a type that has rules of its own: how values are made before they are checked
	fields   []targetField
	names    *tree.Shape // the names of the fields, alternates after them
	owner    []int       // the field that each of these names leads to
	need     bool        // some field is required
	directed bool        // some is so in requests or responses alone, or others are refused
	rest     *targetField
	entries  *sync.Pool              // of *mem.Entry for a map's type
	later    *plan.Later[rootTarget] // of a struct of which no value has come yet

	seen  atomic.Pointer[tree.Shape] // of the map met last
	route atomic.Pointer[route]      // for maps of a shape met twice
}

// meet returns t, or, now that a value has come, the target of it.
func (t *target) meet() *target {
	if t.later != nil {
		return t.met()
	}
	return t
}

//go:noinline
func (t *target) met() *target {
	if root, err := t.later.Meet(plan.Unmarshal); err == nil {
		return root.target
	}
	return t
}

type targetField struct {
	*target
	offset   mem.Field
	field    *plan.Field
	how      storage
	optional // if it is written whole or not at all
}

// storage is how a field is stored.
type storage uint8

const (
	storeAny    storage = iota // by unmarshaler.field
	storePlain                 // by its target alone: it is no option, has no rules, and no embedded pointers lead to it
	storeOption                // the same of an option that is written whole, if there is a value
)

// route is how the members of the maps of one shape go to the fields of a struct.
type route struct {
	shape   *tree.Shape
	field   []int // for each member its field, -1 for none, noTaker where nothing takes it
	missing error // what is required and not there
}

const noTaker = -2

// rootTarget is the target of a type that pointers in interfaces point at.
type rootTarget struct {
	*target
	err error // what is impossible in the type
}

type targetCode uint8

const (
	targetBad targetCode = iota
	targetBool
	targetInt
	targetInt8
	targetInt16
	targetInt32
	targetInt64
	targetUint
	targetUint8
	targetUint16
	targetUint32
	targetUint64
	targetUintptr
	targetFloat32
	targetFloat64
	targetString
	targetBytes
	targetByteArray
	targetTime
	targetNumber
	targetAny
	targetInterface
	targetPointer
	targetSlice
	targetArray
	targetMap
	targetAnyMap  // map[string]any
	targetTextMap // map[string]string
	targetStruct
	targetOption
	targetLate // a struct of which no value has come yet
	targetValue
	targetWeft
	targetText
	targetRuled // unruled, and then the rules of the type
)

var targetOfKind = map[plan.Kind]targetCode{
	plan.Bool: targetBool, plan.Int: targetInt, plan.Int8: targetInt8, plan.Int16: targetInt16, plan.Int32: targetInt32,
	plan.Int64: targetInt64, plan.Uint: targetUint, plan.Uint8: targetUint8, plan.Uint16: targetUint16,
	plan.Uint32: targetUint32, plan.Uint64: targetUint64, plan.Uintptr: targetUintptr, plan.Float32: targetFloat32,
	plan.Float64: targetFloat64, plan.String: targetString, plan.Bytes: targetBytes, plan.ByteArray: targetByteArray,
	plan.Time: targetTime, plan.Duration: targetInt64, plan.Number: targetNumber, plan.Any: targetAny,
	plan.Interface: targetInterface, plan.Pointer: targetPointer, plan.Slice: targetSlice, plan.Array: targetArray,
	plan.Map: targetMap, plan.Struct: targetStruct, plan.Option: targetOption,
}

// targetOf returns how what out, a pointer, points at is made; nil if out is no
// pointer.
func (d *dialect) targetOf(out any) *rootTarget {
	if t := d.targets.Find(out); t != nil {
		return t
	}
	return d.makeTarget(reflect.TypeOf(out))
}

func (d *dialect) makeTarget(rt reflect.Type) *rootTarget {
	if rt == nil || rt.Kind() != reflect.Pointer {
		return nil
	}
	return d.targets.Make(rt, func() *rootTarget {
		t := d.plans.Of(rt.Elem())
		return &rootTarget{target: d.target(t), err: d.problem(t, plan.Unmarshal)}
	})
}

// farTarget returns the target of t, values of which pointers, slices and maps lead to.
func (d *dialect) farTarget(t *plan.Type) *target {
	if t.Kind != plan.Struct {
		return d.target(t)
	}
	x := d.lateTargets[t]
	if x == nil {
		x = &target{code: targetLate, mem: t.Mem, plan: t}
		x.later = d.targets.Later(func() (*rootTarget, [2]error) {
			return &rootTarget{target: d.target(t)}, [2]error{plan.Unmarshal: d.problem(t, plan.Unmarshal)}
		})
		d.lateTargets[t] = x
	}
	if root := x.later.Made(d.targetSet[t] != nil); root != nil {
		return root.target
	}
	return x
}

// target returns how values of t are made.
func (d *dialect) target(t *plan.Type) *target {
	if x, ok := d.targetSet[t]; ok {
		return x
	}
	x := &target{mem: t.Mem, plan: t}
	d.targetSet[t] = x
	d.fillTarget(x)
	if t.Rules != nil {
		x.unruled = &target{mem: t.Mem, plan: t}
		d.fillTarget(x.unruled)
		x.code = targetRuled
	}
	return x
}

// fillTarget makes x the target of its type, without the rules of that.
func (d *dialect) fillTarget(x *target) {
	t := x.plan
	hooks := t.Hooks.UnmarshalAddr
	switch {
	case t.Rtype == valueType:
		x.code = targetValue
		return
	case t.Kind == plan.Time || t.Kind == plan.Option:
	case hooks.Has(hookWeft):
		x.code = targetWeft
		return
	case hooks.Has(hookText):
		x.code = targetText
		return
	}
	x.code = targetOfKind[t.Kind]
	switch t.Kind {
	case plan.Array, plan.Bytes, plan.ByteArray:
		x.elem = d.target(t.Elem)
	case plan.Pointer, plan.Slice:
		x.elem = d.farTarget(t.Elem)
	case plan.Map:
		x.elem = d.farTarget(t.Elem)
		x.entries = &sync.Pool{New: func() any { return mem.NewEntry(t.Rtype) }}
		switch {
		case t.KeyUnmarshal == plan.KeyNone:
			x.code = targetBad
		case t.Rtype.ConvertibleTo(anyMapType):
			x.code = targetAnyMap
		case t.Rtype.ConvertibleTo(textMapType):
			x.code = targetTextMap
		}
	case plan.Option:
		x.elem = d.target(t.Option.Value)
	case plan.Struct:
		d.targetStruct(x)
	}
}

func (d *dialect) targetStruct(x *target) {
	t := x.plan
	members := t.Members()
	x.fields = make([]targetField, len(members))
	x.directed = t.Closed
	names := make([]string, len(members))
	x.owner = make([]int, len(members))
	for i := range members {
		f := &members[i]
		names[i], x.owner[i] = f.Name, i
		o := d.target(f.Type)
		if o.unruled != nil && f.Rules != nil && f.Type.Inlined() {
			o = o.unruled
		}
		x.fields[i] = targetField{target: o, offset: f.Offset, field: f}
		if o.code == targetOption && o.elem != nil && o.elem.code <= targetNumber {
			x.fields[i].optional = optionalOf(f)
		}
		if f.Unexported && (x.fields[i].code == targetWeft || x.fields[i].code == targetText) {
			x.fields[i].target = &target{mem: f.Type.Mem, plan: f.Type} // no method may be called on it
		}
		if t := &x.fields[i]; len(f.Embeds) == 0 && f.Rules == nil {
			switch {
			case t.kind != noOption:
				t.how = storeOption
			case t.code != targetOption:
				t.how = storePlain
			}
		}
		x.need = x.need || f.Noted()
		x.directed = x.directed || f.ReadOnly || f.WriteOnly || f.Fills
	}
	for i := range members {
		for _, name := range members[i].Alternates {
			names, x.owner = append(names, name), append(x.owner, i)
		}
	}
	x.names = tree.NewShape(names)
	if t.Rest() != nil {
		x.rest = &targetField{target: d.target(t.Rest().Type), offset: t.Rest().Offset, field: t.Rest()}
	}
}

// routeFor returns how maps of shape s go to the fields of t, nil if s has not been
// met before: a route pays for itself the second time only.
func (t *target) routeFor(s *tree.Shape) *route {
	if r := t.route.Load(); r != nil && r.shape == s {
		return r
	}
	if t.seen.Load() != s {
		if s.Len() <= tree.MaxShared {
			t.seen.Store(s)
		}
		return nil
	}
	r := &route{shape: s, field: make([]int, len(s.Names))}
	has := make([]bool, len(t.fields))
	hint := 0
	for i, name := range s.Names {
		if f := t.names.Find(name, hint); f >= 0 {
			f = t.owner[f]
			r.field[i], has[f], hint = f, true, f+1
		} else if r.field[i] = -1; !t.plan.Takes(name) {
			r.field[i] = noTaker
		}
	}
	r.missing = t.missing(has, 0, mem.Ptr{})
	t.route.Store(r)
	return r
}

// missing returns the error for the required fields that are not there, of the struct at p if that is not nil. What has
// a default becomes that.
func (t *target) missing(has []bool, flags uint64, p mem.Ptr) error {
	var names []string
	for i := range t.fields {
		if has[i] {
			continue
		}
		if t.fields[i].field.Fills && !p.IsNil() {
			t.plan.Fill(i, p)
		} else if t.fields[i].field.Needed(flags) {
			names = append(names, t.fields[i].field.Name)
		}
	}
	if names == nil {
		return nil
	}
	return &weft.MissingError{Names: names}
}
