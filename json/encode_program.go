package json

import (
	"math"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/structwire"
)

// receiver says what of a value has the methods of a hook.
type receiver uint8

const (
	byAddress   receiver = iota // the address of the value; stands in for the value too
	byPointer                   // the value, a pointer
	byInterface                 // what is in the value, an interface
)

// program is how values of one type are encoded. It is immutable once published, but for what it
// remembers of the sizes of its results.
type program struct {
	code  op
	via   receiver // of hooks
	leaf  bool     // no pointer, map, slice or interface is below: it cannot be part of a cycle
	addr  bool     // it is for values that can be addressed: pointer receivers count for them
	alike bool     // of opMap: different keys may have one name, where encoding/json/v2's rules hold
	full  bool     // of a strict type without null: what is nil is written as what is empty, or is an error
	key   plan.KeyKind
	// common is the type of a map that needs no reflection.
	common mapOp
	n      int // of opArray: the length
	rtype  reflect.Type
	mem    *mem.Type
	elem   *program
	first  *put                  // of opStruct: the first member
	object structwire.Object     // of opStruct, for runs
	lists  *[2]structwire.Member // of opStruct: how runs write lists of such structs, and of pointers to them
	rest   *put                  // of opStruct: the map that holds the members which no field names
	opt    *plan.OptionInfo
	at     mem.Field   // of opWithin
	codec  *weft.Codec // of opWeft, nil for MarshalWeft
	name   *weft.Codec // of the keys of opMap where key is plan.KeyCodec
	// fn is of opFunc.
	fn     func(e *encoder, b []byte, p mem.Ptr) ([]byte, error)
	union  *plan.Union // of opUnion
	cases  []*program  // of opUnion
	under  *program    // of opTo, opStd: what is done where the method does not; of opMap: see keys
	beside *folding    // of the opMap of a rest, where no name may come twice
	box    *mem.Box    // of opJSON, opText: how an address has the method

	appends bool // of opText: the method is AppendText, which is the same

	waits atomic.Pointer[plan.Type] // while the members of a opStruct are not known: see [programs.complete]
	spec  *spec                     // what the field says of the value, nil for nothing
	next  *program                  // another one of the type

	size sizer
	pool sync.Pool // of *mapRange, for opMap
}

// put is one member of a struct. Of its name, `,"name":`, the first bytes are always written whole, by two stores. Off
// is from the struct, and State is where the state of an option is whose value is written, and where what omitInt looks
// at is.
type put struct {
	structwire.Member
	sub  *program
	next *put // the next member, or nil: with it the loop has one thing to keep instead of two
	slow *putSlow
	omit omission
	code op // of sub
}

// putSlow is what few members have.
type putSlow struct {
	rest     string // what of the name comes after nameRoom bytes
	empty    bool   // the member is left out if it is empty,
	zero     bool   // or if it is zero
	indirect bool   // only [plan.Field.Written] tells where the value is
	back     bool   // the member is taken back if its text is empty: see [compiler.emptiness]
	field    *plan.Field
}

// nameRoom is the length of the names that fit a put.
const nameRoom = len(structwire.Member{}.Name)

// omission says when a member is left out, where no kernel does it.
type omission uint8

const (
	omitNever omission = iota
	omitInt            // where an int is zero, such as the length of a string
	omitSlow           // as [put.reach] says
)

// ranges sets how the maps of pr are ranged over: by a range statement, if their elements are written as they are by
// default.
func (pr *program) ranges() {
	k := mapOpOf(pr.rtype)
	if (k == mapOther || k == mapStrings) && pr.key == plan.KeyString {
		switch t := pr.rtype; pr.elem.code {
		case opString:
			k = pick(mem.NamedMap(t, "v"), mapString, mapOther)
		case opAny:
			k = pick(mem.NamedMap[any](t, "v"), mapAny, mapOther)
		case opBool:
			k = pick(mem.NamedMap(t, true), mapBool, mapOther)
		case opInt:
			k = pick(mem.NamedMap(t, 1), mapInt, mapOther)
		case opStruct:
			k = pick(mem.NamedMap(t, struct{}{}), mapNone, mapOther)
		case opPointer, opJSON, opText:
			k = pick((pr.elem.code == opPointer || pr.elem.via == byPointer) && mem.SimilarMap[*byte](t), mapPtr, mapOther)
		case opSlice:
			k = pick(mem.SimilarMap[[]byte](t), mapList, mapOther)
		}
	}
	if k == mapPtr || pr.elem.code == mapCodes[k] {
		pr.common = k
	}
}

