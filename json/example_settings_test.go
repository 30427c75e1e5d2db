package json_test

import (
	"fmt"
	"strings"
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
		{"\xff", json.AllowInvalidUTF8(false)},
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
		{`{"X":1,"X":2}`, json.AllowDuplicateNames(false)},
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

// shout is written in capital letters.
type shout string

func (s *shout) MarshalJSON() ([]byte, error) { return json.Marshal(strings.ToUpper(string(*s))) }

// Each of these options takes one thing of encoding/json's back under V2.
func ExampleV2_legacy() {
	type named byte
	for _, row := range []struct {
		v   any
		opt json.Options
	}{
		{[2]byte{1, 2}, json.FormatByteArrayAsArray(true)},
		{[]named{1, 2}, json.FormatBytesWithLegacySemantics(true)},
		{time.Second, json.FormatDurationAsNano(true)},
		{struct {
			N int `json:",omitempty"`
		}{}, json.OmitEmptyWithLegacySemantics(true)},
		{struct {
			B bool `json:",string"`
		}{}, json.StringifyWithLegacySemantics(true)},
		{struct {
			B bool `json:",string"`
		}{}, json.ReportErrorsWithLegacySemantics(true)},
		{struct{ Name shout }{"Rex"}, json.CallMethodsWithLegacySemantics(true)}, // is not called without an address
	} {
		b, err := json.MarshalWith(row.v, json.V2(), row.opt)
		fmt.Println(string(b), err)
	}
	for _, row := range []struct {
		text string
		v    any
		opt  json.Options
	}{
		{`{"x_":1}`, new(pair), json.MatchCaseSensitiveDelimiter(true)},
		{`null`, &[1]int{7}, json.MergeWithLegacySemantics(true)},
		{`"AQ\nI="`, new([]byte), json.ParseBytesWithLooseRFC4648(true)},
		{`"2000-01-01T1:02:03Z"`, new(time.Time), json.ParseTimeWithLooseRFC3339(true)},
		{`[1]`, new([2]int), json.UnmarshalArrayFromAnyLength(true)},
	} {
		err := json.UnmarshalWith([]byte(row.text), row.v, json.V2(), json.MatchCaseInsensitiveNames(true), row.opt)
		fmt.Println(row.v, err)
	}
	// Output:
	// [1,2] <nil>
	// "AQI=" <nil>
	// 1000000000 <nil>
	// {} <nil>
	// {"B":"false"} <nil>
	// {"B":false} <nil>
	// {"Name":"Rex"} <nil>
	// &{0 0} <nil>
	// &[7] <nil>
	// &[1 2] <nil>
	// 2000-01-01 01:02:03 +0000 UTC <nil>
	// &[1 0] <nil>
}

func ExampleEscapeForJS() {
	b, err := json.MarshalWith("\u2028", json.EscapeForJS(false)) // a line separator, which JavaScript before 2019 refuses
	fmt.Printf("%+q %v\n", b, err)
	// Output: "\"\u2028\"" <nil>
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
