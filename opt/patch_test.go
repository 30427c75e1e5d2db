package opt_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/opt/slim"
)

// mergeVectors are the examples of RFC 7396, appendix A, row by row: original,
// patch, result.
var mergeVectors = [][3]string{
	{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
	{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
	{`{"a":"b"}`, `{"a":null}`, `{}`},
	{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
	{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
	{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
	{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
	{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
	{`["a","b"]`, `["c","d"]`, `["c","d"]`},
	{`{"a":"b"}`, `["c"]`, `["c"]`},
	{`{"a":"foo"}`, `null`, `null`},
	{`{"a":"foo"}`, `"bar"`, `"bar"`},
	{`{"e":null}`, `{"a":1}`, `{"a":1,"e":null}`},
	{`[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`},
	{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
}

// anyDocument has the members of the vectors.
type anyDocument struct {
	A opt.Field[any] `json:"a,omitzero"`
	B opt.Field[any] `json:"b,omitzero"`
	C opt.Field[any] `json:"c,omitzero"`
	E opt.Field[any] `json:"e,omitzero"`
}

// mergeAs merges documents of type T.
func mergeAs[T any](t *testing.T, v [3]string) {
	t.Helper()
	var target, patch, want T
	for i, p := range []*T{&target, &patch, &want} {
		if err := json.Unmarshal([]byte(v[i]), p); err != nil {
			t.Fatal(err)
		}
	}
	before, _ := json.Marshal(target)
	got := opt.Merge(target, patch)
	if text, err := json.Marshal(got); err != nil || string(text) != v[2] {
		t.Errorf("%T: %s merged into %s is %s, %v; want %s", target, v[1], v[0], text, err, v[2])
	}
	if after, _ := json.Marshal(target); string(after) != string(before) {
		t.Errorf("%T: the target was %s and is now %s", target, before, after)
	}
	// The way back: the difference makes the result of the original.
	d, err := opt.Diff(target, want)
	if err != nil {
		t.Fatal(err)
	}
	if again := opt.Merge(target, d); !reflect.DeepEqual(again, want) {
		t.Errorf("%T: from %s to %s by %+v: %+v", target, v[0], v[2], d, again)
	}
}

func TestMergePatch(t *testing.T) {
	for _, v := range mergeVectors {
		mergeAs[any](t, v)
		if strings.HasPrefix(v[0], "{") && strings.HasPrefix(v[1], "{") {
			mergeAs[anyDocument](t, v)
			mergeAs[map[string]opt.Field[any]](t, v)
		}
	}
}

type address struct {
	Street opt.Field[string]
	Zip    opt.Field[int]
}

type person struct {
	ID    int
	Name  opt.Field[string]
	Home  opt.Field[address]
	Born  opt.Field[time.Time]
	Tags  opt.Field[[]string]
	More  opt.Field[map[string]opt.Field[int]]
	Boss  *address
	Score opt.Null[int]
	Nick  opt.Val[string]
}

func TestMergeTyped(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	from := person{ID: 1, Name: opt.FieldOf("ann"), Home: opt.FieldOf(address{opt.FieldOf("a"), opt.FieldOf(1)}), Born: opt.FieldOf(at),
		Tags: opt.FieldOf([]string{"x"}), More: opt.FieldOf(map[string]opt.Field[int]{"a": opt.FieldOf(1), "b": opt.FieldOf(2)}),
		Boss: &address{Zip: opt.FieldOf(7)}, Score: opt.NullOf(5), Nick: opt.ValOf("n")}
	to := person{ID: 1, Home: opt.FieldOf(address{Street: opt.FieldOf("b")}), Born: from.Born, Tags: opt.FieldOf([]string{}),
		More: opt.FieldOf(map[string]opt.Field[int]{"a": opt.FieldOf(3)}), Boss: &address{Street: opt.FieldOf("c")}, Nick: opt.ValOf("m")}
	patch, err := opt.Diff(from, to)
	want := person{ID: 1, Name: opt.FieldNull[string](), Home: opt.FieldOf(address{opt.FieldOf("b"), opt.FieldNull[int]()}), Tags: to.Tags,
		More: opt.FieldOf(map[string]opt.Field[int]{"a": opt.FieldOf(3), "b": opt.FieldNull[int]()}),
		Boss: &address{opt.FieldOf("c"), opt.FieldNull[int]()}, Nick: opt.ValOf("m")}
	if err != nil || !reflect.DeepEqual(patch, want) {
		t.Errorf("%+v, %v\nwant %+v", patch, err, want)
	}
	if got := opt.Merge(from, patch); !reflect.DeepEqual(got, to) {
		t.Errorf("%+v\nwant %+v", got, to)
	}
	for path, bad := range map[string]person{
		"/Home/Street": {Nick: from.Nick, Home: opt.FieldOf(address{Street: opt.FieldNull[string]()})},
		"/Nick":        {},
		"/More/z":      {Nick: from.Nick, More: opt.FieldOf(map[string]opt.Field[int]{"z": opt.FieldNull[int]()})},
	} {
		t.Run(path, func(t *testing.T) {
			if _, err := opt.Diff(from, bad); err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v", path, err)
			}
		})
	}
	if _, err := opt.Diff(map[string]int{"k": 1}, map[string]int{}); err == nil || !strings.Contains(err.Error(), "/k") {
		t.Error(err)
	}
}

// mixed has an optional member of each type, and of each kind of struct that
// marshals itself.
type mixed struct {
	F  opt.Field[string]  `json:"f,omitzero"`
	SF slim.Field[string] `json:"sf,omitzero"`
	V  opt.Val[int]       `json:"v,omitzero"`
	SV slim.Val[int]      `json:"sv,omitzero"`
	N  opt.Null[int]      `json:"n,omitzero"`
	SN slim.Null[int]     `json:"sn,omitzero"`
	O  slim.Field[own]    `json:"o,omitzero"`
	I  *inner             `json:"i,omitempty"`
	U  choice             `json:"u,omitzero"`
}

// choice is like a union that is generated.
type choice struct{ V variant }

type variant interface{ isVariant() }

func (*own) isVariant()   {}
func (*inner) isVariant() {}

func (c choice) MarshalJSON() ([]byte, error) { return json.Marshal(c.V) }

// Nothing of what a patch does not name is lost, whatever says that it is
// optional, and what goes is named.
func TestMergeKinds(t *testing.T) {
	all := mixed{opt.FieldOf("a"), slim.FieldOf("b"), opt.ValOf(1), slim.ValOf(2), opt.NullOf(3), slim.NullOf(4),
		slim.FieldOf(own{ID: 5, Note: slim.FieldOf("n"), Tags: []string{"t"}, By: map[string]string{"k": "v"}, More: map[string]any{"m": 1.0}}),
		&inner{A: opt.FieldOf(6)}, choice{&own{ID: 7, Note: slim.FieldOf("n")}}}
	with := func(change func(m *mixed)) mixed {
		m := all
		change(&m)
		return m
	}
	for _, tt := range []struct {
		name    string
		patch   string
		to      mixed
		noPatch string // the path of what Diff cannot say
	}{
		{"nothing", `{}`, all, ""},
		{"a null of each Field", `{"f":null,"sf":null,"o":null}`, with(func(m *mixed) {
			m.F, m.SF, m.O = opt.Field[string]{}, slim.Field[string]{}, slim.Field[own]{}
		}), ""},
		{"within", `{"o":{"id":8,"note":null}}`, with(func(m *mixed) { m.O.V.ID, m.O.V.Note = 8, slim.Field[string]{} }), ""},
		{"within a pointer", `{"i":{"a":null,"b":1}}`, with(func(m *mixed) { m.I = &inner{B: opt.NullOf(1)} }), ""},
		{"within a union", `{"u":{"id":7,"note":null}}`, with(func(m *mixed) { m.U = choice{&own{ID: 7}} }), ""},
		{"a member of no field", `{"o":{"id":5,"m":null}}`, with(func(m *mixed) { m.O.V.More = map[string]any{} }), ""},
		{"a Val goes", ``, with(func(m *mixed) { m.V = opt.Val[int]{} }), "/v"},
		{"a slim Val goes", ``, with(func(m *mixed) { m.SV = slim.Val[int]{} }), "/sv"},
		{"a Null that is left out goes", ``, with(func(m *mixed) { m.SN = slim.Null[int]{} }), "/sn"},
		{"a slice that is left out goes", ``, with(func(m *mixed) { m.O.V.Tags = nil }), "/o/tags"},
		{"an element without a null goes", ``, with(func(m *mixed) { m.O.V.By = map[string]string{"l": "w"} }), "/o/by/k"},
		{"a pointer that is left out goes", ``, with(func(m *mixed) { m.I = nil }), "/i"},
		{"a null comes", ``, with(func(m *mixed) { m.O.V.Note = slim.FieldNull[string]() }), "/o/note"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			patch, err := opt.Diff(all, tt.to)
			if tt.noPatch != "" {
				var at *weft.Error
				if !errors.As(err, &at) || at.Path != tt.noPatch {
					t.Errorf("%v; want an error at %s", err, tt.noPatch)
				}
				return
			}
			if text, failed := json.Marshal(patch); err != nil || failed != nil || string(text) != tt.patch {
				t.Errorf("the difference is %s, %v %v; want %s", text, err, failed, tt.patch)
			}
			if got := opt.Merge(all, patch); !reflect.DeepEqual(got, tt.to) {
				t.Errorf("%+v\nwant %+v", got, tt.to)
			}
			if got := all; opt.Apply(&got, patch) != nil || !reflect.DeepEqual(got, tt.to) {
				t.Errorf("applied: %+v\nwant %+v", got, tt.to)
			}
		})
	}
	if v := opt.Merge(choice{&own{ID: 1}}, choice{&inner{}}); !reflect.DeepEqual(v, choice{&inner{}}) {
		t.Errorf("another variant: %+v", v)
	}
}
