package wire

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// eachGrammar runs f under every instruction set that there is a kernel for.
func eachGrammar(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	eachLevel(t, func(t *testing.T) {
		if !HasValidJSON() {
			t.Skip("no kernel")
		}
		f(t)
	})
}

// texts are right and wrong in many ways; where they stand in a block matters.
var texts = strings.Split(strings.TrimSpace(`
0
-0
01
-01
00
-
--1
+1
1.
.5
1.5
1.5.5
1e5
1E5
1e+5
1e-5
1e
1e+
1e5.5
1e5e5
1.5e300
1.5e+300.5
1-2
1+2
1e--2
0e1
0.0
-0.0e-0
12345678901234567890123456789012345678901234567890123456789012345678901234567890
1234567890.12345678901234567890123456789012345678901234567890123456789012345678901234567890
1234567890.1234567890123456789012345678901234567890123456789012345678901234567890e1234567890
1234567890.12345678901234567890123456789012345678901234567890.123
true
false
null
tru
truex
true1
truetrue
nul
fals
falsey
True
1true
true"a"
"a"true
"a""b"
"a"1
1"a"
""
"
"\
"\"
"\"\\\/\b\f\n\r\t\u12aF"
"\x"
"\u"
"\u1"
"\u12"
"\u123"
"\u123g"
"\u1234\u567"
"\\u12"
"\\\u12"
"\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"
"\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"
[]
{}
[
{
]
}
[}
{]
[]]
[[]
{}{}
[],
,
:
[,]
[1,]
[,1]
[1 2]
[1,2]
[1:2]
["a":1]
["a",1]
{"a"}
{"a",1}
{"a":}
{"a":1,}
{"a":1,"b"}
{"a":1,2}
{"a":1,{}}
{"a":1,[1]}
{"a":1,"b":2}
{"a" 1}
{"a"::1}
{"a":1:2}
{1:2}
{true:1}
{[]:1}
{:1}
{,}
{"a":"b"}
{"a":"b":"c"}
{"a":"b","c","d":1}
{"a":["b","c"],"d":{"e":[{}]}}
{"a":["b","c":1],"d":{"e":[{}]}}
{"a":["b","c"],"d":{"e":[{}}]}
[{"a":1},{"a":2}]
[{"a":1},"a":2]
[[[[[[]]]]],{"a":[{"b":{}}]}]
[1,2,3,"4",true,false,null,{"a":0.1,"b":[-1e5]}]
{"a":1 , "b" : [ 1 , 2 ] , "c" : { } , "d":[ ] }
\
a
@
'a'
`), "\n")

// TestValidJSON compares with encoding/json, with each text at each place of a block.
func TestValidJSON(t *testing.T) {
	more := append([]string{
		"", " ", "\t\r\n", "\"\x01\"", "\"\x1f\"", "\"\x7f\x80\xff\"", "\x00", "\v1", "1\f", "\u00a01", "[1,\u20282]",
		"\"\\\x00\"",
	}, texts...)
	eachGrammar(t, func(t *testing.T) {
		for _, s := range more {
			for n := range 140 {
				space := strings.Repeat(" ", n)
				compareValid(t, space+s)
				compareValid(t, s+space)
				compareValid(t, "["+strings.Repeat("7", n)+","+s+"]")
				compareValid(t, `["`+strings.Repeat("x", n)+`",`+s+"]")
				compareValid(t, `{"`+strings.Repeat("x", n)+`":`+s+"}")
				compareValid(t, "["+strings.Repeat("1,", n)+s+"]")
				compareValid(t, "["+strings.Repeat(" ", n)+fractions+s+"]")
				compareValid(t, "["+strings.Repeat(`{"a":[]},`, n)+s+"]")
				compareValid(t, `{`+strings.Repeat(`"":"",`, n)+`"a":`+s+"}")
			}
		}
	})
}

// TestValidJSONBytes compares with every byte at places that stand for each thing a byte may be next to, in two blocks.
func TestValidJSONBytes(t *testing.T) {
	around := strings.Fields(`@ [@] [1@2] [@1] [1@] [0@] [-@] [1.5@] [true@] {"a"@1} {@"a":1} {"a":1@} {"a":[]@,"b":0} ["x@y"] "@"`)
	eachGrammar(t, func(t *testing.T) {
		for b := range 256 {
			for _, s := range around {
				s = strings.Replace(s, "@", string([]byte{byte(b)}), 1)
				compareValid(t, s)
				compareValid(t, strings.Repeat(" ", blockSize-2)+s)
			}
		}
	})
}

