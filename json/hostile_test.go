package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
)

// hostile is a type with a bit of everything, and hostileDocs are texts for
// it, each to be cut and changed at every byte.
type hostile struct {
	ID      int64              `json:"id"`
	Small   int8               `json:"small"`
	Un      uint16             `json:"un"`
	F       float64            `json:"f"`
	F32     float32            `json:"f32"`
	On      bool               `json:"on"`
	Name    string             `json:"name"`
	Long    string             `json:"a_name_that_is_longer_than_a_word_and_stays_below_sixty"`
	Tags    []string           `json:"tags"`
	Floats  []float64          `json:"floats"`
	Grid    [][]int            `json:"grid"`
	Pair    [2]int             `json:"pair"`
	Blob    []byte             `json:"blob"`
	Raw     json.RawMessage    `json:"raw"`
	Num     json.Number        `json:"num"`
	When    *time.Time         `json:"when"`
	Any     any                `json:"any"`
	Map     map[string]any     `json:"map"`
	Ints    map[int]string     `json:"ints"`
	Strings map[string]string  `json:"strings"`
	Rates   map[string]float64 `json:"rates"`
	Next    *hostile           `json:"next"`
	List    []hostile          `json:"list"`
	Quoted  int                `json:"quoted,string"`
	Quo     *int16             `json:"quo,string"`
	J       dPtrJSON           `json:"j"`
	T       dPtrText           `json:"t"`
	Texts   []dPtrText         `json:"ts"`
	dHostileBase
}

type dHostileBase struct {
	Base string `json:"base"`
}

var hostileDocs = []string{
	`{"id":-12,"small":7,"un":65535,"f":-1.5e3,"f32":0.25,"on":true,"name":"x","tags":["a","b\n","\u00e9"],` +
		`"floats":[1,2.5,-0.125,1e3],"grid":[[1],[],[2,3]]}`,
	`{ "pair" : [ 1 , 2 ] , "blob" : "aGVsbG8=" , "raw":{"x": [1 ]}, "num":12.50, "when":"2024-05-06T07:08:09Z",` +
		`"any":{"a":[null,true,false,"s",1]}}`,
	"{\"map\":{\"k\":[{}],\"k\":{}},\r\n\t\"ints\":{\"1\":\"one\",\"-2\":\"\"}," +
		"\"strings\":{\"a\":\"b\",\"\\u0063\":\"\\ud83d\\ude00\"},\"rates\":{\"eur\":1.25}}",
	`{"next":{"id":1,"next":{"name":"\"\\\/\b\f\n\r\t","next":null}},"list":[{"id":1},{"name":"two","tags":[]}],` +
		`"quoted":"17","j":{"k":[1]},"t":"text","ts":["a","b"],"base":"b"}`,
	`{"a_name_that_is_longer_than_a_word_and_stays_below_sixty":"` + strings.Repeat("0123456789", 7) +
		`","unknown":{"deep":[[[{"x":[]}]]]},"NAME":"folded","un":0}`,
	"[\"\xff\xfe\",\"\xe2\x82\xac\",\"\\ud800\",\"\\udc00\\ud800x\",{\"\xff\":\"\xc3\\n\xa9\"}]",
	`[0,-0,0.0,1E5,1e+5,1e-5,123456789012345678901234567890,1.7976931348623157e308,5e-324,true,false,null,"",[],{}]`,
	`"a string \u0041 of its own, longer than a block of sixty-four bytes, so that it crosses one"`,
	`-0.125e-2`, `true`, `false`, `null`, ` [ ] `,
}

// poison fills the decoder's pooled memory with what would be read if
// something read beyond its text.
func poison(with byte) {
	json.Valid(bytes.Repeat([]byte{with}, 1024))
}

