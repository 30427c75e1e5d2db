package weft_test

import (
	"encoding"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/value"
)

var errRefused = errors.New("own error")

type (
	failingText  struct{}
	failingWeft  struct{}
	failingCodec struct{ X int }
	failingKey   string
)

func (*failingText) UnmarshalText([]byte) error { return errRefused }

func (*failingWeft) UnmarshalWeft(*weft.Decoder) error { return errRefused }

func (*failingKey) UnmarshalText([]byte) error { return errRefused }

var (
	_ encoding.TextUnmarshaler = (*failingText)(nil)
	_ weft.Unmarshaler         = (*failingWeft)(nil)
)

// TestErrorsTellThePlace: whatever is wrong, in every format the error has the path, and the offset in those of bytes.
func TestErrorsTellThePlace(t *testing.T) {
	adapted := weft.Codecs(weft.Adapt(func(c failingCodec) int { return c.X },
		func(int) (failingCodec, error) { return failingCodec{}, errRefused }))
	type in = map[string]any
	for _, row := range []struct {
		name   string
		in     any
		target any
		path   string
		is     error // by errors.Is, nil for any
		opts   []weft.Options
	}{
		{"kind", in{"a": []any{1, "x"}}, new(map[string][]int), "/a/1", nil, nil},
		{"range", in{"a": []any{1, 300}}, new(map[string][]int8), "/a/1", nil, nil},
		{"object", in{"a": []any{1, in{"b": 1}}}, new(map[string][]int8), "/a/1", nil, nil},
		{"time", in{"a": []any{"x"}}, new(map[string][]time.Time), "/a/0", nil, nil},
		{"base64", in{"a": 1}, new(map[string][]byte), "/a", nil, nil},
		{"integer key", in{"a": in{"x": 1}}, new(map[string]map[int]int), "/a/x", nil, nil},
		{"text key", in{"a": in{"x": 1}}, new(map[string]map[failingKey]int), "/a/x", errRefused, nil},
		{"UnmarshalText", in{"a": []any{"x"}}, new(map[string][]failingText), "/a/0", errRefused, nil},
		{"UnmarshalWeft", in{"a": []any{"x"}}, new(map[string][]failingWeft), "/a/0", errRefused, nil},
		{"codec", in{"a": []any{1}}, new(map[string][]failingCodec), "/a/0", errRefused, []weft.Options{adapted}},
		{"required", in{"a": []any{in{}}}, new(map[string][]struct {
			B int `weft:"b,required"`
		}), "/a/0", nil, nil},
		{"unknown", in{"a": []any{in{"b": 1}}}, new(map[string][]struct{ C int }), "/a/0/b", weft.ErrUnknownMember,
			[]weft.Options{weft.RejectUnknown(true)}},
	} {
		for _, f := range lawFormats {
			if f.name == "any" || f.name == "value" && row.name == "unknown" { // which leaves out what has no field
				continue
			}
			t.Run(row.name+"/"+f.name, func(t *testing.T) {
				doc, err := f.marshal(row.in)
				if err != nil {
					t.Fatal(err)
				}
				err = f.unmarshal(doc, reflect.New(reflect.TypeOf(row.target).Elem()).Interface(), row.opts...)
				var e *weft.Error
				if !errors.As(err, &e) || e.Path != row.path || e.Format != f.name || row.is != nil && !errors.Is(err, row.is) {
					t.Fatalf("%v, want %s: %+v", err, row.path, e)
				}
				if _, ok := doc.(value.Value); ok != (e.Offset < 0) {
					t.Errorf("%v: offset %d", err, e.Offset)
				}
			})
		}
	}
}

// nestings put a value into others, each with the path to it where structs are objects, and where they are arrays.
var nestings = []struct {
	name          string
	path, inArray string
	around        func(v reflect.Value) reflect.Value
}{
	{"alone", "", "", func(v reflect.Value) reflect.Value { return v }},
	{"element", "/0", "/0", listed},
	{"member", "/b", "/1", member},
	{"member of an element", "/0/b", "/0/1", func(v reflect.Value) reflect.Value { return listed(member(v)) }},
	{"element of a member", "/b/0", "/1/0", func(v reflect.Value) reflect.Value { return member(listed(v)) }},
	{"member of a member", "/b/b", "/1/1", func(v reflect.Value) reflect.Value { return member(member(v)) }},
	{"behind a pointer", "/b", "/1", func(v reflect.Value) reflect.Value { return member(v.Addr()) }},
	{"entry", "/k", "/k", func(v reflect.Value) reflect.Value {
		m := reflect.MakeMap(reflect.MapOf(reflect.TypeFor[string](), v.Type()))
		m.SetMapIndex(reflect.ValueOf("k"), v)
		return addressable(m)
	}},
}

// addressable returns a variable that has the value.
func addressable(v reflect.Value) reflect.Value {
	to := reflect.New(v.Type()).Elem()
	to.Set(v)
	return to
}

// listed returns a list whose only element is v.
func listed(v reflect.Value) reflect.Value {
	list := reflect.MakeSlice(reflect.SliceOf(v.Type()), 1, 1)
	list.Index(0).Set(v)
	return addressable(list)
}

// member returns a struct whose second member is v.
func member(v reflect.Value) reflect.Value {
	to := reflect.New(reflect.StructOf([]reflect.StructField{
		{Name: "A", Type: reflect.TypeFor[int](), Tag: `json:"a"`}, {Name: "B", Type: v.Type(), Tag: `json:"b"`},
	})).Elem()
	to.Field(1).Set(v)
	return to
}

// TestOnePlace: whatever breaks a rule, in every format and layout and wherever it stands, its error says once where that
// is.
func TestOnePlace(t *testing.T) {
	bad := map[string]any{}
	for _, r := range ruleRows {
		bad[r.name] = r.bad
	}
	for _, r := range wordRows {
		if v := fresh(r.v); json.UnmarshalWith([]byte(r.bad), v, r.opts, weft.Unchecked(true)) == nil {
			bad[r.word] = v
		}
	}
	for name, v := range bad {
		for _, n := range nestings {
			in := n.around(reflect.ValueOf(v).Elem())
			for _, f := range ruleFormats {
				for _, array := range []bool{false, true} {
					b, err := f.MarshalAppend(nil, in.Addr().Interface(), weft.StructAsArray(array))
					if err != nil {
						continue // some must not be written either
					}
					err = f.Unmarshal(b, reflect.New(in.Type()).Interface(), weft.StructAsArray(array))
					if err == nil {
						continue
					}
					at, ok := errors.AsType[*weft.Error](err)
					if !ok {
						t.Fatalf("%s %s, %s, arrays %t: %v", name, n.name, f.Name(), array, err)
					}
					_, two := errors.AsType[*weft.Error](at.Err)
					_, again := errors.AsType[weft.Violation](at.Err)
					if two || again || !strings.HasPrefix(at.Path, n.path) && !(array && strings.HasPrefix(at.Path, n.inArray)) {
						t.Errorf("%s %s, %s, arrays %t: %v, want one place below %s", name, n.name, f.Name(), array, err, n.path)
					}
				}
			}
		}
	}
}