// fractions are numbers of more than digits, so many that the kernels look for what else they have.
var fractions = strings.Repeat("-1.5,0.25,", grammarChunk*blockSize/10+1)

// TestValidJSONDepth nests up to the limit and one more.
func TestValidJSONDepth(t *testing.T) {
	eachGrammar(t, func(t *testing.T) {
		for _, depth := range []int{1, 2, 63, 64, 65, 127, 128, 129, 1000, 10000} {
			for _, pair := range [][2]string{{"[", "]"}, {`{"a":`, "}"}, {`[0,{"b":1,"a":`, "}]"}} {
				levels := depth
				if len(pair[1]) == 2 {
					levels = depth / 2
				}
				text := strings.Repeat(pair[0], levels) + "[]" + strings.Repeat(pair[1], levels)
				nested := levels*len(pair[1]) + 1
				for _, s := range []string{text, "[1,[[[]]]," + text + ",[]]"} {
					if s != text {
						nested++
					}
					if nested > 4 && (!ValidJSON([]byte(s), nested) || ValidJSON([]byte(s), nested-1)) {
						t.Errorf("%d: %.20s", depth, s)
					}
				}
				wrong := []byte(text)
				wrong[len(wrong)-1-len(wrong)/3] ^= '}' ^ ']'
				if got := ValidJSON(wrong, 1<<20); got != json.Valid(wrong) && depth < 9000 {
					t.Errorf("%d: wrong bracket: %t", depth, got)
				}
			}
		}
	})
}

// TestValidJSONRandom compares on random sequences of pieces, and on right texts with a byte changed.
func TestValidJSONRandom(t *testing.T) {
	pieces := []string{
		"{", "}", "[", "]", ",", ",", ":", `"a"`, `"a":`, `"\\"`, `"\u00e9"`, `"x\"y"`, "1", "-1.5e+3", "0", "true", "null",
		" ", "\n  ", `"` + strings.Repeat("long ", 20) + `"`, `{"a":1,"b":[1,2]}`, `[{},[]]`,
	}
	runs := 5000
	if testing.Short() {
		runs = 1000
	}
	eachGrammar(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for range runs {
			var b strings.Builder
			for range r.IntN(12) {
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
			compareValid(t, b.String())
			text := []byte(randomJSON(r, 5))
			compareValid(t, string(text))
			for range 3 {
				changed := []byte(string(text))
				at := r.IntN(len(changed))
				switch r.IntN(4) {
				case 0:
					changed[at] = "{}[],:\"\\01.eE+-tfn \n\x01u"[r.IntN(22)]
				case 1:
					changed[at] = byte(r.Uint32())
				case 2:
					changed = append(changed[:at], changed[at+1:]...)
				case 3:
					changed = changed[:at]
				}
				compareValid(t, string(changed))
			}
		}
	})
}

func compareValid(t *testing.T, text string) {
	t.Helper()
	if got, want := ValidJSON([]byte(text), 10000), json.Valid([]byte(text)); got != want {
		t.Fatalf("%q is %t, want %t", text, got, want)
	}
	var dense bytes.Buffer
	want := json.Compact(&dense, []byte(text)) == nil && dense.String() == text
	g := NewGrammar()
	defer g.Release()
	if got := g.Compact([]byte(text), 10000); got != want {
		t.Fatalf("%q is compact: %t, want %t", text, got, want)
	}
	compareVerbatim(t, text)
}

// compareVerbatim holds what [Verbatim] takes, whatever is behind it, to Compact and HTMLEscape.
func compareVerbatim(t *testing.T, text string) {
	t.Helper()
	for _, behind := range []string{"", "0", `"`, "]", "}", `,1]`, `,"":1}`, `":[]}]`} {
		b := []byte(text + behind)[:len(text)]
		if !Verbatim(b, 0) && !Verbatim(b, EscapeHTML) {
			continue
		}
		var dense, html bytes.Buffer
		err := json.Compact(&dense, b)
		json.HTMLEscape(&html, b)
		if err != nil || dense.String() != text || Verbatim(b, EscapeHTML) && html.String() != text {
			t.Fatalf("%q is verbatim before %q", text, behind)
		}
	}
}

