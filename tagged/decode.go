package tagged

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// The methods of this file read the value of wire type wt at offset i of the
// message, which does not go beyond end, into a location, and return the index
// after it, -1 after an error.

// target reads the value at i into the variable v points to.
func (r *reader) target(i, end int, wt uint32, v any) int {
	p, q, err := r.programs.variable(v)
	if err != nil {
		return r.fail(i, err)
	}
	return r.value(i, end, wt, p, q)
}

// variable returns the variable v points to and the program of its type.
func (g *registry) variable(v any) (*program, mem.Ptr, error) {
	if v == nil {
		return nil, mem.Ptr{}, errTarget
	}
	switch p := g.of(v); {
	case p.enc != plan.Pointer || mem.PtrOf(v).IsNil():
		return nil, mem.Ptr{}, errTarget
	case p.unmarshalErr != nil:
		return nil, mem.Ptr{}, p.unmarshalErr
	default:
		return p.elem, mem.PtrOf(v), nil
	}
}

// null reports whether a null stands at i.
func (r *reader) null(i, end int, wt uint32) bool {
	return wt == tagwire.Null && i < end && r.b[i] == 0
}

// value reads the value at i into q.
func (r *reader) value(i, end int, wt uint32, p *program, q mem.Ptr) int {
	if wt == tagwire.Null && i < end && r.b[i] == 0 {
		return r.setNull(i, end, p, q)
	}
	switch p.dec {
	case plan.Struct:
		return r.structure(i, end, wt, p, q)
	case plan.String:
		return r.string(i, end, wt, mem.At[string](q))
	case plan.Bool:
		v, next := r.boolAt(i, end, wt)
		if next < 0 {
			return r.bad(i, wt, next, "bool")
		}
		*mem.At[bool](q) = v
		return next
	case plan.Int, plan.Int8, plan.Int16, plan.Int32, plan.Int64:
		return r.int(i, end, wt, p.dec, q)
	case plan.Uint, plan.Uint8, plan.Uint16, plan.Uint32, plan.Uint64, plan.Uintptr:
		return r.uint(i, end, wt, p.dec, q)
	case plan.Float64, plan.Float32:
		v, next := r.floatAt(i, end, wt)
		if next >= 0 && p.dec == plan.Float32 && overflows(v) {
			next = tagwire.Range
		}
		if next < 0 {
			return r.bad(i, wt, next, p.typ.Rtype.String())
		}
		storeFloat(p.dec, q, v)
		return next
	case plan.Slice:
		return r.slice(i, end, wt, p, q)
	case plan.Map:
		return r.mapping(i, end, wt, p, q)
	case plan.Pointer:
		return r.pointer(i, end, wt, p, q)
	case plan.Any:
		return r.dynamic(i, end, wt, mem.At[any](q))
	}
	return r.rare(i, end, wt, p, q)
}

// setNull reads the null at i into q.
func (r *reader) setNull(i, end int, p *program, q mem.Ptr) int {
	switch p.dec {
	case cRuled, cWeft, plan.Raw:
		return r.rare(i, end, tagwire.Null, p, q)
	case plan.Struct:
		return r.structure(i, end, tagwire.Null, p, q)
	case plan.Option:
		p.typ.Option.SetNull(q)
	default:
		p.mem.Clear(q)
	}
	return i + 1
}

