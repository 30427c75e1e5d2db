package json_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unsafe"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
	"github.com/weftcodec/weft/json/legacy"
	"github.com/weftcodec/weft/opt"
)

type optionTimes struct {
	A time.Time
	B []byte
	C time.Duration
	D [2]byte
}

var optionMoment = time.Date(2024, 2, 29, 12, 30, 15, 250e6, time.UTC)

type optionFormats struct {
	A time.Time     `weft:"a,format:unixmilli"`
	B []byte        `weft:"b,format:hex"`
	C time.Duration `weft:"c,format:units"`
	D [2]byte       `weft:"d,format:base64url"`
	E *time.Time    `weft:"e,format:DateOnly,omitempty"`
	F []int         `weft:"f,format:emitempty"`
	G map[int]int   `weft:"g,format:emitnull"`
	H float64       `weft:"h,format:nonfinite"`
}

type optionKeep struct {
	A    int            `json:"a"`
	Rest map[string]any `weft:",unknown"`
}

type optionKeepRaw struct {
	A    int             `json:"a"`
	Rest json.RawMessage `weft:",unknown"`
}

// TestMarshalOptions has a row for each option that marshaling obeys.
func TestMarshalOptions(t *testing.T) {
	moment := optionTimes{optionMoment, []byte{0xfb, 0xff}, 90 * time.Minute, [2]byte{1, 2}}
	tests := []struct {
		v    any
		opts []json.Options
		want string // or the start of an error
	}{
		{"<\u2028\xff", nil, `"\u003c\u2028\ufffd"`},
		{"<\u2028\xff", []json.Options{json.EscapeForHTML(false)}, `"<\u2028\ufffd"`},
		{"<\u2028\xff", []json.Options{jsontext.EscapeForJS(false)}, "\"\\u003c\u2028\ufffd\""},
		{"é\\u2028\u2029\x01", []json.Options{jsontext.EscapeForJS(false)}, "\"é\\\\u2028\u2029\\u0001\""},
		{map[string]any{"<": []string{"\u2028"}}, []json.Options{jsontext.EscapeForJS(false)}, "{\"\\u003c\":[\"\u2028\"]}"},
		{"a\xff", []json.Options{jsontext.AllowInvalidUTF8(false)}, "json: invalid UTF-8 within string"},
		{map[string]int{"a\xff": 1}, []json.Options{jsontext.AllowInvalidUTF8(false)}, "json: invalid UTF-8 within string"},
		{struct {
			A []string
			B *int
		}{A: []string{"a\xff"}}, []json.Options{jsontext.AllowInvalidUTF8(false)}, "json: at /A/0: invalid UTF-8 within string"},
		{[]struct{ A, B string }{{}, {"é", "a\xff"}}, []json.Options{jsontext.AllowInvalidUTF8(false)},
			"json: at /1/B: invalid UTF-8 within string"},
		{map[string][]string{"a": {"é", "\xff"}, "b": {"c"}}, []json.Options{jsontext.AllowInvalidUTF8(false)},
			"json: at /a/1: invalid UTF-8 within string"},
		{[]string{"日本\ufffd"}, []json.Options{jsontext.AllowInvalidUTF8(false)}, "[\"日本\ufffd\"]"},
		{"<\u2028\xff\"", []json.Options{json.TrustUTF8(true)}, "\"\\u003c\u2028\xff\\\"\""},
		{[]any{map[string]any{"a\xff": "日本語の文字列を書く"}}, []json.Options{json.TrustUTF8(true)},
			"[{\"a\xff\":\"日本語の文字列を書く\"}]"},
		{[]any{[]int(nil), map[string]int(nil), []byte(nil)}, nil, `[null,null,null]`},
		{[]any{[]int(nil), map[string]int(nil), []byte(nil)}, []json.Options{json.FormatNilSliceAsNull(false)}, `[[],null,""]`},
		{[]any{[]int(nil), map[string]int(nil), []byte(nil)}, []json.Options{json.FormatNilMapAsNull(false)}, `[null,{},null]`},
		{struct{ A, B int }{0, 1}, []json.Options{json.OmitZeroStructFields(true)}, `{"B":1}`},
		{[]any{1, 2.5, uint8(3), json.Number("4")}, []json.Options{json.StringifyNumbers(true)}, `["1","2.5","3","4"]`},
		{map[string]int{"b": 1, "a": 2}, []json.Options{json.Deterministic(true)}, `{"a":2,"b":1}`},
		{moment, []json.Options{json.FormatTime("unix")}, `{"A":1709209815.25,"B":"+/8=","C":5400000000000,"D":[1,2]}`},
		{moment, []json.Options{json.FormatTime("2006-01-02 15h"), json.FormatBytes("hex"), json.FormatDuration("iso8601")},
			`{"A":"2024-02-29 12h","B":"fbff","C":"PT1H30M","D":[1,2]}`},
		{moment, []json.Options{json.FormatBytes("array"), json.FormatDuration("sec"), json.FormatTime("DateTime")},
			`{"A":"2024-02-29 12:30:15","B":[251,255],"C":5400,"D":[1,2]}`},
		{moment, []json.Options{json.V2(), json.FormatDuration("units"), json.FormatBytes("base32")},
			`{"A":"2024-02-29T12:30:15.25Z","B":"7P7Q====","C":"1h30m0s","D":"AEBA===="}`},
		{moment, []json.Options{json.V2()}, "json: at /C: type time.Duration needs a format"},
		{moment, []json.Options{json.FormatTime("What")}, `json: type time.Time has no format "What"`},
		{[]any{time.Time{}, map[string]time.Duration{"d": -1}}, []json.Options{json.FormatTime("unixnano"), json.FormatDuration("milli")},
			`[-62135596800000000000,{"d":-0.000001}]`},
		{&optionFormats{A: optionMoment, B: []byte("hi"), C: time.Second, H: math.Inf(-1)}, nil,
			`{"a":1709209815250,"b":"6869","c":"1s","d":"AAA=","f":[],"g":null,"h":"-Infinity"}`},
		{optionKeep{1, map[string]any{"b": 2}}, nil, `{"a":1,"b":2}`},
		{[][]int{{1}}, []json.Options{weft.MaxDepth(2)}, `[[1]]`},
		{map[string]any{"x": [][]int{{1}}}, []json.Options{weft.MaxDepth(2)}, "json: at /x/0, offset 6: nesting too deep"},
		{[]int{}, []json.Options{weft.MaxDepth(0)}, "json: at offset 0: nesting too deep"},
		{nil, []json.Options{json.V2()}, `null`},
		{map[int]bool{2: true, 10: false}, []json.Options{json.V2(), json.Deterministic(true)}, `{"10":false,"2":true}`},
		{struct {
			A []int `json:",omitempty"`
			B *int  `json:",omitempty"`
			C int   `json:",omitempty"`
		}{}, []json.Options{json.V2()}, `{"C":0}`},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			got, err := json.MarshalWith(tt.v, tt.opts...)
			switch {
			case err != nil && (got != nil || !strings.HasPrefix(err.Error(), tt.want)):
				t.Errorf("%v, want %s", err, tt.want)
			case err == nil && string(got) != tt.want:
				t.Errorf("%s, want %s", got, tt.want)
			}
			var b bytes.Buffer
			if again := json.MarshalWrite(&b, tt.v, tt.opts...); fmt.Sprint(err) != fmt.Sprint(again) || err == nil && b.String() != tt.want {
				t.Errorf("MarshalWrite: %s, %v", b.Bytes(), again)
			}
		})
	}
}