// TestVerbatim has texts that [Verbatim] takes and others that it leaves, each of the lengths that a chunk may have.
func TestVerbatim(t *testing.T) {
	if !Vectors() {
		t.Skip("no kernel")
	}
	tests := []struct {
		text        string
		plain, html bool
	}{
		{`{}`, true, true},
		{`[{},[[]]]`, true, true},
		{`{"":{"":[0,-1,10.25,-0.5]}}`, true, true},
		{`{"a":"x","b":[true,false,null,"é","日本"],"c":{"d":12345678}}`, true, true},
		{"[\"\u202a\u20ac\xff\"]", true, true},
		{"[\"\xe2\x80\"]", true, true},
		{`["\"\\\/\b\f\n\r\t\u00aF"]`, true, true},
		{strings.Repeat("[", 63) + strings.Repeat("]", 63), true, true},
		{strings.Repeat("[", 64) + strings.Repeat("]", 64), false, false},
		{`["<"]`, true, false},
		{`["a>b"]`, true, false},
		{`{"&":1}`, true, false},
		{"[\"\u2028\"]", true, false},
		{"[\"x\u2029y\"]", true, false},
		{`["\u12"]`, false, false},
		{`["\u123g"]`, false, false},
		{`["\x"]`, false, false},
		{"[\"\x1f\"]", false, false},
		{`[01]`, false, false},
		{`[1.]`, false, false},
		{`[-]`, false, false},
		{`[1 ]`, false, false},
		{`[tru]`, false, false},
		{`{"a"}`, false, false},
		{`["a":1]`, false, false},
		{`{1:2}`, false, false},
		{`[1,]`, false, false},
		{`{"a":1,}`, false, false},
		{`[}`, false, false},
		{`[]]`, false, false},
		{`""`, false, false},
	}
	buf := make([]byte, 4096) // where no page ends
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			for n := range 130 {
				b := buf[:copy(buf, strings.Replace(tt.text, `"`, `"`+strings.Repeat("x", n), 1))]
				if plain, html := Verbatim(b, 0), Verbatim(b, EscapeHTML); plain != tt.plain || html != tt.html {
					t.Errorf("%q is verbatim: %t, for HTML: %t", b, plain, html)
				}
			}
		})
	}
}

// randomJSON returns a right text.
func randomJSON(r *rand.Rand, depth int) string {
	space := strings.Repeat(" ", max(0, r.IntN(6)-3))
	if depth > 0 && r.IntN(3) > 0 {
		var parts []string
		for range r.IntN(7) {
			parts = append(parts, randomJSON(r, depth-1))
		}
		if r.IntN(2) == 0 {
			return "[" + space + strings.Join(parts, ","+space) + "]"
		}
		for i := range parts {
			parts[i] = `"` + strings.Repeat("k", r.IntN(20)) + `"` + space + ":" + parts[i]
		}
		return "{" + strings.Join(parts, ","+space) + space + "}"
	}
	scalars := []string{
		"0", "-1", "12.75", "1e9", "-0.5E-3", "true", "false", "null", `""`, `"text"`, `"\\\""`, `"\ud83d\ude00 and so on"`,
		`"` + strings.Repeat("ü", r.IntN(40)) + `"`,
	}
	return space + scalars[r.IntN(len(scalars))] + space
}

func FuzzValidJSON(f *testing.F) {
	for _, s := range texts {
		f.Add([]byte(s), byte(3))
	}
	f.Fuzz(func(t *testing.T, text []byte, shift byte) {
		if !HasValidJSON() {
			t.Skip("no kernel")
		}
		text = append([]byte(strings.Repeat(" ", int(shift))), text...)
		want := json.Valid(text)
		for _, name := range Levels() {
			restore := SetLevel(name)
			if HasValidJSON() {
				if got := ValidJSON(text, 10000); got != want {
					t.Errorf("%s: %q is %t", name, text, got)
				}
				compareVerbatim(t, string(text[shift:]))
			}
			restore()
		}
	})
}
