package weft_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/value"
)

func TestUnionRead(t *testing.T) {
	pair := []lawShape{lawCircle{1}, lawCircle{2}}
	tests := []struct {
		in   string
		want lawShape
		err  string // in the error
	}{
		{`{"type":"circle","radius":2}`, lawCircle{2}, ""},
		{`{"radius":2,"type":"circle"}`, lawCircle{2}, ""},
		{`{"radius":2,"more":{"type":"nothing"},"type":"circle"}`, lawCircle{2}, ""},
		{`{"type":"nothing","radius":2}`, lawNothing{}, ""},
		{`{"of":[{"radius":1,"type":"circle"},{"radius":2,"type":"circle"}],"type":"group"}`, &lawGroup{Of: pair}, ""},
		{`null`, nil, ""},
		{`{"type":"hexagon"}`, nil, `must be a variant of weft_test.lawShape: "type" is "hexagon", not one of circle, group, nothing`},
		{`{"type":7}`, nil, `must be a variant of weft_test.lawShape: "type" is "7", not one of`},
		{`{"radius":2}`, nil, `missing required member "type"`},
		{`{"type":null}`, nil, "/type, offset 8: cannot read null as string"},
		{`{"type":{}}`, nil, "cannot read object as string"},
		{`[]`, nil, "as object"},
		{`"circle"`, nil, "as object"},
		{`{"type":"circle","radius":"2"}`, nil, "/radius"},
		{`{"type":"group","of":[{"type":"circle"},{"type":"x"}]}`, nil, "/of/1"},
		{`{"type":"circle",}`, nil, "invalid character"},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			check := func(format string, got lawShape, err error) {
				t.Helper()
				if tt.err == "" && (err != nil || !reflect.DeepEqual(got, tt.want)) {
					t.Errorf("%s: %s: %v, %v", format, tt.in, got, err)
				}
				if tt.err != "" && (err == nil || format == "json" && !strings.Contains(err.Error(), tt.err)) {
					t.Errorf("%s: %s: error %v, want %q", format, tt.in, err, tt.err)
				}
			}
			var got lawShape
			err := json.Unmarshal([]byte(tt.in), &got)
			check("json", got, err)
			packed, err := weft.Transcode(nil, msgpack.Format, []byte(tt.in), json.Format)
			if err != nil {
				return
			}
			got = nil
			err = msgpack.Unmarshal(packed, &got)
			check("msgpack", got, err)
			var v value.Value
			if err := json.Unmarshal([]byte(tt.in), &v); err != nil {
				t.Fatal(err)
			}
			got = nil
			err = value.Unmarshal(v, &got)
			check("value", got, err)
		})
	}
}

func TestUnionUnknownMember(t *testing.T) {
	// The tag is known, whatever else is not.
	strict := weft.RejectUnknown(true)
	for _, in := range []string{`{"radius":1,"type":"circle"}`, `{"type":"circle","radius":1}`} {
		b, err := weft.Transcode(nil, msgpack.Format, []byte(in), json.Format)
		var s lawShape
		if err == nil {
			err = msgpack.Unmarshal(b, &s, strict)
		}
		if err != nil || s != lawShape(lawCircle{1}) {
			t.Errorf("%s: %v, %v", in, s, err)
		}
	}
	var s lawShape
	if err := json.UnmarshalWith([]byte(`{"type":"circle","radius":1}`), &s, strict); err != nil {
		t.Error(err)
	}
	if err := json.UnmarshalWith([]byte(`{"type":"circle","radios":1}`), &s, strict); err == nil {
		t.Error("an unknown member was accepted")
	}
	if err := json.UnmarshalWith([]byte(`{"type":"group","main":{"type":"circle"},"of":[{"type":"group","typo":1}]}`), &s,
		strict); err == nil {
		t.Error("an unknown member was accepted below")
	}
}

type unionRest interface{ rest() }

type keepsRest struct {
	A    int            `weft:"a"`
	Rest map[string]int `weft:",inline"`
}

func (keepsRest) rest() {}

