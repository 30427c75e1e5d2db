package steps

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/cborwire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// PrefixSize is the most that is written before a value in one step.
const PrefixSize = 16

// Op is a step of writing a struct whose members are all plainly there. Its size is a power of two. P is the program
// of a format.
type Op[P any] struct {
	Code   Code
	N      uint8    // length of the prefix
	Set    uint8    // of options: the state of a value; of Open: the members of the struct
	Null   uint8    // the state that is null
	Leaves bool     // the member is left out in other states
	Omit   Omit     // of a member's first step: how to tell that it is left out
	Skip   uint8    // and its steps; of Open: those of the struct
	State  mem.Near // what is looked at
	Off    mem.Field
	Prefix [PrefixSize]byte // what comes before the value: heads and the key
	P      *P
	In     *Place
	Need   int // room for this step and those after it, as far as they are done in Write
}

// Omit says how to tell that a member is left out.
type Omit uint8

// The ways, by what is zero then.
const (
	OmitNever Omit = iota
	OmitInt
	OmitHalf // four bytes
	OmitByte
)

// Absent reports whether the step o, whose Omit is not OmitNever, is that of a member which the struct at q leaves out.
func (o *Op[P]) Absent(q mem.Ptr) bool {
	switch at := q.Near(o.State); o.Omit {
	case OmitInt:
		return *mem.At[int](at) == 0
	case OmitHalf:
		return *mem.At[uint32](at) == 0
	default:
		return *mem.At[uint8](at) == 0
	}
}

// Place is where a value is, for paths.
type Place struct {
	Name  string
	Index int
	Array bool   // the index counts, rather than the name
	In    *Place // the struct around it that is written by the same steps
}

// Shape is how a struct is written whose members are all plainly there.
type Shape[P any] struct {
	Ops      []Op[P]
	Head     uint64 // the head, of HeadSize bytes
	HeadSize uint8
	Keyed    bool // steps have prefixes
	Omits    bool // members may be left out
	Room     int  // for all of a struct, as far as it is written in Write
}

// sizes are the most bytes that these steps write after the prefix.
var sizes = [...]int{
	Int64: 9, String: 32, Float64: 9, Bool: 1, Uint64: 9, Int: 9, Uint: 9, Int32: 9, Uint32: 9,
	Int16: 9, Uint16: 9, Int8: 9, Uint8: 9, Uintptr: 9, Float32: 9, Bytes: 32, Prefix: 0, Open: 1, Stands: 32, End: 0,
	Other: 1,
}

// Shaper makes a Shape.
type Shaper[P any] struct {
	Pending []byte // what comes before the next value
	Keyed   bool
	ops     []Op[P]
}

// Value adds the step o, which writes a value.
func (b *Shaper[P]) Value(o Op[P]) {
	if b.Keyed {
		b.flush(PrefixSize)
		o.N = uint8(copy(o.Prefix[:], b.Pending))
		b.Pending = b.Pending[:0]
	} else {
		b.flush(0)
	}
	b.ops = append(b.ops, o)
}

// Begin makes steps of what is pending, and returns the step that the next one will be.
func (b *Shaper[P]) Begin() int {
	b.flush(0)
	return len(b.ops)
}

// Omit has the steps from the first on be passed over where what is at state says so. It reports whether it could.
func (b *Shaper[P]) Omit(first int, by Omit, state mem.Near) bool {
	o, n := &b.ops[first], len(b.ops)-first
	o.Skip = uint8(n)
	if by != OmitNever {
		o.Omit, o.State = by, state
	}
	return n <= math.MaxUint8
}

// MostOpen bounds the members and the steps of a struct that a step Open begins.
const (
	MostOpen      = ShortText - 1
	MostOpenSteps = math.MaxUint8
)

// Open adds the step o, which begins a struct of so many members, some of which may be left out. [Shaper.Close] has
// what it returns.
func (b *Shaper[P]) Open(o Op[P], members int) int {
	o.Code, o.Set = Open, uint8(members)
	b.Value(o)
	return len(b.ops) - 1
}

// Close ends the struct that the step at has begun.
func (b *Shaper[P]) Close(at int) {
	b.flush(0)
	b.ops[at].Skip = uint8(len(b.ops) - at - 1)
}

