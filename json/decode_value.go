package json

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// value decodes the value at i into p by the program n.
func (d *decoder) value(n *node, p mem.Ptr, i int) int {
	switch n.op {
	case opString:
		return d.stringValue(n, p, i)
	case opBool:
		return d.boolValue(n, p, i)
	case opInt, opInt8, opInt16, opInt32, opInt64:
		return d.intValue(n, p, i)
	case opUint, opUint8, opUint16, opUint32, opUint64, opUintptr:
		return d.uintValue(n, p, i)
	case opFloat32, opFloat64:
		return d.floatValue(n, p, i)
	case opStruct:
		return d.structValue(n, p, i)
	case opPointer:
		return d.pointerValue(n, p, i)
	case opSlice:
		return d.sliceValue(n, p, i)
	case opMap:
		return d.mapValue(n, p, i)
	case opAny:
		return d.anyValue(n, p, i)
	case opArray:
		return d.arrayValue(n, p, i)
	case opInterface:
		return d.interfaceValue(n, n.rtype, p, i)
	case opSliceInPlace:
		if d.b.At(i) != '[' {
			return d.misfit(n, p, i)
		}
		return d.reuseSlice(n, p, i)
	case opBytes:
		return d.bytesValue(n, p, i)
	case opTime:
		return d.timeValue(n, p, i)
	case opNumber:
		if d.b.At(i) == '"' && !n.strict {
			return d.quotedNumber(p, i)
		}
		return d.numberValue(n, p, i)
	case opRaw:
		return d.rawValue(n, p, i)
	case opOption:
		return d.optionValue(n, p, i, false)
	case opUnion:
		return d.unionValue(n, p, i)
	case opRuled:
		return d.ruledValue(n, p, i)
	case opWeft, opJSON, opText, opTo, opStd:
		return d.hookValue(n, p, i)
	case opFunc, opLocal:
		return n.fn(d, n, p, i)
	}
	return d.misfit(n, p, i)
}

func (d *decoder) stringValue(n *node, p mem.Ptr, i int) int {
	if d.b.At(i) != '"' {
		return d.misfit(n, p, i)
	}
	i++
	e := d.strEnd(i)
	if d.b.At(e) == '"' && !d.badUTF8 {
		*mem.At[string](p) = d.strings.take(d.b, i, e-i)
		return e + 1
	}
	s, j := d.strSlow(i, e)
	if j >= 0 {
		*mem.At[string](p) = s
	}
	return j
}

func (d *decoder) boolValue(n *node, p mem.Ptr, i int) int {
	b := d.b
	if b.U32(i) == wordTrue {
		*mem.At[bool](p) = true
		return i + 4
	}
	if isFalse(b, i) {
		*mem.At[bool](p) = false
		return i + 5
	}
	return d.misfit(n, p, i)
}

// pointerValue decodes into what the pointer at p points to, which it makes
// if need be.
//
// What has methods of the user's is memory of its own: a method may keep the address, or give what is there a
// finalizer, which the runtime refuses for a part of a slice.
func (d *decoder) pointerValue(n *node, p mem.Ptr, i int) int {
	elem := n.elem
	if d.b.At(i) == 'n' || !p.Deref(elem.mem).IsNil() {
		return d.pointerTo(n, n.rtype, p, i)
	}
	s := d.slabOf(n.id)
	if s == nil {
		if d.hooked(elem) { // there is never a slab then
			return d.pointerTo(n, n.rtype, p, i)
		}
		s = d.newSlab(n.id, elem.mem)
	}
	if elem.op == opString {
		s.In(d.strings.made)
	}
	q := s.New()
	p.SetPtr(q)
	var j int
	switch elem.op {
	case opString:
		e := d.strEnd(i + 1)
		if uint(e-i) <= slabMost && d.b.At(i) == '"' && d.b.At(e) == '"' && !d.badUTF8 {
			*mem.At[string](q) = d.strings.take(d.b, i+1, e-i-1)
			return e + 1
		}
		j = d.stringValue(elem, q, i)
	case opInt, opInt8, opInt16, opInt32, opInt64:
		return d.intValue(elem, q, i)
	case opBool:
		return d.boolValue(elem, q, i)
	case opStruct:
		if j = d.structValue(elem, q, i); uint(j-i) <= sharedText {
			return j
		}
	default:
		j = d.target(elem, n.rtype, q, i)
	}
	if max(j, ^j)-i > elem.shares() {
		p.SetPtr(s.Own(q))
	}
	return j
}

