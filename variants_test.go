package weft_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// The unions of TestVariants: a struct of an interface each, and what implements that.
type (
	varAny interface{ isVar() }

	varKind  struct{ V varAny } // told apart by kinds
	varTag   struct{ V varAny } // by a discriminator
	varOther struct{ V varAny } // by one that may be missing
	varConst struct{ V varAny } // by constants
	varNeed  struct{ V varAny } // by required members
	varOne   struct{ V varAny } // by trying, one alone may fit
	varMost  struct{ V varAny } // by trying, the first that fits
	varOuter struct{ V varAny } // a union of unions
	varBare  struct{ V varAny } // by a discriminator that no variant has a field for

	varText string
	varNum  float64
	varInt  int64
	varFlag bool
	varList []string
	varMap  map[string]any

	varCage struct {
		Kind string `json:"kind"`
		Bars int    `json:"bars" check:"required,minimum=1"`
	}
	varTower struct {
		Kind   opt.Val[string] `json:"kind,omitzero" check:"enum=tower|keep"`
		Height int             `json:"height,omitempty"`
	}
	varCat struct {
		Type string `json:"type" check:"required,const=cat"`
		Name string `json:"name"`
	}
	varDog struct {
		Type int8 `json:"type" check:"required,enum=1|2"`
		Name string
	}
	varA struct {
		A varLink `json:"a" check:"required"`
	}
	varB struct {
		B int `json:"b" check:"required"`
		C int `json:"c,omitempty"`
	}
	varC struct {
		C varLink `json:"c" check:"required"`
		D int     `json:"d,omitempty" check:"maximum=9"`
	}
	varLow struct {
		N int `json:"n" check:"required,maximum=10"`
	}
	varHigh struct {
		N int `json:"n" check:"required,minimum=10"`
		M int `json:"m,omitempty"`
	}
	varLink = *varOne
)

func (*varText) isVar()  {}
func (varNum) isVar()    {}
func (*varInt) isVar()   {}
func (varFlag) isVar()   {}
func (varList) isVar()   {}
func (*varMap) isVar()   {}
func (*varCage) isVar()  {}
func (*varTower) isVar() {}
func (varCat) isVar()    {}
func (*varDog) isVar()   {}
func (*varA) isVar()     {}
func (*varB) isVar()     {}
func (*varC) isVar()     {}
func (*varLow) isVar()   {}
func (*varHigh) isVar()  {}
func (*varTag) isVar()   {}
func (*varKind) isVar()  {}
func (*varConst) isVar() {}

func variants(v weft.Variants) weft.Rules { return weft.Rules{Union: &v} }

func (varKind) WeftRules() weft.Rules {
	return variants(weft.Variants{Cases: []weft.UnionCase{weft.Variant[*varText](), weft.Variant[varNum](), weft.Variant[varFlag](),
		weft.Variant[varList](), weft.Variant[*varB]()}})
}

func (varTag) WeftRules() weft.Rules {
	return variants(weft.Variants{Discriminator: "kind", Cases: []weft.UnionCase{weft.Variant[*varCage]("cage", "pen"),
		weft.Variant[*varTower]("tower", "keep"), weft.Variant[*varMap]("free"), weft.Variant[*varText]()}})
}

func (varOther) WeftRules() weft.Rules {
	return variants(weft.Variants{
		Discriminator: "kind",
		Cases:         []weft.UnionCase{weft.Variant[*varCage]("cage"), weft.Variant[*varMap]().Default()},
	})
}

func (varConst) WeftRules() weft.Rules {
	return variants(weft.Variants{Cases: []weft.UnionCase{weft.Variant[varCat](), weft.Variant[*varDog]()}})
}

func (varNeed) WeftRules() weft.Rules {
	return variants(weft.Variants{Cases: []weft.UnionCase{weft.Variant[*varA](), weft.Variant[*varB]()}})
}

func (varOne) WeftRules() weft.Rules {
	return variants(weft.Variants{
		OneOf: true,
		Cases: []weft.UnionCase{
			weft.Variant[*varLow](), weft.Variant[*varHigh](), weft.Variant[*varA](), weft.Variant[*varC](),
		},
	})
}

func (varMost) WeftRules() weft.Rules {
	return variants(weft.Variants{Cases: []weft.UnionCase{
		weft.Variant[*varLow](), weft.Variant[*varHigh](), weft.Variant[varNum](), weft.Variant[*varInt](),
	}})
}

