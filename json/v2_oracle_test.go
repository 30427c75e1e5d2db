//go:build goexperiment.jsonv2 && go1.27

package json_test

import (
	"bytes"
	stdtext "encoding/json/jsontext"
	stdv2 "encoding/json/v2"
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
)

// formatTags makes encoding/json/v2 obey the tag option format.
type formatTags struct{ stdv2.Options }

func (formatTags) ExperimentalSupportFormatTag() bool { return true }

// v2Types are the types that random types for encoding/json/v2 are built of.
var v2Types = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int64](), reflect.TypeFor[uint8](),
	reflect.TypeFor[uint64](), reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[string](),
	reflect.TypeFor[any](), reflect.TypeFor[any](), reflect.TypeFor[time.Time](), reflect.TypeFor[[]byte](), reflect.TypeFor[[3]byte](),
	reflect.TypeFor[[]string](), reflect.TypeFor[map[string]any](), reflect.TypeFor[[]any](), reflect.TypeFor[map[string]string](),
	reflect.TypeFor[dString](), reflect.TypeFor[dInt](), reflect.TypeFor[dBytes](), reflect.TypeFor[[]dByte](), reflect.TypeFor[dFloat64](),
	reflect.TypeFor[dValJSON](), reflect.TypeFor[dPtrJSON](), reflect.TypeFor[dValText](), reflect.TypeFor[dPtrText](),
	reflect.TypeFor[dHookMap](), reflect.TypeFor[netip.Addr](), reflect.TypeFor[time.Duration](), reflect.TypeFor[stdtext.Value](),
	reflect.TypeFor[dIsZero](), reflect.TypeFor[dNode](), reflect.TypeFor[dRecSlice](), reflect.TypeFor[dTextByte](), reflect.TypeFor[dTo](),
	reflect.TypeFor[dToInt](),
	reflect.TypeFor[v2Fold](), reflect.TypeFor[v2Formats](), reflect.TypeFor[v2Rest](), reflect.TypeFor[v2RestRaw](),
	reflect.TypeFor[v2Omit](),
	reflect.TypeFor[json.Number](),
}

type (
	v2Fold struct {
		FirstName string `json:"firstName,case:ignore"`
		Last_Name string
		Strict    int `json:"STRICT,case:strict"`
		Key       int `json:"a-b,case:ignore,omitempty"`
	}
	v2Formats struct {
		A time.Time      `json:",format:unix"`
		B time.Time      `json:",omitzero,format:unixmilli"`
		C time.Time      `json:",format:unixnano,string"`
		D time.Time      `json:"d,format:DateOnly"`
		E time.Time      `json:",format:'2006/01/02,15h'"`
		F time.Time      `json:",format:RFC1123"`
		G time.Duration  `json:",format:sec"`
		H time.Duration  `json:",format:units"`
		I time.Duration  `json:",format:nano"`
		J time.Duration  `json:",format:iso8601"`
		K []byte         `json:",format:hex"`
		L []byte         `json:",format:base64url"`
		M []byte         `json:",format:base32hex"`
		N [2]byte        `json:",format:array"`
		O [2]byte        `json:",format:base32"`
		P []byte         `json:",format:array"`
		Q []int          `json:",format:emitnull"`
		R map[string]int `json:",format:emitnull"`
		S float64        `json:",format:nonfinite"`
		T *time.Time     `json:",format:unixmicro"`
		U []dByte        `json:",omitempty"`
		V time.Time      `json:",format:RFC3339"`
	}
	v2Rest struct {
		A    int            `json:"a"`
		B    string         `json:"b,omitempty"`
		Rest map[string]any `json:",embed"`
	}
	v2RestRaw struct {
		A    int           `json:"a,omitzero"`
		Rest stdtext.Value `json:",embed"`
	}
	v2Omit struct {
		A string         `json:",omitempty"`
		B []int          `json:",omitempty"`
		C map[string]int `json:",omitempty"`
		D *int           `json:",omitempty"`
		E int            `json:",omitempty"`
		F bool           `json:",omitempty"`
		G struct{}       `json:",omitempty"`
		H any            `json:",omitempty"`
		I *v2Rest        `json:",omitempty"`
		J [0]int         `json:",omitempty"`
		K dValText       `json:",omitempty"`
		L [2]string      `json:",omitempty"`
		N int            `json:",string,omitzero"`
		O *float64       `json:",string"`
		P **uint8        `json:",string,omitempty"`
	}
)

