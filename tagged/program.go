package tagged

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// The codes of values that have no kind of the plan.
const (
	cRuled = plan.Kinds + iota // no null where the type has no place for it, then unruled, and then the rules of the type
	cWeft                      // the hooks, in the order of those of the set
	cText
)

// program is how values of one Go type are written and read. It is immutable
// once it can be reached.
type program struct {
	id       int // dense
	slab     int // plan.Type.Slab
	enc, dec plan.Kind
	copied   bool // a value in an interface must be copied before it is written
	mem      *mem.Type
	typ      *plan.Type
	elem     *program // of pointer, slice, array, map, option
	unruled  *program // of cRuled: how values are read that are not null, before they are checked

	// Of structs.
	fields   []field     // in the order of their tags
	declared []int       // the indexes of fields in the order in which they are declared
	names    []nameEntry // names and other names of fields, in the order of tags
	required []uint64    // set of the fields that must be met, some in requests or responses alone
	needed   []uint64    // the same of members in declared order
	rest     *plan.Field // members without a field
	restProg *program

	entries sync.Pool              // of *mem.Entry, for maps
	large   mem.Large              // of messages and streams
	columns atomic.Pointer[layout] // of the framed layout

	marshalErr, unmarshalErr error // why it cannot be written or read
}

// How a field differs from one that is always there, directly in the struct.
const (
	fOmitEmpty = 1 << iota
	fOmitZero
	fEmbedded // behind embedded pointers, or written as its one value
	fOption
)

// field writes and reads one member.
type field struct {
	tag      uint32    // without a wire type
	enc, dec plan.Kind // dec is plan.Invalid with check
	flags    uint8
	check    bool // what is read obeys the rules of the field
	off      mem.Field
	p        *program // of what is written: the value of an option
	f        *plan.Field
}

// set is the plans of all types that this format has met.
var set = plan.NewSet(plan.Config{
	Keys:  []string{"tagged", "weft", "json"},
	Hooks: []plan.Hook{plan.WeftHook(), plan.TextHook()}, // the preferred one first
	Raws:  []plan.RawType{{Rtype: reflect.TypeFor[Raw](), Format: "tagged"}},
})

// programs is the programs that are finished.
var programs = registry{Registry: plan.Registry[program]{Set: set}}

// registry keeps the program of each type.
type registry struct {
	plan.Registry[program]
	made int // programs, which have the IDs below
}

// registryOf returns the programs that opts ask for.
func registryOf(opts []Options) *registry {
	return plan.RegistryOf(opts, nil, &programs, func(_ *registry, d *weft.Dialect) *registry {
		return &registry{Registry: plan.Registry[program]{Set: set.In(d)}}
	})
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
		p := g.program(t)
		g.finish(p)
		return p
	})
}

// finish does what must wait until the whole graph of programs is there.
func (g *registry) finish(p *program) {
	p.copied = p.typ.MarshalsByAddr()
	collisions := p.collisions(map[*program]bool{}, nil)
	p.marshalErr = plan.Impossible(g.Set.Check(p.typ, plan.Marshal), collisions...)
	p.unmarshalErr = plan.Impossible(g.Set.Check(p.typ, plan.Unmarshal), collisions...)
}

// collisions tells of the structs that p writes or reads whose names have one
// tag.
func (p *program) collisions(seen map[*program]bool, texts []string) []string {
	if seen[p] {
		return texts
	}
	seen[p] = true
	if p.elem != nil {
		texts = p.elem.collisions(seen, texts)
	}
	for i := range p.fields {
		texts = p.fields[i].p.collisions(seen, texts)
	}
	for i, f := range p.names {
		if (f.tag == 0 || f.name == "*") && p.dec == plan.Struct {
			texts = append(texts, fmt.Sprintf("%v: the member %q has a name or hash that the format keeps for itself",
				p.typ.Rtype, f.name))
		}
		if i > 0 && p.names[i-1].tag == f.tag && p.names[i-1].name != f.name {
			texts = append(texts, fmt.Sprintf("%v: %v", p.typ.Rtype, &CollisionError{p.names[i-1].name, f.name}))
		}
	}
	return texts
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
	p := &program{id: g.made, slab: t.Slab(), mem: t.Mem, typ: t}
	g.made++
	g.Enter(t, p)
	g.fill(p)
	if t.Rules != nil || t.NoNull && p.dec != plan.Struct {
		p.unruled = &program{id: g.made, mem: t.Mem, typ: t}
		g.made++
		g.fill(p.unruled)
		p.dec = cRuled
	}
	return p
}

