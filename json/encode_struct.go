package json

import (
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
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
		l = e.run(l, pr, p)
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
		switch { // the usual ones are better off without a table
		case o.omit == omitNever:
		case o.omit == omitInt:
			if *mem.At[int](p.Near(o.State)) == 0 {
				continue
			}
		default:
			switch o.omit {
			case omitHalf:
				if *mem.At[uint32](p.Field(o.Off)) == 0 {
					continue
				}
			case omitByte:
				if *mem.At[uint8](p.Field(o.Off)) == 0 {
					continue
				}
			case omitFloat64:
				if *mem.At[float64](p.Field(o.Off)) == 0 {
					continue
				}
			case omitTime:
				if mem.At[time.Time](p.Field(o.Off)).IsZero() {
					continue
				}
			case omitNil:
				t := o.slow.field.Type
				if q := p.Field(o.Off); q.AllZero(t.Mem) || t.IsEmpty(q) {
					continue
				}
			case omitUnset:
				if !*mem.At[bool](p.Near(o.State)) {
					continue
				}
			case nullUnset:
				if !*mem.At[bool](p.Near(o.State)) {
					l = e.null(l, o)
					continue
				}
			case fixedZero:
				if o.slow.field.Type.IsZero(p.Field(o.Off)) {
					if l = e.member(l, o, o.slow.field.Written(p)); l < 0 {
						return l
					}
					continue
				}
			case omitLength:
				if q := p.Field(o.Off).Deref(o.sub.elem.mem); q.IsNil() || o.slow.field.Type.Elem.IsEmpty(q) {
					continue
				}
			case omitAbsent:
				if state := *mem.At[uint8](p.Near(o.State)); state != optionSet {
					if state == optionNull {
						l = e.null(l, o)
					}
					continue
				}
			default:
				if at := o.reach(p); !at.IsNil() {
					if l = e.member(l, o, at); l < 0 {
						return l
					}
				}
				continue
			}
		}
		if len(e.buf)-l < slack {
			l = e.room(l)
		}
		w := mem.BytesOf(e.buf)
		name := mem.BytesOf(o.Name[:])
		w.Copy16(l, name, 0)
		w.Copy16(l+16, name, 16)
		l += int(o.N)
		at := p.Field(o.Off)
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
		case opStrings:
			if l = e.strings(l, o.sub, *mem.At[[]string](at)); l < 0 {
				return e.inMember(l, o)
			}
			continue
		case opToString:
			if at = at.Deref(o.sub.elem.mem); at.IsNil() {
				goto null
			}
			goto text
		case opToBool:
			if at = at.Deref(o.sub.elem.mem); at.IsNil() {
				goto null
			}
			l = setBool(w, l, *mem.At[bool](at))
			continue
		case opToInt:
			if at = at.Deref(o.sub.elem.mem); at.IsNil() {
				goto null
			}
			v = int64(*mem.At[int](at))
		case opToInt64:
			if at = at.Deref(o.sub.elem.mem); at.IsNil() {
				goto null
			}
			v = *mem.At[int64](at)
		case opPointer:
			q := at.Deref(o.sub.elem.mem)
			if q.IsNil() {
				goto null
			}
			if to := o.sub.elem; e.leaf(to) {
				l = e.put(l, to, q)
			} else {
				l = e.pointer(l, o.sub, q)
			}
			if l < 0 {
				return e.inMember(l, o)
			}
			continue
		default:
			if l = e.other(l, o, at); l < 0 {
				return l
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

// member writes the member whose value is at.
func (e *encoder) member(l int, o *put, at mem.Ptr) int {
	if len(e.buf)-l < slack {
		l = e.room(l)
	}
	l += copy(e.buf[l:], o.Name[:o.N])
	return e.other(l, o, at)
}

// other writes the value of a member that is not of the usual kinds, or not in the usual place, or has a long name of which
// the rest is written first.
func (e *encoder) other(l int, o *put, at mem.Ptr) int {
	if rest := o.slow.rest; rest != "" {
		if len(e.buf)-l < len(rest) {
			e.grow(l, len(rest))
		}
		l += copy(e.buf[l:], rest)
	}
	from, was := l, e.place
	e.place = mem.BytesOf(o.Name[:]).U32(len(`,"`)) ^ uint32(o.N)
	l = e.put(l, o.sub, at)
	e.place = was
	if l < 0 {
		return e.inMember(l, o)
	}
	if o.slow.back {
		return e.takeBack(l, from, o)
	}
	return l
}

// takeBack returns where the member o begins if its value, written from from to l, is empty, and l otherwise.
func (e *encoder) takeBack(l, from int, o *put) int {
	if !emptyText(e.buf[from:l]) {
		return l
	}
	e.levels.reset() // a run need not: what is in a struct that it takes back has been taken back before
	return from - len(o.slow.rest) - int(o.N)
}

// inMember is within for what has failed in the member o.
//
//go:noinline
func (e *encoder) inMember(l int, o *put) int { return e.within(l, o.slow.field.Name) }