func TestUnionRest(t *testing.T) {
	// A variant that keeps unknown members does not keep the tag.
	codecs := weft.Codecs(weft.Union[unionRest](weft.Flat("t"), weft.Variant[keepsRest]("keeps")))
	want := []unionRest{keepsRest{1, map[string]int{"b": 2}}}
	b, err := msgpack.Marshal(want, codecs)
	var got []unionRest
	if err == nil {
		err = msgpack.Unmarshal(b, &got, codecs)
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q: %v, %v", b, got, err)
	}
	v, err := value.MarshalWith(want, codecs)
	got = nil
	if err == nil {
		err = value.UnmarshalWith(v, &got, codecs)
	}
	if err != nil || !reflect.DeepEqual(got, want) || v.String() != `[{"t":"keeps","a":1,"b":2}]` {
		t.Errorf("%v: %v, %v", v, got, err)
	}
}

type unlisted struct{}

func (unlisted) WeftUnion() (u lawShapes) { return u }

type scalarAnimal int

func (scalarAnimal) Legs() int { return 3 }

func TestUnionWrite(t *testing.T) {
	flat := weft.Codecs(weft.Union[lawAnimal](weft.Flat("kind"), weft.Variant[lawDog]("dog"), weft.Variant[scalarAnimal]("scalar")))
	tests := []struct {
		v    any
		want string // in the error
	}{
		{[]lawShape{unlisted{}}, `must be a variant of weft_test.lawShape, not weft_test.unlisted: circle`},
		{[]lawAnimal{scalarAnimal(1)}, "must be written as an object"},
		{[]lawShape{(*lawGroup)(nil)}, "must be written as an object"},
		{lawEvent{}, "no variant is set"},
		{&lawEvent{Created: new(lawDog), Moved: new(lawPoint)}, "more than one variant is set"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			for _, f := range lawFormats {
				if _, err := f.marshal(tt.v, flat); err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%s: %T: %v", f.name, tt.v, err)
				}
			}
		})
	}
	// A variant that is a struct is written behind a pointer too.
	b, err := json.MarshalWith([]lawAnimal{&lawDog{"Rex"}, lawDog{}}, flat)
	if err != nil || string(b) != `[{"kind":"dog","name":"Rex"},{"kind":"dog","name":""}]` {
		t.Errorf("%s %v", b, err)
	}
	var unknown *weft.ChoiceError
	err = json.UnmarshalWith([]byte(`[{"kind":"cow"}]`), new([]lawAnimal), flat)
	if !errors.As(err, &unknown) || unknown.Value != "cow" || unknown.Member != "kind" ||
		!reflect.DeepEqual(unknown.Variants, []string{"dog", "scalar"}) {
		t.Error(err)
	}
}

// TestUnionLarge grows the header of a MessagePack map over its sizes.
func TestUnionLarge(t *testing.T) {
	codecs := weft.Codecs(weft.Union[unionRest](weft.Flat("t"), weft.Variant[keepsRest]("keeps")))
	for _, n := range []int{0, 13, 14, 15, 65533, 65534, 65535} {
		v := keepsRest{Rest: map[string]int{}}
		for i := range n {
			v.Rest[string(rune(i+0x10000))] = i
		}
		want := unionRest(v)
		b, err := msgpack.Marshal(&want, codecs)
		if err != nil {
			t.Fatal(err)
		}
		var got unionRest
		if err := msgpack.Unmarshal(b, &got, codecs); err != nil || len(got.(keepsRest).Rest) != n {
			t.Errorf("%d members: %v", n, err)
		}
	}
}

type (
	lawPay  interface{ pay() }
	lawType struct {
		Type string `json:"type"`
	}
	lawCard struct {
		lawType
		N int `json:"n"`
	}
	lawBank struct {
		*LawBranch
		IBAN string `json:"iban"`
	}
	LawBranch struct {
		Type opt.Field[string] `json:"type"`
		Code int               `json:"code"`
	}
	lawLevel4 struct {
		Type *uint8 `json:"type"`
	}
	lawCash struct{}
	lawPays struct {
		_    struct{}   `weft:",union:type"`
		Card *lawCard   `json:"card"`
		Four *lawLevel4 `json:"4"`
	}
)

func (lawCard) pay()    {}
func (lawBank) pay()    {}
func (*lawLevel4) pay() {}
func (lawCash) pay()    {}