// fill makes p the program of its type, without the rules of that.
func (g *registry) fill(p *program) {
	t := p.typ
	p.enc, p.dec = t.Lower("tagged", cWeft, cWeft)
	switch t.Kind {
	case plan.Pointer, plan.Slice, plan.Array:
		p.elem = g.program(t.Elem)
	case plan.Map:
		p.elem = g.program(t.Elem)
		rt := t.Rtype
		p.entries.New = func() any { return mem.NewEntry(rt) }
	case plan.Option:
		p.elem = g.program(t.Option.Value)
	case plan.Struct:
		g.structure(p)
	}
}

// structure compiles the fields of a struct.
func (g *registry) structure(p *program) {
	t := p.typ
	members := t.Members()
	p.fields = make([]field, len(members))
	for i := range members {
		f := &members[i]
		v := g.program(f.Type)
		e := field{tag: tagwire.Hash(f.Name), enc: v.enc, dec: v.dec, p: v, f: f, off: f.Offset}
		if f.Type.Rules != nil && v.unruled == nil {
			e.dec = cRuled // v is being made, and will be that
		}
		if f.OmitEmpty {
			e.flags |= fOmitEmpty
		}
		if f.OmitZero {
			e.flags |= fOmitZero
		}
		if len(f.Embeds) > 0 {
			e.flags |= fEmbedded
			e.off = f.Embeds[0].Offset // f.Offset is within the last of the pointers' structs
		} else if f.Fixed() {
			e.flags |= fEmbedded
		}
		if f.Rules != nil {
			e.check = true
			if v.unruled != nil && f.Type.Inlined() && !f.Type.NoNull {
				e.p, e.dec = v.unruled, v.unruled.dec
			}
		}
		if v.dec == cRuled && f.Type.Rules == nil {
			e.dec = v.unruled.dec
		}
		if v.enc == plan.Option && e.dec == plan.Option {
			e.flags |= fOption
			e.p, e.enc, e.dec = v.elem, v.elem.enc, v.elem.dec
		}
		if e.check {
			e.dec = plan.Invalid
		}
		p.fields[i] = e
	}
	slices.SortStableFunc(p.fields, func(x, y field) int { return cmp.Compare(int32(x.tag), int32(y.tag)) })
	p.declared = make([]int, len(p.fields))
	for i := range p.fields {
		p.declared[t.Index(p.fields[i].f)] = i
	}
	p.required = make([]uint64, (len(p.fields)+63)/64)
	p.needed = make([]uint64, len(p.required))
	for i := range p.fields {
		f := &p.fields[i]
		if f.f.Noted() {
			k := t.Index(f.f)
			p.required[i/64] |= 1 << (i % 64)
			p.needed[k/64] |= 1 << (k % 64)
		}
		for _, name := range append([]string{f.f.Name}, f.f.Alternates...) {
			p.names = append(p.names, nameEntry{tagwire.Hash(name), int32(i), name})
		}
	}
	sortNames(p.names)
	if t.Rest() != nil {
		p.rest, p.restProg = t.Rest(), g.program(t.Rest().Type)
	}
}

// slot returns the field of a tag, -1 if there is none.
func (p *program) slot(tag uint32) int {
	if k := lowest(p.names, tag); k < len(p.names) && p.names[k].tag == tag {
		return int(p.names[k].slot)
	}
	return -1
}

// slotNamed returns the field with a name, or another name, whose tag is given: -1 if there is none.
func (p *program) slotNamed(tag uint32, name string) int {
	if k := lowest(p.names, tag); k < len(p.names) && p.names[k].name == name {
		return int(p.names[k].slot)
	}
	return -1
}

// plainTarget reports whether a pointer to such a value is written as the value.
func (p *program) plainTarget() bool {
	return p.enc != plan.Pointer && p.enc != plan.Any && p.enc != plan.Interface
}

// CollisionError reports that two member names have the same 24 bits of hash, so they cannot be in one message.
type CollisionError struct{ First, Second string }

// Error names both members.
func (e *CollisionError) Error() string {
	return fmt.Sprintf("the member names %q and %q have the same hash %06x", e.First, e.Second, tagwire.Hash(e.First)>>8)
}

// Options is a set of settings; see [weft.Options].
type Options = weft.Options
