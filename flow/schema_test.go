package flow_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/flow"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/schema"
	"go.yaml.in/yaml/v4"
)

var update = flag.Bool("update", false, "write docs/flow.schema.json again")

// TestSchema checks that docs/flow.schema.json is what the types say, that the documents of the pages and examples fit
// it, and that what Check says of a field it says too.
func TestSchema(t *testing.T) {
	const name = "../docs/flow.schema.json"
	text := flow.Schema()
	if *update {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(name); err != nil || !bytes.Equal(kept, text) {
		t.Errorf("%s is an old one: go test ./flow -run TestSchema -update (%v)", name, err)
	}
	names, err := filepath.Glob("examples/*.yaml")
	if err != nil || len(names) < 6 {
		t.Fatal(err, names)
	}
	documents := make(map[string]string)
	for _, name := range append(slices.DeleteFunc(names, func(name string) bool { return name == "examples/orders.yaml" }),
		"testdata/ping.yaml", "testdata/ping_today.yaml") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		documents[name] = string(text)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range block.FindAllStringSubmatch(string(text), -1) {
			if m[1] == "yaml" {
				documents[page+": "+m[2]] = m[2]
			}
		}
	}
	schema := new(schemaOfDocuments)
	schema.add(t, "#", string(text))
	for name, text := range documents {
		if err := schema.check(t, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, tt := range []struct{ doc, at string }{
		{"- {kind: snipet, code: x}", ""},
		{"- {kind: snippet, cod: x}", ""},
		{"- {kind: snippet}", ""},
		{"- {kind: file, read: a, write: b}", ""},
		{"- {kind: http, address: ':1', timeout: 30}", ""},
		{"- {kind: http, address: ':1', h2c: yes}", ""},
		{"- {kind: snippet, code: x, lang: jsno}", ""},
		{"- {kind: snippet, code: x, links: {out: [{nam: x}]}}", ""},
		{"nods: []", ""},
	} {
		t.Run(tt.doc, func(t *testing.T) {
			if err := schema.check(t, tt.doc); err == nil {
				t.Errorf("%s is nothing wrong", tt.doc)
			}
		})
	}
	for _, doc := range []string{
		"- {kind: http, address: ':1', timeout: '${T}', maxBody: 10, h2c: '${H}', maxInFlight: '${N}'}", "kind: snippet\ncode: 5",
		"nodes: [{kind: file, write: b}]\nx-a: 1", "- {kind: http, url: 'http://x'}", "- {kind: client, url: ['http://x']}",
	} {
		if err := schema.check(t, doc); err != nil {
			t.Errorf("%s: %v", doc, err)
		}
	}
}

// schemaOfDocuments is the schema of documents, with what references in it lead to.
type schemaOfDocuments struct{ pairs []string }

func (s *schemaOfDocuments) add(t *testing.T, name, text string) {
	t.Helper()
	var root struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(text), &root); err != nil {
		t.Fatal(err)
	}
	s.pairs = append(s.pairs, name, text)
	for def, text := range root.Defs {
		s.pairs = append(s.pairs, "#/$defs/"+def, string(text))
	}
}

// documentCheck reads a document by checking it.
type documentCheck struct{ schema *schema.Schema }

// UnmarshalWeft checks the value that d is at.
func (c documentCheck) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	if err := c.schema.Check(r); err != nil {
		return err
	}
	r.Skip()
	return r.Err()
}

func (s *schemaOfDocuments) check(t *testing.T, doc string) error {
	t.Helper()
	loader, err := yaml.NewLoader(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := loader.Load(&v); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return errors.Join(err, errors.New(doc))
	}
	return json.UnmarshalWith(text, &documentCheck{schema.New(s.pairs...).Get("#")})
}