// dTo has encoding/json/v2's methods.
type dTo struct{ A, B int8 }

func (v *dTo) MarshalJSONTo(e *stdtext.Encoder) error {
	return stdv2.MarshalEncode(e, []int8{v.A, v.B})
}

func (v *dTo) UnmarshalJSONFrom(d *stdtext.Decoder) error {
	return stdv2.UnmarshalDecode(d, &[]*int8{&v.A, &v.B})
}

// dToInt has them too, and writes a number.
type dToInt int

func (v dToInt) MarshalJSONTo(e *stdtext.Encoder) error { return stdv2.MarshalEncode(e, int(v)) }

func (v *dToInt) UnmarshalJSONFrom(d *stdtext.Decoder) error {
	return stdv2.UnmarshalDecode(d, (*int)(v))
}

var v2Keys = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[dString](), reflect.TypeFor[int](), reflect.TypeFor[uint8](),
	reflect.TypeFor[float64](), reflect.TypeFor[bool](), reflect.TypeFor[dKeyText](), reflect.TypeFor[dKeyStr](), reflect.TypeFor[[2]byte](),
	reflect.TypeFor[dKeyIntBoth](), reflect.TypeFor[netip.Addr](),
}

// v2FormatTags are what tags say of formats.
var v2FormatTags = []string{",format:unix", ",format:unixnano", ",format:RFC3339", ",format:DateOnly", ",format:'06-1-2'", ",format:sec",
	",format:units", ",format:iso8601", ",format:hex", ",format:base64url", ",format:array", ",format:emitnull", ",format:emitempty",
	",format:nonfinite"}

// typV2 returns a random type; with extended for calls with [json.ExtendedTags].
func (g *gen) typV2(depth int, extended bool) reflect.Type {
	if depth <= 0 {
		return pick(g, v2Types)
	}
	switch g.IntN(12) {
	case 0, 1:
		return reflect.PointerTo(g.typV2(depth-1, extended))
	case 2, 3:
		return reflect.SliceOf(g.typV2(depth-1, extended))
	case 4:
		return reflect.ArrayOf(g.IntN(3), g.typV2(depth-1, extended))
	case 5, 6:
		return reflect.MapOf(pick(g, v2Keys), g.typV2(depth-1, extended))
	case 7, 8, 9:
		var fields []reflect.StructField
		for i := range g.IntN(6) {
			f := reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: g.typV2(depth-1, extended)}
			var tag strings.Builder
			if g.one(2) {
				tag.WriteString(pick(g, []string{"a", "b", "ü", "<x>", "a b", "x_y", "é-z"}) + strconv.Itoa(i))
			}
			for _, o := range []string{"omitempty", "omitzero", "case:ignore"} {
				if g.one(12) {
					o = pick(g, []string{"case:strict", "embed"})
				}
				if o == "embed" {
					tag.Reset()
				}
				if g.one(4) {
					tag.WriteString("," + o)
				}
			}
			if g.one(20) {
				odd := []string{",string", ",Omitempty", ",omit_zero", ",what", ",omitempty,omitempty"}
				if !v2Writes(f.Type) {
					odd = append(odd, ",format:unix", ",format:hex")
				}
				if !extended {
					odd = append(odd, ",inline", ",unknown")
				}
				tag.WriteString(pick(g, odd))
			}
			if g.one(6) && !v2Writes(f.Type) {
				tag.WriteString(pick(g, v2FormatTags))
			}
			switch k := f.Type.Kind(); {
			case g.one(4) && (reflect.Int <= k && k <= reflect.Float64 || v2Writes(f.Type)):
				tag.WriteString(",string")
			}
			f.Tag = reflect.StructTag("json:" + strconv.Quote(tag.String()))
			fields = append(fields, f)
		}
		return reflect.StructOf(fields)
	}
	return pick(g, v2Types)
}