// rare is value for the kinds that are met less often.
func (r *reader) rare(i, end int, wt uint32, p *program, q mem.Ptr) int {
	switch p.dec {
	case cRuled:
		if p.typ.NoNull && r.null(i, end, wt) {
			return r.bad(i, wt, tagwire.Mismatch, p.typ.Rtype.String())
		}
		if p.typ.Rules != nil && p.typ.Rules.Schema != nil && !r.conforms(i, end, wt, p.typ.Rules) {
			return -1
		}
		next := r.value(i, end, wt, p.unruled, q)
		if next < 0 || p.typ.Rules == nil || r.flags&setting.Unchecked != 0 || p.typ.Rules.Hold(q) ||
			entry.Broken(&r.shared, i, p.typ.Rules, q) {
			return next
		}
		return -1
	case cWeft:
		return r.own(i, end, wt, func() error { return p.typ.ReadHook(&r.dec, q.Addr(p.mem)) })
	case plan.Raw:
		raw, next := r.rawAt(nil, i, end, wt)
		if next >= 0 {
			*mem.At[[]byte](q) = raw
		}
		return next
	case plan.Interface:
		if e := q.Value(p.mem).Elem(); e.IsValid() && e.Kind() == reflect.Pointer && !e.IsNil() {
			return r.deepTarget(i, end, wt, e.Interface())
		}
		return r.bad(i, wt, tagwire.Mismatch, p.typ.Rtype.String())
	case plan.Time:
		t, next := r.timeAt(i, end, wt)
		if next >= 0 {
			*mem.At[time.Time](q) = t
		}
		return next
	case plan.Bytes, plan.ByteSlice, plan.ByteArray:
		v, next := r.bytesAt(i, end, wt)
		switch {
		case next < 0:
		case p.dec == plan.Bytes:
			*mem.At[[]byte](q) = v
		case p.dec == plan.ByteSlice:
			s := reflect.MakeSlice(p.typ.Rtype, len(v), len(v))
			copy(s.Bytes(), v)
			q.Value(p.mem).Set(s)
		case len(v) != p.typ.Len:
			return r.fail(i, fmt.Errorf("length is %d, must be %d", len(v), p.typ.Len))
		default:
			copy(q.Value(p.mem).Bytes(), v)
		}
		return next
	case plan.Array:
		return r.array(i, end, wt, p, q)
	case plan.Option:
		next := r.value(i, end, wt, p.elem, q.Field(p.typ.Option.V))
		if next >= 0 {
			p.typ.Option.SetState(q, plan.OptionSet)
		}
		return next
	case plan.Number:
		return r.number(i, end, wt, mem.At[string](q))
	case cText:
		if wt != tagwire.String {
			return r.bad(i, wt, tagwire.Mismatch, p.typ.Rtype.String())
		}
		start, stop := r.textAt(i, end, wt, "string")
		if stop < 0 {
			return -1
		}
		if err := q.Addr(p.mem).(encoding.TextUnmarshaler).UnmarshalText(r.b[start:stop:stop]); err != nil {
			return r.fail(i, err)
		}
		return stop
	}
	return r.fail(i, errors.New(p.typ.Rtype.String()+" has no form in this format"))
}

// own has a value read itself, at i, and checks that it has read one value.
func (r *reader) own(i, end int, wt uint32, read func() error) int {
	around := r.top
	r.i, r.wt, r.top.end = i, wt, end
	open, depth := len(r.stack), r.depth
	err := read()
	switch {
	case r.err != nil:
		return -1
	case err != nil:
		return r.fail(i, err)
	case len(r.stack) != open || r.depth != depth || r.i == i && !(i == 0 && r.tableAt == 0 && !r.lone):
		return r.fail(i, errHook)
	}
	r.top = around
	return r.i
}

// string reads a string.
func (r *reader) string(i, end int, wt uint32, v *string) int {
	if wt == tagwire.String {
		if start, stop := tagwire.Span(r.b, i, end); stop >= 0 {
			*v = r.carve(start, stop)
			return stop
		}
	}
	_, i = r.textAt(i, end, wt, "string") // fails
	return i
}

// int reads a signed integer of the kind c.
func (r *reader) int(i, end int, wt uint32, c plan.Kind, q mem.Ptr) int {
	v, next := r.intAt(i, end, wt)
	switch {
	case next < 0:
	case c == plan.Int64:
		*mem.At[int64](q) = v
	case !mem.StoreInt(q, c.Integer(), v):
		next = tagwire.Range
	}
	if next < 0 {
		return r.bad(i, wt, next, c.Integer().String())
	}
	return next
}

// uint reads an unsigned integer of the kind c.
func (r *reader) uint(i, end int, wt uint32, c plan.Kind, q mem.Ptr) int {
	v, next := r.uintAt(i, end, wt)
	if next >= 0 && !mem.StoreUint(q, c.Integer(), v) {
		next = tagwire.Range
	}
	if next < 0 {
		return r.bad(i, wt, next, c.Integer().String())
	}
	return next
}

