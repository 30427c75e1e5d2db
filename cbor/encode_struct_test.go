package cbor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
)

// leaves has members that are left out, by each test that there is, next to each other and not.
type leaves struct {
	S0 string         `json:"s0,omitempty"`
	S1 string         `json:"a string with a long name,omitempty"`
	I0 int            `json:"i0,omitempty"`
	L0 []string       `json:"l0,omitempty"`
	P0 *int           `json:"p0,omitempty"`
	P1 *string        `json:"a,omitempty"`
	U0 uint64         `json:"zz,omitempty"`
	B0 bool           `json:"b0,omitempty"`
	I1 int32          `json:"i1,omitempty"`
	I2 int8           `json:"i2,omitempty"`
	I3 int16          `json:"i3,omitempty"`
	F0 float64        `json:"f0,omitempty"`
	F1 float32        `json:"f1,omitempty"`
	M0 map[string]int `json:"m0,omitempty"`
	A0 any            `json:"a0,omitempty"`
	A1 [0]int         `json:"a1,omitempty"`
	A2 [2]int         `json:"a2,omitempty"`
	T0 leaf           `json:"t0,omitempty"`
	N0 int            `json:"n0"`
	P2 *leaf          `json:"p2,omitempty"`
	L1 []byte         `json:"l1,omitempty"`
	L2 []leaf         `json:"l2,omitempty"`
	P3 **bool         `json:"p3,omitempty"`
	S2 string         `json:"s2,omitempty"`
}

type leaf struct {
	X int    `json:"x,omitempty"`
	Y string `json:"y,omitempty"`
}

// TestOmitEmpty: what is left out is what encoding/json leaves out, in each order of members.
func TestOmitEmpty(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	no := new(bool)
	full := leaves{
		"a", "b", 1, []string{}, new(int), new(string), 1 << 40, true, 5, 6, 7, 0.5, 1.5, map[string]int{"k": 1}, 1, [0]int{}, [2]int{},
		leaf{}, 1, &leaf{}, []byte{1}, []leaf{{Y: "y"}}, &no, "c",
	}
	for round := range 300 {
		v := full
		for rv, i := reflect.ValueOf(&v).Elem(), 0; i < rv.NumField(); i++ {
			if random.IntN(3) < round%4 {
				rv.Field(i).SetZero()
			}
		}
		if random.IntN(2) == 0 {
			v.M0 = map[string]int{}
		}
		want := make(map[string]json.RawMessage)
		if text, err := json.Marshal(&v); err != nil || json.Unmarshal(text, &want) != nil {
			t.Fatal(err)
		}
		for name, opts := range map[string][]Options{"declared": nil, "core": {Core.Strict()}, "shorter first": {LengthFirst.Strict()}} {
			b, err := Marshal(&v, opts...)
			if err != nil {
				t.Fatal(err)
			}
			var got map[string]Raw
			if err := Unmarshal(b, &got, opts...); err != nil {
				t.Fatalf("%s: %x: %v", name, b, err)
			}
			names, wanted := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))
			if !slices.Equal(names, wanted) {
				t.Fatalf("%s: %v, want %v", name, names, wanted)
			}
			var back leaves
			if err := Unmarshal(b, &back, opts...); err != nil {
				t.Fatal(err)
			}
			if again, err := Marshal(&back, opts...); err != nil || string(again) != string(b) {
				t.Fatalf("%s: %x, then %x: %v", name, b, again, err)
			}
		}
	}
}

// TestOmitFloats: a negative zero is empty, as for encoding/json, and the smallest numbers are not.
func TestOmitFloats(t *testing.T) {
	type floats struct {
		A float64 `json:"a,omitempty"`
		B float32 `json:"b,omitempty"`
	}
	minus := math.Copysign(0, -1)
	for _, v := range []floats{{}, {1.5, 0}, {0, 1e-45}, {minus, 0}, {0, float32(minus)}, {5e-324, -1}} {
		var want, got map[string]any
		text, err := json.Marshal(v)
		if err == nil {
			err = json.Unmarshal(text, &want)
		}
		b, failed := Marshal(v)
		if failed == nil {
			failed = Unmarshal(b, &got)
		}
		if err != nil || failed != nil || !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
			t.Errorf("%v: %v, want %v: %v, %v", v, got, want, err, failed)
		}
	}
}

// TestKeptBytes: byte strings share memory, each without room behind it, and keep what they were given.
func TestKeptBytes(t *testing.T) {
	var list [][]byte
	for n := range 60 {
		list = append(list, fmt.Appendf(nil, "%0*d", 1+n*20, n))
	}
	b, err := Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		var got [][]byte
		if err := Unmarshal(b, &got); err != nil || !reflect.DeepEqual(got, list) {
			t.Fatalf("%q: %v", got, err)
		}
		for i, s := range got {
			if cap(s) != len(s) {
				t.Errorf("%d bytes have room for %d", len(s), cap(s))
			}
			got[i] = append(s, "x"...)
		}
	}
}

// TestIntKeys: which names are integers with the option keyasint, under each key of tags.
func TestIntKeys(t *testing.T) {
	const refused = "the option keyasint needs a name that is an integer of 64 bits, in its shortest form"
	for _, tt := range []struct {
		name, want string
		v          any
	}{
		{"tag cbor", `{-9223372036854775808: 0}`, struct {
			A int `cbor:"-9223372036854775808,keyasint"`
		}{}},
		{"tag weft", `{1: 0}`, struct {
			A int `weft:"1,keyasint" json:"a"`
		}{}},
		{"tag json", `{1: 0}`, struct {
			A int `json:"1,keyasint"`
		}{}},
		{"tag json that does not govern", `{"1": 0}`, struct {
			A int `cbor:"1" json:"1,keyasint"`
		}{}},
		{"in quotes", `{1: 0}`, struct {
			A int `cbor:"'1',keyasint"`
		}{}},
		{"not shortest", refused, struct {
			A int `cbor:"1,keyasint"`
			B int `cbor:"01,keyasint"`
		}{}},
		{"with a sign", refused, struct {
			A int `cbor:"+1,keyasint"`
		}{}},
		{"text", refused, struct {
			A int `cbor:"alg,keyasint"`
		}{}},
		{"no name", refused, struct {
			A int `cbor:",keyasint"`
		}{}},
		{"beyond 64 bits", refused, struct {
			A int `cbor:"-9223372036854775809,keyasint"`
		}{}},
		{"in an embedded struct", refused, struct{ badKey }{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := Marshal(tt.v)
			back := reflect.New(reflect.TypeOf(tt.v)).Interface()
			if tt.want == refused {
				for _, err := range []error{err, Unmarshal([]byte{0xa0}, back)} {
					if err == nil || !strings.Contains(err.Error(), refused) {
						t.Errorf("%v, want %s", err, refused)
					}
				}
				return
			}
			if want := diag(t, tt.want); err != nil || !bytes.Equal(b, want) {
				t.Errorf("%s %v, want %s", text(b), err, tt.want)
			}
			if err := Unmarshal(b, back, weft.RejectUnknown(true)); err != nil {
				t.Error(err)
			}
		})
	}
}

type badKey struct {
	A int `cbor:"a,keyasint"`
}