// v2Writes reports whether the methods of t take an encoder: encoding/json/v2 lets the option format of a
// field go on to the first value that they write, whatever it is.
func v2Writes(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t == reflect.TypeFor[dTo]() || t == reflect.TypeFor[dToInt]()
}

// v2Call is a set of options in both packages.
type v2Call struct {
	name string
	ours json.Options
	std  stdv2.Options
}

var v2Calls = []v2Call{
	{"none", json.Options{}, stdv2.JoinOptions()},
	{"StringifyNumbers", json.StringifyNumbers(true), stdv2.StringifyNumbers(true)},
	{"FormatNilSliceAsNull", json.FormatNilSliceAsNull(true), stdv2.FormatNilSliceAsNull(true)},
	{"FormatNilMapAsNull", json.FormatNilMapAsNull(true), stdv2.FormatNilMapAsNull(true)},
	{"OmitZeroStructFields", json.OmitZeroStructFields(true), stdv2.OmitZeroStructFields(true)},
	{"MatchCaseInsensitiveNames", json.MatchCaseInsensitiveNames(true), stdv2.MatchCaseInsensitiveNames(true)},
	{"RejectUnknownMembers", json.RejectUnknownMembers(true), stdv2.RejectUnknownMembers(true)},
	{"AllowDuplicateNames", jsontext.AllowDuplicateNames(true), stdtext.AllowDuplicateNames(true)},
	{"AllowInvalidUTF8", jsontext.AllowInvalidUTF8(true), stdtext.AllowInvalidUTF8(true)},
	{"EscapeForHTML", json.EscapeForHTML(true), stdtext.EscapeForHTML(true)},
	{"EscapeForJS", jsontext.EscapeForJS(true), stdtext.EscapeForJS(true)},
}

// TestV2 compares what the preset V2, alone and with a further option, makes of random types, values and
// texts with encoding/json/v2.
//
//	GOTOOLCHAIN=go1.27.0 go test ./json -run TestV2 -difftime 60s -diffseed 7
func TestV2(t *testing.T) {
	limit := time.Second
	if *diffTime > 0 {
		limit = *diffTime
	}
	g := newGen(*diffSeed, 2)
	g.acyclic = true // encoding/json/v2 overflows the stack with some
	encoded, decoded, refused := 0, 0, 0
	failures := map[string]bool{}
	fail := func(key, format string, args ...any) {
		if !failures[key] {
			failures[key] = true
			t.Errorf(format, args...)
		}
	}
	for end := time.Now().Add(limit); time.Now().Before(end) && len(failures) < 8; {
		extended := g.one(2)
		typ := g.typV2(3, extended)
		for range 60 {
			call := v2Calls[0]
			if g.one(2) {
				call = pick(g, v2Calls)
			}
			ours := []json.Options{json.V2(), json.ExtendedTags(extended), json.Deterministic(true), call.ours}
			std := stdv2.JoinOptions(stdv2.Deterministic(true), call.std)
			if extended {
				std = stdv2.JoinOptions(std, formatTags{stdv2.JoinOptions()})
			}
			p := reflect.New(typ)
			g.value(p.Elem(), 4)
			x := p.Interface()
			if g.one(3) {
				x = p.Elem().Interface()
			}
			want, wantErr := calm(func() (b []byte, err error) { return stdv2.Marshal(x, std) })
			got, err := calm(func() ([]byte, error) { return json.MarshalWith(x, ours...) })
			switch {
			case (err == nil) != (wantErr == nil):
				fail("marshal"+signature(fmt.Sprint(err, wantErr)), "%v, %s: Marshal(%s):\nwant %s, %v\ngot  %s, %v", typ,
					call.name, dump(p.Elem()), want, wantErr, got, err)
			case err == nil && !bytes.Equal(got, want):
				fail("marshal text", "%v, %s: Marshal(%s):\nwant %s\ngot  %s", typ, call.name, dump(p.Elem()), want, got)
			case err == nil:
				encoded++
			}

			text := want
			if wantErr != nil || g.one(2) {
				text = g.space(g.text(g.space(nil), typ, 4))
			}
			if g.one(4) {
				text = g.mutate(text)
			}
			seed, filled := g.Uint64(), g.one(2)
			a, b := acyclicTarget(typ, seed, filled), acyclicTarget(typ, seed, filled)
			_, wantErr = calm(func() ([]byte, error) { return nil, stdv2.Unmarshal(text, a.Interface(), std) })
			_, err = calm(func() ([]byte, error) { return nil, json.UnmarshalWith(bytes.Clone(text), b.Interface(), ours...) })
			switch {
			case (err == nil) != (wantErr == nil):
				fail("unmarshal"+signature(fmt.Sprint(err, wantErr)), "%v, %s: Unmarshal(%q):\ntarget %s\nwant %v\ngot  %v", typ,
					call.name, text, dump(acyclicTarget(typ, seed, filled).Elem()), wantErr, err)
			case err == nil:
				decoded++
				if d := differ(a, b); d != "" {
					fail("value"+signature(d), "%v, %s: Unmarshal(%q):\ntarget %s\nwant %s\ngot  %s\n%s", typ, call.name, text,
						dump(acyclicTarget(typ, seed, filled).Elem()), dump(a.Elem()), dump(b.Elem()), d)
				}
			default:
				refused++
			}
		}
	}
	t.Logf("%d values encoded, %d texts decoded, %d refused", encoded, decoded, refused)
	if len(failures) == 0 && (encoded < 100 || decoded < 100) {
		t.Error("too few cases")
	}
}

