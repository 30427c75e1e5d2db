package cbor

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// Typed arrays (RFC 8746): the numbers of a list as one byte string. Its tags have the bits 010fsell: floating-point
// numbers, signed integers, little-endian, and the size.
const (
	typedFirst  = 64
	typedLast   = 87
	typedFloat  = 16
	typedSigned = 8
	typedLittle = 4
)

var (
	errTyped = errors.New("bytes are not a typed array of this tag")
	errQuad  = errors.New("typed array has a number beyond float64")
)

// TypedArray makes a call write values of type []E as typed arrays (RFC 8746), little-endian. Typed arrays can always
// be read like arrays, also without this option.
func TypedArray[E int8 | int16 | int32 | int64 | uint16 | uint32 | uint64 | float32 | float64]() TypeTag {
	t := reflect.TypeFor[E]()
	number := uint64(typedFirst + typedLittle)
	size := map[uintptr]uint64{1: 0, 2: 1, 4: 2, 8: 3}[t.Size()]
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		number += typedFloat + size - 1
	case reflect.Int8:
		number += typedSigned - typedLittle
	case reflect.Int16, reflect.Int32, reflect.Int64:
		number += typedSigned + size
	default:
		number += size
	}
	return TypeTag{rtype: reflect.TypeFor[[]E](), put: putTyped[E](number, int(t.Size()))}
}

// putTyped returns how a []E is written as a typed array.
func putTyped[E any](number uint64, size int) encodeFunc {
	return func(s *encoder, b []byte, q mem.Ptr) []byte {
		list := *mem.At[[]E](q)
		switch {
		case list == nil:
			return append(b, cborwire.Null)
		case s.flags&flagFinite != 0 && number&typedFloat != 0:
			return s.fail(b, errFinite) // rather than looking at each
		}
		b = cborwire.AppendHead(cborwire.AppendHead(b, cborwire.Tag, number), cborwire.Bytes, uint64(len(list)*size))
		b, err := binary.Append(b, binary.LittleEndian, list)
		if err != nil {
			return s.fail(b, err)
		}
		return b
	}
}

// isTyped reports whether a typed array may stand at i.
func (r *reader) isTyped(i int) bool {
	return i+1 < len(r.b) && r.b[i] == cborwire.Tag|24 && uint(r.b[i+1])-typedFirst <= typedLast-typedFirst
}

// typed reads the typed array at i by way of the array that it stands for, which get reads from its index on.
func (r *reader) typed(i int, get func(i int) int) int {
	number, at := r.tagAt(i)
	if at < 0 {
		return -1
	}
	body, end := r.body(at)
	switch {
	case end < 0:
		return -1
	case r.b[at]&0xe0 != cborwire.Bytes:
		return r.fail(i, errTyped)
	}
	list, err := appendArray(nil, number, body)
	if err != nil {
		return r.fail(i, err)
	}
	b, rules, checked, reserved := r.b, r.rules, r.checked, r.reserved
	r.b, r.rules, r.checked, r.reserved = list, rules&cborwire.Finite, len(list), 0
	next := get(0)
	if r.rules, r.checked, r.reserved = rules, checked, reserved; next < 0 {
		r.all = b // the error is that of the whole
		if e, ok := r.err.(*weft.Error); ok {
			e.Offset = r.base + int64(i)
		}
		return -1
	}
	r.b = b
	return end
}

// appendArray appends the array of the numbers in body, which has the given tag. Those of quadruple precision become
// the nearest of double precision.
func appendArray(b []byte, number uint64, body []byte) ([]byte, error) {
	size := 1 << (number & 3)
	isFloat := number&typedFloat != 0
	if isFloat {
		size *= 2
	}
	if number == 76 || len(body)%size != 0 {
		return b, errTyped
	}
	b = cborwire.AppendHead(b, cborwire.Array, uint64(len(body)/size))
	for ; len(body) > 0; body = body[size:] {
		u, high := uint64(0), uint64(0)
		for j := range size {
			k := j
			if number&typedLittle != 0 && number != 68 { // which is of bytes that are clamped
				k = size - 1 - j
			}
			u, high = u<<8|uint64(body[k]), high<<8|u>>56
		}
		shift := 64 - 8*size
		switch {
		case isFloat && size == 2:
			b = cborwire.AppendHalf(b, uint16(u))
		case isFloat && size == 4:
			b = cborwire.AppendFloat32(b, math.Float32frombits(uint32(u)))
		case isFloat && size == 8:
			b = cborwire.AppendFloat64(b, math.Float64frombits(u))
		case isFloat:
			v, ok := quadruple(high, u)
			if !ok {
				return b, errQuad
			}
			b = cborwire.AppendFloat64(b, v)
		case number&typedSigned != 0:
			b = cborwire.AppendInt(b, int64(u)<<shift>>shift)
		default:
			b = cborwire.AppendUint(b, u)
		}
	}
	return b, nil
}

