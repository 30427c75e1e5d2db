package opt_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/opt"
)

type (
	Deep struct {
		A int `weft:"a"`
		B int
	}
	Left  struct{ Deep }
	Right struct{ Deep }
	base  struct {
		C int `json:"c"`
		D opt.Val[int]
	}
	hidden struct{ H int }
)

// memberSamples are structs whose members are not simply their fields.
var memberSamples = []any{
	struct {
		Left
		Right
	}{},
	struct {
		Left
		*Right
		A int
	}{},
	struct {
		base
		Deep
		B string
	}{},
	struct {
		*base
		X int `weft:"x" json:"y"`
		Y int `json:"-"`
		Z int `weft:",omitempty" json:"-"`
		V int `json:"-,"`
		W int `weft:"-" json:"w"`
	}{},
	struct {
		Deep  `json:"deep"`
		Same  int `weft:"same"`
		Same2 int `weft:"same"`
		Same3 int `weft:"Same3,omitzero"`
		Bad   int `json:"a\"b,omitempty"`
	}{},
	struct {
		In   Deep            `weft:",inline"`
		At   time.Time       `weft:",inline"`
		O    opt.Field[Deep] `weft:",omitzero"`
		More map[string]any  `weft:",unknown"`
		Too  map[string]any
	}{},
	struct {
		P    *Deep          `weft:",inline"`
		More map[string]int `weft:",inline"`
	}{},
	struct {
		hidden
		opt.Field[int]
		time.Time
		json.Number
		_ int
	}{},
}

// The members are those of the plan by which the formats write and read.
func TestMembers(t *testing.T) {
	set := plan.NewSet(plan.Config{Keys: []string{"weft", "json"}, AnyKeys: true, Complex: true})
	types := make([]reflect.Type, 0, 2000)
	for _, v := range memberSamples {
		types = append(types, reflect.TypeOf(v))
	}
	m := &sample.Maker{Rand: rand.New(rand.NewPCG(1, 2)), Tag: "weft"}
	for len(types) < cap(types) {
		types = append(types, m.Type(3))
	}
	for _, typ := range types {
		p := set.Of(typ)
		if p.Kind != plan.Struct {
			continue
		}
		var want []opt.Member
		for _, f := range p.Members() {
			want = append(want, opt.Member{Name: f.Name, GoName: f.GoName, Index: f.Index, OmitEmpty: f.OmitEmpty, OmitZero: f.OmitZero})
		}
		var wantRest []int
		if p.Rest() != nil {
			wantRest = p.Rest().Index
		}
		if got, rest := opt.MembersOf(typ); !reflect.DeepEqual(got, want) || !reflect.DeepEqual(rest, wantRest) {
			t.Errorf("%v:\n%v, rest %v\nthe plan has\n%v, rest %v", typ, got, rest, want, wantRest)
		}
	}
}
