package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
)

// conformanceCase is a text and whether RFC 8259 (read as encoding/json reads
// it: ill-formed UTF-8 is let pass) calls it JSON.
type conformanceCase struct {
	text string
	ok   bool
}

// conformanceTable holds the cases that follow no pattern.
var conformanceTable = []conformanceCase{
	// Structure.
	{``, false}, {` `, false}, {`{}`, true}, {`[]`, true}, {`[[]   ]`, true}, {`[null, 1, "1", {}]`, true}, {`{"a":[]}`, true},
	{`{"a":1,"a":2}`, true}, {`{"":0}`, true}, {`{"a\u0000b":1}`, true}, {`{"a":{"b":{"c":[{"d":{}}]}}}`, true},
	{`[1,,2]`, false}, {`[,1]`, false}, {`[1,]`, false}, {`[,]`, false}, {`[1 2]`, false}, {`[1;2]`, false},
	{`[1:2]`, false}, {`["a",`, false},
	{`[`, false}, {`]`, false}, {`[]]`, false}, {`[1}`, false}, {`{]`, false}, {`{`, false}, {`}`, false}, {`{}}`, false},
	{`{"a":1`, false}, {`{"a"`, false},
	{`{"a" 1}`, false}, {`{"a",1}`, false}, {`{"a":,1}`, false}, {`{"a":}`, false}, {`{:1}`, false}, {`{1:1}`, false},
	{`{a:1}`, false}, {`{'a':1}`, false},
	{`{null:1}`, false}, {`{[]:1}`, false}, {`{"a":1,}`, false}, {`{"a":1,,"b":2}`, false}, {`{,"a":1}`, false},
	{`{"a"::1}`, false}, {`{"a":1 "b":2}`, false},
	{`{"a":1}{`, false}, {`1 2`, false}, {`[] []`, false}, {`"a" "b"`, false}, {`{"a":"b"}/**/`, false},
	{`{"a":"b"}//`, false}, {`[1]#`, false}, {`/**/1`, false},
	{`{"a":1}x`, false}, {`[1]x`, false}, {`1x`, false}, {`"a"x`, false}, {`truex`, false}, {`<null>`, false},
	{`*`, false}, {`$`, false}, {`(1)`, false},
	// Literals.
	{`true`, true}, {`false`, true}, {`null`, true}, {`[true,false,null]`, true}, {"\n true \t", true},
	{`t`, false}, {`tr`, false}, {`tru`, false}, {`True`, false}, {`TRUE`, false}, {`trues`, false}, {`fals`, false},
	{`False`, false}, {`nul`, false}, {`nulll`, false},
	{`Null`, false}, {`none`, false}, {`undefined`, false}, {`NaN`, false}, {`nan`, false}, {`Infinity`, false},
	{`-Infinity`, false}, {`+Infinity`, false}, {`-inf`, false},
	{`[nul]`, false}, {`[truth]`, false}, {`[fal se]`, false}, {`{"a":tru}`, false}, {`[tru,e]`, false},
	// Strings.
	{`""`, true}, {`"a"`, true}, {`"\u0041"`, true}, {`"\uD83D\uDE00"`, true}, {`"\ud83d\ude00"`, true},
	{`"\uD800"`, true}, {`"\uDC00\uD800"`, true}, {`"\ud800x"`, true},
	{`"\ud800\n"`, true}, {`"\u0000"`, true}, {`"\/"`, true}, {"\"\x7f\"", true}, {"\"\u2028\u2029\"", true},
	{"\"\ufeff\"", true}, {"\"\U0010ffff\"", true}, {`"\\\""`, true},
	{"\"\xff\"", true}, {"\"\xc3\"", true}, {"\"\xed\xa0\x80\"", true}, {"\"\xc0\x80\"", true},
	{"\"\xf4\x90\x80\x80\"", true}, {"\"\xe2\x80\"", true}, {"{\"\xff\":1}", true},
	{`"`, false}, {`"a`, false}, {`"\`, false}, {`"\"`, false}, {`"\u`, false}, {`"\u"`, false}, {`"\u1"`, false},
	{`"\u12"`, false}, {`"\u123"`, false}, {`"\u123g"`, false},
	{`"\u+123"`, false}, {`"\u 123"`, false}, {`"\U0041"`, false}, {`"\x41"`, false}, {`"\'"`, false}, {`"\0"`, false},
	{`"\a"`, false}, {`"\v"`, false}, {`"\ "`, false}, {"\"\\\n\"", false},
	{"\"\n\"", false}, {"\"\t\"", false}, {"\"\x00\"", false}, {"\"\x1f\"", false}, {`'a'`, false}, {"`a`", false},
	{`a`, false}, {`\u0041`, false}, {`"a""b"`, false}, {`"\ud83d\u"`, false},
	{`"\ud83d\ude0"`, false}, {`"\ud83d\`, false}, {"\"\\\xff\"", false}, {"\"\\u00\xff0\"", false},
	// Bytes outside of strings.
	{"\ufeff1", false}, {"\ufeff{}", false}, {"\ufeff", false}, {"1\ufeff", false}, {"\x001", false}, {"1\x00", false},
	{"[1\x00]", false}, {"[\x001]", false}, {"{\x00}", false},
	{"\u00a01", false}, {"\u20281", false}, {"1\u2029", false}, {"\xff", false}, {"[\xff]", false},
	{"\xfe\xff\x001", false}, {"1\x000", false}, {"[1,\u3000 2]", false}, {"\x0c1", false}, {"\x0b1", false},
	{"\x1a", false}, {"1\x1a", false}, {"\xc3\xa9", false}, {"[\x85]", false}, {"{\x7f}", false},
	// Numbers beyond Go's types are JSON all the same.
	{`1e400`, true}, {`-1e400`, true}, {`1e-400`, true}, {`123456789012345678901234567890`, true},
	{`0.000000000000000000000000000000000001`, true}, {`1e00000000000000000000000001`, true},
	{`1E9999999999999999999`, true}, {`-0e-0`, true}, {`0x1`, false}, {`1_000`, false}, {`1,000`, false}, {`٣`, false},
	{`1e1e1`, false}, {`- 1`, false}, {`1 .5`, false}, {`1. 5`, false}, {`1e 5`, false},
	{`[1,-]`, false}, {`[-]`, false}, {`{"a":-}`, false}, {`[1.]`, false}, {`[.1]`, false}, {`[1e]`, false},
	{`[00]`, false}, {`[-01]`, false}, {`[+1]`, false},
}

