package steps

import (
	"math"
	"math/bits"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/cborwire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Integer is the types of integers of which lists and maps are read in a loop.
type Integer interface {
	int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64
}

// IsUnsigned reports whether the type is one of unsigned integers, which is known when a function is compiled.
func IsUnsigned[T Integer]() bool { return ^T(0) > 0 }

// ReadInts reads integers into list, from the one at doc[i:] on, as long as it holds them, and, in CBOR, they are in
// their shortest form. It returns how many it has read, and the index of what comes then. Near the end of the document
// it leaves alone what is more than a byte.
func ReadInts[F Form, T Integer](doc []byte, i int, list []T) (n, next int) {
	b, last := mem.BytesOf(doc), len(doc)-ValueRoom
	for n < len(list) && i < len(doc) {
		if n+8 <= len(list) && i <= last {
			if w := b.U64(i); areSmall[F](w) {
				u := list[n : n+8 : n+8]
				u[0], u[1], u[2], u[3] = T(w&0xff), T(w>>8&0xff), T(w>>16&0xff), T(w>>24&0xff)
				u[4], u[5], u[6], u[7] = T(w>>32&0xff), T(w>>40&0xff), T(w>>48&0xff), T(w>>56)
				i, n = i+8, n+8
				continue
			}
		}
		v, size := readInt[F](b, i, last)
		if size == 0 || int64(T(v)) != v || IsUnsigned[T]() && v < 0 {
			return n, i
		}
		list[n] = T(v)
		n, i = n+1, i+size
	}
	return n, i
}

// areSmall reports whether the bytes of w are eight integers.
func areSmall[F Form](w uint64) bool {
	if isCBOR[F]() {
		return (w|(w+0x6868686868686868))&0x8080808080808080 == 0 // of less than 24
	}
	return w&0x8080808080808080 == 0
}

// readInt reads the integer at b[i:]. The size is 0 when it is none that ReadInts reads, or has more than a byte and
// begins behind the last index.
func readInt[F Form](b mem.Bytes, i, last int) (v int64, size int) {
	x := b.At(i)
	switch {
	case isCBOR[F]() && x < 24:
		return int64(x), 1
	case isCBOR[F]() && x-cborwire.Nint < 24:
		return ^int64(x - cborwire.Nint), 1
	case !isCBOR[F]() && int8(x) >= -32:
		return int64(int8(x)), 1
	case i > last:
		return 0, 0
	case isCBOR[F]():
		return ReadCBORInt(b, i, x)
	}
	return ReadPackInt(b, i, x)
}

// ReadFloats is ReadInts for floating-point numbers of CBOR, of which those in the list's own precision are read for
// any number unless strict.
func ReadFloats[T float32 | float64](doc []byte, i int, list []T, strict bool) (n, next int) {
	b := mem.BytesOf(doc)
	for ; n < len(list) && i < len(doc); n++ {
		x := b.At(i)
		end := i + 1 + 2<<((x-cborwire.Half)&7)
		if x-cborwire.Half > cborwire.Double-cborwire.Half || end > len(doc) {
			break
		}
		switch { // same as cborFloat
		case isSingle[T]() && x == cborwire.Single:
			u := bits.ReverseBytes32(b.U32(i + 1))
			if strict && !OnlySingle(u) || u<<1 >= 0xff<<24 {
				return n, i
			}
			list[n] = T(math.Float32frombits(u))
		case !isSingle[T]() && x == cborwire.Double:
			u := bits.ReverseBytes64(b.U64(i + 1))
			if strict && !OnlyDouble(u) {
				return n, i
			}
			list[n] = T(math.Float64frombits(u))
		default:
			v, size := cborFloat(b, i, x)
			if size == 0 || isSingle[T]() && size == 9 {
				return n, i
			}
			list[n] = T(v)
		}
		i = end
	}
	return n, i
}

// ReadCounts reads pairs into m, from the one at doc[i:] on and n at most, as long as they are text of no more than
// KeyRoom bytes, in CBOR UTF-8, and integers as those of ReadInts. In the form CBORKeyed each key must come after the
// one before, for the first that at last, unless it is 0. ReadCounts returns how many it has read, the index of the
// last key, and that of what comes then. The text is carved from c.
func ReadCounts[F Form, V Integer](c *mem.Carver, doc []byte, i, n int, m map[string]V, last int) (k, key, next int) {
	b, to := mem.BytesOf(doc), mem.BytesOf(c.Chunk)
	head, most := byte(packwire.FixStr), byte(packwire.PosFixMax)
	if isCBOR[F]() {
		head, most = cborwire.Text, 23
	}
	var f F
	ordered, x0, y0 := len(f)&1 != 0, uint64(0), uint64(0)
	if ordered && last > 0 {
		if x0, y0 = textWords(doc, last); x0 == 0 {
			return 0, last, i
		}
	}
	for quick := len(doc) - 2 - KeyRoom; k < n && i <= quick; k++ {
		size, used := int(b.At(i)-head), c.Used
		if size > KeyRoom || used > len(c.Chunk)-Room {
			break
		}
		at := i + 1 + size
		v, wide := int64(b.At(at)), 1
		if b.At(at) > most {
			v, wide = readInt[F](b, at, len(doc)-ValueRoom)
			if wide == 0 || int64(V(v)) != v || IsUnsigned[V]() && v < 0 {
				break
			}
		}
		if isCBOR[F]() && !AreASCII(b, i+1, size) && !wire.ValidUTF8(doc[i+1:i+1+size]) {
			break
		}
		if ordered {
			m := &textMasks[size] // same as Rises
			x, y := bits.ReverseBytes64(b.U64(i))&m[0], bits.ReverseBytes64(b.U64(i+8))&m[1]
			if x < x0 || x == x0 && y <= y0 {
				break
			}
			x0, y0, last = x, y, i
		}
		to.Copy16(used, b, i+1)
		c.Used = used + size
		m[to.View(used, used+size)] = V(v)
		i = at + wide
	}
	return k, last, i
}
