package framewire

import (
	"encoding/binary"
	"math"

	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// Encodings of a block of floats.
const (
	floatsPlain   = 0 // the bytes of each
	floatsDecimal = 1 // a power of ten, block of integers to be divided by it
)

// maxPower bounds the digits behind the point that integers stand for.
const maxPower = 6

// decimal returns the integer that is the float with the given bits times a
// power of ten.
func decimal(bits int64, power int, single bool) (int64, bool) {
	f := math.Float64frombits(uint64(bits))
	if single {
		f = float64(math.Float32frombits(uint32(bits)))
	}
	x := math.Round(f * float64(powers[power]))
	if !(math.Abs(x) < 1<<53) {
		return 0, false
	}
	i := int64(x)
	return i, fromDecimal(i, power, single) == bits
}

// fromDecimal undoes decimal.
func fromDecimal(i int64, power int, single bool) int64 {
	f := float64(i) / float64(powers[power])
	if single {
		return int64(math.Float32bits(float32(f)))
	}
	return int64(math.Float64bits(f))
}

// AppendFloats appends a block of the floats with the given bits.
func (w *Writer) AppendFloats(b []byte, v []int64, single bool) []byte {
	if out, ok := w.appendDecimal(b, v, single); ok {
		return out
	}
	b = BeginBlock(b, floatsPlain)
	head := len(b) - 1
	for _, x := range v {
		if single {
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		} else {
			b = binary.LittleEndian.AppendUint64(b, uint64(x))
		}
	}
	return tagwire.End(b, head)
}

func (w *Writer) appendDecimal(b []byte, v []int64, single bool) ([]byte, bool) {
	n := len(v)
	if n == 0 {
		return b, false
	}
	power := 0
	step := max(n/32, 1)
	for i := 0; i < n; i += step {
		for {
			if _, ok := decimal(v[i], power, single); ok {
				break
			}
			if power++; power > maxPower {
				return b, false
			}
		}
	}
	ints := w.Take(n)
	defer w.Free(ints)
	for i, x := range v {
		var ok bool
		if ints[i], ok = decimal(x, power, single); !ok {
			return b, false
		}
	}
	start := len(b)
	b = BeginBlock(b, floatsDecimal)
	head := len(b) - 1
	b = tagwire.End(AppendInts(append(b, byte(power)), ints), head)
	width := 8
	if single {
		width = 4
	}
	if len(b)-start >= n*width {
		return b[:start], false
	}
	return b, true
}

// ReadFloats reads a block of the bits of floats.
func ReadFloats(b []byte, v []int64, single bool) (rest []byte, ok bool) {
	encoding, data, rest, ok := ReadBlock(b)
	if !ok {
		return nil, false
	}
	switch encoding {
	case floatsPlain:
		if single {
			if len(data) != 4*len(v) {
				return nil, false
			}
			for i := range v {
				v[i] = int64(binary.LittleEndian.Uint32(data[4*i:]))
			}
			return rest, true
		}
		if len(data) != 8*len(v) {
			return nil, false
		}
		for i := range v {
			v[i] = int64(binary.LittleEndian.Uint64(data[8*i:]))
		}
		return rest, true
	case floatsDecimal:
		if len(data) == 0 || data[0] > maxPower {
			return nil, false
		}
		power := int(data[0])
		if data, ok = ReadInts(data[1:], v); !ok || len(data) != 0 {
			return nil, false
		}
		for i, x := range v {
			v[i] = fromDecimal(x, power, single)
		}
		return rest, true
	}
	return nil, false
}
