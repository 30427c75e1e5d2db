package weft_test

import (
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/value"
)

// fixed has members that can have but one value, and others that are like them.
type fixed struct {
	Kind  string          `json:"kind" check:"required,const=cat"`
	Level int32           `json:"level" check:"required,enum=3"`
	Rate  float64         `json:"rate" check:"required,const=0.5"`
	Big   uint64          `json:"big" check:"required,const=7"`
	Enum  fixedEnum       `json:"enum" check:"required"`
	Name  string          `json:"name"`
	Free  string          `json:"free" check:"const=x"`
	Two   string          `json:"two" check:"required,enum=a|b"`
	Opt   opt.Val[string] `json:"opt,omitzero" check:"const=y"`
	*FixedPart
}

type FixedPart struct {
	Part string `json:"part" check:"required,const=z"`
}

type fixedEnum string

func (fixedEnum) WeftRules() weft.Rules { return weft.Rules{Enum: []fixedEnum{"one"}} }

// A required member that can have but one value is written as that where it is zero.
func TestFixedMembers(t *testing.T) {
	for _, r := range []struct {
		name, want string
		v          any
	}{
		{"zero", `{"kind":"cat","level":3,"rate":0.5,"big":7,"enum":"one","name":"","free":"","two":""}`, &fixed{}},
		{"set", `{"kind":"dog","level":1,"rate":0.25,"big":1,"enum":"two","name":"n","free":"f","two":"t","opt":"o"}`,
			&fixed{Kind: "dog", Level: 1, Rate: 0.25, Big: 1, Enum: "two", Name: "n", Free: "f", Two: "t", Opt: opt.ValOf("o")}},
		{"embedded", `{"kind":"cat","level":3,"rate":0.5,"big":7,"enum":"one","name":"","free":"","two":"","part":"z"}`,
			&fixed{FixedPart: new(FixedPart)}},
		{"in a list", `[{"kind":"cat","bars":0},{"kind":"dog","bars":1}]`, &[]fixedSmall{{}, {"dog", 1}}},
		{"long", `{"kind":"` + strings.Repeat("é<", 90) + `","bars":2}`, &fixedSmall{strings.Repeat("é<", 90), 2}},
		{"in a map", `{"a":{"kind":"cat","bars":0}}`, &map[string]*fixedSmall{"a": {}}},
		{"alone", `{"kind":"cat","bars":2}`, &fixedSmall{Bars: 2}},
	} {
		for _, f := range strictFormats {
			t.Run(f.Name()+"/"+r.name, func(t *testing.T) {
				if got, want := writtenAs(t, f, r.v), valueOf(t, r.want); !value.Equal(got, want) {
					t.Errorf("%v, want %v", got, want)
				}
				if v, ok := r.v.(*fixed); ok && v.FixedPart == nil {
					return // a member that is required is not there
				}
				b, err := f.MarshalAppend(nil, r.v, weft.StructAsArray(true))
				if v := fresh(r.v); err != nil || f.Unmarshal(b, v, weft.Unchecked(true), weft.StructAsArray(true)) != nil {
					t.Errorf("as arrays: %v", err)
				} else if got, want := writtenAs(t, f, v), valueOf(t, r.want); !value.Equal(got, want) {
					t.Errorf("as arrays: %v, want %v", got, want)
				}
			})
		}
	}
	if err := schema.Validate(&fixedSmall{}); err != nil {
		t.Error(err)
	}
	if err := schema.Validate(&fixedSmall{Kind: "dog"}); err == nil {
		t.Error("Validate takes another value")
	}
	for _, f := range strictFormats {
		if err := f.Unmarshal(encodedAs(t, f, `{"kind":"","bars":1}`), new(fixedSmall)); err == nil {
			t.Errorf("%s: reads another value", f.Name())
		}
	}
}

type fixedSmall struct {
	Kind string `json:"kind" check:"required,const=cat"`
	Bars int    `json:"bars"`
}
