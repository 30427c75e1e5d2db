package cbor_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/cbor/cboritem"
)

// header is the protected header of COSE: its keys are integers.
type header struct {
	Alg int    `cbor:"1,keyasint"`
	Kid []byte `cbor:"4,keyasint,omitempty"`
}

func show(b []byte) {
	text, _, err := cboritem.AppendDiagnostic(nil, b)
	fmt.Println(string(text), err)
}

func ExampleMarshal() {
	b, err := cbor.Marshal(header{Alg: -7, Kid: []byte{1, 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%x\n", b)
	show(b)
	// Output:
	// a2012604420102
	// {1: -7, 4: h'0102'} <nil>
}

func ExampleMarshalAppend() {
	b, err := cbor.MarshalAppend([]byte("cbor: "), []string{"a"})
	fmt.Printf("%q %v\n", b, err)
	// Output: "cbor: \x81aa" <nil>
}

func ExampleMarshalWrite() {
	var out bytes.Buffer
	err := cbor.MarshalWrite(&out, map[string]bool{"ok": true})
	fmt.Printf("%x %v\n", out.Bytes(), err)
	// Output: a1626f6bf5 <nil>
}

func ExampleUnmarshal() {
	var h header
	err := cbor.Unmarshal([]byte{0xa1, 0x01, 0x61, 'x'}, &h)
	fmt.Println(err)
	// Output: cbor: at /1, offset 2: cannot read string as int
}

func ExampleUnmarshalRead() {
	var at time.Time
	err := cbor.UnmarshalRead(bytes.NewReader([]byte{0xc1, 0x1a, 0x51, 0x4b, 0x67, 0xb0}), &at)
	fmt.Println(at, err)
	// Output: 2013-03-21 20:04:00 +0000 UTC <nil>
}

func ExampleValid() {
	b := []byte{0xa2, 0x61, 'b', 0x01, 0x61, 'a', 0x02}
	fmt.Println(cbor.Valid(b), cbor.Valid(b, cbor.Core.Strict()))
	// Output: true false
}

func ExampleMode_Strict() {
	b, err := cbor.Marshal(map[string]int{"long": 1, "b": 2, "a": 3}, cbor.Core.Strict())
	if err != nil {
		fmt.Println(err)
		return
	}
	show(b)
	var v map[string]int
	fmt.Println(cbor.Unmarshal([]byte{0xa2, 0x61, 'b', 0x01, 0x61, 'a', 0x02}, &v, cbor.Core.Strict()))
	// Output:
	// {"a": 3, "b": 2, "long": 1} <nil>
	// cbor: at /a, offset 4: key is not in order
}

func ExampleMode_Lax() {
	var v map[string]int
	err := cbor.Unmarshal([]byte{0xa2, 0x61, 'b', 0x01, 0x61, 'a', 0x02}, &v, cbor.Core.Lax())
	fmt.Println(v, err)
	// Output: map[a:2 b:1] <nil>
}

func ExampleTags() {
	type point struct{ X, Y int }
	tags := cbor.Tags(cbor.TagOf[point](40000))
	b, err := cbor.Marshal([]any{point{1, 2}}, tags)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(b)
	var v any
	err = cbor.Unmarshal(b, &v, tags)
	fmt.Printf("%+v %v\n", v, err)
	// Output:
	// [40000({"X": 1, "Y": 2})] <nil>
	// [{X:1 Y:2}] <nil>
}

func ExampleTypedArray() {
	tags := cbor.Tags(cbor.TypedArray[float32](), cbor.Set[string]())
	b, err := cbor.Marshal([]any{[]float32{1.5, -2}, map[string]struct{}{"a": {}}}, tags)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(b)
	var samples []float64
	err = cbor.Unmarshal([]byte{0xd8, 0x55, 0x44, 0, 0, 0xc0, 0x3f}, &samples)
	fmt.Println(samples, err)
	// Output:
	// [85(h'0000c03f000000c0'), 258(["a"])] <nil>
	// [1.5] <nil>
}

func ExampleSet() {
	var seen map[string]struct{}
	err := cbor.Unmarshal([]byte{0xd9, 0x01, 0x02, 0x82, 0x61, 'a', 0x61, 'b'}, &seen)
	fmt.Println(len(seen), err)
	// Output: 2 <nil>
}

func ExampleDecoder() {
	d := cbor.NewDecoder(bytes.NewReader([]byte{0x01, 0x61, 'a', 0xf5}))
	for d.More() {
		var v any
		if err := d.Decode(&v); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v)
	}
	// Output:
	// 1
	// a
	// true
}

func ExampleEncoder() {
	var out bytes.Buffer
	e := cbor.NewEncoder(&out)
	fmt.Println(e.Encode(1), e.Encode("a"))
	fmt.Printf("%x\n", out.Bytes())
	// Output:
	// <nil> <nil>
	// 016161
}

// Text that is not in NFC is an error: golang.org/x/text/unicode/norm has the function norm.NFC.IsNormalString.
func ExampleNormalized() {
	isNormal := func(text string) bool { return !strings.Contains(text, "e\u0301") } // stands for that function
	opts := []weft.Options{cbor.DCBOR.Strict(), cbor.Normalized(isNormal)}
	_, err := cbor.Marshal([]string{"caf\u00e9"}, opts...)
	fmt.Println(err)
	_, err = cbor.Marshal([]string{"cafe\u0301"}, opts...)
	fmt.Println(err)
	// Output:
	// <nil>
	// cbor: at /0: text is not normalized
}

// A list of unknown length is written and read one element at a time.
func Example_list() {
	var out bytes.Buffer
	if err := weft.WriteArray(&out, cbor.Format, -1, slices.Values([]string{"a", "b"})); err != nil {
		fmt.Println(err)
		return
	}
	show(out.Bytes())
	for v, err := range weft.ReadArray[string](&out, cbor.Format) {
		fmt.Println(v, err)
	}
	// Output:
	// [_ "a", "b"] <nil>
	// a <nil>
	// b <nil>
}