func (varOuter) WeftRules() weft.Rules {
	return variants(weft.Variants{Cases: []weft.UnionCase{weft.Variant[*varTag](), weft.Variant[*varConst](), weft.Variant[varList]()}})
}

func (varBare) WeftRules() weft.Rules {
	return variants(weft.Variants{
		Discriminator: "is",
		Cases:         []weft.UnionCase{weft.Variant[*varA]("a"), weft.Variant[*varB]("b"), weft.Variant[*varConst]("c")},
	})
}

func ptr[T any](v T) *T { return &v }

// A union of which two variants have a member of the union, one with a rule beside.
type (
	varTree   struct{ V varAny }
	varLeaf   int
	varNarrow struct {
		X varTree `json:"x" check:"required"`
		D int     `json:"d" check:"maximum=9"`
	}
	varWide struct {
		X varTree `json:"x" check:"required"`
		D int     `json:"d"`
	}
)

func (varLeaf) isVar()    {}
func (*varNarrow) isVar() {}
func (*varWide) isVar()   {}

func (varTree) WeftRules() weft.Rules {
	return variants(weft.Variants{Cases: []weft.UnionCase{weft.Variant[varLeaf](), weft.Variant[*varNarrow](), weft.Variant[*varWide]()}})
}

// TestVariantsDeep reads unions in unions of which each level has to be tried: what has been tried is not tried again.
func TestVariantsDeep(t *testing.T) {
	for _, f := range lawFormats {
		n := 1000
		if f.name == "value" || f.name == "any" {
			n = 100 // a value in several places is read for each
		}
		want := varTree{varLeaf(1)}
		for range n {
			want = varTree{&varWide{want, 10}}
		}
		doc, err := f.marshal(want)
		var got varTree
		if err == nil {
			err = f.unmarshal(doc, &got)
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v", f.name, err)
		}
	}
}

// What is wrong with a case that was tried is not looked for in the text, which would be read again for each level.
func TestVariantsDeepTries(t *testing.T) {
	const n = 9000
	doc := []byte(strings.Repeat(`{"x":`, n) + "1" + strings.Repeat(`,"d":10}`, n))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var v varTree
	if err := json.Unmarshal(doc, &v); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if b := after.TotalAlloc - before.TotalAlloc; b > 1<<28 { // a path for each level would be of gigabytes
		t.Errorf("%d bytes were allocated", b)
	}
}

// TestVariantsValidate checks what a union holds by the rules of that, and that it is what it says.
func TestVariantsValidate(t *testing.T) {
	for _, tt := range []struct {
		v    any
		want string
	}{
		{&varTag{}, ""},
		{&varTag{&varCage{Bars: 1}}, ""},
		{&varTag{&varCage{"cage", 0}}, "at /bars: must be at least 1, not 0"},
		{&varTag{&varCage{"tower", 1}}, `at /kind: must be "cage" or "pen" in weft_test.varCage, not "tower"`},
		{&[]varTag{{&varCage{"tower", 0}}}, "at /0/bars: must be at least 1, not 0; at /0/kind"},
		{&varTag{varCat{}}, `must be a variant of varTag, not weft_test.varCat: `},
		{&varOther{&varMap{"kind": "cage"}}, `at /kind: must be a tag of weft_test.varMap, not "cage"`},
		{&varConst{&varDog{3, ""}}, "at /type"},
		{&varConst{varCat{}}, ""}, // it is written as the constant
		{&varOuter{&varTag{&varCage{"x", 1}}}, "at /kind"},
		{&varStrict{}, "must have varStrict set"},
		{&struct{ H varStrict }{}, "at /H: must have varStrict set"},
		{&struct {
			H varStrict `json:",omitzero"`
		}{}, ""},
	} {
		t.Run(fmt.Sprintf("%T", tt.v), func(t *testing.T) {
			err := schema.Validate(tt.v)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%T %+v: %v, want %q", tt.v, tt.v, err, tt.want)
			}
		})
	}
}

type varStrict struct{ V varAny }

func (varStrict) WeftRules() weft.Rules {
	r := variants(weft.Variants{Cases: []weft.UnionCase{weft.Variant[*varText](), weft.Variant[*varLow]()}})
	r.Strict = true
	return r
}

