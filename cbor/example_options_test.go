package cbor_test

import (
	"fmt"
	"math"

	"github.com/weftcodec/weft/cbor"
)

// The options that refuse what is well-formed, but not what an application expects.
func ExampleOptions() {
	for _, row := range []struct {
		b   []byte
		opt cbor.Options
	}{
		{[]byte{0x18, 0x01}, cbor.Preferred(true)},
		{[]byte{0xa2, 0x61, 'b', 0x01, 0x61, 'a', 0x02}, cbor.Sorted(true)},
		{[]byte{0x9f, 0xff}, cbor.Definite(true)},
		{[]byte{0xc1, 0x00}, cbor.Untagged(true)},
		{[]byte{0xf7}, cbor.FewSimple(true)},
		{[]byte{0xf9, 0x7c, 0x00}, cbor.Finite(true)},
	} {
		var v any
		fmt.Println(cbor.Unmarshal(row.b, &v, row.opt))
	}
	// Output:
	// cbor: at offset 0: value is not in its shortest form
	// cbor: at /a, offset 4: key is not in order
	// cbor: at offset 0: value has an indefinite length
	// cbor: at offset 0: value has a tag
	// cbor: at offset 0: simple value is not false, true or null
	// cbor: at offset 0: number is not finite
}

func ExampleKeepFloats() {
	short, err := cbor.Marshal(1.5)
	fmt.Printf("%x %v\n", short, err)
	long, err := cbor.Marshal(1.5, cbor.KeepFloats(true))
	fmt.Printf("%x %v\n", long, err)
	// Output:
	// f93e00 <nil>
	// fb3ff8000000000000 <nil>
}

func ExampleFinite() {
	_, err := cbor.Marshal([]float64{math.NaN()}, cbor.Finite(true))
	fmt.Println(err)
	// Output: cbor: at /0: number is not finite
}

func ExampleAnyMaps() {
	var v any
	err := cbor.Unmarshal([]byte{0xa1, 0x61, 'a', 0x01}, &v, cbor.AnyMaps(true))
	fmt.Printf("%T %v %v\n", v, v, err)
	// Output: map[interface {}]interface {} map[a:1] <nil>
}

func ExampleExactArrays() {
	var p struct {
		_    struct{} `cbor:",array"`
		X, Y int
	}
	fmt.Println(cbor.Unmarshal([]byte{0x81, 0x01}, &p), p.X)
	fmt.Println(cbor.Unmarshal([]byte{0x81, 0x01}, &p, cbor.ExactArrays(true)))
	// Output:
	// <nil> 1
	// cbor: at offset 0: length is 1, must be 2
}

func ExampleTagOf() {
	type celsius float64
	tags := cbor.Tags(cbor.TagOf[celsius](103))
	b, err := cbor.Marshal(celsius(21.5), tags)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(b)
	// Output: 103(21.5) <nil>
}
