package weft_test

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// lawFormat is a format, or a syntax tree, as the laws below see it. A format
// joins by a line in lawFormats.
type lawFormat struct {
	name      string
	marshal   func(v any, opts ...weft.Options) (any, error)
	unmarshal func(doc, v any, opts ...weft.Options) error
	equal     func(a, b any) bool
	arrays    bool // has a layout of objects as arrays
}

var lawFormats = []lawFormat{
	lawBytes(json.Format, false),
	lawBytes(msgpack.Format, true),
	lawBytes(cbor.Format, true),
	lawBytes(tagged.Format, false),
	{
		name: "value",
		marshal: func(v any, opts ...weft.Options) (any, error) {
			return value.MarshalWith(v, opts...)
		},
		unmarshal: func(doc, v any, opts ...weft.Options) error {
			return value.UnmarshalWith(doc.(value.Value), v, opts...)
		},
		equal: func(a, b any) bool {
			x, y := a.(value.Value), b.(value.Value)
			return x.Equal(y) && x.String() == y.String() // the members in the same order too
		},
	},
	{
		name:      "any",
		marshal:   value.MarshalAny,
		unmarshal: value.UnmarshalAny,
		equal:     reflect.DeepEqual,
	},
}

// lawBytes is a format of bytes.
func lawBytes(f weft.Format, arrays bool) lawFormat {
	return lawFormat{
		name:   f.Name(),
		arrays: arrays,
		marshal: func(v any, opts ...weft.Options) (any, error) {
			return f.MarshalAppend(nil, v, opts...)
		},
		unmarshal: func(doc, v any, opts ...weft.Options) error {
			if err := f.UnmarshalRead(bytes.NewReader(doc.([]byte)), v, opts...); err != nil {
				return err
			}
			return f.Unmarshal(doc.([]byte), v, opts...)
		},
		equal: func(a, b any) bool { return bytes.Equal(a.([]byte), b.([]byte)) },
	}
}

// lawOptions are the settings under which the laws hold.
var lawOptions = []struct {
	name  string
	opts  []weft.Options
	lossy bool // what is empty or absent may be read as nil or null
	array bool
}{
	{name: "usual"},
	{name: "OmitNull", opts: []weft.Options{weft.OmitNull(true)}},
	{name: "OmitEmpty", opts: []weft.Options{weft.OmitEmpty(true)}, lossy: true},
	{name: "OmitBoth", opts: []weft.Options{weft.OmitNull(true), weft.OmitEmpty(true)}, lossy: true},
	{name: "RejectUnknown", opts: []weft.Options{weft.RejectUnknown(true)}},
	{name: "StructAsArray", opts: []weft.Options{weft.StructAsArray(true)}, lossy: true, array: true},
}

// TestLaw holds, for each type that there is with a plan and with a protocol, in
// each format and tree and under each option, that both write the same, and that
// each reads what either has written unchanged.
func TestLaw(t *testing.T) {
	for _, f := range lawFormats {
		for _, o := range lawOptions {
			if o.array && !f.arrays {
				continue
			}
			opts := append([]weft.Options{lawCodecs, weft.Deterministic(true)}, o.opts...)
			for _, c := range lawCases {
				t.Run(fmt.Sprintf("%s/%s/%s", f.name, o.name, c.name), func(t *testing.T) {
					byPlan, err := f.marshal(c.plan, opts...)
					if err != nil {
						t.Fatal("plan:", err)
					}
					byProtocol, err := f.marshal(c.protocol, opts...)
					if err != nil {
						t.Fatal("protocol:", err)
					}
					if !f.equal(byPlan, byProtocol) {
						t.Fatalf("the plan writes\n%s\nthe protocol\n%s", lawText(byPlan), lawText(byProtocol))
					}
					for _, want := range []any{c.plan, c.protocol} {
						got := reflect.New(reflect.TypeOf(want))
						if err := f.unmarshal(byPlan, got.Interface(), opts...); err != nil {
							t.Fatalf("%T from %s: %v", want, lawText(byPlan), err)
						}
						if reflect.DeepEqual(got.Elem().Interface(), want) {
							continue
						}
						if !o.lossy {
							t.Fatalf("%s\nis read as %+v\nwant       %+v", lawText(byPlan), got.Elem(), want)
						}
						again, err := f.marshal(got.Elem().Interface(), opts...)
						if err != nil || !f.equal(again, byPlan) {
							t.Fatalf("%s\nwritten again: %s, %v", lawText(byPlan), lawText(again), err)
						}
					}
				})
			}
		}
	}
}

func lawText(doc any) string {
	if b, ok := doc.([]byte); ok {
		return fmt.Sprintf("%q", b)
	}
	return fmt.Sprint(doc)
}

// TestLawFramed checks that records of the types go through the framed layout as
// they are. What a type writes itself is not in columns there: the bytes differ.
func TestLawFramed(t *testing.T) {
	for _, c := range lawCases {
		for _, v := range []any{c.plan, c.protocol} {
			list := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(v)), 0, 2)
			list = reflect.Append(list, reflect.ValueOf(v), reflect.ValueOf(v))
			b, err := tagged.MarshalFramed(list.Interface(), lawCodecs)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			got := reflect.New(list.Type())
			err = tagged.UnmarshalFramed(b, got.Interface(), lawCodecs)
			if err != nil || !reflect.DeepEqual(got.Elem().Interface(), list.Interface()) {
				t.Errorf("%s: %T: %+v, %v", c.name, v, got.Elem(), err)
			}
		}
	}
}
