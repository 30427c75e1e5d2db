package cbor

import (
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// shape is how a struct is written whose members are all directly in it: in no steps at all where they are not.
type shape struct {
	steps.Shape[program]
	members int
	nest    int  // levels of structs that have become part of the steps
	leaves  bool // members may be left out, not only of structs that have become part
	asks    bool // there are some of which no step can tell whether they are left out
	fields  []encField
}

// asked is the program of the step before a member of which no step can tell whether it is left out.
var asked = &program{enc: cAsked}

// mostOps bounds the steps of a struct that becomes part of those of the struct around it.
const mostOps = steps.MostOpenSteps

// shapeIn returns the steps for a struct whose members are written in an order, where structs are laid out as arrays
// unless they say something else, or as maps. They are made when they are first needed.
func (p *program) shapeIn(order int, asArray bool) *shape {
	at := &p.shapes[order][0]
	if asArray {
		at = &p.shapes[order][1]
	}
	sh := at.Load()
	if sh == nil {
		sh = p.newShape(order, asArray)
		at.Store(sh)
	}
	return sh
}

func (p *program) newShape(order int, asArray bool) *shape {
	fields, array, major := p.fields[order], p.isArray(asArray), byte(cborwire.Map)
	if array {
		fields, major = p.fields[declared], cborwire.Array
	}
	b := shaper{order: order, asArray: asArray}
	b.Keyed = p.hasKeys(order, asArray)
	if p.rest != nil || !b.fields(fields, array, mem.Field{}, nil) {
		return &shape{}
	}
	head := cborwire.AppendHead(nil, major, uint64(len(fields)))
	return &shape{b.Shape(head, b.leaves || b.opens), len(fields), b.nest, b.leaves, b.asks, fields}
}

// hasKeys reports whether keys are written with a struct.
func (p *program) hasKeys(order int, asArray bool) bool {
	if !p.isArray(asArray) {
		return true
	}
	for i := range p.fields[declared] {
		if f := &p.fields[declared][i]; f.part(order, asArray) != nil && f.p.hasKeys(order, asArray) {
			return true
		}
	}
	return false
}

// part returns the steps of a struct that become part of those of the struct around it, nil for any other value.
func (f *encField) part(order int, asArray bool) *shape {
	if f.code != plan.Struct || f.flags != 0 { // omitempty has no effect on structs
		return nil
	}
	sh := f.p.shapeIn(order, asArray)
	if sh.Ops == nil || len(sh.Ops) > mostOps || sh.asks || sh.leaves && sh.members > steps.MostOpen {
		return nil
	}
	return sh
}

// shaper makes the steps of a struct.
type shaper struct {
	steps.Shaper[program]
	order       int
	asArray     bool
	leaves      bool // members may be left out
	asks        bool // of some no step can tell whether they are
	opens       bool // members of structs within may be
	nest, level int
}

// fields adds the steps for the fields of a struct at off. It reports whether all of them are directly in it.
func (b *shaper) fields(fields []encField, array bool, off mem.Field, in *steps.Place) bool {
	b.nest = max(b.nest, b.level)
	for i := range fields {
		f := &fields[i]
		at := &steps.Place{Name: f.f.Name, Index: i, Array: array, In: in}
		first, flags := -1, f.flags&^(fOmitEmpty|fOmitZero)
		if !array && (f.omit != plan.OmitSlow || flags != f.flags) {
			first, b.leaves = b.Begin(), b.leaves || b.level == 0
			if f.omit == plan.OmitSlow || f.omit >= plan.OmitMap {
				b.asks = true
				b.Value(steps.Op[program]{Code: steps.Other, P: asked, In: at})
			}
		}
		if !array {
			if flags == fOption {
				b.Begin() // an empty struct before it stays when it goes
			}
			b.Pending = append(b.Pending, f.key...)
		}
		if sh := f.part(b.order, b.asArray); sh != nil && first < 0 {
			inner, major, isArray := f.p.fields[b.order], byte(cborwire.Map), f.p.isArray(b.asArray)
			if isArray {
				inner, major = f.p.fields[declared], cborwire.Array
			}
			open := -1
			if sh.leaves {
				open, b.opens = b.Open(steps.Op[program]{In: at}, len(inner)), true
			} else {
				b.Pending = cborwire.AppendHead(b.Pending, major, uint64(len(inner)))
			}
			b.level++
			ok := b.fields(inner, isArray, off.Then(f.off), at)
			b.level--
			if !ok {
				return false
			}
			if open >= 0 {
				b.Close(open)
			}
			continue
		}
		o := steps.Op[program]{Code: steps.Other, Off: off.Then(f.off), P: f.p, In: at}
		if flags == fOption {
			info := f.p.typ.Option
			state, ok := o.Off.Then(info.State).Near()
			if !ok || f.n == 0 || first >= 0 {
				return false
			}
			o.P, o.Off, o.State, o.Set = f.p.elem, o.Off.Then(info.V), state, 1
			switch info.Kind {
			case setting.OptionField:
				o.Set, o.Null, o.Leaves = plan.OptionSet, plan.OptionNull, !array
			case setting.OptionOptional:
				o.Null, o.Leaves = 2, !array // of two states none is the third
			}
			b.leaves, b.asks = b.leaves || o.Leaves, b.asks || o.Leaves
		} else if flags != 0 {
			return false
		}
		if o.P.enc != plan.Bytes || !o.P.typ.NoNull {
			o.Code = stepOf(o.P.enc)
		}
		if flags == fOption {
			o.Code += steps.State
		}
		b.Value(o)
		if first >= 0 {
			tells, ok := f.tells.In(off)
			if !b.Omit(first, omitSteps[f.omit], tells) || !ok && f.omit != plan.OmitSlow {
				return false
			}
		}
	}
	return true
}

// omitSteps is how steps tell that a member is left out. A map that is not nil is asked for its length,
// and a floating-point number for its sign.
var omitSteps = [...]steps.Omit{
	plan.OmitSlow: steps.OmitNever, plan.OmitInt: steps.OmitInt, plan.OmitRun: steps.OmitInt,
	plan.OmitHalf: steps.OmitHalf, plan.OmitByte: steps.OmitByte, plan.OmitMap: steps.OmitInt,
	plan.OmitDouble: steps.OmitInt, plan.OmitSingle: steps.OmitHalf,
}

// leavesOut reports whether the field is left out of the map of the struct at q.
func (f *encField) leavesOut(q mem.Ptr) bool {
	if f.omit != plan.OmitSlow {
		return f.f.Omits(f.omit, q.Near(f.tells))
	}
	at := q.Field(f.off)
	return f.flags&fOmitEmpty != 0 && f.f.Type.IsEmpty(at) || f.flags&fOmitZero != 0 && f.f.IsZero(at)
}

// plainList writes n structs whose steps are sh, the elements of list, and returns the index of the one that failed.
// Room is made for all members of a struct at once, as far as their values are short.
func (s *encoder) plainList(b []byte, p *program, sh *shape, list mem.Array, n int) ([]byte, int) {
	var c steps.Cursor[program] // set one by one: as a whole it would be copied in words that are being written
	c.Shape, c.Mem, c.List, c.Last = &sh.Shape, p.mem, list, n-1
	c.Floats = s.flags&(flagFinite|flagReduce|flagKeepFloats) != 0
	for ; ; c.Elem++ {
		if cap(b)-len(b) < sh.Room {
			b = steps.Grow(b, sh.Room)
		}
		c.Left = 0
		q := list.At(p.mem, c.Elem)
		head := len(b)
		l := sh.PutHead(mem.BytesOf(b), head)
		for next := mem.CursorAt(sh.Ops, 0); ; {
			next = next.Next()
			o := next.Prev()
			if o.Omit != steps.OmitNever && o.Absent(q) {
				next = next.After(int(o.Skip) - 1)
				c.Left++
				continue
			}
			if o.Code == steps.End {
				break
			}
			if cap(b)-l < o.Need {
				b = steps.Grow(b[:l], o.Need)
			}
			if o.Code != steps.Other {
				c.Cap, c.Limit = cap(b), cap(b)-sh.Room
				i := next.In(sh.Ops) - 1
				if sh.Omits {
					i, l = steps.Write[steps.CBORSome](&c, i, q, mem.BytesOf(b), l)
				} else if sh.Keyed {
					i, l = steps.Write[steps.CBORKeyed](&c, i, q, mem.BytesOf(b), l)
				} else {
					i, l = steps.Write[steps.CBOR](&c, i, q, mem.BytesOf(b), l)
				}
				next = mem.CursorAt(sh.Ops, i).Next()
				if o = next.Prev(); o.Code == steps.End {
					break
				}
				q = list.At(p.mem, c.Elem)
			} else if o.N > 0 {
				l = o.PutPrefix(mem.BytesOf(b), l)
			}
			switch at, v := q.Field(o.Off), o.P; v.enc {
			case cFast:
				b = v.encFast(s, b[:l], at)
			case plan.Bytes:
				if data := *mem.At[[]byte](at); data != nil {
					b = cborwire.AppendBytes(b[:l], data)
				} else {
					b = s.null(b[:l], v)
				}
			case plan.String:
				b = s.string(b[:l], *mem.At[string](at))
			case plan.Time:
				b = s.time(b[:l], *mem.At[time.Time](at))
			case plan.Struct:
				b = s.structure(b[:l], v, at)
			case plan.Slice:
				b = s.slice(b[:l], v, at)
			case plan.Pointer:
				elem := v.elem
				to := at.Deref(elem.mem)
				if to.IsNil() {
					b = s.null(b[:l], v)
				} else if elem.enc <= plan.String {
					b = s.value(b[:l], elem, to)
				} else if elem = elem.meet(plan.Marshal); elem.enc == plan.Struct {
					b = s.structure(b[:l], elem, to)
				} else {
					b = s.target(b[:l], elem, to)
				}
			case cAsked:
				if sh.fields[o.In.Index].leavesOut(q) {
					next = next.After(int(o.Skip) - 1)
					c.Left++
				}
				continue
			default:
				b = s.value(b[:l], v, at)
			}
			if s.failed(b) {
				for at := o.In; at != nil; at = at.In {
					b = s.inField(b, at.Name, at.Index, at.Array)
				}
				return b, c.Elem
			}
			l = len(b)
		}
		if b = b[:l]; c.Left > 0 {
			n := sh.members - c.Left
			if sh.HeadSize == 1 {
				b[head] = cborwire.Map | byte(n)
			} else {
				b = cborwire.CloseHead(b, head, int(sh.HeadSize), cborwire.Map, uint64(n))
			}
		}
		if c.Elem == c.Last {
			return b, 0
		}
	}
}
