package weft_test

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// strictModel has a member of each kind, each with a name of one letter.
type strictModel struct {
	S string                 `json:"s,omitzero"`
	I int32                  `json:"i,omitzero"`
	U uint8                  `json:"u,omitzero"`
	F float64                `json:"f,omitzero"`
	B bool                   `json:"b,omitzero"`
	T time.Time              `json:"t,omitzero"`
	D []byte                 `json:"d,omitzero"`
	N stdjson.Number         `json:"n,omitzero"`
	E species                `json:"e,omitzero"`
	L []string               `json:"l,omitzero"`
	J []int                  `json:"j,omitzero"`
	K [][]strictKind         `json:"k,omitzero"`
	M map[string]int         `json:"m,omitzero"`
	G map[string][]string    `json:"g,omitzero"`
	A any                    `json:"a,omitzero"`
	H map[string]any         `json:"h,omitzero"`
	V value.Value            `json:"v,omitzero"`
	P *strictPart            `json:"p,omitzero"`
	Q *int                   `json:"q,omitzero"`
	O opt.Val[string]        `json:"o,omitzero"`
	X opt.Null[int]          `json:"x,omitzero"`
	Y opt.Field[string]      `json:"y,omitzero"`
	Z opt.Val[[]string]      `json:"z,omitzero"`
	W []opt.Null[int]        `json:"w,omitzero"`
	C []strictPart           `json:"c,omitzero"`
	R plainPart              `json:"r,omitzero"`
	Å []string               `json:"aa,omitzero" check:"nullable"`
	Ä map[string]string      `json:"ab,omitzero" check:"nullable"`
	Ö *strictPart            `json:"ac,omitzero" check:"nullable"`
	È []opt.Val[int]         `json:"ad,omitzero"`
	É map[string]strictPart  `json:"ae,omitzero"`
	Ê map[strictKind]*string `json:"af,omitzero"`
}

func (strictModel) WeftRules() weft.Rules { return weft.Rules{Strict: true} }

type strictPart struct {
	S string `json:"s"`
}

func (strictPart) WeftRules() weft.Rules { return weft.Rules{Strict: true} }

// plainPart has no rules, so that those of the struct around it do not hold in it.
type plainPart struct {
	S string `json:"s"`
	A any    `json:"a,omitempty"`
}

type strictKind string

