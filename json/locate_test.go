package json_test

import (
	"errors"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
)

func TestPathAt(t *testing.T) {
	doc := `{"a":[10,{"b/c":"x,[y"},[]],"":{"d~":null} , "e" : {}}`
	for _, row := range []struct {
		at   string // the first place of this text
		path string
	}{
		{`{"a"`, ""}, {`"a"`, "/a"}, {`[10`, "/a"}, {`10`, "/a/0"}, {`{"b/c"`, "/a/1"}, {`"b/c"`, "/a/1/b~1c"},
		{`"x,[y`, "/a/1/b~1c"}, {`,[y`, "/a/1/b~1c"},
		{`},[]`, "/a/1"}, {`[]]`, "/a/2"}, {`],""`, "/a"}, {`{"d~"`, "/"}, {`null`, "//d~0"}, {`"e"`, "/e"}, {`{}}`, "/e"},
	} {
		t.Run(row.at, func(t *testing.T) {
			off := index(doc, row.at)
			if got := json.PathAt([]byte(doc), int64(off)); got != row.path {
				t.Errorf("at %s, offset %d: %q, want %q", row.at, off, got, row.path)
			}
		})
	}
	for i := -1; i <= len(doc)+1; i++ {
		for j := range len(doc) {
			json.PathAt([]byte(doc[j:]), int64(i))
		}
	}
}

func index(s, sub string) int {
	for i := range s {
		if len(s)-i >= len(sub) && s[i:i+len(sub)] == sub {
			return i
		}
	}
	return -1
}

func TestUnmarshalWithLocates(t *testing.T) {
	type item struct {
		Name string
		Size int8
	}
	for _, row := range []struct {
		text, want string
	}{
		{`{"result":[{"name":"a"},{"name":7}]}`,
			"json: at /result/1/name, offset 32: cannot unmarshal number into Go struct field item.result.Name of type string"},
		{`{"result":[{"size":300}]}`,
			"json: at /result/0/size, offset 19: cannot unmarshal number 300 into Go struct field item.result.Size of type int8"},
		{`{"result":[{"size":3]}`, "json: at /result/0, offset 20: invalid character ']' after object key:value pair"},
		{`{"result":[{"size":3}`, "json: at /result/0, offset 21: unexpected end of JSON input"},
		{`{"result":{}}`, "json: at /result, offset 10: cannot unmarshal object into Go struct field .result of type []json_test.item"},
		{``, "json: at offset 0: unexpected end of JSON input"},
		{`{"result":[{"size":tru}]}`, "json: at /result/0/size, offset 22: invalid character '}' in literal true (expecting 'e')"},
		{`{"result":[{"size":1.}]}`, "json: at /result/0/size, offset 21: invalid character '}' after decimal point in numeric literal"},
		{`{"result":[{},nul]}`, "json: at /result/1, offset 17: invalid character ']' in literal null (expecting 'l')"},
	} {
		t.Run(row.text, func(t *testing.T) {
			var v struct {
				Result []item `json:"result"`
			}
			err := json.UnmarshalWith([]byte(row.text), &v)
			var e *weft.Error
			if err == nil || err.Error() != row.want || !errors.As(err, &e) {
				t.Errorf("%v, want %s", err, row.want)
			}
		})
	}
}
