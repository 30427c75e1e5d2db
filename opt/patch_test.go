package opt_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft/opt"
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
		if _, err := opt.Diff(from, bad); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := opt.Diff(map[string]int{"k": 1}, map[string]int{}); err == nil || !strings.Contains(err.Error(), "/k") {
		t.Error(err)
	}
}
