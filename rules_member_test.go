package weft_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/value"
)

// account has members that only requests, and that only responses must have.
type account struct {
	Name   string          `json:"name" check:"required"`
	ID     opt.Val[int]    `json:"id,omitzero" check:"required,readOnly"`
	Secret opt.Val[string] `json:"secret,omitzero" check:"required,writeOnly,minLength=2"`
	Note   string          `json:"note,omitzero" check:"readOnly"`
}

// What is readOnly is required in responses alone, what is writeOnly in requests.
func TestDirections(t *testing.T) {
	request, response := weft.AsRequest(true), weft.AsResponse(true)
	for _, f := range strictFormats {
		for _, r := range []struct {
			in, err string
			opt     weft.Options
		}{
			{`{"name":"a"}`, "", weft.Options{}},
			{`{}`, `missing required member "name"`, weft.Options{}},
			{`{}`, `missing required members "name", "secret"`, request},
			{`{}`, `missing required members "name", "id"`, response},
			{`{"name":"a"}`, `missing required member "secret"`, request},
			{`{"name":"a","secret":"bc"}`, "", request},
			{`{"name":"a","secret":"bc"}`, `missing required member "id"`, response},
			{`{"name":"a","id":1}`, "", response},
			{`{"name":"a","id":1}`, `missing required member "secret"`, request},
			{`{"name":"a","id":1}`, `missing required member "secret"`, weft.Join(request, response)},
			{`{"name":"a","secret":"b","id":1}`, "must have at least 2 characters, not 1", response},
			{`{"name":"a","id":1}`, "", weft.Options{}},
		} {
			t.Run(r.in, func(t *testing.T) {
				var in value.Value
				if err := json.Unmarshal([]byte(r.in), &in); err != nil {
					t.Fatal(err)
				}
				b, err := f.MarshalAppend(nil, in)
				if err != nil {
					t.Fatal(err)
				}
				for range 3 { // package value has a way of its own for what it has seen
					err = f.Unmarshal(b, new(account), r.opt)
					if (err == nil) != (r.err == "") || err != nil && !strings.HasSuffix(err.Error(), r.err) {
						t.Errorf("%s: %s: %v, want %s", f.Name(), r.in, err, r.err)
					}
				}
			})
		}
	}
	if err := schema.Validate(&account{Name: "a"}); err != nil {
		t.Errorf("Validate: %v", err)
	}
}

// filled has defaults of each kind, and closed refuses what it does not know.
type filled struct {
	N    int                       `json:"n,omitzero"`
	S    opt.Val[string]           `json:"s,omitzero"`
	F    opt.Field[float64]        `json:"f,omitzero"`
	L    []string                  `json:"l,omitzero" check:"nullable"`
	M    map[string][]int          `json:"m,omitzero"`
	P    *plainPart                `json:"p,omitzero"`
	A    any                       `json:"a,omitzero"`
	None opt.Val[map[string]*bool] `json:"none,omitzero"`
}

func (filled) WeftRules() weft.Rules {
	return weft.Rules{Strict: true, Default: filled{
		N: 7, S: opt.ValOf("x"), F: opt.FieldOf(0.5), L: []string{"a"}, M: map[string][]int{"b": {1}}, P: &plainPart{S: "c"}, A: "d",
	}}
}

type closed struct {
	V    int      `json:"v"`
	More []closed `json:"more,omitzero"`
}

func (closed) WeftRules() weft.Rules { return weft.Rules{Closed: true} }

// closedRest has a field for the members that it does not know.
type closedRest struct {
	V    int            `json:"v"`
	Rest map[string]any `weft:",unknown"`
}

// picked takes the members that it does not know by their names, and pickedClosed refuses the others, as pickedParts do.
type (
	picked struct {
		V    int            `json:"v"`
		Rest map[string]any `weft:",unknown" check:"keys.pattern=^x-|^y$"`
	}
	pickedClosed struct {
		V    int            `json:"v"`
		Rest map[string]any `weft:",unknown" check:"keys.pattern=^x-"`
	}
	pickedParts struct {
		Named *partNamed
		Rest  map[string]any `weft:",unknown" check:"keys.pattern=^x-"`
	}
)

func (pickedParts) WeftRules() weft.Rules {
	choice := partSchemas.Choice("one", "pickedParts", "partNamed")
	return weft.Rules{Strict: true, Closed: true, Parts: weft.PartsOf[pickedParts](choice)}
}