// TestUnionTagField: the field of a variant for its name is filled when it is empty,
// in a copy, and may not contradict the variant.
func TestUnionTagField(t *testing.T) {
	codecs := weft.Codecs(weft.Union[lawPay](weft.Flat("type"), weft.Variant[lawCard]("card", "visa"), weft.Variant[lawBank]("bank"),
		weft.Variant[*lawLevel4]("4", "5"), weft.Variant[lawCash]("cash", "coins")))
	five, six := uint8(5), uint8(6)
	for _, tt := range []struct {
		v    func() any
		text string // as JSON
		want string // the error
	}{
		{func() any { return &[]lawPay{lawCard{N: 1}} }, `[{"type":"card","n":1}]`, ""},
		{func() any { return &[]lawPay{&lawCard{lawType{"visa"}, 1}} }, `[{"type":"visa","n":1}]`, ""},
		{func() any { return &[]lawPay{lawCard{lawType{"bank"}, 1}} }, "", `/type: must be "card" or "visa" in weft_test.lawCard, not "bank"`},
		{func() any { return &[]lawPay{lawBank{nil, "x"}} }, `[{"type":"bank","code":0,"iban":"x"}]`, ""},
		{func() any { return &[]lawPay{lawBank{&LawBranch{Code: 1}, "x"}} }, `[{"type":"bank","code":1,"iban":"x"}]`, ""},
		{func() any { return &[]lawPay{lawBank{&LawBranch{Type: opt.FieldOf("card")}, "x"}} }, "", `/type: must be "bank" in`},
		{func() any { return &[]lawPay{&lawLevel4{}} }, `[{"type":4}]`, ""},
		{func() any { return &[]lawPay{&lawLevel4{&five}} }, `[{"type":5}]`, ""},
		{func() any { return &[]lawPay{&lawLevel4{&six}} }, "", `/type: must be "4" or "5" in`},
		{func() any { return &[]lawPay{(*lawLevel4)(nil)} }, "", "must be written as an object"},
		{func() any { return &[]lawPay{lawCash{}} }, `[{"type":"cash"}]`, ""},
		{func() any { return &[]lawPays{{Card: new(lawCard)}, {Four: new(lawLevel4)}} }, `[{"type":"card","n":0},{"type":4}]`, ""},
		{func() any { return &[]lawPays{{Card: &lawCard{lawType: lawType{"visa"}}}} }, "", `/type: must be "card" in`},
	} {
		t.Run(tt.text, func(t *testing.T) {
			for _, f := range lawFormats {
				v := tt.v()
				b, err := f.marshal(v, codecs)
				if tt.want != "" {
					if err == nil || !strings.Contains(err.Error(), tt.want) {
						t.Errorf("%s: %s: %q, error %v", f.name, tt.want, b, err)
					}
					continue
				}
				got := reflect.New(reflect.TypeOf(v).Elem()).Interface()
				if err == nil {
					err = f.unmarshal(b, got, codecs)
				}
				text, err2 := json.MarshalWith(got, codecs)
				if err != nil || err2 != nil || string(text) != tt.text {
					t.Errorf("%s: %s: read back as %s, %v, %v", f.name, tt.text, text, err, err2)
				}
				if !reflect.DeepEqual(v, tt.v()) {
					t.Errorf("%s: %s: the value has changed", f.name, tt.text)
				}
			}
		})
	}
	// What is read by another name is written by it where a field keeps it.
	in := `[{"n":1,"type":"visa"},{"type":5},{"type":"coins"}]`
	var list []lawPay
	err := json.UnmarshalWith([]byte(in), &list, codecs)
	text, err2 := json.MarshalWith(list, codecs)
	if err != nil || err2 != nil || string(text) != `[{"type":"visa","n":1},{"type":5},{"type":"cash"}]` {
		t.Errorf("%s, %v, %v", text, err, err2)
	}
}

