package weft_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/tagged"
)

// TestRequired: that a member must be there holds in every format, whichever key gives the field its name, or the type
// is refused. In a tag json it is an option that encoding/json does not know, and ignores: so does every format.
func TestRequired(t *testing.T) {
	type (
		plain struct {
			ID  int `weft:"id,required"`
			Two int `weft:"two,required"`
		}
		beside struct {
			ID  int `json:"id" weft:"id,required"`
			Two int `json:"two" weft:"two,required"`
		}
		own struct {
			ID  int `json:"id" weft:"x,required" msgpack:"id" cbor:"id" tagged:"id" value:"id"`
			Two int `json:"two" weft:"y,required" msgpack:"two" cbor:"two" tagged:"two" value:"two"`
		}
		lenient struct {
			ID  int `json:"id,required"`
			Two int `json:"two,required"`
		}
		both struct {
			ID  int `json:"id,required" weft:"id"`
			Two int `json:"two,required" weft:"two"`
		}
		omitted struct {
			ID int `json:"id,omitempty" weft:"id,required,omitempty"`
		}
		slip struct {
			ID int `json:"id" weft:"id,requierd"`
		}
	)
	formats := append(slices.Clone(lawFormats), lawFormat{
		name: "json V2",
		marshal: func(v any, o ...weft.Options) (any, error) {
			return json.Format.MarshalAppend(nil, v, append(o, json.V2())...)
		},
		unmarshal: func(doc, v any, o ...weft.Options) error {
			return json.Format.Unmarshal(doc.([]byte), v, append(o, json.V2())...)
		},
	}, lawFormat{
		name: "framed",
		marshal: func(v any, o ...weft.Options) (any, error) {
			return tagged.Framed.MarshalAppend(nil, v, o...)
		},
		unmarshal: func(doc, v any, o ...weft.Options) error { return tagged.Framed.Unmarshal(doc.([]byte), v, o...) },
	})
	type other struct {
		Two   int `json:"two"`
		Other int `json:"other"`
	}
	for _, row := range []struct {
		name    string
		target  any
		missing []string // nil where the rule does not hold
		refused string   // in the error of a type that is refused
	}{
		{"weft", plain{}, []string{"id"}, ""},
		{"weft beside json", beside{}, []string{"id"}, ""},
		{"weft beside the format's own", own{}, []string{"id"}, ""},
		{"json", lenient{}, nil, ""},
		{"json beside weft", both{}, nil, ""},
		{"omitempty", omitted{}, nil, "options required and omitempty exclude each other"},
		{"a slip", slip{}, nil, "did you mean required?"},
	} {
		for _, f := range formats {
			t.Run(row.name+"/"+f.name, func(t *testing.T) {
				doc, err := f.marshal([]other{{1, 2}})
				if err != nil {
					t.Fatal(err)
				}
				if f.name == "json V2" && row.name == "weft" {
					t.Skip("the names of a tag weft are not looked at")
				}
				err = f.unmarshal(doc, reflect.New(reflect.SliceOf(reflect.TypeOf(row.target))).Interface())
				var missing *weft.MissingError
				var at *weft.Error
				switch {
				case row.refused != "":
					if err == nil || !strings.Contains(err.Error(), row.refused) || !strings.Contains(err.Error(), "ID") {
						t.Errorf("%v, want %s", err, row.refused)
					}
				case row.missing == nil:
					if err != nil {
						t.Error(err)
					}
				case !errors.As(err, &missing) || !slices.Equal(missing.Names, row.missing) || !errors.As(err, &at) || at.Path != "/0":
					t.Errorf("%v, want %v to be missing at /0", err, row.missing)
				}
			})
		}
	}
	// A frame has a column for what some records have.
	type maybe struct {
		ID  opt.Val[int] `json:"id"`
		Two opt.Val[int] `json:"two"`
	}
	one := opt.Val[int]{V: 1, Valid: true}
	frame, err := tagged.MarshalFramed([][]maybe{{{one, one}}, {{one, one}, {}, {one, opt.Val[int]{}}}})
	if err != nil {
		t.Fatal(err)
	}
	err = tagged.UnmarshalFramed(frame, new([][]beside))
	if err == nil || !strings.Contains(err.Error(), `at /1/1`) || !strings.Contains(err.Error(), `missing required members "id", "two"`) {
		t.Error(err)
	}
	// Under V2 the rule is about the field, whatever its name is there.
	err = json.UnmarshalWith([]byte(`{"id":1,"Two":2}`), new(plain), json.V2())
	if err == nil || !strings.Contains(err.Error(), `missing required member "ID"`) {
		t.Error(err)
	}
	// A struct laid out as an array has its members by their places.
	if err := msgpack.Unmarshal([]byte("\x91\x01"), new(beside), weft.StructAsArray(true)); err == nil ||
		!strings.Contains(err.Error(), `"two"`) {
		t.Error(err)
	}
}
