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

// Expected reads a member that comes when it is expected, or the head of a struct that is one, whose members come next.
// P is the program of a format.
type Expected[P any] struct {
	Code   Code  // End behind the last one
	n      uint8 // length of the key
	IsSet  uint8 // of options: the state of a value
	Part   uint8 // of Head: how many members the struct has
	Base   byte  // and, of CBOR with keys, the head of an empty one
	Full   bool  // and whether all of them must be there
	State  mem.Near
	Off    mem.Field
	k0, k1 uint64 // the key
	m0, m1 uint64 // which bits of it count
	k2, k3 uint64 // the last bytes of a key of more than KeyRoom
	Slot   uint16 // the member of the outermost struct, of CBOR of its own, 0 where that is within two others
	Span   uint16 // the steps of the member
	Level  uint8  // how many structs are around the one that it is a member of
	First  uint32 // the step that the member of the outermost struct begins with
	P      *P     // what reads the value where Read does not, nil where that is not all
}

// KeyRoom is the length of the longest key that a step of MessagePack compares, and LongKey of one of CBOR.
const (
	KeyRoom = 16
	LongKey = 2 * KeyRoom
)

// ValueRoom is how many bytes there must be from a value on for Read to look at it.
const ValueRoom = 9

// SetKey has the step read a member of this key. Of one that is too long the first KeyRoom bytes are compared.
func (e *Expected[P]) SetKey(key string) {
	var k, m [KeyRoom]byte
	for j := range copy(k[:], key) {
		m[j] = 0xff
	}
	e.n = uint8(min(len(key), KeyRoom))
	if end := len(key) - KeyRoom; end > 0 && end <= KeyRoom {
		e.n = uint8(len(key))
		e.k2 = binary.LittleEndian.Uint64([]byte(key[end:]))
		e.k3 = binary.LittleEndian.Uint64([]byte(key[end+8:]))
	}
	e.k0, e.k1 = binary.LittleEndian.Uint64(k[:]), binary.LittleEndian.Uint64(k[8:])
	e.m0, e.m1 = binary.LittleEndian.Uint64(m[:]), binary.LittleEndian.Uint64(m[8:])
}

// ends reports whether the last bytes of a key of more than KeyRoom are before b[at:], where nine bytes follow.
func (e *Expected[P]) ends(b []byte, at int) bool {
	if at+9 > len(b) {
		return false
	}
	w := mem.BytesOf(b)
	return (w.U64(at-KeyRoom)^e.k2)|(w.U64(at-8)^e.k3) == 0
}

// Run is where Read is in a list of structs.
type Run[P any] struct {
	B          []byte      // the document
	Slab       *mem.Carver // where strings are carved from
	Steps      []Expected[P]
	Mem        *mem.Type
	List       mem.Array
	Elem, Last int
	Start      int  // of the struct
	back       int  // where the member began that is a struct
	Value      int  // where the value is that the step left alone is for, 0 where another name or form is
	Cut        bool // Read has stopped because what is left is too short for words to be loaded: [ReadTail] goes on
	Head       byte
	Lax        bool   // of CBOR: floating-point numbers need not be in their shortest form
	Alias      bool   // and strings for which the slab has no room are parts of the document
	Stop       int    // of CBORSome: the member before which to stop, as many further as are missed
	Missed     uint64 // and the members that are not there, of less than 64
	// Within a struct that is a member: the outermost one's Stop, else 0, how many members it has, and what follows it.
	outer, inner int
	after        mem.Cursor[Expected[P]]
}

// near is how many members behind the one that is expected are compared with a name.
const near = 8

// Room is what Read takes of a slab for a string.
const Room = mem.TextRoom