// conformanceCases returns the table and the cases that follow a pattern.
func conformanceCases() []conformanceCase {
	cases := append([]conformanceCase(nil), conformanceTable...)
	cases = append(cases, numberCases()...)
	cases = append(cases, stringCases()...)
	cases = append(cases, spaceCases()...)
	cases = append(cases, truncatedCases()...)
	return append(cases, alignedCases()...)
}

// conformanceSeeds returns texts for fuzzing.
func conformanceSeeds() []string {
	var list []string
	for _, c := range conformanceTable {
		list = append(list, c.text)
	}
	return list
}

// numberCases is the product of what can stand for each part of a number.
func numberCases() (cases []conformanceCase) {
	grammar := regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
	for _, sign := range []string{"", "-", "+", "--"} {
		for _, integer := range []string{"", "0", "1", "12", "00", "01", "a", "12345678901234567890"} {
			for _, frac := range []string{"", ".", ".0", ".12", ".a", ".1.1"} {
				for _, exp := range []string{"", "e", "e1", "E+01", "e-2", "e+-1", "e1.5", "ee1"} {
					s := sign + integer + frac + exp
					if s != "" {
						cases = append(cases, conformanceCase{s, grammar.MatchString(s)})
					}
				}
			}
		}
	}
	return cases
}

