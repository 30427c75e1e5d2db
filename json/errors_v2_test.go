package json_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
)

type (
	restText struct {
		A string         `json:"a,omitzero"`
		X jsontext.Value `json:",embed"`
	}
	restRaw struct {
		A string          `json:"a,omitzero,case:ignore"`
		X json.RawMessage `json:",embed"`
	}
	restPointer struct {
		X *map[string]int `json:",embed"`
	}
	restTextPointer struct {
		X *jsontext.Value `json:",embed"`
	}
	restFold struct {
		A int            `json:"a,case:ignore"`
		X map[string]int `json:",embed"`
	}
	restDeep struct {
		N any
		X map[string]any `json:",embed"`
	}
	timeOwn  struct{ time.Time } // its pointer has a method of its own
	timeWeft struct{ time.Time }
	timeLeft struct {
		T timeEmpty `json:",omitempty"`
	}
	timeEmpty    struct{ time.Time }
	hiddenString string
	taggedHidden struct {
		hiddenString `json:"name"`
	}
	embedsFormatted struct{ formatted }
	formatted       struct {
		B []byte `json:",format:hex"`
	}
	embedsNothing struct {
		//lint:ignore U1000 reflection sees it
		secret
	}
	secret      struct{ _ int }
	embedsTwice struct {
		//lint:ignore U1000 reflection sees it
		embedsNothing
		A int `json:"B"`
		B int
	}
	nilFormatted struct {
		A []keyByte `json:",format:emitnull"`
		B []keyByte `json:",format:emitempty"`
	}
	keyByte byte
	inlined struct {
		X map[string]int `json:",inline"`
	}
	keyInt  int16
	chained struct {
		N    int      `json:",omitempty"`
		Next *chained `json:",omitempty"`
	}
)

// rawName is the text of a name.
type rawName string

func (n rawName) MarshalJSONTo(e *jsontext.Encoder) error { return e.WriteValue(jsontext.Value(n)) }

// htmlName is a name that is written with its own options.
type htmlName string

func (n htmlName) MarshalJSONTo(e *jsontext.Encoder) error {
	return json.MarshalEncode(e, string(n), json.EscapeForHTML(true))
}

func pointerTo[T any](v T) *T { return &v }

func (*timeOwn) MarshalJSONTo(e *jsontext.Encoder) error {
	return e.WriteToken(jsontext.String("mine"))
}
func (*timeEmpty) MarshalJSONTo(e *jsontext.Encoder) error { return e.WriteToken(jsontext.String("")) }
func (*timeWeft) MarshalWeft(e *weft.Encoder) error        { return e.Value("weft") }