// Read reads members of the struct at q from a step on, as long as they come
// when they are expected and are scalars or short strings in their usual forms, or structs
// of such, and those of the structs after it, where c is. It returns the index of the
// step for the first member that it leaves alone, and the offset of its name. It calls nothing on the way, so that
// all it needs stays at hand; for what it leaves the other methods do the same. CBOR is read in its shortest form
// alone, which all rules allow but those for floating-point numbers that are equal to integers, and strings that are
// UTF-8.
func Read[F Form, P any](c *Run[P], step int, q mem.Ptr, i int) (int, int) {
	var f F
	keyed, isCBOR, some := len(f)&1 != 0, isCBOR[F](), len(f)&4 != 0
	b := mem.BytesOf(c.B)
	last := len(c.B) - ValueRoom - KeyRoom*(len(f)&1)
	next := mem.CursorAt(c.Steps, step)
	for {
		next = next.Next()
		o := next.Prev()
		at := i
		if i > last {
			if o.Code == End {
				goto end
			}
			if !keyed || i > len(c.B)-KeyRoom || i+int(o.n) > len(c.B)-ValueRoom { // a shorter key leaves more
				c.Cut = true
				break
			}
		}
		if some {
			if o.Level == 0 && c.outer != 0 {
				c.Stop, c.outer = c.outer, 0
			}
			if int(o.Slot) >= c.Stop {
				if o.Level == 0 {
					break
				}
				next = c.after // the others are left out
				continue
			}
		}
		if keyed {
			w0, w1 := b.U64(i), b.U64(i+8)
			if (w0^o.k0)&o.m0|(w1^o.k1)&o.m1 != 0 {
				if !some || o.Level > 1 || o.Code == End {
					break
				}
				// One of the members behind it, if those between are left out.
				to, d, left := next, o, near
				for ; ; left-- {
					to = to.After(int(d.Span))
					if d = to.Prev(); (w0^d.k0)&d.m0 == 0 && (w1^d.k1)&d.m1 == 0 || left == 0 { // End has no key
						break
					}
				}
				if d.Code == End || left == 0 || d.Level != o.Level || i+int(d.n) > len(c.B)-ValueRoom {
					break
				}
				stop := c.Stop + int(d.Slot) - int(o.Slot)
				if o.Level == 0 {
					c.Missed |= 1<<(d.Slot&63) - 1<<(o.Slot&63)
				} else if stop > c.inner { // there are others, or one is there twice
					break
				}
				c.Stop = stop
				next, o = to, d
			}
			if at += int(o.n); isCBOR && o.n > KeyRoom && !o.ends(c.B, at) {
				break
			}
		}
		{
			x := b.At(at)
			if o.Code == Int64 {
				v, size := int64(int8(x)), 1
				if isCBOR {
					if v = int64(x); x >= 24 {
						if v = ^int64(x - cborwire.Nint); x-cborwire.Nint >= 24 {
							if v, size = ReadCBORInt(b, at, x); size == 0 {
								break
							}
						}
					}
				} else if v < -32 {
					if v, size = ReadPackInt(b, at, x); size == 0 {
						break
					}
				}
				*mem.At[int64](q.Field(o.Off)) = v
				i = at + size
				goto done
			}
			if o.Code == String {
				n, start := int(x&31), at+1
				used := c.Slab.Used
				if isCBOR {
					if n = int(x - cborwire.Text); n >= 24 {
						if n != 24 {
							goto value
						}
						// Same as below.
						n, start = int(b.At(at+1)), at+2
						if n < 24 || n > MostText || start+n > len(c.B) || used+n > len(c.Slab.Chunk) {
							goto slow
						}
						to, u := mem.BytesOf(c.Slab.Chunk), uint64(0)
						for k := 0; k < n-16; k += 16 {
							x, y := b.U64(start+k), b.U64(start+k+8)
							u |= x | y
							to.SetU64(used+k, x)
							to.SetU64(used+k+8, y)
						}
						x, y := b.U64(start+n-16), b.U64(start+n-8)
						u |= x | y
						to.SetU64(used+n-16, x)
						to.SetU64(used+n-8, y)
						if u&0x8080808080808080 != 0 {
							goto slow
						}
						c.Slab.Used = used + n
						*mem.At[string](q.Field(o.Off)) = to.View(used, used+n)
						i = start + n
						goto done
					}
					if start+n > len(c.B) || used > len(c.Slab.Chunk)-Room {
						goto slow
					}
				} else if x&0xe0 != packwire.FixStr || start+n > len(c.B) || used > len(c.Slab.Chunk)-Room {
					if c.Alias && x&0xe0 == packwire.FixStr && start+n <= len(c.B) { // same as slow
						*mem.At[string](q.Field(o.Off)) = b.View(start, start+n)
						i = start + n
						goto done
					}
					c.Value = at
					break
				}
				to, u := mem.BytesOf(c.Slab.Chunk), uint64(0) // same as carve
				if isCBOR && n > 16 {
					// Words that have been loaded from what is stored would wait for that.
					x, y, z := b.U64(start), b.U64(start+8), b.U64(start+n-8)
					to.SetU64(used, x)
					to.SetU64(used+8, y)
					to.SetU64(used+n-8, z)
					u = (x | y | z) & 0x8080808080808080
				} else if isCBOR && start+16 <= len(c.B) {
					x, y, m := b.U64(start), b.U64(start+8), &asciiMasks[n]
					to.SetU64(used, x)
					to.SetU64(used+8, y)
					u = x&m[0] | y&m[1]
				} else if n > 16 {
					to.Copy16(used, b, start)
					to.Copy16(used+n-16, b, start+n-16)
				} else if start+16 <= len(c.B) {
					to.Copy16(used, b, start)
				} else if n >= 8 {
					x, y := b.U64(start), b.U64(start+n-8)
					to.SetU64(used, x)
					to.SetU64(used+n-8, y)
					u = (x | y) & 0x8080808080808080
				} else if start+n >= 8 { // the word that ends with it
					x := b.U64(start+n-8) >> (64 - 8*n)
					to.SetU64(used, x)
					u = x & 0x8080808080808080
				} else {
					if isCBOR {
						goto slow
					}
					c.Value = at
					break
				}
				if isCBOR && u != 0 {
					goto slow
				}
				c.Slab.Used = used + n
				*mem.At[string](q.Field(o.Off)) = to.View(used, used+n)
				i = start + n
				goto done
			}
			if o.Code == Float64 {
				if isCBOR {
					if x != cborwire.Double || !c.Lax && !OnlyDouble(bits.ReverseBytes64(b.U64(at+1))) {
						goto slow
					}
				} else if x != packwire.Float64 {
					break
				}
				*mem.At[float64](q.Field(o.Off)) = math.Float64frombits(bits.ReverseBytes64(b.U64(at + 1)))
				i = at + 9
				goto done
			}
			if o.Code == Bool {
				if isCBOR && x|1 != cborwire.True || !isCBOR && x|1 != packwire.True {
					break
				}
				*mem.At[bool](q.Field(o.Off)) = x&1 != 0
				i = at + 1
				goto done
			}
			if isCBOR && o.Code == Bytes {
				n, start, used := int(x-cborwire.Bytes), at+1, c.Slab.Used
				if n == 24 {
					if n, start = int(b.At(at+1)), at+2; n < 24 {
						goto value
					}
				} else if n > 24 {
					goto value
				}
				v := mem.At[[]byte](q.Field(o.Off))
				if n > MostText || n <= cap(*v) || start+max(n, 16) > len(c.B) || used+max(n, 16) > len(c.Slab.Chunk) {
					goto value
				}
				to := mem.BytesOf(c.Slab.Chunk)
				for k := 0; k < n-16; k += 16 {
					to.Copy16(used+k, b, start+k)
				}
				last := max(n-16, 0)
				to.Copy16(used+last, b, start+last)
				c.Slab.Used = used + n
				*v = to.Slice(used, used+n)
				i = start + n
				goto done
			}
			if o.Code == End {
				goto end
			}
			if o.Code >= Head {
				if o.Code != Head {
					c.Value = at
					break
				}
				switch {
				case isCBOR && keyed:
					x -= o.Base
				case isCBOR:
					x -= cborwire.Array
				case keyed:
					x -= packwire.FixMap
				default:
					x -= packwire.FixArray
				}
				if x != o.Part && (!some || x > o.Part || o.Full || o.Level > 0) { // it may have left members out
					if o.Level == 0 {
						c.Value = at
					}
					break
				}
				if o.Level == 0 {
					c.back = i
					if some {
						c.outer, c.Stop, c.inner, c.after = c.Stop, int(x), int(o.Part), next.After(int(o.Span)-1)
					}
				}
				i = at + 1
				continue
			}
			if o.Code == Float32 {
				if isCBOR {
					if x != cborwire.Single || !OnlySingle(bits.ReverseBytes32(b.U32(at+1))) {
						goto slow
					}
				} else if x != packwire.Float32 {
					break
				}
				*mem.At[float32](q.Field(o.Off)) = math.Float32frombits(bits.ReverseBytes32(b.U32(at + 1)))
				i = at + 5
				goto done
			}
			v, size := int64(int8(x)), 1
			if isCBOR {
				if v = int64(x); x >= 24 {
					if v = ^int64(x - cborwire.Nint); x-cborwire.Nint >= 24 {
						if v, size = ReadCBORInt(b, at, x); size == 0 {
							break
						}
					}
				}
			} else if v < -32 {
				if v, size = ReadPackInt(b, at, x); size == 0 {
					break
				}
			}
			ok, to := true, q.Field(o.Off)
			switch o.Code { // same as StoreInt
			case Uint64:
				if ok = v >= 0; ok {
					*mem.At[uint64](to) = uint64(v)
				}
			case Int32:
				ok = put(mem.At[int32](to), v)
			case Uint32:
				ok = put(mem.At[uint32](to), v)
			case Int16:
				ok = put(mem.At[int16](to), v)
			case Uint16:
				ok = put(mem.At[uint16](to), v)
			case Int8:
				ok = put(mem.At[int8](to), v)
			case Uint8:
				ok = put(mem.At[uint8](to), v)
			default:
				if isCBOR {
					goto slow
				}
				ok = StoreInt(o.Code, to, v)
			}
			if !ok {
				break
			}
			i = at + size
		}
	done:
		if o.IsSet != 0 {
			*mem.At[uint8](q.Near(o.State)) = o.IsSet
		}
		continue
	slow: // what takes a call, of which there is no other: what is needed after it is kept for none of the steps above
		if end := c.slow(o, q, at); end > 0 {
			i = end
			goto done
		}
	value: // in a form that is met less often
		if o.Level == 0 {
			c.Value = at
		}
		break
	end:
		if c.Elem == c.Last || i > last || b.At(i) != c.Head {
			break
		}
		c.Elem++
		c.Start = i
		i++
		q = c.List.At(c.Mem, c.Elem)
		next = mem.CursorAt(c.Steps, 0)
	}
	o := next.Prev()
	if o.Level > 0 {
		i = c.back
	}
	if some && c.outer != 0 {
		c.Stop, c.outer = c.outer, 0
	}
	return int(o.First), i
}

