package weft_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/tagged"
)

// shipment has fields of the kinds that are read in different ways.
type shipment struct {
	Name  string          `json:"name"`
	Ints  []int           `json:"ints"`
	Wide  []int16         `json:"wide"`
	Texts []string        `json:"texts"`
	Reals []float64       `json:"reals"`
	Array [4]int          `json:"array"`
	Map   map[string]int  `json:"map"`
	Opt   opt.Val[string] `json:"opt"`
	Ptr   *int            `json:"ptr"`
	In    []shipment      `json:"in"`
}

func newShipment(n int) shipment {
	s := shipment{
		Name:  fmt.Sprint("name ", n),
		Ints:  []int{n, n + 1, n + 300},
		Wide:  []int16{int16(n)},
		Texts: []string{"a", fmt.Sprint(n)},
		Reals: []float64{float64(n) + 0.5},
		Array: [4]int{n, 2, 3, 4},
		Map:   map[string]int{"k": n},
		Opt:   opt.Val[string]{V: "given", Valid: n%2 == 0},
		Ptr:   &n,
	}
	if n < 3 {
		s.In = []shipment{newShipment(n + 2)}
	}
	return s
}

// TestIllFormed cuts documents off at every byte, and goes on behind their end: the variable they are read into is left
// as it was, zero or not.
func TestIllFormed(t *testing.T) {
	for _, row := range []struct {
		name string
		of   func(n int) any
	}{
		{"struct", func(n int) any { return newShipment(n) }},
		{"structs", func(n int) any { return []shipment{newShipment(n), newShipment(n + 1), newShipment(n + 2)} }},
		{"ints", func(n int) any { return []int{n, n + 1, n + 300} }},
		{"strings", func(n int) any { return []string{"a", fmt.Sprint(n), "c"} }},
		{"array", func(n int) any { return [3]int{n, 2, 3} }},
		{"nested", func(n int) any { return [][]int{{n}, {2, 3}} }},
		{"map", func(n int) any { return map[string][]int{"a": {n}, "b": {2, 3}} }},
		{"any", func(n int) any { return []any{"a", "b", fmt.Sprint(n)} }},
	} {
		for _, f := range []weft.Format{json.Format, msgpack.Format, cbor.Format, tagged.Format, tagged.Framed} {
			t.Run(row.name+"/"+f.Name(), func(t *testing.T) {
				doc, err := f.MarshalAppend(nil, row.of(1))
				if err != nil {
					t.Fatal(err)
				}
				rt := reflect.TypeOf(row.of(1))
				refused := 0
				for end := range len(doc) + 2 {
					text := append(doc[:len(doc):len(doc)], 0)[:end]
					for _, old := range []any{reflect.Zero(rt).Interface(), row.of(2)} {
						got := reflect.New(rt)
						if old != nil && !reflect.ValueOf(old).IsZero() {
							got.Elem().Set(reflect.ValueOf(row.of(2)))
						}
						if f.Unmarshal(text, got.Interface()) == nil {
							if end != len(doc) && len(text) > 0 { // no members at all are a message of hashed tags
								t.Fatalf("%d of %d bytes are read", end, len(doc))
							}
							continue
						}
						refused++
						if !reflect.DeepEqual(got.Elem().Interface(), old) {
							t.Fatalf("%d of %d bytes: %+v, want %+v", end, len(doc), got.Elem(), old)
						}
					}
				}
				if refused < 2*len(doc) {
					t.Errorf("%d refused of %d bytes", refused, len(doc))
				}
			})
		}
	}
}
