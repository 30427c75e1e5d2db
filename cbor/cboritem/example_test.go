package cboritem_test

import (
	"bytes"
	"fmt"
	"io"

	"github.com/weftcodec/weft/cbor/cboritem"
)

// A list of unknown length is written element by element.
func ExampleEncoder() {
	var out bytes.Buffer
	e := cboritem.NewEncoder(&out)
	e.WriteToken(cboritem.OpenArray)
	for i := range 3 {
		e.WriteToken(cboritem.Int(int64(i)))
	}
	e.WriteToken(cboritem.Break)
	fmt.Printf("%x\n", out.Bytes())
	// Output: 9f000102ff
}

func ExampleDecoder() {
	d := cboritem.NewDecoder(bytes.NewReader([]byte{0x82, 0x01, 0x63, 'a', 'b', 'c'}))
	for {
		t, err := d.ReadToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v %d %q\n", t.Kind, t.Arg, t.Data)
	}
	// Output:
	// array 2 ""
	// uint 1 ""
	// text 3 "abc"
}

func ExampleAppendDiagnostic() {
	text, _, err := cboritem.AppendDiagnostic(nil, []byte{0xbf, 0x61, 'a', 0xfb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0, 0xff})
	fmt.Println(string(text), err)
	// Output: {_ "a": 1.5_3} <nil>
}

func ExampleParseDiagnostic() {
	b, err := cboritem.ParseDiagnostic(`24(<<{1: -7}>>) / an algorithm of COSE /`)
	fmt.Printf("%x %v\n", b, err)
	// Output: d81843a10126 <nil>
}

func ExampleAppendToken() {
	var b []byte
	var err error
	for _, t := range []cboritem.Token{
		cboritem.Map(3),
		cboritem.Text("list"), cboritem.Array(3), cboritem.Int(-1), cboritem.Uint(300), cboritem.Null,
		cboritem.Text("ok"), cboritem.Bool(true),
		cboritem.Bytes([]byte{1}), cboritem.Tag(1), cboritem.Float(0.5),
	} {
		if b, err = cboritem.AppendToken(b, t); err != nil {
			fmt.Println(err)
			return
		}
	}
	text, _, err := cboritem.AppendDiagnostic(nil, b)
	fmt.Println(string(text), err)
	// Output: {"list": [-1, 300, null], "ok": true, h'01': 1(0.5)} <nil>
}

func ExampleSimple() {
	b, err := cboritem.AppendToken(nil, cboritem.Simple(99))
	fmt.Printf("%x %v\n", b, err)
	// Output: f863 <nil>
}

func ExampleSkip() {
	rest, err := cboritem.Skip([]byte{0x82, 0x01, 0x02, 0x61, 'x'})
	fmt.Printf("%x %v\n", rest, err)
	_, err = cboritem.Skip([]byte{0x82, 0x01})
	fmt.Println(err)
	// Output:
	// 6178 <nil>
	// cbor: at offset 2: unexpected end of input
}
