package weft_test

import (
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

// peek is a value that looks ahead at an object and then skips it.
type peek struct {
	fields *weft.Fields
	tag    string
	ok     bool
	names  uint64
}

func (p *peek) look(r backend.Reader) error {
	p.tag, p.ok = r.Lookahead().PeekTag(r, p.fields)
	p.names = plan.PeekNames(r, p.fields)
	r.Skip()
	return r.Err()
}

func (p *peek) UnmarshalWeft(d *weft.Decoder) error { return p.look(d.Reader()) }
func (p *peek) ReadMsgpack(r *msgpack.Reader) error { return p.look(r) }

func TestPeek(t *testing.T) {
	tests := []struct {
		text  string
		tag   string
		ok    bool
		names uint64
	}{
		{`{}`, "", false, 0},
		{`{"a":"x"}`, "x", true, 0b001},
		{`{"b":{"a":[1,{}]},"a":"zwölf\n","z":null}`, "zwölf\n", true, 0b011},
		{`{"c":1,"a":2}`, "2", true, 0b101},
		{`{"a":1.5}`, "", false, 0b001},
		{`{"a":[]}`, "", false, 0b001},
		{`{"c":1}`, "", false, 0b100},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var v any
			if err := json.Unmarshal([]byte(tt.text), &v); err != nil {
				t.Fatal(err)
			}
			if m := v.(map[string]any); m["a"] == 2.0 {
				m["a"] = 2 // which JSON does not tell from a float
			}
			packed, err := msgpack.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			fields := weft.NewFields("a", "b", "c")
			viaJSON, viaPack := peek{fields: fields}, peek{fields: fields}
			if err := json.UnmarshalWith([]byte(tt.text), &viaJSON); err != nil {
				t.Error(err)
			}
			if err := msgpack.Read(packed, &viaPack); err != nil {
				t.Error(err)
			}
			for _, p := range []peek{viaJSON, viaPack} {
				if p.tag != tt.tag || p.ok != tt.ok || p.names != tt.names {
					t.Errorf("%q %t %b", p.tag, p.ok, p.names)
				}
			}
		})
	}
}

// TestCheckTag: a discriminator is one of those that choose a variant.
func TestCheckTag(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{plan.CheckTag("a", "A", "a", "b"), ""},
		{plan.CheckTag("b", "A", "a", "b"), ""},
		{plan.CheckTag("c", "A", "a", "b"), `must be "a" or "b" in A, not "c"`},
		{plan.CheckTag("", "A", "a"), `must be "a" in A, not ""`},
	} {
		t.Run(tt.want, func(t *testing.T) {
			if tt.want == "" && tt.err != nil || tt.want != "" && (tt.err == nil || tt.err.Error() != tt.want) {
				t.Errorf("%v; want %s", tt.err, tt.want)
			}
		})
	}
}
