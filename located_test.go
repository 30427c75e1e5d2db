package weft_test

import (
	"encoding"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/weftcodec/weft"
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