// mapCodes are how the elements of maps are written by default.
var mapCodes = [...]op{
	mapAny: opAny, mapString: opString, mapBool: opBool, mapInt: opInt, mapNone: opStruct, mapList: opSlice,
}

var (
	stringType  = reflect.TypeFor[string]()
	stringsType = reflect.TypeFor[[]string]()
	anyType     = reflect.TypeFor[any]()
)

// compiler makes programs of plans. It shares programs with the ones that came before it.
type compiler struct {
	built []*program // by the ID of the plan, the last one of a type first
	plans *plan.Set
	flags encodeFlags
	mode  *mode
}

// root returns the program for values of type t in an interface.
func (c *compiler) root(t reflect.Type) *program {
	pr := c.specified(c.plans.Of(t), c.mode.v2(setting.LegacyMethods), c.mode.root)
	c.leaf(pr)
	return pr
}

// leaf reports whether pr is one, for which the members of a struct must be known.
func (c *compiler) leaf(pr *program) bool {
	_ = c.complete(pr) // its own values tell what is wrong with it
	return pr.leaf
}

// complete finds out which members pr has, a struct, or returns what is wrong with it. Those of a struct that others
// lead to, rather than hold, wait until a value comes: a type may lead to thousands of others of which none ever does.
func (c *compiler) complete(pr *program) error {
	t := pr.waits.Load()
	if t == nil {
		return nil
	}
	err := ruleFault(t)
	switch {
	case err != nil:
	case c.mode.v2(setting.LegacyErrors):
		err = refusal(t, true)
	case c.flags&flagV2 == 0:
		err = tagFault(t)
	}
	if err != nil {
		return err
	}
	c.members(pr, t, pr.addr || c.mode.v2(setting.LegacyMethods))
	pr.ready()
	pr.waits.Store(nil)
	return nil
}

// program returns the program of t. addr reports whether encoding/json could address the value.
func (c *compiler) program(t *plan.Type, addr bool) *program { return c.specified(t, addr, spec{}) }

// specified returns the program of t for a field with options that matter to values.
func (c *compiler) specified(t *plan.Type, addr bool, s spec) *program {
	if t.ID >= len(c.built) {
		c.built = append(c.built, make([]*program, max(c.plans.Len(), t.ID+1)-len(c.built))...)
	}
	for pr := c.built[t.ID]; pr != nil; pr = pr.next {
		if pr.addr == addr && (pr.spec == nil && s == spec{} || pr.spec != nil && *pr.spec == s) {
			return pr
		}
	}
	pr := new(program)
	pr.rtype, pr.mem, pr.full = t.Rtype, t.Mem, t.NoNull
	pr.addr, pr.next = addr, c.built[t.ID]
	c.built[t.ID] = pr
	if s != (spec{}) {
		pr.spec = &spec{s.format, s.quoted, s.bare, s.name}
	}
	if c.mode != plainMode || pr.spec != nil {
		c.modeProgram(pr, t, addr, s)
	} else if t.Union != nil {
		c.union(pr, t)
	} else if !c.known(pr, t) && !c.method(pr, t, addr, s) {
		c.describe(pr, t, addr)
	}
	if pr.waits.Load() == nil {
		if err := ruleFault(t); err != nil {
			pr.failing(err)
		}
	}
	return pr
}

// describe makes pr the program of t without regard to t's own methods.
func (c *compiler) describe(pr *program, t *plan.Type, addr bool) {
	pr.code = scalars[t.Kind]
	switch t.Kind {
	case plan.Any, plan.Interface:
		return
	case plan.Option:
		pr.code, pr.opt = opOption, t.Option
		pr.elem = c.program(t.Option.Value, true) // as their methods do
		pr.leaf = c.leaf(pr.elem)
	case plan.Pointer:
		pr.code = opPointer
		pr.elem = c.program(t.Elem, true)
	case plan.Slice:
		pr.code = opSlice
		pr.elem = c.program(t.Elem, true)
	case plan.Array, plan.ByteArray:
		pr.code, pr.n = opArray, t.Len
		pr.elem = c.program(t.Elem, addr)
		pr.leaf = c.leaf(pr.elem)
	case plan.Map:
		pr.key, pr.name = t.KeyMarshal, t.KeyCodec
		if c.flags&flagV2 != 0 {
			c.keys(pr, t)
		}
		if pr.key == plan.KeyNone {
			break
		}
		pr.code = opMap
		pr.elem = c.program(t.Elem, c.mode.v2(setting.LegacyMethods))
		if !pr.alike {
			pr.ranges()
		}
	case plan.Struct:
		pr.code = opStruct
		pr.waits.Store(t)
	default:
		pr.leaf = true
	}
	if c.flags&flagStringNumbers != 0 && (opInt <= pr.code && pr.code <= opFloat64 || pr.code == opNumber) {
		pr.elem = &program{code: pr.code, rtype: pr.rtype, mem: pr.mem, leaf: true}
		pr.code, pr.leaf = opQuoted, true
	}
}