// slow reads the value of CBOR at at into the field of the step o of the struct at q as Read does. It returns the index
// after it, 0 where it leaves that alone.
//
//go:noinline
func (c *Run[P]) slow(o *Expected[P], q mem.Ptr, at int) (end int) {
	b, to := mem.BytesOf(c.B), q.Field(o.Off)
	switch o.Code {
	case String:
		n, start := int(b.At(at)-cborwire.Text), at+1
		if n == 24 {
			n, start = int(b.At(at+1)), at+2
		}
		end = start + n
		if (n >= 24) != (start > at+1) || end > len(c.B) || !wire.ValidUTF8(c.B[start:end]) {
			return 0
		}
		if c.Alias {
			*mem.At[string](to) = b.View(start, end)
		} else if max(n, Room) > len(c.Slab.Chunk)-c.Slab.Used {
			return 0
		} else {
			*mem.At[string](to) = c.Slab.Text(c.B, start, end)
		}
		return end
	case Float64, Float32:
		v, size := cborFloat(b, at, b.At(at))
		if size == 0 || size == 9 && o.Code == Float32 {
			return 0
		} else if o.Code == Float32 {
			*mem.At[float32](to) = float32(v)
		} else {
			*mem.At[float64](to) = v
		}
		return at + size
	}
	v, size := readInt[CBOR](b, at, at)
	if size == 0 || !StoreInt(o.Code, to, v) {
		return 0
	}
	return at + size
}

