package json

import (
	"math"
	"reflect"
	"strconv"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// uint returns the number at i and the index after it. The index is failed if
// there is no unsigned integer of 64 bits without fraction and exponent.
func (d *decoder) uint(i int) (uint64, int) {
	b := d.b
	c := uint64(b.At(i) - '0')
	if c > 9 {
		return 0, failed
	}
	i++
	v := c
	if c == 0 {
		if b.At(i)-'0' <= 9 {
			return 0, failed
		}
	} else {
		start := i
		if x := b.U64(i); wire.Is8Digits(x) {
			v = v*1e8 + wire.Parse8Digits(x)
			i += 8
		}
		for {
			c = uint64(b.At(i) - '0')
			if c > 9 {
				break
			}
			if i-start >= 18 { // the 20th digit is coming
				if i-start > 18 || v > math.MaxUint64/10 || v == math.MaxUint64/10 && c > math.MaxUint64%10 {
					return 0, failed
				}
			}
			v = v*10 + c
			i++
		}
	}
	if c := b.At(i); c == '.' || c|0x20 == 'e' {
		return 0, failed
	}
	return v, i
}

// int is uint for signed integers.
func (d *decoder) int(i int) (int64, int) {
	if d.b.At(i) != '-' {
		u, j := d.uint(i)
		if u > math.MaxInt64 {
			return 0, failed
		}
		return int64(u), j
	}
	u, j := d.uint(i + 1)
	if u > 1<<63 {
		return 0, failed
	}
	return -int64(u), j
}

// whole returns the number at i without its sign, which may be written with a fraction of zeros and an exponent, and
// the index after it: failed if there is no number, or none that is whole and fits 64 bits.
func (d *decoder) whole(i int) (u uint64, neg bool, j int) {
	n, j := wire.ReadDecimal(d.b, i)
	if j < 0 {
		return 0, false, failed
	}
	digits := make([]byte, 0, 24)
	for _, c := range d.b.Slice(i, j) {
		if c|0x20 == 'e' {
			break
		}
		if c-'0' <= 9 && (c != '0' || len(digits) > 0) {
			digits = append(digits, c)
		}
	}
	exp := n.Exp10
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
		exp++
	}
	switch {
	case len(digits) == 0:
		return 0, n.Neg(), j
	case exp < 0 || exp+len(digits) > 20:
		return 0, false, failed
	}
	for range exp {
		digits = append(digits, '0')
	}
	u, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		return 0, false, failed
	}
	return u, n.Neg(), j
}

// wholeInt is whole for a signed integer.
func (d *decoder) wholeInt(i int) (v int64, j int) {
	u, neg, j := d.whole(i)
	if v = int64(u); neg {
		v = -v
	}
	if u != 0 && (v < 0) != neg {
		return 0, failed
	}
	return v, j
}

// wholeUint is whole for an unsigned integer.
func (d *decoder) wholeUint(i int) (u uint64, j int) {
	u, neg, j := d.whole(i)
	if neg && u != 0 {
		return 0, failed
	}
	return u, j
}

// intValue decodes the integer at i into p.
func (d *decoder) intValue(n *node, p mem.Ptr, i int) int {
	u, j := d.uint(i)
	v := int64(u)
	if j < 0 || v < 0 { // it may have a sign
		if v, j = d.int(i); j < 0 {
			return d.misfit(n, p, i)
		}
	}
	fits := false
	switch n.op {
	case opInt64:
		*mem.At[int64](p) = v
		return j
	case opInt:
		fits = mem.Store[int](p, v)
	case opInt32:
		fits = mem.Store[int32](p, v)
	case opInt16:
		fits = mem.Store[int16](p, v)
	default:
		fits = mem.Store[int8](p, v)
	}
	if !fits {
		return d.misfit(n, p, i)
	}
	return j
}

// uintValue decodes the unsigned integer at i into p.
func (d *decoder) uintValue(n *node, p mem.Ptr, i int) int {
	v, j := d.uint(i)
	if j < 0 {
		return d.misfit(n, p, i)
	}
	fits := false
	switch n.op {
	case opUint64:
		*mem.At[uint64](p) = v
		return j
	case opUint:
		fits = mem.Store[uint](p, v)
	case opUint32:
		fits = mem.Store[uint32](p, v)
	case opUint16:
		fits = mem.Store[uint16](p, v)
	case opUint8:
		fits = mem.Store[uint8](p, v)
	default:
		fits = mem.Store[uintptr](p, v)
	}
	if !fits {
		return d.misfit(n, p, i)
	}
	return j
}

// floatValue decodes the number at i into p.
func (d *decoder) floatValue(n *node, p mem.Ptr, i int) int {
	if n.op == opFloat32 {
		f, j, ok := wire.ReadFloat32(d.b, i)
		if !ok {
			return d.misfit(n, p, i)
		}
		*mem.At[float32](p) = f
		return j
	}
	f, j, ok := wire.ReadFloat64(d.b, i)
	if !ok {
		return d.misfit(n, p, i)
	}
	*mem.At[float64](p) = f
	return j
}

// numberValue decodes the number at i into p, a Number.
func (d *decoder) numberValue(n *node, p mem.Ptr, i int) int {
	c := d.b.At(i)
	if c != '-' && c-'0' > 9 {
		return d.misfit(n, p, i)
	}
	j := d.skipNumber(i)
	if j >= 0 {
		*mem.At[string](p) = d.strings.take(d.b, i, j-i)
	}
	return j
}

// anyNumber returns the number at i as any and the index after it. If it is out of range that is nil, or what
// encoding/json/v2 keeps with the error.
func (d *decoder) anyNumber(i int) (any, int) {
	if d.flags&decodeNumber != 0 {
		j := d.skipNumber(i)
		if j < 0 {
			return nil, j
		}
		return Number(d.strings.take(d.b, i, j-i)), j
	}
	f, j, ok := wire.ReadFloat64(d.b, i)
	if ok {
		return d.boxes.Float64(f), j
	}
	if j < 0 {
		return nil, d.fail()
	}
	err := &UnmarshalTypeError{Value: "number " + string(d.b.Slice(i, j)), Type: float64Type, Offset: int64(j + 1)}
	if j = d.save(err, i, j); j == failed {
		return outOfFloat(d.b.At(i)), j
	}
	return nil, j
}

var float64Type = reflect.TypeFor[float64]()
