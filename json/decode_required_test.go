package json_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/opt"
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
		t.Run(c.text, func(t *testing.T) {
			var v needy
			err := json.UnmarshalWith([]byte(c.text), &v)
			var missing *weft.MissingError
			if !errors.As(err, &missing) {
				if err != nil || c.missing != nil {
					t.Error(err)
				}
				if strings.Contains(strings.ToLower(c.text), "title") && v.Name != "x" {
					t.Errorf("%+v", v)
				}
				return
			}
			if !slices.Equal(missing.Names, c.missing) {
				t.Error(err)
			}
			var located *weft.Error
			if !errors.As(err, &located) || located.Path != c.path {
				t.Errorf("%v, want path %s", err, c.path)
			}
			if json.Unmarshal([]byte(c.text), new(needy)) == nil {
				t.Error("no error")
			}
		})
	}
	var v needy
	err := json.UnmarshalWith([]byte(`{"id":1,"NA-ME":"x"}`), &v, json.V2(), json.MatchCaseInsensitiveNames(true))
	if err != nil || v.Name != "x" {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestRequiredMany reads structs of more fields than one word, and than the set on the stack, counts.
func TestRequiredMany(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 256, 257, 300} {
		fields := make([]reflect.StructField, n)
		for i := range fields {
			fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[int](), Tag: `weft:",required"`}
			if i%3 == 1 {
				fields[i].Tag = ""
			}
		}
		typ := reflect.StructOf(fields)
		for _, out := range []int{-1, 0, n / 2, n - 1} {
			text := []byte{'{'}
			for i := n - 1; i >= 0; i-- {
				if i != out {
					text = fmt.Appendf(text, `"F%d":%d,`, i, i+1)
				}
			}
			text[max(len(text)-1, 0)] = '}'
			if len(text) == 1 {
				text = []byte("{}")
			}
			v := reflect.New(typ)
			err := json.Unmarshal(text, v.Interface())
			var missing *weft.MissingError
			if lacks := out >= 0 && out%3 != 1; errors.As(err, &missing) != lacks {
				t.Errorf("%d fields without %d: %v", n, out, err)
			} else if lacks && !slices.Equal(missing.Names, []string{fields[out].Name}) {
				t.Errorf("%d fields without %d: %v", n, out, err)
			}
			if twice := append(text[:len(text)-1:len(text)-1], `,"F2":0}`...); out < 0 && n > 2 {
				last := fmt.Sprintf(`,"F%d":0}`, n-1)
				for _, text := range [][]byte{twice, append(text[:len(text)-1:len(text)-1], last...)} {
					err := json.UnmarshalWith(text, reflect.New(typ).Interface(), json.V2())
					if !errors.Is(err, weft.ErrDuplicateName) {
						t.Errorf("%d fields, one of them twice: %v", n, err)
					}
				}
			}
			for i := range n {
				if got := v.Elem().Field(i).Int(); i != out && got != int64(i+1) {
					t.Fatalf("%d fields: field %d is %d", n, i, got)
				}
			}
		}
	}
}

// Fields that are more than their values keep their ways where some are required.
func TestRequiredKinds(t *testing.T) {
	type Base struct {
		E string `json:"e"`
	}
	type kinds struct {
		*Base
		ID int             `weft:"id,required"`
		Q  int             `json:"q,string"`
		V  opt.Val[int]    `json:"v"`
		N  opt.Null[int]   `json:"n"`
		F  opt.Field[bool] `json:"f"`
		O  opt.Val[Base]   `json:"o"`
		A  any             `json:"a"`
	}
	var v kinds
	text := `{"e":"x","a":[1],"o":{"e":"y"},"f":null,"n":null,"v":7,"q":"3","id":1,"more":{}}`
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	if v.E != "x" || v.Q != 3 || v.V.V != 7 || !v.V.Valid || v.N.Valid || v.F.State != opt.IsNull || v.O.V.E != "y" || v.ID != 1 {
		t.Errorf("%+v", v)
	}
	v = kinds{}
	err := json.Unmarshal([]byte(`{"v":"x","id":1,"q":"4"}`), &v)
	var typed *json.UnmarshalTypeError
	if !errors.As(err, &typed) || typed.Field != "v" || v.V.Valid || v.Q != 4 {
		t.Errorf("%+v, %v", v, err)
	}
	for _, bad := range []string{`{"id":1`, `{"id":1,}`, `{"id" 1}`, `{"id":1]`, `{id:1}`, `{"id":1}x`} {
		var syntax *json.SyntaxError
		if err := json.Unmarshal([]byte(bad), new(kinds)); !errors.As(err, &syntax) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