// number reads a number as text.
func (r *reader) number(i, end int, wt uint32, v *string) (next int) {
	switch wt {
	case tagwire.Number:
		var start int
		if start, next = tagwire.Span(r.b, i, end); next >= 0 && !tagwire.IsNumber(r.b[start:next]) {
			next = tagwire.Broken
		}
		if next >= 0 {
			*v = r.carve(start, next)
		}
	case tagwire.Double, tagwire.Single:
		var f float64
		f, next = r.floatAt(i, end, wt)
		switch {
		case next < 0:
		case math.IsNaN(f) || math.IsInf(f, 0):
			next = tagwire.Range
		case wt == tagwire.Single:
			*v = string(wire.AppendFloat32(nil, float32(f)))
		default:
			*v = string(wire.AppendFloat64(nil, f))
		}
	default:
		if r.exact && wt == tagwire.Fixed64 {
			var u uint64
			u, next = r.rowUint(i)
			*v = strconv.FormatUint(u, 10)
			break
		}
		var n int64
		if n, next = r.intAt(i, end, wt); next >= 0 {
			*v = strconv.FormatInt(n, 10)
		}
	}
	if next < 0 {
		return r.bad(i, wt, next, "number")
	}
	return next
}

// pointer reads what the pointer at q points at, a new variable if it is nil.
func (r *reader) pointer(i, end int, wt uint32, p *program, q mem.Ptr) int {
	elem := p.elem
	to := q.Deref(elem.mem)
	if !to.IsNil() {
		return r.value(i, end, wt, elem, to)
	}
	to = r.slabs.New(elem.slab, elem.mem)
	next := r.value(i, end, wt, elem, to)
	if next >= 0 {
		q.SetPtr(r.slabs.Keep(elem.slab, elem.mem, to, next-i))
	}
	return next
}

// deeper goes one container down, unless that is too deep.
func (r *reader) deeper(i int) bool {
	if r.depth >= r.maxDepth {
		r.fail(i, weft.ErrDepth)
		return false
	}
	r.depth++
	return true
}

func (r *reader) deepTarget(i, end int, wt uint32, v any) int {
	if !r.deeper(i) {
		return -1
	}
	next := r.target(i, end, wt, v)
	r.depth--
	return next
}

// dynamic reads any value into an interface. One that holds a pointer is read
// into what that points at.
func (r *reader) dynamic(i, end int, wt uint32, v *any) int {
	if *v != nil {
		if rv := reflect.ValueOf(*v); rv.Kind() == reflect.Pointer && !rv.IsNil() && *v != any(v) {
			return r.deepTarget(i, end, wt, *v)
		}
	}
	x, next := r.anyAt(i, end, wt)
	if next >= 0 {
		*v = x
	}
	return next
}

// structure reads an object into the struct at q.
func (r *reader) structure(i, end int, wt uint32, p *program, q mem.Ptr) int {
	begin := i
	if wt != tagwire.Object {
		if r.null(i, end, wt) && !p.typ.NoNull {
			p.mem.Clear(q)
			return i + 1
		}
		return r.bad(i, wt, tagwire.Mismatch, p.typ.Rtype.String())
	}
	i, stop := r.content(i, end)
	if stop < 0 {
		return r.bad(begin, wt, stop, p.typ.Rtype.String())
	}
	if !r.deeper(begin) || !r.check(begin, p) || r.nameless && !r.named(i, stop) {
		return -1
	}
	b := r.b
	fields := p.fields
	var seen uint64
	var more []uint64
	if len(fields) > 64 {
		more = make([]uint64, len(p.required))
	}
	for want := 0; i < stop; {
		if stop-i <= tagwire.TagSize {
			return r.fail(i, weft.ErrUnexpectedEnd)
		}
		tag := tagwire.Tag(b, i)
		slot := want
		if want >= len(fields) || fields[want].tag != tag&^0xff || r.exact {
			slot = r.slot(p, tag)
		}
		if tag&0xf0 != 0 {
			return r.fail(i, errTag)
		}
		i += tagwire.TagSize
		wt := tag & 15
		if slot < 0 && r.flags&setting.FoldNames != 0 && !p.typ.Strict {
			name, ok := r.nameOf(i, tag)
			if !ok {
				return -1
			}
			slot = p.fold(name)
		}
		if slot < 0 {
			if i = r.unknown(i, stop, tag, p, q); i < 0 {
				return -1
			}
			continue
		}
		want = slot + 1
		w, bit := &seen, uint64(1)<<(uint(slot)%64)
		if slot >= 64 {
			if w = &more[slot/64]; !r.lists(tag) {
				return r.fail(i, errNoName)
			}
		}
		if *w&bit != 0 {
			return r.fail(i, errTwice)
		}
		*w |= bit
		f := &fields[slot]
		at := q.Field(f.off)
		if f.flags != 0 {
			var done bool
			if at, i, done = r.special(i, stop, wt, f, q); i < 0 {
				return -1
			} else if done {
				continue
			}
		}
		from := i
		if f.dec == plan.String && wt == tagwire.String {
			// Same as r.string.
			start, next := i+1, 0
			if b[i] < 0x80 {
				next = start + int(b[i])
			}
			if next == 0 || next > stop {
				if start, next = tagwire.Span(b, i, stop); next < 0 {
					return r.bad(i, wt, next, "string")
				}
			}
			*mem.At[string](at) = r.carve(start, next)
			i = next
		} else if i = r.value(i, stop, wt, f.p, at); i < 0 {
			return -1
		}
		if f.flags&fOption != 0 {
			f.f.Type.Option.SetState(f.f.At(q), plan.OptionSet)
		}
		if f.check && r.flags&setting.Unchecked == 0 {
			if at := f.f.At(q); !f.f.Rules.Hold(at) && !entry.Broken(&r.shared, from, f.f.Rules, at) {
				return -1
			}
		}
	}
	if lost := seen &^ r.checked[p.id].listed; lost != 0 && !r.allListed(begin, end) {
		return -1
	}
	if len(p.required) > 1 || len(p.required) > 0 && p.required[0]&^seen != 0 {
		names := p.missing(q, seen, more, r.flags)
		if names != nil && !entry.Violate(&r.shared, begin, "", &weft.MissingError{Names: names}) {
			return -1
		}
	}
	r.depth--
	return stop
}

