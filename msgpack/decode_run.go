package msgpack

import (
	"math"
	"slices"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

type (
	expected = steps.Expected[program]
	run      = steps.Run[program]
)

// mostSteps bounds the steps of a struct that becomes part of those of the struct
// around it.
const mostSteps = 64

// isPart reports whether the field is a struct whose steps become part of those of
// the struct around it.
func (d *decField) isPart() bool {
	return d.code == plan.Struct && d.flags&^fNoNil == 0 && d.p.checks == nil &&
		d.p.whole && d.p.typ.Rest() == nil && len(d.p.steps) <= mostSteps
}

// stepper makes the steps of a struct.
type stepper struct {
	steps []expected
	deep  int  // levels of structs that have become part of the steps
	whole bool // steps.Read reads all members
}

// compileSteps makes the steps for the members of p.
func (p *program) compileSteps() {
	b := stepper{whole: len(p.slots) > 0 && len(p.slots) < 16 && p.checks == nil}
	if len(p.slots) > math.MaxUint16 {
		p.steps = []expected{{Code: steps.End}, {}}
		return
	}
	b.members(p, mem.Field{}, expected{}, 0)
	b.steps = append(b.steps, expected{Code: steps.End, Slot: uint16(len(p.slots)), First: uint32(len(b.steps))})
	p.steps = slices.Grow(b.steps, 1) // steps.Read is a step further when it stops
	p.deep, p.whole = b.deep, b.whole
}

// members adds the steps for the members of p, a struct at off, of which all belong
// to one member of the outermost struct, in, where level is not 0.
func (b *stepper) members(p *program, off mem.Field, in expected, level int) {
	b.deep = max(b.deep, level)
	for i := range p.slots {
		f := &p.slots[i]
		if level == 0 {
			in.Slot, in.First = uint16(i), uint32(len(b.steps))
			f.step = in.First
		}
		o := expected{Code: steps.Other, Off: off.Then(f.off), Slot: in.Slot, First: in.First, Level: uint8(min(level, 1))}
		key := p.keys.At(i).Enc
		switch {
		case len(key) > steps.KeyRoom:
			// is looked for by name
		case f.isPart():
			o.Code, o.Part = steps.Head, uint8(len(f.p.slots))
		case stepOf(f.code) != steps.Other && f.flags&^(fState|fNoNil) == 0:
			o.Code = stepOf(f.code)
			if o.IsSet = f.isSet; o.IsSet != 0 {
				o.State, _ = off.Then(f.f.Offset).Then(f.f.Type.Option.State).Near()
			}
		case f.flags&^fNoNil == 0 && f.code != plan.Option:
			if o.P = f.p; f.p.guard != nil {
				o.P = f.p.guard
			}
		}
		o.SetKey(key)
		b.steps = append(b.steps, o)
		switch o.Code {
		case steps.Head:
			b.members(f.p, o.Off, in, level+1)
		case steps.Other:
			b.whole = false
		}
	}
}

// runs reports whether members of a struct of type p may be read by steps.Read, when
// depth containers are open with it.
func (r *Reader) runs(p *program, depth int) bool {
	return r.flags&(setting.RejectDuplicates|flagUTF8) == 0 && depth+p.deep <= r.maxDepth
}

// wholes reads elements from the j-th on that are wholly there, in the order of
// the fields of p, and returns where the next one begins, and its index.
func (r *Reader) wholes(i int, p *program, a mem.Array, j, n int) (next, to int) {
	if i >= len(r.b) {
		return i, j
	}
	var c run
	c.Steps, c.Mem, c.List, c.Elem, c.Last, c.Start = p.steps, p.mem, a, j, n-1, i
	c.B, c.Slab, c.Alias = r.b, &r.slab, r.flags&setting.AliasInput != 0
	c.Head = r.b[i]
	q := a.At(p.mem, j)
	switch int(c.Head) - len(p.slots) {
	case packwire.FixMap:
		j, i = steps.Read[steps.PackKeyed](&c, 0, q, i+1)
	case packwire.FixArray:
		j, i = steps.Read[steps.Pack](&c, 0, q, i+1)
	default:
		return i, j
	}
	if p.steps[j].Code != steps.End {
		return c.Start, c.Elem
	}
	return i, c.Elem + 1
}

// ahead reads members of the struct at q from the j-th on, as long as they come when
// they are expected. It returns the index of the first member that it leaves alone, and
// the offset of its name, -1 after an error.
func ahead[F steps.Pack | steps.PackKeyed](r *Reader, c *run, p *program, j int, q mem.Ptr, i int) (int, int) {
	var form F
	keyed := len(form) > 0
	step := int(p.slots[j].step)
	for {
		at := i
		if keyed || c.Steps[step].Code != steps.Other {
			c.Value, c.Cut = 0, false
			step, i = steps.Read[F](c, step, q, i)
			if c.Cut && len(r.b)-i < steps.MostTail {
				if step, i = steps.ReadTail[F](c, &r.tail, step, q, i); max(i, c.Value) > len(r.b) {
					return 0, r.bad(len(r.b), packwire.Short, "value")
				}
			}
			at = c.Value
		}
		o := &c.Steps[step]
		switch {
		case at == 0:
			return int(o.Slot), i
		case o.P != nil:
			if o.P.dec == cFast {
				i = o.P.decFast(r, at, q.Field(o.Off))
			} else {
				i = r.value(at, o.P, q.Field(o.Off))
			}
		case o.Code != steps.String || r.null(at):
			return int(o.Slot), i
		default:
			s, end := r.string(at)
			if end < 0 {
				return 0, end
			}
			*mem.At[string](q.Field(o.Off)) = s
			if i = end; o.IsSet != 0 {
				*mem.At[uint8](q.Near(o.State)) = o.IsSet
			}
		}
		if i < 0 {
			return 0, i
		}
		step++
	}
}
