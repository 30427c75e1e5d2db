package msgpack

import (
	"strconv"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

type (
	op    = steps.Op[program]
	place = steps.Place
	shape = steps.Shape[program]
)

// stepCodes are the steps for values that steps.Write writes.
var stepCodes = [plan.String + 1]steps.Code{
	plan.Bool: steps.Bool, plan.Int: steps.Int, plan.Int8: steps.Int8, plan.Int16: steps.Int16, plan.Int32: steps.Int32,
	plan.Int64: steps.Int64, plan.Uint: steps.Uint, plan.Uint8: steps.Uint8, plan.Uint16: steps.Uint16,
	plan.Uint32: steps.Uint32, plan.Uint64: steps.Uint64, plan.Uintptr: steps.Uintptr, plan.Float32: steps.Float32,
	plan.Float64: steps.Float64, plan.String: steps.String, plan.Complex64: steps.Other, plan.Complex128: steps.Other,
	plan.Invalid: steps.Other,
}

// stepOf returns the step for values of a kind.
func stepOf(k plan.Kind) steps.Code {
	if k > plan.String {
		return steps.Other
	}
	return stepCodes[k].Word()
}

// mostOps bounds the steps of a struct that becomes part of those of the struct
// around it.
const mostOps = 256

// isApart reports whether the member, of this key, is written by a function for just that: it is not directly in the
// struct, or its key may be written or not and takes more than a step.
func (e *encField) isApart(key string) bool {
	return e.flags&(fEmbedded|fOption) != 0 || e.mayBeLeft() && len(key) > mostOmitted ||
		e.states.null() != 0 && len(key) > steps.PrefixSize
}

// mostOmitted bounds the length of the key of a member that steps leave out.
const mostOmitted = 1 << 10

// mayBeLeft reports whether the member may be left out, other than by the state of an option.
func (e *encField) mayBeLeft() bool { return e.flags&(fOmitEmpty|fOmitZero) != 0 }

// leavesOut reports whether the field, which may be left out, is left out of the map of the struct at q.
func (e *encField) leavesOut(q mem.Ptr) bool {
	if e.omit != plan.OmitSlow && e.flags&fApart == 0 {
		return e.f.Omits(e.omit, q.Near(e.tells))
	}
	at := q.Field(e.off)
	if e.flags&fEmbedded != 0 {
		if at = e.f.Written(q); at.IsNil() {
			return true
		}
	}
	if e.flags&fOmitEmpty != 0 && e.f.Type.IsEmpty(at) || e.flags&fOmitZero != 0 && e.f.IsZero(at) {
		return true
	}
	return e.flags&(fOption|fState) != 0 && e.stateAt(q, at) == plan.OptionAbsent
}

// stateAt returns the state of the option e, which is at at in the struct at q.
func (e *encField) stateAt(q, at mem.Ptr) uint8 {
	if e.flags&fOption != 0 {
		return e.f.Type.Option.StateAt(at)
	}
	switch *mem.At[uint8](q.Near(e.state)) {
	case e.states.set():
		return plan.OptionSet
	case e.states.null():
		return plan.OptionNull
	}
	return plan.OptionAbsent
}

// alone returns the program that writes the field, which is apart, of a struct, after its key in a map.
func (e *encField) alone(key string) *program {
	return &program{enc: cFast, encFast: func(s *encoder, b []byte, q mem.Ptr) []byte {
		b = append(b, key...)
		at := q.Field(e.off)
		if e.flags&fEmbedded != 0 {
			if at = e.f.Written(q); at.IsNil() {
				return append(b, packwire.Nil)
			}
		}
		if e.flags&(fOption|fState) != 0 && e.stateAt(q, at) != plan.OptionSet {
			return append(b, packwire.Nil)
		}
		if e.flags&fOption != 0 {
			at = at.Field(e.f.Type.Option.V)
		}
		return s.value(b, e.p, at)
	}}
}

// shapeOf returns the steps for a plain struct, where structs are laid out as
// arrays unless they say something else, or as maps.
func (p *program) shapeOf(asArray bool) shape {
	b := shaper{asArray: asArray}
	b.Keyed = p.hasKeys(asArray)
	array := p.isArray(asArray)
	b.members(p, array, mem.Field{}, nil)
	p.nest = b.nest
	n := len(p.fields)
	if array {
		n = p.length()
	}
	return b.Shape(header(nil, n, array), p.rest != nil || p.omits && !array)
}

// isArray reports whether the struct is laid out as an array.
func (p *program) isArray(asArray bool) bool { return p.array || asArray && !p.asMap }

// header appends the header of a struct of n members.
func header(b []byte, n int, array bool) []byte {
	if array {
		return packwire.AppendArrayHeader(b, n)
	}
	return packwire.AppendMapHeader(b, n)
}

// hasKeys reports whether keys are written with a plain struct.
func (p *program) hasKeys(asArray bool) bool {
	if !p.isArray(asArray) {
		return true
	}
	for i := range p.fields {
		if f := &p.fields[i]; f.isPart() && f.p.hasKeys(asArray) {
			return true
		}
	}
	return false
}

// isPart reports whether the field is a struct whose steps become part of those of
// the struct around it.
func (e *encField) isPart() bool {
	return e.code == plan.Struct && e.flags == 0 && e.p.shaped && !e.p.omits && len(e.p.shapes[0].Ops) <= mostOps
}

// shaper makes the steps of a struct.
type shaper struct {
	steps.Shaper[program]
	asArray bool
	nest    int // levels of structs that have become part of the steps
	level   int
}

// members adds the steps for the fields of p, a struct at off.
func (b *shaper) members(p *program, array bool, off mem.Field, in *place) {
	b.nest = max(b.nest, b.level)
	for i := range p.fields {
		f := &p.fields[i]
		at := &place{Name: f.f.Name, Index: i, Array: array, In: in}
		key := ""
		if !array {
			key = p.keys.At(i).Enc
		}
		apart := f.flags&fApart != 0
		first := -1
		if !array && (f.mayBeLeft() || apart && (f.flags&fEmbedded != 0 || f.states.null() != 0)) {
			if first = b.Begin(); apart || f.omit == plan.OmitSlow || f.omit >= plan.OmitMap {
				b.Value(op{Code: steps.Other, P: asked, In: at})
			}
			p.leaves = true
		} else if f.flags&fState != 0 {
			b.Begin() // an empty struct before it stays when it goes
		}
		if apart {
			b.Value(op{Code: steps.Other, Off: off, P: f.alone(key), In: at})
			if first >= 0 {
				b.Omit(first, steps.OmitNever, f.tells)
			}
			continue
		}
		b.Pending = append(b.Pending, key...)
		if f.isPart() {
			inner := f.p.isArray(b.asArray)
			b.Pending = header(b.Pending, len(f.p.fields), inner)
			b.level++
			b.members(f.p, inner, off.Then(f.off), at)
			b.level--
			continue
		}
		o := op{Code: stepOf(f.code), Off: off.Then(f.off), P: f.p, In: at}
		if f.f.Fixed() && f.p.pure {
			o.Code = steps.Stands
		}
		if f.flags&fState != 0 {
			o.Code += steps.State
			o.Set, o.Null, o.Leaves = f.states.set(), f.states.null(), !array && f.states.null() != 0
			o.State, _ = off.Then(f.f.Offset).Then(f.f.Type.Option.State).Near()
		}
		b.Value(o)
		if first >= 0 {
			b.Omit(first, omitSteps[f.omit], f.tells)
		}
	}
}

// asked is the program of the step before a member of which no step can tell whether it is left out.
var asked = &program{enc: cAsked}

// omitSteps is how steps tell that a member is left out. A map that is not nil is asked for its length,
// and a floating-point number for its sign.
var omitSteps = [...]steps.Omit{
	plan.OmitSlow: steps.OmitNever, plan.OmitInt: steps.OmitInt, plan.OmitRun: steps.OmitInt,
	plan.OmitHalf: steps.OmitHalf, plan.OmitByte: steps.OmitByte, plan.OmitMap: steps.OmitInt,
	plan.OmitDouble: steps.OmitInt, plan.OmitSingle: steps.OmitHalf,
}

// isFlat reports whether a plain struct is written without an encoder of its own:
// its values cannot fail, but for what is longer than the format can hold.
func (p *program) isFlat() bool {
	for i := range p.shapes[0].Ops {
		o := &p.shapes[0].Ops[i]
		if o.Code%steps.State == steps.Other && o.P != asked && !o.P.isPure() {
			return false
		}
	}
	return true
}

// isPure is isFlat for any type.
func (p *program) isPure() bool {
	switch p.enc {
	case plan.Struct:
		return p.flat
	case cFast:
		return p.pure
	case plan.Slice:
		return p.elem != nil && p.elem.enc == plan.Struct && p.elem.flat // none yet where types are cyclic
	case plan.Pointer:
		return p.elem != nil && p.elem.enc <= plan.String
	}
	return plan.Invalid < p.enc && p.enc <= plan.Time
}

// inPlace puts the place of a value before the path of what failed in it.
func (s *encoder) inPlace(b []byte, at *place) []byte {
	for ; at != nil; at = at.In {
		b = s.inField(b, at.Name, at.Index, at.Array)
	}
	return b
}

// inField puts the field before the path of the value that failed.
func (s *encoder) inField(b []byte, name string, i int, array bool) []byte {
	if array {
		return s.within(b, strconv.Itoa(i))
	}
	return s.within(b, name)
}
