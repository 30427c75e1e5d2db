package msgpack

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// due reads a member that comes when it is due, or the header of a struct that is
// one, whose members come next.
type due struct {
	code   opCode // oEnd behind the last one
	n      uint8  // length of the key
	isSet  uint8  // of options: the state of a value
	part   uint8  // of oHead: how many members the struct has; of oOther: it is a []int
	state  mem.Near
	off    mem.Field
	k0, k1 uint64   // the key
	m0, m1 uint64   // which bits of it count
	slot   uint16   // the member of the outermost struct
	inner  bool     // it is a member of a member
	first  uint32   // the step that the member of the outermost struct begins with
	p      *program // of oOther: what reads the value, nil where that is not all
}

// oHead is the step for the header of a struct.
const oHead = oPrefix

// keyRoom is the length of the longest key that a step compares.
const keyRoom = 16

// mostSteps bounds the steps of a struct that becomes part of those of the struct
// around it.
const mostSteps = 64

// isPart tells whether the field is a struct whose steps become part of those of
// the struct around it.
func (d *decField) isPart() bool {
	return d.code == cStruct && d.flags&^fNoNil == 0 && d.p.checks == nil && d.p.whole && d.p.typ.Rest() == nil && len(d.p.steps) <= mostSteps
}

// stepper makes the steps of a struct.
type stepper struct {
	steps []due
	deep  int  // levels of structs that have become part of the steps
	whole bool // readRun reads all members
}

// compileSteps makes the steps for the members of p.
func (p *program) compileSteps() {
	b := stepper{whole: len(p.slots) > 0 && len(p.slots) < 16 && p.checks == nil}
	if len(p.slots) > math.MaxUint16 {
		p.steps = []due{{code: oEnd}, {}}
		return
	}
	b.members(p, mem.Field{}, due{}, 0)
	b.steps = append(b.steps, due{code: oEnd, slot: uint16(len(p.slots)), first: uint32(len(b.steps))})
	p.steps = slices.Grow(b.steps, 1) // readRun is a step further when it stops
	p.deep, p.whole = b.deep, b.whole
}

// members adds the steps for the members of p, a struct at off, of which all belong
// to one member of the outermost struct, in, where level is not 0.
func (b *stepper) members(p *program, off mem.Field, in due, level int) {
	b.deep = max(b.deep, level)
	for i := range p.slots {
		f := &p.slots[i]
		if level == 0 {
			in.slot, in.first = uint16(i), uint32(len(b.steps))
			f.step = in.first
		}
		o := due{code: oOther, off: off.Then(f.off), slot: in.slot, first: in.first, inner: level > 0}
		key := p.keys.At(i).Enc
		switch {
		case len(key) > keyRoom:
			// is looked for by name
		case f.isPart():
			o.code, o.part = oHead, uint8(len(f.p.slots))
		case f.code > cBad && int(f.code) < len(opCodes) && f.flags&^(fState|fNoNil) == 0:
			o.code = wordCode(opCodes[f.code])
			if o.isSet = f.isSet; o.isSet != 0 {
				o.state, _ = off.Then(f.f.Offset).Then(f.f.Type.Option.State).Near()
			}
		case f.flags&^fNoNil == 0 && f.code != cOption:
			if o.p = f.p; f.p.guard != nil {
				o.p = f.p.guard
			}
			if f.p.ints && !mem.Safe {
				o.part = 1
			}
		}
		var k, m [keyRoom]byte
		for j := range copy(k[:], key) {
			m[j] = 0xff
		}
		o.n = uint8(min(len(key), keyRoom))
		o.k0, o.k1 = binary.LittleEndian.Uint64(k[:]), binary.LittleEndian.Uint64(k[8:])
		o.m0, o.m1 = binary.LittleEndian.Uint64(m[:]), binary.LittleEndian.Uint64(m[8:])
		b.steps = append(b.steps, o)
		switch o.code {
		case oHead:
			b.members(f.p, o.off, in, level+1)
		case oOther:
			b.whole = false
		}
	}
}

// wordCode returns the step for integers of a word's size as that for their size.
func wordCode(c opCode) opCode {
	if bits.UintSize == 64 && !mem.Safe {
		switch c {
		case oInt:
			return oInt64
		case oUint:
			return oUint64
		}
	}
	return c
}