// strictRows are values of a strictModel, what they are written as, if that is not the same, and what the error says, with
// the place.
var strictRows = []struct{ name, in, out, err string }{
	{"strings", `{"s":null}`, "", "/s: cannot read null as string"},
	{"integers", `{"i":null}`, "", "/i: cannot read null as int32"},
	{"unsigned integers", `{"u":null}`, "", "/u: cannot read null as uint8"},
	{"numbers", `{"f":null}`, "", "/f: cannot read null as float64"},
	{"booleans", `{"b":null}`, "", "/b: cannot read null as bool"},
	{"times", `{"t":null}`, "", "/t: cannot read null as time.Time"},
	{"bytes", `{"d":null}`, "", "/d: cannot read null as []uint8"},
	{"json.Number", `{"n":null}`, "", "/n: cannot read null as json.Number"},
	{"enums", `{"e":null}`, "", "/e: cannot read null as weft_test.species"},
	{"lists", `{"l":null}`, "", "/l: cannot read null as []string"},
	{"elements", `{"l":["a",null]}`, "", "/l/1: cannot read null as string"},
	{"elements that are integers", `{"j":[1,null]}`, "", "/j/1: cannot read null as int"},
	{"elements of elements", `{"k":[["a"],["b",null]]}`, "", "/k/1/1: cannot read null as weft_test.strictKind"},
	{"elements that are lists", `{"k":[["a"],null]}`, "", "/k/1: cannot read null as []weft_test.strictKind"},
	{"maps", `{"m":null}`, "", "/m: cannot read null as map[string]int"},
	{"values of a map", `{"m":{"a":null}}`, "", "/m/a: cannot read null as int"},
	{"lists in a map", `{"g":{"a":["b"],"c":null}}`, "", "/g/c: cannot read null as []string"},
	{"elements in a map", `{"g":{"a":[null]}}`, "", "/g/a/0: cannot read null as string"},
	{"pointers", `{"p":null}`, "", "/p: cannot read null as *weft_test.strictPart"},
	{"pointers to scalars", `{"q":null}`, "", "/q: cannot read null as *int"},
	{"below pointers", `{"p":{"s":null}}`, "", "/p/s: cannot read null as string"},
	{"options", `{"o":null}`, "", "/o: cannot read null as string"},
	{"options of lists", `{"z":null}`, "", "/z: cannot read null as []string"},
	{"elements of options", `{"z":[null]}`, "", "/z/0: cannot read null as string"},
	{"structs in lists", `{"c":[{"s":""},null]}`, "", "/c/1: cannot read null as weft_test.strictPart"},
	{"options in lists", `{"ad":[1,null]}`, "", "/ad/1: cannot read null as opt.Val[int]"},
	{"structs in maps", `{"ae":{"x":null}}`, "", "/ae/x: cannot read null as weft_test.strictPart"},
	{"pointers in maps", `{"af":{"x":null}}`, "", "/af/x: cannot read null as *string"},
	{"elements of a nullable list", `{"aa":[null]}`, "", "/aa/0: cannot read null as string"},
	{"values of a nullable map", `{"ab":{"a":null}}`, "", "/ab/a: cannot read null as string"},
	{"below a nullable pointer", `{"ac":{"s":null}}`, "", "/ac/s: cannot read null as string"},
	{"the value itself", `null`, "", ": cannot read null as weft_test.strictModel"},

	{"any", `{"a":null}`, `{}`, ""},
	{"maps of any", `{"h":{"a":null}}`, "", ""},
	{"value.Value", `{"v":{"a":null}}`, "", ""},
	{"opt.Null", `{"x":null}`, `{}`, ""},
	{"opt.Field", `{"y":null}`, "", ""},
	{"opt.Null in lists", `{"w":[1,null]}`, "", ""},
	{"nullable lists", `{"aa":null}`, `{}`, ""},
	{"nullable maps", `{"ab":null}`, `{}`, ""},
	{"nullable pointers", `{"ac":null}`, `{}`, ""},
	{"structs without rules", `{"r":{"s":null}}`, `{}`, ""},

	{"members as usual", `{"s":"a","i":1,"u":2,"f":0.5,"n":3,"e":"cat","l":["b"],"j":[1,2],"k":[["c"]],"m":{"d":4},` +
		`"g":{"e":["f"]},"p":{"s":"g"},"q":5,"o":"h","x":6,"y":"i","z":["j"],"w":[7],"c":[{"s":"k"}],"r":{"s":"l"},` +
		`"aa":["m"],"ab":{"n":"o"},"ac":{"s":"p"},"ad":[8],"ae":{"q":{"s":"r"}},"af":{"s":"t"}}`, "", ""},
	{"large integers in any", `{"a":9007199254740993,"h":{"b":[9007199254740993]}}`, "", ""},
	{"unsigned integers in any", `{"a":18446744073709551615}`, "", ""},
	{"names in another case", `{"S":"x","AA":["y"]}`, `{}`, ""},
	{"a string for a number", `{"n":"1"}`, "", "/n: "},
}

