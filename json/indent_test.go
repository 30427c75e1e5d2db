package json

import (
	"bytes"
	stdjson "encoding/json"
	"strings"
	"testing"
)

// indentTable is texts for Compact, Indent and HTMLEscape, valid or not.
var indentTable = []string{
	``, ` `, `1`, ` 1 `, "1\n", "\t[1]\r\n \n", `-0`, `-`, `01`, `1.`, `1.5e`, `1e+`, `1E-07`, `1e5x`, `.5`, `+1`, `0x1`,
	`true`, `false`, `null`, `tru`, `nul`, `truex`, `True`, `t`,
	`""`, `"a"`, `"`, `"a`, `"\"`, `"\\"`, `"\u00e9"`, `"\u00g9"`, `"\u00`, `"\x"`, "\"\x00\"", "\"a\nb\"", "\"\x7f\xff\"",
	`"<&>"`, "\"\u2028\u2029\"", "\"\xe2\x80\"", "\"\xe2\x80\xa7\"", `"a long string of more than sixteen bytes" `,
	`"a long string \" with \\ escapes \n in it"`, "\"a long string with a control \x1f\"",
	`[]`, `[ ]`, `[1]`, `[1,2]`, `[ 1 , 2 ]`, `[1,]`, `[,1]`, `[1 2]`, `[`, `]`, `[1`, `[1}`, `[[]]`, `[ [ ] , [ ] ]`, `[[[1]]]`,
	`{}`, `{ }`, `{"a":1}`, `{ "a" : 1 , "b" : [ 1 , { } ] }`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{1:2}`, `{"a" 1}`,
	`{"a":1 "b":2}`, `{`, `}`, `{"a":1`, `{"a":1]`, `{"a"`, `{"a":`, `{"a":1,`, `{ "a"`, `{a:1}`,
	`{"a":{"b":{"c":[1,2,{"d":null}]}},"e":"<x>&"}`, `1 2`, `1,`, `[] []`, `{}x`, "[1]\x00", "[1]<", `<`, `<!-- -->`,
	"\u2028", "\xe2\x80\xa8", "[\u2028]",
	strings.Repeat("[", 64) + strings.Repeat("]", 64), strings.Repeat("[", 65) + "1" + strings.Repeat("]", 65),
	strings.Repeat(`{"a":[`, 70) + strings.Repeat("]}", 70), strings.Repeat(`{"a":[`, 70) + strings.Repeat("}]", 70),
	strings.Repeat("[", 10000) + strings.Repeat("]", 10000), strings.Repeat("[", 10001) + strings.Repeat("]", 10001),
	strings.Repeat("[", 129) + strings.Repeat("]", 128),
	strings.Repeat(`{"key" : "value<>&", "n": [1, 2.5, -3e10, true, false, null]} `, 1),
}

// checkIndent compares this package with encoding/json on one text.
func checkIndent(t *testing.T, src string) {
	t.Helper()
	compare := func(name string, f, std func(*bytes.Buffer) error) {
		got, want := bytes.NewBufferString("before"), bytes.NewBufferString("before")
		gotErr, wantErr := f(got), std(want)
		if !sameResult(gotErr, wantErr) || classicStd && got.String() != want.String() {
			t.Errorf("%s(%.80q): got %.200q, %#v, want %.200q, %#v", name, src, got, gotErr, want, wantErr)
		}
	}
	b := []byte(src)
	compare("Compact", func(d *bytes.Buffer) error { return Compact(d, b) }, func(d *bytes.Buffer) error { return stdjson.Compact(d, b) })
	if len(src) < 10000 || !testing.Short() { // the indentation of 10,000 levels is 100 MB
		compare("Indent", func(d *bytes.Buffer) error { return Indent(d, b, "", "\t") },
			func(d *bytes.Buffer) error { return stdjson.Indent(d, b, "", "\t") })
	}
	if len(src) < 10000 {
		compare("Indent", func(d *bytes.Buffer) error { return Indent(d, b, "> ", "  ") },
			func(d *bytes.Buffer) error { return stdjson.Indent(d, b, "> ", "  ") })
	}
	compare("HTMLEscape", func(d *bytes.Buffer) error { HTMLEscape(d, b); return nil },
		func(d *bytes.Buffer) error { stdjson.HTMLEscape(d, b); return nil })
	if string(b) != src {
		t.Errorf("%.80q was changed", src)
	}
	got, gotErr := Marshal(RawMessage(b))
	want, wantErr := stdjson.Marshal(RawMessage(b))
	if !sameResult(gotErr, wantErr) || string(got) != string(want) {
		t.Errorf("Marshal(RawMessage(%.80q)): got %.200q, %v, want %.200q, %v", src, got, gotErr, want, wantErr)
	}
}

func TestIndentLikeStandard(t *testing.T) {
	for _, src := range indentTable {
		checkIndent(t, src)
	}
}

// TestIndentMutations puts every byte of interest at every place of a text.
func TestIndentMutations(t *testing.T) {
	src := `{"a b":[1,-2.5e+3,"x\ty\u00e9<"], "c":{"d":null,"e":true ,"f":[]},"g":false}`
	for i := range src {
		checkIndent(t, src[:i])
		for _, c := range []byte("\"\\{}[]:,0-.eu \n\x00<\xe2") {
			checkIndent(t, src[:i]+string([]byte{c})+src[i+1:])
			checkIndent(t, src[:i]+string([]byte{c})+src[i:])
		}
	}
}

// TestCompactInPlace covers HTMLEscape and Compact of text that the buffer has room for already.
func TestCompactInPlace(t *testing.T) {
	var b bytes.Buffer
	b.Grow(1000)
	for _, src := range []string{`[1, 2]`, `{"a": "<"}`} {
		if err := Compact(&b, []byte(src)); err != nil {
			t.Fatal(err)
		}
		HTMLEscape(&b, []byte(src))
	}
	if got, want := b.String(), `[1,2][1, 2]{"a":"<"}{"a": "\u003c"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func FuzzIndent(f *testing.F) {
	for _, src := range indentTable {
		if len(src) < 1000 {
			f.Add(src)
		}
	}
	f.Fuzz(checkIndent)
}