// stringCases puts every byte into a string, plain and behind a backslash, and
// breaks \u escapes at every digit.
func stringCases() (cases []conformanceCase) {
	for b := range 256 {
		c := string([]byte{byte(b)})
		cases = append(cases,
			conformanceCase{`"` + c + `"`, b >= ' ' && b != '"' && b != '\\'},
			conformanceCase{`"ab` + c + `cd"`, b >= ' ' && b != '"' && b != '\\'},
			conformanceCase{`"\` + c + `"`, strings.Contains(`"\/bfnrt`, c) && b < 0x80},
			conformanceCase{`{"` + c + `":1}`, b >= ' ' && b != '"' && b != '\\'})
		for i := range 4 {
			hex := []byte("00e9")
			hex[i] = byte(b)
			ok := b < 0x80 && strings.Contains("0123456789abcdefABCDEF", c)
			cases = append(cases, conformanceCase{`"\u` + string(hex) + `"`, ok})
		}
	}
	return cases
}

// spaceCases puts every byte at every place where white space may stand.
func spaceCases() (cases []conformanceCase) {
	tokens := []string{"", "{", `"a"`, ":", "[", "true", ",", `"c"`, "]", ",", `"b"`, ":", "null", "}", ""}
	for b := range 256 {
		ok := b == ' ' || b == '\t' || b == '\n' || b == '\r'
		for i := 1; i < len(tokens); i++ {
			c := string([]byte{byte(b)})
			cases = append(cases, conformanceCase{strings.Join(tokens[:i], "") + c + strings.Join(tokens[i:], ""), ok})
		}
	}
	return cases
}

// truncatedCases cuts a document at every byte.
func truncatedCases() (cases []conformanceCase) {
	const doc = `{"id": -12.5e+10, "name": "a\u00e9\n\"日本", "list": [true, false, null, {}, [], {"a": [[1]]}], "": ""}`
	for i := range len(doc) {
		cases = append(cases, conformanceCase{doc[:i], false}, conformanceCase{doc[i+1:], false})
	}
	return append(cases, conformanceCase{doc, true})
}

// alignedCases moves what matters over the edges of vector blocks.
func alignedCases() (cases []conformanceCase) {
	for n := range 140 {
		pad, gap := strings.Repeat("x", n), strings.Repeat(" ", n)
		cases = append(cases,
			conformanceCase{`"` + pad + `"`, true},
			conformanceCase{`"` + pad + "\x1f\"", false},
			conformanceCase{`"` + pad + `\"`, false},
			conformanceCase{`"` + pad + `\\"`, true},
			conformanceCase{`"` + pad + `\\\"`, false},
			conformanceCase{`"` + pad + `\u00zz"`, false},
			conformanceCase{`"` + pad, false},
			conformanceCase{gap + "1", true},
			conformanceCase{gap + "\x00" + "1", false},
			conformanceCase{"1" + gap, true},
			conformanceCase{"1" + gap + "1", n == 0},
			conformanceCase{gap, false},
			conformanceCase{"[" + gap + "]", true},
			conformanceCase{"[1" + gap + "2]", n == 0},
			conformanceCase{`{"` + pad + `"` + gap + `:` + gap + `1}`, true},
			conformanceCase{`{"a":"` + pad + `","b":["` + pad + `"]}`, true},
			conformanceCase{strings.Repeat("1", n+1), true},
			conformanceCase{"0." + strings.Repeat("1", n), n > 0},
			conformanceCase{gap + "tru", false},
			conformanceCase{gap + "null", true},
			conformanceCase{`"` + pad + "日\"", true},
			conformanceCase{`"` + pad + "\xe6\x97\"", true})
	}
	return cases
}

