package openapi

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// plain returns n as encoding/json would decode it with UseNumber.
func plain(n *Node) any {
	switch n.Kind {
	case Bool:
		return n.Text == "true"
	case NumberKind:
		return json.Number(n.Text)
	case String:
		return n.Text
	case Array:
		out := []any{}
		for _, x := range n.Items {
			out = append(out, plain(x))
		}
		return out
	case Object:
		out := map[string]any{}
		for _, m := range n.Members {
			out[m.Name] = plain(m.Value)
		}
		return out
	}
	return nil
}

// TestReadJSON compares the reader with encoding/json.
func TestReadJSON(t *testing.T) {
	many := `{"a0":0`
	for i := range 40 {
		many += `,"b` + strings.Repeat("x", i) + `":[` + strings.Repeat("1,", i) + `2]`
	}
	for _, text := range []string{
		`null`, `true`, `false`, `0`, `-0`, `1.5e+3`, `-12E-1`, `""`, `"a"`, `[]`, `{}`, ` [ 1 , 2 ] `, "{\r\n\t\"a\" : {} }",
		`"\"\\\/\b\f\n\r\t\u0041"`, `"\ud834\udd1e"`, `"\ud834"`, `"\ud834x\udd1e"`, `"äöü€𝄞"`, `"a\u00e9b"`,
		`[[[[]]],{"a":[{}]}]`, many + "}",
		``, ` `, `nul`, `tru`, `01`, `-`, `1.`, `.5`, `1e`, `+1`, `"`, `"\x"`, `"\u12"`, `"\u12g4"`, "\"\n\"", `[1 2]`, `[1`,
		`{`, `{"a"`, `{"a":`,
		`{"a":1`, `{"a" 1}`, `{a:1}`, `{"a":1 "b":2}`, `1 2`, `[] []`, `{}}`, `[}`, `'a'`, `/**/1`, `NaN`, `Infinity`, "\x00", `0x1`,
	} {
		var rep reporter
		n := readJSON(&file{name: "t"}, text, &rep)
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var want any
		valid := json.Valid([]byte(text))
		if valid {
			if err := d.Decode(&want); err != nil {
				t.Fatal(err)
			}
		}
		if got := n != nil && len(rep.list) == 0; got != valid {
			t.Errorf("%q: read without findings: %v, valid: %v (%s)", text, got, valid, rep.list)
			continue
		}
		if valid && !reflect.DeepEqual(plain(n), want) {
			t.Errorf("%q: read as %v, want %v", text, plain(n), want)
		}
	}
}

func TestReadJSONPositions(t *testing.T) {
	var rep reporter
	n := readJSON(&file{name: "t"}, "{\n  \"ä€\": [1,\n\t\"𝄞\", {\"x\": null}],\r\n\"b\":\n\n true}", &rep)
	var got []string
	var visit func(n *Node)
	visit = func(n *Node) {
		got = append(got, n.Pos.String()[2:])
		for _, x := range n.Items {
			visit(x)
		}
		for _, m := range n.Members {
			got = append(got, m.Name+"@"+m.Pos.String()[2:])
			visit(m.Value)
		}
	}
	visit(n)
	eq(t, "positions", strings.Join(got, " "), "1:1 ä€@2:3 2:9 2:10 3:2 3:7 x@3:8 3:13 b@4:1 6:2")
}

// TestYAMLScalars holds the core schema of YAML 1.2.2 §10.3.2.
func TestYAMLScalars(t *testing.T) {
	for _, row := range []struct {
		text string
		kind Kind
		want string
	}{
		{"", Null, "null"}, {"~", Null, "null"}, {"null", Null, "null"}, {"NULL", Null, "null"}, {"nULL", String, "nULL"},
		{"true", Bool, "true"}, {"True", Bool, "true"}, {"FALSE", Bool, "false"}, {"tRUE", String, "tRUE"},
		{"yes", String, "yes"}, {"no", String, "no"}, {"on", String, "on"}, {"Off", String, "Off"}, {"y", String, "y"},
		{"0", NumberKind, "0"}, {"-0", NumberKind, "-0"}, {"+12", NumberKind, "12"}, {"012", NumberKind, "12"}, {"0o14", NumberKind, "12"},
		{"0x1F", NumberKind, "31"}, {"0xFFFFFFFFFFFFFFFFFF", NumberKind, "4722366482869645213695"}, {"0b11", String, "0b11"},
		{"1_000", String, "1_000"},
		{".5", NumberKind, "0.5"}, {"1.", NumberKind, "1"}, {"-1.50", NumberKind, "-1.50"}, {"1e3", NumberKind, "1e3"},
		{"00.5E-3", NumberKind, "0.5E-3"},
		{".inf", String, ".inf"}, {".nan", String, ".nan"}, {"1.2.3", String, "1.2.3"}, {"12:30:45", String, "12:30:45"},
		{"2020-01-02", String, "2020-01-02"},
		{"+", String, "+"}, {".", String, "."}, {"1e", String, "1e"}, {"'1'", String, "1"}, {`"true"`, String, "true"}, {"!!str 1", String, "1"},
		{"!!int 1", NumberKind, "1"}, {"|\n  1", String, "1"}, {">-\n  null", String, "null"}, {"!mine 1", String, "1"},
	} {
		t.Run(row.text, func(t *testing.T) {
			var rep reporter
			n := readYAML(&file{name: "t"}, []byte("k: "+row.text+"\n"), &rep)
			if n == nil || len(rep.list) > 0 {
				t.Errorf("%s", rep.list)
				return
			}
			v := n.Get("k")
			if v.Kind != row.kind || strings.TrimSuffix(v.Text, "\n") != row.want {
				t.Errorf("read as %s %q, want %s %q", v.Kind, v.Text, row.kind, row.want)
			}
			if v.Kind == NumberKind && !json.Valid([]byte(v.Text)) {
				t.Errorf("%q is not a JSON number", v.Text)
			}
		})
	}
}

