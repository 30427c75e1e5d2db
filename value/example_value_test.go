package value_test

import (
	stdjson "encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/value"
)

// parse returns what a text of JSON says.
func parse(text string) (v value.Value) {
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		panic(err)
	}
	return v
}

func ExampleValue_Get() {
	v := parse(`{"id":7,"name":"Ada"}`)
	name, ok := v.Get("name")
	fmt.Println(name, ok, v.Has("age"))
	fmt.Println(v.Len(), v.Name(0), v.At(0))
	// Output:
	// Ada true false
	// 2 id 7
}

func ExampleValue_Lookup() {
	v := parse(`{"a":{"b":[10,20,{"x.y":30}]}}`)
	for _, path := range []string{"a.b[1]", `a.b[2]["x.y"]`, "a.c"} {
		x, ok := v.Lookup(path)
		fmt.Println(x, ok)
	}
	// Output:
	// 20 true
	// 30 true
	// null false
}

func ExampleValue_Pointer() {
	v := parse(`{"a/b":{"m~n":[10,20]}}`)
	x, ok := v.Pointer("/a~1b/m~0n/1") // RFC 6901
	fmt.Println(x, ok)
	// Output: 20 true
}

func ExampleValue_Members() {
	for name, v := range parse(`{"b":1,"a":[2,3]}`).Members() {
		fmt.Println(name, v)
	}
	// Output:
	// b 1
	// a [2,3]
}

func ExampleValue_All() {
	for i, v := range parse(`["x","y"]`).All() {
		fmt.Println(i, v)
	}
	// Output:
	// 0 x
	// 1 y
}

func ExampleValue_Values() {
	sum := int64(0)
	for v := range parse(`[1,2,3]`).Values() {
		i, _ := v.Int()
		sum += i
	}
	fmt.Println(sum)
	// Output: 6
}

func ExampleValue_Names() {
	for name := range parse(`{"b":1,"a":2}`).Names() {
		fmt.Print(name, " ")
	}
	// Output: b a
}

func ExampleValue_Equal() {
	v := parse(`{"a":1,"b":2.0}`)
	w := parse(`{"b":2,"a":1}`)
	fmt.Println(v.Equal(w), v.Compare(w), v.Hash() == w.Hash())
	nan := value.Float(math.NaN())
	fmt.Println(nan.Equal(nan))
	// Output:
	// true 0 true
	// true
}

func ExampleValue_Compare() {
	// No number is rounded to be compared.
	fmt.Println(value.Int(1<<53 + 1).Compare(value.Float(1 << 53)))
	fmt.Println(value.Float(0.1).Compare(parse("0.1000000000000000055511151231257827")))
	// Output:
	// 1
	// 1
}

func ExampleValue_Interface() {
	fmt.Printf("%#v\n", parse(`[1,"x",true,null,0.5]`).Interface())
	// Output: []interface {}{1, "x", true, interface {}(nil), 0.5}
}

func ExampleValue_GoString() {
	fmt.Printf("%#v\n", parse(`[1,{"a":"x"}]`))
	// Output: value.List(value.Int(1), value.Map(value.Member{Name: "a", Value: value.String("x")}))
}

func ExampleValue_Format() {
	fmt.Printf("%v|%4v|%03d|%.1f|%q\n", parse(`{"a":1}`), value.Int(7), value.Int(7), value.Float(0.25), value.String("x"))
	// Output: {"a":1}|   7|007|0.2|"x"
}

func ExampleValue_With() {
	v := parse(`{"a":{"b":[1,2]}}`)
	w, err := v.With("a.b[2]", value.Int(3))
	fmt.Println(w, err)
	_, err = v.With("a.b.c", value.Int(3))
	fmt.Println(err)
	fmt.Println(v) // unchanged
	// Output:
	// {"a":{"b":[1,2,3]}} <nil>
	// value: at /a/b: a list is not a map
	// {"a":{"b":[1,2]}}
}

func ExampleValue_WithMember() {
	v := parse(`{"a":1,"b":2}`)
	fmt.Println(v.WithMember("a", value.Int(9)).WithMember("c", value.Int(3)))
	// Output: {"a":9,"b":2,"c":3}
}

func ExampleValue_Without() {
	v := parse(`{"a":{"b":[1,2,3],"c":4}}`)
	w, err := v.Without("a.b[0]")
	fmt.Println(w, err)
	// Output: {"a":{"b":[2,3],"c":4}} <nil>
}

func ExampleValue_Append() {
	v, err := parse(`[1,2]`).Append(value.Int(3), value.Null())
	fmt.Println(v, err)
	// Output: [1,2,3,null] <nil>
}

func ExampleValue_Patch() {
	v := parse(`{"a":1,"list":["x","y"]}`)
	w, err := v.Patch(parse(`[
		{"op":"test","path":"/a","value":1},
		{"op":"remove","path":"/list/0"},
		{"op":"move","from":"/a","path":"/b"}
	]`))
	fmt.Println(w, err)
	_, err = v.Patch(parse(`[{"op":"remove","path":"/c"}]`))
	fmt.Println(err)
	// Output:
	// {"list":["y"],"b":1} <nil>
	// value: at /0: remove: path "/c": there is no such value
}

func ExampleValue_Clone() {
	big := parse(`{"wanted":{"id":7},"rest":"` + strings.Repeat("x", 1000) + `"}`)
	wanted, _ := big.Get("wanted")
	kept := wanted.Clone() // keeps nothing of big in memory
	fmt.Println(kept)
	// Output: {"id":7}
}

func ExampleValue_MarshalJSON() {
	text, err := stdjson.Marshal(parse(`{"b":[1,18446744073709551615],"a":null}`))
	fmt.Println(string(text), err)
	// Output: {"b":[1,18446744073709551615],"a":null} <nil>
}

func ExampleValue_UnmarshalJSON() {
	var v value.Value
	err := stdjson.Unmarshal([]byte(`{"b":[1,2.50],"a":null}`), &v)
	fmt.Println(v, err)
	// Output: {"b":[1,2.5],"a":null} <nil>
}

// A Value goes from one format to the other as it is.
func ExampleValue_MarshalWeft() {
	v := value.Map(value.Member{Name: "raw", Value: value.Bytes([]byte("hi"))}, value.Member{Name: "n", Value: value.Int(1)})
	packed, err := msgpack.Marshal(v)
	fmt.Printf("%x %v\n", packed, err)
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output:
	// 82a3726177c4026869a16e01 <nil>
	// {"raw":"aGk=","n":1} <nil>
}

func ExampleValue_UnmarshalWeft() {
	var v value.Value
	err := msgpack.Unmarshal([]byte("\x82\xa3raw\xc4\x02hi\xa1n\x01"), &v)
	raw, _ := v.Get("raw")
	fmt.Println(raw.Kind(), v, err)
	// Output: bytes {"raw":"aGk=","n":1} <nil>
}
