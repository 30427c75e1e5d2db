package weft_test

import (
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

// peek is a value that looks ahead at an object and then skips it.
type peek struct {
	fields *weft.Fields
	tag    string
	ok     bool
	names  uint64
	order  []int
}

var peekCandidates = []weft.Candidate{
	{Required: 0b001, Known: 0b011},
	{Required: 0b100, Known: 0b100},
	{Required: 0, Known: 0b111},
}

func (p *peek) look(r weft.Reader) error {
	p.tag, p.ok = weft.PeekTag(r, p.fields)
	p.names = weft.PeekNames(r, p.fields)
	for i, more := 0, true; more; i++ {
		var k int
		k, more = weft.RankCandidates(r, p.fields, peekCandidates, i)
		p.order = append(p.order, k)
	}
	r.Skip()
	return r.Err()
}

func (p *peek) ReadJSON(r *json.Reader) error       { return p.look(r) }
func (p *peek) ReadMsgpack(r *msgpack.Reader) error { return p.look(r) }

func TestPeek(t *testing.T) {
	tests := []struct {
		text  string
		tag   string
		ok    bool
		names uint64
		order [3]int
	}{
		{`{}`, "", false, 0, [3]int{2, 0, 1}},
		{`{"a":"x"}`, "x", true, 0b001, [3]int{0, 2, 1}},
		{`{"b":{"a":[1,{}]},"a":"zwölf\n","z":null}`, "zwölf\n", true, 0b011, [3]int{0, 2, 1}},
		{`{"c":1,"a":2}`, "2", true, 0b101, [3]int{2, 0, 1}},
		{`{"a":1.5}`, "", false, 0b001, [3]int{0, 2, 1}},
		{`{"a":[]}`, "", false, 0b001, [3]int{0, 2, 1}},
		{`{"c":1}`, "", false, 0b100, [3]int{1, 2, 0}},
	}
	for _, tt := range tests {
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
		if err := json.Read([]byte(tt.text), &viaJSON); err != nil {
			t.Errorf("%s: %v", tt.text, err)
		}
		if err := msgpack.Read(packed, &viaPack); err != nil {
			t.Errorf("%s: %v", tt.text, err)
		}
		for _, p := range []peek{viaJSON, viaPack} {
			if p.tag != tt.tag || p.ok != tt.ok || p.names != tt.names || [3]int(p.order) != tt.order {
				t.Errorf("%s: %q %t %b %v", tt.text, p.tag, p.ok, p.names, p.order)
			}
		}
	}
}

// TestCheckTag: a discriminator is one of those that choose a variant, or none of
// those that choose another.
func TestCheckTag(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{weft.CheckTag("a", "A", "a", "b"), ""},
		{weft.CheckTag("b", "A", "a", "b"), ""},
		{weft.CheckTag("c", "A", "a", "b"), `must be "a" or "b" in A, not "c"`},
		{weft.CheckTag("", "A", "a"), `must be "a" in A, not ""`},
		{weft.CheckOtherTag("c", "C", "a", "b"), ""},
		{weft.CheckOtherTag("", "C"), ""},
		{weft.CheckOtherTag("b", "C", "a", "b"), `must be a tag of C, not "b"`},
	} {
		if tt.want == "" && tt.err != nil || tt.want != "" && (tt.err == nil || tt.err.Error() != tt.want) {
			t.Errorf("%v; want %s", tt.err, tt.want)
		}
	}
}