// members makes the ops of the fields of t.
func (c *compiler) members(pr *program, t *plan.Type, addr bool) {
	pr.leaf = true
	members := t.Members()
	ops, slow := make([]put, len(members)), make([]putSlow, len(members))
	for i := range members {
		ops[i].slow = &slow[i]
		c.member(&ops[i], &members[i], addr)
		pr.leaf = pr.leaf && len(members[i].Embeds) == 0 && c.leaf(ops[i].sub) // behind a pointer it may be t again
		if i > 0 {
			ops[i-1].next, ops[i-1].Next = &ops[i], &ops[i].Member
		}
	}
	if len(ops) > 0 {
		pr.first, pr.object.First = &ops[0], &ops[0].Member
	}
	if t.Rest() != nil {
		pr.leaf = false
		pr.rest = &put{slow: new(putSlow)}
		c.member(pr.rest, t.Rest(), addr)
		if c.flags&flagV2 != 0 {
			c.mode.code.rest(c, pr, t)
		}
	}
}

func (c *compiler) member(o *put, f *plan.Field, addr bool) {
	o.Off = f.Offset
	o.sub = c.specified(f.Type, addr || len(f.Embeds) > 0, c.specOf(f))
	if _, around := c.mode.quoted(f); around {
		o.sub = c.quoted(f.Type, o.sub)
	}
	indirect := len(f.Embeds) > 0 || f.Fixed()
	*o.slow = putSlow{indirect: indirect, field: f}
	c.omission(o, f)
	c.name(o, f)
	if f.OmitEmpty && c.mode.v2(setting.LegacyOmitEmpty) {
		_, o.slow.back = c.emptiness(f)
	}
	if f.Type.Kind == plan.Option && !indirect && o.sub.code == opOption && !o.slow.back {
		o.optional(f.Type.Option)
	}
	o.byLength()
	o.run()
	if o.code = o.sub.code; o.slow.rest != "" || o.slow.back {
		o.code = opLong
	} else if o.code == opPointer && o.sub.full {
		o.code = opFunc // which looks at nil
	}
}

