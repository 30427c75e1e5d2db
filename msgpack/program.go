package msgpack

import (
	"reflect"
	"slices"
	"sync"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// The codes of values that have no kind of the plan.
const (
	cFast     = plan.Kinds + iota // by a function for just this Go type
	cLate                         // a struct of which no value has come yet
	cUnion                        // one of several types
	cAsked                        // of a step: whether a member is left out
	cRuled                        // no nil where the type has no place for it, then unruled, and then its rules
	cAppender                     // the hooks, in the order of hooks below
	cWeft
	cBinary
	cText
)

// The hooks, the preferred ones first.
const (
	hookMsgpack = iota
	hookWeft
	hookBinary
	hookText
)

// program is how values of one Go type are written and read. It is immutable
// once it can be reached.
type program struct {
	enc, dec plan.Kind
	text     bool // it can be read from text although dec is cBinary
	copied   bool // a value in an interface must be copied before it is written
	direct   bool // a pointer to a struct that can be written
	into     bool // a pointer to a value that can be read
	time     bool // and that is a time
	meets    bool // different keys of the map may be the same when they are written
	mem      *mem.Type
	typ      *plan.Type
	elem     *program             // of pointer, slice, array, map, option
	flatRoot *program             // of what is written without an encoder of its own, or of what a pointer to it leads to
	unruled  *program             // of cRuled: how values are read that are not nil, before they are checked
	guard    *program             // of an unruled one without rules: the one that refuses nil
	key      *program             // of map
	cases    []*program           // of union
	later    *plan.Later[program] // of cLate
	slab     int                  // plan.Type.Slab

	encFast, encPairs encodeFunc // encPairs without the header, of maps
	decFast           decodeFunc
	pure              bool // encFast cannot fail but for lengths

	// Of structs.
	array    bool     // laid out as an array whatever the options say
	asMap    bool     // laid out as a map whatever the options say
	omits    bool     // members may be left out
	leaves   bool     // steps.Write finds some of them
	shaped   bool     // shapes are there: programs may be cyclic
	flat     bool     // it is written without an encoder of its own
	nest     int      // structs in structs that are part of shapes
	shapes   [2]shape // laid out as a map and as an array, as far as the type does not say it
	fields   []encField
	slots    []decField
	steps    []expected     // slots for steps.Read
	whole    bool           // it may read all of them
	deep     int            // structs in structs that are part of steps
	keys     *packwire.Keys // names of slots, then their other names
	others   []uint16       // slots of the other names
	required []uint64       // set of the slots that must be met, some in requests or responses alone
	checks   []uint64       // set of the slots whose values obey rules, nil for none
	rest     *plan.Field    // members without a field
	restProg *program

	entries sync.Pool // of *mem.Entry, for maps; of pairs, for cFast
	large   mem.Large // results of Marshal

	faults [2]error // why it cannot be written or read, by plan.Direction
}

// meet returns the program of p if that is a late one, now that a value has come, or p, if there is none.
func (p *program) meet(d plan.Direction) *program {
	if p.later != nil {
		return p.later.Or(p, d)
	}
	return p
}

// How a field differs from one that is always there, directly in the struct.
const (
	fOmitEmpty = 1 << iota
	fOmitZero
	fEmbedded // behind embedded pointers, or written as its one value
	fOption   // an option
	fState    // an option whose state is looked at where the field is
	fNoNil    // nil is an error
	fApart    // it is written by a function for just that
)

// encField writes one member.
type encField struct {
	code   plan.Kind
	flags  uint8
	states states   // of options
	state  mem.Near // of options that are looked at here: where the state is
	omit   plan.Omission
	tells  mem.Near  // what omit looks at
	off    mem.Field // of the field, or of such an option's value
	p      *program
	f      *plan.Field
}

// decField reads one member.
type decField struct {
	code  plan.Kind
	flags uint8
	isSet uint8     // of options: the state of a value
	state mem.Near  // of options: where the state is
	step  uint32    // for steps.Read
	off   mem.Field // of the field, or of an option's value
	p     *program
	f     *plan.Field
	rules *plan.Rules // of the value at off, nil for none and for one that is embedded
}

// states are the states of an option: that of a value, and that which is nil in
// a map, or one that never is.
type states uint8

func statesOf(set, null uint8) states { return states(set | null<<4) }

func (s states) set() uint8  { return uint8(s) & 15 }
func (s states) null() uint8 { return uint8(s) >> 4 }

// set is the plans of all types that MessagePack has met.
var set = plan.NewSet(plan.Config{
	Keys: []string{"msgpack", "weft", "json"},
	Hooks: []plan.Hook{
		hookMsgpack: {Name: "msgpack", Marshal: reflect.TypeFor[Appender](), Unmarshal: reflect.TypeFor[ReaderFrom]()},
		hookWeft:    plan.WeftHook(),
		hookBinary:  plan.BinaryHook(),
		hookText:    plan.TextHook(),
	},
	Raws:    []plan.RawType{{Rtype: reflect.TypeFor[Raw](), Format: "msgpack"}},
	AnyKeys: true,
	Complex: true,
})

// programs is the programs that are finished.
var programs = registry{Registry: plan.Registry[program]{Set: set}}

// registry keeps the program of each type.
type registry struct {
	plan.Registry[program]
	codecs map[reflect.Type]*Codec // nil for none
	exts   map[int8]*Codec
}

// of returns the program of the dynamic type of v, which is not nil.
func (g *registry) of(v any) *program {
	if p := g.Find(v); p != nil {
		return p
	}
	return g.compile(reflect.TypeOf(v))
}

// compile makes the program of a type and publishes it.
func (g *registry) compile(rt reflect.Type) *program {
	return g.Compile(rt, func(t *plan.Type) *program {
		if t.Kind == plan.Pointer {
			g.program(t.Elem)
		}
		p := g.program(t)
		if p.elem != nil && p.elem.enc == cLate {
			p = g.make(t) // the one that others lead to stays as it is
		}
		p.finish(g)
		return p
	})
}

// finish does what must wait until the whole graph of programs is there.
func (p *program) finish(g *registry) {
	p.copied = p.typ.MarshalsByAddr()
	p.faults = g.Faults(p.typ, g.problems)
	p.direct = p.enc == plan.Pointer && p.elem.enc == plan.Struct && p.faults[plan.Marshal] == nil
	root := p
	if p.enc == plan.Pointer {
		root = p.elem
	}
	if p.faults[plan.Marshal] == nil && !p.copied && root.isPure() {
		p.flatRoot = root
	}
	p.into = p.enc == plan.Pointer && p.faults[plan.Unmarshal] == nil
	p.time = p.into && p.elem.dec == plan.Time
}

// far returns the program of t, values of which come behind pointers, in slices or in maps.
func (g *registry) far(t *plan.Type) *program {
	if t.Kind != plan.Struct || g.codec(t.Rtype) != nil {
		return g.program(t)
	}
	return g.Far(t, func() (*program, [2]error) { return g.program(t), g.Faults(t, g.problems) },
		func(l *plan.Later[program]) *program {
			return &program{enc: cLate, dec: cLate, mem: t.Mem, typ: t, later: l}
		})
}

func (g *registry) problems(found []plan.Problem) error {
	if g.codecs != nil {
		found = slices.DeleteFunc(slices.Clone(found), g.solves)
	}
	return plan.Impossible(found)
}

// program returns the program of t, making it and those below unless they are
// there.
func (g *registry) program(t *plan.Type) *program {
	if p := g.ByPlan[t]; p != nil {
		if p.elem == nil && t.Kind == plan.Option {
			p.elem = g.ByPlan[t.Option.Value] // of a type that holds itself: who asks is below it
		}
		return p
	}
	return g.make(t)
}

// make makes the program of t.
func (g *registry) make(t *plan.Type) *program {
	p := &program{mem: t.Mem, typ: t, slab: t.Slab()}
	g.Enter(t, p)
	g.fill(p)
	if t.Rules != nil || t.NoNull && p.dec != plan.Struct {
		p.unruled = &program{mem: t.Mem, typ: t}
		g.fill(p.unruled)
		p.dec = cRuled
		if t.Rules == nil {
			p.unruled.guard = p
		}
	}
	return p
}

// fill makes p the program of its type, without the rules of that.
func (g *registry) fill(p *program) {
	t := p.typ
	if c := g.codec(t.Rtype); c != nil {
		p.enc, p.dec, p.encFast, p.decFast = cFast, cFast, c.put, c.get
		return
	}
	p.enc, p.dec = t.Lower("msgpack", cAppender, cWeft)
	p.text = p.dec >= cAppender && t.Hooks.UnmarshalAddr.Has(hookText)
	if t.Union != nil {
		g.union(p)
		return
	}
	switch t.Kind {
	case plan.Array:
		p.elem = g.program(t.Elem)
	case plan.Pointer, plan.Slice:
		p.elem = g.far(t.Elem)
	case plan.Map:
		p.elem, p.key = g.far(t.Elem), g.keyProgram(t)
		p.meets = !p.key.enc.IsDistinct()
		rt := t.Rtype
		p.entries.New = func() any { return mem.NewEntry(rt) }
	case plan.Option:
		p.elem = g.program(t.Option.Value)
	case plan.Struct:
		g.structure(p)
	}
	if (t.Kind == plan.Slice || t.Kind == plan.Map) && g.codecs == nil {
		p.specialize()
	}
	if t.Strict {
		p.beStrict()
	}
}

// keyProgram returns the program of the keys of map type t: one that the type
// writes as text is text here too.
func (g *registry) keyProgram(t *plan.Type) *program {
	k := g.program(t.Key)
	if k.unruled != nil && k.typ.Rules == nil {
		k = k.unruled // what reads the pairs refuses nil
	}
	if g.codec(t.Key.Rtype) != nil {
		return k
	}
	if t.KeyCodec != nil {
		return textKeys(k, t.KeyCodec)
	}
	plain := k
	if k.unruled != nil {
		plain = k.unruled
	}
	enc, dec := k.enc, plain.dec
	if t.KeyMarshal == plan.KeyText && enc < cAppender {
		enc = cText
	}
	if t.KeyUnmarshal == plan.KeyText && dec < cAppender {
		dec = cText
	}
	if enc == k.enc && dec == plain.dec {
		return k
	}
	p := &program{mem: k.mem, typ: k.typ, enc: enc, dec: dec}
	if plain != k {
		return &program{mem: k.mem, typ: k.typ, enc: enc, dec: cRuled, unruled: p}
	}
	return p
}

// textKeys returns the program of keys that a codec makes strings of.
func textKeys(k *program, c *weft.Codec) *program {
	return &program{
		mem: k.mem, typ: k.typ, enc: cFast, dec: cFast,
		encFast: func(s *encoder, b []byte, q mem.Ptr) []byte {
			text, err := c.KeyText(q.Addr(k.mem))
			if err != nil {
				return s.fail(b, err)
			}
			return s.string(b, text)
		},
		decFast: func(r *Reader, i int, q mem.Ptr) int {
			text, end := r.string(i)
			if end < 0 {
				return end
			}
			if r.guarded(i) {
				return -1
			}
			if err := c.ParseKey(text, q.Addr(k.mem)); err != nil {
				return r.fail(i, err)
			}
			return end
		},
	}
}

// structure compiles the fields of a struct.
func (g *registry) structure(p *program) {
	t := p.typ
	p.array, p.asMap = plan.LayoutOf(t.Rtype, "msgpack", "array")
	members := t.Members()
	names := make([]string, 0, len(members))
	p.fields = make([]encField, len(members))
	p.slots = make([]decField, len(members))
	p.required = make([]uint64, (len(members)+63)/64)
	for i := range members {
		f := &members[i]
		v := g.program(f.Type)
		names = append(names, f.Name)
		e := encField{code: v.enc, p: v, f: f, off: f.Offset}
		d := decField{code: v.dec, p: v, f: f, off: f.Offset}
		if f.Type.NoNull {
			if f.Type.Kind != plan.Option {
				d.flags |= fNoNil
			}
			if v.dec == cRuled && f.Type.Rules == nil {
				d.p, d.code = v.unruled, v.unruled.dec
			}
		}
		if f.Type.Rules != nil && v.unruled == nil {
			d.code = cRuled // v is being made, and will be that
		}
		if v.enc != plan.Option {
			e.omit, e.tells = f.Omission()
		}
		if f.OmitEmpty && f.Type.Empty != plan.EmptyNever {
			e.flags |= fOmitEmpty
		}
		if f.OmitZero {
			e.flags |= fOmitZero
		}
		if len(f.Embeds) > 0 {
			e.flags |= fEmbedded
			d.flags |= fEmbedded
			// f.Offset is within the last of the pointers' structs.
			e.off, d.off = f.Embeds[0].Offset, f.Embeds[0].Offset
		} else if f.Fixed() {
			e.p, e.code = g.fixed(v, f), cFast
		}
		if f.Rules != nil {
			if len(f.Embeds) == 0 {
				d.rules = f.Rules
			}
			if p.checks == nil {
				p.checks = make([]uint64, len(p.required))
			}
			p.checks[i/64] |= 1 << (i % 64)
			if v.unruled != nil && f.Type.Inlined() {
				d.p, d.code = v.unruled, v.unruled.dec
			}
		}
		if v.enc == plan.Option {
			e.option(v)
		}
		if d.code == plan.Option {
			d.option(v)
		}
		if f.Noted() {
			p.required[i/64] |= 1 << (i % 64)
		}
		if e.flags&(fOmitEmpty|fOmitZero|fEmbedded) != 0 || e.flags&(fOption|fState) != 0 && e.states.null() != 0 {
			p.omits = true
		}
		p.fields[i], p.slots[i] = e, d
	}
	for i := range members {
		for _, name := range members[i].Alternates {
			names = append(names, name)
			p.others = append(p.others, uint16(i))
		}
	}
	p.keys = packwire.NewKeys(names)
	for i := range p.fields {
		if e := &p.fields[i]; e.isApart(p.keys.At(i).Enc) {
			e.flags |= fApart
		}
	}
	p.compileSteps()
	if t.Rest() != nil {
		p.rest, p.restProg = t.Rest(), g.program(t.Rest().Type)
		p.omits = true
	}
	p.shapes = [2]shape{p.shapeOf(false), p.shapeOf(true)}
	p.flat = g.codecs == nil && p.rest == nil && p.isFlat()
	p.shaped = true
}

// option makes e write the value of an option, whose program is v.
func (e *encField) option(v *program) {
	o := v.typ.Option
	e.p, e.code = v.elem, v.elem.enc
	switch {
	case o.Kind == setting.OptionField:
		e.states = statesOf(plan.OptionSet, plan.OptionNull)
	case o.Kind == setting.OptionNullable && e.flags&(fOmitEmpty|fOmitZero) == 0:
		e.states = statesOf(1, 0)
	default:
		e.states = statesOf(1, 2) // of two states none is the third
	}
	e.flags |= fOption
	state, ok := e.off.Then(o.State).Near()
	if ok && e.flags&fEmbedded == 0 {
		e.flags = e.flags&^(fOmitEmpty|fOmitZero|fOption) | fState // states says it
		e.state, e.off = state, e.off.Then(o.V)
	}
}

// option makes d read the value of an option, whose program is v, if that is a
// scalar: one that is written whole or not at all. The state is set before, and
// put back where the value is not what it should be.
func (d *decField) option(v *program) {
	o := v.typ.Option
	state, ok := d.off.Then(o.State).Near()
	elem := v.elem
	if elem.unruled != nil && (d.rules != nil && elem.typ.Inlined() || elem.typ.Rules == nil) {
		elem = elem.unruled
	}
	if elem.dec > plan.String || d.flags&^fNoNil != 0 || !ok {
		return
	}
	d.p, d.code = elem, elem.dec
	d.flags = fState
	if d.isSet = 1; o.Kind == setting.OptionField {
		d.isSet = plan.OptionSet
	}
	d.state, d.off = state, d.off.Then(o.V)
	if d.rules != nil {
		d.rules = d.rules.Inner()
	}
}

// length is the number of elements of the struct laid out as an array.
func (p *program) length() int {
	if p.rest != nil {
		return len(p.fields) + 1
	}
	return len(p.fields)
}