// flush makes steps of what is pending but for the last bytes, keep at most.
func (b *Shaper[P]) flush(keep int) {
	for len(b.Pending) > keep {
		o := Op[P]{Code: Prefix}
		o.N = uint8(copy(o.Prefix[:], b.Pending))
		b.Pending = b.Pending[o.N:]
		b.ops = append(b.ops, o)
	}
}

// Shape returns the steps, for a struct with this head.
func (b *Shaper[P]) Shape(head []byte, omits bool) Shape[P] {
	b.flush(0)
	// Write is a step further when it stops: there is one more.
	b.ops = append(b.ops, Op[P]{Code: End, Need: PrefixSize}, Op[P]{Code: End})
	for i := len(b.ops) - 3; i >= 0; i-- {
		o := &b.ops[i]
		o.Need = b.ops[i+1].Need + int(o.N) + sizes[o.Code%State]
	}
	var w [8]byte
	n := copy(w[:], head)
	return Shape[P]{
		Ops: b.ops, Keyed: b.Keyed, Omits: omits, HeadSize: uint8(n),
		Head: binary.LittleEndian.Uint64(w[:]), Room: b.ops[0].Need + n,
	}
}

// Cursor is where Write is in a list of structs.
type Cursor[P any] struct {
	Shape      *Shape[P]
	Mem        *mem.Type
	List       mem.Array
	Elem, Last int
	Limit      int  // an index up to which there is room for all of a struct
	Cap        int  // and the index up to which there is room for longer strings, 0 where they are left to the format
	Left       int  // members of a struct that have been left out
	Floats     bool // floating-point numbers of CBOR are left to the format
}

// next goes to the next struct of the list, if there is one and room for it. One
// that may leave members out is begun by the format, which closes it.
func (c *Cursor[P]) next(l int) (q mem.Ptr, ok bool) {
	if l > c.Limit || c.Elem == c.Last || c.Shape.Omits {
		return q, false
	}
	c.Elem++
	return c.List.At(c.Mem, c.Elem), true
}

// PutHead writes the header of a struct with all its members at w[l:].
func (sh *Shape[P]) PutHead(w mem.Bytes, l int) int {
	w.SetU64(l, sh.Head)
	return l + int(sh.HeadSize)
}

// PutPrefix writes what comes before a value at w[l:].
func (o *Op[P]) PutPrefix(w mem.Bytes, l int) int {
	w.Set16(l, &o.Prefix)
	return l + int(o.N)
}