// agree decodes text by every way that there is and compares with
// encoding/json.
func agree(t *testing.T, text []byte) {
	t.Helper()
	orig := bytes.Clone(text)
	valid := stdjson.Valid(text)
	if json.Valid(text) != valid {
		t.Fatalf("Valid(%q) = %v", text, !valid)
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[any](), reflect.TypeFor[hostile](), reflect.TypeFor[[]any]()} {
		for fill := range 2 {
			a, b := hostileTarget(typ, fill), hostileTarget(typ, fill)
			want := stdjson.Unmarshal(text, a.Interface())
			got := json.Unmarshal(text, b.Interface())
			compare(t, "Unmarshal", text, valid, want, got, a, b)
			if fill == 1 {
				continue
			}
			a, b = hostileTarget(typ, fill), hostileTarget(typ, fill)
			want = stdjson.NewDecoder(iotest.OneByteReader(bytes.NewReader(text))).Decode(a.Interface())
			got = json.NewDecoder(iotest.OneByteReader(bytes.NewReader(text))).Decode(b.Interface())
			compare(t, "Decode", text, valid, want, got, a, b)
		}
	}
	for _, v := range []weft.Unmarshaler{new(rPet), new(wRoot), reading(func(r backend.Reader) error { r.Skip(); return r.Err() })} {
		err := json.UnmarshalWith(text, v)
		var e *weft.Error
		switch {
		case err == nil && !valid:
			t.Fatalf("Read(%q) into %T: no error", text, v)
		case err != nil && (!errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(len(text)) || e.Format != "json"):
			t.Fatalf("Read(%q) into %T: error without place: %v", text, v, err)
		}
		u := reflect.New(reflect.TypeOf(v).Elem()).Interface()
		if _, ok := u.(*readFunc); ok {
			continue
		}
		if err := json.Unmarshal(text, u); err == nil && !valid {
			t.Fatalf("Unmarshal(%q) into %T: no error", text, v)
		}
		var se *stdjson.SyntaxError
		if !valid && (!errors.As(json.Unmarshal(text, u), &se) || !reflect.ValueOf(u).Elem().IsZero()) {
			t.Fatalf("Unmarshal(%q) into %T: %+v", text, v, u)
		}
	}
	if !bytes.Equal(text, orig) {
		t.Fatalf("%q has become %q", orig, text)
	}
}

func compare(t *testing.T, what string, text []byte, valid bool, want, got error, a, b reflect.Value) {
	t.Helper()
	if (want == nil) != (got == nil) {
		t.Fatalf("%s(%q) into %v: error %v, want %v", what, text, a.Type(), got, want)
	}
	if classicOracle {
		if d := errorDiff(want, got); d != "" {
			t.Fatalf("%s(%q) into %v: %s", what, text, a.Type(), d)
		}
		if d := differ(a, b); d != "" {
			t.Fatalf("%s(%q) into %v: %s", what, text, a.Type(), d)
		}
	}
}

// hostileTarget returns a new target; fill reports whether it holds something.
func hostileTarget(t reflect.Type, fill int) reflect.Value {
	p := reflect.New(t)
	if fill == 0 {
		return p
	}
	switch v := p.Interface().(type) {
	case *any:
		*v = &hostile{ID: 3, Tags: []string{"old"}}
	case *hostile:
		now := time.Unix(0, 0).UTC()
		*v = hostile{
			ID: 9, Name: "old", Tags: append(make([]string, 0, 4), "x", "y"), Floats: []float64{9, 8, 7}, Grid: [][]int{{5, 6}, {7}},
			Blob: []byte("old"), Raw: json.RawMessage(`old, but long enough`), When: &now,
			Any: map[string]any{"old": 1}, Map: map[string]any{"k": "old"}, Ints: map[int]string{1: "old"},
			Strings: map[string]string{"a": "old"}, Next: &hostile{ID: 8}, Quo: new(int16),
			List: make([]hostile, 1, 3), Texts: make([]dPtrText, 1, 2),
		}
	case *[]any:
		*v = []any{1, new(int), &hostile{}, new(string)}
	}
	return p
}

