package jsontext_test

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/weftcodec/weft/json"
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

func ExampleAppendUnquote() {
	b, err := jsontext.AppendUnquote(nil, `"caf\u00e9"`)
	fmt.Println(string(b), err)
	// Output: café <nil>
}

func ExampleAppendFloat() {
	b := jsontext.AppendFloat(nil, 1e21, 64)
	b = jsontext.AppendFloat(append(b, ' '), 0.1, 32)
	fmt.Println(string(b))
	// Output: 1e+21 0.1
}

func ExampleAppendFormat() {
	b, err := jsontext.AppendFormat(nil, `{"b":[1,2],"a":"<"}`,
		jsontext.ReorderRawObjects(true), jsontext.EscapeForHTML(true), jsontext.EscapeForJS(true),
		jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true))
	fmt.Println(string(b), err)
	b, err = jsontext.AppendFormat(nil, `{"a":[]}`, jsontext.Multiline(true), jsontext.WithIndentPrefix("  "))
	fmt.Println(string(b), err)
	b, err = jsontext.AppendFormat(nil, `[1.0, 10000000000000001, "\u0041"]`,
		jsontext.CanonicalizeRawFloats(true), jsontext.CanonicalizeRawInts(true), jsontext.PreserveRawStrings(true))
	fmt.Println(string(b), err)
	// Output:
	// {"a": "\u003c", "b": [1, 2]} <nil>
	// {
	//   	"a": []
	//   } <nil>
	// [1,10000000000000000,"\u0041"] <nil>
}

func ExampleToken() {
	e := jsontext.NewEncoder(os.Stdout)
	for _, t := range []jsontext.Token{
		jsontext.BeginArray, jsontext.Bool(true), jsontext.Int(-1), jsontext.Uint(1), jsontext.Float(0.5), jsontext.Float32(0.1),
		jsontext.String("x"), jsontext.Null, jsontext.EndArray,
	} {
		if err := e.WriteToken(t); err != nil {
			fmt.Println(err)
		}
	}
	// Output: [true,-1,1,0.5,0.1,"x",null]
}

// A decoder of what others send bounds the text, its depth, and what it accepts.
func ExampleNewDecoder() {
	for _, row := range []struct {
		text string
		opt  jsontext.Options
	}{
		{`"1234567890"`, jsontext.MaxSize(8)},
		{`[[1]]`, jsontext.MaxDepth(1)},
		{"\"\xff\"", jsontext.AllowInvalidUTF8(true)},
	} {
		_, err := jsontext.NewDecoder(strings.NewReader(row.text), row.opt).ReadValue()
		fmt.Println(err)
	}
	// Output:
	// jsontext: token or value exceeds the size limit after offset 8
	// jsontext: exceeded max depth within "/0" after offset 1
	// <nil>
}

func ExampleLimitOf() {
	n, ok := jsontext.LimitOf(jsontext.MaxSize(1000))
	fmt.Println(n, ok)
	// Output: 1000 true
}

// celsius writes itself as a number, or in a string where numbers are to be.
type celsius float64

func (c celsius) MarshalJSONTo(e *jsontext.Encoder) error {
	if quoted, _ := jsontext.GetOption(e.Options(), json.StringifyNumbers); quoted {
		return e.WriteToken(jsontext.String(fmt.Sprintf("%.1f", float64(c))))
	}
	return e.WriteValue(fmt.Appendf(nil, "%.1f", float64(c)))
}

func ExampleGetOption() {
	for _, quoted := range []bool{false, true} {
		b, err := json.MarshalWith([]celsius{21}, json.StringifyNumbers(quoted))
		fmt.Println(string(b), err)
	}
	// Output:
	// [21.0] <nil>
	// ["21.0"] <nil>
}
