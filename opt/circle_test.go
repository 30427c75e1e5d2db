package opt_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// The types of a circle, which formats meet first as options: what an option
// holds has a member of the option's own type.
type (
	circleField struct {
		First opt.Field[*ring]  `json:"first,omitzero"`
		More  opt.Field[*ring2] `json:"more,omitzero"`
	}
	ring struct {
		Name opt.Field[string] `json:"name,omitzero"`
		Next opt.Field[*ring]  `json:"next,omitzero"`
	}
	ring2 struct {
		Next  opt.Field[*ring2]            `json:"next,omitzero"`
		Other opt.Field[*circleField]      `json:"other,omitzero"`
		Null  opt.Null[*circleNull]        `json:"null,omitzero"`
		List  opt.Field[[]ring2]           `json:"list,omitzero"`
		Map   opt.Field[map[string]*ring2] `json:"map,omitzero"`
	}
	circleNull struct {
		Next opt.Null[*circleNull]            `json:"next"`
		List opt.Null[[]opt.Null[*ring2]]     `json:"list"`
		Map  opt.Null[map[string]*circleNull] `json:"map"`
	}
	bare struct { // without omitzero
		Field opt.Field[*bare] `json:"field"`
		Val   opt.Val[*bare]   `json:"val"`
		Null  opt.Null[*bare]  `json:"null"`
	}
	circleBare struct {
		Field opt.Field[*bare] `json:"field"`
		Val   opt.Val[*bare]   `json:"val"`
		Null  opt.Null[*bare]  `json:"null"`
	}
	circleVal struct {
		Next opt.Val[*link] `json:"next,omitzero"`
	}
	link struct {
		Next opt.Val[*link]           `json:"next,omitzero"`
		List opt.Val[[]link]          `json:"list,omitzero"`
		Map  opt.Val[map[string]link] `json:"map,omitzero"`
	}
)

// Law: an option may hold a type with a member of the option's type.
func TestCircles(t *testing.T) {
	last := &ring{Name: opt.FieldOf("last"), Next: opt.FieldNull[*ring]()}
	null := &circleNull{
		List: opt.NullOf([]opt.Null[*ring2]{{}, opt.NullOf(&ring2{Next: opt.FieldOf(&ring2{})})}),
		Map:  opt.NullOf(map[string]*circleNull{"a": {Next: opt.NullOf(&circleNull{})}}),
	}
	second := &ring2{
		List:  opt.FieldOf([]ring2{{Next: opt.FieldNull[*ring2]()}}),
		Map:   opt.FieldOf(map[string]*ring2{"a": {}}),
		Other: opt.FieldOf(&circleField{First: opt.FieldOf(last)}),
		Null:  opt.NullOf(null),
	}
	for _, v := range []any{
		&circleField{First: opt.FieldOf(&ring{Next: opt.FieldOf(last)}), More: opt.FieldOf(&ring2{Next: opt.FieldOf(second)})},
		null,
		&circleBare{opt.FieldOf(&bare{}), opt.ValOf(&bare{}), opt.NullOf(&bare{Field: opt.FieldNull[*bare](), Val: opt.ValOf(&bare{})})},
		&circleVal{Next: opt.ValOf(&link{
			Next: opt.ValOf(&link{}),
			List: opt.ValOf([]link{{Next: opt.ValOf(&link{})}}),
			Map:  opt.ValOf(map[string]link{"a": {}}),
		})},
	} {
		for _, e := range []sample.Engine{
			sample.EngineOf("json", json.Format),
			sample.EngineOf("json, V2", json.Format, json.V2()),
			sample.EngineOf("msgpack", msgpack.Format),
			sample.EngineOf("tagged", tagged.Format),
			sample.EngineVia("value", msgpack.Format, value.Marshal, value.Unmarshal),
		} {
			b, err := e.Marshal(v)
			got := reflect.New(reflect.TypeOf(v).Elem()).Interface()
			if err == nil {
				err = e.Unmarshal(b, got)
			}
			if err != nil || !reflect.DeepEqual(got, v) {
				t.Errorf("%s of %T: %v\n%q", e.Name, v, err, b)
			}
		}
	}
}

type endlessPointer *endlessPointer

// TestEndlessPointers checks that pointers which lead only to themselves are errors.
func TestEndlessPointers(t *testing.T) {
	var p endlessPointer
	p = &p
	var x any
	x = &x
	o, a := opt.NullOf(p), opt.NullOf(x)
	for name, f := range map[string]func() error{
		"Value":           func() error { _, err := o.Value(); return err },
		"Value of any":    func() error { _, err := a.Value(); return err },
		"Scan":            func() error { return new(opt.Val[endlessPointer]).Scan("a") },
		"MarshalText":     func() error { _, err := o.MarshalText(); return err },
		"UnmarshalText":   func() error { return new(opt.Field[endlessPointer]).UnmarshalText([]byte("a")) },
		"MarshalBinary":   func() error { _, err := o.MarshalBinary(); return err },
		"UnmarshalBinary": func() error { return new(opt.Null[endlessPointer]).UnmarshalBinary([]byte{2, 1}) },
	} {
		t.Run(name, func(t *testing.T) {
			if err := f(); err == nil || !strings.Contains(err.Error(), "leads to no value") {
				t.Error(err)
			}
		})
	}
}
