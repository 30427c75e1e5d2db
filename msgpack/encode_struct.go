package msgpack

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// structure writes the struct at q.
func (s *encoder) structure(b []byte, p *program, q mem.Ptr) []byte {
	if !s.enter() {
		return b
	}
	b = s.members(b, p, q)
	s.leave()
	return b
}

// members writes the struct at q: as a map of the members that it has, or as an
// array of all of them, nil where there is no value, and of the map of the
// members without a field if there is one.
func (s *encoder) members(b []byte, p *program, q mem.Ptr) []byte {
	if p.plain && s.depth+p.nest <= s.maxDepth {
		b, _ = s.plainList(b, p, q.One(), 1)
		return b
	}
	array := p.isArray(s.array)
	fields := p.fields
	head := len(b)
	most := len(fields)
	if array {
		b = packwire.AppendArrayHeader(b, p.length())
	} else {
		b = packwire.AppendMapHeader(b, most)
	}
	l, n := len(b), 0
	for i := range fields {
		f := &fields[i]
		at := q.Field(f.off)
		null := false
		if f.flags != 0 {
			if f.flags&fState != 0 {
				state := *mem.At[uint8](q.Near(f.state))
				if null = state != f.states.set(); null && !array && state != f.states.null() {
					continue
				}
			} else {
				var ok bool
				if at, null, ok = s.special(f, q, array); !ok {
					continue
				}
			}
			if f.flags&fLongKey != 0 && !array {
				b = append(b[:l], p.keys.At(i).Enc...)
				l = len(b)
			}
		}
		n++
		if cap(b)-l < room {
			b = grow(b[:l], room)
		}
		w := mem.BytesOf(b)
		if !array {
			w.SetU64(l, f.k0)
			w.SetU64(l+8, f.k1)
			l += int(f.n)
		}
		if null {
			w.Set(l, packwire.Nil)
			l++
			continue
		}
		var v int64
		switch f.code {
		case cString:
			str := *mem.At[string](at)
			if len(str) < 32 {
				l = steps.PackShort(w, l, str)
				continue
			}
			b = s.string(b[:l], str)
			l = len(b)
			continue
		case cBool:
			c := byte(packwire.False)
			if *mem.At[bool](at) {
				c = packwire.True
			}
			w.Set(l, c)
			l++
			continue
		case cInt:
			v = int64(*mem.At[int](at))
		case cInt64:
			v = *mem.At[int64](at)
		case cInt32:
			v = int64(*mem.At[int32](at))
		case cInt16:
			v = int64(*mem.At[int16](at))
		case cInt8:
			v = int64(*mem.At[int8](at))
		case cUint8:
			v = int64(*mem.At[uint8](at))
		case cUint16:
			v = int64(*mem.At[uint16](at))
		case cUint32:
			v = int64(*mem.At[uint32](at))
		case cUint:
			l = steps.PackUint(w, l, uint64(*mem.At[uint](at)))
			continue
		case cUint64:
			l = steps.PackUint(w, l, *mem.At[uint64](at))
			continue
		case cFloat64:
			w.Set(l, packwire.Float64)
			w.SetU64(l+1, bits.ReverseBytes64(math.Float64bits(*mem.At[float64](at))))
			l += 9
			continue
		case cFloat32:
			w.Set(l, packwire.Float32)
			w.SetU32(l+1, bits.ReverseBytes32(math.Float32bits(*mem.At[float32](at))))
			l += 5
			continue
		case cFast:
			if b = f.p.encFast(s, b[:l], at); s.err != nil {
				return s.inField(b, f.f.Name, i, array)
			}
			l = len(b)
			continue
		default:
			if b = s.value(b[:l], f.p, at); s.err != nil {
				return s.inField(b, f.f.Name, i, array)
			}
			l = len(b)
			continue
		}
		l = steps.PackInt(w, l, v)
	}
	b = b[:l]
	if array {
		return s.restElement(b, p, q)
	}
	if p.omits {
		if p.rest != nil {
			if most, n = s.restMembers(&b, p, q, n); s.err == nil {
				s.unique(b, head+packwire.MapHeaderSize(len(fields)), l, p.keys)
			}
		}
		if n != most {
			b = packwire.CloseMap(b, head, packwire.MapHeaderSize(len(fields)), n)
		}
	}
	return b
}

// restElement writes the map of the members without a field, which is the last
// element of an array.
func (s *encoder) restElement(b []byte, p *program, q mem.Ptr) []byte {
	if p.rest == nil {
		return b
	}
	at := p.rest.At(q)
	if at.IsNil() {
		return append(b, packwire.Nil)
	}
	if b = s.value(b, p.restProg, at); s.err != nil {
		return s.within(b, strconv.Itoa(len(p.fields)))
	}
	return b
}

// special finds a field that is not plainly there: its place, whether it is
// null, and whether it is written at all. An array has all of them.
func (s *encoder) special(f *encField, q mem.Ptr, array bool) (at mem.Ptr, null, ok bool) {
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
