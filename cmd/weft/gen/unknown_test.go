package gen

import (
	"path/filepath"
	"strings"
	"testing"
)

// What becomes of unknown members stands in the types: patterns pick those that are kept, and objects of parts refuse
// them as others do.
func TestUnknownMembers(t *testing.T) {
	const text = `{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}, "components": {"schemas": {
		"Picked": {"type": "object", "properties": {"a": {"type": "string"}}, "patternProperties": {"^x-": {"type": "string"}}},
		"Two": {"type": "object", "patternProperties": {"^x,": {"type": "string"}, "^y|z$": {"type": "integer"}}},
		"Parts": {"anyOf": [
			{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}},
			{"type": "object", "properties": {"b": {"type": "string"}, "c": {"type": "string"}}}]}}}}`
	path := filepath.Join(t.TempDir(), "api.json")
	write(t, path, text)
	const picks, two, parts = "`weft:\",unknown\" check:\"keys.pattern=^x-\"`", `keys.pattern='(?:^x,)|(?:^y|z$)'`, "Closed: true,\n\t\tParts:"
	for _, r := range []struct {
		name      string
		unknown   Unknown
		have, not []string
	}{
		{"ignored", IgnoreUnknown, []string{picks, two}, []string{parts}},
		{"kept", KeepUnknown, nil, []string{"keys.pattern", parts}},
		{"refused", RefuseUnknown, []string{picks, two, parts}, nil},
	} {
		t.Run(r.name, func(t *testing.T) {
			files, _, err := OpenAPI(load(t, path), Options{Package: "api", Unknown: r.unknown})
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range r.have {
				if !strings.Contains(string(files[0].Data), want) {
					t.Errorf("no %s in\n%s", want, files[0].Data)
				}
			}
			for _, want := range r.not {
				if strings.Contains(string(files[0].Data), want) {
					t.Errorf("%s is there", want)
				}
			}
		})
	}
}