// pointerTo is pointerValue for null, for a pointer that is not nil, and for memory that is not shared. outer is the
// type of the outermost pointer that has been followed.
func (d *decoder) pointerTo(n *node, outer reflect.Type, p mem.Ptr, i int) int {
	if d.b.At(i) == 'n' {
		return d.misfit(n, p, i)
	}
	q := p.Deref(n.elem.mem)
	if q.IsNil() {
		q = n.elem.mem.New()
		p.SetPtr(q)
	} else if !d.check() {
		return d.fail()
	}
	return d.target(n.elem, outer, q, i)
}

// target decodes the value at i into p, to which pointers lead, the outermost
// one of type outer: encoding/json's errors about types with UnmarshalText name that.
func (d *decoder) target(n *node, outer reflect.Type, p mem.Ptr, i int) int {
	switch n.op {
	case opPointer:
		if d.hops++; d.hops > maxHops {
			return d.abort(errCircle, i)
		}
		i = d.pointerTo(n, outer, p, i)
		d.hops--
		return i
	case opText:
		if c := d.b.At(i); c != '"' && c != 'n' {
			return d.mismatch(pick(d.flags&decodeV2 != 0, n.rtype, outer), false, i)
		}
	case opInterface:
		return d.interfaceValue(n, outer, p, i)
	case opAny:
		if *mem.At[any](p) != nil {
			return d.interfaceValue(n, outer, p, i)
		}
	}
	return d.value(n, p, i)
}

// errCircle is the error for a pointer that leads to itself.
var errCircle = errors.New("json: pointers lead in a circle")

