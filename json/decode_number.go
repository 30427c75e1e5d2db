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

// decimal is a number as far as the digits of its text that fit 64 bits.
type decimal struct {
	mant  uint64
	exp10 int
	neg   bool
	exact bool // mant holds all digits
}

// decimal reads the number at i and returns the index after it, failed if
// there is none.
func (d *decoder) decimal(i int) (n decimal, j int) {
	b := d.b
	if b.At(i) == '-' {
		n.neg = true
		i++
	}
	first := i // of the significant digits
	c := b.At(i) - '0'
	if c > 9 {
		return n, failed
	}
	m := uint64(c)
	i++
	if c == 0 {
		first = i
		if b.At(i)-'0' <= 9 {
			return n, failed
		}
	} else {
		for {
			c = b.At(i) - '0'
			if c > 9 {
				break
			}
			m = m*10 + uint64(c)
			i++
		}
	}
	count := i - first
	exp := 0
	if b.At(i) == '.' {
		i++
		point := i
		if m == 0 {
			for b.At(i) == '0' {
				i++
			}
		}
		first = i
		if x := b.U64(i); wire.Is8Digits(x) {
			m = m*1e8 + wire.Parse8Digits(x)
			i += 8
			if x = b.U64(i); wire.Is8Digits(x) {
				m = m*1e8 + wire.Parse8Digits(x)
				i += 8
			}
		}
		for {
			c = b.At(i) - '0'
			if c > 9 {
				break
			}
			m = m*10 + uint64(c)
			i++
		}
		if i == point {
			return n, failed
		}
		exp = point - i
		count += i - first
	}
	if b.At(i)|0x20 == 'e' {
		i++
		sign := b.At(i)
		if sign == '-' || sign == '+' {
			i++
		}
		e, from := 0, i
		for {
			c = b.At(i) - '0'
			if c > 9 {
				break
			}
			if e < 1e4 { // as far as strconv reads it: more is out of any range
				e = e*10 + int(c)
			}
			i++
		}
		if i == from {
			return n, failed
		}
		if sign == '-' {
			e = -e
		}
		exp += e
	}
	n.mant, n.exp10, n.exact = m, exp, count <= 19
	return n, i
}

// whole returns the number at i without its sign, which may be written with a fraction of zeros and an exponent, and the
// index after it: failed if there is no number, or none that is whole and fits 64 bits.
func (d *decoder) whole(i int) (u uint64, neg bool, j int) {
	n, j := d.decimal(i)
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
	exp := n.exp10
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
		exp++
	}
	switch {
	case len(digits) == 0:
		return 0, n.neg, j
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
	return u, n.neg, j
}

// float returns the number at i as a float64 and the index after it, failed if
// there is no number. ok is false if it is out of range.
func (d *decoder) float(i int) (f float64, j int, ok bool) {
	n, j := d.decimal(i)
	if j < 0 {
		return 0, j, false
	}
	if n.exact {
		if f, ok = wire.ParseFloat64(n.mant, n.exp10, n.neg); ok {
			return f, j, true
		}
	}
	f, err := strconv.ParseFloat(d.b.View(i, j), 64)
	return f, j, err == nil
}

// float32 is float for a float32.
func (d *decoder) float32(i int) (f float32, j int, ok bool) {
	n, j := d.decimal(i)
	if j < 0 {
		return 0, j, false
	}
	if n.exact {
		if f, ok = wire.ParseFloat32(n.mant, n.exp10, n.neg); ok {
			return f, j, true
		}
	}
	f64, err := strconv.ParseFloat(d.b.View(i, j), 32)
	return float32(f64), j, err == nil
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
	switch n.op {
	case opInt64:
		*mem.At[int64](p) = v
	case opInt:
		x := int(v)
		if int64(x) != v {
			return d.misfit(n, p, i)
		}
		*mem.At[int](p) = x
	case opInt32:
		x := int32(v)
		if int64(x) != v {
			return d.misfit(n, p, i)
		}
		*mem.At[int32](p) = x
	case opInt16:
		x := int16(v)
		if int64(x) != v {
			return d.misfit(n, p, i)
		}
		*mem.At[int16](p) = x
	default:
		x := int8(v)
		if int64(x) != v {
			return d.misfit(n, p, i)
		}
		*mem.At[int8](p) = x
	}
	return j
}

// uintValue decodes the unsigned integer at i into p.
func (d *decoder) uintValue(n *node, p mem.Ptr, i int) int {
	v, j := d.uint(i)
	if j < 0 {
		return d.misfit(n, p, i)
	}
	switch n.op {
	case opUint64:
		*mem.At[uint64](p) = v
	case opUint:
		x := uint(v)
		if uint64(x) != v {
			return d.misfit(n, p, i)
		}
		*mem.At[uint](p) = x
	case opUint32:
		x := uint32(v)
		if uint64(x) != v {
			return d.misfit(n, p, i)
		}
		*mem.At[uint32](p) = x
	case opUint16:
		x := uint16(v)
		if uint64(x) != v {
			return d.misfit(n, p, i)
		}
		*mem.At[uint16](p) = x
	case opUint8:
		x := uint8(v)
		if uint64(x) != v {
			return d.misfit(n, p, i)
		}
		*mem.At[uint8](p) = x
	default:
		x := uintptr(v)
		if uint64(x) != v {
			return d.misfit(n, p, i)
		}
		*mem.At[uintptr](p) = x
	}
	return j
}

// floatValue decodes the number at i into p.
func (d *decoder) floatValue(n *node, p mem.Ptr, i int) int {
	if n.op == opFloat32 {
		f, j, ok := d.float32(i)
		if !ok {
			return d.misfit(n, p, i)
		}
		*mem.At[float32](p) = f
		return j
	}
	f, j, ok := d.float(i)
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

// anyNumber returns the number at i as any and the index after it.
func (d *decoder) anyNumber(i int) (any, int) {
	if d.flags&decodeNumber != 0 {
		j := d.skipNumber(i)
		if j < 0 {
			return nil, j
		}
		return Number(d.strings.take(d.b, i, j-i)), j
	}
	f, j, ok := d.float(i)
	if ok {
		return d.boxes.Float64(f), j
	}
	if j < 0 {
		return nil, d.fail()
	}
	return nil, d.save(&UnmarshalTypeError{Value: "number " + string(d.b.Slice(i, j)), Type: float64Type, Offset: int64(j + 1)}, i, j)
}

var float64Type = reflect.TypeFor[float64]()