// TestUnmarshalOptions has a row for each option that unmarshaling obeys.
func TestUnmarshalOptions(t *testing.T) {
	type names struct {
		Name string `json:"name"`
		N    int
	}
	tests := []struct {
		text string
		opts []json.Options
		want any // what a pointer to zero becomes, or part of an error with the zero value
		err  string
	}{
		{`{"NAME":"x","n":1}`, nil, names{"x", 1}, ""},
		{`{"NAME":"x","N":1}`, []json.Options{json.MatchCaseInsensitiveNames(false)}, names{"", 1}, ""},
		{`{"N":1,"N":2}`, nil, names{"", 2}, ""},
		{`{"N":1,"\u004e":2}`, []json.Options{jsontext.AllowDuplicateNames(false)}, names{}, "json: at /N, offset 7: duplicate member name"},
		{`{"x":[{"a":1},{"a":2,"b":{"a":3}}]}`, []json.Options{jsontext.AllowDuplicateNames(false)}, names{}, ""},
		{`{"x":[{"a":1,"b":[{}],"a":2}]}`, []json.Options{jsontext.AllowDuplicateNames(false)}, names{}, "duplicate member name"},
		{`{"N":1,"x":2}`, []json.Options{json.RejectUnknownMembers(true)}, names{N: 1}, "at /x, offset 7: unknown member"},
		{"{\"name\":\"a\xff\"}", nil, names{Name: "a\ufffd"}, ""},
		{"{\"name\":\"a\xff\"}", []json.Options{jsontext.AllowInvalidUTF8(false)}, names{}, "json: at /name, offset 10: invalid UTF-8"},
		{`{"x":"\ud800"}`, []json.Options{jsontext.AllowInvalidUTF8(false)}, names{}, "half of a pair"},
		{`{"x":"\\ud800\ud83d\ude00"}`, []json.Options{jsontext.AllowInvalidUTF8(false)}, names{}, ""},
		{`{"a":"1","b":"2.5"}`, []json.Options{json.StringifyNumbers(true)}, map[string]float64{"a": 1, "b": 2.5}, ""},
		{`[1]`, []json.Options{json.StringifyNumbers(true)}, []int{0}, "cannot unmarshal number"},
		{`["01"]`, []json.Options{json.StringifyNumbers(true)}, []int{0}, "cannot unmarshal string"},
		{`[[[1]]]`, []json.Options{weft.MaxDepth(2)}, [][][]int(nil), "nesting too deep"},
		{`[1,2]`, []json.Options{json.MaxSize(5)}, []int{1, 2}, ""},
		{`[1,2]`, []json.Options{json.MaxSize(math.MaxInt)}, []int{1, 2}, ""},
		{`[1,2 ]`, []json.Options{json.MaxSize(5)}, []int(nil), "input too large: more than 5 bytes"},
		{`{"A":1709209815.25,"B":"fbff","C":5400}`, []json.Options{json.FormatTime("unix"), json.FormatBytes("hex"), json.FormatDuration("sec")},
			optionTimes{optionMoment, []byte{0xfb, 0xff}, 90 * time.Minute, [2]byte{}}, ""},
		{`{"A":"2024-02-29","B":[1,2],"C":"PT1H30M"}`,
			[]json.Options{json.FormatTime("DateOnly"), json.FormatBytes("array"), json.FormatDuration("iso8601")},
			optionTimes{optionMoment.Truncate(24 * time.Hour), []byte{1, 2}, 90 * time.Minute, [2]byte{}}, ""},
		{`{"B":"zz"}`, []json.Options{json.FormatBytes("hex")}, optionTimes{}, "json: at /B, offset 5"},
		{`{"a":1709209815250,"b":"6869","c":"1s","d":"AAE=","e":"2024-02-29","h":"-Infinity"}`, nil,
			optionFormats{
				A: optionMoment,
				B: []byte("hi"),
				C: time.Second,
				D: [2]byte{0, 1},
				E: ptr(optionMoment.Truncate(24 * time.Hour)),
				H: math.Inf(-1),
			}, ""},
		{`{"a":1,"b":[2],"c":{"d":null}}`, nil, optionKeep{1, map[string]any{"b": []any{2.0}, "c": map[string]any{"d": nil}}}, ""},
		{`{"x":1,"a":1, "y" : [ 2 ]}`, nil, optionKeepRaw{1, json.RawMessage(`{"x":1,"y":[ 2 ]}`)}, ""},
		{`{"a":1,"b":2}`, []json.Options{json.RejectUnknownMembers(true)}, optionKeep{1, map[string]any{"b": 2.0}}, ""},
		{`[1,2]`, []json.Options{json.V2()}, [1]int{1}, "an array of 2 elements does not fit"},
		{`"AQI="`, []json.Options{json.V2()}, [2]byte{1, 2}, ""},
		{`{"a":"x"}`, []json.Options{json.Fastest()}, map[string]string{"a": "x"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			for _, read := range []func(v any) error{
				func(v any) error { return json.UnmarshalWith([]byte(tt.text), v, tt.opts...) },
				func(v any) error { return json.UnmarshalRead(strings.NewReader(tt.text), v, tt.opts...) },
			} {
				p := reflect.New(reflect.TypeOf(tt.want))
				err := read(p.Interface())
				if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
					t.Errorf("%v, want %q", err, tt.err)
				}
				if got := p.Elem().Interface(); !reflect.DeepEqual(got, tt.want) {
					t.Errorf("%+v, want %+v", got, tt.want)
				}
			}
		})
	}
}

