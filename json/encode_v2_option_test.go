package json_test

import (
	"testing"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/opt"
)

// TestV2Options: under version 2 optional values are what they are elsewhere, beside members with omitempty too.
func TestV2Options(t *testing.T) {
	type some struct {
		Text  string           `json:"text,omitempty"`
		Null  opt.Null[int]    `json:"null"`
		Empty opt.Null[string] `json:"empty,omitempty"`
		Val   opt.Val[int]     `json:"val"`
		Field opt.Field[int]   `json:"field"`
	}
	for _, c := range []struct {
		v    some
		want string
	}{
		{some{}, `{"null":null}`},
		{some{Field: opt.FieldNull[int](), Val: opt.ValOf(0)}, `{"null":null,"val":0,"field":null}`},
		{some{Text: "x", Null: opt.NullOf(0), Empty: opt.NullOf("y"), Field: opt.FieldOf(0)}, `{"text":"x","null":0,"empty":"y","field":0}`},
	} {
		if b, err := json.MarshalWith(c.v, json.V2()); err != nil || string(b) != c.want {
			t.Errorf("%+v is %s, %v, want %s", c.v, b, err, c.want)
		}
	}
}

// TestQuotedStrings writes strings with the option string of encoding/json where what is not UTF-8 is an error, and is not.
func TestQuotedStrings(t *testing.T) {
	type quoted struct {
		A string `json:",string"`
	}
	for _, c := range []struct{ in, want string }{
		{"a<\u2028", `{"A":"\"a\\u003c\\u2028\""}`}, {"a\xff", ""},
	} {
		got, err := json.MarshalWith(quoted{c.in}, json.AllowInvalidUTF8(false))
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q: %s, %v, want %s", c.in, got, err, c.want)
		}
	}
}