// run is where readRun is in a list of structs.
type run struct {
	steps      []due
	mem        *mem.Type
	list       mem.Array
	elem, last int
	start      int // of the struct
	back       int // where the member began that is a struct
	value      int // where the value is that the step left alone is for, 0 where another name is
	head       byte
}

// runs tells whether members of a struct of type p may be read by readRun, when
// depth containers are open with it.
func (r *Reader) runs(p *program, depth int) bool {
	return r.flags&(weft.FlagRejectDuplicates|flagUTF8) == 0 && depth+p.deep <= r.maxDepth
}

// wholes reads elements from the j-th on that are wholly there, in the order of
// the fields of p, and returns where the next one begins, and its index.
func (r *Reader) wholes(i int, p *program, a mem.Array, j, n int) (next, to int) {
	if i >= len(r.b) {
		return i, j
	}
	var c run
	c.steps, c.mem, c.list, c.elem, c.last, c.start = p.steps, p.mem, a, j, n-1, i
	c.head = r.b[i]
	q := a.At(p.mem, j)
	switch int(c.head) - len(p.slots) {
	case packwire.FixMap:
		j, i = readRun[prefixed](r, &c, 0, q, i+1)
	case packwire.FixArray:
		j, i = readRun[unprefixed](r, &c, 0, q, i+1)
	default:
		return i, j
	}
	if p.steps[j].code != oEnd {
		return c.start, c.elem
	}
	return i, c.elem + 1
}

// ahead reads members of the struct at q from the j-th on, as long as they come when
// they are due. It returns the index of the first member that it leaves alone, and
// the offset of its name, -1 after an error.
func ahead[K prefixed | unprefixed](r *Reader, c *run, p *program, j int, q mem.Ptr, i int) (int, int) {
	step := int(p.slots[j].step)
	for {
		c.value = 0
		step, i = readRun[K](r, c, step, q, i)
		o := &c.steps[step]
		if c.value == 0 || o.p == nil {
			return int(o.slot), i
		}
		if o.p.dec == cFast {
			i = o.p.decFast(r, c.value, q.Field(o.off))
		} else {
			i = r.value(c.value, o.p, q.Field(o.off))
		}
		if i < 0 {
			return 0, i
		}
		step++
	}
}