func (pickedClosed) WeftRules() weft.Rules { return weft.Rules{Closed: true} }

func (closedRest) WeftRules() weft.Rules { return weft.Rules{Closed: true} }

// closedTwo is another such type, and closedOne one of the two.
type (
	closedTwo struct {
		W int `json:"w"`
	}
	closedOne struct{ V closedFace }

	closedFace interface{ isClosed() }
)

func (*closed) isClosed()    {}
func (*closedTwo) isClosed() {}

func (closedTwo) WeftRules() weft.Rules { return weft.Rules{Closed: true} }
func (closedOne) WeftRules() weft.Rules {
	return weft.Rules{Union: &weft.Variants{OneOf: true, Cases: []weft.UnionCase{weft.Variant[*closed](), weft.Variant[*closedTwo]()}}}
}

// Members that are absent become their defaults, which are copied; unknown members are refused by types that are closed.
func TestDefaultAndClosed(t *testing.T) {
	const full = `{"n":7,"s":"x","f":0.5,"l":["a"],"m":{"b":[1]},"p":{"s":"c"},"a":"d"}`
	for _, f := range strictFormats {
		for _, r := range []struct {
			v             any
			in, want, err string
			opts          []weft.Options
		}{
			{new(filled), `{}`, full, "", nil},
			{new(filled), `{"none":{}}`, full[:len(full)-1] + `,"none":{}}`, "", nil},
			{new(filled), `{"n":0,"s":"","f":null,"l":null,"m":{},"p":{"s":""},"a":1}`, `{"s":"","f":null,"m":{},"p":{"s":""},"a":1}`, "", nil},
			{new(filled), `{"l":[],"p":{"s":"y"},"n":1}`, `{"n":1,"s":"x","f":0.5,"l":[],"m":{"b":[1]},"p":{"s":"y"},"a":"d"}`, "", nil},
			{&filled{N: 3, L: []string{}}, `{"s":"z"}`, `{"n":3,"s":"z","f":0.5,"l":[],"m":{"b":[1]},"p":{"s":"c"},"a":"d"}`, "", nil},
			{new([]filled), `[{},{"n":1}]`, `[` + full + `,` + strings.Replace(full, "7", "1", 1) + `]`, "", nil},
			{new(closed), `{"v":1,"more":[{"v":2}]}`, `{"v":1,"more":[{"v":2}]}`, "", nil},
			{new(closed), `{"v":1,"w":2}`, "", "/w: unknown member", nil},
			{new(closed), `{"v":1,"more":[{"v":2},{"v":3,"x":null}]}`, "", "/more/1/x: unknown member", nil},
			{new(closed), `{"v":1,"w":2}`, "", "/w: unknown member", []weft.Options{weft.RejectUnknown(true)}},
			{new(closed), `{"v":1,"w":2}`, `{"v":1}`, "", []weft.Options{weft.RejectUnknown(false)}},
			{new([]closed), `[{"v":1},{"v":1,"w":2},{"v":3}]`, "", "/1/w: unknown member", nil},
			{new(picked), `{"v":1,"x-a":"b","z":2,"y":"c","yy":3}`, `{"v":1,"x-a":"b","y":"c"}`, "", nil},
			{new([]picked), `[{"v":1,"x-a":"b","z":2},{"z":1,"v":2,"x-a":"c"}]`, `[{"v":1,"x-a":"b"},{"v":2,"x-a":"c"}]`, "", nil},
			{new(pickedClosed), `{"v":1,"x-a":"b"}`, `{"v":1,"x-a":"b"}`, "", nil},
			{new(pickedClosed), `{"v":1,"x-a":"b","z":2}`, "", "/z: unknown member", nil},
			{new(pickedClosed), `{"z":2,"x-a":"b"}`, `{"v":0,"x-a":"b"}`, "", []weft.Options{weft.RejectUnknown(false)}},
			{new(picked), `{"v":1,"x-a":"b"}`, `{"v":1,"x-a":"b"}`, "", []weft.Options{weft.RejectUnknown(true)}},
			{new(pickedParts), `{"name":"Rex","x-a":"b"}`, `{"name":"Rex","x-a":"b"}`, "", nil},
			{new(pickedParts), `{"name":"Rex","z":2}`, `{"name":"Rex"}`, "", []weft.Options{weft.RejectUnknown(false)}},
			{new(closedOne), `{"w":2}`, `{"w":2}`, "", nil},
			{new(closedOne), `{"v":2,"w":1}`, "", ": must be a variant of closedOne: closed, closedTwo", nil},
			{new(struct{ T json.Text[closed] }), `{"T":"{\"v\":1,\"w\":2}"}`, "", "/T: in its text, at /w, offset 11: unknown member", nil},
			{new(closedRest), `{"v":1,"w":"x"}`, `{"v":1,"w":"x"}`, "", nil},
		} {
			t.Run(r.in, func(t *testing.T) {
				var in, want, got value.Value
				if err := json.Unmarshal([]byte(r.in), &in); err != nil {
					t.Fatal(err)
				}
				b, err := f.MarshalAppend(nil, in)
				if err != nil {
					t.Fatal(err)
				}
				v := reflect.New(reflect.TypeOf(r.v).Elem())
				v.Elem().Set(reflect.ValueOf(r.v).Elem())
				err = f.Unmarshal(b, v.Interface(), r.opts...)
				if r.err != "" {
					at, ok := errors.AsType[*weft.Error](err)
					if !ok || at.Path+": "+at.Err.Error() != r.err || f.Name() != "value" && at.Offset < 0 {
						t.Errorf("%s: %s: %v, want %s", f.Name(), r.in, err, r.err)
					}
					return
				}
				if err == nil {
					got, err = value.Marshal(v.Interface())
				}
				if wrong := json.Unmarshal([]byte(r.want), &want); err != nil || wrong != nil || !got.Equal(want) {
					t.Errorf("%s: %s: %v, %v, want %s", f.Name(), r.in, got, err, r.want)
				}
				if v, ok := v.Interface().(*filled); ok { // the default must not change with what was read
					if clear(v.M); v.P != nil && len(v.L) > 0 {
						v.P.S, v.L[0] = "changed", "changed"
					}
				}
			})
		}
	}
}

