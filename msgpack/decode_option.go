package msgpack

import (
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// option reads an optional value: nil is none, unless it is a null of the
// value's own type. Where one that is never nil could have been left out, as a
// member of a map, nil is an error. The old value stays as it is when the new one
// cannot be read.
func (r *Reader) option(i int, p *program, q mem.Ptr, member bool) int {
	o := p.typ.Option
	v := q.Field(o.V)
	if r.null(i) && !o.Null {
		if member && o.Kind == setting.OptionOptional {
			return r.bad(i, packwire.Mismatch, p.elem.typ.Rtype.String())
		}
		o.SetState(q, plan.OptionNull)
		return i + 1
	}
	end := -1
	switch {
	case p.elem.dec <= plan.Time: // written whole or not at all
		end = r.value(i, p.elem, v)
	case p.typ.Option.StateAt(q) == plan.OptionSet:
		own := p.elem.mem.New()
		if end = r.value(i, p.elem, own); end >= 0 {
			p.elem.mem.Copy(v, own)
		}
	default:
		if !v.AllZero(p.elem.mem) {
			p.elem.mem.Clear(v)
		}
		if end = r.value(i, p.elem, v); end < 0 {
			p.elem.mem.Clear(v)
		}
	}
	if end >= 0 {
		o.SetState(q, plan.OptionSet)
	}
	return end
}

// unset reads the nil at i into the option f, of a scalar, of the struct at q.
func (r *Reader) unset(i int, f *decField, q mem.Ptr, member bool) int {
	o := f.f.Type.Option
	if member && o.Kind == setting.OptionOptional {
		return r.bad(i, packwire.Mismatch, f.p.typ.Rtype.String())
	}
	f.p.mem.Clear(q.Field(f.off))
	state := mem.At[uint8](q.Near(f.state))
	*state = 0
	if o.Kind == setting.OptionField {
		*state = plan.OptionNull
	}
	return i + 1
}

// undo puts back the state of an option whose value could not be read, and
// returns failed.
func (r *Reader) undo(f *decField, q mem.Ptr, failed int) int {
	if f.flags == fState {
		*mem.At[uint8](q.Near(f.state)) = r.was
	}
	return failed
}