// Write writes members of the struct at q, where c is, from the i-th step on at
// w[l:], which has room for all of them, and those of the structs after it. It
// returns the index of the step for a value that is more than a scalar or a short
// string, before which all is written, or of the last step, and the index after what
// it has written. It calls nothing on the way, so that all it needs stays at hand.
func Write[F Form, P any](c *Cursor[P], i int, q mem.Ptr, w mem.Bytes, l int) (int, int) {
	var f F
	keyed, isCBOR, omits := len(f)&1 != 0, isCBOR[F](), len(f)&4 != 0
	next := mem.CursorAt(c.Shape.Ops, i)
	for {
		next = next.Next()
		o := next.Prev()
		if omits && o.Omit != OmitNever && o.Absent(q) {
			c.Left++
			next = next.After(int(o.Skip) - 1)
			continue
		}
		if keyed {
			l = o.PutPrefix(w, l)
		}
		code := o.Code
		var x int64
		var u uint64
		// The steps that are met most, without an indirect jump.
		if code == Int64 {
			if isCBOR {
				x = *mem.At[int64](q.Field(o.Off))
				goto signed
			} else {
				l = PackInt(w, l, *mem.At[int64](q.Field(o.Off)))
			}
			continue
		}
	again:
		if code == String {
			str := *mem.At[string](q.Field(o.Off))
			n := len(str)
			if isCBOR {
				at := l + 1
				if n < ShortText {
					w.Set(l, cborwire.Text|byte(n))
				} else if at++; n <= MostText && l+n+o.Need <= c.Cap {
					w.SetU16(l, uint16(cborwire.Text|24)|uint16(n)<<8)
				} else {
					goto rest
				}
				// Same as CBORShort.
				from, u := mem.BytesIn(str), uint64(0)
				switch {
				case mem.Safe:
					copy(w.Slice(at, at+n), str)
					u = notASCII(str)
				case n >= 16:
					for k := 0; k < n-16; k += 16 {
						x, y := from.U64(k), from.U64(k+8)
						u |= x // x|y would be one value more
						u |= y
						w.SetU64(at+k, x)
						w.SetU64(at+k+8, y)
					}
					x, y := from.U64(n-16), from.U64(n-8)
					u |= x
					u |= y
					w.SetU64(at+n-16, x)
					w.SetU64(at+n-8, y)
				case n >= 8:
					x, y := from.U64(0), from.U64(n-8)
					u = x | y
					w.SetU64(at, x)
					w.SetU64(at+n-8, y)
				case n >= 4:
					x, y := from.U32(0), from.U32(n-4)
					u = uint64(x | y)
					w.SetU32(at, x)
					w.SetU32(at+n-4, y)
				case n > 0:
					x, y, z := from.At(0), from.At(n>>1), from.At(n-1)
					u = uint64(x | y | z)
					w.Set(at, x)
					w.Set(at+n>>1, y)
					w.Set(at+n-1, z)
				}
				if u&0x8080808080808080 != 0 {
					o, code = next.Prev(), String // found again here: kept, they would be in the way of the loop above
					if !wire.ValidUTF8String(*mem.At[string](q.Field(o.Off))) {
						if l = at - 1; n >= ShortText {
							l--
						}
						goto rest
					}
				}
				l = at + n
				continue
			}
			if n >= 32 && (mem.Safe || n > MostText || l+n+o.Need > c.Cap) {
				goto rest
			}
			if mem.Safe {
				l = PackShort(w, l, str)
				continue
			}
			from := mem.BytesIn(str)
			if n >= 32 {
				w.SetU16(l, packwire.Str8|uint16(n)<<8)
				l += 2
				for k := 0; k < n-16; k += 16 {
					w.Copy16(l+k, from, k)
				}
				l += n
				w.Copy16(l-16, from, n-16)
				continue
			}
			// Same as PackShort.
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
		if code == Float64 {
			if isCBOR && c.Floats {
				goto rest
			}
			v := *mem.At[float64](q.Field(o.Off))
			if isCBOR {
				if u := math.Float64bits(v); OnlyDouble(u) { // same as CBORFloat
					w.Set(l, cborwire.Double)
					w.SetU64(l+1, bits.ReverseBytes64(u))
					l += 9
				} else {
					l = CBORFloat(w, l, v)
				}
				continue
			}
			w.Set(l, packwire.Float64)
			w.SetU64(l+1, bits.ReverseBytes64(math.Float64bits(v)))
			l += 9
			continue
		}
		if code == Bool {
			if isCBOR {
				w.Set(l, boolByte(q.Field(o.Off), cborwire.False))
			} else {
				w.Set(l, boolByte(q.Field(o.Off), packwire.False))
			}
			l++
			continue
		}
		if isCBOR && code == Bytes {
			v := *mem.At[[]byte](q.Field(o.Off))
			n := len(v)
			at := l + 1
			if v == nil {
				goto rest
			} else if n < ShortText {
				w.Set(l, cborwire.Bytes|byte(n))
			} else if at++; n <= MostText && l+n+o.Need <= c.Cap {
				w.SetU16(l, uint16(cborwire.Bytes|24)|uint16(n)<<8)
			} else {
				goto rest
			}
			from := mem.BytesOf(v)
			switch {
			case mem.Safe:
				copy(w.Slice(at, at+n), v)
			case n >= 16:
				for k := 0; k < n-16; k += 16 {
					w.Copy16(at+k, from, k)
				}
				w.Copy16(at+n-16, from, n-16)
			case n >= 8:
				w.SetU64(at, from.U64(0))
				w.SetU64(at+n-8, from.U64(n-8))
			case n >= 4:
				w.SetU32(at, from.U32(0))
				w.SetU32(at+n-4, from.U32(n-4))
			case n > 0:
				w.Set(at, from.At(0))
				w.Set(at+n>>1, from.At(n>>1))
				w.Set(at+n-1, from.At(n-1))
			}
			l = at + n
			continue
		}
	rest:
		switch code {
		case Uint64:
			u = *mem.At[uint64](q.Field(o.Off))
			goto unsigned
		case Int:
			x = int64(*mem.At[int](q.Field(o.Off)))
			goto signed
		case Int32:
			x = int64(*mem.At[int32](q.Field(o.Off)))
			goto signed
		case Int16:
			x = int64(*mem.At[int16](q.Field(o.Off)))
			goto signed
		case Int8:
			x = int64(*mem.At[int8](q.Field(o.Off)))
			goto signed
		case Uint:
			u = uint64(*mem.At[uint](q.Field(o.Off)))
			goto unsigned
		case Uintptr:
			u = uint64(*mem.At[uintptr](q.Field(o.Off)))
			goto unsigned
		case Uint32:
			u = uint64(*mem.At[uint32](q.Field(o.Off)))
			goto unsigned
		case Uint16:
			u = uint64(*mem.At[uint16](q.Field(o.Off)))
			goto unsigned
		case Uint8:
			u = uint64(*mem.At[uint8](q.Field(o.Off)))
			goto unsigned
		case Float32:
			if !isCBOR {
				w.Set(l, packwire.Float32)
				w.SetU32(l+1, bits.ReverseBytes32(math.Float32bits(*mem.At[float32](q.Field(o.Off)))))
				l += 5
				continue
			}
			if !c.Floats {
				l = cborShortest(w, l, float64(*mem.At[float32](q.Field(o.Off))))
				continue
			}
		case Int64 + State:
			if *mem.At[uint8](q.Near(o.State)) != o.Set {
				goto unset
			}
			x = *mem.At[int64](q.Field(o.Off))
			goto signed
		case Float64 + State:
			if *mem.At[uint8](q.Near(o.State)) != o.Set {
				goto unset
			}
			if isCBOR && c.Floats {
				return next.In(c.Shape.Ops) - 1, l
			}
			v := *mem.At[float64](q.Field(o.Off))
			if isCBOR {
				l = CBORFloat(w, l, v)
				continue
			}
			w.Set(l, packwire.Float64)
			w.SetU64(l+1, bits.ReverseBytes64(math.Float64bits(v)))
			l += 9
			continue
		case Bool + State:
			if *mem.At[uint8](q.Near(o.State)) != o.Set {
				goto unset
			}
			if isCBOR {
				w.Set(l, boolByte(q.Field(o.Off), cborwire.False))
			} else {
				w.Set(l, boolByte(q.Field(o.Off), packwire.False))
			}
			l++
			continue
		case Stands:
			if len(*mem.At[string](q.Field(o.Off))) > 0 {
				code = String
				goto again
			}
		case Prefix:
			if !keyed {
				l = o.PutPrefix(w, l)
			}
			continue
		case Open:
			if isCBOR && omits {
				n := int(o.Set)
				for to, left := next, int(o.Skip); left > 0; {
					to = to.Next()
					d, size := to.Prev(), 1
					if d.Omit != OmitNever {
						if size = int(d.Skip); d.Absent(q) {
							n--
						}
					} else if d.Code == Open {
						size += int(d.Skip)
					}
					to = to.After(size - 1)
					left -= size
				}
				c.Left -= int(o.Set) - n // they are counted when their steps come
				w.Set(l, cborwire.Map|byte(n))
				l++
				continue
			}
		case End:
			var ok bool
			if q, ok = c.next(l); ok {
				l = c.Shape.PutHead(w, l)
				next = mem.CursorAt(c.Shape.Ops, 0)
				continue
			}
		default:
			if code >= State {
				if *mem.At[uint8](q.Near(o.State)) != o.Set {
					goto unset
				}
				code -= State
				goto again
			}
		}
		return next.In(c.Shape.Ops) - 1, l
	signed:
		if isCBOR {
			sign := uint64(x >> 63) // same as CBORInt
			l = CBORHead(w, l, byte(sign&cborwire.Nint), uint64(x)^sign)
		} else {
			l = PackInt(w, l, x)
		}
		continue
	unsigned:
		if isCBOR {
			l = CBORHead(w, l, cborwire.Uint, u)
		} else {
			l = PackUint(w, l, u)
		}
		continue
	unset:
		if *mem.At[uint8](q.Near(o.State)) != o.Null && o.Leaves {
			l -= int(o.N)
			c.Left++
			continue
		}
		w.Set(l, packwire.Nil)
		if isCBOR {
			w.Set(l, cborwire.Null)
		}
		l++
	}
}

// boolByte returns the encoding of the boolean at q, without a branch to guess, where that of false is no.
func boolByte(q mem.Ptr, no byte) byte {
	if !mem.Safe {
		return no + *mem.At[uint8](q)&1 // a bool is 0 or 1
	}
	if *mem.At[bool](q) {
		return no + 1
	}
	return no
}
