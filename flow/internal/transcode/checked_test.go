package transcode

import (
	"math/rand/v2"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/schema"
)

// valid reads a document by checking it.
type valid struct{ s *schema.Schema }

func (v *valid) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	if err := v.s.Check(r); err != nil {
		return err
	}
	r.Skip()
	return r.Err()
}

// TestChecked checks that a document which is turned and checked in one pass is as valid as it is by itself.
func TestChecked(t *testing.T) {
	texts := []string{
		`{}`, `{"type":"object"}`, `{"type":["array","null"]}`, `{"type":"integer"}`, `{"type":"number","maximum":3}`,
		`{"type":"string","maxLength":2}`, `{"type":"boolean"}`,
		`{"enum":[1,"a",null,true,[1]]}`,
		`{"type":"string","enum":["a","\u00e9"]}`,
		`{"type":"number","enum":[1,2.5]}`, `{"multipleOf":2}`, `{"exclusiveMinimum":1}`,
		`{"pattern":"^a"}`, `{"format":"date"}`, `{"format":"int8"}`,
		`{"type":"object","required":["a"],"properties":{"a":{"type":"integer"},"b":{"$ref":"list"}}}`, `{"const":1.5}`,
		`{"properties":{"a":{"type":"string"}},"additionalProperties":false}`, `{"additionalProperties":{"type":"integer"}}`,
		`{"minProperties":1,"maxProperties":2}`, `{"patternProperties":{"^a":{"type":"integer"}}}`, `{"propertyNames":{"maxLength":1}}`,
		`{"items":{"type":"integer"}}`, `{"prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}`, `{"minItems":1,"maxItems":2}`,
		`{"uniqueItems":true}`, `{"contains":{"type":"integer"}}`, `{"items":{"anyOf":[{"type":"integer"},{"required":["a"]}]}}`,
		`{"items":{"oneOf":[{"type":"integer"},{"type":"number"}]}}`, `{"properties":{"a":{"allOf":[{"$ref":"node"},{"required":["b"]}]}}}`,
		`{"$ref":"node"}`, `{"not":{"type":"string"}}`, `{"items":{"not":{"type":"string"}}}`, `true`, `false`, `{"properties":{"a":false}}`,
		`{"unevaluatedProperties":false,"properties":{"a":{}}}`, `{"type":"object","enum":[{"a":1}]}`,
	}
	pairs := []string{"list", `{"type":"array","items":{"$ref":"node"}}`,
		"node", `{"type":["object","string"],"properties":{"a":{"$ref":"node"},"b":{"$ref":"list"}},"required":["a"]}`}
	for _, text := range texts {
		pairs = append(pairs, text, text)
	}
	set := schema.New(pairs...)
	rnd := rand.New(rand.NewPCG(5, 6))
	docs := []string{`{"a":1}`, `{"a":"x","b":[]}`, `{"b":1,"a":2}`, `{"a":{"a":"x"},"b":["y",{"a":"z"}]}`,
		`[1]`, `["a",1]`, `["a",1,2]`, `[1,1.0]`, `[1.5,{"a":1}]`,
		`-3`, `1.0`, `128`, `2.5`, `18446744073709551615`, `1e20`, `-0`,
		`"a"`, `"é"`, `"\u00e9"`, `"abc"`, `"2020-02-30"`, `"2020-02-20"`, `{"\u0061":1}`,
		`{"a":1,"c":2,"d":3}`, `[]`, `{}`, `{"a":["x"]}`, `[null,true,[1]]`}
	for range 300 {
		docs = append(docs, string(known(rnd, 0)))
	}
	met := 0
	for _, name := range append(texts, "list", "node") {
		s := set.Get(name)
		for _, doc := range docs {
			want := json.UnmarshalWith([]byte(doc), &valid{s}) == nil
			if _, got := Valid(nil, []byte(doc), s.Walk()); got != want {
				t.Errorf("%s by %s: %v, want %v", doc, name, got, want)
			}
			pack, err := weft.Transcode(nil, msgpack.Format, []byte(doc), json.Format)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range []Options{{From: json.Format, To: msgpack.Format}, {From: msgpack.Format, To: json.Format}} {
				src := []byte(doc)
				if o.From == weft.Format(msgpack.Format) {
					src = pack
				}
				plain, ok := o.direct(nil, src, schema.Walk{})
				out, got := o.Checked(nil, src, s.Walk())
				if got != (ok && want) || got && string(out) != string(plain) {
					t.Errorf("%s from %s by %s: %v, want %v", doc, o.From.Name(), name, got, want)
				}
				met += btoi(got)
			}
		}
	}
	if met < 1000 {
		t.Errorf("%d documents are valid: that shows little", met)
	}
	// The number that MessagePack has in 32 bits is the one that JSON shows.
	o := Options{From: msgpack.Format, To: json.Format}
	tenth := schema.New("", `{"maximum":0.1}`).Get("")
	if _, ok := o.Checked(nil, []byte("\xca\x3d\xcc\xcc\xcd"), tenth.Walk()); !ok {
		t.Error("0.1 in 32 bits is more than 0.1")
	}
}

// known returns a random document whose members schemas know.
func known(r *rand.Rand, depth int) []byte {
	n := r.IntN(4)
	if k := r.IntN(10); depth < 4 && k < 7 {
		open, close := byte('['), byte(']')
		if k < 5 {
			open, close = '{', '}'
		}
		b := []byte{open}
		for i := range n {
			if i > 0 {
				b = append(b, ',')
			}
			if k < 5 {
				b = append(b, '"', "abcd"[i], '"', ':')
			}
			b = append(b, known(r, depth+1)...)
		}
		return append(b, close)
	}
	return []byte([]string{"null", "true", "1", "2", "1.5", `"a"`, `"abc"`, `"x"`, "-4", "300"}[r.IntN(10)])
}