// TestVariantsWrite writes what is not a case, or says otherwise than its type.
func TestVariantsWrite(t *testing.T) {
	for _, tt := range []struct {
		v    any
		text string
		want string // the error
	}{
		{&[]varTag{{&varCage{Bars: 2}}, {&varTower{}}, {ptr(varMap{"x": 1})}, {&varMap{}}},
			`[{"kind":"cage","bars":2},{"kind":"tower"},{"kind":"free","x":1},{"kind":"free"}]`, ""},
		{&varConst{&varDog{}}, `{"type":0,"Name":""}`, `/type: must be "1" or "2" in weft_test.varDog, not "0"`},
		{&varConst{&varCat{Name: "Tom"}}, `{"type":"cat","name":"Tom"}`, ""},
		{&[]varTag{{&varCage{"tower", 1}}}, "", `/0/kind: must be "cage" or "pen" in weft_test.varCage, not "tower"`},
		{&varOther{&varMap{"kind": "cage"}}, "", `/kind: must be a tag of weft_test.varMap, not "cage"`},
		{&varOther{&varMap{}}, `{}`, ""},
		{&varTag{varCat{}}, "", `must be a variant of varTag, not weft_test.varCat: `},
		{&varTag{(*varCage)(nil)}, "null", ""},
		{&varStrict{}, "", "must have varStrict set"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			for _, f := range lawFormats {
				b, err := f.marshal(tt.v)
				if tt.want != "" {
					if err == nil || !strings.Contains(err.Error(), tt.want) {
						t.Errorf("%s: %+v: %s, error %v", f.name, tt.v, lawText(b), err)
					}
					continue
				}
				if f.name == "json" && err == nil && string(b.([]byte)) != tt.text {
					t.Errorf("%s, want %s", b, tt.text)
				}
				if err == nil {
					err = f.unmarshal(b, reflect.New(reflect.TypeOf(tt.v).Elem()).Interface())
				}
				if err != nil {
					t.Errorf("%s: %+v: %v", f.name, tt.v, err)
				}
			}
		})
	}
}

type (
	badFields struct {
		V varAny
		W int
	}
	badEmpty struct{ V varAny }
	badCase  struct{ V varAny }
	badTwice struct{ V varAny }
)

func (badFields) WeftRules() weft.Rules {
	return variants(weft.Variants{Cases: []weft.UnionCase{weft.Variant[*varLow]()}})
}
func (badEmpty) WeftRules() weft.Rules { return variants(weft.Variants{}) }
func (badCase) WeftRules() weft.Rules {
	return variants(weft.Variants{Cases: []weft.UnionCase{weft.Variant[varLow]()}})
}
func (badTwice) WeftRules() weft.Rules {
	return variants(weft.Variants{Cases: []weft.UnionCase{weft.Variant[*varLow]("a"), weft.Variant[*varLow]("b")}})
}

// TestVariantsBad declares unions that are not valid.
func TestVariantsBad(t *testing.T) {
	for _, tt := range []struct {
		v    any
		want string
	}{
		{new(badFields), "a union is a struct of one exported field, which is an interface"},
		{new(badEmpty), "the union has no cases"},
		{new(badCase), "the case weft_test.varLow of the union does not implement weft_test.varAny"},
		{new(badTwice), "*weft_test.varLow is twice a case of the union"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			for _, f := range []weft.Format{json.Format, msgpack.Format, tagged.Format} {
				_, err := f.MarshalAppend(nil, tt.v)
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%s: %T: %v", f.Name(), tt.v, err)
				}
			}
			if err := schema.Validate(tt.v); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%T: %v", tt.v, err)
			}
		})
	}
}