func ptr[T any](v T) *T { return &v }

// TestAliasInput looks at where strings and raw values are.
// TestGetOption has each option tell what it was set to, first and last, and nothing of another one.
func TestGetOption(t *testing.T) {
	toggles := map[string]func(bool) json.Options{
		"AliasInput": weft.AliasInput, "AllowDuplicateNames": jsontext.AllowDuplicateNames, "AllowInvalidUTF8": jsontext.AllowInvalidUTF8,
		"Deterministic": json.Deterministic, "EscapeForHTML": json.EscapeForHTML, "EscapeForJS": jsontext.EscapeForJS,
		"ExtendedTags": json.ExtendedTags, "FormatNilMapAsNull": json.FormatNilMapAsNull,
		"FormatNilSliceAsNull": json.FormatNilSliceAsNull, "LazyValues": json.LazyValues, "Multiline": jsontext.Multiline,
		"MatchCaseInsensitiveNames": json.MatchCaseInsensitiveNames, "MergeWithLegacySemantics": legacy.MergeWithLegacySemantics,
		"OmitEmpty": weft.OmitEmpty, "OmitZeroStructFields": json.OmitZeroStructFields, "RejectUnknown": weft.RejectUnknown,
		"SpaceAfterColon": jsontext.SpaceAfterColon, "StringifyNumbers": json.StringifyNumbers, "TrustUTF8": json.TrustUTF8,
	}
	for name, toggle := range toggles {
		for _, on := range []bool{false, true} {
			for _, o := range []json.Options{toggle(on), weft.Join(json.V2(), toggle(!on), weft.MaxDepth(2), toggle(on))} {
				if got, ok := jsontext.GetOption(o, toggle); got != on || !ok {
					t.Errorf("%s(%t): %t, %t", name, on, got, ok)
				}
			}
			for other, o := range toggles {
				if _, ok := jsontext.GetOption(o(on), toggle); ok && other != name {
					t.Errorf("%s is set by %s", name, other)
				}
			}
		}
	}
	for _, name := range []string{"AllowDuplicateNames", "AllowInvalidUTF8", "Deterministic", "EscapeForHTML", "EscapeForJS",
		"FormatNilMapAsNull", "FormatNilSliceAsNull", "MatchCaseInsensitiveNames", "RejectUnknown", "OmitZeroStructFields",
		"StringifyNumbers"} {
		for _, o := range []json.Options{toggles[name](false), toggles[name](true), weft.Join(json.V2(), toggles[name](false)),
			weft.Join(json.V2(), toggles[name](true))} {
			want, _ := jsontext.GetOption(o, toggles[name])
			var written, read bool
			_, err := json.MarshalWith(1.5, o, json.WithMarshalers(json.MarshalToFunc(func(e *jsontext.Encoder, _ float64) error {
				written, _ = jsontext.GetOption(e.Options(), toggles[name])
				return e.WriteToken(jsontext.Null)
			})))
			err = errors.Join(err, json.UnmarshalWith([]byte("1"), new(float64), o, json.WithUnmarshalers(json.UnmarshalFromFunc(
				func(d *jsontext.Decoder, _ *float64) error {
					read, _ = jsontext.GetOption(d.Options(), toggles[name])
					return d.SkipValue()
				}))))
			if err != nil || written != want || read != want {
				t.Errorf("%s in functions: %t and %t, want %t, %v", name, written, read, want, err)
			}
		}
	}
	m, u := json.JoinMarshalers(), json.JoinUnmarshalers()
	all := weft.Join(json.WithMarshalers(m), json.WithUnmarshalers(u), json.FormatTime("unix"), json.MaxSize(7), weft.MaxDepth(8),
		jsontext.WithIndent(" "))
	getOption(t, all, json.WithMarshalers, m)
	getOption(t, all, json.WithUnmarshalers, u)
	getOption(t, all, json.FormatTime, "unix")
	getOption(t, all, json.MaxSize, 7)
	getOption(t, all, weft.MaxDepth, 8)
	getOption(t, all, jsontext.WithIndent, " ")
	getOption(t, all, jsontext.Multiline, true)
	if v, ok := jsontext.GetOption(json.V2(), jsontext.AllowDuplicateNames); v || !ok {
		t.Errorf("V2 has AllowDuplicateNames: %t, %t", v, ok)
	}
	if v, ok := jsontext.GetOption(all, json.FormatBytes); v != "" || ok {
		t.Errorf("FormatBytes: %q, %t", v, ok)
	}
}