// A strict type takes null where its Go type has a place for it, keeps numbers, and compares names as they are.
func TestStrictReads(t *testing.T) {
	for _, f := range strictFormats {
		for _, r := range strictRows {
			t.Run(f.Name()+"/"+r.name, func(t *testing.T) {
				var in value.Value
				if err := json.Unmarshal([]byte(r.in), &in); err != nil {
					t.Fatal(err)
				}
				b, err := f.MarshalAppend(nil, in)
				if err != nil {
					t.Fatal(err)
				}
				for _, opts := range [][]weft.Options{nil, {weft.RejectDuplicates(true)}, {weft.FoldNames(true)}} {
					var v strictModel
					err = f.Unmarshal(b, &v, opts...)
					if r.err != "" {
						at, ok := errors.AsType[*weft.Error](err)
						if !ok || !strings.HasPrefix(at.Path+": "+at.Err.Error(), r.err) {
							t.Fatalf("%v, want %s", err, r.err)
						}
						if f.Name() != "value" && (at.Offset < 0 || at.Offset >= int64(len(b))) {
							t.Errorf("offset %d of %d bytes", at.Offset, len(b))
						}
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					out, err := f.MarshalAppend(nil, &v)
					if err != nil {
						t.Fatal(err)
					}
					var back, want value.Value
					if err := f.Unmarshal(out, &back); err != nil && f.Name() != "value" {
						t.Fatal(err)
					}
					if f.Name() == "value" {
						back, _ = value.Marshal(&v)
					}
					text := r.out
					if text == "" {
						text = r.in
					}
					if err := json.Unmarshal([]byte(text), &want); err != nil || !value.Equal(back, want) {
						t.Errorf("%v, want %v", back, want)
					}
				}
			})
		}
	}
}

// strictFormats are the formats that strict types are read and written by.
var strictFormats = append(formats[:len(formats):len(formats)], tagged.Framed, valueFormat{})

// strictNil has what is nil where there is no place for that.
type (
	nilList    struct{ V []string }
	nilInts    struct{ V []int }
	nilLists   struct{ V [][]string }
	nilBytes   struct{ V []byte }
	nilMap     struct{ V map[string]int }
	nilAnyMap  struct{ V map[string]any }
	nilMaps    struct{ V map[string]plainPart }
	nilPointer struct{ V *plainPart }
	nilScalar  struct{ V *int }
	nilFace    struct{ V fmt.Stringer }
	nilAny     struct{ V any }
	nilLeft    struct {
		V *plainPart `json:",omitempty"`
		W []int      `json:",omitzero"`
	}
	nilAllowed struct {
		V []string       `check:"nullable"`
		W map[string]int `check:"nullable"`
		X *plainPart     `check:"nullable"`
		Y fmt.Stringer   `check:"nullable"`
	}
	nilItems struct {
		V []*plainPart
	}
	nilMembers struct {
		V map[string]*int
	}
	nilBelow struct {
		V []opt.Val[map[string][]int]
	}
)

func (nilList) WeftRules() weft.Rules    { return weft.Rules{Strict: true} }
func (nilInts) WeftRules() weft.Rules    { return weft.Rules{Strict: true} }
func (nilLists) WeftRules() weft.Rules   { return weft.Rules{Strict: true} }
func (nilBytes) WeftRules() weft.Rules   { return weft.Rules{Strict: true} }
func (nilMap) WeftRules() weft.Rules     { return weft.Rules{Strict: true} }
func (nilAnyMap) WeftRules() weft.Rules  { return weft.Rules{Strict: true} }
func (nilMaps) WeftRules() weft.Rules    { return weft.Rules{Strict: true} }
func (nilPointer) WeftRules() weft.Rules { return weft.Rules{Strict: true} }
func (nilScalar) WeftRules() weft.Rules  { return weft.Rules{Strict: true} }
func (nilFace) WeftRules() weft.Rules    { return weft.Rules{Strict: true} }
func (nilAny) WeftRules() weft.Rules     { return weft.Rules{Strict: true} }
func (nilLeft) WeftRules() weft.Rules    { return weft.Rules{Strict: true} }
func (nilAllowed) WeftRules() weft.Rules { return weft.Rules{Strict: true} }
func (nilItems) WeftRules() weft.Rules   { return weft.Rules{Strict: true} }
func (nilMembers) WeftRules() weft.Rules { return weft.Rules{Strict: true} }
func (nilBelow) WeftRules() weft.Rules   { return weft.Rules{Strict: true} }

// Of a strict type what is nil is written as what is empty, or is an error.
func TestStrictWrites(t *testing.T) {
	for _, r := range []struct {
		v         any
		want, err string
	}{
		{&nilList{}, `{"V":[]}`, ""},
		{&nilInts{}, `{"V":[]}`, ""},
		{&nilLists{}, `{"V":[]}`, ""},
		{&nilLists{[][]string{nil, {"a"}}}, `{"V":[[],["a"]]}`, ""},
		{&nilBytes{}, `{"V":""}`, ""},
		{&nilMap{}, `{"V":{}}`, ""},
		{&nilAnyMap{}, `{"V":{}}`, ""},
		{&nilMaps{}, `{"V":{}}`, ""},
		{&nilPointer{}, "", "at /V: must have plainPart set"},
		{&nilScalar{}, "", "at /V: must have int set"},
		{&nilFace{}, "", "at /V: must have Stringer set"},
		{&nilAny{}, `{"V":null}`, ""},
		{&nilLeft{}, `{}`, ""},
		{&nilAllowed{}, `{"V":null,"W":null,"X":null,"Y":null}`, ""},
		{&nilItems{[]*plainPart{{S: "a"}, nil}}, "", "at /V/1: must have plainPart set"},
		{&nilMembers{map[string]*int{"a/b": nil}}, "", "at /V/a~1b: must have int set"},
		{&nilBelow{[]opt.Val[map[string][]int]{opt.ValOf(map[string][]int{"a": nil})}}, `{"V":[{"a":[]}]}`, ""},
		{[]any{map[string]any{"x": &nilPointer{}}}, "", "at /0/x/V: must have plainPart set"},
		{map[string]nilPointer{"x": {}}, "", "at /x/V: must have plainPart set"},
		{struct{ A nilPointer }{}, "", "at /A/V: must have plainPart set"},
	} {
		t.Run(r.want, func(t *testing.T) {
			for _, f := range strictFormats {
				b, err := f.MarshalAppend(nil, r.v)
				if r.err != "" {
					if err == nil || err.Error() != f.Name()+": "+r.err {
						t.Errorf("%s: %+v: %s, %v, want %s", f.Name(), r.v, b, err, r.err)
					}
					continue
				}
				var got, want value.Value
				if err == nil {
					err = f.Unmarshal(b, &got)
				}
				wantErr := json.Unmarshal([]byte(r.want), &want)
				if v, _ := got.Get("V"); v.Kind() == value.KindBytes {
					got = want // no bytes, in a format that has them
				}
				if err != nil || wantErr != nil || !got.Equal(want) {
					t.Errorf("%s: %+v: %v, %v, want %s", f.Name(), r.v, got, err, r.want)
				}
			}
		})
	}
}

// strictSelf has the methods that models have for encoding/json, and some that would say another thing.
type strictSelf struct {
	Name string             `json:"name"`
	Kind strictText         `json:"kind"`
	More []*strictSelf      `json:"more,omitzero"`
	Keys map[strictText]int `json:"keys,omitzero"`
}

func (strictSelf) WeftRules() weft.Rules            { return weft.Rules{Strict: true} }
func (s strictSelf) MarshalJSON() ([]byte, error)   { return json.Marshal(s) }
func (s *strictSelf) UnmarshalJSON(b []byte) error  { return json.Unmarshal(b, s) }
func (s strictSelf) MarshalBinary() ([]byte, error) { return nil, errors.New("not to be called") }
func (s *strictSelf) UnmarshalBinary([]byte) error  { return errors.New("not to be called") }

type strictText string

func (strictText) WeftRules() weft.Rules            { return weft.Rules{Strict: true} }
func (strictText) MarshalText() ([]byte, error)     { return nil, errors.New("not to be called") }
func (*strictText) UnmarshalText(text []byte) error { return errors.New("not to be called") }

// outerSelf has the methods of what it embeds, and with them its form, but not its rules.
type outerSelf struct {
	strictSelf
	Other string
}

// ownSelf embeds a model and declares rules itself.
type ownSelf struct {
	plainSelf
	Other string `json:"other"`
}

type plainSelf struct{ Name string }

func (plainSelf) WeftRules() weft.Rules { return weft.Rules{} }
func (ownSelf) WeftRules() weft.Rules   { return weft.Rules{Strict: true} }

// The methods of a strict type are for other packages: no format calls them, at the top or below.
func TestStrictMethods(t *testing.T) {
	v := strictSelf{Name: "a", Kind: "b", More: []*strictSelf{{Name: "c", Kind: "d"}}, Keys: map[strictText]int{"e": 1}}
	const text = `{"name":"a","kind":"b","more":[{"name":"c","kind":"d"}],"keys":{"e":1}}`
	for _, f := range strictFormats {
		for _, in := range []any{v, &v, map[string]strictSelf{"x": v}, []*strictSelf{&v}, []any{v, &v}} {
			b, err := f.MarshalAppend(nil, in)
			if err != nil {
				t.Errorf("%s: %T: %v", f.Name(), in, err)
				continue
			}
			out := reflect.New(reflect.TypeOf(in))
			if err := f.Unmarshal(b, out.Interface()); err != nil {
				t.Errorf("%s: %T: %v", f.Name(), in, err)
			} else if _, dynamic := in.([]any); !dynamic && !reflect.DeepEqual(out.Elem().Interface(), in) {
				t.Errorf("%s: %+v, want %+v", f.Name(), out.Elem(), in)
			}
		}
	}
	for _, in := range []any{v, &v, struct{ V strictSelf }{v}, []*strictSelf{&v}, outerSelf{v, "x"}} {
		want := text
		switch in.(type) {
		case struct{ V strictSelf }:
			want = `{"V":` + text + `}`
		case []*strictSelf:
			want = `[` + text + `]`
		}
		for name, marshal := range map[string]func(any) ([]byte, error){"encoding/json": stdjson.Marshal, "json": json.Marshal} {
			b, err := marshal(in)
			if err != nil || string(b) != want {
				t.Errorf("%s: %T: %s, %v, want %s", name, in, b, err, want)
			}
		}
		for name, unmarshal := range map[string]func([]byte, any) error{"encoding/json": stdjson.Unmarshal, "json": json.Unmarshal} {
			out := reflect.New(reflect.TypeOf(in))
			if err := unmarshal([]byte(want), out.Interface()); err != nil {
				t.Errorf("%s: %T: %v", name, in, err)
			}
			bad := strings.Replace(want, `"a"`, "null", 1)
			if err := unmarshal([]byte(bad), out.Interface()); err == nil || !strings.Contains(err.Error(), "at /") {
				t.Errorf("%s: %T: null is taken: %v", name, in, err)
			}
		}
	}
	type outer struct {
		strictPart
		More []string
	}
	for _, f := range strictFormats {
		b, err := f.MarshalAppend(nil, &outer{})
		if err == nil {
			err = f.Unmarshal(b, &outer{})
		}
		if err != nil {
			t.Errorf("%s: an embedded model makes its struct strict: %v", f.Name(), err)
		}
		b, _ = f.MarshalAppend(nil, map[string]any{"Name": "a", "other": nil})
		if err := f.Unmarshal(b, &ownSelf{}); err == nil || !strings.Contains(err.Error(), "at /other") {
			t.Errorf("%s: a struct that embeds rules does not have its own: %v", f.Name(), err)
		}
	}
}

// Of several records in frames, whose members are read column by column, the one is told that has a null.
func TestStrictInFrames(t *testing.T) {
	for _, r := range strictRows {
		t.Run(r.name, func(t *testing.T) {
			var in value.Value
			if err := json.Unmarshal([]byte(r.in), &in); err != nil {
				t.Fatal(err)
			}
			b, err := tagged.MarshalFramed([]value.Value{value.Map(), in, value.Map()})
			if err != nil {
				t.Fatal(err)
			}
			var out []strictModel
			err = tagged.UnmarshalFramed(b, &out)
			if r.err == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			at, ok := errors.AsType[*weft.Error](err)
			if !ok || !strings.HasPrefix(at.Path+": "+at.Err.Error(), "/1"+r.err) || at.Offset < 0 {
				t.Errorf("%v, want /1%s", err, r.err)
			}
		})
	}
}

// Validate tells what is nil and must not be.
func TestStrictValidate(t *testing.T) {
	for _, r := range []struct {
		v    any
		want string
	}{
		{&nilPointer{}, "at /V: must have plainPart set"},
		{&nilScalar{}, "at /V: must have int set"},
		{&nilFace{}, "at /V: must have Stringer set"},
		{&nilItems{[]*plainPart{{}, nil}}, "at /V/1: must have plainPart set"},
		{&nilMembers{map[string]*int{"a": nil}}, "at /V/a: must have int set"},
		{&nilAllowed{}, ""}, {&nilLeft{}, ""}, {&nilList{}, ""}, {&nilAny{}, ""}, {&struct{ V *int }{}, ""},
	} {
		t.Run(fmt.Sprintf("%T", r.v), func(t *testing.T) {
			err := schema.Validate(r.v)
			if (err == nil) != (r.want == "") || err != nil && err.Error() != r.want {
				t.Errorf("%+v: %v, want %s", r.v, err, r.want)
			}
		})
	}
}