func TestYAMLMerge(t *testing.T) {
	var rep reporter
	n := readYAML(&file{name: "t"}, []byte(`
base: &base {a: 1, b: {c: 2}}
more: &more {b: 3, d: 4}
one: {<<: *base, a: 9}
two:
  <<: [*base, *more]
  e: 5
copy: *base
text: {"<<": 1}
`), &rep)
	if len(rep.list) > 0 {
		t.Fatal(rep.list)
	}
	got := string(appendNode(nil, n))
	want := `{"base":{"a":1,"b":{"c":2}},"more":{"b":3,"d":4},"one":{"a":9,"b":{"c":2}},"two":{"e":5,"a":1,"b":{"c":2},` +
		`"d":4},"copy":{"a":1,"b":{"c":2}},"text":{"\u003c\u003c":1}}`
	eq(t, "merged", strings.ReplaceAll(got, "\n", ""), want)
}

func TestParseNumber(t *testing.T) {
	for _, row := range []struct {
		text  string
		i     int64
		isInt bool
		f     float64
	}{
		{"0", 0, true, 0}, {"-0", 0, true, 0}, {"12", 12, true, 12}, {"1e3", 1000, true, 1000}, {"2.0", 2, true, 2}, {"-1.50e1", -15, true, -15},
		{"1.5", 0, false, 1.5}, {"1e-3", 0, false, 1e-3}, {"1.00000000000000000001", 0, false, 1}, {"10e-1", 1, true, 1},
		{"9223372036854775807", math.MaxInt64, true, math.MaxInt64}, {"9223372036854775808", 0, false, math.MaxInt64},
		{"-9223372036854775808", math.MinInt64, true, math.MinInt64},
		{"1e999999999999999999", 0, false, math.Inf(1)}, {"0e999999999999999999", 0, true, 0}, {"1e-999999999999999999", 0, false, 0},
	} {
		t.Run(row.text, func(t *testing.T) {
			n := parseNumber(row.text, Pos{})
			if n.Int != row.i || n.IsInt != row.isInt || n.Float != row.f {
				t.Errorf("%d %v %v, want %d %v %v", n.Int, n.IsInt, n.Float, row.i, row.isInt, row.f)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	names := []string{"string", "integer", "number", "required", "Pet", "Pets", "PetOwner"}
	for _, row := range []struct{ name, want string }{
		{"strng", "string"}, {"sting", "string"}, {"requried", "required"}, {"Required", "required"}, {"pet", "Pet"},
		{"Pett", "Pet"}, {"petowner", "PetOwner"},
		{"x", ""}, {"", ""}, {"zebra", ""}, {strings.Repeat("ſ", 90), ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			eq(t, row.name, nearest(row.name, slices.Values(names)), row.want)
		})
	}
}

// TestKeywords reads every keyword that suggestions name, so that none is
// suggested that is not known.
func TestKeywords(t *testing.T) {
	for _, version := range []string{"3.1.0", "3.2.0"} {
		for _, k := range schemaKeywords {
			doc, found := Parse("t.json",
				[]byte(`{"openapi":"`+version+`","info":{"title":"t","version":"1"},"paths":{},"components":{"schemas":{"A":{"`+k+
					`":null}}}}`))
			if strings.Contains(found.String(), "is not a member") || doc.Components.Schemas.Get("A") == nil {
				t.Errorf("%s: %s", k, found)
			}
		}
	}
}
