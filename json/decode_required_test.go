package json_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
)

type needy struct {
	ID    int     `weft:"id,required"`
	Name  string  `weft:"name,required,alias:title"`
	Note  string  `json:"note"`
	Inner *needy  `json:"inner"`
	List  []needy `json:"list"`
	Map   map[string]needy
}

// TestRequired reads objects without the members that their type requires.
func TestRequired(t *testing.T) {
	for _, c := range []struct {
		text, path string
		missing    []string
	}{
		{`{"id":1,"name":"x"}`, "", nil},
		{` { "note" : "n" , "name" : "x" , "id" : 1 } `, "", nil},
		{`{"id":1,"title":"x"}`, "", nil},
		{`{"ID":1,"TITLE":"x"}`, "", nil},
		{`{"id":null,"name":null}`, "", nil},
		{`{"\u0069d":1,"name":"x"}`, "", nil},
		{`null`, "", nil},
		{`{}`, "", []string{"id", "name"}},
		{`{"id":1}`, "", []string{"name"}},
		{`{"name":"x","unknown":{"id":1}}`, "", []string{"id"}},
		{`{"id":1,"name":"x","inner":{"id":2}}`, "/inner", []string{"name"}},
		{`{"id":1,"name":"x","inner":{"id":2,"name":"y","inner":{"name":"z"}}}`, "/inner/inner", []string{"id"}},
		{`{"id":1,"name":"x","list":[{"id":2,"name":"y"},{}]}`, "/list/1", []string{"id", "name"}},
		{`{"id":1,"name":"x","Map":{"k":{"id":2}}}`, "/Map/k", []string{"name"}},
	} {
		var v needy
		err := json.UnmarshalWith([]byte(c.text), &v)
		var missing *weft.MissingError
		if !errors.As(err, &missing) {
			if err != nil || c.missing != nil {
				t.Errorf("%s: %v", c.text, err)
			}
			if strings.Contains(strings.ToLower(c.text), "title") && v.Name != "x" {
				t.Errorf("%s: %+v", c.text, v)
			}
			continue
		}
		if !slices.Equal(missing.Names, c.missing) {
			t.Errorf("%s: %v", c.text, err)
		}
		var located *weft.Error
		if !errors.As(err, &located) || located.Path != c.path {
			t.Errorf("%s: %v, want path %s", c.text, err, c.path)
		}
		if json.Unmarshal([]byte(c.text), new(needy)) == nil {
			t.Errorf("%s: no error", c.text)
		}
	}
	var v needy
	if err := json.UnmarshalWith([]byte(`{"id":1,"NA-ME":"x"}`), &v, json.V2(), json.MatchCaseInsensitiveNames(true)); err != nil || v.Name != "x" {
		t.Errorf("%+v, %v", v, err)
	}
}