func getOption[T comparable](t *testing.T, o json.Options, setter func(T) json.Options, want T) {
	t.Helper()
	if got, ok := jsontext.GetOption(o, setter); got != want || !ok {
		t.Errorf("got %v, %t, want %v", got, ok, want)
	}
	if got, ok := jsontext.GetOption(json.Options{}, setter); ok {
		t.Errorf("got %v of no options", got)
	}
}

func TestAliasInput(t *testing.T) {
	text := []byte(`{"a":"plain","b":["esc\u0061ped","",{"k":"v"}],"c": [1] }`)
	type target struct {
		A string
		B []any
		C json.RawMessage
	}
	within := func(p *byte) bool {
		return uintptr(unsafe.Pointer(p)) >= uintptr(unsafe.Pointer(&text[0])) &&
			uintptr(unsafe.Pointer(p)) <= uintptr(unsafe.Pointer(&text[len(text)-1]))
	}
	var plain, v target
	if err := json.Unmarshal(text, &plain); err != nil {
		t.Fatal(err)
	}
	if err := json.UnmarshalWith(text, &v, weft.AliasInput(true)); err != nil || !reflect.DeepEqual(plain, v) {
		t.Fatalf("%+v, %v", v, err)
	}
	if within(unsafe.StringData(plain.A)) || within(unsafe.SliceData(plain.C)) {
		t.Error("without the option the text is kept")
	}
	if json.SafeBuild {
		return
	}
	if !within(unsafe.StringData(v.A)) || !within(unsafe.SliceData(v.C)) || !within(unsafe.StringData(v.B[2].(map[string]any)["k"].(string))) {
		t.Error("a string does not share the memory of the text")
	}
	if within(unsafe.StringData(v.B[0].(string))) {
		t.Error("a string with an escape is in the text")
	}
	// What is kept from call to call must not be part of a text.
	for i := range text {
		text[i] = 'x'
	}
	var again map[string]any
	if err := json.Unmarshal([]byte(`{"a":"plain","b":"v","k":"v"}`), &again); err != nil ||
		!reflect.DeepEqual(again, map[string]any{"a": "plain", "b": "v", "k": "v"}) {
		t.Errorf("%v %v", again, err)
	}
}