// v2StringCoder is what methods need of an encoder or a decoder.
type v2StringCoder struct {
	begin, end func() error                         // of an array
	value      func(v any, plainNumbers bool) error // by MarshalEncode or UnmarshalDecode
	number     func() error                         // by a token
}

// v2String writes or reads itself in several ways.
type v2String struct {
	how string
	N   int
}

func (v *v2String) code(c v2StringCoder) error {
	list := func(f func() error) error { return errors.Join(c.begin(), f(), c.end()) }
	switch v.how {
	case "value":
		return c.value(&v.N, false)
	case "pointer":
		p := &v.N
		return c.value(&p, false)
	case "plain value":
		return c.value(&v.N, true)
	case "token":
		return c.number()
	case "value in array":
		return list(func() error { return c.value(&v.N, false) })
	case "method":
		w := v2StringInt(v.N)
		err := c.value(&w, false)
		v.N = int(w)
		return err
	case "method in array":
		w := v2StringInt(v.N)
		return list(func() error { return c.value(&w, false) })
	case "float":
		f := float64(v.N)
		return c.value(&f, false)
	case "string":
		return c.value(new("a"), false)
	case "bool":
		return c.value(new(true), false)
	case "any":
		return c.value(new(any(v.N)), false)
	case "struct":
		return c.value(&struct{ A int }{v.N}, false)
	case "slice":
		return c.value(&[]int{v.N}, false)
	case "map":
		return c.value(&map[string]int{"a": v.N}, false)
	case "bytes":
		return c.value(&[]byte{1}, false)
	case "time":
		return c.value(new(time.Time), false)
	case "text":
		return c.value(new(netip.Addr), false)
	}
	return errors.ErrUnsupported
}

// v2StringInt has a method of old.
type v2StringInt int

func (v v2StringInt) MarshalJSON() ([]byte, error) { return strconv.AppendInt(nil, int64(v), 10), nil }
func (v *v2StringInt) UnmarshalJSON(b []byte) error {
	n, err := strconv.Atoi(string(b))
	*v = v2StringInt(n)
	return err
}

// v2StringOurs and v2StringStd have the methods of the two packages.
type (
	v2StringOurs struct{ v2String }
	v2StringStd  struct{ v2String }
)