// entryPoints are the ways by which a text meets the package. Each returns the
// error and, where there is one, the value.
var entryPoints = []struct {
	name string
	wrap func(text string) string
	do   func(im *implementation, text []byte) (any, error)
}{
	{"Unmarshal into any", nil, func(im *implementation, text []byte) (any, error) {
		var v any
		err := im.Unmarshal(text, &v)
		return v, err
	}},
	{"Unmarshal into RawMessage", nil, func(im *implementation, text []byte) (any, error) {
		var v stdjson.RawMessage
		err := im.Unmarshal(text, &v)
		return v, err
	}},
	{"Valid", nil, func(im *implementation, text []byte) (any, error) {
		if !im.Valid(text) {
			return nil, errBad
		}
		return nil, nil
	}},
	{"Decoder into any", nil, func(im *implementation, text []byte) (any, error) {
		return decodeAll(im.NewDecoder(bytes.NewReader(text)))
	}},
	{"Decoder, UseNumber", nil, func(im *implementation, text []byte) (any, error) {
		d := im.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		return decodeAll(d)
	}},
	{"skipped unknown member", func(s string) string { return `{"unknown":` + s + `,"A":1}` },
		func(im *implementation, text []byte) (any, error) {
			var v struct{ A int }
			err := im.Unmarshal(text, &v)
			return v, err
		}},
	{"skipped unknown member with space", func(s string) string { return "{ \"A\" : 1 ,\n \"unknown\" : " + s + " } " },
		func(im *implementation, text []byte) (any, error) {
			var v struct{ A int }
			err := im.Unmarshal(text, &v)
			return v, err
		}},
	{"RawMessage member", func(s string) string { return `{"R":` + s + `}` }, func(im *implementation, text []byte) (any, error) {
		var v struct{ R stdjson.RawMessage }
		err := im.Unmarshal(text, &v)
		return v, err
	}},
	{"element beyond an array", func(s string) string { return `[1,` + s + `]` }, func(im *implementation, text []byte) (any, error) {
		var v [1]int
		err := im.Unmarshal(text, &v)
		return v, err
	}},
	{"value of the wrong type", func(s string) string { return `[{"C":` + s + `}]` }, func(im *implementation, text []byte) (any, error) {
		var v []struct{ C chan int }
		err := im.Unmarshal(text, &v)
		return v, err
	}},
	{"typed", nil, func(im *implementation, text []byte) (any, error) {
		var v struct {
			A    []bool
			B    *int
			ID   float64
			Name string
			List []any
		}
		err := im.Unmarshal(text, &v)
		return v, err
	}},
	{"Compact", nil, func(im *implementation, text []byte) (any, error) {
		var b bytes.Buffer
		err := im.Compact(&b, text)
		return b.String(), err
	}},
	{"Indent", nil, func(im *implementation, text []byte) (any, error) {
		var b bytes.Buffer
		err := im.Indent(&b, text, ">", "\t")
		return b.String(), err
	}},
	{"Marshal of RawMessage", nil, func(im *implementation, text []byte) (any, error) {
		b, err := im.Marshal(stdjson.RawMessage(text))
		return b, err
	}},
}

// decodeAll decodes one value and wants nothing but white space behind it.
func decodeAll(d decoder) (any, error) {
	var v, w any
	if err := d.Decode(&v); err != nil {
		return v, err
	}
	if err := d.Decode(&w); err != io.EOF {
		return v, fmt.Errorf("after the value: %w", err)
	}
	return v, nil
}

// refuses reports whether an error says that a text is not JSON: a value that
// does not fit its target or is out of range is JSON.
func refuses(err error) bool {
	switch err.(type) {
	case nil, *stdjson.UnmarshalTypeError:
		return false
	}
	return true
}

// TestConformance wants every entry point to accept what is JSON and to refuse
// what is not, with encoding/json's error and value.
func TestConformance(t *testing.T) {
	cases := conformanceCases()
	for _, e := range entryPoints {
		t.Run(e.name, func(t *testing.T) {
			bad := 0
			for _, c := range cases {
				text := c.text
				if e.wrap != nil {
					text = e.wrap(text)
				}
				if e.name == "Unmarshal into any" && oracle.Valid([]byte(c.text)) != c.ok {
					t.Errorf("the case %q is wrong: encoding/json says %v", c.text, !c.ok)
				}
				v, err := e.do(&subject, []byte(text))
				ok := !refuses(err)
				if e.wrap == nil && ok != c.ok || e.wrap != nil && ok && !oracle.Valid([]byte(text)) {
					t.Errorf("%q: %v, want JSON = %v", text, err, c.ok)
				} else if classicOracle {
					w, want := e.do(&oracle, []byte(text))
					if d := errorDiff(want, err); d != "" {
						t.Errorf("%q: %s", text, d)
					} else if d := differ(reflect.ValueOf(&w), reflect.ValueOf(&v)); d != "" {
						t.Errorf("%q: %s", text, d)
					} else {
						continue
					}
				} else {
					continue
				}
				if bad++; bad > 10 {
					t.Fatal("too many failures")
				}
			}
		})
	}
	t.Logf("%d cases, %d entry points", len(cases), len(entryPoints))
}

