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

// plainMembers is members for a struct whose members are all plainly there, or
// options that are.
func (s *encoder) plainMembers(b []byte, p *program, q mem.Ptr, array bool) []byte {
	b, _ = s.plainList(b, p, q, mem.Array{}, 1, array)
	return b
}

// plainList writes n such structs, the elements of list of which q is the first,
// and returns the index of the one that failed.
// Room is made for all members of a struct at once, as far as their values are
// short.
func (s *encoder) plainList(b []byte, p *program, q mem.Ptr, list mem.Array, n int, array bool) ([]byte, int) {
	fields := p.fields
	l := len(b)
	w := mem.BytesOf(b)
	s.out = b // while w is written, so that few words are kept at hand
	elem, i := 0, len(fields)
	for {
		if i == len(fields) {
			if s.left.members != 0 {
				l = s.close(p, l)
			}
			if elem == n {
				b := s.out[:l]
				s.out = nil
				return b, 0
			}
			if elem > 0 {
				q = list.At(p.mem, elem)
			}
			elem++
			i = 0
			if need := fieldRoom * (len(fields) + 1); cap(s.out)-l < need {
				s.out = grow(s.out[:l], need)
				w = mem.BytesOf(s.out)
			}
			if p.omits {
				s.left.head = l
			}
			if array {
				w.SetU64(l, p.arrayHead)
			} else {
				w.SetU64(l, p.mapHead)
			}
			l += int(p.headSize)
			if len(fields) == 0 {
				continue
			}
		}
		f := &fields[i]
		i++
		at := q.Field(f.off)
		if f.flags != 0 {
			if state := *mem.At[uint8](q.Near(f.state)); state != f.states.set() {
				if !array && state != f.states.null() {
					s.left.members++
					continue
				}
				if !array {
					w.SetU64(l, f.k0)
					w.SetU64(l+8, f.k1)
					l += int(f.n)
				}
				w.Set(l, packwire.Nil)
				l++
				continue
			}
		}
		if !array {
			w.SetU64(l, f.k0)
			w.SetU64(l+8, f.k1)
			l += int(f.n)
		}
		var v int64
		var b []byte
		switch f.code {
		case cString:
			str := *mem.At[string](at)
			if n := len(str); n-8 <= 8 && n >= 8 && !mem.Safe { // same as putShort
				from := mem.BytesIn(str)
				w.Set(l, packwire.FixStr|byte(n))
				w.SetU64(l+1, from.U64(0))
				w.SetU64(l+n-7, from.U64(n-8))
				l += n + 1
				continue
			} else if n < 32 {
				l = putShort(w, l, str)
				continue
			}
			b = s.string(s.out[:l], str)
		case cBool:
			w.Set(l, boolByte(at))
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
			b = f.p.encFast(s, s.out[:l], at)
		default:
			left := s.left // of the struct that is being written
			s.left = leftOut{}
			if f.code == cStruct {
				b = s.structure(s.out[:l], f.p, at)
			} else {
				b = s.value(s.out[:l], f.p, at)
			}
			s.left = left
		}
		if s.err != nil {
			s.out, s.left = nil, leftOut{}
			return s.inField(b, f, i-1, array), elem - 1
		}
		l = len(b)
		if need := fieldRoom * (len(fields) - i); cap(b)-l < need {
			b = grow(b, need)
		}
		s.out, w = b, mem.BytesOf(b)
		continue
	integer:
		if v >= -32 && v < 128 {
			w.Set(l, byte(v))
			l++
		} else {
			l = putInt(w, l, v)
		}
	}
}

// leftOut is what of the struct that is being written has been left out.
type leftOut struct {
	head    int // where its map begins, if members may be left out
	members int // how many have been
}

// close mends the header of the map that ends at l, of which members have been
// left out, and returns where the map ends then.
func (s *encoder) close(p *program, l int) int {
	b := packwire.CloseMap(s.out[:l], s.left.head, int(p.headSize), len(p.fields)-s.left.members)
	s.left.members = 0
	return len(b)
}

// boolByte returns the encoding of the boolean at q, without a branch to guess.
func boolByte(q mem.Ptr) byte {
	if !mem.Safe {
		return packwire.False + *mem.At[uint8](q)&1 // a bool is 0 or 1
	}
	if *mem.At[bool](q) {
		return packwire.True
	}
	return packwire.False
}