// name makes the name of o, apart from [compiler.member], whose frames lie on each other.
//
//go:noinline
func (c *compiler) name(o *put, f *plan.Field) {
	name := make([]byte, 0, len(f.Name)+4)
	name = append(name, `,"`...)
	if c.flags&flagEscapeHTML != 0 {
		name = wire.AppendHTMLEscape(name, []byte(f.Name), true, true)
	} else {
		name = append(name, f.Name...)
	}
	name = append(name, `":`...)
	escaped := strings.ContainsFunc(f.Name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' })
	if c.flags&flagV2 != 0 || escaped { // whose names may be any text
		name, _ = (&encoder{flags: c.flags &^ flagRefuseUTF8}).text([]byte{','}, f.Name)
		name = append(name, ':')
	}
	o.N = uint8(copy(o.Name[:], name))
	o.slow.rest = string(name[o.N:])
}

// byLength makes the omission of a pointer one that looks at the length of what is there, if that says whether the text
// is empty.
func (o *put) byLength() {
	if !o.slow.back || o.omit != omitInt || o.sub.code != opPointer || o.sub.elem == nil {
		return
	}
	switch o.sub.elem.code {
	case opString, opSlice, opBytes:
		o.omit, o.Omit = omitSlow, structwire.NilLength
		o.slow.back = false
	}
}

// quoted returns the program of a scalar, or a pointer to one, whose tag says string.
func (c *compiler) quoted(t *plan.Type, pr *program) *program {
	switch {
	case pr.code == opPointer:
		out := &program{code: opPointer, rtype: pr.rtype, mem: pr.mem}
		out.elem = c.quoted(t.Elem, pr.elem)
		return out
	case opBool <= pr.code && pr.code <= opString || pr.code == opNumber:
		return &program{code: opQuoted, rtype: pr.rtype, mem: pr.mem, elem: pr, leaf: true}
	}
	return pr // a type with methods
}

// omission sets when o, the member for f, is left out.
func (c *compiler) omission(o *put, f *plan.Field) {
	t := f.Type
	empty, zero := f.OmitEmpty, f.OmitZero || c.flags&flagOmitZeroFields != 0
	if empty && c.mode.v2(setting.LegacyOmitEmpty) {
		empty, _ = c.emptiness(f)
	}
	if t.Kind == plan.Option && t.Option.Kind != setting.OptionNullable {
		empty = true // an absent value is not a member
	}
	if empty && t.Empty == plan.EmptyNever {
		empty = false
	}
	kind := t.Rtype.Kind()
	if zero && !empty && f.Zero == plan.ZeroValue {
		// What is zero of these kinds is empty, and the other way around.
		switch kind {
		case reflect.String, reflect.Pointer, reflect.Bool,
			reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
			reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float64:
			empty, zero = true, false
		}
	}
	o.slow.empty, o.slow.zero = empty, zero
	if empty || zero || o.slow.indirect {
		o.omit = omitSlow
	}
	stands := f.Fixed() && len(f.Embeds) == 0 && o.sub.code == opString && !empty && !zero
	at, length := o.Off, empty && (kind == reflect.String || kind == reflect.Slice)
	if length || stands {
		at = at.Length()
	}
	near, ok := at.Near()
	if stands && ok {
		o.Omit, o.State = structwire.Stands, near
	}
	if !ok || empty == zero || o.slow.indirect {
		return
	}
	o.State = near
	const words = math.MaxInt == math.MaxInt64
	switch {
	case zero && f.Zero != plan.ZeroValue:
	case length:
		o.omit, o.Omit = omitInt, structwire.ZeroWord
	case zero && words && (kind == reflect.Slice || kind == reflect.Map || kind == reflect.Interface):
		o.omit, o.Omit = omitInt, structwire.ZeroWord // what is nil has no first word
	case zero:
	case kind == reflect.Float64:
		o.Omit = structwire.ZeroFloat
	case kind == reflect.Map || kind == reflect.Interface:
		o.Omit = structwire.ZeroWord // if it is nil: see [encoder.valueOf]
	case t.Empty != plan.EmptyZero || !t.ZeroBytes || mem.Safe:
	case t.Size == 8:
		o.omit, o.Omit = pick(words, omitInt, omitSlow), structwire.ZeroWord
	case t.Size == 4:
		o.Omit = structwire.ZeroHalf
	case t.Size == 1:
		o.Omit = structwire.ZeroByte
	}
}

// optional lets o write the value of an option, and look at its state for the omission.
func (o *put) optional(opt *plan.OptionInfo) {
	state, ok := o.Off.Then(opt.State).Near()
	if !ok || o.sub.elem == nil { // nil: in a circle
		return
	}
	switch {
	case opt.Kind == setting.OptionField:
		o.Omit = structwire.Option
	case opt.Kind == setting.OptionNullable && o.omit == omitNever:
		o.Omit = structwire.NullByte
	default:
		o.Omit = structwire.ZeroByte
	}
	o.omit, o.State = omitSlow, state
	o.slow.empty, o.slow.zero = false, false
	o.Off = o.Off.Then(opt.V)
	o.sub = o.sub.elem
}

// reach returns where the value of the member o of the struct at p is, and whether there is a null instead. It returns
// the zero Ptr when the member is left out, or is behind an embedded pointer that is nil: then there is no such member.
func (o *put) reach(p mem.Ptr) (at mem.Ptr, null bool) {
	w := o.slow
	if !w.indirect {
		at = p.Field(o.Off)
	} else if at = w.field.Written(p); at.IsNil() {
		return at, false
	}
	out := false
	switch {
	case w.empty || w.zero:
		out = w.empty && w.field.Type.IsEmpty(at) || w.zero && w.field.IsZero(at)
	case o.Omit == structwire.ZeroByte:
		out = *mem.At[uint8](p.Near(o.State)) == 0
	case o.Omit == structwire.NullByte:
		null = *mem.At[uint8](p.Near(o.State)) == 0
	case o.Omit == structwire.Option:
		state := *mem.At[uint8](p.Near(o.State))
		out, null = state != optionNull && state != optionSet, state == optionNull
	}
	if !out && o.Omit == structwire.NilLength {
		out = w.field.Type.Elem.IsEmpty(at.Deref(o.sub.elem.mem))
	}
	if out {
		return mem.Ptr{}, false
	}
	return at, null
}