// quadruple returns the number of double precision that is nearest to the one of quadruple precision with these bits.
// It reports whether there is one.
func quadruple(high, low uint64) (v float64, ok bool) {
	const bias, most = 1<<14 - 1, 1<<15 - 1
	exp, fraction := int(high>>48&most), new(big.Int).SetUint64(high&(1<<48-1))
	fraction.Lsh(fraction, 64).Or(fraction, new(big.Int).SetUint64(low))
	switch {
	case exp == most && fraction.Sign() != 0:
		return math.NaN(), true
	case exp == most:
		v = math.Inf(1)
	case exp == 0:
		// Less than the least number of double precision.
	default:
		fraction.SetBit(fraction, 112, 1)
		f := new(big.Float).SetInt(fraction)
		if v, _ = f.SetMantExp(f, exp-bias-112).Float64(); math.IsInf(v, 0) {
			return 0, false
		}
	}
	if high>>63 != 0 {
		v = math.Copysign(v, -1)
	}
	return v, true
}

// typedSlices are the types that typed arrays are read as into an interface.
var typedSlices = [...]reflect.Type{
	64: reflect.TypeFor[[]uint8](), 65: reflect.TypeFor[[]uint16](), 66: reflect.TypeFor[[]uint32](),
	67: reflect.TypeFor[[]uint64](), 68: reflect.TypeFor[[]uint8](), 69: reflect.TypeFor[[]uint16](),
	70: reflect.TypeFor[[]uint32](), 71: reflect.TypeFor[[]uint64](), 72: reflect.TypeFor[[]int8](),
	73: reflect.TypeFor[[]int16](), 74: reflect.TypeFor[[]int32](), 75: reflect.TypeFor[[]int64](),
	77: reflect.TypeFor[[]int16](), 78: reflect.TypeFor[[]int32](), 79: reflect.TypeFor[[]int64](),
	80: reflect.TypeFor[[]float32](), 81: reflect.TypeFor[[]float32](), 82: reflect.TypeFor[[]float64](),
	83: reflect.TypeFor[[]float64](), 84: reflect.TypeFor[[]float32](), 85: reflect.TypeFor[[]float32](),
	86: reflect.TypeFor[[]float64](), 87: reflect.TypeFor[[]float64](),
}

// typedSlice returns the type that a typed array is read as into an interface, nil for none.
func typedSlice(number uint64) reflect.Type {
	if number < uint64(len(typedSlices)) {
		return typedSlices[number]
	}
	return nil
}

// Sets (tag 258): the keys of a map whose values say nothing, as an array.
const tagUnique = 258

// Set makes a call write values of type map[K]struct{} as sets, which are arrays with tag 258. Such maps can always
// be read from arrays, also without this option.
func Set[K comparable]() TypeTag {
	return TypeTag{number: tagUnique, rtype: reflect.TypeFor[map[K]struct{}](), isSet: true}
}

// putSet writes the keys of the map at q.
func (s *encoder) putSet(b []byte, p *program, q mem.Ptr) []byte {
	m := q.Value(p.mem)
	if m.IsNil() {
		return append(b, cborwire.Null)
	}
	if !s.enter() {
		return b
	}
	b = cborwire.AppendHead(cborwire.AppendHead(b, cborwire.Tag, tagUnique), cborwire.Array, uint64(m.Len()))
	mark := len(s.pairs)
	b = s.sort(s.entries(b, p, q, true), mark)
	s.depth--
	return b
}

// isSet reports whether an array stands at i, behind its tags, where a map with keys alone is expected.
func (r *reader) isSet(i int, p *program) bool {
	if p.elem.mem.Size != 0 {
		return false
	}
	for i < len(r.b) && r.b[i]&0xe0 == cborwire.Tag {
		if _, i = cborwire.Head(r.b, i); i < 0 {
			return false
		}
	}
	return i < len(r.b) && r.b[i]&0xe0 == cborwire.Array
}
