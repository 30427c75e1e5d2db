package opt_test

import (
	"reflect"
	"testing"

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
	null := &circleNull{List: opt.NullOf([]opt.Null[*ring2]{{}, opt.NullOf(&ring2{Next: opt.FieldOf(&ring2{})})}), Map: opt.NullOf(map[string]*circleNull{"a": {Next: opt.NullOf(&circleNull{})}})}
	second := &ring2{List: opt.FieldOf([]ring2{{Next: opt.FieldNull[*ring2]()}}), Map: opt.FieldOf(map[string]*ring2{"a": {}}), Other: opt.FieldOf(&circleField{First: opt.FieldOf(last)}), Null: opt.NullOf(null)}
	for _, v := range []any{
		&circleField{First: opt.FieldOf(&ring{Next: opt.FieldOf(last)}), More: opt.FieldOf(&ring2{Next: opt.FieldOf(second)})},
		null,
		&circleVal{Next: opt.ValOf(&link{Next: opt.ValOf(&link{}), List: opt.ValOf([]link{{Next: opt.ValOf(&link{})}}), Map: opt.ValOf(map[string]link{"a": {}})})},
	} {
		for _, f := range []struct {
			name      string
			marshal   func(any) ([]byte, error)
			unmarshal func([]byte, any) error
		}{
			{"json", json.Marshal, json.Unmarshal},
			{"json v2",
				func(v any) ([]byte, error) { return json.MarshalWith(v, json.V2()) },
				func(b []byte, v any) error { return json.UnmarshalWith(b, v, json.V2()) }},
			{"msgpack",
				func(v any) ([]byte, error) { return msgpack.Marshal(v) },
				func(b []byte, v any) error { return msgpack.Unmarshal(b, v) }},
			{"tagged",
				func(v any) ([]byte, error) { return tagged.Marshal(v) },
				func(b []byte, v any) error { return tagged.Unmarshal(b, v) }},
		} {
			b, err := f.marshal(v)
			got := reflect.New(reflect.TypeOf(v).Elem()).Interface()
			if err == nil {
				err = f.unmarshal(b, got)
			}
			if err != nil || !reflect.DeepEqual(got, v) {
				t.Errorf("%s of %T: %v\n%q", f.name, v, err, b)
			}
		}
		x, err := value.Marshal(v)
		got := reflect.New(reflect.TypeOf(v).Elem()).Interface()
		if err == nil {
			err = value.Unmarshal(x, got)
		}
		if err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("value of %T: %v\n%v", v, err, x)
		}
	}
}
