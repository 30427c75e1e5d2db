package cbor

import (
	"math"
	"slices"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

type (
	expected = steps.Expected[program]
	run      = steps.Run[program]
)

// runs is the steps for the members of a struct in one order.
type runs struct {
	steps []expected
	first []uint32 // the step that each member begins with
	deep  int      // levels of structs that have become part of the steps
	whole bool     // steps.Read reads all members
	mixed bool     // the struct is an array that holds maps
	keyed bool     // and the steps have keys for these alone
}

// inArrays is added to an order for the steps of an array that are keyed.
const inArrays = orders

// mostSteps bounds the steps of a struct that becomes part of those of the struct around it.
const mostSteps = 64

// runsIn returns the steps for the members of p in an order. They are made when they are first needed.
func (p *program) runsIn(order int) *runs {
	if u := p.runs[order].Load(); u != nil {
		return u
	}
	u := &runs{keyed: order >= inArrays, whole: len(p.slots) > 0 && len(p.slots) < steps.ShortText && p.checks == nil}
	if len(p.slots) < math.MaxUint16 {
		u.members(p, order, mem.Field{}, expected{}, 0)
	}
	u.steps = append(u.steps, expected{Code: steps.End, Slot: uint16(len(p.slots)), First: uint32(len(u.steps))})
	u.steps = slices.Grow(u.steps, 1) // steps.Read is a step further when it stops
	p.runs[order].Store(u)
	return u
}

// members adds the steps for the members of p, a struct at off, of which all belong to one member of the outermost
// struct, in, where level is not 0. The slot of a step is the place of its member in the order.
func (u *runs) members(p *program, order int, off mem.Field, in expected, level int) {
	u.deep = max(u.deep, level)
	array := u.keyed && p.array
	for i, slot := range p.expected[pick(array, declared, order%orders)] {
		f := &p.slots[slot]
		if level == 0 {
			in.First = uint32(len(u.steps))
			u.first = append(u.first, in.First)
		}
		o := expected{Code: steps.Other, Off: off.Then(f.off), First: in.First, Level: uint8(level)}
		o.Slot = pick(level < 2, uint16(i), 0)
		elem, plain := f.p, f.flags&^fNoNull == 0
		part := plain && f.isPart(order%orders)
		u.mixed = u.mixed || part && p.array && !f.p.array
		switch {
		case f.key.Len > steps.LongKey:
			// is looked for by name
		case part && (f.p.array == p.array || u.keyed):
			o.Code, o.Part, o.Full = steps.Head, uint8(len(f.p.slots)), f.p.noted
			o.Base = pick[byte](u.keyed && f.p.array, cborwire.Array, cborwire.Map)
			if f.flags == 0 {
				o.P = elem
			}
		case plain && stepOf(f.code) != steps.Other:
			if o.Code = stepOf(f.code); f.flags == 0 {
				o.P = elem
			}
		case plain && f.code == plan.Option && !f.check && f.p.elem.dec == f.p.elem.enc &&
			stepOf(f.p.elem.dec) != steps.Other:
			info := f.p.typ.Option
			state, ok := o.Off.Then(info.State).Near()
			if !ok {
				break
			}
			o.Code, o.Off, o.State, o.IsSet = stepOf(f.p.elem.dec), o.Off.Then(info.V), state, 1
			if info.Kind == setting.OptionField {
				o.IsSet = plan.OptionSet
			}
		case plain && f.code != plan.Option && f.flags == 0:
			o.P = elem
		}
		if !array {
			o.SetKey(f.key.Enc)
		}
		at := len(u.steps)
		u.steps = append(u.steps, o)
		switch o.Code {
		case steps.Head:
			u.members(f.p, order, o.Off, in, level+1)
		case steps.Other:
			u.whole = false
		}
		u.steps[at].Span = uint16(len(u.steps) - at)
	}
}

// stepCodes are the steps for values that the loops of steps read and write.
var stepCodes = [...]steps.Code{
	plan.Bool: steps.Bool, plan.Int: steps.Int, plan.Int8: steps.Int8, plan.Int16: steps.Int16, plan.Int32: steps.Int32,
	plan.Int64: steps.Int64, plan.Uint: steps.Uint, plan.Uint8: steps.Uint8, plan.Uint16: steps.Uint16,
	plan.Uint32: steps.Uint32, plan.Uint64: steps.Uint64, plan.Uintptr: steps.Uintptr, plan.Float32: steps.Float32,
	plan.Float64: steps.Float64,
	plan.String:  steps.String, plan.Bytes: steps.Bytes,
	plan.Invalid: steps.Other, plan.Complex64: steps.Other, plan.Complex128: steps.Other,
}

// stepOf returns the step for values of a kind.
func stepOf(k plan.Kind) steps.Code {
	if int(k) >= len(stepCodes) {
		return steps.Other
	}
	return stepCodes[k].Word()
}

// isPart reports whether the field is a struct whose steps become part of those of the struct around it.
func (d *decField) isPart(order int) bool {
	if d.code != plan.Struct || d.p.rest != nil {
		return false
	}
	u := d.p.runsIn(order)
	return u.whole && len(u.steps) <= mostSteps
}

// runs returns the steps for a struct of type p, a map or an array, if they may be used, when depth containers are
// open with it.
func (r *reader) runs(p *program, depth int, isMap bool) *runs {
	order, may := declared, r.listSteps
	if isMap {
		order, may = r.order, r.mapSteps
	}
	if !may {
		return nil
	}
	u := p.runs[order].Load()
	if u == nil {
		u = p.runsIn(order)
	}
	if !isMap && u.mixed && !u.keyed && r.mapSteps && r.flags&setting.StructAsArray == 0 {
		u = p.runsIn(r.order + inArrays)
	}
	if depth+u.deep > r.maxDepth {
		return nil
	}
	return u
}

// allowSteps notes which structs may be read by steps, as the flags and the rules have it.
func (r *reader) allowSteps() {
	r.listSteps = r.flags&flagByteText == 0 && r.rules&cborwire.Reduced == 0
	once := r.flags&setting.RejectDuplicates == 0
	if r.rules&cborwire.Sorted != 0 {
		once = r.order != declared // each comes after the one before
	}
	r.mapSteps = r.listSteps && once
}

// ready has c read the document by u.
func (r *reader) ready(c *run, u *runs) {
	c.Steps, c.B, c.Slab, c.Lax, c.Alias = u.steps, r.b, &r.carver, r.rules == 0, r.flags&setting.AliasInput != 0
}

// wholes reads elements from the j-th on that are wholly there, in the order of their members, and returns where the
// next one begins, and its index.
func (r *reader) wholes(i int, p *program, u *runs, a mem.Array, j, n int) (next, to int) {
	if i >= len(r.b) {
		return i, j
	}
	var c run
	c.Mem, c.List, c.Elem, c.Last, c.Start = p.mem, a, j, n-1, i
	r.ready(&c, u)
	c.Head = r.b[i]
	q := a.At(p.mem, j)
	switch int(c.Head) - len(p.slots) {
	case cborwire.Map:
		j, i = steps.Read[steps.CBORKeyed](&c, 0, q, i+1)
	case cborwire.Array:
		j, i = steps.Read[steps.CBOR](&c, 0, q, i+1)
	default:
		return i, j
	}
	if u.steps[j].Code != steps.End {
		return c.Start, c.Elem
	}
	return i, c.Elem + 1
}

// ahead reads members of the struct at q from the j-th of their order on, of which n are to come, as long as they come
// when they are expected, of so many items each. It returns the place of the first member that it leaves alone, and the
// offset of its key, -1 after an error. As many are to come then as c.Stop is further.
func ahead[F steps.CBOR | steps.CBORKeyed | steps.CBORSome](
	r *reader, c *run, u *runs, items, j, n int, q mem.Ptr, i int,
) (int, int) {
	step, rest := int(u.first[j]), r.reserved-items*n
	c.Stop, c.Missed = j+n, 0
	for {
		c.Value, c.Cut = 0, false
		step, i = steps.Read[F](c, step, q, i)
		if c.Cut && len(r.b)-i < steps.MostTail {
			if step, i = steps.ReadTail[F](c, &r.tail, step, q, i); max(i, c.Value) > len(r.b) {
				return 0, r.bad(len(r.b), cborwire.Short, "")
			}
		}
		o := &c.Steps[step]
		r.reserved = rest + items*(c.Stop-int(o.Slot))
		if c.Value == 0 || o.P == nil {
			return int(o.Slot), i
		}
		r.reserved -= items
		at := q.Field(o.Off)
		if o.P.dec == cFast {
			i = o.P.decFast(r, c.Value, at)
		} else {
			i = r.value(c.Value, o.P, at)
		}
		if i < 0 {
			return 0, i
		}
		step += int(o.Span)
	}
}