// Tail is the copy of the last bytes of a document, less than MostTail, with zeros behind them.
type Tail [MostTail + ValueRoom + KeyRoom]byte

// MostTail bounds what ReadTail copies.
const MostTail = 128

// ReadTail goes on where Read has been cut, at i, in what is left of the document, less than MostTail bytes, as if
// zeros followed it. If a value would end in these, the document ends too early: then the offset that ReadTail returns,
// or c.Value, is greater than its length.
func ReadTail[F Form, P any](c *Run[P], tail *Tail, step int, q mem.Ptr, i int) (int, int) {
	doc, alias := c.B, c.Alias
	i-- // what comes before the first member stands before it here too, so that no value is at 0
	n := copy(tail[:], doc[i:])
	c.B, c.Alias = tail[:n+ValueRoom+KeyRoom], false
	clear(c.B[n:])
	step, end := Read[F](c, step, q, 1)
	c.B, c.Alias = doc, alias
	if c.Value != 0 {
		c.Value += i
	}
	return step, i + end
}

// StoreInt stores v in the integer at q, which the step c is of, if that holds it.
func StoreInt(c Code, q mem.Ptr, v int64) bool {
	switch c {
	case Int64:
		*mem.At[int64](q) = v
		return true
	case Int:
		return put(mem.At[int](q), v)
	case Int32:
		return put(mem.At[int32](q), v)
	case Int16:
		return put(mem.At[int16](q), v)
	case Int8:
		return put(mem.At[int8](q), v)
	case Uint32:
		return put(mem.At[uint32](q), v)
	case Uint16:
		return put(mem.At[uint16](q), v)
	case Uint8:
		return put(mem.At[uint8](q), v)
	}
	return v >= 0 && StoreUint(c, q, uint64(v))
}

