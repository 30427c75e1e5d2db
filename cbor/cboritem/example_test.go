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