// grammarOf is a recognizer of JSON in tokens; it returns what is left.
func grammarOf(tokens []string) ([]string, bool) {
	if len(tokens) == 0 {
		return nil, false
	}
	first, rest := tokens[0], tokens[1:]
	switch first {
	case "1", `"a"`:
		return rest, true
	case "[", "{":
		closing := map[string]string{"[": "]", "{": "}"}[first]
		if len(rest) > 0 && rest[0] == closing {
			return rest[1:], true
		}
		for {
			if first == "{" {
				if len(rest) < 2 || rest[0] != `"a"` || rest[1] != ":" {
					return nil, false
				}
				rest = rest[2:]
			}
			var ok bool
			if rest, ok = grammarOf(rest); !ok || len(rest) == 0 {
				return nil, false
			}
			if rest[0] == closing {
				return rest[1:], true
			}
			if rest[0] != "," {
				return nil, false
			}
			rest = rest[1:]
		}
	}
	return nil, false
}

// TestConformanceStructure tries every sequence of up to five tokens.
func TestConformanceStructure(t *testing.T) {
	alphabet := []string{"[", "]", "{", "}", ",", ":", "1", `"a"`}
	longest := 5
	if testing.Short() {
		longest = 4
	}
	tokens := make([]string, 0, longest)
	bad := 0
	var try func()
	try = func() {
		if len(tokens) > 0 {
			rest, ok := grammarOf(tokens)
			ok = ok && len(rest) == 0
			sep := ""
			if strings.Contains(strings.Join(tokens, "|"), "1|1") {
				sep = " "
			}
			text := []byte(strings.Join(tokens, sep))
			var v any
			var s struct{ A stdjson.RawMessage }
			if got := subject.Valid(text); got != ok {
				t.Errorf("Valid(%q) = %v, want %v", text, got, ok)
				bad++
			}
			if err := subject.Unmarshal(text, &v); (err == nil) != ok {
				t.Errorf("Unmarshal(%q) into any: %v, want JSON = %v", text, err, ok)
				bad++
			}
			if err := subject.Unmarshal(text, &s); refuses(err) == ok {
				t.Errorf("Unmarshal(%q) into a struct: %v, want JSON = %v", text, err, ok)
				bad++
			}
			if bad > 10 {
				t.Fatal("too many failures")
			}
		}
		if len(tokens) == longest {
			return
		}
		for _, a := range alphabet {
			tokens = append(tokens, a)
			try()
			tokens = tokens[:len(tokens)-1]
		}
	}
	try()
}

// TestConformanceDepth wants nesting up to encoding/json's limit accepted, one
// more refused, and a million refused within 8 MiB.
func TestConformanceDepth(t *testing.T) {
	shapes := []struct{ name, open, middle, close string }{
		{"arrays", "[", "", "]"},
		{"objects", `{"a":`, "1", "}"},
		{"both", `[{"a":`, "1", "}]"},
	}
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			for _, e := range entryPoints {
				if e.name == "Indent" {
					continue // its output grows with the square of the depth
				}
				for _, depth := range []int{100, 9998, 9999, 10000, 10001, 20000} {
					n := depth
					if s.name == "both" {
						n /= 2
					}
					text := strings.Repeat(s.open, n) + s.middle + strings.Repeat(s.close, n)
					if e.wrap != nil {
						text = e.wrap(text)
					}
					_, err := e.do(&subject, []byte(text))
					_, want := e.do(&oracle, []byte(text))
					if d := errorDiff(want, err); classicOracle && d != "" || (err == nil) != (want == nil) {
						t.Errorf("%s, %d %s: %s", e.name, depth, s.name, d)
					}
				}
				deep := []byte(strings.Repeat(s.open, 1e6))
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				_, err := e.do(&subject, deep)
				runtime.ReadMemStats(&after)
				if !refuses(err) {
					t.Errorf("%s: a million %s: %v", e.name, s.name, err)
				}
				// A Decoder or a RawMessage may hold the text itself; the rest is the limit.
				if used := int64(after.TotalAlloc - before.TotalAlloc); used > 8<<20+4*int64(len(deep)) {
					t.Errorf("%s: a million %s took %d MiB", e.name, s.name, used>>20)
				}
			}
		})
	}
}

