package plan

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseTag(t *testing.T) {
	packKeys := []string{"msgpack", "weft", "json"}
	jsonKeys := []string{"json", "weft"}
	tests := []struct {
		tag  string
		keys []string
		want tag
	}{
		{``, packKeys, tag{}},
		{`xml:"a"`, packKeys, tag{}},
		{`json:"a"`, packKeys, tag{key: "json", name: "a"}},
		{`json:"a,omitempty" weft:"b"`, packKeys, tag{key: "weft", name: "b"}},
		{`json:"a,omitempty" weft:"b"`, jsonKeys, tag{key: "json", name: "a", omitEmpty: true}},
		{`json:"a" weft:"b,required" msgpack:"c,omitzero"`, packKeys, tag{key: "msgpack", name: "c", omitZero: true}},
		{`json:"a,omitempty" msgpack:",omitzero"`, packKeys, tag{key: "msgpack", omitZero: true}},
		{`json:"a" msgpack:""`, packKeys, tag{key: "json", name: "a"}},
		{`json:"" weft:"b"`, jsonKeys, tag{key: "weft", name: "b"}},
		// "-" hides, in the key that governs and in a later one behind a tag without a name
		{`json:"-"`, packKeys, tag{key: "json", hidden: true}},
		{`json:"-" weft:"b"`, packKeys, tag{key: "weft", name: "b"}},
		{`json:"-" weft:",omitempty"`, packKeys, tag{key: "weft", hidden: true}},
		{`json:"a" weft:"-"`, packKeys, tag{key: "weft", hidden: true}},
		{`json:"a" weft:"-"`, jsonKeys, tag{key: "json", name: "a"}},
		{`json:",string" weft:"-"`, jsonKeys, tag{key: "json", hidden: true}},
		{`weft:"-,"`, packKeys, tag{key: "weft", name: "-"}},
		{`weft:"-,omitempty"`, packKeys, tag{key: "weft", name: "-", omitEmpty: true}},
		// options
		{`weft:",omitempty,omitzero,string"`, packKeys, tag{key: "weft", omitEmpty: true, omitZero: true, quoted: true}},
		{`weft:",required"`, packKeys, tag{key: "weft", required: true}},
		{`weft:",inline"`, packKeys, tag{key: "weft", inline: true}},
		{`weft:",unknown"`, packKeys, tag{key: "weft", unknown: true}},
		{`weft:"a,alias:b,alias:c d"`, packKeys, tag{key: "weft", name: "a", alternates: []string{"b", "c d"}}},
		{`weft:"a,format:unix"`, packKeys, tag{key: "weft", name: "a", format: "unix"}},
		{`weft:"'a,b'"`, packKeys, tag{key: "weft", name: "a,b"}},
		{`weft:"''"`, packKeys, tag{key: "weft", named: true}},
		{`weft:"'it''s \\ \"a\"',omitzero"`, packKeys, tag{key: "weft", name: `it's \ "a"`, omitZero: true}},
		{`weft:"a,,"`, packKeys, tag{key: "weft", name: "a"}},
		// the key json is as lenient as encoding/json
		{`json:"a,required,inline,unknown,alias:b,format:x,bogus,Omitempty, string"`, packKeys, tag{key: "json", name: "a"}},
		{`json:"a\\b,omitempty"`, packKeys, tag{key: "json", omitEmpty: true}},
	}
	for _, tt := range tests {
		t.Run(tt.tag, func(t *testing.T) {
			var got tag
			if got.parse(reflect.StructTag(tt.tag), tt.keys); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("parse(%s, %v) =\n%+v, want\n%+v", tt.tag, tt.keys, got, tt.want)
			}
		})
	}
}

