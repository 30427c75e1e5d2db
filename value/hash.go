package value

import (
	"hash/maphash"
	"math"
	"math/bits"
)

// seed is of one run of a program: so are hashes.
var seed = maphash.MakeSeed()

// Hash returns a hash of v. Equal values have the same hash. The hash differs between runs of the program.
func (v Value) Hash() uint64 {
	k := v.Kind()
	switch k {
	case KindInt, KindUint, KindFloat, KindNumber:
		return v.hashNumber()
	case KindString:
		return mix(uint64(k), maphash.String(seed, v.text()))
	case KindBytes:
		return mix(uint64(k), maphash.Bytes(seed, v.bytes()))
	case KindTime:
		return mix(v.meta, v.num)
	case KindList:
		h := uint64(k)
		all := v.kids()
		for i := range all.n {
			h = mix(h, all.at(i).Hash())
		}
		return h
	case KindMap:
		h := uint64(k) // members count in any order
		names, all := v.names(), v.kids()
		for i := range all.n {
			h += mix(maphash.String(seed, names[i]), all.at(i).Hash())
		}
		return mix(h, uint64(all.n))
	case KindExt:
		return mix(uint64(k)+v.num, maphash.Bytes(seed, v.extData()))
	}
	return mix(uint64(k), v.num)
}

func (v Value) hashNumber() uint64 {
	n := v.number1()
	switch {
	case n.nan:
		return mix(uint64(KindFloat), 1)
	case n.digits == nil && !n.inf:
		return mix(uint64(KindInt)+uint64(pick(n.neg && n.mant != 0, 1, 0)), n.mant)
	case v.Kind() == KindFloat:
		return mix(uint64(KindFloat), v.num)
	}
	if f, ok := parseFloat(v.text()); ok {
		if m := floatNumber(f); n.compare(&m) == 0 {
			return mix(uint64(KindFloat), math.Float64bits(f))
		}
	}
	return mix(uint64(n.exp)+uint64(pick(n.neg, 1, 0)), maphash.Bytes(seed, n.digits))
}

// number1 is number, where the digits of a float need not be right: they are only
// there or not.
func (v Value) number1() number {
	if v.Kind() == KindFloat {
		f := math.Float64frombits(v.num)
		if a := math.Abs(f); a >= 1<<64 || a != math.Trunc(a) && a == a {
			return number{digits: []byte{}}
		}
	}
	return v.number()
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xe7037ed1a0b428db)
	return hi ^ lo ^ bits.RotateLeft64(b, 32)
}