// TestConformanceNumbers wants encoding/json's answer on numbers no type can
// hold, in time that does not grow with the exponent.
func TestConformanceNumbers(t *testing.T) {
	texts := []string{
		"1e999999999", "-1e999999999", "1e-999999999", "1e99999999999999999999", strings.Repeat("9", 1<<20),
		"0." + strings.Repeat("0", 1<<20) + "1",
		"1" + strings.Repeat("0", 1<<20) + "e-1048576", strings.Repeat("1", 400), "0." + strings.Repeat("3", 800),
		"1e" + strings.Repeat("0", 1<<20) + "1",
		"2.2250738585072011e-308", "1.7976931348623158e308", "1.7976931348623159e308", "4.9406564584124654e-324",
		"2.4703282292062327e-324", "9007199254740993", "1.00000000000000011102230246251565404236316680908203125",
	}
	type all struct {
		F64 *float64
		F32 *float32
		I64 *int64
		I8  *int8
		U64 *uint64
		N   *stdjson.Number
		A   *any
	}
	for _, text := range texts {
		for i := range reflect.TypeFor[all]().NumField() {
			typ := reflect.TypeFor[all]().Field(i).Type.Elem()
			want, got := reflect.New(typ), reflect.New(typ)
			wantErr := oracle.Unmarshal([]byte(text), want.Interface())
			start := time.Now()
			gotErr := subject.Unmarshal([]byte(text), got.Interface())
			took := time.Since(start)
			// encoding/json on encoding/json/v2 stores an infinity beside the error.
			if d := differ(want, got); d != "" && (classicOracle || wantErr == nil) {
				t.Errorf("%.40s (%d bytes) into %v: %.200s", text, len(text), typ, d)
			}
			if d := errorDiff(wantErr, gotErr); d != "" && classicOracle || (wantErr == nil) != (gotErr == nil) {
				t.Errorf("%.40s (%d bytes) into %v: %.200s", text, len(text), typ, d)
			}
			if took > 5*time.Second {
				t.Errorf("%.40s (%d bytes) into %v took %v", text, len(text), typ, took)
			}
		}
	}
}

// TestFold wants a member matched to a field of another case by Unicode's
// simple folding, for every letter that has one.
func TestFold(t *testing.T) {
	var folding []rune
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.SimpleFold(r) != r && unicode.IsLetter(r) {
			folding = append(folding, r)
		}
	}
	step := 1
	if testing.Short() {
		step = 17
	}
	for i := 0; i < len(folding); i += step {
		r := folding[i]
		name := "n" + string(r)
		typ := reflect.StructOf([]reflect.StructField{{Name: "F", Type: reflect.TypeFor[int](),
			Tag: reflect.StructTag(`json:` + strconv.Quote(name))}})
		members := []string{
			name, "N" + string(r), "n" + string(unicode.SimpleFold(r)), "n" + string(unicode.SimpleFold(unicode.SimpleFold(r))),
			"n" + string(r+1), "n" + string(unicode.ToUpper(r)), "n" + string(unicode.ToLower(r)), "n" + string(r) + "x",
		}
		for _, m := range members {
			text, err := stdjson.Marshal(map[string]int{m: 1})
			if err != nil {
				t.Fatal(err)
			}
			v := reflect.New(typ)
			if err := subject.Unmarshal(text, v.Interface()); err != nil {
				t.Fatal(err)
			}
			if got, want := v.Elem().Field(0).Int() == 1, strings.EqualFold(m, name); got != want {
				t.Errorf("member %q matches field %q: %v, want %v", m, name, got, want)
			}
		}
	}
}
