package cbor

import (
	"fmt"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// room is the spare capacity that every step of the loop over the fields of a struct starts with.
const room = steps.Spare

// structure writes the struct at q: as a map of the members that it has, or as an array of all of them, null
// where there is no value, and of the map of the members without a field if there is one.
func (s *encoder) structure(b []byte, p *program, q mem.Ptr) []byte {
	if !s.enter() {
		return b
	}
	if s.flags&flagByteText == 0 {
		if sh := p.shapeIn(s.order, s.array); sh.Ops != nil && s.depth+sh.nest <= s.maxDepth {
			b, _ = s.plainList(b, p, sh, q.One(), 1)
			s.depth--
			return b
		}
	}
	array := p.isArray(s.array)
	fields := p.fields[s.order]
	head := len(b)
	if array {
		fields = p.fields[declared]
		b = cborwire.AppendHead(b, cborwire.Array, uint64(p.length()))
	} else {
		b = cborwire.AppendHead(b, cborwire.Map, uint64(len(fields)))
	}
	first, l, n := len(b), len(b), 0
	for i := 0; i < len(fields); i++ {
		f := &fields[i]
		if f.omit != plan.OmitSlow && !array {
			if tells := q.Near(f.tells); f.omit <= plan.OmitRun {
				if *mem.At[int](tells) == 0 {
					if f.omit == plan.OmitRun {
						next := fields[i+1 : i+1+plan.RunLength]
						if *mem.At[int](q.Near(next[0].tells))|*mem.At[int](q.Near(next[1].tells))|
							*mem.At[int](q.Near(next[2].tells)) == 0 {
							i += plan.RunLength
						}
					}
					continue
				}
			} else if f.omit == plan.OmitByte {
				if *mem.At[uint8](tells) == 0 {
					continue
				}
			} else if f.f.Omits(f.omit, tells) {
				continue
			}
		}
		at := q.Field(f.off)
		null := false
		if f.flags != 0 {
			var ok bool
			if at, null, ok = special(f, q, array); !ok {
				continue
			}
		}
		n++
		if cap(b)-l < room {
			b = steps.Grow(b[:l], room)
		}
		if !array {
			if f.n == 0 {
				b = append(b[:l], f.key...)
				b[l] &^= byte(f.asBytes(s.flags))
				if l = len(b); cap(b)-l < room {
					b = steps.Grow(b, room)
				}
			} else {
				w := mem.BytesOf(b)
				w.SetU64(l, f.k0&^f.asBytes(s.flags))
				w.SetU64(l+8, f.k1)
				l += int(f.n)
			}
		}
		w := mem.BytesOf(b)
		if null {
			w.Set(l, cborwire.Null)
			l++
			continue
		}
		v := f.p
		if f.flags&fOption != 0 {
			v = v.elem
		}
		if b = s.value(b[:l], v, at); s.err != nil {
			return s.inField(b, f.f.Name, i, array)
		}
		l = len(b)
	}
	b = b[:l]
	switch {
	case array:
		b = s.restElement(b, p, q)
	case p.omits:
		if p.rest != nil {
			b, n = s.restMembers(b, p, q, first, n)
		}
		if n != len(fields) {
			b = cborwire.CloseHead(b, head, first-head, cborwire.Map, uint64(n))
		}
	}
	s.depth--
	return b
}

// asBytes returns the bit that a key does not have which is written as a byte string in place of text.
func (f *encField) asBytes(flags uint64) uint64 {
	if flags&flagByteText != 0 && f.key[0]&0xe0 == cborwire.Text {
		return cborwire.Text &^ cborwire.Bytes
	}
	return 0
}

// inField puts the field before the path of the value that failed.
func (s *encoder) inField(b []byte, name string, i int, array bool) []byte {
	if array {
		return s.within(b, strconv.Itoa(i))
	}
	return s.within(b, name)
}

// restMembers writes the pairs of the catch-all field after n members, the first of which begins at first, and
// returns how many there are then.
func (s *encoder) restMembers(b []byte, p *program, q mem.Ptr, first, n int) ([]byte, int) {
	at := p.rest.At(q)
	if at.IsNil() {
		return b, n
	}
	m := at.Value(p.restProg.mem)
	if m.Len() == 0 {
		return b, n
	}
	l, mark := len(b), len(s.pairs)
	b = s.entries(b, p.restProg, at, false)
	s.pairs = s.pairs[:mark]
	if s.err != nil {
		return b, n
	}
	for i := l; i < len(b); {
		end, _ := cborwire.Skip(b, i, s.maxDepth)
		if k := p.keys.Find(mem.String(b[i:end])); k >= 0 && k < len(p.slots) && s.has(b[first:l], b[i:end]) {
			return s.fail(b, fmt.Errorf("%w %q", weft.ErrDuplicateName, keyName(b[i:end]))), n
		}
		i, _ = cborwire.Skip(b, end, s.maxDepth)
	}
	return s.resort(b, first), n + m.Len()
}

// has reports whether one of the pairs has the key.
func (s *encoder) has(pairs, key []byte) bool {
	for i := 0; i < len(pairs); {
		end, _ := cborwire.Skip(pairs, i, s.maxDepth)
		if string(pairs[i:end]) == string(key) {
			return true
		}
		i, _ = cborwire.Skip(pairs, end, s.maxDepth)
	}
	return false
}

// restElement writes the map of the members without a field, which is the last element of an array.
func (s *encoder) restElement(b []byte, p *program, q mem.Ptr) []byte {
	if p.rest == nil {
		return b
	}
	at := p.rest.At(q)
	if at.IsNil() {
		return append(b, cborwire.Null)
	}
	if b = s.value(b, p.restProg, at); s.err != nil {
		return s.within(b, strconv.Itoa(len(p.slots)))
	}
	return b
}

// special finds a field that is not plainly there: its place, whether it is null, and whether it is written at
// all. An array has all of them.
func special(f *encField, q mem.Ptr, array bool) (at mem.Ptr, null, ok bool) {
	at = q.Field(f.off)
	if f.flags&fEmbedded != 0 {
		if at = f.f.Written(q); at.IsNil() {
			return at, true, array
		}
	}
	if !array && (f.flags&fOmitEmpty != 0 && f.f.Type.IsEmpty(at) || f.flags&fOmitZero != 0 && f.f.IsZero(at)) {
		return at, true, false
	}
	if f.flags&fOption != 0 {
		o := f.f.Type.Option
		if state := o.StateAt(at); state != plan.OptionSet {
			return at, true, array || state == plan.OptionNull
		}
		at = at.Field(o.V)
	}
	return at, false, true
}