func (v *v2StringOurs) MarshalJSONTo(e *jsontext.Encoder) error {
	return v.code(v2StringCoder{
		begin:  func() error { return e.WriteToken(jsontext.BeginArray) },
		end:    func() error { return e.WriteToken(jsontext.EndArray) },
		number: func() error { return e.WriteToken(jsontext.Int(int64(v.N))) },
		value: func(v any, plain bool) error {
			if plain {
				return json.MarshalEncode(e, v, json.StringifyNumbers(false))
			}
			return json.MarshalEncode(e, v)
		},
	})
}

func (v *v2StringStd) MarshalJSONTo(e *stdtext.Encoder) error {
	return v.code(v2StringCoder{
		begin:  func() error { return e.WriteToken(stdtext.BeginArray) },
		end:    func() error { return e.WriteToken(stdtext.EndArray) },
		number: func() error { return e.WriteToken(stdtext.Int(int64(v.N))) },
		value: func(v any, plain bool) error {
			if plain {
				return stdv2.MarshalEncode(e, v, stdv2.StringifyNumbers(false))
			}
			return stdv2.MarshalEncode(e, v)
		},
	})
}

func (v *v2StringOurs) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	token := func() error { _, err := d.ReadToken(); return err }
	return v.code(v2StringCoder{begin: token, end: token, number: token, value: func(v any, plain bool) error {
		if plain {
			return json.UnmarshalDecode(d, v, json.StringifyNumbers(false))
		}
		return json.UnmarshalDecode(d, v)
	}})
}

func (v *v2StringStd) UnmarshalJSONFrom(d *stdtext.Decoder) error {
	token := func() error { _, err := d.ReadToken(); return err }
	return v.code(v2StringCoder{begin: token, end: token, number: token, value: func(v any, plain bool) error {
		if plain {
			return stdv2.UnmarshalDecode(d, v, stdv2.StringifyNumbers(false))
		}
		return stdv2.UnmarshalDecode(d, v)
	}})
}

// TestV2StringOfMethods compares what the tag option string is to methods that take a coder, of this package and of
// encoding/json/v2, with what that package does.
func TestV2StringOfMethods(t *testing.T) {
	type ours struct {
		A []int         `json:",omitempty"`
		V v2StringOurs  `json:",string"`
		P *v2StringOurs `json:",string,omitzero"`
	}
	type std struct {
		A []int        `json:",omitempty"`
		V v2StringStd  `json:",string"`
		P *v2StringStd `json:",string,omitzero"`
	}
	ourFuncs := []json.Options{json.V2(), json.WithMarshalers(json.MarshalToFunc((func(e *jsontext.Encoder, v *v2StringOurs) error {
		return v.MarshalJSONTo(e)
	}))), json.WithUnmarshalers(json.UnmarshalFromFunc(func(d *jsontext.Decoder, v *v2StringOurs) error {
		return v.UnmarshalJSONFrom(d)
	}))}
	for _, how := range []string{"value", "pointer", "plain value", "token", "value in array", "method", "method in array", "float",
		"string", "bool", "any", "struct", "slice", "map", "bytes", "time", "text", "not at all"} {
		of := func(n int) v2String { return v2String{how, n} }
		x := std{[]int{1}, v2StringStd{of(7)}, &v2StringStd{of(8)}}
		want, wantErr := stdv2.Marshal(&x)
		for _, c := range []struct {
			v    any
			opts []json.Options
		}{
			{&ours{[]int{1}, v2StringOurs{of(7)}, &v2StringOurs{of(8)}}, []json.Options{json.V2()}},
			{&ours{[]int{1}, v2StringOurs{of(7)}, &v2StringOurs{of(8)}}, ourFuncs},
			{&x, []json.Options{json.V2()}},
		} {
			got, err := json.MarshalWith(c.v, c.opts...)
			if (err == nil) != (wantErr == nil) || err == nil && string(got) != string(want) {
				t.Errorf("%s, %T: Marshal: %s, %v, want %s, %v", how, c.v, got, err, want, wantErr)
			}
		}
		for _, text := range []string{`1`, `"1"`, `["1"]`, `[1]`, `"a"`, `true`, `null`, `{"A":1}`, `{"a":1}`} {
			text = `{"V":` + text + `,"P":` + text + `}`
			from := func() (ours, std) {
				return ours{nil, v2StringOurs{of(7)}, &v2StringOurs{of(8)}}, std{nil, v2StringStd{of(7)}, &v2StringStd{of(8)}}
			}
			_, want := from()
			wantErr := stdv2.Unmarshal([]byte(text), &want)
			for i, opts := range [][]json.Options{{json.V2()}, ourFuncs} {
				got, same := from()
				err := json.UnmarshalWith([]byte(text), &got, opts...)
				if (err == nil) != (wantErr == nil) || err == nil && (got.V.N != want.V.N || got.P != nil && got.P.N != want.P.N) {
					t.Errorf("%s, %d: Unmarshal(%s): %+v, %v, want %+v, %v", how, i, text, got, err, want, wantErr)
				}
				if err = json.UnmarshalWith([]byte(text), &same, opts[0]); (err == nil) != (wantErr == nil) || err == nil && same.V != want.V {
					t.Errorf("%s, methods of encoding/json/v2: Unmarshal(%s): %+v, %v, want %+v, %v", how, text, same, err, want, wantErr)
				}
			}
		}
	}
}

