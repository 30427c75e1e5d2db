package cbor

import (
	"math"
	"reflect"
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
