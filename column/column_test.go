package column_test

import (
	"database/sql"
	"database/sql/driver"
	stdjson "encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/column"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
)

type address struct {
	Street string   `json:"street" check:"minLength=1"`
	Lines  []string `json:"lines"`
}

var (
	_ driver.Valuer = column.JSON[address]{}
	_ sql.Scanner   = (*column.JSON[address])(nil)
	_ sql.Scanner   = column.Column[address]{}
)

func TestJSON(t *testing.T) {
	for _, tt := range []struct {
		name string
		src  any
		want string // as it is written, or a part of the error
	}{
		{"text", `{"street":"a","lines":["b"]}`, `{"street":"a","lines":["b"]}`},
		{"bytes", []byte(` {"lines":null,"street":"a"} `), `{"street":"a","lines":null}`},
		{"NULL", nil, `{"street":"","lines":null}`},
		{"null", "null", `{"street":"","lines":null}`},
		{"number", int64(1), "error: column: int64 is not json of a column_test.address"},
		{"broken", "{", "error: json: at offset 1: unexpected end"},
		{"rule", `{"street":""}`, "must have at least 1 character"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := column.JSON[address]{V: address{Street: "before"}}
			err := c.Scan(tt.src)
			got := fmt.Sprint("error: ", err)
			if err == nil {
				v, err := c.Value()
				got = fmt.Sprint(v)
				if err != nil {
					t.Error(err)
				}
			} else if c.V.Street != "before" {
				t.Errorf("the value has changed to %+v", c.V)
			}
			if err == nil && got != tt.want || !strings.Contains(got, tt.want) {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
	if _, err := (column.JSON[chan int]{V: make(chan int)}).Value(); err == nil {
		t.Error("a channel has been written")
	}
}

// What is null is a type's around it.
func TestNull(t *testing.T) {
	var n opt.Null[column.JSON[[]int]]
	var s sql.Null[column.JSON[[]int]]
	for _, src := range []any{nil, "[1]", nil} {
		err := n.Scan(src)
		if err == nil {
			err = s.Scan(src)
		}
		if err != nil || n.Valid != (src != nil) || s.Valid != n.Valid || n.Valid && n.V.V[0] != 1 {
			t.Errorf("%v: %+v, %+v, %v", src, n, s, err)
		}
	}
	if v, err := n.Value(); v != nil || err != nil {
		t.Errorf("%v, %v", v, err)
	}
}

// Formats see the value alone.
func TestFormats(t *testing.T) {
	type row struct {
		A column.JSON[address]            `json:"a"`
		L column.JSON[[]int]              `json:"l"`
		M map[string]column.JSON[*string] `json:"m"`
	}
	x := "x"
	want := row{
		A: column.JSON[address]{V: address{Street: "s"}},
		L: column.JSON[[]int]{V: []int{1}},
		M: map[string]column.JSON[*string]{"k": {V: &x}},
	}
	const text = `{"a":{"street":"s","lines":null},"l":[1],"m":{"k":"x"}}`
	if b, err := stdjson.Marshal(want); string(b) != text || err != nil {
		t.Errorf("%s, %v", b, err)
	}
	for _, f := range []weft.Format{json.Format, msgpack.Format, cbor.Format} {
		b, err := f.MarshalAppend(nil, want)
		var got row
		if err == nil {
			err = f.Unmarshal(b, &got)
		}
		if err != nil || !reflect.DeepEqual(got, want) || f == weft.Format(json.Format) && string(b) != text {
			t.Errorf("%s: %+v, %q, %v", f.Name(), got, b, err)
		}
	}
}

func TestIn(t *testing.T) {
	for _, f := range []weft.Format{json.Format, msgpack.Format, cbor.Format} {
		want, got := address{"s", []string{"a"}}, address{}
		v, err := column.In(f, &want).Value()
		if err == nil {
			err = column.In(f, &got, weft.AliasInput(true)).Scan(v)
		}
		clear(v.([]byte))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", f.Name(), got, err)
		}
		if err := column.In(f, &got).Scan(true); err == nil || got.Street != "s" {
			t.Errorf("%s: %+v, %v", f.Name(), got, err)
		}
	}
	if _, err := column.In(json.Format, new(chan int)).Value(); err == nil {
		t.Error("a channel has been written")
	}
}

func Example() {
	type person struct {
		Name    string                           `json:"name"`
		Address column.JSON[address]             `json:"address"`
		Former  opt.Null[column.JSON[[]address]] `json:"former"`
	}
	var p person
	// What Scan of a row does.
	fmt.Println(p.Address.Scan(`{"street":"Lake Road","lines":[]}`), p.Former.Scan(nil))
	fmt.Println(p.Address.V.Street, p.Former.Valid)
	text, _ := json.Marshal(p)
	fmt.Println(string(text))
	// Output:
	// <nil> <nil>
	// Lake Road false
	// {"name":"","address":{"street":"Lake Road","lines":[]},"former":null}
}

func ExampleIn() {
	a := address{Street: "Lake Road"}
	v, err := column.In(msgpack.Format, &a).Value() // what db.Exec does
	fmt.Printf("%q %v\n", v, err)
	var b address
	err = column.In(msgpack.Format, &b).Scan(v) // what Scan of a row does
	fmt.Println(b.Street, err)
	// Output:
	// "\x82\xa6street\xa9Lake Road\xa5lines\xc0" <nil>
	// Lake Road <nil>
}
