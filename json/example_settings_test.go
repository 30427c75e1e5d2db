package json_test

import (
	"fmt"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
	"github.com/weftcodec/weft/value"
)

type pair struct{ X, Y int }

// The options that change what is written.
func ExampleOptions_marshal() {
	for _, row := range []struct {
		v   any
		opt json.Options
	}{
		{"a<b", json.EscapeForHTML(false)},
		{"é", json.TrustUTF8(true)},
		{[]int(nil), json.FormatNilSliceAsNull(false)},
		{map[string]int(nil), json.FormatNilMapAsNull(false)},
		{pair{0, 1}, json.OmitZeroStructFields(true)},
		{[]int{1, 2}, json.StringifyNumbers(true)},
		{"\xff", jsontext.AllowInvalidUTF8(false)},
		{map[string]any{"a": 1}, jsontext.WithIndent(" ")},
	} {
		b, err := json.MarshalWith(row.v, row.opt)
		fmt.Println(string(b), err)
	}
	// Output:
	// "a<b" <nil>
	// "é" <nil>
	// [] <nil>
	// {} <nil>
	// {"Y":1} <nil>
	// ["1","2"] <nil>
	//  json: invalid UTF-8 within string
	// {
	//  "a": 1
	// } <nil>
}

// The options that change what is read.
func ExampleOptions_unmarshal() {
	for _, row := range []struct {
		text string
		opt  json.Options
	}{
		{`{"X":1,"X":2}`, jsontext.AllowDuplicateNames(false)},
		{`{"x":1}`, json.MatchCaseInsensitiveNames(false)},
		{`{"X":1,"Z":2}`, json.RejectUnknownMembers(true)},
		{`{"X":1,"Y":22222222}`, json.MaxSize(16)},
		{`{"X":[]}`, weft.MaxDepth(1)},
		{`{"X":"1"}`, json.StringifyNumbers(true)},
		{`{"X":1}`, weft.AliasInput(true)}, // strings of the result share the memory of the input
	} {
		var p pair
		err := json.UnmarshalWith([]byte(row.text), &p, row.opt)
		fmt.Println(p, err)
	}
	// Output:
	// {0 0} json: at /X, offset 7: duplicate member name
	// {0 0} <nil>
	// {1 0} json: at /Z, offset 7: unknown member
	// {0 0} json: at offset 16: input too large: more than 16 bytes
	// {0 0} json: at /X, offset 5: nesting too deep
	// {1 0} <nil>
	// {1 0} <nil>
}

func ExampleExtendedTags() {
	v := struct {
		At time.Time `json:"at,format:DateOnly"`
	}{time.Unix(0, 0).UTC()}
	b, err := json.MarshalWith(v, json.V2(), json.ExtendedTags(true))
	fmt.Println(string(b), err)
	// Output: {"at":"1970-01-01"} <nil>
}

func ExampleLazyValues() {
	var v value.Value
	err := json.UnmarshalWith([]byte(`{"id":7,"body":[1,2,3]}`), &v, json.LazyValues(true))
	id, ok := v.Get("id")
	fmt.Println(id, ok, err)
	// Output: 7 true <nil>
}