func TestTagProblems(t *testing.T) {
	type strct struct{ X int }
	tests := []struct {
		tag  string
		of   any
		code Code
		text string // "" for no problem
	}{
		{`weft:"a"`, 0, 0, ""},
		{`weft:"a,omitempt"`, 0, BadOption, `unknown option "omitempt" in tag weft: did you mean omitempty?`},
		{`weft:"a,omitemtpy"`, 0, BadOption, `did you mean omitempty?`},
		{`weft:"a,Required"`, 0, BadOption, `did you mean required?`},
		{`weft:"a, string"`, 0, BadOption, `did you mean string?`},
		{`weft:"a,aliases:b"`, 0, BadOption, `did you mean alias:?`},
		{`weft:"a,as_array"`, 0, BadOption, `unknown option "as_array" in tag weft`},
		{`own:"a,whatever"`, 0, BadOption, `unknown option "whatever" in tag own`},
		{`json:"a,whatever"`, 0, 0, ""},
		{`weft:"a'b"`, 0, BadName, `name "a'b" in tag weft is not valid`},
		{`json:"a'b"`, 0, 0, ""},
		{`weft:"a,alias:"`, 0, BadName, `alias "" in tag weft is not valid`},
		{`weft:"a,alias:\""`, 0, BadName, `alias "\"" in tag weft is not valid`},
		{`weft:"a,format:"`, 0, BadOption, `unknown option "format:"`},
		{`weft:"a,format:x,format:y"`, 0, Conflict, `options format:x and format:y exclude each other`},
		{`weft:"a,required,omitempty"`, 0, Conflict, `options required and omitempty exclude each other`},
		{`weft:"a,omitzero,required"`, 0, Conflict, `options required and omitzero exclude each other`},
		{`weft:"a,string"`, 0, 0, ""},
		{`weft:"a,string"`, new(float64), 0, ""},
		{`weft:"a,string"`, []int{}, BadOption, `option string needs a boolean, a number or a string, not []int`},
		{`json:"a,string"`, []int{}, 0, ""},
		{`weft:",inline"`, 0, BadOption, `option inline needs a map with string keys, a struct, not int`},
		{`weft:",unknown"`, strct{}, BadOption, `option unknown needs a map with string keys, not plan.strct`},
		{`weft:",inline"`, strct{}, 0, ""},
		{`weft:",inline"`, &strct{}, 0, ""},
		{`weft:",inline"`, map[named]int{}, 0, ""},
		{`weft:",unknown"`, map[string]any{}, 0, ""},
		{`weft:",inline"`, map[int]int{}, BadOption, `option inline needs a map with string keys`},
		{`weft:"a,inline"`, strct{}, Conflict, `option inline and a name exclude each other`},
		{`weft:",inline,unknown"`, map[string]any{}, Conflict, `option inline and option unknown exclude each other`},
		{`weft:",unknown,omitempty"`, map[string]any{}, Conflict, `option unknown and option omitempty exclude each other`},
		{`weft:",inline,required"`, map[string]any{}, Conflict, `option inline and option required exclude each other`},
		{`weft:",unknown,alias:x"`, map[string]any{}, Conflict, `option unknown and option alias exclude each other`},
	}
	for _, tt := range tests {
		t.Run(tt.tag, func(t *testing.T) {
			rt := reflect.StructOf([]reflect.StructField{field("F", tt.of, tt.tag)})
			n := NewSet(Config{Keys: []string{"own", "weft", "json"}}).Of(rt)
			if tt.text == "" {
				if len(n.Problems()) > 0 {
					t.Errorf("%v: %v", rt, n.Problems()[0].Error())
				}
				return
			}
			if len(n.Problems()) == 0 {
				t.Errorf("%v: no problem, want %s", rt, tt.text)
				return
			}
			p := n.Problems()[0]
			if p.Code != tt.code || !strings.Contains(p.Text, tt.text) || p.Field != "F" || p.Rtype != rt || p.Silent || !p.Marshal || !p.Unmarshal {
				t.Errorf("%v:\n%+v, want %d, %s", rt, p, tt.code, tt.text)
			}
		})
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "abd", 1},
		{"abc", "ac", 1}, {"ac", "abc", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 2},
	}
	for _, tt := range tests {
		t.Run(tt.a+" "+tt.b, func(t *testing.T) {
			if got := distance(tt.a, tt.b); got != tt.want {
				t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
			}
		})
	}
}
