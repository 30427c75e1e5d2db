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
		if !isCBOR[F]() && i <= last { // same as ReadPackInt, for a run of integers of as many bytes
			form := (b.At(i) - packwire.Uint8) &^ signedForm
			size := 1 << (form & 3)
			shift := uint(64-8*size) & 63
			mask := int64(^uint64(0) >> shift)
			start := n
			for ; n < len(list) && i <= last; n, i = n+1, i+1+size {
				x := b.At(i) - packwire.Uint8
				if x&^signedForm != form || form > 3 {
					break
				}
				signed := x >= signedForm
				sign := int64(x) << (63 - 2) >> 63 // all ones if it is signed
				v := int64(bits.ReverseBytes64(b.U64(i+1))) >> shift & (mask | sign)
				if int64(T(v)) != v || v < 0 && signed == IsUnsigned[T]() {
					return n, i
				}
				list[n] = T(v)
			}
			if n > start {
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

// signedForm is the difference between the first bytes of signed and unsigned integers of MessagePack of as many bytes.
const signedForm = packwire.Int8 - packwire.Uint8

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

// ReadBools is ReadInts for booleans.
func ReadBools[F Form](doc []byte, i int, list []bool) (n, next int) {
	yes := byte(packwire.True)
	if isCBOR[F]() {
		yes = cborwire.True
	}
	for doc = doc[i:]; n < len(list) && n < len(doc) && doc[n]|1 == yes; n++ {
		list[n] = doc[n] == yes
	}
	return n, i + n
}

// ReadFloats is ReadInts for floating-point numbers, and integers of MessagePack. Of CBOR, those in the list's own
// precision are read for any number unless strict.
func ReadFloats[F Form, T float32 | float64](doc []byte, i int, list []T, strict bool) (n, next int) {
	b := mem.BytesOf(doc)
	first, size := firstOf[F, T]()
	for n < len(list) && i < len(doc) {
		for (!isCBOR[F]() || !isSingle[T]() && !strict) && n+4 <= len(list) && i+4*size <= len(doc) {
			if b.At(i) != first || b.At(i+size) != first || b.At(i+2*size) != first || b.At(i+3*size) != first {
				break
			}
			u := list[n : n+4 : n+4]
			u[0], u[1] = float[T](b, i+1), float[T](b, i+1+size)
			u[2], u[3] = float[T](b, i+1+2*size), float[T](b, i+1+3*size)
			n, i = n+4, i+4*size
		}
		if n == len(list) || i >= len(doc) {
			break
		}
		x, end := b.At(i), i+size
		switch {
		case isCBOR[F]():
			end = i + 1 + 2<<((x-cborwire.Half)&7)
			if x-cborwire.Half > cborwire.Double-cborwire.Half || end > len(doc) {
				return n, i
			}
			if x == first { // same as cborFloat
				v := float[T](b, i+1)
				u, s := math.Float64bits(float64(v)), math.Float32bits(float32(v))
				if isSingle[T]() && (strict && !OnlySingle(s) || s<<1 >= 0xff<<24) ||
					!isSingle[T]() && strict && !OnlyDouble(u) {
					return n, i
				}
				list[n] = v
				break
			}
			v, wide := cborFloat(b, i, x)
			if wide == 0 || isSingle[T]() && wide == 9 {
				return n, i
			}
			list[n] = T(v)
		case x == first && end <= len(doc):
			list[n] = float[T](b, i+1)
		case x == packwire.Float32 && i+5 <= len(doc):
			list[n], end = T(float[float32](b, i+1)), i+5
		default:
			v, wide := readInt[F](b, i, len(doc)-ValueRoom)
			if wide == 0 {
				return n, i
			}
			list[n], end = T(float64(v)), i+wide
		}
		n, i = n+1, end
	}
	return n, i
}

// firstOf returns the first byte of a number in the list's own precision, and its size.
func firstOf[F Form, T float32 | float64]() (first byte, size int) {
	switch {
	case isCBOR[F]() && isSingle[T]():
		return cborwire.Single, 5
	case isCBOR[F]():
		return cborwire.Double, 9
	case isSingle[T]():
		return packwire.Float32, 5
	}
	return packwire.Float64, 9
}

// float reads the bytes of a number at b[i:].
func float[T float32 | float64](b mem.Bytes, i int) T {
	if isSingle[T]() {
		return T(math.Float32frombits(bits.ReverseBytes32(b.U32(i))))
	}
	return T(math.Float64frombits(bits.ReverseBytes64(b.U64(i))))
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
