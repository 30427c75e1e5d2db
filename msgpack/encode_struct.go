package msgpack

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// structure writes the struct at q.
func (s *encoder) structure(b []byte, p *program, q mem.Ptr) []byte {
	array := p.array || s.array && !p.asMap
	if p.flat && s.flags&flagOldSpec == 0 && s.depth < s.maxDepth {
		if out, ok := appendFlat(b, p, q, array); ok {
			return out
		}
	}
	if !s.enter() {
		return b
	}
	b = s.members(b, p, q, array)
	s.depth--
	return b
}

// members writes the struct at q: as a map of the members that it has, or as an
// array of all of them, nil where there is no value, and of the map of the
// members without a field if there is one.
func (s *encoder) members(b []byte, p *program, q mem.Ptr, array bool) []byte {
	if p.plain {
		b, _ = s.plainList(b, p, q.One(), 1, array)
		return b
	}
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
				l = putShort(w, l, str)
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
			l = putUint(w, l, uint64(*mem.At[uint](at)))
			continue
		case cUint64:
			l = putUint(w, l, *mem.At[uint64](at))
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
				return s.inField(b, f, i, array)
			}
			l = len(b)
			continue
		default:
			if b = s.value(b[:l], f.p, at); s.err != nil {
				return s.inField(b, f, i, array)
			}
			l = len(b)
			continue
		}
		l = putInt(w, l, v)
	}
	b = b[:l]
	if array {
		return s.restElement(b, p, q)
	}
	if p.omits {
		if p.rest != nil {
			most, n = s.restMembers(&b, p, q, n)
		}
		if n != most {
			b = packwire.CloseMap(b, head, packwire.MapHeaderSize(len(fields)), n)
		}
	}
	return b
}

// inField puts the field before the path of the value that failed.
func (s *encoder) inField(b []byte, f *encField, i int, array bool) []byte {
	if array {
		return s.within(b, strconv.Itoa(i))
	}
	return s.within(b, f.f.Name)
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

// putShort writes a str of fewer than 32 bytes at w[l:], which has 32 bytes, and
// returns the index after it. Same as packwire.AppendString.
func putShort(w mem.Bytes, l int, v string) int {
	n := len(v)
	w.Set(l, packwire.FixStr|byte(n))
	l++
	if mem.Safe {
		return l + copy(w.Slice(l, l+n), v)
	}
	from := mem.BytesIn(v)
	switch {
	case n >= 16:
		w.SetU64(l, from.U64(0))
		w.SetU64(l+8, from.U64(8))
		w.SetU64(l+n-16, from.U64(n-16))
		w.SetU64(l+n-8, from.U64(n-8))
	case n >= 8:
		w.SetU64(l, from.U64(0))
		w.SetU64(l+n-8, from.U64(n-8))
	case n >= 4:
		w.SetU32(l, from.U32(0))
		w.SetU32(l+n-4, from.U32(n-4))
	case n > 0:
		w.Set(l, from.At(0))
		w.Set(l+n>>1, from.At(n>>1))
		w.Set(l+n-1, from.At(n-1))
	}
	return l + n
}

// putInt writes v in its shortest form at w[l:], which has 9 bytes, and returns
// the index after it. It takes the same steps for every width, so that there is
// no branch to guess. Same as packwire.AppendInt.
func putInt(w mem.Bytes, l int, v int64) int {
	sign := v >> 63
	return putForm(w, l, uint64(v), intForms[uint8(bits.Len64(uint64(v^sign)))+uint8(sign)&128])
}

// putUint is putInt for unsigned integers.
func putUint(w mem.Bytes, l int, v uint64) int {
	return putForm(w, l, v, intForms[uint8(bits.Len64(v))])
}

func putForm(w mem.Bytes, l int, v uint64, f uint32) int {
	w.Set(l, byte(f))
	w.SetU64(l+int(f>>31), bits.ReverseBytes64(v<<(f>>8&63)))
	return l + int(f>>16&127)
}

// intForm returns an element of intForms: the first byte of the format, by how
// many bits an integer is shifted up so that what is written comes first, the
// length of the whole, and in the highest bit whether the integer begins after the
// first byte and not with it.
func intForm(code, shift, size uint32) uint32 {
	f := code | shift<<8 | size<<16
	if size > 1 {
		f |= 1 << 31
	}
	return f
}

// intForms are the formats of integers: of those from 0 on by their length in
// bits, of negative ones by 128 and that of their complement.
var intForms = func() (t [256]uint32) {
	for n := range 65 {
		switch {
		case n <= 7:
			t[n] = intForm(0, 56, 1)
		case n <= 8:
			t[n] = intForm(packwire.Uint8, 56, 2)
		case n <= 16:
			t[n] = intForm(packwire.Uint16, 48, 3)
		case n <= 32:
			t[n] = intForm(packwire.Uint32, 32, 5)
		default:
			t[n] = intForm(packwire.Uint64, 0, 9)
		}
		switch {
		case n <= 5:
			t[128+n] = intForm(0, 56, 1)
		case n <= 7:
			t[128+n] = intForm(packwire.Int8, 56, 2)
		case n <= 15:
			t[128+n] = intForm(packwire.Int16, 48, 3)
		case n <= 31:
			t[128+n] = intForm(packwire.Int32, 32, 5)
		default:
			t[128+n] = intForm(packwire.Int64, 0, 9)
		}
	}
	return t
}()

// special finds a field that is not plainly there: its place, whether it is
// null, and whether it is written at all. An array has all of them.
func (s *encoder) special(f *encField, q mem.Ptr, array bool) (at mem.Ptr, null, ok bool) {
	at = q.Field(f.off)
	if f.flags&fEmbedded != 0 {
		if at = f.f.At(q); at.IsNil() {
			return at, true, array
		}
	}
	if !array && (f.flags&fOmitEmpty != 0 && f.f.Type.IsEmpty(at) || f.flags&fOmitZero != 0 && f.f.IsZero(at)) {
		return at, true, false
	}
	if f.flags&fOption != 0 {
		o := f.f.Type.Option
		state := at.Field(o.State)
		switch {
		case o.Kind == weft.OptionField:
			if c := *mem.At[uint8](state); c != optionSet {
				return at, true, array || c == optionNull
			}
		case !*mem.At[bool](state):
			return at, true, array || o.Kind == weft.OptionNullable
		}
		at = at.Field(o.V)
	}
	return at, false, true
}