// readRun reads members of the struct at q from a step on, as long as they come
// when they are due and are scalars or short strings in their usual forms, or structs
// of such, and those of the structs after it, where c is. It returns the index of the
// step for the first member that it leaves alone, and the offset of its name. It calls nothing on the way, so that
// all it needs stays at hand; for what it leaves the other methods do the same.
func readRun[K prefixed | unprefixed](r *Reader, c *run, step int, q mem.Ptr, i int) (int, int) {
	var k K
	b := mem.BytesOf(r.b)
	last := len(r.b) - 9 - keyRoom*len(k)
	next := mem.CursorAt(c.steps, step)
	for {
		next = next.Next()
		o := next.Prev()
		at := i
		if i > last {
			if o.code == oEnd {
				goto end
			}
			break
		}
		if len(k) > 0 {
			if (b.U64(i)^o.k0)&o.m0|(b.U64(i+8)^o.k1)&o.m1 != 0 {
				break
			}
			at += int(o.n)
		}
		{
			x := b.At(at)
			if o.code == oInt64 {
				if int8(x) >= -32 {
					*mem.At[int64](q.Field(o.off)) = int64(int8(x))
					i = at + 1
				} else {
					v, size := longInt(b, at, x)
					if size == 0 {
						break
					}
					*mem.At[int64](q.Field(o.off)) = v
					i = at + size
				}
				goto done
			}
			if o.code == oString {
				n, start := int(x&31), at+1
				used := r.used
				if x&0xe0 != packwire.FixStr || start+n > len(r.b) || used > len(r.slab)-runRoom {
					break
				}
				to := mem.BytesOf(r.slab) // same as carve
				if n > 16 {
					to.Copy16(used, b, start)
					to.Copy16(used+n-16, b, start+n-16)
				} else if start+16 <= len(r.b) {
					to.Copy16(used, b, start)
				} else {
					break
				}
				r.used = used + n
				*mem.At[string](q.Field(o.off)) = to.View(used, used+n)
				i = start + n
				goto done
			}
			if o.code == oFloat64 {
				if x != packwire.Float64 {
					break
				}
				*mem.At[float64](q.Field(o.off)) = math.Float64frombits(bits.ReverseBytes64(b.U64(at + 1)))
				i = at + 9
				goto done
			}
			if o.code == oBool {
				if x|1 != packwire.True {
					break
				}
				*mem.At[bool](q.Field(o.off)) = x&1 != 0
				i = at + 1
				goto done
			}
			if o.code == oEnd {
				goto end
			}
			if o.code >= oHead {
				if o.code != oHead {
					n, start := int(x&15), r.alignedInts()
					if len(k) > 0 || o.part == 0 || x&0xf0 != packwire.FixArray || n == 0 || at+n >= len(r.b) || start+n*intSize > len(r.slab) {
						c.value = at
						break
					}
					ints := mem.At[[]int](q.Field(o.off))
					if *ints != nil {
						c.value = at
						break
					}
					// Same as decodeIntList.
					list := mem.BytesOf(r.slab).Ints(start, n)
					for j := range list {
						v := int8(b.At(at + 1 + j))
						if v < -32 {
							c.value = at
							goto out
						}
						list[j] = int(v)
					}
					r.used = start + n*intSize
					*ints = list[:n:n]
					i = at + 1 + n
					continue
				}
				if len(k) > 0 {
					x -= packwire.FixMap
				} else {
					x -= packwire.FixArray
				}
				if x != o.part {
					break
				}
				if !o.inner {
					c.back = i
				}
				i = at + 1
				continue
			}
			if o.code == oFloat32 {
				if x != packwire.Float32 {
					break
				}
				*mem.At[float32](q.Field(o.off)) = math.Float32frombits(bits.ReverseBytes32(b.U32(at + 1)))
				i = at + 5
				goto done
			}
			v, size := int64(int8(x)), 1
			if int8(x) < -32 {
				if v, size = longInt(b, at, x); size == 0 {
					break
				}
			}
			fits, q := true, q.Field(o.off)
			switch o.code {
			case oUint64:
				if fits = v >= 0; fits {
					*mem.At[uint64](q) = uint64(v)
				}
			case oInt:
				fits = put(mem.At[int](q), v)
			case oInt32:
				fits = put(mem.At[int32](q), v)
			case oInt16:
				fits = put(mem.At[int16](q), v)
			case oInt8:
				fits = put(mem.At[int8](q), v)
			case oUint:
				fits = v >= 0 && put(mem.At[uint](q), v)
			case oUintptr:
				fits = v >= 0 && put(mem.At[uintptr](q), v)
			case oUint32:
				fits = put(mem.At[uint32](q), v)
			case oUint16:
				fits = put(mem.At[uint16](q), v)
			case oUint8:
				fits = put(mem.At[uint8](q), v)
			}
			if !fits {
				break
			}
			i = at + size
		}
	done:
		if o.isSet != 0 {
			*mem.At[uint8](q.Near(o.state)) = o.isSet
		}
		continue
	end:
		if c.elem == c.last || i > last || b.At(i) != c.head {
			break
		}
		c.elem++
		c.start = i
		i++
		q = c.list.At(c.mem, c.elem)
		next = mem.CursorAt(c.steps, 0)
	}
out:
	o := next.Prev()
	if o.inner {
		i = c.back
	}
	return int(o.first), i
}

// longInt reads an integer of more than a byte, which begins with x, at b[i:], which
// has 9 bytes. The size is 0 when it is none, or one beyond int64.
func longInt(b mem.Bytes, i int, x byte) (v int64, size int) {
	f := x - packwire.Uint8
	if f > packwire.Int64-packwire.Uint8 {
		return 0, 0
	}
	size = 1 << (f & 3)
	w := bits.ReverseBytes64(b.U64(i + 1))
	shift := uint(64-8*size) & 63
	if f >= packwire.Int8-packwire.Uint8 {
		return int64(w) >> shift, size + 1
	}
	if v = int64(w >> shift); v < 0 {
		return 0, 0
	}
	return v, size + 1
}

// put stores v in *p, if that holds it.
func put[T int | int8 | int16 | int32 | uint | uint8 | uint16 | uint32 | uint64 | uintptr](p *T, v int64) bool {
	if int64(T(v)) != v {
		return false
	}
	*p = T(v)
	return true
}
