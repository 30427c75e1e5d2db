package weft_test

import (
	"errors"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/schema"
)

var ruleSchemas = weft.NewSchemas("not", `{"not":{"required":["a","b"]}}`, "short", `{"not":{"minLength":3}}`)

// either must not have both members, which only a schema can say; brief is a scalar with a schema.
type either2 struct {
	A    *int           `json:"a,omitempty"`
	B    *int           `json:"b,omitempty"`
	C    brief          `json:"c,omitempty" check:"minLength=1"`
	Rest map[string]any `weft:",unknown"`
}

type brief string

func (either2) WeftRules() weft.Rules { return weft.Rules{Schema: ruleSchemas.Get("not")} }
func (brief) WeftRules() weft.Rules   { return weft.Rules{Schema: ruleSchemas.Get("short")} }

// What only a schema says of a type holds in every format, and for Validate.
func TestSchemaRules(t *testing.T) {
	one := 1
	for _, r := range []struct {
		v    any
		path string
	}{
		{&either2{A: &one, C: "ab"}, "none"},
		{&either2{A: &one, B: &one}, ""},
		{&either2{A: &one, Rest: map[string]any{"b": 2}}, ""},
		{&either2{A: &one, Rest: map[string]any{"c2": []any{1, nil}}}, "none"},
		{&[]either2{{A: &one}, {A: &one, B: &one}, {}}, "/1"},
		{&map[string]either2{"x": {C: "abc"}}, "/x/c"},
		{&struct{ V opt.Val[brief] }{opt.ValOf(brief("abcd"))}, "/V"},
		{&struct{ V []brief }{[]brief{"a", "abcd"}}, "/V/1"},
	} {
		for _, f := range strictFormats {
			b, err := f.MarshalAppend(nil, r.v)
			if err != nil {
				t.Fatal(err)
			}
			err = f.Unmarshal(b, fresh(r.v))
			if r.path == "none" {
				if err != nil {
					t.Errorf("%s: %+v: %v", f.Name(), r.v, err)
				}
			} else {
				at, ok := errors.AsType[*weft.Error](err)
				if !ok || at.Path != r.path || f.Name() != "value" && at.Offset < 0 {
					t.Errorf("%s: %+v: %v, want an error at %q", f.Name(), r.v, err, r.path)
				}
			}
			if b, err = f.MarshalAppend(nil, r.v, weft.StructAsArray(true)); err != nil {
				t.Fatal(err)
			}
			if err := f.Unmarshal(b, fresh(r.v)); (err == nil) != (r.path == "none") {
				t.Errorf("%s: %+v, as an array: %v", f.Name(), r.v, err)
			}
			if err := f.Unmarshal(b, fresh(r.v), weft.Unchecked(true)); err != nil {
				t.Errorf("%s: %+v, unchecked: %v", f.Name(), r.v, err)
			}
		}
		err := schema.Validate(r.v)
		all, _ := errors.AsType[*weft.ValidationError](err)
		if (err == nil) != (r.path == "none") || err != nil && (len(all.Violations) != 1 || all.Violations[0].Path != r.path) {
			t.Errorf("Validate: %+v: %v, want an error at %q", r.v, err, r.path)
		}
	}
}
