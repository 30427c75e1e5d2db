package json

import (
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
)

// The states of an option, as opt.Field has them; those of the others are false
// and true.
const (
	optionAbsent = iota
	optionNull
	optionSet
)

// optionState returns the state of the option at p, 0 if it is not set.
func optionState(o *plan.OptionInfo, p mem.Ptr) uint8 {
	at := p.Field(o.State)
	switch {
	case o.Kind == setting.OptionField:
		return *mem.At[uint8](at)
	case *mem.At[bool](at):
		return optionSet
	}
	return optionAbsent
}

// setOptionState sets the state of the option at p.
func setOptionState(o *plan.OptionInfo, p mem.Ptr, state uint8) {
	at := p.Field(o.State)
	if o.Kind == setting.OptionField {
		*mem.At[uint8](at) = state
	} else {
		*mem.At[bool](at) = state == optionSet
	}
}

// optionValue decodes an optional value: null is none, unless it is a null of
// the value's own type. Where an optional value that is never null could have
// been left out, as a member, null is an error; elsewhere it stands for none.
// The old value stays as it is when the new one does not fit.
func (d *decoder) optionValue(n *node, p mem.Ptr, i int, member bool) int {
	o := n.option
	v := p.Field(o.V)
	if d.b.U32(i) == wordNull && !o.Null {
		if n.noNull {
			return d.refuseNull(pick(member, n.elem, n), i)
		}
		if o.Kind == setting.OptionOptional && member {
			return d.mismatch(n.elem.rtype, false, i)
		}
		n.mem.Clear(p)
		if o.Kind == setting.OptionField {
			setOptionState(o, p, optionNull)
		}
		return i + 4
	}
	if d.waits && n.elem.op > opString && d.hooked(n.elem) && !d.commit() { // what is decoded may be copied
		return d.fail()
	}
	if n.elem.op == opPointer {
		if d.hops++; d.hops > maxHops {
			return d.abort(errCircle, i)
		}
	}
	switch {
	case n.elem.op <= opString && n.elem.op != opUnsupported: // written whole or not at all
		i = d.value(n.elem, v, i)
	case n.elem.op == opTime:
		was := *mem.At[time.Time](v)
		if i = d.timeValue(n.elem, v, i); i < 0 {
			*mem.At[time.Time](v) = was
		}
	case optionState(o, p) == optionSet:
		own := n.elem.mem.New()
		if i = d.value(n.elem, own, i); i >= 0 {
			n.elem.mem.Copy(v, own)
		}
	default:
		if !v.AllZero(n.elem.mem) {
			n.elem.mem.Clear(v)
		}
		if i = d.value(n.elem, v, i); i < 0 {
			n.elem.mem.Clear(v)
		}
	}
	if n.elem.op == opPointer {
		d.hops--
	}
	if i >= 0 {
		setOptionState(o, p, optionSet)
	}
	return i
}

// describeOption makes f a field whose op is that of the value, a scalar that
// is written whole or not at all: the state is set before, and put back where
// the value does not fit.
func (f *field) describeOption() {
	n := f.node
	if f.op != opOption || n.elem == nil { // nil: in a circle
		return
	}
	elem := n.elem
	if elem.op == opRuled && f.rules != nil && elem.rules.Schema == nil {
		elem = elem.ruled
	}
	if elem.op > opString || elem.op == opUnsupported {
		return
	}
	state, ok := f.offset.Then(n.option.State).Near()
	if !ok {
		return
	}
	f.op, f.inner = opSet, elem.op
	f.kind, f.isSet = n.option.Kind, 1
	if f.kind == setting.OptionField {
		f.isSet = optionSet
	}
	f.state = state
	f.offset = f.offset.Then(n.option.V)
	f.node = elem
	if f.rules != nil {
		f.rules = f.rules.Inner()
	}
}

// set marks the option f of the struct at p as set, and remembers what it was.
func (d *decoder) set(f *field, p mem.Ptr) {
	state := mem.At[uint8](p.Near(f.state))
	d.was = *state
	*state = f.isSet
}

// restore undoes set.
func (d *decoder) restore(f *field, p mem.Ptr) {
	*mem.At[uint8](p.Near(f.state)) = d.was
}

// unset decodes the null at i into the option f of the struct at p.
func (d *decoder) unset(f *field, p mem.Ptr, i int) int {
	state := mem.At[uint8](p.Near(f.state))
	d.was = *state
	if d.b.U32(i) != wordNull {
		return d.fail()
	}
	if f.kind == setting.OptionOptional {
		if f.node.strict {
			return d.refuseNull(f.node, i)
		}
		return d.mismatch(f.node.rtype, false, i)
	}
	f.node.mem.Clear(p.Field(f.offset))
	*state = 0
	if f.kind == setting.OptionField {
		*state = optionNull
	}
	return i + 4
}
