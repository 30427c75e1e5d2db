package msgpack

import (
	"math"
	"math/bits"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// plainList writes n structs whose members are all plainly there, or options that
// are, the elements of list, and returns the index of the one that failed. Room is
// made for all members of a struct at once, as far as their values are short.
func (s *encoder) plainList(b []byte, p *program, list mem.Array, n int) ([]byte, int) {
	sh := &p.shapes[0]
	if s.array {
		sh = &p.shapes[1]
	}
	var c plainCursor // set one by one: as a whole it would be copied in words that are being written
	c.shape, c.mem, c.list, c.last = sh, p.mem, list, n-1
	for ; ; c.elem++ {
		if cap(b)-len(b) < sh.room {
			b = grow(b, sh.room)
		}
		c.limit, c.left = cap(b)-sh.room, 0
		q := list.At(p.mem, c.elem)
		head := len(b)
		l := sh.putHead(mem.BytesOf(b), head)
		for i := 0; ; i++ {
			o := &sh.ops[i]
			if o.code == oEnd {
				break
			}
			if o.code != oOther {
				if sh.keyed {
					i, l = putMembers[prefixed](&c, i, q, mem.BytesOf(b), l)
				} else {
					i, l = putMembers[unprefixed](&c, i, q, mem.BytesOf(b), l)
				}
				if o = &sh.ops[i]; o.code == oEnd {
					break
				}
				q = list.At(p.mem, c.elem)
			} else if o.n > 0 {
				l = o.putPrefix(mem.BytesOf(b), l)
			}
			switch at := q.Field(o.off); o.p.enc {
			case cFast:
				b = o.p.encFast(s, b[:l], at)
			case cBytes:
				b = s.bytes(b[:l], *mem.At[[]byte](at))
			case cString:
				b = s.string(b[:l], *mem.At[string](at))
			case cTime:
				b = packwire.AppendTime(b[:l], *mem.At[time.Time](at))
			default:
				b = s.value(b[:l], o.p, at)
			}
			if s.err != nil {
				return s.inPlace(b, o.in), c.elem
			}
			if b == nil {
				return nil, 0
			}
			if need := sh.ops[i+1].need; cap(b)-len(b) < need {
				b = grow(b, need)
			}
			c.limit = cap(b) - sh.room
			l = len(b)
		}
		if b = b[:l]; c.left > 0 {
			b = packwire.CloseMap(b, head, int(sh.headSize), len(p.fields)-c.left)
		}
		if c.elem == c.last {
			return b, 0
		}
	}
}

// flatStruct writes the struct at q, whose program is flat. The result is nil when a
// value is longer than the format can hold. Same as plainList for a list of one.
func (s *encoder) flatStruct(b []byte, p *program, q mem.Ptr) []byte {
	sh := &p.shapes[0]
	if s.array {
		sh = &p.shapes[1]
	}
	if cap(b)-len(b) < sh.room {
		b = grow(b, sh.room)
	}
	var c plainCursor
	c.shape = sh
	ops, head := sh.ops, len(b)
	l := sh.putHead(mem.BytesOf(b), head)
	for i := 0; ; i++ {
		o := &ops[i]
		if o.code == oEnd {
			break
		}
		if o.code != oOther {
			if sh.keyed {
				i, l = putMembers[prefixed](&c, i, q, mem.BytesOf(b), l)
			} else {
				i, l = putMembers[unprefixed](&c, i, q, mem.BytesOf(b), l)
			}
			if o = &ops[i]; o.code == oEnd {
				break
			}
		} else if sh.keyed {
			l = o.putPrefix(mem.BytesOf(b), l)
		}
		at := q.Field(o.off)
		if o.p.enc == cBytes {
			v := *mem.At[[]byte](at)
			if n := len(v) + maxHeader + ops[i+1].need; cap(b)-l < n {
				if uint64(len(v)) > math.MaxUint32 {
					return nil
				}
				b = grow(b[:l], n)
			}
			l = putBytes(b, l, v)
			continue
		}
		if b = s.value(b[:l], o.p, at); b == nil {
			return nil
		}
		if need := ops[i+1].need; cap(b)-len(b) < need {
			b = grow(b, need)
		}
		l = len(b)
	}
	if b = b[:l]; c.left > 0 {
		b = packwire.CloseMap(b, head, int(sh.headSize), len(p.fields)-c.left)
	}
	return b
}

// plainCursor is where putMembers is in a list of structs.
type plainCursor struct {
	shape      *shape
	mem        *mem.Type
	list       mem.Array
	elem, last int
	limit      int // an index up to which there is room for all of a struct
	left       int // members of a struct that have been left out
}

// next goes to the next struct of the list, if there is one and room for it. One
// that may leave members out is begun by plainList, which closes it.
func (c *plainCursor) next(l int) (q mem.Ptr, ok bool) {
	if l > c.limit || c.elem == c.last || c.shape.omits {
		return q, false
	}
	c.elem++
	return c.list.At(c.mem, c.elem), true
}

// putHead writes the header of a struct with all its members at w[l:].
func (sh *shape) putHead(w mem.Bytes, l int) int {
	w.SetU64(l, sh.head)
	return l + int(sh.headSize)
}

// putPrefix writes what comes before a value at w[l:].
func (o *op) putPrefix(w mem.Bytes, l int) int {
	w.Set16(l, &o.prefix)
	return l + int(o.n)
}

// Whether steps have prefixes, for putMembers.
type (
	prefixed   [1]struct{}
	unprefixed [0]struct{}
)

// putMembers writes members of the struct at q, where c is, from the i-th step on at
// w[l:], which has room for all of them, and those of the structs after it. It
// returns the index of the step for a value that is more than a scalar or a short
// string, before which all is written, or of the last step, and the index after what
// it has written. It calls nothing on the way, so that all it needs stays at hand.
func putMembers[K prefixed | unprefixed](c *plainCursor, i int, q mem.Ptr, w mem.Bytes, l int) (int, int) {
	var k K
	next := mem.CursorAt(c.shape.ops, i)
	for {
		next = next.Next()
		o := next.Prev()
		if len(k) > 0 {
			l = o.putPrefix(w, l)
		}
		code := o.code
		// The steps that are met most, without an indirect jump.
		if code == oInt64 {
			l = putInt(w, l, *mem.At[int64](q.Field(o.off)))
			continue
		}
	again:
		if code == oString {
			str := *mem.At[string](q.Field(o.off))
			n := len(str)
			if n >= 32 {
				goto rest
			}
			if mem.Safe {
				l = putShort(w, l, str)
				continue
			}
			from := mem.BytesIn(str) // same as putShort
			w.Set(l, packwire.FixStr|byte(n))
			l++
			switch {
			case n > 16:
				w.Copy16(l, from, 0)
				w.Copy16(l+n-16, from, n-16)
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
			l += n
			continue
		}
		if code == oFloat64 {
			w.Set(l, packwire.Float64)
			w.SetU64(l+1, bits.ReverseBytes64(math.Float64bits(*mem.At[float64](q.Field(o.off)))))
			l += 9
			continue
		}
		if code == oBool {
			w.Set(l, boolByte(q.Field(o.off)))
			l++
			continue
		}
	rest:
		switch code {
		case oUint64:
			l = putUint(w, l, *mem.At[uint64](q.Field(o.off)))
			continue
		case oInt:
			l = putInt(w, l, int64(*mem.At[int](q.Field(o.off))))
			continue
		case oInt32:
			l = putInt(w, l, int64(*mem.At[int32](q.Field(o.off))))
			continue
		case oInt16:
			l = putInt(w, l, int64(*mem.At[int16](q.Field(o.off))))
			continue
		case oInt8:
			l = putInt(w, l, int64(*mem.At[int8](q.Field(o.off))))
			continue
		case oUint:
			l = putUint(w, l, uint64(*mem.At[uint](q.Field(o.off))))
			continue
		case oUintptr:
			l = putUint(w, l, uint64(*mem.At[uintptr](q.Field(o.off))))
			continue
		case oUint32:
			l = putUint(w, l, uint64(*mem.At[uint32](q.Field(o.off))))
			continue
		case oUint16:
			l = putUint(w, l, uint64(*mem.At[uint16](q.Field(o.off))))
			continue
		case oUint8:
			l = putUint(w, l, uint64(*mem.At[uint8](q.Field(o.off))))
			continue
		case oFloat32:
			w.Set(l, packwire.Float32)
			w.SetU32(l+1, bits.ReverseBytes32(math.Float32bits(*mem.At[float32](q.Field(o.off)))))
			l += 5
			continue
		case oInt64 + oState:
			if *mem.At[uint8](q.Near(o.state)) != o.set {
				goto unset
			}
			l = putInt(w, l, *mem.At[int64](q.Field(o.off)))
			continue
		case oFloat64 + oState:
			if *mem.At[uint8](q.Near(o.state)) != o.set {
				goto unset
			}
			w.Set(l, packwire.Float64)
			w.SetU64(l+1, bits.ReverseBytes64(math.Float64bits(*mem.At[float64](q.Field(o.off)))))
			l += 9
			continue
		case oBool + oState:
			if *mem.At[uint8](q.Near(o.state)) != o.set {
				goto unset
			}
			w.Set(l, boolByte(q.Field(o.off)))
			l++
			continue
		case oPrefix:
			if len(k) == 0 {
				l = o.putPrefix(w, l)
			}
			continue
		case oEnd:
			var ok bool
			if q, ok = c.next(l); ok {
				l = c.shape.putHead(w, l)
				next = mem.CursorAt(c.shape.ops, 0)
				continue
			}
		default:
			if code >= oState {
				if *mem.At[uint8](q.Near(o.state)) != o.set {
					goto unset
				}
				code -= oState
				goto again
			}
		}
		return next.In(c.shape.ops) - 1, l
	unset:
		if *mem.At[uint8](q.Near(o.state)) != o.null && o.leaves {
			l -= int(o.n)
			c.left++
			continue
		}
		w.Set(l, packwire.Nil)
		l++
	}
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
