package weft_test

import (
	stdjson "encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

type (
	// plainHolder holds a V in each way, apart from a member that may be left out for other reasons than its state.
	plainHolder[V any] struct {
		V V `json:"v"`
	}
	strictHolder[V any] struct {
		V V `json:"v"`
	}
)

func (*strictHolder[V]) WeftRules() weft.Rules { return weft.Rules{Strict: true} }

// heldFormats are the formats, and their layouts of structs.
var heldFormats = []struct {
	name string
	f    weft.Format
	opts []weft.Options
}{
	{"json", json.Format, nil},
	{"json V2", json.Format, []weft.Options{json.V2(), json.FormatNilSliceAsNull(true), json.FormatNilMapAsNull(true)}},
	{"msgpack", msgpack.Format, nil},
	{"msgpack arrays", msgpack.Format, []weft.Options{weft.StructAsArray(true)}},
	{"cbor", cbor.Format, nil},
	{"cbor arrays", cbor.Format, []weft.Options{weft.StructAsArray(true)}},
	{"tagged", tagged.Format, nil},
	{"framed", tagged.Framed, nil},
}

// heldRow returns a row for the option v: the JSON of a struct that has it as its member v, of a strict one, and of one that
// is strict and has a list of it. An empty text stands for an error.
func heldRow[V any](name string, v V, plain, strict, list string) nullRow {
	return nullRow{name, func(t *testing.T) {
		inAll(t, plain, &plainHolder[V]{v})
		inAll(t, strict, &strictHolder[V]{v})
		inAll(t, list, &strictHolder[[]V]{[]V{v}})
		object, pointer := "", ""
		if list != "" {
			value := list[len(`{"v":[`) : len(list)-len(`]}`)]
			object, pointer = `{"v":{"k":`+value+`}}`, `{"v":`+value+`}`
		}
		inAll(t, object, &strictHolder[map[string]V]{map[string]V{"k": v}})
		inAll(t, pointer, &strictHolder[*V]{&v})
		inAll(t, list, &strictHolder[[1]V]{[1]V{v}})
	}}
}

type nullRow struct {
	name string
	run  func(t *testing.T)
}

// TestRefusedOptions: an option keeps its state, and its number, if what comes does not fit.
func TestRefusedOptions(t *testing.T) {
	type in struct{ X int8 }
	type options struct {
		A opt.Field[int8]   `json:"a"`
		B opt.Field[string] `json:"b"`
		C opt.Null[[]int]   `json:"c"`
		D opt.Val[in]       `json:"d"`
	}
	for _, member := range []string{`"a":"x"`, `"a":1000`, `"b":5`, `"c":"x"`, `"c":["x"]`, `"d":{"X":1000}`} {
		for _, f := range heldFormats {
			b, err := weft.Transcode(nil, f.f, []byte("{"+member+"}"), json.Format)
			if err != nil {
				t.Fatal(err)
			}
			for _, was := range []options{{}, {opt.FieldOf[int8](7), opt.FieldNull[string](), opt.NullOf([]int{1}), opt.ValOf(in{3})}} {
				is := was
				if err := f.f.Unmarshal(b, &is); err == nil || is.A != was.A || is.B != was.B || !is.C.Equal(was.C) || is.D != was.D {
					t.Errorf("%s in %s: %+v became %+v, %v", member, f.name, was, is, err)
				}
			}
		}
	}
}

// TestNoRest: that there are no members without a field is nothing unknown, in arrays too.
func TestNoRest(t *testing.T) {
	type some struct {
		A    int            `json:"a"`
		More map[string]any `weft:",inline"`
	}
	for _, f := range heldFormats {
		got := some{}
		b, err := f.f.MarshalAppend(nil, some{A: 1}, f.opts...)
		if err == nil {
			err = f.f.Unmarshal(b, &got, append(f.opts[:len(f.opts):len(f.opts)], weft.RejectUnknown(true))...)
		}
		if err != nil || got.A != 1 || got.More != nil {
			t.Errorf("%s: %q is %v, %v", f.name, b, got, err)
		}
	}
}

// inAll checks that every format writes *T as what is want in JSON, and reads it as what is written so again, or that each
// refuses it where want is empty, and that the schema says the same.
func inAll[T any](t *testing.T, want string, v *T) {
	t.Helper()
	if err := schema.Validate(v); (err == nil) != (want != "") {
		t.Errorf("%T: Validate: %v", v, err)
	}
	x, err := value.Marshal(v)
	again := new(T)
	if err == nil {
		if err := value.Unmarshal(x, again); err != nil {
			t.Errorf("%T as a value: %v", v, err)
		}
	}
	if y, _ := value.Marshal(again); (err == nil) != (want != "") || err == nil && (x.String() != want || y.String() != want) {
		t.Errorf("%T as a value: %v, %v, again %v; want %s", v, x, err, y, want)
	}
	for _, f := range heldFormats {
		b, err := f.f.MarshalAppend(nil, v, f.opts...)
		if (err == nil) != (want != "") {
			t.Errorf("%T in %s: %q, %v; want %s", v, f.name, b, err, want)
		}
		if err != nil {
			continue
		}
		again := new(T)
		if err := f.f.Unmarshal(b, again, f.opts...); err != nil {
			t.Errorf("%T from %q in %s: %v", v, b, f.name, err)
		}
		if strings.HasSuffix(f.name, "arrays") { // where what is absent is null
			if c, err := f.f.MarshalAppend(nil, again, f.opts...); string(c) != string(b) {
				t.Errorf("%T in %s: %q, again %q, %v", v, f.name, b, c, err)
			}
			continue
		}
		if x, err := value.Marshal(again); err != nil || x.String() != want {
			t.Errorf("%T through %s: %v, %v; want %s", v, f.name, x, err, want)
		}
		if err := f.f.Unmarshal(b, &x); err != nil || x.String() != want {
			t.Errorf("%T in %s: %v, %v; want %s", v, f.name, x, err, want)
		}
	}
}

// A nil in an option is the null of an option that has one. In one that has none it is null where the type is not strict,
// and an error where it is, as is an option without a value that is no member.
var nullRows = []nullRow{
	heldRow("Null of a nil pointer", opt.NullOf[*int](nil), `{"v":null}`, `{"v":null}`, `{"v":[null]}`),
	heldRow("Field of a nil pointer", opt.FieldOf[*int](nil), `{"v":null}`, `{"v":null}`, `{"v":[null]}`),
	heldRow("Val of a nil pointer", opt.ValOf[*int](nil), `{"v":null}`, "", ""),
	heldRow("Null of a nil interface", opt.NullOf[fmt.Stringer](nil), `{"v":null}`, `{"v":null}`, `{"v":[null]}`),
	heldRow("Field of a nil interface", opt.FieldOf[fmt.Stringer](nil), `{"v":null}`, `{"v":null}`, `{"v":[null]}`),
	heldRow("Val of a nil interface", opt.ValOf[fmt.Stringer](nil), `{"v":null}`, "", ""),
	heldRow("Null of a nil any", opt.NullOf[any](nil), `{"v":null}`, `{"v":null}`, `{"v":[null]}`),
	heldRow("Field of a nil any", opt.FieldOf[any](nil), `{"v":null}`, `{"v":null}`, `{"v":[null]}`),
	heldRow("Val of a nil any", opt.ValOf[any](nil), `{"v":null}`, `{"v":null}`, `{"v":[null]}`),
	heldRow("Null of a nil slice", opt.NullOf[[]int](nil), `{"v":null}`, `{"v":[]}`, `{"v":[[]]}`),
	heldRow("Field of a nil slice", opt.FieldOf[[]string](nil), `{"v":null}`, `{"v":[]}`, `{"v":[[]]}`),
	heldRow("Val of a nil slice", opt.ValOf[[]int](nil), `{"v":null}`, `{"v":[]}`, `{"v":[[]]}`),
	heldRow("Null of a nil map", opt.NullOf[map[string]int](nil), `{"v":null}`, `{"v":{}}`, `{"v":[{}]}`),
	heldRow("Field of a nil map", opt.FieldOf[map[string]string](nil), `{"v":null}`, `{"v":{}}`, `{"v":[{}]}`),
	heldRow("Val of a nil map", opt.ValOf[map[string]int](nil), `{"v":null}`, `{"v":{}}`, `{"v":[{}]}`),
	heldRow("Null of a pointer to nil", opt.NullOf(new(*int)), `{"v":null}`, "", ""),
	heldRow("Val of a null", opt.ValOf(opt.Null[int]{}), `{"v":null}`, `{"v":null}`, `{"v":[null]}`),
	heldRow("Val of a null of a Field", opt.ValOf(opt.FieldNull[int]()), `{"v":null}`, `{"v":null}`, `{"v":[null]}`),
	heldRow("Null", opt.Null[*int]{}, `{"v":null}`, `{"v":null}`, `{"v":[null]}`),
	heldRow("Field that is null", opt.FieldNull[*int](), `{"v":null}`, `{"v":null}`, `{"v":[null]}`),
	heldRow("Field that is absent", opt.Field[*int]{}, `{}`, `{}`, `{"v":[null]}`),
	heldRow("Field of an unknown state", opt.Field[*int]{State: 7}, `{}`, `{}`, `{"v":[null]}`),
	heldRow("Val that is absent", opt.Val[*int]{}, `{}`, `{}`, ""),
	heldRow("Val of a number that is absent", opt.Val[int]{}, `{}`, `{}`, ""),
	heldRow("Null of a pointer", opt.NullOf(new(int)), `{"v":0}`, `{"v":0}`, `{"v":[0]}`),
	heldRow("Field of a pointer", opt.FieldOf(new(int)), `{"v":0}`, `{"v":0}`, `{"v":[0]}`),
	heldRow("Val of a pointer", opt.ValOf(new(int)), `{"v":0}`, `{"v":0}`, `{"v":[0]}`),
	heldRow("Field of a slice", opt.FieldOf([]int{1}), `{"v":[1]}`, `{"v":[1]}`, `{"v":[[1]]}`),
	heldRow("Val of a map", opt.ValOf(map[string]int{"a": 1}), `{"v":{"a":1}}`, `{"v":{"a":1}}`, `{"v":[{"a":1}]}`),
	heldRow("Null of an any", opt.NullOf[any]("x"), `{"v":"x"}`, `{"v":"x"}`, `{"v":["x"]}`),
}

// checkedHolder has options with rules, which say nothing of an option that has no value.
type checkedHolder struct {
	A opt.Val[int]      `json:"a" check:"minimum=1"`
	C opt.Null[string]  `json:"c" check:"minLength=1"`
	B opt.Field[string] `json:"b" check:"minLength=1"`
	E opt.Field[*int]   `json:"e" check:"minimum=1"`
	D opt.Val[[]int]    `json:"d" check:"minItems=1"`
}

type strictChecked checkedHolder

func (*strictChecked) WeftRules() weft.Rules { return weft.Rules{Strict: true} }

// TestNullOptions checks options that hold nil, or have no value, in every format.
func TestNullOptions(t *testing.T) {
	for _, r := range nullRows {
		t.Run(r.name, r.run)
	}
	t.Run("rules", func(t *testing.T) {
		none := checkedHolder{}
		inAll(t, `{"c":null}`, &none)
		inAll(t, `{"c":null}`, (*strictChecked)(&none))
		null := checkedHolder{B: opt.FieldNull[string](), E: opt.FieldOf[*int](nil)}
		inAll(t, `{"c":null,"b":null,"e":null}`, &null)
		inAll(t, `{"c":null,"b":null,"e":null}`, (*strictChecked)(&null))
	})
}

// TestOptionMethods checks that the methods of the pointer to what an option has are called wherever the option is, as
// those of the option do.
func TestOptionMethods(t *testing.T) {
	n := *big.NewInt(5)
	type holder struct {
		V opt.Null[big.Int] `json:"v"`
	}
	for _, r := range []struct {
		name string
		v    any
	}{
		{"alone", opt.NullOf(n)},
		{"in an array", [1]opt.Val[big.Int]{opt.ValOf(n)}},
		{"in a map", map[string]opt.Field[big.Int]{"k": opt.FieldOf(n)}},
		{"in a struct", holder{opt.NullOf(n)}},
		{"in a struct in a map", map[string]holder{"k": {opt.NullOf(n)}}},
		{"in an option", opt.NullOf(opt.ValOf(n))},
		{"structs", opt.NullOf(struct{ B big.Int }{n})},
	} {
		t.Run(r.name, func(t *testing.T) {
			want, err := stdjson.Marshal(r.v)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := json.Marshal(r.v); string(got) != string(want) || err != nil {
				t.Errorf("json: %s, %v; want %s", got, err, want)
			}
			x, err := value.Marshal(r.v)
			got := reflect.New(reflect.TypeOf(r.v))
			if err == nil {
				err = value.Unmarshal(x, got.Interface())
			}
			if text, _ := json.Marshal(got.Interface()); string(text) != string(want) || err != nil {
				t.Errorf("value: %v is read as %s, %v; want %s", x, text, err, want)
			}
			for _, f := range heldFormats {
				b, err := f.f.MarshalAppend(nil, r.v, f.opts...)
				got := reflect.New(reflect.TypeOf(r.v))
				if err == nil {
					err = f.f.Unmarshal(b, got.Interface(), f.opts...)
				}
				if text, _ := json.Marshal(got.Interface()); string(text) != string(want) || err != nil {
					t.Errorf("%s: %q is read as %s, %v; want %s", f.name, b, text, err, want)
				}
			}
		})
	}
}