// TestAliasStream: what is read from a stream shares no memory with its buffer, which is used again.
func TestAliasStream(t *testing.T) {
	type target struct {
		S string
		A any
		R json.RawMessage
	}
	const n = 300
	var text, list bytes.Buffer
	var want []target
	for i := range n {
		v := target{fmt.Sprintf("the string of %d", i), fmt.Sprint("any ", i), json.RawMessage(fmt.Sprintf("[%d]", i))}
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, v)
		fmt.Fprintf(&text, "%s\n", b)
		fmt.Fprintf(&list, "%c%s", "[,"[min(i, 1)], b)
	}
	list.WriteByte(']')
	for name, open := range map[string]func(o json.Options) func(v any) error{
		"values": func(o json.Options) func(v any) error {
			return json.Format.NewDecoder(bytes.NewReader(text.Bytes()), o).Decode
		},
		"elements": func(o json.Options) func(v any) error {
			return json.Format.NewArrayDecoder(bytes.NewReader(list.Bytes()), o).Decode
		},
		"UnmarshalDecode": func(o json.Options) func(v any) error {
			d := jsontext.NewDecoder(iotest.HalfReader(bytes.NewReader(text.Bytes())))
			return func(v any) error { return json.UnmarshalDecode(d, v, o) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, o := range []json.Options{weft.AliasInput(true), json.Fastest()} {
				decode, got := open(o), make([]target, n)
				for i := range got {
					if err := decode(&got[i]); err != nil {
						t.Fatal(name, i, err)
					}
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: a value has changed", name)
				}
			}
		})
	}
}

// TestCodersWith: the options of an encoder or a decoder go with its methods.
func TestCodersWith(t *testing.T) {
	type pair struct {
		A []int
		B string
	}
	var b bytes.Buffer
	e := json.NewEncoderWith(&b, json.V2())
	for i := range 3 {
		if i > 0 {
			e.SetEscapeHTML(i == 1)
		}
		if err := e.Encode(pair{B: "<"}); err != nil {
			t.Fatal(err)
		}
	}
	if e := json.NewEncoderWith(&b); e.Encode("<") != nil {
		t.Error("no options")
	} else if e.SetEscapeHTML(false); e.Encode("<") != nil {
		t.Error("no options")
	}
	e = json.NewEncoderWith(&b, json.FormatNilSliceAsNull(false))
	e.SetIndent("", " ")
	if err := e.Encode(pair{}); err != nil {
		t.Fatal(err)
	}
	want := `{"A":[],"B":"<"}` + "\n" + `{"A":[],"B":"\u003c"}` + "\n" + `{"A":[],"B":"<"}` + "\n" +
		`"\u003c"` + "\n" + `"<"` + "\n{\n \"A\": [],\n \"B\": \"\"\n}\n"
	if b.String() != want {
		t.Errorf("got %s, want %s", &b, want)
	}

	d := json.NewDecoderWith(strings.NewReader(`[{"a":[1],"B":"x"},{"B":"x","B":"y"},{"C":1}, 5`), json.V2())
	d.UseNumber()
	d.DisallowUnknownFields()
	if tok, err := d.Token(); tok != json.Delim('[') || err != nil {
		t.Fatal(tok, err)
	}
	var p pair
	if err := d.Decode(&p); err == nil || !strings.Contains(err.Error(), "/a, offset 2: unknown member") {
		t.Error(err)
	}
	if err := d.Decode(&p); !errors.Is(err, weft.ErrDuplicateName) {
		t.Error(err)
	}
	if err := d.Decode(&p); err == nil || !strings.Contains(err.Error(), "/C, offset 38: unknown member") {
		t.Error(err)
	}
	if tok, err := d.Token(); tok != json.Number("5") || err != nil {
		t.Error(tok, err)
	}
}

// TestMaxSizeStream: the limit is that of each value, however its bytes arrive.
func TestMaxSizeStream(t *testing.T) {
	for _, tt := range []struct {
		text string
		off  int64 // -1 for no error
	}{
		{`"12345678"` + "  \n  " + `[1,2,3,45]     1234567890`, -1},
		{`1 "123456789"`, 12},
		{`   [          1]`, 13},
		{strings.Repeat(" ", 100) + `1`, -1},
		{`"` + strings.Repeat("x", 1<<20), 10},
		{`1 2 12345678901`, 14},
	} {
		t.Run(fmt.Sprintf("%.30q", tt.text), func(t *testing.T) {
			for _, r := range []io.Reader{
				strings.NewReader(tt.text), iotest.OneByteReader(strings.NewReader(tt.text)),
				iotest.DataErrReader(strings.NewReader(tt.text)),
			} {
				d := json.Format.NewDecoder(r, json.MaxSize(10))
				var err error
				for err == nil {
					err = d.Decode(new(any))
				}
				var e *weft.Error
				if tt.off < 0 && err != io.EOF || tt.off >= 0 && (!errors.Is(err, weft.ErrSize) || !errors.As(err, &e) || e.Offset != tt.off) {
					t.Error(err)
				}
			}
		})
	}
}

