package jsontext_test

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/weftcodec/weft/json/jsontext"
)

// Reading stops at the first member of interest, wherever it is.
func ExampleDecoder_ReadToken() {
	d := jsontext.NewDecoder(strings.NewReader(`{"pets":[{"name":"rex","age":3},{"name":"tom","age":5}]}`))
	for {
		tok, err := d.ReadToken()
		if err != nil {
			break
		}
		if tok.Kind() == jsontext.KindNumber {
			age, _ := tok.Int()
			fmt.Println(d.StackPointer(), age)
		}
	}
	// Output:
	// /pets/0/age 3
	// /pets/1/age 5
}

// Lines of NDJSON are values one after another; a line that is damaged is skipped.
func ExampleDecoder_Resync() {
	d := jsontext.NewDecoder(strings.NewReader("{\"id\":1}\n{\"id\":2;}\n{\"id\":3}\n"))
	for {
		v, err := d.ReadValue()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			d.Resync('\n')
			continue
		}
		fmt.Println(v)
	}
	// Output:
	// {"id":1}
	// jsontext: invalid character ';' after object value (expecting ',' or '}') after offset 16
	// {"id":3}
}

func ExampleEncoder_WriteToken() {
	e := jsontext.NewEncoder(os.Stdout, jsontext.WithIndent("  "))
	for _, tok := range []jsontext.Token{
		jsontext.BeginObject,
		jsontext.String("name"), jsontext.String("rex"),
		jsontext.String("tags"), jsontext.BeginArray, jsontext.Int(1), jsontext.True, jsontext.EndArray,
		jsontext.EndObject,
	} {
		if err := e.WriteToken(tok); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// {
	//   "name": "rex",
	//   "tags": [
	//     1,
	//     true
	//   ]
	// }
}

func ExampleValue_Canonicalize() {
	v := jsontext.Value(`{"b": 1E2, "a": "\u0041"}`)
	if err := v.Canonicalize(); err != nil {
		fmt.Println(err)
	}
	fmt.Println(v)
	// Output: {"a":"A","b":100}
}

func ExampleValue_IsValid() {
	v := jsontext.Value(`{"a":1,"a":2}`)
	fmt.Println(v.IsValid(), v.IsValid(jsontext.AllowDuplicateNames(true)))
	// Output: false true
}

func ExamplePointer() {
	p := jsontext.Pointer("/pets").AppendToken("a/b")
	fmt.Println(p, p.Parent(), p.LastToken())
	// Output: /pets/a~1b /pets a/b
}

func ExampleTextSequence() {
	var b strings.Builder
	e := jsontext.NewEncoder(&b, jsontext.TextSequence(true))
	e.WriteValue(jsontext.Value(`{"id":1}`))
	e.WriteValue(jsontext.Value(`{"id":2}`))
	fmt.Printf("%q\n", b.String())
	// Output: "\x1e{\"id\":1}\n\x1e{\"id\":2}\n"
}

func ExampleAppendQuote() {
	b, err := jsontext.AppendQuote(nil, "line\nbreak")
	fmt.Println(string(b), err)
	// Output: "line\nbreak" <nil>
}