// structValue decodes the object at i into the struct at p.
func (d *decoder) structValue(n *node, p mem.Ptr, i int) int {
	if n.whole.Load() == 0 {
		if j, ok := d.complete(n, p, i); !ok {
			return j
		}
	}
	b := d.b
	if b.At(i) != '{' {
		return d.misfit(n, p, i)
	}
	if d.depth++; d.depth > d.most {
		return d.fail()
	}
	fields := n.fields
	k := 0       // the field that is expected next
	var o object // is in memory: registers are lost at each call
	i++
	if b.At(i) <= ' ' {
		i = d.space(i)
	}
	if b.At(i) == '}' {
		goto end
	}
	for {
		var f *field
		if uint(k) < uint(len(fields)) {
			f = &fields[k]
			if f.key.Begins(b, i) {
				if !f.key.Short() {
					if !f.key.Ends(b, i) {
						goto search
					}
				}
				i += f.key.Len()
				k++
				goto found
			}
		}
		if at := n.first + k; uint(at) < uint(len(d.follows)) {
			if try := int(d.follows[at]); try < len(fields) {
				f = &fields[try]
				if f.key.Begins(b, i) {
					if !f.key.Short() {
						if !f.key.Ends(b, i) {
							goto search
						}
					}
					if n.need != 0 {
						o.jump(k, try)
					}
					i += f.key.Len()
					k = try + 1
					goto found
				}
			}
		}
	search:
		{
			at, found := i, 0
			if found, i = d.findField(n, k, i); i < 0 {
				return i
			}
			if found == 0 {
				if i = d.unknown(n, &o, p, at, i); i == failed {
					return i
				} else if i < 0 {
					i, o.flip = ^i, -1
				}
				goto next
			}
			if n.need != 0 {
				o.jump(k, found-1)
			}
			k = found
		}
		f = &fields[k-1]
	found:
		if b.At(i) <= ' ' {
			if b.At(i) == ' ' {
				i++
			}
			if b.At(i) <= ' ' {
				i = d.space(i)
			}
		}
		{
			q := p.Field(f.offset)
			op := f.op
			if op >= opSet {
				if op >= opNoted {
					if seen := o.seen | f.bit; seen != o.seen {
						o.seen = seen
					} else if !d.again(n, &o, k-1, i) {
						return failed
					}
					op -= opNoted
				}
				if op == opSet {
					if b.At(i) == 'n' {
						if i = d.unset(f, p, i); i >= 0 {
							goto next
						}
						goto stored
					}
					d.set(f, p)
					op = f.inner
				}
			}
			switch op {
			case opString:
				if b.At(i) != '"' {
					i = d.misfit(f.node, q, i)
					break
				}
				e := d.strEnd(i + 1)
				if b.At(e) == '"' && !d.badUTF8 {
					*mem.At[string](q) = d.strings.take(b, i+1, e-i-1)
					i = e + 1
					break
				}
				var s string
				if s, i = d.strSlow(i+1, e); i >= 0 {
					*mem.At[string](q) = s
				}
			case opInt64, opInt, opInt32, opInt16, opInt8:
				i = d.intValue(f.node, q, i)
			case opBool:
				i = d.boolValue(f.node, q, i)
			case opFloat64:
				i = d.floatValue(f.node, q, i)
			case opStruct:
				i = d.structValue(f.node, q, i)
			case opSlice:
				i = d.sliceValue(f.node, q, i)
			case opPointer:
				if b.U32(i) == wordNull && !f.node.noNull && q.Deref(f.node.elem.mem).IsNil() {
					i += 4
					break
				}
				i = d.pointerValue(f.node, q, i)
			case opEmbed:
				i = d.embedValue(f, p, i)
			case opQuoted:
				i = d.quotedValue(f, q, i)
			case opOption:
				i = d.optionValue(f.node, q, i, true)
			case opTexts:
				e := d.strEnd(i + 1)
				if k := f.rules.Texts.At(b, i+1, e-i-1); k >= 0 && b.At(i) == '"' && b.At(e) == '"' && !d.badUTF8 {
					*mem.At[string](q) = f.rules.Texts.Names()[k]
					i = e + 1
					goto next
				}
				i = d.stringValue(f.node, q, i)
			default:
				i = d.value(f.node, q, i)
			}
		}
	stored:
		if i < 0 {
			if f.isSet != 0 {
				d.restore(f, p)
			}
			if i = d.leave(n, f, i); i < 0 {
				return i
			}
			o.flip = -1
		} else if f.rules != nil && (len(d.later) > 0 || !f.rules.Sure(p.Field(f.offset))) {
			if i = d.obey(f.rules, p.Field(f.offset), i); i == failed {
				return i
			} else if i < 0 {
				i, o.flip = ^i, -1
			}
		}
	next:
		c := b.At(i)
		if c <= ' ' {
			i = d.space(i)
			c = b.At(i)
		}
		switch c {
		case ',':
			i++
			if b.At(i) <= ' ' {
				i = d.space(i)
			}
			continue
		case '}':
			goto end
		}
		return d.fail()
	}
end:
	d.depth--
	if o.more > 0 || n.need != 0 && n.need&^o.run(k) != 0 {
		o.jump(k, k)
		return d.ended(n, &o, p, i+1)
	}
	return (i + 1) ^ o.flip
}

// findField reads the name at i and its colon. It returns 1 more than the index of the field, 0 if there is none, and
// the index after the colon. The k-th field was expected.
//
//go:noinline
func (d *decoder) findField(n *node, k, i int) (int, int) {
	b := d.b
	e := d.strEnd(i + 1)
	// Same as searchField: if the key of the field stands here, colon and all, it is the first one of that name.
	if at := n.names.Guess(b, i+1, e-i-1); uint(at) < uint(len(n.fields)) && uint(n.first+k) < uint(len(d.follows)) {
		if f := &n.fields[at]; f.key.Begins(b, i) && (f.key.Short() || f.key.Ends(b, i)) {
			d.follows[n.first+k] = uint16(at)
			return at + 1, i + f.key.Len()
		}
	}
	return d.searchField(n, k, i, e)
}

