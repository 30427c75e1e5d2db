package cbor

import (
	"encoding/hex"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestTyped: a list is read as it was from a typed array of its type and of either order of bytes, into the type, a
// wider one and an interface, and each prefix of it is refused.
func TestTyped(t *testing.T) {
	checkTyped(t, []int8{0, 1, -1, math.MaxInt8, math.MinInt8})
	checkTyped(t, []int16{0, 1, -1, math.MaxInt16, math.MinInt16})
	checkTyped(t, []int32{0, 1, -1, math.MaxInt32, math.MinInt32})
	checkTyped(t, []int64{0, 1, -1, math.MaxInt64, math.MinInt64})
	checkTyped(t, []uint16{0, 1, 0x1234, math.MaxUint16})
	checkTyped(t, []uint32{0, 1, 0x12345678, math.MaxUint32})
	checkTyped(t, []uint64{0, 1, 0x123456789abcdef0, math.MaxUint64})
	checkTyped(t, []float32{0, 1, -0.1, math.MaxFloat32, float32(math.Inf(1))})
	checkTyped(t, []float64{0, 1, -0.1, math.MaxFloat64, math.Inf(-1)})
}

func checkTyped[E int8 | int16 | int32 | int64 | uint16 | uint32 | uint64 | float32 | float64](t *testing.T, list []E) {
	b, err := Marshal(list, Tags(TypedArray[E]()))
	if err != nil {
		t.Fatal(err)
	}
	size := int(reflect.TypeFor[E]().Size())
	if head := len(b) - size*len(list); head != 3 && head != 4 || b[0] != 0xd8 {
		t.Fatalf("%T is %x", list, b)
	}
	other := append([]byte(nil), b...)
	if size > 1 {
		other[1] &^= typedLittle
		for i := len(b) - size*len(list); i < len(b); i += size {
			for j := range size {
				other[i+j] = b[i+size-1-j]
			}
		}
	}
	type named []E
	for _, in := range [][]byte{b, other} {
		var own []E
		var wide []float64
		var dynamic any
		var other named
		err := Unmarshal(in, &own)
		if err != nil || !reflect.DeepEqual(own, list) {
			t.Errorf("%x is read as %v: %v", in, own, err)
		}
		if err := Unmarshal(in, &other); err != nil || !reflect.DeepEqual([]E(other), list) {
			t.Errorf("%x is read as %v: %v", in, other, err)
		}
		if err := Unmarshal(in, &dynamic); err != nil || !reflect.DeepEqual(dynamic, any(list)) {
			t.Errorf("%x is read as %#v: %v", in, dynamic, err)
		}
		if err := Unmarshal(in, &wide); err != nil || len(wide) != len(list) || wide[1] != 1 {
			t.Errorf("%x is read as %v: %v", in, wide, err)
		}
		for n := range in {
			if err := Unmarshal(in[:n], &own); err == nil {
				t.Errorf("%x is read", in[:n])
			}
		}
	}
	type holder struct {
		A string
		L []E
	}
	want := holder{"x", list}
	var got holder
	if b, err = Marshal(want, Tags(TypedArray[E]())); err == nil {
		err = Unmarshal(b, &got)
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%x is read as %v: %v", b, got, err)
	}
}

// TestQuadruple: numbers of quadruple precision are read as the nearest of double precision.
func TestQuadruple(t *testing.T) {
	for _, tt := range []struct {
		name, bits string // the number, big-endian
		want       float64
	}{
		{"zero", "00000000000000000000000000000000", 0},
		{"negative zero", "80000000000000000000000000000000", math.Copysign(0, -1)},
		{"one", "3fff0000000000000000000000000000", 1},
		{"minus two and a half", "c0004000000000000000000000000000", -2.5},
		{"a third", "3ffd5555555555555555555555555555", 1.0 / 3},
		{"pi", "4000921fb54442d18469898cc51701b8", math.Pi},
		{"half way down to even", "3fff0000000000000800000000000000", 1},
		{"above half way", "3fff0000000000000800000000000001", 1 + 0x1p-52},
		{"half way up to even", "3fff0000000000001800000000000000", 1 + 0x2p-52},
		{"greatest double", "43feffffffffffff" + "f000000000000000", math.MaxFloat64},
		{"least double", "3bcd0000000000000000000000000000", math.SmallestNonzeroFloat64},
		{"below the least double", "3bcb0000000000000000000000000000", 0},
		{"subnormal", "00000000000000000000000000000001", 0},
		{"infinity", "7fff0000000000000000000000000000", math.Inf(1)},
		{"negative infinity", "ffff0000000000000000000000000000", math.Inf(-1)},
		{"not a number", "7fff8000000000000000000000000000", math.NaN()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body, err := hex.DecodeString(tt.bits)
			if err != nil {
				t.Fatal(err)
			}
			for _, tag := range []byte{83, 87} {
				in := append([]byte{0xd8, tag, 0x50}, body...)
				slices.Reverse(body) // for the second
				var got []float64
				var dynamic any
				if err := Unmarshal(in, &got); err != nil || len(got) != 1 || !same(got[0], tt.want) {
					t.Errorf("tag %d: %v, %v", tag, got, err)
				}
				if err := Unmarshal(in, &dynamic); err != nil || !same(dynamic.([]float64)[0], tt.want) {
					t.Errorf("tag %d: %v, %v", tag, dynamic, err)
				}
			}
		})
	}
	for _, in := range []string{"d85350" + "7ffeffffffffffffffffffffffffffff", "d8534f" + strings.Repeat("00", 15)} {
		b, err := hex.DecodeString(in)
		if err != nil {
			t.Fatal(err)
		}
		if err := Unmarshal(b, new([]float64)); err == nil {
			t.Errorf("%s is read", in)
		}
	}
}

// same reports whether two numbers have the same bits, or are not numbers.
func same(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) || v != v && w != w }