// StoreUint is StoreInt for an unsigned integer.
func StoreUint(c Code, q mem.Ptr, v uint64) bool {
	switch c {
	case Uint64:
		*mem.At[uint64](q) = v
		return true
	case Uint:
		return put(mem.At[uint](q), v)
	case Uint32:
		return put(mem.At[uint32](q), v)
	case Uint16:
		return put(mem.At[uint16](q), v)
	case Uint8:
		return put(mem.At[uint8](q), v)
	}
	return put(mem.At[uintptr](q), v)
}

// put stores v in *p, if that holds it.
func put[T int | int8 | int16 | int32 | uint | uint8 | uint16 | uint32 | uintptr, V int64 | uint64](p *T, v V) bool {
	if V(T(v)) != v {
		return false
	}
	*p = T(v)
	return true
}

// ReadPackInt reads an integer of MessagePack of more than a byte, which begins with x, at b[i:], which
// has 9 bytes. The size is 0 when it is none, or one beyond int64.
func ReadPackInt(b mem.Bytes, i int, x byte) (v int64, size int) {
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

// ReadCBORInt is ReadPackInt for CBOR. One that is not in its shortest form has the size 0.
func ReadCBORInt(b mem.Bytes, i int, x byte) (v int64, size int) {
	f := x&31 - 24
	if x >= cborwire.Bytes || f > 3 {
		return 0, 0
	}
	size = 1 << f
	v = int64(bits.ReverseBytes64(b.U64(i+1)) >> (uint(64-8*size) & 63))
	if v < leastInts[f] {
		return 0, 0
	}
	return v ^ -int64(x>>5), size + 1
}

// leastInts are the least arguments of heads of 2, 3, 5 and 9 bytes.
var leastInts = [4]int64{24, 1 << 8, 1 << 16, 1 << 32}

// cborFloat reads a floating-point number of CBOR, which begins with x, at b[i:], which has 9 bytes. The size is 0
// when it is none, is not finite, or may not be in its shortest form.
func cborFloat(b mem.Bytes, i int, x byte) (v float64, size int) {
	switch x {
	case cborwire.Double:
		u := bits.ReverseBytes64(b.U64(i + 1))
		if u&(1<<29-1) == 0 || u>>52&0x7ff == 0x7ff {
			return 0, 0
		}
		return math.Float64frombits(u), 9
	case cborwire.Single:
		u := bits.ReverseBytes32(b.U32(i + 1))
		if u&(1<<13-1) == 0 || u>>23&0xff == 0xff {
			return 0, 0
		}
		return float64(math.Float32frombits(u)), 5
	case cborwire.Half:
		u := uint64(bits.ReverseBytes16(b.U16(i + 1)))
		if exp := u >> 10 & 31; exp == 0 && u&0x3ff != 0 || exp == 31 {
			return 0, 0
		} else if exp != 0 {
			return math.Float64frombits(u&0x8000<<48 | (exp+1023-15)<<52 | u&0x3ff<<42), 3
		}
		return math.Float64frombits(u & 0x8000 << 48), 3
	}
	return 0, 0
}

// ReadText reads a text string of CBOR of less than ShortText bytes, which are UTF-8, at b[i:], behind which there are
// 16 bytes, into a part of c. The end is 0 for any other, and where there is no room.
func ReadText(c *mem.Carver, b []byte, i int) (s string, end int) {
	n, used := int(b[i]-cborwire.Text), c.Used
	if n >= ShortText || used > len(c.Chunk)-Room || i+1+n > len(b) {
		return "", 0
	}
	from, to := mem.BytesOf(b), mem.BytesOf(c.Chunk)
	x, y, m := from.U64(i+1), from.U64(i+1+8), &asciiMasks[n]
	to.SetU64(used, x)
	to.SetU64(used+8, y)
	u := x&m[0] | y&m[1]
	if n > 16 {
		w := from.U64(i + 1 + n - 8)
		to.SetU64(used+n-8, w)
		u |= w & 0x8080808080808080
	}
	if u != 0 && !wire.ValidUTF8(b[i+1:i+1+n]) {
		return "", 0
	}
	c.Used = used + n
	return to.View(used, used+n), i + 1 + n
}

// AreASCII reports whether the n bytes at b[i:], KeyRoom at most, are ASCII. There are KeyRoom.
func AreASCII(b mem.Bytes, i, n int) bool {
	m := &asciiMasks[n]
	return b.U64(i)&m[0]|b.U64(i+8)&m[1] == 0
}

// asciiMasks are, for strings of so many bytes, the bits of their first two words that ASCII has not.
var asciiMasks = func() (t [24][2]uint64) {
	for n := range t {
		for i := range min(n, 16) {
			t[n][i/8] |= 0x80 << (i % 8 * 8)
		}
	}
	return t
}()
