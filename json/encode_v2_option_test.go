package json_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
	"github.com/weftcodec/weft/json/legacy"
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
		t.Run(c.want, func(t *testing.T) {
			if b, err := json.MarshalWith(c.v, json.V2()); err != nil || string(b) != c.want {
				t.Errorf("%+v is %s, %v, want %s", c.v, b, err, c.want)
			}
		})
	}
}

type (
	emptySome  struct{ A, B string }
	emptyNone  struct{}
	emptyMaybe struct {
		A string `json:",omitempty"`
	}
	emptyNested struct {
		M *emptyMaybe `json:",omitempty"`
	}
	emptyText   string
	emptyOnPtr  int
	emptySelf   *emptySelf
	emptyInline struct {
		*emptyMaybe
		X map[string]int `json:",embed"`
	}
)

func (t emptyText) MarshalJSON() ([]byte, error) { return []byte(t), nil }

func (n *emptyOnPtr) MarshalText() ([]byte, error) { return []byte("1"[:min(int(*n), 1)]), nil }

// TestV2OmitEmpty: a member with omitempty is left out if and only if its value is written as null, "", [] or {}.
func TestV2OmitEmpty(t *testing.T) {
	some, none, n, zero, at := "x", "", 1, 0, time.Unix(0, 0).UTC()
	var self emptySelf
	values := []any{
		"", "x", 0, 1, false, true, 0.0, 1.5, uint8(0), int16(3), 'x', time.Duration(0), at, time.Time{},
		[]string(nil), []string{}, []string{"", "x"}, []int{}, []int{0}, []byte(nil), []byte{}, []byte{1},
		[0]int{}, [1]int{}, [0]byte{}, [2]byte{},
		map[string]int(nil), map[string]int{}, map[string]int{"": 0}, map[int]string{}, map[int]string{1: ""},
		&some, &none, &n, &zero, &at, (*string)(nil), (*int)(nil), pointerTo(&none), pointerTo(&n), pointerTo((*int)(nil)),
		self, &self, emptySome{}, &emptySome{}, (*emptySome)(nil), emptyNone{}, &emptyNone{},
		emptyMaybe{}, emptyMaybe{"x"}, &emptyMaybe{}, &emptyMaybe{"x"},
		emptyNested{}, emptyNested{&emptyMaybe{}}, emptyNested{&emptyMaybe{"x"}},
		emptyInline{}, emptyInline{X: map[string]int{"x": 1}},
		emptyText(`""`), emptyText(`{ }`), emptyText("null"), emptyText("0"), pointerTo(emptyText(" [] ")),
		emptyOnPtr(0), emptyOnPtr(1), pointerTo(emptyOnPtr(0)), pointerTo(emptyOnPtr(1)), []emptyOnPtr{},
		json.RawMessage(nil), json.RawMessage(`""`), json.RawMessage("1"), jsontext.Value(`{ }`),
		json.Number(""), json.Number("0"), map[string]emptyText{}, pointerTo(emptyText("[0]")),
		[]any{nil}, []any{""}, []any{[]int{}}, []any{map[string]any{}}, []any{0}, []any{&none},
		[]any{emptyMaybe{}}, []any{emptySome{}},
	}
	options := map[string][]json.Options{
		"":        nil,
		"null":    {json.FormatNilSliceAsNull(true), json.FormatNilMapAsNull(true)},
		"zero":    {json.OmitZeroStructFields(true)},
		"numbers": {json.StringifyNumbers(true)},
		"time":    {json.FormatTime("2006"), json.FormatBytes("hex")},
		"methods": {legacy.CallMethodsWithLegacySemantics(true)},
		"functions": {json.WithMarshalers(json.JoinMarshalers(
			json.MarshalFunc(func(s string) ([]byte, error) { return []byte(`"` + strings.Repeat("y", 1-len(s)) + `"`), nil }),
			json.MarshalFunc(func(n int) ([]byte, error) { return []byte("[1]{}"[3*(1-n) : 5-2*n]), nil }),
		))},
	}
	for name, opts := range options {
		t.Run(name, func(t *testing.T) {
			opts = append([]json.Options{json.V2(), json.FormatDuration("nano")}, opts...)
			for _, v := range values {
				typ, in := reflect.TypeOf(v), reflect.ValueOf(v)
				if l, ok := v.([]any); ok { // an interface
					typ, in = reflect.TypeFor[any](), reflect.ValueOf(l).Index(0)
				}
				for _, long := range []string{"f", strings.Repeat("f", 40)} {
					fields := []reflect.StructField{
						{Name: "A", Type: reflect.TypeFor[string](), Tag: `json:",omitempty"`},
						{Name: "F", Type: typ, Tag: reflect.StructTag(`json:"` + long + `,omitempty"`)},
						{Name: "Z", Type: reflect.TypeFor[emptySome](), Tag: `json:",omitempty"`},
					}
					with := reflect.New(reflect.StructOf(fields)).Elem()
					fields[1].Tag = reflect.StructTag(`json:"` + long + `"`)
					without := reflect.New(reflect.StructOf(fields)).Elem()
					with.Field(1).Set(in)
					without.Field(1).Set(in)
					for _, addressed := range []bool{false, true} {
						all, some := without.Interface(), with.Interface()
						if addressed {
							all, some = without.Addr().Interface(), with.Addr().Interface()
						}
						text, err := json.MarshalWith(all, opts...)
						want := string(text)
						for _, empty := range []string{"null", `""`, "[]", "{}"} {
							member := `"` + long + `":` + empty
							want = strings.NewReplacer(member+`,"Z"`, `"Z"`, ","+member, "", "{"+member+"}", "{}").Replace(want)
						}
						got, err2 := json.MarshalWith(some, opts...)
						if string(got) != want || (err == nil) != (err2 == nil) {
							t.Errorf("%s: %v %v: %s, %v, want %s, %v", name, typ, in, got, err2, want, err)
						}
					}
				}
			}
		})
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
		got, err := json.MarshalWith(quoted{c.in}, jsontext.AllowInvalidUTF8(false))
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q: %s, %v, want %s", c.in, got, err, c.want)
		}
	}
}