// TestOptionsAllocateNothing checks that a set of options costs no memory per call.
func TestOptionsAllocateNothing(t *testing.T) {
	if sample.Race || json.SafeBuild {
		t.Skip("this build allocates")
	}
	v := &struct {
		A string
		B int
	}{"x", 1}
	buf := make([]byte, 0, 1024)
	sets := map[string]json.Options{
		"V2": json.V2(), "Fastest": json.Fastest(), "FormatTime": json.FormatTime("unix"), "MaxDepth": weft.MaxDepth(5),
		"joined": weft.Join(json.V2(), json.FormatDuration("sec")),
	}
	for name, o := range sets {
		if n := testing.AllocsPerRun(100, func() {
			if _, err := json.MarshalAppend(buf, v, o, json.EscapeForHTML(true)); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("%s: MarshalAppend: %v allocations", name, n)
		}
		text := []byte(`{"A":"","B":1}`)
		if n := testing.AllocsPerRun(100, func() {
			if err := json.UnmarshalWith(text, v, o, json.MatchCaseInsensitiveNames(false)); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("%s: UnmarshalWith: %v allocations", name, n)
		}
	}
}

func TestModesAreBounded(t *testing.T) {
	for i := range 500 {
		layout := fmt.Sprintf("2006 %d", i)
		want := `"` + optionMoment.Format(layout) + `"`
		if got, err := json.MarshalWith(optionMoment, json.FormatTime(layout)); err != nil || string(got) != want {
			t.Fatalf("%s: %s %v", layout, got, err)
		}
	}
}

// nested has jsontext's methods, by value and by pointer.
type nestedPair struct{ X, Y int }

func (p nestedPair) MarshalJSONTo(e *jsontext.Encoder) error {
	if p.X == 99 {
		return errors.ErrUnsupported
	}
	if p.X == 98 {
		return errBad
	}
	return errors.Join(e.WriteToken(jsontext.BeginArray), e.WriteToken(jsontext.Int(int64(p.X))),
		json.MarshalEncode(e, map[string]int{"<y>": p.Y}), e.WriteToken(jsontext.EndArray))
}

func (p *nestedPair) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() == jsontext.KindBeginObject {
		return errors.ErrUnsupported
	}
	if d.PeekKind() == jsontext.KindString {
		return errBad
	}
	var y map[string]int
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	if err := json.UnmarshalDecode(d, &p.X); err != nil {
		return err
	}
	if err := json.UnmarshalDecode(d, &y); err != nil {
		return err
	}
	p.Y = y["<y>"]
	_, err := d.ReadToken()
	return err
}

type nestedHolder struct {
	A nestedPair
	B *nestedPair
	C []nestedPair          `json:",omitempty"`
	D map[string]nestedPair `json:",omitempty"`
	E any
	F map[string]*nestedPair `json:",omitempty"`
	nestedEmbedded
}

type nestedEmbedded struct{ G [1]nestedPair }

// TestNestedTextMethods looks for MarshalJSONTo and UnmarshalJSONFrom at any depth, in every entry point.
func TestNestedTextMethods(t *testing.T) {
	v := nestedHolder{A: nestedPair{1, 2}, B: &nestedPair{3, 4}, C: []nestedPair{{5, 6}}, D: map[string]nestedPair{"d": {7, 8}},
		E: []any{nestedPair{9, 10}, &nestedPair{99, 11}}, F: map[string]*nestedPair{"f": {12, 13}, "g": nil}}
	const want = `{"A":[1,{"<y>":2}],"B":[3,{"<y>":4}],"C":[[5,{"<y>":6}]],"D":{"d":[7,{"<y>":8}]},` +
		`"E":[[9,{"<y>":10}],{"X":99,"Y":11}],"F":{"f":[12,{"<y>":13}],"g":null},"G":[[0,{"<y>":0}]]}`
	escaped := strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(want)
	marshals := map[string]func() ([]byte, error){
		"Marshal":     func() ([]byte, error) { return json.Marshal(v) },
		"pointer":     func() ([]byte, error) { return json.Marshal(&v) },
		"append":      func() ([]byte, error) { return json.MarshalAppend(nil, v) },
		"no html":     func() ([]byte, error) { return json.MarshalWith(v, json.EscapeForHTML(false)) },
		"V2":          func() ([]byte, error) { return json.MarshalWith(v, json.V2(), json.Deterministic(true)) },
		"MarshalWeft": func() ([]byte, error) { return json.Marshal(weftHolder{v}) },
		"Encoder": func() ([]byte, error) {
			var b bytes.Buffer
			err := json.NewEncoder(&b).Encode(v)
			return bytes.TrimSpace(b.Bytes()), err
		},
		"MarshalEncode": func() ([]byte, error) {
			var b bytes.Buffer
			err := json.MarshalEncode(jsontext.NewEncoder(&b), v)
			return bytes.TrimSpace(b.Bytes()), err
		},
	}
	for name, f := range marshals {
		t.Run(name, func(t *testing.T) {
			got, err := f()
			if err != nil || string(got) != want && string(got) != escaped {
				t.Errorf("%s, %v\nwant %s", got, err, want)
			}
		})
	}
	for _, bad := range []any{nestedPair{98, 0}, []any{&nestedPair{98, 0}}, map[string]nestedPair{"x": {98, 0}}} {
		if _, err := json.Marshal(bad); !errors.Is(err, errBad) {
			t.Errorf("%v: %v", bad, err)
		}
	}

	v.E = nil
	text := `{"A":[1,{"<y>":2}],"B":[3,{"<y>":4}],"C":[[5,{"<y>":6}]],"D":{"d":{"X":7,"y":8}},"F":{"f":[12,{"<y>":13}],"g":null},"G":[[0,{}]]}`
	for name, f := range map[string]func(v any) error{
		"Unmarshal": func(v any) error { return json.Unmarshal([]byte(text), v) },
		"V2": func(v any) error {
			return json.UnmarshalWith([]byte(text), v, json.V2(), json.MatchCaseInsensitiveNames(true))
		},
		"Decoder": func(v any) error { return json.NewDecoder(strings.NewReader(text)).Decode(v) },
		"read":    func(v any) error { return json.UnmarshalRead(strings.NewReader(text), v) },
		"text":    func(v any) error { return json.UnmarshalDecode(jsontext.NewDecoder(strings.NewReader(text)), v) },
	} {
		var got nestedHolder
		if err := f(&got); err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	var got nestedHolder
	if err := json.Unmarshal([]byte(`{"C":[[1,{}],"bad"]}`), &got); !errors.Is(err, errBad) {
		t.Error(err)
	}
	if err := json.UnmarshalWith([]byte(`{"C":[[1,{}],[1,true]]}`), &got); err == nil || !strings.Contains(err.Error(), "/C/1/1") {
		t.Error(err)
	}
}

type weftHolder struct{ v any }

func (h weftHolder) MarshalWeft(e *weft.Encoder) error { return e.Value(h.v) }

// TestFuncs calls functions of the caller's for types wherever they stand.
func TestFuncs(t *testing.T) {
	type celsius float64
	type shape interface{ area() float64 }
	calls := 0
	ms := json.JoinMarshalers(
		json.MarshalToFunc(func(e *jsontext.Encoder, s string) error {
			if s == "pass" {
				return errors.ErrUnsupported
			}
			return e.WriteToken(jsontext.String(strings.ToUpper(s)))
		}),
		json.JoinMarshalers(
			json.MarshalFunc(func(c celsius) ([]byte, error) { return fmt.Appendf(nil, ` { "°C" : %g } `, float64(c)), nil }),
			json.MarshalFunc(func(p *optionSquare) ([]byte, error) { calls++; return fmt.Appendf(nil, "%g", p.area()), nil }),
			nil,
		),
		json.MarshalFunc(func(error) ([]byte, error) { return nil, errBad }),
		json.MarshalFunc(func(s fmt.Stringer) ([]byte, error) { return json.Marshal("~" + s.String()) }),
		json.MarshalFunc(func(string) ([]byte, error) { return []byte(`"second"`), nil }),
	)
	_ = shape(nil)
	type all struct {
		A string
		B *celsius
		C []optionSquare
		D map[string]any
		E any
		F time.Duration
		G []string `json:",omitempty"`
	}
	c := celsius(21.5)
	v := all{"a", &c, []optionSquare{{2}, {3}}, map[string]any{"k": "pass", "l": c}, &optionSquare{4}, time.Second, nil}
	const want = `{"A":"A","B":{"°C":21.5},"C":[4,9],"D":{"K":"second","L":{"°C":21.5}},"E":16,"F":"~1s"}`
	o := json.WithMarshalers(ms)
	for range 2 {
		for name, x := range map[string]any{"value": v, "pointer": &v} {
			got, err := json.MarshalWith(x, o)
			if plain := strings.Replace(strings.Replace(want, `"K"`, `"k"`, 1), `"L"`, `"l"`, 1); err != nil ||
				string(got) != want && string(got) != plain {
				t.Errorf("%s: %s, %v\nwant %s", name, got, err, want)
			}
		}
	}
	if calls == 0 {
		t.Error("no call")
	}
	if got, err := json.MarshalWith(&v, json.V2(), json.Deterministic(true), o); err != nil || string(got) != want {
		t.Errorf("V2: %s, %v", got, err)
	}
	big7 := json.WithMarshalers(json.MarshalFunc(func(n *big.Int) ([]byte, error) { return []byte(`"` + n.String() + `"`), nil }))
	holder := struct {
		A any
		B json.Marshaler
		C *big.Int
		D big.Int
	}{big.NewInt(1), big.NewInt(2), big.NewInt(3), *big.NewInt(4)}
	if got, err := json.MarshalWith(holder, big7); err != nil || string(got) != `{"A":"1","B":"2","C":"3","D":"4"}` {
		t.Errorf("%s %v", got, err)
	}
	if _, err := json.MarshalWith(optionError{}, o); !errors.Is(err, errBad) {
		t.Error(err)
	}
	if got, err := json.Marshal(v.F); err != nil || string(got) != "1000000000" {
		t.Errorf("without the option: %s %v", got, err)
	}
	var b bytes.Buffer
	e := jsontext.NewEncoder(&b, o)
	if err := json.MarshalEncode(e, []any{"x", c}); err != nil || b.String() != "[\"X\",{\"°C\":21.5}]\n" {
		t.Errorf("MarshalEncode: %s %v", b.Bytes(), err)
	}

	us := json.JoinUnmarshalers(
		json.UnmarshalFromFunc(func(d *jsontext.Decoder, s *string) error {
			if d.PeekKind() == jsontext.KindNull {
				return errors.ErrUnsupported
			}
			tok, err := d.ReadToken()
			*s = "<" + tok.String() + ">"
			return err
		}),
		json.UnmarshalFunc(func(b []byte, c *celsius) error {
			var x map[string]float64
			err := json.Unmarshal(b, &x)
			*c = celsius(x["°C"])
			return err
		}),
		json.UnmarshalFunc(func([]byte, shape) error { return errBad }),
	)
	var got struct {
		A string
		B *celsius
		C []string
		D map[string]any
		E *optionSquare
	}
	err := json.UnmarshalWith([]byte(`{"A":"a","B":{"°C":-1},"C":["x",null,7],"D":{"k":["v"]}}`), &got, json.WithUnmarshalers(us))
	if err != nil || got.A != "<a>" || *got.B != -1 || !reflect.DeepEqual(got.C, []string{"<x>", "", "<7>"}) ||
		fmt.Sprint(got.D) != "map[k:[v]]" {
		t.Errorf("%+v %v", got, err)
	}
	if err := json.UnmarshalWith([]byte(`{"E":1}`), &got, json.WithUnmarshalers(us)); !errors.Is(err, errBad) {
		t.Error(err)
	}
	for name, f := range map[string]func(){
		"pointer":  func() { type p *int; json.MarshalFunc(func(p) ([]byte, error) { return nil, nil }) },
		"no place": func() { json.UnmarshalFunc(func([]byte, int) error { return nil }) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

type optionSquare struct{ Side float64 }

func (s *optionSquare) area() float64 { return s.Side * s.Side }

type optionError struct{}

func (*optionError) Error() string { return "error" }

// TestPassing checks that errors.ErrUnsupported passes only where nothing has been written or read.
func TestPassing(t *testing.T) {
	o := json.WithMarshalers(json.MarshalToFunc(func(e *jsontext.Encoder, _ int) error {
		return errors.Join(e.WriteToken(jsontext.Null), errors.ErrUnsupported)
	}))
	if b, err := json.MarshalWith([]int{1}, o); err == nil || errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%s %v", b, err)
	}
	o = json.WithMarshalers(json.MarshalFunc(func(int) ([]byte, error) { return nil, errors.ErrUnsupported }))
	if b, err := json.MarshalWith([]int{1}, o); err == nil || errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%s %v", b, err)
	}
	o = json.WithMarshalers(json.MarshalToFunc(func(*jsontext.Encoder, int) error { return nil }))
	if b, err := json.MarshalWith([]int{1}, o); err == nil {
		t.Errorf("%s", b)
	}
	o = json.WithUnmarshalers(json.UnmarshalFromFunc(func(d *jsontext.Decoder, _ *int) error {
		return errors.Join(d.SkipValue(), errors.ErrUnsupported)
	}))
	var n []int
	if err := json.UnmarshalWith([]byte("[1]"), &n, o); err == nil || errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%d %v", n, err)
	}
}

// TestFoldedOptions: an option is set by a name of another case too.
func TestFoldedOptions(t *testing.T) {
	type options struct {
		N opt.Null[int]
		F opt.Field[string]
		V opt.Val[int]
		L opt.Val[[]int]
		C opt.Field[int] `json:",case:ignore"`
		S opt.Val[struct{}]
	}
	all := options{N: opt.NullOf(1), F: opt.FieldOf("x"), V: opt.ValOf(2), L: opt.ValOf([]int{3}), C: opt.FieldOf(4)}
	for _, c := range []struct {
		text string
		opts json.Options
		want options
		fail bool
	}{
		{text: `{"n":1,"f":"x","v":2,"l":[3],"c":4}`, opts: json.MatchCaseInsensitiveNames(true), want: all},
		{text: `{"N":1,"F":"x","V":2,"L":[3],"C":4}`, want: all},
		{text: `{"N":null,"F":null,"C":null}`, want: options{F: opt.FieldNull[string](), C: opt.FieldNull[int]()}},
		{text: `{"V":null}`, fail: true},
		{text: `{"S":null}`, fail: true},
		{text: `{"L":null}`, want: options{L: opt.ValOf[[]int](nil)}},
		{text: `{"F":1}`, fail: true},
		{text: `{"C":"x"}`, fail: true},
	} {
		t.Run(c.text, func(t *testing.T) {
			var got options
			err := json.UnmarshalWith([]byte(c.text), &got, json.V2(), c.opts)
			if (err != nil) != c.fail || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v, %v, want %+v", got, err, c.want)
			}
		})
	}
}

// TestStringDuration: a duration that is written as a string is read from one.
func TestStringDuration(t *testing.T) {
	o := json.StringifyNumbers(true)
	b, err := json.MarshalWith([]any{90 * time.Second}, o)
	if err != nil || string(b) != `["90000000000"]` {
		t.Fatalf("%s, %v", b, err)
	}
	var got []time.Duration
	if err := json.UnmarshalWith(b, &got, o); err != nil || got[0] != 90*time.Second {
		t.Errorf("%v, %v", got, err)
	}
	if err := json.UnmarshalWith([]byte(`[90]`), &got, o); err == nil {
		t.Error("a number is accepted")
	}
}