// TestV2FormatOfMethods compares what the tag option format is to methods and functions that take a coder with what
// encoding/json/v2 does for those of its own.
func TestV2FormatOfMethods(t *testing.T) {
	type ours struct {
		V v2StringOurs  `json:",format:hex"`
		P *v2StringOurs `json:",format:hex,omitzero"`
		T v2StringOurs  `json:",format:unix"`
	}
	type std struct {
		V v2StringStd  `json:",format:hex"`
		P *v2StringStd `json:",format:hex,omitzero"`
		T v2StringStd  `json:",format:unix"`
	}
	opts := [][]json.Options{{json.V2(), json.ExtendedTags(true)}, {json.V2(), json.ExtendedTags(true),
		json.WithMarshalers(json.MarshalToFunc((func(e *jsontext.Encoder, v *v2StringOurs) error { return v.MarshalJSONTo(e) }))),
		json.WithUnmarshalers(json.UnmarshalFromFunc(func(d *jsontext.Decoder, v *v2StringOurs) error { return v.UnmarshalJSONFrom(d) }))}}
	stdOpts := formatTags{stdv2.DefaultOptionsV2()}
	hows := []string{"bytes", "time", "value", "plain value", "token", "value in array", "method", "string", "any", "struct", "text"}
	for _, hex := range hows {
		for _, unix := range hows {
			of := func(how string) v2String { return v2String{how, 1} }
			want, wantErr := stdv2.Marshal(&std{v2StringStd{of(hex)}, &v2StringStd{of(hex)}, v2StringStd{of(unix)}}, stdOpts)
			for i, opts := range opts {
				got, err := json.MarshalWith(&ours{v2StringOurs{of(hex)}, &v2StringOurs{of(hex)}, v2StringOurs{of(unix)}}, opts...)
				if (err == nil) != (wantErr == nil) || err == nil && string(got) != string(want) {
					t.Errorf("%s, %s, %d: Marshal: %s, %v, want %s, %v", hex, unix, i, got, err, want, wantErr)
				}
			}
			for _, text := range []string{`"01"`, `"AQ=="`, `1`, `[1]`, `"2020-01-01T00:00:00Z"`, `{"A":1}`} {
				text = `{"V":` + text + `,"T":` + text + `}`
				want := std{V: v2StringStd{of(hex)}, T: v2StringStd{of(unix)}}
				wantErr := stdv2.Unmarshal([]byte(text), &want, stdOpts)
				for i, opts := range opts {
					got := ours{V: v2StringOurs{of(hex)}, T: v2StringOurs{of(unix)}}
					err := json.UnmarshalWith([]byte(text), &got, opts...)
					if (err == nil) != (wantErr == nil) || err == nil && (got.V.N != want.V.N || got.T.N != want.T.N) {
						t.Errorf("%s, %s, %d: Unmarshal(%s): %+v, %v, want %+v, %v", hex, unix, i, text, got, err, want, wantErr)
					}
				}
			}
		}
	}
}

