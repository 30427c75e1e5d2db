package json_test

import (
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/json"
)

// finder looks for a tag in the way of its Reader and in that of any.
type finder struct {
	fields      *weft.Fields
	fast, plain string
	ok, plainOK bool
}

func (f *finder) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	f.fast, f.ok = r.Lookahead().PeekTag(r, f.fields)
	f.plain, f.plainOK = r.Lookahead().PeekTag(struct{ backend.Reader }{r}, f.fields)
	r.Skip()
	return r.Err()
}

var tagTexts = []string{
	`{"type":"x"}`, `{"a":1,"type":"x"}`, "{ \"a\" : 1 ,\n\t\"type\" : \"x\" }", `{"a":{"type":"no"},"type":"x"}`,
	`{"a":["type","type"],"type":7}`,
	`{"a":"type","type":"x"}`, `{"typ\u0065":"x"}`, `{"a":1,"t\u0079pe" :"x"}`, `{"a\"b":"}]{[\\\"","type":"\u00e9"}`,
	`{}`, `[]`, `"type"`, `{"type":{}}`,
	`{"a":1.5e+3,"b":null,"c":[{"d":true},[]],"e":"","f":-0,"type":-12,"type":"later"}`, `{"a":1}`, `{"Type":"x"}`,
	`{"type":1.5}`, `{"a":1,"typf":2,"type":"x"}`,
	`{"":"","type":"x"}`, `{"a":[],"b":{},"type":"x"}`, `{"a" :"b" , "type":"x"}`, `{"a":"\\","type":"x"}`,
	`{"a":[1,{"b":[{"type":"no"}]}]}`, `{"type":""}`,
	`{"a":1,"type":99999999999999999999}`, "{\"a\":\"\xff\",\"type\":\"\xff\"}", `{"a":tru,"type":"x"}`,
	`{"a":1 "type":"x"}`, `{"a":"`, `{"a":[`, `{`, `{"a":"x\u00zz","type":"x"}`,
}

func checkFinder(t *testing.T, text string) {
	f := &finder{fields: weft.NewFields("type")}
	if err := json.UnmarshalWith([]byte(text), f); err != nil {
		return // nothing was promised
	}
	if f.fast != f.plain || f.ok != f.plainOK {
		t.Errorf("%q: the tag is %q, %t; read member by member it is %q, %t", text, f.fast, f.ok, f.plain, f.plainOK)
	}
}

// A tag is found where reading member by member finds it.
func TestFindTag(t *testing.T) {
	found := 0
	for _, text := range tagTexts {
		checkFinder(t, text)
		f := &finder{fields: weft.NewFields("type")}
		if json.UnmarshalWith([]byte(text), f) == nil && f.ok {
			found++
		}
	}
	if found != 17 {
		t.Errorf("%d tags found", found)
	}
	// Wherever in a block of the search it stands.
	for _, text := range tagTexts {
		if rest, ok := strings.CutPrefix(text, "{"); ok && rest != "" && rest[0] == '"' {
			for n := range 130 {
				checkFinder(t, `{"p":"`+strings.Repeat("p", n)+`",`+rest)
				checkFinder(t, `{"tag":"`+strings.Repeat(`\\`, n)+`","type\n":1,`+rest)
			}
		}
	}
}

func FuzzFindTag(f *testing.F) {
	for _, text := range tagTexts {
		f.Add(text)
	}
	f.Fuzz(checkFinder)
}