// FuzzVariants reads unions from anything: what is read is written and read as the same.
func FuzzVariants(f *testing.F) {
	formats := []weft.Format{json.Format, msgpack.Format, tagged.Format}
	for _, text := range []string{
		`{"kind":"cage","bars":1}`, `{"a":{"n":1},"c":{"n":1},"d":10}`, `{"x":{"x":1,"d":10},"d":10}`, `{"type":2}`, `"x"`,
		`[1]`, `null`,
	} {
		for _, format := range formats {
			if b, err := weft.Transcode(nil, format, []byte(text), json.Format); err == nil {
				f.Add(b)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range formats {
			for _, v := range []any{
				new(varKind), new(varTag), new(varOther), new(varConst), new(varOne), new(varMost), new(varOuter), new(varTree),
				new(varBare),
			} {
				if format.Unmarshal(data, v) != nil {
					continue
				}
				once, err := format.MarshalAppend(nil, v, weft.Deterministic(true))
				if err != nil {
					continue // such as a NaN in JSON, or an integer in a map of any that the format does not have
				}
				again := reflect.New(reflect.TypeOf(v).Elem()).Interface()
				if err := format.Unmarshal(once, again); err != nil {
					t.Fatalf("%s: %T: %q: %v", format.Name(), v, once, err)
				}
				twice, err := format.MarshalAppend(nil, again, weft.Deterministic(true))
				if err != nil || !bytes.Equal(once, twice) {
					t.Fatalf("%s: %T: %q, then %q, %v", format.Name(), v, once, twice, err)
				}
			}
		}
	})
}

// TestVariants reads and writes unions that are declared by rules, in every format.
func TestVariants(t *testing.T) {
	low := &varOne{&varLow{1}}
	for _, tt := range []struct {
		in   string
		want any // a pointer to the union
		err  string
		out  string // what is written, where it is not in
	}{
		{`"x"`, &varKind{ptr(varText("x"))}, "", ""},
		{`2.5`, &varKind{varNum(2.5)}, "", ""},
		{`true`, &varKind{varFlag(true)}, "", ""},
		{`["a"]`, &varKind{varList{"a"}}, "", ""},
		{`{"b":1}`, &varKind{&varB{B: 1}}, "", ""},
		{`null`, new(varKind), "", ""},
		{`{"kind":"cage","bars":3}`, &varTag{&varCage{"cage", 3}}, "", ""},
		{`{"bars":3,"kind":"pen"}`, &varTag{&varCage{"pen", 3}}, "", `{"kind":"pen","bars":3}`},
		{`{"more":{"kind":"tower"},"bars":3,"kind":"cage"}`, &varTag{&varCage{"cage", 3}}, "", `{"kind":"cage","bars":3}`},
		{`{"kind":"keep"}`, &varTag{&varTower{Kind: opt.ValOf("keep")}}, "", ""},
		{`{"kind":"free","x":"y"}`, &varTag{&varMap{"kind": "free", "x": "y"}}, "", ""},
		{`"free"`, &varTag{ptr(varText("free"))}, "", ""},
		{`{"kind":"cage","bars":0}`, &varTag{}, "/bars, offset 22: must be at least 1", ""},
		{`{"kind":"hut"}`, &varTag{}, `must be a variant of varTag: "kind" is "hut", not one of cage, pen, tower, keep, free`, ""},
		{`{"bars":3}`, &varTag{}, `"kind" has none of the values cage, pen, tower, keep, free`, ""},
		{`7`, &varTag{}, "must be a variant of varTag: varCage, varTower, varMap, varText", ""},
		{`{"kind":"cage","bars":1}`, &varOther{&varCage{"cage", 1}}, "", ""},
		{`{"bars":"x"}`, &varOther{&varMap{"bars": "x"}}, "", ""},
		{`{"kind":"x"}`, &varOther{&varMap{"kind": "x"}}, "", ""},
		{`{"name":"Tom","type":"cat"}`, &varConst{varCat{"cat", "Tom"}}, "", `{"type":"cat","name":"Tom"}`},
		{`{"Name":"Rex","type":2}`, &varConst{&varDog{2, "Rex"}}, "", `{"type":2,"Name":"Rex"}`},
		{`{"type":3}`, &varConst{}, `"type" is "3", not one of cat, 1, 2`, ""},
		{`{"a":null}`, &varNeed{&varA{}}, "", ""},
		{`{"b":1,"c":2}`, &varNeed{&varB{1, 2}}, "", ""},
		{`{"c":2}`, &varNeed{}, "must be a variant of varNeed: varA, varB", ""},
		{`{"b":"x"}`, &varNeed{}, "/b", ""},
		{`{"n":1}`, low, "", ""},
		{`{"n":11}`, &varOne{&varHigh{N: 11}}, "", ""},
		{`{"n":10}`, &varOne{}, "is ambiguous: fits varLow and varHigh, of which varOne allows only one", ""},
		{`{"n":"x"}`, &varOne{}, "must be a variant of varOne", ""},
		{`{"a":{"a":{"n":1}}}`, &varOne{&varA{&varOne{&varA{low}}}}, "", ""},
		{`{"a":{"n":1},"c":{"n":1},"d":10}`, &varOne{&varA{low}}, "", `{"a":{"n":1}}`},
		{`{"a":{"n":1},"c":{"n":1},"d":9}`, &varOne{}, "fits varA and varC", ""},
		{`{"a":{"n":1},"c":{"n":10}}`, &varOne{&varA{low}}, "", `{"a":{"n":1}}`},
		{`{"n":10}`, &varMost{&varLow{10}}, "", ""},
		{`{"n":10,"m":1}`, &varMost{&varHigh{10, 1}}, "", ""},
		{`7`, &varMost{ptr(varInt(7))}, "", ""},
		{`7.5`, &varMost{varNum(7.5)}, "", ""},
		{`{"bars":3,"kind":"cage"}`, &varOuter{&varTag{&varCage{"cage", 3}}}, "", `{"kind":"cage","bars":3}`},
		{`{"type":"cat","name":""}`, &varOuter{&varConst{varCat{"cat", ""}}}, "", ""},
		{`{"is":"b","b":1}`, &varBare{&varB{B: 1}}, "", ""},
		{`{"b":1,"is":"b"}`, &varBare{&varB{B: 1}}, "", `{"is":"b","b":1}`},
		{`{"is":"c","type":1,"Name":""}`, &varBare{&varConst{&varDog{1, ""}}}, "", ""},
	} {
		if tt.out == "" {
			tt.out = tt.in
		}
		t.Run(reflect.TypeOf(tt.want).Elem().Name()+tt.in, func(t *testing.T) {
			fresh := func() any { return reflect.New(reflect.TypeOf(tt.want).Elem()).Interface() }
			check := func(format string, got any, err error) {
				t.Helper()
				switch {
				case tt.err == "" && (err != nil || !reflect.DeepEqual(got, tt.want)):
					t.Errorf("%s: %v, error %v", format, got, err)
				case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err) && format == "json"):
					t.Errorf("%s: error %v", format, err)
				}
			}
			for _, o := range []weft.Options{{}, weft.AllViolations(true), weft.RejectUnknown(false)} {
				got := fresh()
				err := json.UnmarshalWith([]byte(tt.in), got, o)
				if all, ok := errors.AsType[*weft.ValidationError](err); ok {
					v := all.Violations[0]
					err = &weft.Error{Format: "json", Offset: v.Offset, Path: v.Path, Err: v.Err}
				}
				check("json", got, err)
			}
			var v value.Value
			if err := json.Unmarshal([]byte(tt.in), &v); err != nil {
				t.Fatal(err)
			}
			got := fresh()
			check("value", got, value.Unmarshal(v, got))
			for _, f := range []weft.Format{msgpack.Format, tagged.Format} {
				if tt.in == "true" && f.Name() == "tagged" {
					continue // the format has no booleans
				}
				b, err := weft.Transcode(nil, f, []byte(tt.in), json.Format, tagged.BoolsAsInts(true))
				if err != nil {
					t.Fatal(err)
				}
				got = fresh()
				err = f.Unmarshal(b, got)
				check(f.Name(), got, err)
			}
			if tt.err != "" {
				return
			}
			text, err := json.Marshal(tt.want)
			if err != nil || string(text) != tt.out {
				t.Errorf("written as %s, %v", text, err)
			}
			for _, f := range lawFormats {
				if tt.in == "true" && f.name == "tagged" {
					continue
				}
				for _, opts := range [][]weft.Options{nil, {weft.StructAsArray(true)}} {
					switch tt.want.(type) {
					case *varTag, *varOther, *varBare:
					default:
						if opts != nil {
							continue // arrays do not say what they are
						}
					}
					if opts != nil && !f.arrays {
						continue
					}
					b, err := f.marshal(tt.want, opts...)
					got := fresh()
					if err == nil {
						err = f.unmarshal(b, got, opts...)
					}
					if err != nil || !reflect.DeepEqual(got, tt.want) {
						t.Errorf("%s: %s: %v, %v", f.name, lawText(b), got, err)
					}
				}
			}
		})
	}
}