// What a struct does not take by its name, it does not take from an array, and Validate finds it.
func TestPicks(t *testing.T) {
	v := picked{1, map[string]any{"x-a": "b", "z": "c"}}
	for _, f := range strictFormats {
		b, err := f.MarshalAppend(nil, v, weft.StructAsArray(true))
		if err != nil {
			t.Fatal(err)
		}
		var got picked
		if err := f.Unmarshal(b, &got); err != nil || len(got.Rest) != 1 || got.Rest["x-a"] != "b" {
			t.Errorf("%s: %v, %v", f.Name(), got, err)
		}
		var shut pickedClosed
		err = f.Unmarshal(b, &shut)
		if at, ok := errors.AsType[*weft.Error](err); !ok || !errors.Is(err, weft.ErrUnknownMember) || !strings.HasSuffix(at.Path, "/z") {
			t.Errorf("%s: %v, want /z: unknown member", f.Name(), err)
		}
		if err := f.Unmarshal(b, &shut, weft.RejectUnknown(false)); err != nil || len(shut.Rest) != 1 {
			t.Errorf("%s: %v, %v", f.Name(), shut, err)
		}
	}
	if err := schema.Validate(v); err == nil || !strings.Contains(err.Error(), "/z: must match ^x-|^y$") {
		t.Errorf("Validate: %v", err)
	}
}

// What an array has beyond the fields of a struct is unknown members of it.
func TestLongArrays(t *testing.T) {
	type long struct{ V, W int }
	for _, f := range []weft.Format{msgpack.Format, cbor.Format} {
		b, err := f.MarshalAppend(nil, long{1, 2}, weft.StructAsArray(true))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []struct {
			name string
			v    any
			opt  weft.Options
			err  string
		}{
			{"open", new(closedBut), weft.Options{}, ""},
			{"open, strangers refused", new(closedBut), weft.RejectUnknown(true), "/1: unknown member"},
			{"closed", new(closedOnly), weft.Options{}, "/1: unknown member"},
			{"closed, strangers allowed", new(closedOnly), weft.RejectUnknown(false), ""},
		} {
			t.Run(f.Name()+"/"+r.name, func(t *testing.T) {
				err := f.Unmarshal(b, r.v, r.opt)
				at, _ := errors.AsType[*weft.Error](err)
				if (err == nil) != (r.err == "") || err != nil && (at == nil || at.Path+": "+at.Err.Error() != r.err) {
					t.Errorf("%v, want %s", err, r.err)
				}
			})
		}
	}
}

type (
	closedBut  struct{ V int }
	closedOnly struct{ V int }
)

func (closedOnly) WeftRules() weft.Rules { return weft.Rules{Closed: true} }
