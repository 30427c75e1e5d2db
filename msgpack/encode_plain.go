package msgpack

import (
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// fieldRoom is the spare capacity that a plain member may need: two words of
// key, and a short string or a number.
const fieldRoom = room

// plainList writes n structs whose members are all plainly there, or options that
// are, the elements of list, and returns the index of the one that failed. Room is made for all members of a struct at once, as far as
// their values are short.
func (s *encoder) plainList(b []byte, p *program, list mem.Array, n int, array bool) ([]byte, int) {
	c := plainCursor{p: p, list: list, last: n - 1}
	for ; ; c.elem++ {
		if cap(b)-len(b) < p.room {
			b = grow(b, p.room)
		}
		c.limit, c.left = cap(b)-p.room, 0
		q := list.At(p.mem, c.elem)
		w, head := mem.BytesOf(b), len(b)
		i, l := putMembers(&c, 0, q, w, putHead(p, w, head, array), array)
		for i < len(p.fields) {
			f := &p.fields[i]
			if !array {
				l = putKey(f, mem.BytesOf(b), l)
			}
			q = list.At(p.mem, c.elem)
			switch at := q.Field(f.off); f.code {
			case cFast:
				b = f.p.encFast(s, b[:l], at)
			case cStruct:
				b = s.structure(b[:l], f.p, at)
			default:
				b = s.value(b[:l], f.p, at)
			}
			if s.err != nil {
				return s.inField(b, f, i, array), c.elem
			}
			if need := p.room - fieldRoom*(i+1); cap(b)-len(b) < need {
				b = grow(b, need)
			}
			c.limit = cap(b) - p.room
			i, l = putMembers(&c, i+1, q, mem.BytesOf(b), len(b), array)
		}
		if b = b[:l]; c.left > 0 {
			b = packwire.CloseMap(b, head, int(p.headSize), len(p.fields)-c.left)
		}
		if c.elem == c.last {
			return b, 0
		}
	}
}

// plainCursor is where putMembers is in a list of structs.
type plainCursor struct {
	p          *program
	list       mem.Array
	elem, last int
	limit      int // an index up to which there is room for all of a struct
	left       int // members of the struct that have been left out
}

// next goes to the next struct of the list, if there is one and room for it. One
// that may leave members out is begun by plainList, which closes it.
func (c *plainCursor) next(l int) (q mem.Ptr, ok bool) {
	if l > c.limit || c.elem == c.last || c.p.omits {
		return q, false
	}
	c.elem++
	return c.list.At(c.p.mem, c.elem), true
}

// putHead writes the header of a struct with all its members at w[l:].
func putHead(p *program, w mem.Bytes, l int, array bool) int {
	if array {
		w.SetU64(l, p.arrayHead)
	} else {
		w.SetU64(l, p.mapHead)
	}
	return l + int(p.headSize)
}

// putKey writes the key of a member at w[l:].
func putKey(f *encField, w mem.Bytes, l int) int {
	w.SetU64(l, f.k0)
	w.SetU64(l+8, f.k1)
	return l + int(f.n)
}

// putMembers writes members of the struct at q, where c is, from the i-th on at
// w[l:], which has room for all of them, and those of the structs after it. It
// returns the index of a member that is more than a scalar or a short string, or
// that after the last one, and the index after what it has written. It calls nothing
// on the way, so that all it needs stays at hand.
func putMembers(c *plainCursor, i int, q mem.Ptr, w mem.Bytes, l int, array bool) (int, int) {
	next := mem.CursorAt(c.p.ops, i)
	for {
		f := next.Elem()
		next = next.Next()
		at := q.Field(f.off)
		op := f.op
		if op >= cState {
			if *mem.At[uint8](q.Near(f.state)) != f.set {
				goto unset
			}
			op -= cState
		}
		if !array {
			l = putKey(f, w, l)
		}
		switch op {
		case cInt64:
			l = putInt(w, l, *mem.At[int64](at))
			continue
		case cString:
			str := *mem.At[string](at)
			n := len(str)
			if n >= 32 {
				break
			}
			if mem.Safe {
				l = putShort(w, l, str)
				continue
			}
			from := mem.BytesIn(str) // same as putShort
			w.Set(l, packwire.FixStr|byte(n))
			l++
			switch {
			case n >= 8:
				if n > 16 {
					w.SetU64(l+8, from.U64(8))
					w.SetU64(l+n-16, from.U64(n-16))
				}
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
			l += n
			continue
		case cBool:
			w.Set(l, boolByte(at))
			l++
			continue
		case cFloat64:
			w.Set(l, packwire.Float64)
			w.SetU64(l+1, bits.ReverseBytes64(math.Float64bits(*mem.At[float64](at))))
			l += 9
			continue
		case cUint64:
			l = putUint(w, l, *mem.At[uint64](at))
			continue
		case cInt:
			l = putInt(w, l, int64(*mem.At[int](at)))
			continue
		case cInt32:
			l = putInt(w, l, int64(*mem.At[int32](at)))
			continue
		case cInt16:
			l = putInt(w, l, int64(*mem.At[int16](at)))
			continue
		case cInt8:
			l = putInt(w, l, int64(*mem.At[int8](at)))
			continue
		case cUint:
			l = putUint(w, l, uint64(*mem.At[uint](at)))
			continue
		case cUintptr:
			l = putUint(w, l, uint64(*mem.At[uintptr](at)))
			continue
		case cUint32:
			l = putUint(w, l, uint64(*mem.At[uint32](at)))
			continue
		case cUint16:
			l = putUint(w, l, uint64(*mem.At[uint16](at)))
			continue
		case cUint8:
			l = putUint(w, l, uint64(*mem.At[uint8](at)))
			continue
		case cFloat32:
			w.Set(l, packwire.Float32)
			w.SetU32(l+1, bits.ReverseBytes32(math.Float32bits(*mem.At[float32](at))))
			l += 5
			continue
		}
		if !array {
			l -= int(f.n)
		}
		switch op {
		case cEnd:
			var ok bool
			if q, ok = c.next(l); !ok {
				return len(c.p.fields), l
			}
			l = putHead(c.p, w, l, array)
			next = mem.CursorAt(c.p.ops, 0)
			continue
		}
		return next.In(c.p.ops) - 1, l
	unset:
		if !array {
			if *mem.At[uint8](q.Near(f.state)) != f.states.null() {
				c.left++
				continue
			}
			l = putKey(f, w, l)
		}
		w.Set(l, packwire.Nil)
		l++
	}
}

// appendFlat appends the struct at q, whose members are scalars, strings, bytes and
// options of these, without an encoder. It gives up on what is too long.
func appendFlat(b []byte, p *program, q mem.Ptr, array bool) (out []byte, ok bool) {
	if cap(b)-len(b) < p.room {
		b = grow(b, p.room)
	}
	c := plainCursor{p: p}
	head := len(b)
	i, l := 0, putHead(p, mem.BytesOf(b), head, array)
	for {
		f := &p.ops[i]
		if f.op != cBytes && f.op != cTime {
			if i, l = putMembers(&c, i, q, mem.BytesOf(b), l, array); i == len(p.fields) {
				break
			}
			f = &p.ops[i]
		}
		if !array {
			l = putKey(f, mem.BytesOf(b), l)
		}
		at := q.Field(f.off)
		switch f.code {
		case cTime:
			b = packwire.AppendTime(b[:l], *mem.At[time.Time](at))
		case cString:
			v := *mem.At[string](at)
			if uint64(len(v)) > math.MaxUint32 {
				return nil, false
			}
			b = packwire.AppendString(b[:l], v)
		default:
			v := *mem.At[[]byte](at)
			if uint64(len(v)) > math.MaxUint32 {
				return nil, false
			}
			if b = b[:l]; v == nil {
				b = append(b, packwire.Nil)
			} else {
				b = packwire.AppendBytes(b, v)
			}
		}
		i++
		if i == len(p.fields) {
			l = len(b)
			break
		}
		if need := p.room - fieldRoom*i; cap(b)-len(b) < need {
			b = grow(b, need)
		}
		l = len(b)
	}
	if b = b[:l]; c.left > 0 {
		b = packwire.CloseMap(b, head, int(p.headSize), len(p.fields)-c.left)
	}
	return b, true
}

// isFlat tells whether appendFlat can write the struct of program p.
func (p *program) isFlat() bool {
	return p.plain && !p.omits && !slices.ContainsFunc(p.fields, func(f encField) bool {
		return f.flags != 0 || f.code > cTime || f.code == cBad
	})
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
