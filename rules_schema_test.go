package weft_test

import (
	"errors"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/value"
)

var ruleSchemas = schema.New("not", `{"not":{"required":["a","b"]}}`, "short", `{"not":{"minLength":3}}`,
	"listed", `{"enum":["a",1]}`, "deep", `{"not":{"anyOf":[
	{"required":["in"],"properties":{"in":{"required":["x"],"properties":{"x":{"const":1}}}}},
	{"required":["list"],"properties":{"list":{"contains":{"type":"object","required":["x"],"properties":{"x":{"const":2}}}}}},
	{"required":["map"],"properties":{"map":{"additionalProperties":{"required":["x"],"properties":{"x":{"const":3}}},"minProperties":1}}},
	{"required":["at"],"properties":{"at":{"required":["in"],"properties":{"in":{"required":["y"]}}}}}]},
	"properties":{"list":{"uniqueItems":true}}}`, "filled", `{"type":"array","minItems":1}`)

// either must not have both members, which only a schema can say; brief is a scalar with a schema.
type either2 struct {
	A    *int           `json:"a,omitempty"`
	B    *int           `json:"b,omitempty"`
	C    brief          `json:"c,omitempty" check:"minLength=1"`
	Rest map[string]any `weft:",unknown"`
}

// deep has a schema that speaks of the structs in it.
type (
	deep struct {
		In   *deepPart           `json:"in,omitempty"`
		List []deepPart          `json:"list,omitempty"`
		Map  map[string]deepPart `json:"map,omitempty"`
		At   opt.Val[deepAt]     `json:"at,omitzero"`
	}
	deepPart struct {
		X int            `json:"x,omitempty"`
		Y *int           `json:"y,omitempty"`
		R map[string]any `weft:",unknown"`
	}
	deepAt struct {
		N  int       `json:"n"`
		In *deepPart `json:"in,omitempty"`
	}
)

func (deep) WeftRules() weft.Rules { return weft.Rules{Schema: ruleSchemas.Get("deep")} }

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
		{&deep{In: &deepPart{X: 2}, List: []deepPart{{X: 1}, {X: 3}}, Map: map[string]deepPart{"a": {X: 3}, "b": {}}}, "none"},
		{&deep{At: opt.ValOf(deepAt{In: &deepPart{X: 1, R: map[string]any{"z": []any{map[string]any{}}}}})}, "none"},
		{&deep{In: &deepPart{X: 1}}, ""},
		{&deep{List: []deepPart{{X: 1}, {X: 2}}}, ""},
		{&[]deep{{}, {List: []deepPart{{X: 1}, {Y: &one}, {X: 1}}}}, "/1/list"},
		{&deep{Map: map[string]deepPart{"a": {X: 3}, "b": {X: 3}}}, ""},
		{&deep{At: opt.ValOf(deepAt{In: &deepPart{Y: &one}})}, ""},
		{&deep{At: opt.ValOf(deepAt{In: &deepPart{R: map[string]any{"y": 1}}})}, ""},
		{&struct{ V opt.Val[brief] }{opt.ValOf(brief("abcd"))}, "/V"},
		{&struct{ V []brief }{[]brief{"a", "abcd"}}, "/V/1"},
	} {
		t.Run(r.path, func(t *testing.T) {
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
		})
	}
}

// listedUnion has only the values that a schema lists, and is null where a field says so alone.
type (
	listedUnion struct{ V listedFace }
	listedText  string
	listedInt   int
	listedFace  interface{ isListed() }

	listedHolder struct {
		V listedUnion `json:"v" check:"required,nullable"`
		W listedUnion `json:"w"`
		L listedList  `json:"l" check:"required,nullable"`
	}
	listedList []int
)

func (*listedText) isListed() {}
func (*listedInt) isListed()  {}

func (listedUnion) WeftRules() weft.Rules {
	return weft.Rules{Strict: true, Schema: ruleSchemas.Get("listed"), Union: &weft.Variants{Cases: []weft.UnionCase{
		weft.Variant[*listedText](), weft.Variant[*listedInt](),
	}}}
}
func (listedList) WeftRules() weft.Rules {
	return weft.Rules{Strict: true, Schema: ruleSchemas.Get("filled")}
}
func (listedHolder) WeftRules() weft.Rules { return weft.Rules{Strict: true} }

// The schema of a type has no say in the null of a field that is nullable, and else wherever the type is held.
func TestSchemaOfNullable(t *testing.T) {
	for _, r := range []struct{ in, path string }{
		{`{"v":"a","w":1,"l":[1]}`, "none"},
		{`{"v":null,"w":"a","l":null}`, "none"},
		{`{"v":2,"w":1,"l":[1]}`, "/v"},
		{`{"v":"a","w":"b","l":[1]}`, "/w"},
		{`{"v":"a","w":null,"l":[1]}`, "/w"},
		{`{"v":"a","w":1,"l":[]}`, "/l"},
	} {
		t.Run(r.in, func(t *testing.T) {
			for _, f := range strictFormats {
				var v listedHolder
				err := f.Unmarshal(encodedAs(t, f, r.in), &v)
				at, _ := errors.AsType[*weft.Error](err)
				if (err == nil) != (r.path == "none") || err != nil && at.Path != r.path {
					t.Errorf("%s: %s: %v, want %s", f.Name(), r.in, err, r.path)
				}
				if err == nil && !value.Equal(writtenAs(t, f, &v), valueOf(t, r.in)) {
					t.Errorf("%s: %v, want %s", f.Name(), writtenAs(t, f, &v), r.in)
				}
			}
		})
	}
}
