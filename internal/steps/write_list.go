package steps

import (
	"math"
	"math/bits"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/cborwire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Spare is the spare capacity that formats make before a member or a pair: for a key of two words, and a short string
// or a number.
const Spare = 16 + 32

// Grow returns b with room for n more bytes and some.
//
//go:noinline
func Grow(b []byte, n int) []byte {
	next := mem.MakeNoZero(max(2*cap(b), len(b)+n+2*Spare))[:len(b)]
	copy(next, b)
	return next
}

// block is how many elements are written after room has been made for them.
const block = 64

// beginList appends the head of an array of n elements of so many bytes at most, or null, and makes room for a block.
func beginList[F Form](b []byte, n, size int, null bool) []byte {
	if need := min(n, block)*size + Spare + cborwire.MaxHead; cap(b)-len(b) < need {
		b = Grow(b, need)
	}
	switch {
	case isCBOR[F]() && null:
		return append(b, cborwire.Null)
	case isCBOR[F]():
		return cborwire.AppendHead(b, cborwire.Array, uint64(n))
	case null:
		return append(b, packwire.Nil)
	}
	return packwire.AppendArrayHeader(b, n)
}

// fit returns how many of n elements of so many bytes at most are written next. It makes room for a block if there is
// little: a result may end near the end of its buffer without outgrowing it.
func fit(b []byte, n, size int) (room []byte, most int) {
	if most = (cap(b) - len(b) - Spare) / size; most < min(n, block/4) {
		b = Grow(b, block*size)
		most = block
	}
	return b, min(n, most, block)
}

// mostSmall returns the greatest integer that is written as one byte, itself.
func mostSmall[F Form]() uint64 {
	if isCBOR[F]() {
		return 23
	}
	return packwire.PosFixMax
}

// WriteInts appends a list of integers in their shortest form, or null. The choice between the forms stands here and in
// [WriteCounts]: a function for both is too large to be inlined, and lists took 1.5 times the instructions by it.
func WriteInts[F Form, T Integer](b []byte, list []T) []byte {
	most, size := mostSmall[F](), 2
	for x := uint64(1) << 8; x != 0 && T(x) != 0; x <<= 8 {
		size++
	}
	for b = beginList[F](b, len(list), size, list == nil); ; {
		var n int
		b, n = fit(b, len(list), size)
		w, l := mem.BytesOf(b), len(b)
		for _, v := range list[:n] {
			switch {
			case uint64(v) <= most: // itself
				w.Set(l, byte(v))
				l++
			case isCBOR[F]() && IsUnsigned[T]():
				l = CBORHead(w, l, cborwire.Uint, uint64(v))
			case isCBOR[F]():
				l = CBORInt(w, l, int64(v))
			case IsUnsigned[T]():
				l = PackUint(w, l, uint64(v))
			default:
				l = PackInt(w, l, int64(v))
			}
		}
		if b, list = b[:l], list[n:]; len(list) == 0 {
			return b
		}
	}
}

// WriteBools appends a list of booleans, or null.
func WriteBools[F Form](b []byte, list []bool) []byte {
	no := byte(packwire.False)
	if isCBOR[F]() {
		no = cborwire.False
	}
	b = beginList[F](b, len(list), 1, list == nil)
	if cap(b)-len(b) < len(list) {
		b = Grow(b, len(list))
	}
	to := b[len(b) : len(b)+len(list)]
	for i, v := range list {
		one := byte(0)
		if v {
			one = 1
		}
		to[i] = no + one
	}
	return b[:len(b)+len(list)]
}

// WriteFloats appends a list of floating-point numbers, those of CBOR in their shortest form, or null.
func WriteFloats[F Form, T float32 | float64](b []byte, list []T) []byte {
	first, size := firstOf[F, T]()
	vectors := isCBOR[F]() && !isSingle[T]() && cborwire.HavePut && len(list) >= runLength && wire.Vectors() &&
		OnlyDouble(math.Float64bits(float64(list[0])))
	for b = beginList[F](b, len(list), size, list == nil); ; {
		var n, i int
		b, n = fit(b, len(list), size)
		w, l := mem.BytesOf(b), len(b)
		if vectors {
			i = cborwire.PutDoubles(w.Addr(l), mem.At[float64](mem.To(&list[0])), n)
			l, vectors = l+9*i, i >= runLength
		}
		for i < n {
			for ; i+4 <= n; i += 4 { // without a call, so that all it needs stays at hand
				u := list[i : i+4 : i+4]
				if isSingle[T]() {
					p, q := math.Float32bits(float32(u[0])), math.Float32bits(float32(u[1]))
					r, s := math.Float32bits(float32(u[2])), math.Float32bits(float32(u[3]))
					if isCBOR[F]() && !(OnlySingle(p) && OnlySingle(q) && OnlySingle(r) && OnlySingle(s)) {
						break
					}
					putSingle(w, l, first, p)
					putSingle(w, l+5, first, q)
					putSingle(w, l+10, first, r)
					putSingle(w, l+15, first, s)
					l += 20
				} else {
					p, q := math.Float64bits(float64(u[0])), math.Float64bits(float64(u[1]))
					r, s := math.Float64bits(float64(u[2])), math.Float64bits(float64(u[3]))
					if isCBOR[F]() && !(OnlyDouble(p) && OnlyDouble(q) && OnlyDouble(r) && OnlyDouble(s)) {
						break
					}
					putDouble(w, l, first, p)
					putDouble(w, l+9, first, q)
					putDouble(w, l+18, first, r)
					putDouble(w, l+27, first, s)
					l += 36
				}
			}
			for end := min(i+4, n); i < end; i++ {
				v := float64(list[i])
				if u := math.Float64bits(v); isCBOR[F]() && u&(1<<42-1) == 0 && u>>42&(1<<21-1)-1009<<10 < 30<<10 {
					// Same as cborShortest: it is normal in half precision.
					w.Set(l, cborwire.Half)
					w.SetU16(l+1, bits.ReverseBytes16(uint16(u>>48&0x8000|(u>>42&(1<<21-1)-1008<<10))))
					l += 3
				} else if isCBOR[F]() {
					l = CBORFloat(w, l, v)
				} else if isSingle[T]() {
					putSingle(w, l, first, math.Float32bits(float32(v)))
					l += 5
				} else {
					putDouble(w, l, first, u)
					l += 9
				}
			}
		}
		if b, list = b[:l], list[n:]; len(list) == 0 {
			return b
		}
	}
}

// runLength is how many numbers a kernel must write at once, or the next ones are written without it.
const runLength = 16

// isSingle reports whether the type is float32, which is known when a function is compiled.
func isSingle[T float32 | float64]() bool { return T(0.1) == T(float32(0.1)) }

// putSingle writes a number behind its first byte at w[l:].
func putSingle(w mem.Bytes, l int, first byte, u uint32) {
	w.Set(l, first)
	w.SetU32(l+1, bits.ReverseBytes32(u))
}

// putDouble is putSingle for double precision.
func putDouble(w mem.Bytes, l int, first byte, u uint64) {
	w.Set(l, first)
	w.SetU64(l+1, bits.ReverseBytes64(u))
}

// WriteCounts appends the pairs of a map, of which text appends the names that are long or, in CBOR, not ASCII. E is
// the encoder of a format.
func WriteCounts[F Form, V Integer, E any](
	e *E, b []byte, m map[string]V, text func(e *E, b []byte, s string) []byte,
) []byte {
	w, l, most := mem.BytesOf(b), len(b), mostSmall[F]()
	for k, v := range m {
		if cap(b)-l < Spare {
			b = Grow(b[:l], Spare)
			w = mem.BytesOf(b)
		}
		end, short := l, false
		if isCBOR[F]() && len(k) < ShortText {
			end, short = CBORShort(w, l, k)
		} else if !isCBOR[F]() && len(k) < 32 {
			end, short = PackShort(w, l, k), true
		}
		if !short {
			if b = text(e, b[:l], k); b == nil {
				return nil
			} else if cap(b)-len(b) < Spare {
				b = Grow(b, Spare)
			}
			w, end = mem.BytesOf(b), len(b)
		}
		l = end
		switch {
		case uint64(v) <= most: // itself
			w.Set(l, byte(v))
			l++
		case isCBOR[F]() && IsUnsigned[V]():
			l = CBORHead(w, l, cborwire.Uint, uint64(v))
		case isCBOR[F]():
			l = CBORInt(w, l, int64(v))
		case IsUnsigned[V]():
			l = PackUint(w, l, uint64(v))
		default:
			l = PackInt(w, l, int64(v))
		}
	}
	return b[:l]
}

// WriteTexts appends a list of text, of which text appends what is long or, in CBOR, not ASCII, or null.
func WriteTexts[F Form, E any](e *E, b []byte, list []string, text func(e *E, b []byte, s string) []byte) []byte {
	b = beginList[F](b, len(list), cborwire.MaxHead, list == nil)
	w, l := mem.BytesOf(b), len(b)
	for _, s := range list {
		if cap(b)-l < Spare {
			b = Grow(b[:l], Spare)
			w = mem.BytesOf(b)
		}
		if isCBOR[F]() && len(s) < ShortText {
			if end, ascii := CBORShort(w, l, s); ascii {
				l = end
				continue
			}
		} else if !isCBOR[F]() && len(s) < 32 {
			l = PackShort(w, l, s)
			continue
		}
		if b = text(e, b[:l], s); b == nil {
			return nil
		}
		w, l = mem.BytesOf(b), len(b)
	}
	return b[:l]
}