func TestUnionPanics(t *testing.T) {
	type other interface{ Other() }
	type hasKind struct {
		lawDog
		Kind []string `json:"kind"`
	}
	tests := map[string]func(){
		"no interface":      func() { weft.Union[lawDog](weft.Flat("t")) },
		"no layout":         func() { weft.Union[lawAnimal](backend.Layout{}) },
		"no defined type":   func() { weft.Adapt(func(int) string { return "" }, func(string) (int, error) { return 0, nil }) },
		"no implementation": func() { weft.Union[other](weft.Flat("t"), weft.Variant[lawDog]("dog")) },
		"same name":         func() { weft.Union[lawAnimal](weft.Flat("t"), weft.Variant[lawDog]("a"), weft.Variant[lawFish]("a")) },
		"same type":         func() { weft.Union[lawAnimal](weft.Flat("t"), weft.Variant[lawDog]("a"), weft.Variant[lawDog]("b")) },
		"member":            func() { weft.Union[lawAnimal](weft.Flat("kind"), weft.Variant[hasKind]("a")) },
		"same other name":   func() { weft.Union[lawAnimal](weft.Flat("t"), weft.Variant[lawDog]("a", "b", "a")) },
		"no number":         func() { weft.Union[lawPay](weft.Flat("type"), weft.Variant[*lawLevel4]("four")) },
		"other type": func() {
			weft.KeyCodec(lawPoint.key, parseLawPoint).AsKey(weft.KeyCodec(lawLevel.String, parseLawLevel))
		},
		"no keys": func() {
			levels := weft.CodecFor(func(*weft.Encoder, lawLevel) error { return nil }, func(*weft.Decoder) (lawLevel, error) { return 0, nil })
			levels.AsKey(levels)
		},
	}
	for name, f := range tests {
		t.Run(name, func(t *testing.T) {
			func() {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				f()
			}()
		})
	}
}

// TestUnionDeep reads unions in unions whose tags come last, many enough for what
// stands on the way to be remembered.
func TestUnionDeep(t *testing.T) {
	const n = 3000
	last := strings.Repeat(`{"of":[ {"type":"circle","radius":1}, `, n) + `{"type":"nothing"}` +
		strings.Repeat(`] , "main":null,"type":"group"}`, n)
	first := strings.Repeat(`{"type":"group","of":[{"type":"circle","radius":1},`, n) + `{"type":"nothing"}` +
		strings.Repeat(`],"main":null}`, n)
	var want lawShape
	if err := json.Unmarshal([]byte(first), &want); err != nil {
		t.Fatal(err)
	}
	for range 2 { // nothing is left of the first time
		var got lawShape
		if err := json.Unmarshal([]byte(last), &got); err != nil {
			t.Fatal(err)
		}
		if b, err := json.Marshal(&got); err != nil || string(b) != first {
			t.Fatal("json: read as another", err)
		}
	}
	packed, err := weft.Transcode(nil, msgpack.Format, []byte(last), json.Format)
	if err != nil {
		t.Fatal(err)
	}
	var got lawShape
	if err := msgpack.Unmarshal(packed, &got); err != nil {
		t.Fatal(err)
	}
	if b, err := json.Marshal(&got); err != nil || string(b) != first {
		t.Fatal("msgpack: read as another", err)
	}
	for _, text := range []string{
		strings.Replace(last, "nothing", "nobody", 1),
		strings.Replace(last, `] , "main":null,"type":"group"`, "]", 1),
	} {
		if err := json.Unmarshal([]byte(text), &got); err == nil {
			t.Error("an unknown or missing variant was read")
		}
	}
}

// FuzzUnion reads unions, adapters, tuples and odd keys from anything: what is
// read is written and read as the same.
func FuzzUnion(f *testing.F) {
	for _, c := range lawCases {
		for _, format := range []weft.Format{json.Format, msgpack.Format} {
			b, err := format.MarshalAppend(nil, c.plan, lawCodecs)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range []weft.Format{json.Format, msgpack.Format} {
			for _, v := range []any{new(lawPicture), new(lawZoo), new(lawLog), new(lawTuples), new(lawMaps)} {
				if format.Unmarshal(data, v, lawCodecs) != nil {
					continue
				}
				opts := []weft.Options{lawCodecs, weft.Deterministic(true)}
				once, err := format.MarshalAppend(nil, v, opts...)
				if err != nil {
					continue // such as a NaN in JSON, or a union without a variant
				}
				again := reflect.New(reflect.TypeOf(v).Elem()).Interface()
				if err := format.Unmarshal(once, again, lawCodecs); err != nil {
					t.Fatalf("%T: %q: %v", v, once, err)
				}
				twice, err := format.MarshalAppend(nil, again, opts...)
				if err != nil || !bytes.Equal(once, twice) {
					t.Fatalf("%T: %q, then %q, %v", v, once, twice, err)
				}
			}
		}
	})
}