// TestV2Text has a row for what V2 writes.
func TestV2Text(t *testing.T) {
	units, nano, lines := json.FormatDuration("units"), json.FormatDuration("nano"), jsontext.WithIndent(" ")
	twice := map[string]int{"\xfe": 1, "\xff": 1}
	var deep, maps any = []any{}, 1
	for range 11_999 {
		deep = []any{deep}
	}
	for range 1_100 {
		maps = map[string]any{"a": maps}
	}
	tests := []struct {
		name string
		v    any
		opts []json.Options
		want string // of the text, or of the error where that begins with json:
	}{
		{"fallback", restText{"b", jsontext.Value(` { "c" : 1 } `)}, nil, `{"a":"b","c":1}`},
		{"fallback empty", restText{"b", jsontext.Value(` { } `)}, nil, `{"a":"b"}`},
		{"fallback nil", restText{A: "b"}, nil, `{"a":"b"}`},
		{"fallback of spaces", restText{"b", jsontext.Value("  ")}, nil,
			`json: error calling MarshalJSON for type jsontext.Value: unexpected EOF`},
		{"fallback of spaces, RawMessage", restRaw{"b", json.RawMessage("  ")}, nil, `json: error calling MarshalJSON`},
		{"fallback array", restText{"b", jsontext.Value("[]")}, nil, `json: field X of type json_test.restText does not hold an object`},
		{"fallback twice", restText{"b", jsontext.Value(`{"a":1}`)}, nil, `json: at /a: duplicate member name "a"`},
		{"fallback twice inside", restText{"b", jsontext.Value(`{"c":{"d":1,"d":1}}`)}, nil, `json: at /c/d: `},
		{"fallback twice by case", restRaw{"b", json.RawMessage(`{"A":1}`)}, nil, `json: at /A: duplicate member name "A"`},
		{"fallback twice by case, no field", restRaw{"", json.RawMessage(`{"A":1,"a":2}`)}, nil, `json: at /a: duplicate member name "a"`},
		{"fallback twice by case, map", restFold{1, map[string]int{"A": 1}}, nil, `json: at /A: duplicate member name "A"`},
		{"fallback behind a pointer", restPointer{&map[string]int{"a": 1}}, nil, `{"a":1}`},
		{"fallback behind a nil pointer", restPointer{}, nil, `{}`},
		{"fallback text behind a pointer", restTextPointer{pointerTo(jsontext.Value(`{"a":1}`))}, nil, `{"a":1}`},
		{"fallback text behind a nil pointer", restTextPointer{}, nil, `{}`},
		{"no elements and an option that they do not have", struct {
			A [0]string `json:",omitempty,string"`
		}{}, nil, `{}`},
		{"nothing and an option that it does not have", struct {
			A map[string]string `json:",omitempty,string"`
		}{}, nil, `{}`},
		{"a method to read and an option that does not go with it", struct {
			A dValHookUnmarshal `json:",omitempty,string"`
		}{}, nil, `json: at /A: option string needs a number, not json_test.dValHookUnmarshal`},
		{"nil, whose type has such a method, and that option", struct {
			A json.Unmarshaler `json:",string,omitempty"`
		}{}, nil, `{}`},
		{"fallback map twice by U+FFFD", restDeep{1, map[string]any{"a\xff": 1, "a\xfe": 2}}, []json.Options{jsontext.AllowInvalidUTF8(true)},
			"json: at /a\ufffd: duplicate member name"},
		{"fallback map as a member left out", restText{X: jsontext.Value(`{"a":1}`)}, nil, `{"a":1}`},
		{"fallback map beside a member", restDeep{1, map[string]any{"N": 1}}, nil, `json: at /N: duplicate member name "N"`},
		{"fallback maps within each other",
			restDeep{restDeep{1, map[string]any{"a": 1}}, map[string]any{"a": restDeep{2, map[string]any{"a": 1}}}}, nil,
			`{"N":{"N":1,"a":1},"a":{"N":2,"a":1}}`},
		{"fallback beside what is deep", restDeep{deep, map[string]any{"a": 1}}, []json.Options{weft.MaxDepth(20_000)},
			`{"N":` + strings.Repeat("[", 12_000) + strings.Repeat("]", 12_000) + `,"a":1}`},
		{"fallback name beside what is deep", restDeep{deep, map[string]any{"N": 1}}, []json.Options{weft.MaxDepth(20_000)},
			`json: at /N: duplicate member name "N"`},
		{"time with a method of its pointer", &timeOwn{}, nil, `"mine"`},
		{"times with a method of their pointer", []timeOwn{{}}, nil, `["mine"]`},
		{"time with MarshalWeft of its pointer", &timeWeft{}, nil, `"weft"`},
		{"time that its pointer leaves out", &timeLeft{}, nil, `{}`},
		{"maps with a function that declines", maps, []json.Options{json.WithMarshalers(json.MarshalToFunc(
			func(*jsontext.Encoder, map[string]any) error { return errors.ErrUnsupported }))},
			strings.Repeat(`{"a":`, 1_100) + "1" + strings.Repeat("}", 1_100)},
		{"one name by U+FFFD", twice, []json.Options{jsontext.AllowInvalidUTF8(true)}, "json: at /\ufffd: duplicate member name"},
		{"one name by U+FFFD, any", map[string]any{"\xfe": 1, "\xff": 1}, []json.Options{jsontext.AllowInvalidUTF8(true)},
			"json: at /\ufffd: duplicate member name"},
		{"key any of int", map[any]int{1: 2}, nil, `{"1":2}`},
		{"key any of uint", map[any]int{uint8(1): 2}, nil, `{"1":2}`},
		{"key any of a named int", map[any]int{keyInt(1): 2}, nil, `{"1":2}`},
		{"key any of float", map[any]int{1.5: 2}, nil, `{"1.5":2}`},
		{"key any of string", map[any]int{"1": 2}, nil, `{"1":2}`},
		{"key any of bool", map[any]int{true: 2}, nil, `json: unsupported type: map[interface {}]int`},
		{"key pointer", map[*int64]int{pointerTo(int64(1)): 2}, nil, `{"1":2}`},
		{"key pointer to float", map[*float64]int{pointerTo(1.5): 2}, nil, `{"1.5":2}`},
		{"key duration as number", map[time.Duration]int{1: 2}, []json.Options{nano}, `{"1":2}`},
		{"key duration as units", map[time.Duration]int{1: 2}, []json.Options{units}, `{"1ns":2}`},
		{"name as its method writes it", map[rawName]int{`"\u0061"`: 1}, []json.Options{jsontext.PreserveRawStrings(true),
			json.Deterministic(true)}, `{"\u0061":1}`},
		{"name that its method escapes", []map[htmlName]int{{"<": 1}}, nil, `[{"\u003c":1}]`},
		{"names in order", map[rawName]int{`"\u0061"`: 1, `"\u003c"`: 2}, []json.Options{jsontext.PreserveRawStrings(true),
			json.Deterministic(true)}, `{"<":2,"a":1}`},
		{"name that its method escapes, and what is wrong", map[htmlName]any{"<": math.NaN()}, nil,
			`json: at /<: unsupported value: NaN`},
		{"lines", map[string]any{"a": []int{1}, "b": struct{}{}}, []json.Options{lines, json.Deterministic(true)},
			"{\n \"a\": [\n  1\n ],\n \"b\": {}\n}"},
		{"spaces and members in order", struct {
			B, A int
			V    jsontext.Value
		}{V: jsontext.Value(`{"b":1.0,"a":1}`)}, []json.Options{jsontext.SpaceAfterComma(true), jsontext.ReorderRawObjects(true)},
			`{"B":0, "A":0, "V":{"a":1, "b":1.0}}`},
		{"space after colons", map[string]int{"a": 1}, []json.Options{jsontext.SpaceAfterColon(true)}, `{"a": 1}`},
		{"space after commas", []string{"a", "\u2028"}, []json.Options{jsontext.SpaceAfterComma(true)}, "[\"a\", \"\u2028\"]"},
		{"path of a channel", map[string]any{"a": []any{1, make(chan int)}}, nil, `json: at /a/1: unsupported type: chan int`},
		{"path of NaN", struct{ A [2]float64 }{[2]float64{0, math.NaN()}}, nil, `json: at /A/1: unsupported value: NaN`},
		{"path of NaN in a list of lists", [2][2]float64{{0, 0}, {0, math.NaN()}}, nil, `json: at /1/1: unsupported value: NaN`},
		{"path of NaN at the start of a list", [2][2]float64{{0, 0}, {math.NaN()}}, nil, `json: at /1/0: unsupported value: NaN`},
		{"path of a name", map[string]any{"a": map[string]any{"b": 1, "c\xff": 1}}, []json.Options{json.Deterministic(true)},
			`json: at /a: invalid UTF-8`},
		{"path of the only name", map[string]any{"a": map[string]any{"\xff": 1}}, nil, `json: at /a: invalid UTF-8`},
		{"path of NaN alone", []float64{math.NaN()}, nil, `json: at /0: unsupported value: NaN`},
		{"path of a string", map[string]string{"a/b": "\xff"}, nil, `json: at /a~1b: invalid UTF-8`},
		{"tag of an embedded string", taggedHidden{hiddenString: "x"}, nil,
			`json: json_test.taggedHidden.hiddenString: a field that is not exported cannot be a member`},
		{"format", formatted{[]byte{1}}, nil, `json: json_test.formatted.B: option format is obeyed under ExtendedTags alone`},
		{"format, extended", formatted{[]byte{1}}, []json.Options{json.ExtendedTags(true)}, `{"B":"01"}`},
		{"format of nil, bytes with a type of their own", nilFormatted{}, []json.Options{json.ExtendedTags(true)}, `{"A":null,"B":[]}`},
		{"format of bytes with a type of their own", nilFormatted{A: []keyByte{1}}, []json.Options{json.ExtendedTags(true)}, `{"A":[1],"B":[]}`},
		{"inline", inlined{map[string]int{"a": 1}}, nil, `{"X":{"a":1}}`},
		{"inline, extended", inlined{map[string]int{"a": 1}}, []json.Options{json.ExtendedTags(true)}, `{"a":1}`},
		{"type within itself", &chained{Next: &chained{N: 1, Next: &chained{}}}, nil, `{"N":0,"Next":{"N":1,"Next":{"N":0}}}`},
		{"unix", time.Unix(math.MinInt64, 0), []json.Options{json.FormatTime("unix")}, `-9223372036854775808`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := json.MarshalWith(tt.v, append([]json.Options{json.V2()}, tt.opts...)...)
			if err != nil {
				if got = []byte(err.Error()); strings.HasPrefix(tt.want, "json:") && strings.HasPrefix(err.Error(), tt.want) {
					return
				}
			}
			if string(got) != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestSpaces writes whitespace by every function that takes options, without V2 too.
func TestSpaces(t *testing.T) {
	const want = "[1, \"<\"]"
	v, o := []any{1, "<"}, weft.Join(jsontext.SpaceAfterComma(true), json.EscapeForHTML(false))
	var written, encoded bytes.Buffer
	marshaled, err := json.MarshalWith(v, o)
	appended, err2 := json.MarshalAppend([]byte("a"), v, o)
	err3 := json.MarshalWrite(&written, v, o)
	err4 := json.NewEncoderWith(&encoded, o).Encode(v)
	if err := errors.Join(err, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	if string(marshaled) != want || string(appended) != "a"+want || written.String() != want || encoded.String() != want+"\n" {
		t.Errorf("%s, %s, %s, %s", marshaled, appended, &written, &encoded)
	}
}

type knowsPlace struct{}

func (*knowsPlace) UnmarshalText([]byte) error {
	return &json.SemanticError{ByteOffset: 7, JSONPointer: "/x"}
}

type refusesKey struct{}

func (refusesKey) UnmarshalText([]byte) error { return errors.New("no key") }

// tooMuch reads two tokens.
type tooMuch struct{}

func (*tooMuch) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	_, err := d.ReadToken()
	_, second := d.ReadToken()
	return errors.Join(err, second)
}

// readsEnd reads an empty array and the bracket after it.
type readsEnd struct{}

func (*readsEnd) UnmarshalJSONFrom(d *jsontext.Decoder) (err error) {
	for range 3 {
		_, next := d.ReadToken()
		err = errors.Join(err, next)
	}
	return err
}

type endsEarly struct{}

func (endsEarly) UnmarshalJSONFrom(*jsontext.Decoder) error { return io.EOF }

// twiceThenTag has a name twice, and then embeds a struct with a tag that is wrong.
type (
	twiceThenTag struct {
		wrongTag
		A int `json:"B"`
		B int
	}
	wrongTag struct {
		C int `json:"c,case:x"`
	}
)

// TestV2Values has a row for what V2 reads: the value, or what the error is.
func TestV2Values(t *testing.T) {
	semantic := func(at int64, p jsontext.Pointer, k jsontext.Kind, v string, typ reflect.Type, is error) error {
		return &json.SemanticError{ByteOffset: at, JSONPointer: p, JSONKind: k, JSONValue: jsontext.Value(v), GoType: typ, Err: is}
	}
	syntactic := func(at int64, p jsontext.Pointer, is error) error {
		return &jsontext.SyntacticError{ByteOffset: at, JSONPointer: p, Err: is}
	}
	iso, unix := json.FormatDuration("iso8601"), json.FormatTime("unix")
	type fields struct {
		A int `json:"a"`
	}
	tests := []struct {
		name, text string
		opts       []json.Options
		to, want   any
		err        error
	}{
		{"fallback", `{"b":1,"c": [ ]}`, nil, new(restText), &restText{X: jsontext.Value(`{"b":1,"c":[ ]}`)}, nil},
		{"fallback goes on", `{"b":1}`, nil, &restText{X: jsontext.Value(` { } `)}, &restText{X: jsontext.Value(` {"b":1}`)}, nil},
		{"fallback of RawMessage goes on", `{"b":1}`, nil, &restRaw{X: json.RawMessage(`{"c":1}`)},
			&restRaw{X: json.RawMessage(`{"c":1,"b":1}`)}, nil},
		{"fallback of spaces", `{"b":1}`, nil, &restText{X: jsontext.Value(" ")}, nil,
			semantic(1, "/b", '"', "", reflect.TypeFor[jsontext.Value](), nil)},
		{"fallback behind a pointer", `{"b":1}`, nil, new(restPointer), &restPointer{&map[string]int{"b": 1}}, nil},
		{"fallback text behind a pointer", `{"b":1}`, nil, new(restTextPointer), &restTextPointer{pointerTo(jsontext.Value(`{"b":1}`))}, nil},
		{"name twice before a wrong tag", `{}`, nil, new(twiceThenTag), nil,
			semantic(0, "", '{', "", reflect.TypeFor[twiceThenTag](), nil)},
		{"number as a string with a zero before it", `"00"`, []json.Options{json.StringifyNumbers(true)}, new(int), nil,
			semantic(0, "", '"', `"00"`, reflect.TypeFor[int](), strconv.ErrSyntax)},
		{"no number as a string, too long", `"1000000000000000000000x"`, []json.Options{json.StringifyNumbers(true)}, new(int), nil,
			semantic(0, "", '"', `"1000000000000000000000x"`, reflect.TypeFor[int](), strconv.ErrSyntax)},
		{"number as a string, of any, with a function for another type", `1.5`, []json.Options{json.StringifyNumbers(true),
			json.WithUnmarshalers(json.UnmarshalFunc(func([]byte, *int8) error { return nil }))}, new(any), pointerTo(any(1.5)), nil},
		{"number as a string, of any, where names may be twice", `1.5`,
			[]json.Options{json.StringifyNumbers(true), jsontext.AllowDuplicateNames(true)},
			new(any), nil, semantic(0, "", '0', "", reflect.TypeFor[float64](), nil)},
		{"end within a method", `[0]`, nil, new([]endsEarly), nil,
			semantic(1, "/0", 0, "", reflect.TypeFor[endsEarly](), io.ErrUnexpectedEOF)},
		{"end of the text", `[0`, nil, new([]int), nil, syntactic(2, "", io.ErrUnexpectedEOF)},
		{"unknown name", `{"x":1}`, []json.Options{json.RejectUnknownMembers(true)}, new(fields), nil,
			semantic(1, "/x", '"', "", reflect.TypeFor[fields](), json.ErrUnknownName)},
		{"unknown name before a value that does not fit", `{"x":1,"a":true}`, []json.Options{json.RejectUnknownMembers(true)},
			new(fields), nil, semantic(1, "/x", '"', "", reflect.TypeFor[fields](), json.ErrUnknownName)},
		{"comma before a bracket", `{"a":1,}`, nil, new(map[string]int), nil,
			syntactic(6, "", nil)},
		{"comma before a bracket in a list, any", `{"b":[1 , ]}`, nil, new(any), nil, syntactic(8, "/b", nil)},
		{"number as a name", `{"b":{1:2}}`, nil, new(map[string]any), nil, syntactic(6, "/b", jsontext.ErrNonStringName)},
		{"number as a name in what is no number", `{"b":{1:2}}`, nil, new(int), nil, syntactic(6, "/b", nil)},
		{"no text", ``, nil, new(any), nil, syntactic(0, "", io.ErrUnexpectedEOF)},
		{"duplicate name", `{"x":1,"x":2}`, nil, new(map[string]int), nil, syntactic(7, "/x", jsontext.ErrDuplicateName)},
		{"number out of range", `{"a":1e400}`, nil, new(map[string]float64), nil,
			semantic(5, "/a", '0', "1e400", reflect.TypeFor[float64](), nil)},
		{"number out of range, any", `{"b":2,"a":[1,{"a":1,"b":1e400},2]}`, nil, new(any),
			pointerTo(any(map[string]any{"b": 2., "a": []any{1., map[string]any{"a": 1., "b": math.Inf(1)}}})),
			semantic(25, "/a/1/b", '0', "1e400", reflect.TypeFor[float64](), nil)},
		{"number out of range, map of any", `{"a":[-1e400]}`, nil, new(map[string]any),
			&map[string]any{"a": []any{math.Inf(-1)}}, semantic(6, "/a/0", '0', "-1e400", reflect.TypeFor[float64](), nil)},
		{"method that reads two elements", `{"a":[1, 2]}`, nil, new(map[string][]tooMuch), nil,
			semantic(9, "/a", 0, "", reflect.TypeFor[tooMuch](), nil)},
		{"method that reads two members", `{"a":1 , "b":2}`, nil, new(map[string]tooMuch), nil,
			semantic(9, "/b", 0, "", reflect.TypeFor[tooMuch](), nil)},
		{"method that reads the end of the object around its value", `[{"a":[]}]`, nil, new([]map[string]readsEnd), nil,
			semantic(8, "", 0, "", reflect.TypeFor[readsEnd](), nil)},
		{"method that reads the end around its value", `{"a":[1]}`, nil, new(map[string][]tooMuch), nil,
			semantic(7, "", 0, "", reflect.TypeFor[tooMuch](), nil)},
		{"another kind", `[0,"a"]`, nil, new([]bool), nil, semantic(1, "/0", '0', "", reflect.TypeFor[bool](), nil)},
		{"channel", `{"a":[1]}`, nil, new(map[string][]chan int), nil, semantic(6, "/a/0", 0, "", reflect.TypeFor[chan int](), nil)},
		{"what is kept", `{"a":1,"b":true}`, nil, new(map[string]int), &map[string]int{"a": 1, "b": 0},
			semantic(11, "/b", 't', "", reflect.TypeFor[int](), nil)},
		{"key that its method refuses", `{"a":2}`, nil, new(map[refusesKey]int), nil,
			semantic(1, "/a", '"', "", reflect.TypeFor[refusesKey](), nil)},
		{"text that knows its place", `["a"]`, nil, new([]knowsPlace), nil,
			semantic(7, "/x", 0, "", nil, nil)},
		{"key pointer", `{"1":2}`, nil, new(map[*int8]int), nil, nil},
		{"key duration", `{"PT1S":2}`, []json.Options{iso}, new(map[time.Duration]int), &map[time.Duration]int{time.Second: 2}, nil},
		{"key any", `{"1":2}`, nil, new(map[any]int), &map[any]int{"1": 2}, nil},
		{"fraction of an hour", `"PT0.00000000027777777778H"`, []json.Options{iso}, new(time.Duration), pointerTo(time.Microsecond), nil},
		{"least time", `-9223372036854775808`, []json.Options{unix}, new(time.Time), pointerTo(time.Unix(math.MinInt64, 0).UTC()), nil},
		{"earlier", `-9223372036854775808.1`, []json.Options{unix}, new(time.Time), nil,
			semantic(0, "", '0', "", reflect.TypeFor[time.Time](), nil)},
		{"bytes are read into the same memory", `"AQID"`, nil, pointerTo([]byte("abc")), pointerTo([]byte{1, 2, 3}), nil},
		{"inline", `{"a":1}`, nil, new(inlined), new(inlined), nil},
		{"inline, extended", `{"a":1}`, []json.Options{json.ExtendedTags(true)}, new(inlined), &inlined{map[string]int{"a": 1}}, nil},
		{"format", `{"B":"01"}`, nil, new(formatted), nil, semantic(0, "", '{', "", reflect.TypeFor[formatted](), nil)},
		{"format in an embedded struct", `{"B":"01"}`, nil, new(embedsFormatted), nil,
			semantic(0, "", '{', "", reflect.TypeFor[formatted](), nil)},
		{"an embedded struct without members", `{}`, nil, new(embedsNothing), nil,
			semantic(0, "", '{', "", reflect.TypeFor[secret](), nil)},
		{"a name twice and, deeper, an embedded struct without members", `{}`, nil, new(embedsTwice), nil,
			semantic(0, "", '{', "", reflect.TypeFor[embedsTwice](), nil)},
		{"format of nil, bytes with a type of their own", `{"A":[1],"B":null}`, []json.Options{json.ExtendedTags(true)},
			new(nilFormatted), &nilFormatted{A: []keyByte{1}}, nil},
		{"format, extended", `{"B":"01"}`, []json.Options{json.ExtendedTags(true)}, new(formatted), &formatted{[]byte{1}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := json.UnmarshalWith([]byte(tt.text), tt.to, append([]json.Options{json.V2()}, tt.opts...)...)
			if tt.want != nil && !reflect.DeepEqual(tt.to, tt.want) {
				t.Errorf("got %+v, want %+v", tt.to, tt.want)
			}
			switch want := tt.err.(type) {
			case nil:
				if err != nil {
					t.Error(err)
				}
			case *json.SemanticError:
				var got *json.SemanticError
				var at *weft.Error
				if !errors.As(err, &got) || !errors.As(err, &at) {
					t.Fatalf("got %v, want a SemanticError", err)
				}
				if got.ByteOffset != want.ByteOffset || got.JSONPointer != want.JSONPointer || got.JSONKind != want.JSONKind ||
					string(got.JSONValue) != string(want.JSONValue) || got.GoType != want.GoType {
					t.Errorf("got %+v, want %+v", got, want)
				}
				if want.Err != nil && !errors.Is(err, want.Err) {
					t.Errorf("%v is not %v", err, want.Err)
				}
			case *jsontext.SyntacticError:
				var got *jsontext.SyntacticError
				if !errors.As(err, &got) || got.ByteOffset != want.ByteOffset || got.JSONPointer != want.JSONPointer ||
					want.Err != nil && !errors.Is(err, want.Err) {
					t.Errorf("got %+v of %v, want %+v", got, err, want)
				}
			}
		})
	}
}

// TestISO8601Dates: years, months, weeks and days have no exact length; beside something wrong that is what is reported.
func TestISO8601Dates(t *testing.T) {
	for text, want := range map[string]string{
		"P1Y": "inaccurate", "P1D": "inaccurate", "-p1y2m3w4dT5h6.5m": "inaccurate", "P0DT1H2M3S": "inaccurate",
		"P1.0D": "begin with PT", "P1D1Y": "begin with PT", "P1W1S": "begin with PT", "P1": "begin with PT", "P": "begin with PT",
		"P1DT": "begin with PT", "P1DTxH": "wrong", "P1DT9999999999H": "range",
	} {
		t.Run(text, func(t *testing.T) {
			err := json.UnmarshalWith([]byte(`"`+text+`"`), new(time.Duration), json.FormatDuration("iso8601"))
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

// A loop over a stream must not take the error of a method for its end.
func TestEndWithinMethod(t *testing.T) {
	d := jsontext.NewDecoder(strings.NewReader("1 "))
	if err := json.UnmarshalDecode(d, new(endsEarly)); err == io.EOF || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v in the stream, want an unexpected end", err)
	}
	d.Reset(strings.NewReader(" "))
	if err := json.UnmarshalDecode(d, new(endsEarly)); err != io.EOF {
		t.Errorf("%v at the end of the stream, want io.EOF", err)
	}
}

// TestPlaceAfterSpace: whitespace that a decoder does not keep counts in the place of an error of a method.
func TestPlaceAfterSpace(t *testing.T) {
	for _, n := range []int{1, 100, 10_000} {
		d := jsontext.NewDecoder(iotest.OneByteReader(strings.NewReader(strings.Repeat(" ", n)+"1")), json.V2())
		err := json.UnmarshalDecode(d, new(endsEarly))
		if sem, ok := errors.AsType[*json.SemanticError](err); !ok || sem.ByteOffset != int64(n) {
			t.Errorf("%v after %d spaces", err, n)
		}
	}
}

// place is what a coder tells of where it is.
type place struct {
	pointer jsontext.Pointer
	offset  int64
	depth   int
	kind    jsontext.Kind
	count   int64
}

type placer interface {
	StackPointer() jsontext.Pointer
	StackDepth() int
	StackIndex(int) (jsontext.Kind, int64)
}

func placeOf(c placer, offset int64) place {
	k, n := c.StackIndex(c.StackDepth())
	return place{c.StackPointer(), offset, c.StackDepth(), k, n}
}

// passedInts passes its elements on.
type passedInts []int

func (p passedInts) MarshalJSONTo(e *jsontext.Encoder) error {
	err := e.WriteToken(jsontext.BeginArray)
	for i := range p {
		err = errors.Join(err, json.MarshalEncode(e, p[i]))
	}
	return errors.Join(err, e.WriteToken(jsontext.EndArray))
}

func (p *passedInts) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	_, err := d.ReadToken()
	for *p = nil; err == nil && d.PeekKind() != jsontext.KindEndArray; {
		var n int
		err = json.UnmarshalDecode(d, &n)
		*p = append(*p, n)
	}
	_, end := d.ReadToken()
	return errors.Join(err, end)
}

// TestKeyPlaces: functions for the keys of a map are told the place of the object.
func TestKeyPlaces(t *testing.T) {
	var got []place
	f := json.MarshalToFunc(func(e *jsontext.Encoder, v string) error {
		got = append(got, placeOf(e, e.OutputOffset()))
		return e.WriteToken(jsontext.String(strings.ToUpper(v)))
	})
	type key string
	text, err := json.MarshalWith(map[key][]map[string]int{"k": {{"a": 1}}}, json.WithMarshalers(f), json.V2())
	if want := []place{{"/k/0", 7, 3, '{', 0}}; err != nil || string(text) != `{"k":[{"A":1}]}` || !reflect.DeepEqual(got, want) {
		t.Errorf("%s, %v, %+v, want %+v", text, err, got, want)
	}
}

// TestPlaces has a row for what coders tell functions of the places of values in the text.
func TestPlaces(t *testing.T) {
	tests := []struct {
		name, text string
		v          any
		want       []place // before each int is read or written, and after it
	}{
		{"alone", `1`, new(int), []place{{"", 0, 0, 0, 0}, {"", 1, 0, 0, 1}}},
		{"member", `{"A":1,"B":2}`, new(struct{ A, B int }),
			[]place{{"/A", 4, 1, '{', 1}, {"/A", 6, 1, '{', 2}, {"/B", 10, 1, '{', 3}, {"/B", 12, 1, '{', 4}}},
		{"element", `[1,2]`, new([]int), []place{{"", 1, 1, '[', 0}, {"/0", 2, 1, '[', 1}, {"/0", 2, 1, '[', 1}, {"/1", 4, 1, '[', 2}}},
		{"through methods", `{"A":[1,2]}`, new(struct{ A passedInts }),
			[]place{{"/A", 6, 2, '[', 0}, {"/A/0", 7, 2, '[', 1}, {"/A/0", 7, 2, '[', 1}, {"/A/1", 9, 2, '[', 2}}},
		{"deep", `{"a/b":[[],[1]]}`, new(map[string][][]int), []place{{"/a~1b/1", 12, 3, '[', 0}, {"/a~1b/1/0", 13, 3, '[', 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []place
			from := json.UnmarshalFromFunc(func(d *jsontext.Decoder, v *int) error {
				got = append(got, placeOf(d, d.InputOffset()))
				b, err := d.ReadValue()
				*v = int(b[0] - '0')
				got = append(got, placeOf(d, d.InputOffset()))
				return err
			})
			if err := json.UnmarshalWith([]byte(tt.text), tt.v, json.WithUnmarshalers(from), json.V2()); err != nil ||
				!reflect.DeepEqual(got, tt.want) {
				t.Errorf("unmarshaling: %+v, %v, want %+v", got, err, tt.want)
			}
			got = nil
			to := json.MarshalToFunc(func(e *jsontext.Encoder, v int) error {
				got = append(got, placeOf(e, e.OutputOffset()))
				err := e.WriteToken(jsontext.Int(int64(v)))
				got = append(got, placeOf(e, e.OutputOffset()))
				return err
			})
			text, err := json.MarshalAppend([]byte("before"), tt.v, json.WithMarshalers(to), json.V2())
			if err != nil || string(text) != "before"+tt.text || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("marshaling: %s, %+v, %v, want %+v", text, got, err, tt.want)
			}
		})
	}
}

// TestUnmarshalFuncType has the error of a function tell of the type that it takes, which may be a pointer.
func TestUnmarshalFuncType(t *testing.T) {
	why := errors.New("no")
	for name, u := range map[string]*json.Unmarshalers{
		"by text":    json.UnmarshalFunc(func([]byte, *int) error { return why }),
		"by decoder": json.UnmarshalFromFunc(func(*jsontext.Decoder, *int) error { return why }),
	} {
		err := json.UnmarshalWith([]byte(`{"A":[1]}`), new(struct{ A []int }), json.V2(), json.WithUnmarshalers(u))
		sem, ok := errors.AsType[*json.SemanticError](err)
		if !ok || sem.GoType != reflect.TypeFor[*int]() || sem.JSONPointer != "/A/0" || !errors.Is(err, why) {
			t.Errorf("%s: %v of %v", name, err, sem)
		}
	}
}

// passedOn is a list in which each method passes the rest on.
type passedOn struct {
	next *passedOn
	err  error // of the last one
	at   *place
}

func (p *passedOn) MarshalJSONTo(e *jsontext.Encoder) error {
	if p.next == nil {
		*p.at = placeOf(e, e.OutputOffset())
		return p.err
	}
	return errors.Join(e.WriteToken(jsontext.BeginArray), json.MarshalEncode(e, &p.next), e.WriteToken(jsontext.EndArray))
}

func (p *passedOn) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if p.next == nil {
		*p.at = placeOf(d, d.InputOffset())
		return p.err
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	return json.UnmarshalDecode(d, &p.next)
}

// refusing has methods that return errors.ErrUnsupported, which only methods with coders may.
type refusing struct{}

func (refusing) MarshalJSON() ([]byte, error) { return nil, errors.ErrUnsupported }
func (refusing) UnmarshalJSON([]byte) error   { return errors.ErrUnsupported }

// TestDeepMethods: what methods within methods ask and return costs each level as much as the one around it.
func TestDeepMethods(t *testing.T) {
	const depth = 60
	var at place
	end := errors.New("the end")
	p := &passedOn{err: end, at: &at}
	for range depth {
		p = &passedOn{next: p}
	}
	for name, call := range map[string]func() error{
		"marshal": func() error {
			_, err := json.MarshalWith(p, json.V2())
			return err
		},
		"unmarshal": func() error {
			return json.UnmarshalWith([]byte(strings.Repeat("[", depth)+"1"+strings.Repeat("]", depth)), p, json.V2())
		},
	} {
		t.Run(name, func(t *testing.T) {
			at = place{}
			err := call()
			if !errors.Is(err, end) || errors.Is(err, io.EOF) || at.depth != depth || at.offset != depth {
				t.Errorf("%v at %+v", err, at)
			}
		})
	}
}

// TestSignals: an error of a method within a method does not let the method pass, and does not end a stream.
func TestSignals(t *testing.T) {
	type wraps struct{ V refusing }
	to := json.WithMarshalers(json.MarshalToFunc(func(e *jsontext.Encoder, v wraps) error { return json.MarshalEncode(e, v.V) }))
	from := json.WithUnmarshalers(json.UnmarshalFromFunc(func(d *jsontext.Decoder, v *wraps) error { return json.UnmarshalDecode(d, &v.V) }))
	ends := json.WithMarshalers(json.MarshalFunc(func(int) ([]byte, error) { return nil, io.EOF }))
	_, marshaled := json.MarshalWith(wraps{}, json.V2(), to)
	_, ended := json.MarshalWith(1, json.V2(), ends)
	tests := []struct {
		name string
		err  error
	}{
		{"marshal", marshaled},
		{"unmarshal", json.UnmarshalWith([]byte(`{"V":{}}`), new(wraps), json.V2(), from)},
		{"end", ended},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.err == nil || errors.Is(tt.err, errors.ErrUnsupported) || errors.Is(tt.err, io.EOF) {
				t.Errorf("%v", tt.err)
			}
		})
	}
}

// TestNumbersAsNames: a number in the place of a name is a string.
func TestNumbersAsNames(t *testing.T) {
	for name, opts := range map[string][]json.Options{"version 1": nil, "version 2": {json.V2()}} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			e := jsontext.NewEncoder(&b, opts...)
			values := []any{1, 2, -1.5, uint8(3), json.Number("4"), "x"}
			err := e.WriteToken(jsontext.BeginObject)
			for _, v := range values {
				err = errors.Join(err, json.MarshalEncode(e, v))
			}
			err = errors.Join(err, e.WriteToken(jsontext.EndObject))
			const want = `{"1":2,"-1.5":3,"4":"x"}` + "\n"
			if err != nil || b.String() != want {
				t.Errorf("%s, %v, want %s", b.Bytes(), err, want)
			}
			d := jsontext.NewDecoder(&b, opts...)
			_, err = d.ReadToken()
			for _, v := range values {
				got := reflect.New(reflect.TypeOf(v))
				if err = errors.Join(err, json.UnmarshalDecode(d, got.Interface())); !reflect.DeepEqual(got.Elem().Interface(), v) {
					t.Errorf("%v, want %v", got.Elem(), v)
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestStreamErrors has a row for where the error of a value that stands in a greater text tells that it is.
func TestStreamErrors(t *testing.T) {
	object := jsontext.BeginObject
	tests := []struct {
		name, text string
		before     []jsontext.Token
		v          any // to be written, or of the type to be read
		want       string
	}{
		{"element read", `[1,{"a":["x"]}]`, []jsontext.Token{jsontext.BeginArray, jsontext.Int(1)}, map[string][]int{}, "9 /1/a/0"},
		{"member read", `{"b":{"a":["x"]}}`, []jsontext.Token{object, jsontext.String("b")}, map[string][]int{}, "11 /b/a/0"},
		{"second value read", `1 ["x"]`, []jsontext.Token{jsontext.Int(1)}, []int{}, "3 /0"},
		{"element written", "", []jsontext.Token{jsontext.BeginArray, jsontext.Int(1)}, map[string][]any{"a": {make(chan int)}}, "9 /1/a/0"},
		{"member written", "", []jsontext.Token{object, jsontext.String("b")}, map[string][]any{"a": {make(chan int)}}, "11 /b/a/0"},
		{"member of a member written", "", []jsontext.Token{object, jsontext.String("b"), object, jsontext.String("c")},
			make(chan int), "10 /b/c"},
		{"second value written", "", []jsontext.Token{jsontext.Int(1)}, []any{make(chan int)}, "3 /0"},
		{"in a method written", "", []jsontext.Token{jsontext.BeginArray}, []any{1, passedAny{make(chan int)}}, "5 /0/1/0"},
		{"wrapped, read", `[[1,"x"]]`, []jsontext.Token{jsontext.BeginArray}, wrappedInts{}, "4 /0"},
		{"wrapped, written", "", []jsontext.Token{jsontext.BeginArray}, wrappedInts{1, 2}, "4 /0"},
		{"after a value", "", []jsontext.Token{jsontext.BeginArray}, restDeep{1, map[string]any{"a": failsAfter{}}}, "15 /0/a"},
		{"twice written", "", []jsontext.Token{jsontext.BeginArray}, restDeep{1, map[string]any{"N": 1}}, "text 7 /0/N, twice"},
		{"key written that is no name", "", []jsontext.Token{jsontext.BeginArray}, map[bool]int{true: 1}, "2 /0, no name"},
		{"no name written", "", []jsontext.Token{object}, true, "text 1 , no name"},
		{"no name of a method written", "", []jsontext.Token{object}, json.RawMessage("1"), "1 , no name"},
		{"null of a method in place of a name", "", []jsontext.Token{object}, jsontext.Value(nil), "1 , no name"},
		{"name twice beyond the name of a method", "", nil, map[writesOn]int{1: 1}, "10 , twice"},
		{"name read in methods", `{"A":1}`, nil, map[nameOuter]int{}, "1 /A"},
		{"name not read at all", `{"d":1}`, []jsontext.Token{object}, make(chan int), "1 "},
		{"comma before a bracket", `[[1,]`, []jsontext.Token{jsontext.BeginArray}, []int{}, "text 3 /0"},
		{"number as a name", `[{1:2}]`, []jsontext.Token{jsontext.BeginArray}, map[string]int{}, "text 2 /0, no name"},
		{"bracket read as a list", `[1,[]]`, []jsontext.Token{jsontext.BeginArray, jsontext.Int(1), jsontext.BeginArray}, []int{}, "4 /1"},
		{"bracket read as a struct", `{"a":{ }}`, []jsontext.Token{object, jsontext.String("a"), object}, new(struct{}), "7 /a"},
		{"bracket read as an object", `[ ]`, []jsontext.Token{jsontext.BeginArray}, map[string]int{}, "2 "},
		{"bracket read as a number", `[1,[]]`, []jsontext.Token{jsontext.BeginArray, jsontext.Int(1), jsontext.BeginArray}, 0, "text 4 /1/0"},
		{"text behind a pointer read in a method", `[[1,2]]`, []jsontext.Token{jsontext.BeginArray}, readsText{}, "1 /0"},
		{"twice in a method that may", "", []jsontext.Token{jsontext.BeginArray}, []any{allowsTwice{}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var err error
			if tt.text != "" {
				d := jsontext.NewDecoder(strings.NewReader(tt.text), json.V2())
				for range tt.before {
					_, err = d.ReadToken()
				}
				err = errors.Join(err, json.UnmarshalDecode(d, reflect.New(reflect.TypeOf(tt.v)).Interface()))
			} else {
				e := jsontext.NewEncoder(new(bytes.Buffer), json.V2())
				for _, token := range tt.before {
					err = errors.Join(err, e.WriteToken(token))
				}
				err = errors.Join(err, json.MarshalEncode(e, tt.v))
			}
			got := ""
			if sem, ok := errors.AsType[*json.SemanticError](err); ok {
				got = fmt.Sprint(sem.ByteOffset, " ", sem.JSONPointer)
			} else if text, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
				got = fmt.Sprint("text ", text.ByteOffset, " ", text.JSONPointer)
			}
			if errors.Is(err, jsontext.ErrNonStringName) {
				got += ", no name"
			} else if errors.Is(err, jsontext.ErrDuplicateName) {
				got += ", twice"
			}
			if got != tt.want {
				t.Errorf("%s, want %s, of %v", got, tt.want, err)
			}
		})
	}
}

// readsText reads its text, and fails.
type readsText struct{}

func (*readsText) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return errors.Join(json.UnmarshalDecode(d, new(*jsontext.Value)), errors.New("no"))
}

// allowsTwice writes an object with a name twice.
type allowsTwice struct{}

func (allowsTwice) MarshalJSONTo(e *jsontext.Encoder) error {
	return json.MarshalEncode(e, jsontext.Value(`{"a":1,"a":2}`), jsontext.AllowDuplicateNames(true))
}

// nameOuter reads a name by nameInner, with functions for other types, which cannot.
type (
	nameOuter struct{ N int }
	nameInner struct{}
)

func (*nameOuter) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	others := json.UnmarshalFromFunc(func(*jsontext.Decoder, *bool) error { return nil })
	return json.UnmarshalDecode(d, new(nameInner), json.WithUnmarshalers(others))
}

func (*nameInner) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return json.UnmarshalDecode(d, new(struct{}))
}

// passedAny passes its elements on.
type passedAny []any

func (p passedAny) MarshalJSONTo(e *jsontext.Encoder) error {
	err := e.WriteToken(jsontext.BeginArray)
	for i := range p {
		if err = json.MarshalEncode(e, p[i]); err != nil {
			return err
		}
	}
	return errors.Join(err, e.WriteToken(jsontext.EndArray))
}

// wrappedInts wraps the errors of its elements, of which it writes channels.
type wrappedInts []int

func (p wrappedInts) MarshalJSONTo(e *jsontext.Encoder) error {
	err := e.WriteToken(jsontext.BeginArray)
	for _, v := range p {
		if v != 1 {
			return fmt.Errorf("wrapped: %w", json.MarshalEncode(e, make(chan int)))
		}
		err = errors.Join(err, json.MarshalEncode(e, v))
	}
	return err
}

func (p *wrappedInts) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	for _, err := d.ReadToken(); ; {
		if err != nil {
			return fmt.Errorf("wrapped: %w", err)
		}
		err = json.UnmarshalDecode(d, new(int))
	}
}

// failsAfter fails after it has written its value, or tells that it did not.
type failsAfter struct{ calls *int }

func (f failsAfter) MarshalJSONTo(e *jsontext.Encoder) error {
	err := e.WriteToken(jsontext.Int(17))
	if f.calls == nil {
		return errors.Join(err, errors.New("too late"))
	}
	*f.calls++
	return errors.ErrUnsupported
}

// givenOn passes its value on.
type givenOn struct{ v any }

func (p givenOn) MarshalJSONTo(e *jsontext.Encoder) error { return json.MarshalEncode(e, &p.v) }

// writesTwo writes two values.
type writesTwo struct{}

func (writesTwo) MarshalJSONTo(e *jsontext.Encoder) error {
	return errors.Join(e.WriteToken(jsontext.Int(1)), e.WriteToken(jsontext.Int(2)))
}

// writesOn writes a member and its name once more in place of a name.
type writesOn int

func (writesOn) MarshalJSONTo(e *jsontext.Encoder) error {
	x := jsontext.String("x")
	if err := errors.Join(e.WriteToken(x), e.WriteToken(jsontext.Null)); err != nil {
		return err
	}
	return e.WriteToken(x)
}

// TestIOErrors: errors of writers and readers are told as such, and wrapped.
func TestIOErrors(t *testing.T) {
	boom := errors.New("boom")
	r, out := io.Pipe()
	r.CloseWithError(boom)
	for want, err := range map[string]error{
		"boom":                        json.MarshalWrite(out, 1),
		"jsontext: write error: boom": json.MarshalWrite(out, 1, json.V2()),
		"jsontext: read error: boom":  json.UnmarshalRead(iotest.ErrReader(boom), new(int), json.V2()),
	} {
		if !errors.Is(err, boom) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// resets resets the coder that it is given.
type resets struct{}

func (resets) MarshalJSONTo(e *jsontext.Encoder) error { e.Reset(io.Discard); return nil }
func (*resets) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	d.Reset(strings.NewReader(""))
	return nil
}

// TestReset: a method must not reset the coder that it is given. Others may when it has returned.
func TestReset(t *testing.T) {
	var e *jsontext.Encoder
	var d *jsontext.Decoder
	for name, call := range map[string]func(){
		"marshal":          func() { json.MarshalWith([]resets{{}}, json.V2()) },
		"unmarshal":        func() { json.UnmarshalWith([]byte("[1]"), new([]resets), json.V2()) },
		"MarshalEncode":    func() { json.MarshalEncode(e, resets{}) },
		"UnmarshalDecode":  func() { json.UnmarshalDecode(d, new(resets)) },
		"within an array":  func() { json.MarshalEncode(e, []resets{{}}) },
		"of another value": func() { json.UnmarshalDecode(d, new([]resets)) },
	} {
		t.Run(name, func(t *testing.T) {
			e, d = jsontext.NewEncoder(io.Discard, json.V2()), jsontext.NewDecoder(strings.NewReader("[1]"), json.V2())
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
	e, d = jsontext.NewEncoder(io.Discard, json.V2()), jsontext.NewDecoder(strings.NewReader("[1]"), json.V2())
	if err := errors.Join(json.MarshalEncode(e, passedInts{1}), json.UnmarshalDecode(d, new(passedInts))); err != nil {
		t.Error(err)
	}
	e.Reset(io.Discard)
	d.Reset(strings.NewReader(""))
}

// TestLateDecline: a method that declines when it has written something is not passed over.
func TestLateDecline(t *testing.T) {
	calls := 0
	e := jsontext.NewEncoder(new(bytes.Buffer), json.V2())
	if err := json.MarshalEncode(e, failsAfter{&calls}); err == nil || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
	for _, v := range []any{failsAfter{}, writesTwo{}} { // no line break follows
		_, err := json.MarshalWith(givenOn{v}, json.V2())
		if sem, ok := errors.AsType[*json.SemanticError](err); !ok || sem.ByteOffset != 2 {
			t.Errorf("%v of %T, want offset 2", err, v)
		}
	}
}