// v2Wraps has methods that wrap the errors of what they call, or return them as they are.
type v2Wraps struct {
	wrap bool
	V    struct{ N []int8 }
}

func (v *v2Wraps) err(err error) error {
	if err == nil || !v.wrap {
		return err
	}
	return fmt.Errorf("wrapped: %w", err)
}

func (v *v2Wraps) MarshalJSONTo(e *stdtext.Encoder) error {
	return v.err(stdv2.MarshalEncode(e, map[string]any{"n": func() {}}))
}

func (v *v2Wraps) UnmarshalJSONFrom(d *stdtext.Decoder) error {
	return v.err(stdv2.UnmarshalDecode(d, &v.V))
}

// v2WrapsOurs is v2Wraps with the coders of this module.
type v2WrapsOurs struct{ v2Wraps }

func (v *v2WrapsOurs) MarshalJSONTo(e *jsontext.Encoder) error {
	return v.err(json.MarshalEncode(e, map[string]any{"n": func() {}}))
}

func (v *v2WrapsOurs) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return v.err(json.UnmarshalDecode(d, &v.V))
}

// An error that a method returns as it is keeps its type and place. One that it wraps is about the method's type, and stands
// where the method came to.
func TestV2WrappedErrors(t *testing.T) {
	for _, wrap := range []bool{false, true} {
		var std struct{ A struct{ B *v2Wraps } }
		var our struct{ A struct{ B *v2WrapsOurs } }
		std.A.B, our.A.B = &v2Wraps{wrap: wrap}, &v2WrapsOurs{v2Wraps{wrap: wrap}}
		check := func(what string, got, want error) {
			t.Helper()
			g, ok := errors.AsType[*json.SemanticError](got)
			w, has := errors.AsType[*stdv2.SemanticError](want)
			if !ok || !has {
				t.Fatalf("%s: got %v, want %v", what, got, want)
			}
			gotType := strings.ReplaceAll(fmt.Sprint(g.GoType), "v2WrapsOurs", "v2Wraps")
			std := strings.Contains(what, "coder") // which does not tell how far the method came
			if gotType != fmt.Sprint(w.GoType) ||
				!(wrap && std) && (string(g.JSONPointer) != string(w.JSONPointer) || g.ByteOffset != w.ByteOffset) ||
				strings.HasPrefix(fmt.Sprint(g.Err), "wrapped") != strings.HasPrefix(fmt.Sprint(w.Err), "wrapped") {
				t.Errorf("%s, wrapped %v:\n got %s %q %d: %v\nwant %s %q %d: %v", what, wrap, gotType, g.JSONPointer, g.ByteOffset, g.Err,
					w.GoType, w.JSONPointer, w.ByteOffset, w.Err)
			}
		}
		_, want := stdv2.Marshal(std)
		_, got := json.MarshalWith(our, json.V2())
		check("Marshal", got, want)
		_, got = json.MarshalWith(std, json.V2())
		check("Marshal with encoding/json/v2's coder", got, want)
		const text = `{"A":{"B":{"N":[1,300]}}}`
		check("Unmarshal", json.UnmarshalWith([]byte(text), &our, json.V2()), stdv2.Unmarshal([]byte(text), &std))
		check("Unmarshal with encoding/json/v2's coder", json.UnmarshalWith([]byte(text), &std, json.V2()), stdv2.Unmarshal([]byte(text), &std))
	}
}

// acyclicTarget is freshTarget without cycles.
func acyclicTarget(t reflect.Type, seed uint64, filled bool) reflect.Value {
	p := reflect.New(t)
	if filled {
		g := newGen(seed, 1)
		g.acyclic = true
		g.value(p.Elem(), 4)
	}
	return p
}

// calm takes a panic of a test's type for an error.
func calm(f func() ([]byte, error)) (b []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}