// searchField is findField for any name. The first special character in it is at e.
//
//go:noinline
func (d *decoder) searchField(n *node, k, i, e int) (int, int) {
	b := d.b
	if b.At(i) != '"' {
		return 0, d.fail()
	}
	at, j := wire.NotSure, e+1
	if b.At(e) == '"' {
		at = n.names.At(b, i+1, e-i-1)
	}
	switch {
	case uint(at) < uint(len(n.fields)):
		d.follows = sized(d.follows, n.first+len(n.fields))
		d.follows[n.first+k] = uint16(at)
	case at == wire.NotSure || at < 0 && (n.fold != nil || n.typ.Closed || d.flags&decodeRejectUnknown != 0):
		if at, j = d.findName(n, i); j < 0 {
			return 0, j
		}
		fallthrough
	default:
		if at >= len(n.fields) {
			at = n.others[at-len(n.fields)]
		}
	}
	if b.At(j) != ':' {
		if j = d.ws(j); b.At(j) != ':' {
			return 0, d.fail()
		}
	}
	return max(at+1, 0), j + 1
}

// findName returns the place of the name at i among those of n, less than 0 if it is not there, and the index after it.
func (d *decoder) findName(n *node, i int) (int, int) {
	name, j := d.name(i)
	if j < 0 {
		return 0, j
	}
	k := n.names.Find(name)
	switch {
	case k >= 0:
	case n.fold != nil:
		if k = n.fold(name); k == foldsTwo {
			return 0, d.abort(d.about(n.rtype, fmt.Errorf("name %q fits more than one field of %v", name, n.rtype)), i)
		}
	case d.flags&decodeExactNames == 0 && !n.strict:
		k = n.names.FindFold(name)
	}
	if k < 0 && !n.typ.Takes(name) && (d.depth != d.ignored.Depth || name != d.ignored.Name && !d.ignored.All) {
		if n.typ.Closed && d.flags&decodeAllowUnknown == 0 {
			d.stranger(name, j)
		} else if d.flags&decodeRejectUnknown != 0 && d.saved == nil {
			if d.flags&decodeV2 != 0 {
				return 0, d.abort(d.about(n.rtype, weft.ErrUnknownMember), i)
			}
			d.saved, d.at = d.unknownField(name), i
		}
	}
	return k, j
}

// reach returns the location of field f of the struct at p, for the value at i, and i. It makes the embedded pointers
// on the way. If one cannot be set, it returns the index after the value, which is skipped.
func (d *decoder) reach(f *field, p mem.Ptr, i int) (mem.Ptr, int) {
	if len(f.of.Embeds) == 0 {
		return p.Field(f.offset), i
	}
	for k := range f.of.Embeds {
		e := &f.of.Embeds[k]
		at := p.Field(e.Offset)
		p = at.Deref(e.Elem)
		if p.IsNil() {
			if !e.Settable {
				if d.saved == nil {
					d.saved, d.at = unsettable(e.Elem.Rtype), i
				}
				return p, d.skip(i)
			}
			p = e.Elem.New()
			at.SetPtr(p)
		} else if !d.check() {
			return p, d.fail()
		}
	}
	return p.Field(f.of.Offset), i
}

// embedValue decodes into a field behind embedded pointers.
func (d *decoder) embedValue(f *field, p mem.Ptr, i int) int {
	q, j := d.reach(f, p, i)
	if j != i {
		return j
	}
	if f.inner == opQuoted {
		i = d.quotedValue(f, q, i)
	} else {
		i = d.value(f.node, q, i)
	}
	if i >= 0 && f.of.Rules != nil {
		i = d.obey(f.of.Rules, q, i)
	}
	return i
}
