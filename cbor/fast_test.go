package cbor_test

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// TestShortText: text that is not ASCII is found at every place of strings that are looked at in words.
func TestShortText(t *testing.T) {
	type holder struct{ A, B string }
	for n := range 40 {
		for at := -1; at < n; at++ {
			b := []byte(strings.Repeat("x", n))
			for _, c := range []byte{'x', 0x7f, 0x80, 0xff} {
				if at >= 0 {
					b[at] = c
				}
				s := string(b)
				valid := at < 0 || c < 0x80
				for _, v := range []any{s, holder{s, s}, []string{s}, map[string]string{s: s}, map[string]any{s: s}} {
					_, err := cbor.Marshal(v)
					if (err == nil) != valid {
						t.Fatalf("%q in %T: %v", s, v, err)
					}
				}
				for _, head := range []string{"", "\x81", "\xa1\x61A"} {
					enc := head + string(cborwire.AppendText(nil, s))
					var v any
					var h holder
					errs := []error{cbor.Unmarshal([]byte(enc), &v)}
					if head == "\xa1\x61A" {
						errs = append(errs, cbor.Unmarshal([]byte(enc), &h))
						if valid && h.A != s {
							t.Fatalf("%q became %q", s, h.A)
						}
					}
					for _, err := range errs {
						if (err == nil) != valid {
							t.Fatalf("%q: %v", enc, err)
						}
					}
				}
			}
		}
	}
}

// TestWideText: text of characters of two to four bytes is written and read by the loops as any other.
func TestWideText(t *testing.T) {
	type holder struct {
		A string
		N int
		B string
		M map[string]int
	}
	for n := range 70 {
		for _, c := range []string{"é", "世", "😀"} {
			for at := 0; at <= n; at += 3 {
				s := strings.Repeat("x", at) + c + strings.Repeat("y", n-at)
				want := []holder{{s, 1, "b", map[string]int{s: 1}}, {"a", 300, s, nil}}
				b, err := cbor.Marshal(want)
				var got []holder
				if err == nil {
					err = cbor.Unmarshal(b, &got)
				}
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("%q: %x: %v, %+v", s, b, err, got)
				}
				// The same with another last byte of the character.
				bad := bytes.ReplaceAll(b, []byte(c), []byte(c[:len(c)-1]+"z"))
				if err := cbor.Unmarshal(bad, &got); err == nil {
					t.Fatalf("%x is read", bad)
				}
				want[1].B = s[:at+len(c)-1] + "z"
				if b, err := cbor.MarshalAppend(nil, &want[1]); err == nil {
					t.Fatalf("%q is written as %x", want[1].B, b)
				}
			}
		}
	}
}

