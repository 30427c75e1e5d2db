package msgpack

import (
	"math"
	"math/bits"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// fieldRoom is the spare capacity that a plain member may need: two words of
// key, and a short string or a number.
const fieldRoom = room

// plainMembers is members for a struct whose members are all plainly there.
// Room is made for all of them at once, as far as their values are short.
func (s *encoder) plainMembers(b []byte, p *program, q mem.Ptr, array bool) []byte {
	fields := p.fields
	if array {
		b = packwire.AppendArrayHeader(b, len(fields))
	} else {
		b = packwire.AppendMapHeader(b, len(fields))
	}
	l := len(b)
	if need := fieldRoom * len(fields); cap(b)-l < need {
		b = grow(b, need)
	}
	w := mem.BytesOf(b)
	for i := range fields {
		f := &fields[i]
		at := q.Field(f.off)
		if !array {
			w.SetU64(l, f.k0)
			w.SetU64(l+8, f.k1)
			l += int(f.n)
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
			goto integer
		case cInt64:
			v = *mem.At[int64](at)
			goto integer
		case cInt32:
			v = int64(*mem.At[int32](at))
			goto integer
		case cInt16:
			v = int64(*mem.At[int16](at))
			goto integer
		case cInt8:
			v = int64(*mem.At[int8](at))
			goto integer
		case cUint8:
			v = int64(*mem.At[uint8](at))
			goto integer
		case cUint16:
			v = int64(*mem.At[uint16](at))
			goto integer
		case cUint32:
			v = int64(*mem.At[uint32](at))
			goto integer
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
			b = f.p.encFast(s, b[:l], at)
		case cStruct:
			b = s.structure(b[:l], f.p, at)
		default:
			b = s.value(b[:l], f.p, at)
		}
		if s.err != nil {
			return s.inField(b, f, i, array)
		}
		l = len(b)
		if need := fieldRoom * (len(fields) - i - 1); cap(b)-l < need {
			b = grow(b, need)
		}
		w = mem.BytesOf(b)
		continue
	integer:
		if v >= -32 && v < 128 {
			w.Set(l, byte(v))
			l++
		} else {
			l = putInt(w, l, v)
		}
	}
	return b[:l]
}
