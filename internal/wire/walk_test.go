package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/weftcodec/weft/internal/mem"
)

// walkTexts are arrays and objects, and what is not quite one.
var walkTexts = []string{
	`[]`, `{}`, `[1]`, `[1,2.5e+3,-0]`, ` [ 1 , 2 ] `, `{"a":1}`, ` { "a" : [ { } , { "b\"\u00e9" : null } ] } `,
	`[true,false,null,"x"]`, `["é\\","\ud800"]`, `[[[[[[[[1]]]]]]]]`, `{"a":{"a":{"a":[]}},"b":{"":"\n"}}`,
	`[12,345 ,6]`, `{"a":12345678901234567890}`,
	`[1,]`, `[,1]`, `[1 2]`, `[01]`, `[1.]`, `[-]`, `[1e]`, `[tru]`, `[nul1]`, `["\x"]`, `["\u12g4"]`, `["` + "\n" + `"]`, `[`, `{`, `["a`,
	`{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{1:2}`, `{"a" 1}`, `[}`, `{]`, `[1}`, `{"a":1]`, "[\x00]", "[1\x00]", "[1,\x00",
	"[]\f", "{}\v ", "[\f]",
	`[` + strings.Repeat(`[`, 300) + strings.Repeat(`]`, 301), strings.Repeat(`{"a":[`, 100) + strings.Repeat(`]}`, 100),
}

// textIn are the first k bytes of a text with their bitmaps.
func textIn(text string, k int) (b mem.Bytes, ends, solid mem.Words) {
	buf := make([]byte, ScanPad(k)+KeyPad)
	copy(buf, text[:k])
	bits := make([]uint64, 2*ScanWords(k))
	Scan(buf, k, bits[:ScanWords(k)], bits[ScanWords(k):])
	return mem.BytesOf(buf), mem.WordsOf(bits[:ScanWords(k)]), mem.WordsOf(bits[ScanWords(k):])
}

// walkAll walks through text as it comes, n bytes more each time, and returns the names and whether it is JSON.
func walkAll(text string, n int) (names []string, ok bool) {
	var w Walker
	w.Begin(1000, true)
	i := 0
	for k := min(n, len(text)); ; k = min(k+n, len(text)) {
		b, ends, solid := textIn(text, k)
		for full := true; full; {
			i = w.Walk(b, ends, solid, i)
			var some []Name
			some, full = w.Names()
			for _, x := range some {
				names = append(names, fmt.Sprintf("%d %t %s", x.Depth, x.First, text[x.Start:x.End+1]))
			}
		}
		if w.State == WalkDone || k == len(text) {
			return names, w.State == WalkDone && strings.TrimLeft(text[i:], " \t\r\n") == ""
		}
	}
}

// TestWalker: a text is JSON where encoding/json says so, however it comes.
func TestWalker(t *testing.T) {
	for _, text := range walkTexts {
		want, _ := walkAll(text, len(text)+1)
		for n := 1; n <= len(text)+1; n++ {
			names, ok := walkAll(text, n)
			if ok != json.Valid([]byte(text)) {
				t.Errorf("%q, %d bytes each: %t", text, n, ok)
			}
			if fmt.Sprint(names) != fmt.Sprint(want) {
				t.Errorf("%q, %d bytes each: names %v, want %v", text, n, names, want)
			}
		}
	}
}

// TestWalkerNames: every name is told once, with its object.
func TestWalkerNames(t *testing.T) {
	names, ok := walkAll(`[{"a":[],"b":{"c":1,"d\n":{}}},{"a":0}]`, 7)
	want := `[2 true "a" 2 false "b" 3 true "c" 3 false "d\n" 2 true "a"]`
	if fmt.Sprint(names) != want || !ok {
		t.Errorf("%v, want %s", names, want)
	}
	long := `{` + strings.Repeat(`"x":1,`, 3*someNames) + `"y":2}`
	if names, ok := walkAll(long, len(long)); len(names) != 3*someNames+1 || !ok {
		t.Errorf("%d names, %t", len(names), ok)
	}
}

// respaceAll writes text again as it comes, n bytes more each time.
func respaceAll(text string, n int, l *Layout) (out []byte, ok bool) {
	var w Walker
	w.Begin(1000, false)
	i := 0
	for k := min(n, len(text)); ; k = min(k+n, len(text)) {
		b, ends, solid := textIn(text, k)
		out, i = w.Respace(out, l, b, ends, solid, i)
		if w.State == WalkDone || k == len(text) {
			return out, w.State == WalkDone && strings.TrimLeft(text[i:], " \t\r\n") == ""
		}
	}
}

// TestRespace: a text has the white space that encoding/json gives it, however it comes.
func TestRespace(t *testing.T) {
	lines := Layout{Lines: true, Colon: true}
	lines.Indent(">", "\t")
	for _, text := range walkTexts {
		var compact, indented bytes.Buffer
		valid := json.Compact(&compact, []byte(text)) == nil
		if valid {
			json.Indent(&indented, []byte(strings.TrimSpace(text)), ">", "\t")
		}
		for n := 1; n <= len(text)+1; n++ {
			if out, ok := respaceAll(text, n, new(Layout)); ok != valid || ok && string(out) != compact.String() {
				t.Errorf("%q, %d bytes each: %q, %t, want %q", text, n, out, ok, compact.String())
			}
			if out, ok := respaceAll(text, n, &lines); ok != valid || ok && string(out) != indented.String() {
				t.Errorf("%q, %d bytes each: %q, %t, want %q", text, n, out, ok, indented.String())
			}
		}
	}
}

func FuzzWalker(f *testing.F) {
	for _, text := range walkTexts {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, n int) {
		c := strings.TrimLeft(text, " \t\r\n")
		if c == "" || c[0] != '{' && c[0] != '[' || n < 1 || strings.Count(text, "[")+strings.Count(text, "{") > 900 {
			return
		}
		if _, ok := walkAll(text, n); ok != json.Valid([]byte(text)) {
			t.Errorf("%q, %d bytes each: %t", text, n, ok)
		}
		var want bytes.Buffer
		valid := json.Compact(&want, []byte(text)) == nil
		if out, ok := respaceAll(text, n, new(Layout)); ok != valid || ok && string(out) != want.String() {
			t.Errorf("%q, %d bytes each: %q, %t", text, n, out, ok)
		}
	})
}
