package msgpack

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
)

type illFormed struct {
	Name  string
	Ints  []int
	Wide  []int16
	Texts []string
	Reals []float64
	Flags []bool
	Anys  []any
	Array [4]int
	Map   map[string]int
	Keys  map[int][]int
	In    []illFormed
	Any   any
}

// TestIllFormed cuts documents off at every byte, and goes on behind their end: whatever they are read into is left as
// it was, zero or not, and the error is about the place where the document ends.
func TestIllFormed(t *testing.T) {
	whole := illFormed{"n", []int{1, 2, 300}, []int16{7}, []string{"a", "b"}, []float64{1.5}, []bool{true}, []any{1, "x"}, [4]int{1, 2, 3, 4},
		map[string]int{"k": 1}, map[int][]int{5: {6}}, []illFormed{{Name: "inner", Ints: []int{9, 9}}}, map[string]any{"z": []any{1}}}
	for _, row := range []struct {
		name   string
		v      any
		reused any
	}{
		{"struct", whole, illFormed{
			Name:  "old",
			Ints:  []int{4, 5, 6, 7},
			Map:   map[string]int{"o": 1},
			Array: [4]int{8},
			In:    []illFormed{{Name: "o"}},
		}},
		{"ints", []int{1, 2, 300}, []int{4, 5, 6, 7}}, {"int16s", []int16{1, 2, 300}, []int16{4, 5, 6}},
		{"strings", []string{"a", "bc"}, []string{"o", "p", "q"}}, {"floats", []float64{1, 2}, []float64{3, 4}},
		{"singles", []float32{1, 2, 3, 4, 5}, []float32{3, 4}},
		{"bools", []bool{true, true}, []bool{false, false}}, {"structs", []illFormed{whole, {Name: "b"}}, []illFormed{{Name: "o"}, {Name: "p"}}},
		{"array", [3]int{1, 2, 3}, [3]int{4, 5, 6}}, {"nested", [][]int{{1}, {2, 3}}, [][]int{{4}, {5}}},
		{"map", map[string]int{"a": 1, "b": 2}, map[string]int{"o": 1}}, {"any", any(map[string]any{"a": []any{1, 2}}), any(int64(3))},
	} {
		t.Run(row.name, func(t *testing.T) {
			b, err := Marshal(row.v, weft.Deterministic(true))
			if err != nil {
				t.Fatal(err)
			}
			rt := reflect.TypeOf(row.v)
			if row.name == "any" {
				rt = reflect.TypeFor[any]()
			}
			for end := range len(b) + 2 {
				text := append(append([]byte{}, b...), 0)[:min(end, len(b)+1)]
				if end == len(b) {
					continue
				}
				for _, old := range []any{nil, row.reused} {
					got, want := reflect.New(rt), reflect.New(rt)
					if old != nil {
						got.Elem().Set(copyOf(t, old, rt))
						want.Elem().Set(copyOf(t, old, rt))
					}
					err := Unmarshal(text, got.Interface())
					if !reflect.DeepEqual(got.Interface(), want.Interface()) {
						t.Fatalf("%d of %d bytes: %+v, want %+v", end, len(b), got.Elem(), want.Elem())
					}
					var e *weft.Error
					switch {
					case end > len(b):
						if !errors.Is(err, weft.ErrTrailingData) || !errors.As(err, &e) || e.Offset != int64(len(b)) || e.Path != "" {
							t.Fatalf("%v", err)
						}
					case !errors.Is(err, weft.ErrUnexpectedEnd) || !errors.As(err, &e) || e.Offset != int64(endOf(text)) ||
						e.Path != locate(text, endOf(text)):
						t.Fatalf("%d of %d bytes: %v", end, len(b), err)
					}
				}
			}
		})
	}
	for _, row := range []struct {
		doc    string
		target any
		want   string
	}{
		{"\x93\x01\x02", new([]int), "at /2, offset 3: unexpected end"},
		{"\xdd\x7f\xff\xff\xff\x01", new([]int), "at /1, offset 6: unexpected end"},
		{"\x92\xa1a\xa5bc", new([]string), "at /1, offset 3: unexpected end"},
		{"\x81\xa1a\x93\x01", new(map[string][]int), "at /a/1, offset 5: unexpected end"},
		{"\x82\xa1a\x01\xa1", new(map[string]int), "at offset 4: unexpected end"},
		{"\x92\x01\xc1", new([]int), "at /1, offset 2: byte c1 is not the start of a value"},
		{"\x92\x93\x01\x02\x03\x93\x04", new([][]int), "at /1/1, offset 7: unexpected end"},
		{"\x81\xd1\x01\x2c\x01", new(map[int8]int), "at /300, offset 1: int 300 does not fit int8"},
		{"\x81\xa3300\x01", new(map[int8]int), "at /300, offset 1: int 300 does not fit int8"},
		{"\x81\xa3300\x01", new(map[uint8]int), "at /300, offset 1: uint 300 does not fit uint8"},
		{"\x81\xa2-1\x01", new(map[uint8]int), "at /-1, offset 1: int -1 does not fit uint8"},
		{"\x81\xa1x\x01", new(map[int]int), `at /x, offset 1: string "x" does not fit int`},
		{"\x81\xa1x\x01", new(map[int8]int), `at /x, offset 1: string "x" does not fit int8`},
	} {
		t.Run(row.want, func(t *testing.T) {
			if err := Unmarshal([]byte(row.doc), row.target); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%q into %T: %v, want %s", row.doc, row.target, err, row.want)
			}
		})
	}
}

// copyOf returns a deep copy of v as a value of type rt.
func copyOf(t *testing.T, v any, rt reflect.Type) reflect.Value {
	t.Helper()
	b, err := Marshal(v)
	p := reflect.New(rt)
	if err == nil {
		err = Unmarshal(b, p.Interface())
	}
	if err != nil {
		t.Fatal(err)
	}
	return p.Elem()
}
