package weft_test

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

// TestFoldNames: with the option every format finds the fields that JSON finds by default; without it, none but JSON
// finds a field whose name differs by case.
func TestFoldNames(t *testing.T) {
	type inner struct{ Long, K int }
	type names struct {
		K     int
		Tag   int   `json:"tagName"`
		Exact int   `json:"exact"`
		Upper int   `json:"EXACT"`
		Other int   `weft:"other,alias:former"`
		In    inner `json:"in"`
		List  []inner
	}
	type rest struct {
		K    int
		Rest map[string]int `weft:",inline"`
	}
	many := make([]reflect.StructField, 70)
	for i := range many {
		many[i] = reflect.StructField{Name: fmt.Sprintf("Field%d", i), Type: reflect.TypeFor[int]()}
	}
	type in = map[string]any
	for _, row := range []struct {
		name   string
		doc    in
		target any
	}{
		{"plain", in{"k": 1, "TAGNAME": 2, "OTHER": 3}, names{}},
		{"exact first", in{"exact": 1, "EXACT": 2}, names{}},
		{"the first of several", in{"Exact": 1}, names{}},
		{"alias", in{"FORMER": 1}, names{}},
		{"nested", in{"IN": in{"LONG": 1, "k": 2}, "list": []any{in{"long": 3, "strange": 4}}}, names{}},
		{"Kelvin", in{"\u212a": 1}, names{}},
		{"long s", in{"li\u017ft": []any{in{"long": 3}}}, names{}},
		{"rest", in{"k": 1, "z": 2}, rest{}},
		{"many", in{"FIELD1": 1, "field69": 2, "fIELD64": 3}, reflect.Zero(reflect.StructOf(many)).Interface()},
		{"none", in{"kk": 1, "": 2}, names{}},
	} {
		text, err := json.Marshal(row.doc)
		if err != nil {
			t.Fatal(err)
		}
		into := func() reflect.Value { return reflect.New(reflect.TypeOf(row.target)) }
		want := into()
		if err := json.Unmarshal(text, want.Interface()); err != nil {
			t.Fatal(err)
		}
		frames, err := tagged.MarshalFramed(row.doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range append(lawFormats[:len(lawFormats):len(lawFormats)], lawFormat{
			name:    "framed",
			marshal: func(any, ...weft.Options) (any, error) { return frames, nil },
			unmarshal: func(doc, v any, o ...weft.Options) error {
				return tagged.Framed.UnmarshalRead(bytes.NewReader(doc.([]byte)), v, o...)
			},
		}) {
			t.Run(row.name+"/"+f.name, func(t *testing.T) {
				doc, err := f.marshal(row.doc)
				if err != nil {
					t.Fatal(err)
				}
				read := func(opts ...weft.Options) any {
					v := into().Interface()
					if err := f.unmarshal(doc, v, opts...); err != nil {
						t.Error(err)
					}
					return v
				}
				folded, exact, usual := read(weft.FoldNames(true)), read(weft.FoldNames(true), weft.FoldNames(false)), read()
				if !reflect.DeepEqual(folded, want.Interface()) {
					t.Errorf("%+v, want %+v", folded, want.Elem())
				}
				if same := row.name == "exact first" || row.name == "none"; reflect.DeepEqual(exact, folded) != same {
					t.Errorf("%+v without the option", exact)
				}
				if f.name == "json" {
					exact = folded
				}
				if !reflect.DeepEqual(usual, exact) {
					t.Errorf("%+v by default, want %+v", usual, exact)
				}
			})
		}
	}
	// Columns of a file that Go has a struct for.
	type lower struct {
		K  int   `json:"k"`
		In inner `json:"IN"`
	}
	frames, err := tagged.MarshalFramed([]lower{{1, inner{2, 3}}})
	var got []names
	if err == nil {
		err = tagged.UnmarshalFramed(frames, &got, weft.FoldNames(true))
	}
	if err != nil || len(got) != 1 || got[0].K != 1 || got[0].In.Long != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if err := msgpack.Unmarshal([]byte("\x81\xa1k\x01"), new(names), weft.FoldNames(true), weft.RejectUnknown(true)); err != nil {
		t.Error(err)
	}
}