// fold returns the field that has the name when case is folded, or -1.
func (p *program) fold(name string) int {
	if k := p.typ.FieldFold(name); k >= 0 {
		return p.slot(tagwire.Hash(p.typ.Members()[k].Name))
	}
	return -1
}

// allListed fails at the first member of the object at i whose name is not in the table, and reports whether there is
// none.
func (r *reader) allListed(i, end int) bool {
	for tag, at := range r.parts(r.content(i, end)) {
		if !r.lists(tag) {
			r.fail(at, errNoName)
			return false
		}
	}
	return true
}

// missing names the required members that have not been met, in declared order.
func (p *program) missing(q mem.Ptr, seen uint64, more []uint64, flags uint64) (names []string) {
	met := make([]uint64, len(p.required))
	for i, slot := range p.declared {
		if slot < 64 && seen>>uint(slot)&1 != 0 || slot >= 64 && more[slot/64]>>uint(slot%64)&1 != 0 {
			met[i/64] |= 1 << (i % 64)
		}
	}
	return p.typ.Missing(q, p.needed, met[0], met, flags)
}

// special finds the place of a field that is not plainly there. done reports
// whether the value has been read.
func (r *reader) special(i, end int, wt uint32, f *field, q mem.Ptr) (at mem.Ptr, next int, done bool) {
	at = q.Field(f.off)
	if f.flags&fEmbedded != 0 {
		if r.null(i, end, wt) && f.f.At(q).IsNil() {
			return at, i + 1, true
		}
		p, blocked := f.f.Make(q)
		if blocked != nil {
			return at, r.fail(i, fmt.Errorf("cannot set embedded pointer to unexported struct: %v", blocked.Elem.Rtype)), false
		}
		at = p
	}
	if f.flags&fOption != 0 {
		o := f.f.Type.Option
		if !o.Null && r.null(i, end, wt) {
			if o.Kind == setting.OptionOptional {
				return at, r.bad(i, wt, tagwire.Mismatch, f.p.typ.Rtype.String()), false
			}
			o.SetState(at, plan.OptionNull)
			return at, i + 1, true
		}
		at = at.Field(o.V)
	}
	return at, i, false
}

// unknown handles a member of which the struct at q has no field.
func (r *reader) unknown(i, end int, tag uint32, p *program, q mem.Ptr) int {
	if r.ignores(tag) {
		return r.skip(i, end, tag&15)
	}
	none := p.rest == nil
	if p.typ.Picks() {
		next := r.nextName
		name, ok := r.nameOf(i, tag)
		if !ok {
			return -1
		}
		if none = !p.typ.Takes(name); !none {
			r.nextName = next // pair asks again
		}
	}
	if none {
		if !entry.Strange(&r.shared, i, "", p.typ) {
			return -1
		}
		return r.skip(i, end, tag&15)
	}
	at, blocked := p.rest.Make(q)
	if blocked != nil {
		return r.skip(i, end, tag&15)
	}
	m := at.Value(p.restProg.mem)
	if m.IsNil() {
		m.Set(reflect.MakeMap(p.restProg.typ.Rtype))
	}
	return r.pair(i, end, tag, p.restProg, mem.NewEntry(p.restProg.typ.Rtype), m)
}
