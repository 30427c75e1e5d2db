package backend_test

import (
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

// nest is an object that asks for its tag before it reads its members, as a union
// does, and may hold another.
type nest struct {
	tag      *weft.Fields
	found    int // tags, in it and those inside
	searches int
}

func (n *nest) read(r backend.Reader) error {
	n.searches++
	if _, ok := r.Lookahead().PeekTag(r, n.tag); ok {
		n.found++
	}
	for r.BeginMap(); ; {
		name, ok := r.NextKey()
		switch {
		case !ok:
			return r.Err()
		case name == "in":
			if err := n.read(r); err != nil {
				return err
			}
		default:
			r.Skip()
		}
	}
}

func (n *nest) UnmarshalWeft(d *weft.Decoder) error { return n.noting(d.Reader()) }

var nestSkipped int

func (n *nest) noting(r backend.Reader) error {
	err := n.read(r)
	nestSkipped = r.Lookahead().Skipped()
	return err
}

// However deep unions nest whose tags come last, or are not there, what is
// skipped in search of them grows with the document and no faster.
func TestTagsLinear(t *testing.T) {
	const depth = 3000
	filler := strings.Repeat("x", 100)
	doc := func(tag string) string {
		return strings.Repeat(`{"a":"`+filler+`","in":`, depth) + `{}` + strings.Repeat(`,"z":[1,{"b":2}]`+tag+`}`, depth)
	}
	for _, tt := range []struct {
		name, doc string
		found     int
	}{
		{"last", doc(`,"type":"push"`), depth},
		{"absent", doc(``), 0},
		{"no tag", doc(`,"type":1.5`), 0},
		{"wide", `{"in":{},"list":[` + strings.Repeat(doc(`,"type":1`)[:0]+`{"a":"`+filler+`","type":"x"},`, 3000) + `1],"type":"x"}`, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var v any
			if err := json.Unmarshal([]byte(tt.doc), &v); err != nil {
				t.Fatal(err)
			}
			packed, err := msgpack.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			message, err := tagged.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			for format, read := range map[string]func(*nest) error{
				"JSON":    func(n *nest) error { return json.Unmarshal([]byte(tt.doc), n) },
				"msgpack": func(n *nest) error { return msgpack.Unmarshal(packed, n) },
				"tagged":  func(n *nest) error { return tagged.Unmarshal(message, n) },
			} {
				n := &nest{tag: weft.NewFields("type")}
				if err := read(n); err != nil {
					t.Fatalf("%s: %v", format, err)
				}
				if n.found != tt.found {
					t.Errorf("%s: %d tags of %d objects, want %d", format, n.found, n.searches, tt.found)
				}
				if most := 6*len(tt.doc) + 1<<17; nestSkipped > most {
					t.Errorf("%s: %d bytes skipped of %d", format, nestSkipped, len(tt.doc))
				}
			}
		})
	}
}
