package json

import (
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/structwire"
)

// wordFalse is the text false, the first byte lowest.
const wordFalse = 'f' | 'a'<<8 | 'l'<<16 | 's'<<24 | 'e'<<32

// object writes the struct at p to l. Every member is written with a comma before it, and the first
// comma becomes the brace.
func (e *encoder) object(l int, pr *program, p mem.Ptr) int {
	if pr.waits.Load() != nil {
		if err := e.complete(pr); err != nil {
			return e.fail(l, err)
		}
	}
	start := l
	if e.runs(pr) {
		l = e.run(l, pr, p, nil, 0)
	} else {
		l = e.members(l, pr.first, nil, p)
	}
	if l > start && pr.rest == nil && l != len(e.buf) {
		w := mem.BytesOf(e.buf)
		w.Set(start, '{')
		w.Set(l, '}')
		return l + 1
	}
	if l >= 0 && pr.rest != nil {
		l = e.restMembers(l, start, pr, p)
	}
	if l < 0 {
		return l
	}
	return e.endObject(l, start)
}

// endObject closes the object that begins at start, whose members each have a comma before them.
func (e *encoder) endObject(l, start int) int {
	if len(e.buf)-l < 2 {
		l = e.room(l)
	}
	w := mem.BytesOf(e.buf)
	if l == start { // it is empty
		w.Set(l, '{')
		l++
	}
	w.Set(start, '{')
	w.Set(l, '}')
	return l + 1
}

// members writes the members of the struct at p from o on, up to end.
func (e *encoder) members(l int, o, end *put, p mem.Ptr) int {
	for ; o != end; o = o.next {
		var at mem.Ptr
		switch { // the usual ones are better off without a table
		case o.omit == omitInt && *mem.At[int](p.Near(o.State)) == 0:
			continue
		case o.omit == omitSlow && (o.Omit != structwire.ZeroByte || *mem.At[uint8](p.Near(o.State)) == 0):
			var null bool
			if at, null = o.reach(p); at.IsNil() {
				continue
			} else if null {
				l = e.null(l, o)
				continue
			}
		default:
			at = p.Field(o.Off)
		}
		if len(e.buf)-l < slack {
			l = e.room(l)
		}
		w := mem.BytesOf(e.buf)
		name := mem.BytesOf(o.Name[:])
		w.Copy16(l, name, 0)
		w.Copy16(l+16, name, 16)
		l += int(o.N)
		var v int64
		switch o.code {
		case opString:
			goto text
		case opBool:
			l = setBool(w, l, *mem.At[bool](at))
			continue
		case opInt:
			v = int64(*mem.At[int](at))
		case opInt32:
			v = int64(*mem.At[int32](at))
		case opInt64:
			v = *mem.At[int64](at)
		case opUint8:
			v = int64(*mem.At[uint8](at))
		case opUint32:
			v = int64(*mem.At[uint32](at))
		case opUint64:
			l = wire.SetUint(w, l, *mem.At[uint64](at))
			continue
		case opFloat64:
			f := *mem.At[float64](at)
			if f-f != 0 {
				return e.fail(l, infinite(at.Value(o.sub.mem)))
			}
			l = e.appended(wire.AppendFloat64(e.buf[:l], f))
			continue
		case opStruct:
			if l = e.object(l, o.sub, at); l < 0 {
				return e.inMember(l, o)
			}
			continue
		case opSlice:
			if at.SliceLen() == 0 && !at.SliceIsNil() {
				w.SetU16(l, '['|']'<<8)
				l += 2
				continue
			}
			if l = e.slice(l, o.sub, at); l < 0 {
				return e.inMember(l, o)
			}
			continue
		case opPointer:
			to := o.sub.elem
			if at = at.Deref(to.mem); at.IsNil() {
				goto null
			}
			switch to.code {
			case opString:
				goto text
			case opBool:
				l = setBool(w, l, *mem.At[bool](at))
				continue
			case opInt:
				v = int64(*mem.At[int](at))
			case opInt64:
				v = *mem.At[int64](at)
			default:
				if e.leaf(to) {
					l = e.put(l, to, at)
				} else {
					l = e.pointer(l, o.sub, at)
				}
				if l < 0 {
					return e.inMember(l, o)
				}
				continue
			}
		default:
			if l = e.member(e.rest(l, o), o, o.sub, at); l < 0 {
				return e.inMember(l, o)
			}
			continue
		}
		if v < 0 {
			w.Set(l, '-')
			l++
			v = -v
		}
		l = wire.SetUint(w, l, uint64(v))
		continue
	null:
		w.SetU32(l, wordNull)
		l += 4
		continue
	text:
		if s := *mem.At[string](at); !mem.Safe && len(s) < wire.ShortString {
			if l = wire.SetShortString(w, l, s, wire.Escapes(e.flags)&wire.EscapeHTML); l >= 0 {
				continue
			}
			l = e.putRest(^l, *mem.At[string](at), ^l+1, 0)
		} else if !mem.Safe && len(e.buf)-l >= len(s)+2 {
			end, k := wire.SetString(w, l, len(e.buf), s, e.flags.escapes())
			if end >= 0 {
				l = end
				continue
			}
			l = e.putRest(l, *mem.At[string](at), ^end, k)
		} else {
			l = e.putString(l, *mem.At[string](at))
		}
		if l < 0 {
			return e.inMember(l, o)
		}
	}
	return l
}

// null writes the member with a null for its value.
func (e *encoder) null(l int, o *put) int {
	b := append(append(e.buf[:l], o.Name[:o.N]...), o.slow.rest...)
	return e.appended(append(b, "null"...))
}

// rest writes to l what of the name of o comes after nameRoom bytes.
func (e *encoder) rest(l int, o *put) int {
	if o.slow.rest == "" {
		return l
	}
	return e.appended(append(e.buf[:l], o.slow.rest...))
}

// member writes the value of o, of pr's type, behind its name. It returns where the member begins if that is taken
// back.
func (e *encoder) member(l int, o *put, pr *program, v mem.Ptr) int {
	from, was := l, e.place
	e.place = mem.BytesOf(o.Name[:]).U32(len(`,"`)) ^ uint32(o.N)
	l = e.put(l, pr, v)
	e.place = was
	if l < 0 || !o.slow.back || !emptyText(e.buf[from:l]) {
		return l
	}
	if e.tokens != nil { // a run need not: what is in a struct that it takes back has been taken back before
		e.tokens.levels.reset()
	}
	return from - len(o.slow.rest) - int(o.N)
}

// inMember is within for what has failed in the member o.
//
//go:noinline
func (e *encoder) inMember(l int, o *put) int { return e.within(l, o.slow.field.Name) }
