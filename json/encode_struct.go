package json

import (
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
		var at mem.Ptr
		null := false
		switch {
		case o.omit == omitSlow:
			if at, null = o.reach(p); at.IsNil() {
				continue
			}
		case o.omit == omitInt && *mem.At[int](p.Near(o.State)) == 0:
			continue
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
		switch {
		case null:
			l = e.appended(append(append(e.buf[:l], o.slow.rest...), "null"...))
			continue
		case o.long:
			l = e.member(e.appended(append(e.buf[:l], o.slow.rest...)), o, o.sub, at)
		default:
			switch o.sub.code {
			case opString:
				l = e.putString(l, *mem.At[string](at))
			case opBool:
				l = setBool(w, l, *mem.At[bool](at))
			case opInt:
				l = wire.SetInt(w, l, int64(*mem.At[int](at)))
			case opInt64:
				l = wire.SetInt(w, l, *mem.At[int64](at))
			case opStruct:
				l = e.object(l, o.sub, at)
			default:
				l = e.member(l, o, o.sub, at)
			}
		}
		if l < 0 {
			return e.inMember(l, o)
		}
	}
	return l
}

// member writes the value of o, of pr's type, behind its name. It returns where the member begins if that is taken back.
func (e *encoder) member(l int, o *put, pr *program, v mem.Ptr) int {
	from, was := l, e.place
	e.place = mem.BytesOf(o.Name[:]).U32(len(`,"`)) ^ uint32(o.N)
	l = e.put(l, pr, v)
	e.place = was
	if l < 0 || !o.slow.back || !emptyText(e.buf[from:l]) {
		return l
	}
	e.levels.reset() // a run need not: what is in a struct that it takes back has been taken back before
	return from - len(o.slow.rest) - int(o.N)
}

// inMember is within for what has failed in the member o.
//
//go:noinline
func (e *encoder) inMember(l int, o *put) int { return e.within(l, o.slow.field.Name) }