// TestLongFloats: floats that are not in their shortest form, as libraries write them that do not look for it, are read
// in structs by all but the rules that refuse them.
func TestLongFloats(t *testing.T) {
	type place struct{ X, Y float64 }
	want := []place{{51.5, 0}, {math.Inf(1), -3}, {1e300, 0.1}}
	b, err := cbor.Marshal(want, cbor.KeepFloats(true))
	if err != nil {
		t.Fatal(err)
	}
	var got []place
	if err := cbor.Unmarshal(b, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, o := range []cbor.Options{cbor.Preferred(true), cbor.Core.Strict(), cbor.Finite(true)} {
		if err := cbor.Unmarshal(b, &got, o); err == nil {
			t.Errorf("%x is read", b)
		}
	}
}

// TestNumbers: what is read and written in runs is what is read and written one by one.
func TestNumbers(t *testing.T) {
	var ints []int64
	for _, edge := range []int64{0, 23, 24, 255, 256, math.MaxInt16, math.MaxUint16, math.MaxInt32, math.MaxUint32, math.MaxInt64} {
		for d := int64(-2); d <= 2; d++ {
			ints = append(ints, edge+d, -(edge + d))
		}
	}
	floats := []float64{0, math.Copysign(0, -1), 1, 1.5, 0.1, 100000, 3.4028234663852886e38, 1e300, 5e-324, 1 << 60, 1<<60 + 1<<20,
		float64(float32(0.1)), math.Inf(1), math.Inf(-1), 6.103515625e-05, 5.960464477539063e-08, math.Pi}
	for exp := -26; exp < 18; exp++ { // around what half precision has
		for _, part := range []int{1, 9, 10, 11, 23, 24} {
			v := math.Ldexp(1+math.Ldexp(1, -part), exp)
			floats = append(floats, math.Ldexp(1, exp), v, -v, 2*v-math.Ldexp(2, exp-part+1))
		}
	}
	var singles []float32
	for _, v := range floats {
		singles = append(singles, float32(v), float32(v)*1.0000001)
	}
	for range 5 { // beyond a block
		ints, floats = append(ints, ints...), append(floats, floats...)
	}
	for v := range int64(24) { // eight of a byte each, now and then
		for k := range v {
			ints = append(ints, 23-k)
		}
		ints = append(ints, 24, v, -v, 128+v)
	}
	for i, opts := range [][]cbor.Options{nil, {cbor.Core.Strict()}, {cbor.DCBOR.Strict()}, {cbor.CTAP2.Strict()}} {
		checkList(t, ints, opts)
		checkList(t, floats, opts)
		checkList(t, floats[1:], opts)
		if i < 3 { // CTAP2 writes them in their own precision, which any does not have
			checkList(t, singles, opts)
			checkList(t, singles[3:], opts)
		}
		checkList(t, narrowed[int](ints), opts)
		checkList(t, narrowed[int32](ints), opts)
		checkList(t, narrowed[int16](ints), opts)
		checkList(t, narrowed[uint](ints), opts)
		checkList(t, narrowed[uint32](ints), opts)
		checkList(t, narrowed[uint16](ints), opts)
		checkList(t, narrowed[uint64](ints), opts)
	}
}

// TestDoubles: numbers of double precision are written together as they are alone, up to any other.
func TestDoubles(t *testing.T) {
	others := []float64{0, 1, 0.5, float64(float32(0.1)), math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, math.MaxFloat64,
		math.Float64frombits(1 << 29), math.Float64frombits(0x7ff<<52 | 1), math.Float64frombits(1<<52 | 1<<28)}
	for _, level := range wire.Levels() {
		defer wire.SetLevel(level)()
		for n := range 70 {
			for at := range n {
				list := make([]float64, n)
				want := cborwire.AppendHead(nil, cborwire.Array, uint64(n))
				for i := range list {
					list[i] = math.Sqrt(float64(i)+2.1) * float64(1-i%2*2)
					if i == at {
						list[i] = others[(n+at)%len(others)]
					}
					want = cborwire.AppendFloat(want, list[i])
				}
				if got, err := cbor.MarshalAppend(make([]byte, 0, len(want)), list); err != nil || string(got) != string(want) {
					t.Fatalf("%s: %v: %x, want %x: %v", level, list, got, want, err)
				}
			}
		}
	}
}

func narrowed[T int | int16 | int32 | uint | uint16 | uint32 | uint64](list []int64) (out []T) {
	for _, v := range list {
		out = append(out, T(v))
	}
	return out
}

// checkList compares a list with its elements one by one, in a slice, a slice of a named type, a struct and any.
func checkList[T comparable](t *testing.T, list []T, opts []cbor.Options) {
	t.Helper()
	type one struct{ V T }
	whole, err := cbor.Marshal(list, opts...)
	if err != nil {
		t.Fatal(err)
	}
	var parts []byte
	for _, v := range list {
		b, err := cbor.Marshal(v, opts...)
		if err != nil {
			t.Fatal(err)
		}
		m, err := cbor.Marshal(one{v}, opts...)
		if err != nil || string(m) != "\xa1\x61V"+string(b) {
			t.Fatalf("%v in a struct: %x, alone %x: %v", v, m, b, err)
		}
		var got one
		if err := cbor.Unmarshal(m, &got, opts...); err != nil || got.V != v {
			t.Fatalf("%v from a struct: %v %v", v, got.V, err)
		}
		parts = append(parts, b...)
	}
	if !strings.HasSuffix(string(whole), string(parts)) || len(whole)-len(parts) > 3 {
		t.Fatalf("%T: %x, one by one %x", list, whole, parts)
	}
	var back []T
	if err := cbor.Unmarshal(whole, &back, opts...); err != nil || !reflect.DeepEqual(back, list) {
		t.Fatalf("%T: %v %v", list, back, err)
	}
	open := append(append([]byte{0x9f}, parts...), 0xff)
	if err := cbor.Unmarshal(open, &back); err != nil || !reflect.DeepEqual(back, list) {
		t.Fatalf("%T of indefinite length: %v %v", list, back, err)
	}
	var tree any
	if err := cbor.Unmarshal(whole, &tree, opts...); err != nil || len(tree.([]any)) != len(list) {
		t.Fatalf("%T into any: %v", list, err)
	}
	again, err := cbor.Marshal(tree, opts...)
	if err != nil || string(again) != string(whole) {
		t.Fatalf("%T by way of any: %x, want %x: %v", list, again, whole, err)
	}
}

// TestFloatForms: numbers in every precision are read in lists, maps and structs as they are alone, by all rules.
func TestFloatForms(t *testing.T) {
	type one struct{ V float64 }
	forms := []string{"\x01", "\x20", "\x18\x64", "\xf6", "\xc1\x01", "\xf5", "\xf9\x00", "\xfb\x00\x00"}
	for h := 0; h < 1<<16; h += 37 {
		v := cborwire.FromHalf(uint16(h))
		forms = append(forms, string(cborwire.AppendHalf(nil, uint16(h))), string(cborwire.AppendFloat32(nil, float32(v))),
			string(cborwire.AppendFloat64(nil, v)), string(cborwire.AppendFloat32(nil, float32(v)*1.0000001)),
			string(cborwire.AppendFloat64(nil, float64(float32(v)*1.0000001))), string(cborwire.AppendFloat64(nil, v*1.000000000001)))
	}
	for _, opts := range [][]cbor.Options{nil, {cbor.Core.Strict()}, {cbor.DCBOR.Strict()}, {cbor.CTAP2.Strict()}} {
		for _, form := range forms {
			var alone any
			var number float64
			err := cbor.Unmarshal([]byte(form), &alone, opts...)
			if e := cbor.Unmarshal([]byte(form), &number, opts...); err == nil {
				err = e
			}
			if v, ok := alone.(float64); err == nil && ok && math.Float64bits(v) != math.Float64bits(number) {
				t.Fatalf("%x is %v and %v", form, v, number)
			}
			var single float32
			var singles []float32
			errSingle := cbor.Unmarshal([]byte(form), &single, opts...)
			e := cbor.Unmarshal([]byte("\x83"+form+form+form), &singles, opts...)
			if (e == nil) != (errSingle == nil) || e == nil && math.Float32bits(singles[1]) != math.Float32bits(single) {
				t.Fatalf("%x in %T: %v, alone %v %v", form, singles, e, single, errSingle)
			}
			var list []float64
			var m map[string]float64
			var s one
			for _, c := range []struct {
				v    any
				text string
				got  func() float64
			}{
				{&list, "\x83" + form + form + form, func() float64 { return list[1] }},
				{&m, "\xa1\x61V" + form, func() float64 { return m["V"] }},
				{&s, "\xa1\x61V" + form, func() float64 { return s.V }},
			} {
				e := cbor.Unmarshal([]byte(c.text), c.v, opts...)
				if (e == nil) != (err == nil) || e == nil && math.Float64bits(c.got()) != math.Float64bits(number) {
					t.Fatalf("%x in %T: %v, alone %v %v", form, c.v, e, number, err)
				}
			}
		}
	}
}

// TestCounts: maps that are written in runs are what their pairs are, and errors say where they are.
func TestCounts(t *testing.T) {
	for _, key := range []string{"", "k", strings.Repeat("k", 23), strings.Repeat("k", 24), strings.Repeat("k", 300), "köy", "\xff"} {
		for _, v := range []int64{0, 23, 24, -1, -25, 1 << 40, math.MinInt64} {
			got, err := cbor.Marshal(map[string]int64{key: v})
			want := cborwire.AppendInt(cborwire.AppendText([]byte{0xa1}, key), v)
			if key == "\xff" {
				if err == nil {
					t.Errorf("%q: %x", key, got)
				}
			} else if err != nil || string(got) != string(want) {
				t.Errorf("%q: %x, want %x: %v", key, got, want, err)
			}
		}
	}
	for _, v := range []any{[]string{"a", "\xff"}, map[string][]string{"1": {"a", "\xff"}}} {
		if _, err := cbor.Marshal(v); err == nil || !strings.Contains(err.Error(), "/1") {
			t.Errorf("%v: %v", v, err)
		}
	}
}

// TestShortKeys: short keys, which are compared in words, must differ and be in order, whatever stands behind them.
func TestShortKeys(t *testing.T) {
	var keys []string
	for _, n := range []int{0, 1, 2, 5, 6, 7, 8, 9, 15, 16, 22, 23} {
		same := strings.Repeat("b", n)
		keys = append(keys, same)
		for at := range n {
			keys = append(keys, same[:at]+"a"+same[at+1:], same[:at]+"\x00"+same[at+1:])
		}
	}
	pad := cborwire.AppendText(nil, strings.Repeat("z", 23))
	for _, x := range keys {
		for _, y := range keys {
			for _, value := range []string{"\x01\x02", "\x02\x01", "\x00\x17"} {
				b := append([]byte("\x82\xa2"), cborwire.AppendText(nil, x)...)
				b = append(cborwire.AppendText(append(b, value[0]), y), value[1])
				order := cborwire.CompareKeys(cborwire.AppendText(nil, x), cborwire.AppendText(nil, y), false)
				for _, b := range [][]byte{append(b, pad...), append(b, 0)} {
					var tree any
					var maps [2]map[string]any
					var ints [1]map[string]int
					for _, v := range []any{&tree, &maps, &ints} {
						err := cbor.Unmarshal(b, v, cbor.Core.Strict())
						refused := err != nil && (strings.Contains(err.Error(), "order") || errors.Is(err, weft.ErrDuplicateName))
						if refused != (order >= 0) {
							t.Fatalf("%x into %T: %v", b, v, err)
						}
					}
				}
			}
		}
	}
}
