package weft_test

import (
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/opt"
)

type wrappedAny struct{ V any }

func (*wrappedAny) WeftRules() weft.Rules { return weft.Rules{Strict: true, Wrapper: true} }

type wrappedTime struct{ V time.Time }

func (*wrappedTime) WeftRules() weft.Rules { return weft.Rules{Strict: true, Wrapper: true} }

type wrappedDate struct{ V opt.Date }

func (*wrappedDate) WeftRules() weft.Rules { return weft.Rules{Strict: true, Wrapper: true} }

// A wrapper stands for the value that it holds, in every format.
func TestWrapper(t *testing.T) {
	type all struct {
		A wrappedAny             `json:"a"`
		T wrappedTime            `json:"t"`
		D map[string]wrappedDate `json:"d"`
	}
	in := all{wrappedAny{"x"}, wrappedTime{time.Unix(5, 0).UTC()}, map[string]wrappedDate{"k": {opt.Date{Year: 2024, Month: 1, Day: 2}}}}
	for _, f := range ruleFormats {
		b, err := f.MarshalAppend(nil, in)
		if err != nil {
			t.Fatal(err)
		}
		var out all
		if err := f.Unmarshal(b, &out); err != nil || out.A != in.A || !out.T.V.Equal(in.T.V) || out.D["k"] != in.D["k"] {
			t.Errorf("%s: %+v, %v", f.Name(), out, err)
		}
	}
	var a wrappedAny
	if err := json.Unmarshal([]byte(`1.10`), &a); err != nil || a.V != json.Number("1.10") {
		t.Error(a, err)
	}
	for _, v := range []any{new(wrappedTime), new(wrappedDate)} {
		if err := json.Unmarshal([]byte(`null`), v); err == nil {
			t.Errorf("%T takes null", v)
		}
	}
}

// A name in single quotes may have what others may not.
func TestQuotedNames(t *testing.T) {
	type odd struct {
		A int    `weft:"'a,\"b'"`
		B string `weft:"'it''s \\',omitzero"`
		C bool   `weft:"'-'"`
		D int    `weft:"''"`
	}
	in := odd{1, "x", true, 5}
	if b, err := json.Marshal(in); string(b) != `{"a,\"b":1,"it's \\":"x","-":true,"":5}` || err != nil {
		t.Errorf("%s, %v", b, err)
	}
	for _, f := range ruleFormats {
		var out odd
		b, err := f.MarshalAppend(nil, in)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Unmarshal(b, &out); err != nil || out != in {
			t.Errorf("%s: %+v, %v", f.Name(), out, err)
		}
	}
}
