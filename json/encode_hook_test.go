package json

import (
	"errors"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/opt"
)

type encWeft struct {
	X  int
	In any
}

var encWeftFields = weft.NewFields("x<", "in")

func (p encWeft) MarshalWeft(e *weft.Encoder) error {
	if p.X < 0 {
		return errors.New("negative")
	}
	o := e.Object(encWeftFields)
	o.Int(0, p.X)
	o.Value(1, p.In)
	return o.End()
}

// TestEncodeWeft covers the methods of the root package, and the way back from them.
func TestEncodeWeft(t *testing.T) {
	v := map[string]any{"v": encWeft{1, []encWeft{{2, map[string]any{"b": "<", "a": nil}}}}, "p": &encWeft{X: 3}, "n": (*encWeft)(nil)}
	got, err := Marshal(v)
	want := `{"n":null,"p":{"x\u003c":3,"in":null},"v":{"x\u003c":1,"in":[{"x\u003c":2,"in":{"a":null,"b":"\u003c"}}]}}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	got, err = MarshalAppend(nil, encWeft{X: 1}, EscapeForHTML(false))
	if want := `{"x<":1,"in":null}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if got, err = Marshal([]encWeft{{X: 1}, {X: -1}}); err == nil || !strings.Contains(err.Error(), "negative") || got != nil {
		t.Errorf("got %s, %v", got, err)
	}
	if _, err = Marshal(encWeft{1, func() {}}); err == nil || !strings.Contains(err.Error(), "unsupported type: func()") {
		t.Errorf("got %v", err)
	}
}

// TestEncodeOptional covers optional and nullable values as members and elsewhere.
func TestEncodeOptional(t *testing.T) {
	type s struct {
		N opt.Null[int]        `json:"n"`
		V opt.Val[string]      `json:"v"`
		F opt.Field[bool]      `json:"f"`
		O opt.Null[int]        `json:"o,omitempty"`
		S []opt.Val[int]       `json:"s,omitempty"`
		D opt.Val[opt.Null[T]] `json:"d"`
	}
	tests := []struct {
		v    any
		want string
	}{
		{s{}, `{"n":null}`},
		{&s{N: opt.NullOf(0), V: opt.ValOf("<"), F: opt.FieldOf(false), O: opt.NullOf(0)}, `{"n":0,"v":"\u003c","f":false,"o":0}`},
		{s{F: opt.FieldNull[bool](), S: []opt.Val[int]{opt.ValOf(1), {}}}, `{"n":null,"f":null,"s":[1,null]}`},
		{s{D: opt.ValOf(opt.Null[T]{})}, `{"n":null,"d":null}`},
		{s{D: opt.ValOf(opt.NullOf(T{1}))}, `{"n":null,"d":{"A":1}}`},
		{opt.ValOf(1), `1`},
		{opt.Val[int]{}, `null`},
		{map[string]opt.Field[int]{"a": opt.FieldOf(1), "b": {}}, `{"a":1,"b":null}`},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			if got, err := Marshal(tt.v); err != nil || string(got) != tt.want {
				t.Errorf("%+v: got %s, %v, want %s", tt.v, got, err, tt.want)
			}
		})
	}
}

// T is a value of options.
type T struct{ A int }

// TestEncodeRest covers fields that hold the members which no field names.
func TestEncodeRest(t *testing.T) {
	type m struct {
		A    int            `weft:"a"`
		Rest map[string]any `weft:",unknown"`
	}
	type raw struct {
		A    int        `weft:"a,omitempty"`
		Rest RawMessage `weft:",unknown"`
	}
	tests := []struct {
		v    any
		want string
	}{
		{m{A: 1}, `{"a":1}`},
		{m{1, map[string]any{}}, `{"a":1}`},
		{&m{1, map[string]any{"z": 2, "b": "<"}}, `{"a":1,"b":"\u003c","z":2}`},
		{raw{}, `{}`},
		{raw{1, RawMessage(` { } `)}, `{"a":1}`},
		{raw{0, RawMessage(` { "x" : [1] } `)}, `{"x":[1]}`},
		{raw{1, RawMessage(`{"x":2}`)}, `{"a":1,"x":2}`},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			if got, err := Marshal(tt.v); err != nil || string(got) != tt.want {
				t.Errorf("%+v: got %s, %v, want %s", tt.v, got, err, tt.want)
			}
		})
	}
	for _, bad := range []string{`[1]`, `[]`, `1`, `{`, `"xyz"`, `""`} {
		if got, err := Marshal(raw{1, RawMessage(bad)}); err == nil {
			t.Errorf("%s: got %s", bad, got)
		}
	}
	type texts struct {
		A    int               `weft:"a"`
		Rest map[string]string `weft:",unknown"`
	}
	type ints struct {
		A    *int           `weft:"a"`
		Rest map[string]int `weft:",unknown"`
	}
	for _, twice := range []any{
		m{1, map[string]any{"b": 1, "a": 2}}, &texts{1, map[string]string{"a": "x"}},
		ints{new(int), map[string]int{"a": 1}}, raw{1, RawMessage(`{"b":[{"c":"}"}],"\u0061":2}`)},
	} {
		if got, err := Marshal(twice); !errors.Is(err, weft.ErrDuplicateName) {
			t.Errorf("%+v: got %s, %v", twice, got, err)
		}
	}
	if got, err := Marshal(raw{0, RawMessage(`{"a":2}`)}); err != nil || string(got) != `{"a":2}` {
		t.Errorf("beside a field that is left out: got %s, %v", got, err)
	}
}