// TestEveryPrefix cuts the documents at every byte, at several places within
// the blocks of the scanner.
func TestEveryPrefix(t *testing.T) {
	for _, doc := range hostileDocs {
		for _, shift := range []int{0, 13, 40} {
			text := []byte(strings.Repeat(" ", shift) + doc)
			for n := range len(text) + 1 {
				if n < shift {
					continue
				}
				poison(`9"}]\`[n%5])
				agree(t, text[:n:n])
			}
			if testing.Short() {
				break
			}
		}
	}
}

// TestEveryChange changes, leaves out and doubles every byte of the documents.
func TestEveryChange(t *testing.T) {
	with := "\x00 \"\\{}[],:9e-\xff\n"
	if testing.Short() {
		with = "\x00\"\\}"
	}
	for _, doc := range hostileDocs {
		for i := range len(doc) {
			for j := range len(with) {
				text := []byte(doc)
				text[i] = with[j]
				agree(t, text)
			}
			agree(t, []byte(doc[:i]+doc[i+1:]))
			agree(t, []byte(doc[:i]+doc[i:i+1]+doc[i:]))
		}
	}
}

// TestReaderFailsAnywhere: a stream that fails at any byte fails the Decoder
// as it fails encoding/json's, and so does one that ends.
func TestReaderFailsAnywhere(t *testing.T) {
	for _, doc := range hostileDocs {
		text := doc + " " + doc
		for n := range len(text) + 1 {
			for _, end := range []error{errBad, io.EOF, io.ErrUnexpectedEOF} {
				var outcomes [2][]string
				for k, im := range []*implementation{&oracle, &subject} {
					r := io.Reader(strings.NewReader(text[:n]))
					if n%2 == 0 {
						r = iotest.HalfReader(r)
					}
					d := im.NewDecoder(io.MultiReader(r, iotest.ErrReader(end)))
					for range 4 {
						var v hostile
						err := d.Decode(&v)
						outcomes[k] = append(outcomes[k], fmt.Sprint(errors.Is(err, end), err, d.InputOffset()))
					}
				}
				if classicOracle && !reflect.DeepEqual(outcomes[0], outcomes[1]) {
					t.Fatalf("%q: got\n%v, want\n%v", text[:n], outcomes[1], outcomes[0])
				}
			}
		}
		if testing.Short() {
			break
		}
	}
}

// TestLyingNumbers: numbers that no type holds get encoding/json's answer, and
// soon.
func TestLyingNumbers(t *testing.T) {
	zeros, nines := strings.Repeat("0", 1<<18), strings.Repeat("9", 1<<20)
	start := time.Now()
	for _, num := range []string{
		`1e999999999`, `-1e999999999`, `1e-999999999`, `0e999999999`, `1E+99999999999999999999999999`, `0.0e-99999999999999999999999999`,
		nines, "-" + nines, "0." + zeros + "1", "0." + zeros + nines, "1e" + nines, "0e-" + nines, nines[:1<<18] + "e-262144",
		nines[:1<<18] + "." + nines[:1<<18] + "E5",
		"0." + zeros + "1e262145", "0." + zeros[:9000] + "1e9001", "0." + zeros[:200000] + "1e200001",
		"1" + zeros[:400] + "e-400", "1" + zeros[:20000] + "e-20000",
		"1" + zeros[:200000] + "e-200000", "1e10000", "1e9999", "0." + zeros[:9990] + "1e9999",
		"0." + zeros[:9998] + "12e9999", "0." + zeros[:10000] + "1e10001",
		"179769313486231570814527423731704356798070e267", "2.2250738585072011e-308", "4.9e-324", "2e-324",
		"340282356779733661637539395458142568447", "340282346638528859811704183484516925440",
		"18446744073709551615", "18446744073709551616", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
		"-9223372036854775809", "000", "01", "1" + zeros, "1.0", "1e0",
	} {
		for _, text := range []string{num, "[" + num + "]", `{"a":` + num + `}`, `{"a":"` + num + `"}`} {
			for _, typ := range []reflect.Type{
				reflect.TypeFor[any](), reflect.TypeFor[float64](), reflect.TypeFor[float32](), reflect.TypeFor[int](),
				reflect.TypeFor[uint64](), reflect.TypeFor[int8](), reflect.TypeFor[string](),
				reflect.TypeFor[json.Number](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[[]float64](),
				reflect.TypeFor[map[string]float64](), reflect.TypeFor[map[string]int64](),
				reflect.TypeFor[struct {
					A float64 `json:",string"`
				}](), reflect.TypeFor[struct {
					A int `json:",string"`
				}](), reflect.TypeFor[struct{ A json.Number }](),
			} {
				long := len(num) > 1<<16
				if long && len(text) != len(num) || len(num) > 1<<17 && typ.Kind() != reflect.Interface && typ.Kind() != reflect.Int {
					continue
				}
				a, b := reflect.New(typ), reflect.New(typ)
				want, got := stdjson.Unmarshal([]byte(text), a.Interface()), json.Unmarshal([]byte(text), b.Interface())
				if (want == nil) != (got == nil) || classicOracle && fmt.Sprint(want) != fmt.Sprint(got) || classicOracle && differ(a, b) != "" {
					w, g := fmt.Sprint(want), fmt.Sprint(got)
					t.Errorf("%.40q (%d bytes) into %v: %.80s %.60v, want %.80s %.60v", text, len(text), typ, g, b.Elem(), w, a.Elem())
				}
			}
		}
	}
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("took %v", d)
	}
}

// TestAllocationBounds: a text makes the decoder allocate about as much as
// encoding/json allocates for it, and never more than its length accounts for.
func TestAllocationBounds(t *testing.T) {
	if json.SafeBuild {
		t.Skip("reflection allocates")
	}
	many := func(s string, n int) string { return strings.Repeat(s, n) }
	for _, c := range []struct {
		name string
		text string
		typ  reflect.Type
	}{
		{"open arrays", many("[", 1<<16), reflect.TypeFor[any]()},
		{"open arrays in a slice", "[" + many("[", 1<<16), reflect.TypeFor[[]any]()},
		{"open objects", many(`{"a":`, 1<<14), reflect.TypeFor[any]()},
		{"empty arrays", "[" + many("[],", 1<<15) + "[]]", reflect.TypeFor[any]()},
		{"empty arrays as slices", "[" + many("[],", 1<<15) + "[]]", reflect.TypeFor[[][]hostile]()},
		{"one element each", "[" + many("[{}],", 1<<10) + "[]]", reflect.TypeFor[[][]hostile]()},
		{"large elements", "[" + many("{},", 1<<10) + "{}]", reflect.TypeFor[[]hostile]()},
		{"escapes", `"` + many(`\u0041`, 1<<16) + `"`, reflect.TypeFor[string]()},
		{"bad UTF-8", `"` + many("\xff", 1<<16) + `"`, reflect.TypeFor[string]()},
		{"names", `{` + many(`"some name":1,`, 1<<14) + `"a":1}`, reflect.TypeFor[hostile]()},
		{"small maps", `[` + many(`{"a":{}},`, 1<<13) + `{}]`, reflect.TypeFor[[]map[string]map[string]any]()},
		{"pointers", `[` + many(`{},`, 1<<12) + `{}]`, reflect.TypeFor[[]*hostile]()},
		{"spaces", many(" ", 1<<20) + "1", reflect.TypeFor[int]()},
		{"nulls", "[" + many("null,", 1<<16) + "null]", reflect.TypeFor[[]*hostile]()},
		{"empty base64", "[" + many(`"",`, 1<<15) + `""]`, reflect.TypeFor[[][]byte]()},
		{"an array too long", "[" + many("1,", 1<<16) + "1]", reflect.TypeFor[[1]int]()},
	} {
		t.Run(c.name, func(t *testing.T) {
			weftBytes := leastAlloc(func() { _ = json.Unmarshal([]byte(c.text), reflect.New(c.typ).Interface()) })
			stdBytes := leastAlloc(func() { _ = stdjson.Unmarshal([]byte(c.text), reflect.New(c.typ).Interface()) })
			if limit := 2*stdBytes + 4*uint64(len(c.text)) + 64<<10; weftBytes > limit {
				t.Errorf("%d bytes, encoding/json %d", weftBytes, stdBytes)
			}
		})
	}
}

// leastAlloc returns the least number of bytes that a few calls of f allocate.
func leastAlloc(f func()) uint64 {
	least := ^uint64(0)
	var m runtime.MemStats
	for range 4 {
		runtime.ReadMemStats(&m)
		before := m.TotalAlloc
		f()
		runtime.ReadMemStats(&m)
		least = min(least, m.TotalAlloc-before)
	}
	return least
}

// TestLongSpaces: spaces that arrive byte by byte are looked at once.
func TestLongSpaces(t *testing.T) {
	text := strings.Repeat(" \n", 1<<17) + `[1]`
	start := time.Now()
	d := json.NewDecoder(iotest.OneByteReader(strings.NewReader(text)))
	if !d.More() {
		t.Error("no value")
	}
	tok, err := d.Token()
	if tok != json.Delim('[') || err != nil || d.InputOffset() != int64(len(text))-2 {
		t.Error(tok, err, d.InputOffset())
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
	// What has been looked at is not kept.
	for _, how := range []func(d *json.Decoder, v any) error{
		(*json.Decoder).Decode,
		func(d *json.Decoder, v any) error { d.More(); return d.Decode(v) },
	} {
		text := strings.Repeat(" ", 1<<21) + "1" + strings.Repeat("\n", 1<<21) + "2"
		used := leastAlloc(func() {
			var a, b int
			d := json.NewDecoder(strings.NewReader(text))
			if err := errors.Join(how(d, &a), how(d, &b)); err != nil || a != 1 || b != 2 || d.InputOffset() != int64(len(text)) {
				t.Error(a, b, err, d.InputOffset())
			}
		})
		if used > 1<<20 {
			t.Errorf("%d bytes for two numbers", used)
		}
	}
}

// deepPart and its likes alternate structs with methods that read and write tokens.
type (
	deepPart   struct{ Next *deepMethod }
	deepMethod struct{ v deepPart }
	deepLax    struct{ Next *deepStrict }
	deepStrict struct{ v deepLax }
	deepFunc   struct{ Next *deepFunc }
	deepRest   struct {
		Rest map[string]*deepOther `json:",embed"`
	}
	deepOther struct{ v []deepRest }
)

func (m *deepMethod) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return json.UnmarshalDecode(d, &m.v)
}
func (m *deepMethod) MarshalJSONTo(e *jsontext.Encoder) error { return json.MarshalEncode(e, &m.v) }

func (m *deepStrict) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return json.UnmarshalDecode(d, &m.v, jsontext.AllowDuplicateNames(false))
}
func (m *deepStrict) MarshalJSONTo(e *jsontext.Encoder) error {
	return json.MarshalEncode(e, &m.v, jsontext.AllowDuplicateNames(false))
}

func (m *deepOther) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return json.UnmarshalDecode(d, &m.v)
}
func (m *deepOther) MarshalJSONTo(e *jsontext.Encoder) error { return json.MarshalEncode(e, m.v) }

// TestHostileMethods checks that what methods within methods take grows with the text, and not with its square.
func TestHostileMethods(t *testing.T) {
	funcs := json.WithUnmarshalers(json.UnmarshalFromFunc(func(d *jsontext.Decoder, v *deepFunc) error {
		var x struct{ Next *deepFunc }
		err := json.UnmarshalDecode(d, &x)
		v.Next = x.Next
		return err
	}))
	out := json.WithMarshalers(json.MarshalToFunc(func(e *jsontext.Encoder, v *deepFunc) error {
		return json.MarshalEncode(e, struct{ Next *deepFunc }{v.Next})
	}))
	tests := []struct {
		name, open, close string
		to                any
		opts              []weft.Options
		bad               bool
	}{
		{"methods", `{"Next":`, `}`, new(deepMethod), []weft.Options{json.V2()}, false},
		{"methods of version 1", `{"Next":`, `}`, new(deepMethod), nil, false},
		{"methods and an error", `{"Next":`, `}`, new(deepMethod), []weft.Options{json.V2()}, true},
		{"options in each", `{"Next":`, `}`, new(deepStrict), []weft.Options{json.V2(), jsontext.AllowDuplicateNames(true)}, false},
		{"functions", `{"Next":`, `}`, new(deepFunc), []weft.Options{json.V2(), funcs, out}, false},
		{"unknown members", `{"a":[`, `]}`, new(deepRest), []weft.Options{json.V2()}, false},
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			size := func(n int) (decode, encode uint64) {
				text := []byte(strings.Repeat(tt.open, n) + strings.Repeat(tt.close, n))
				in := "null"
				if tt.open == `{"a":[` {
					in = ""
				}
				if tt.bad {
					in = "true"
				}
				text = slices.Concat(text[:n*len(tt.open)], []byte(in), text[n*len(tt.open):])
				var at [3]runtime.MemStats
				v := reflect.New(reflect.TypeOf(tt.to).Elem()).Interface()
				runtime.ReadMemStats(&at[0])
				err := json.UnmarshalWith(text, v, tt.opts...)
				runtime.ReadMemStats(&at[1])
				if (err != nil) != tt.bad {
					t.Fatal(err)
				}
				b, err := json.MarshalWith(v, tt.opts...)
				runtime.ReadMemStats(&at[2])
				if err != nil || !tt.bad && !bytes.Equal(b, text) {
					t.Fatalf("%s, %v", b, err)
				}
				return at[1].TotalAlloc - at[0].TotalAlloc, at[2].TotalAlloc - at[1].TotalAlloc
			}
			const n = 800
			size(2 * n) // the pools have what they need
			d1, e1 := size(n)
			d2, e2 := size(2 * n)
			const least = 1 << 20 // with a square it was 500 times as much
			if !sample.Race && (2*d2 > 5*max(d1, least) || 2*e2 > 5*max(e1, least)) {
				t.Errorf("decode %d and %d bytes, encode %d and %d", d1, d2, e1, e2)
			}
		})
	}
}
