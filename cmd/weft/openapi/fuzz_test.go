package openapi

import "testing"

func FuzzParse(f *testing.F) {
	for _, row := range diagnosticRows {
		f.Add([]byte(row.text), row.file == "t.json")
	}
	for name, text := range shop(f) {
		f.Add(text, name == "t.json")
	}
	f.Fuzz(func(t *testing.T, text []byte, json bool) {
		name := "t.yaml"
		if json {
			name = "t.json"
		}
		doc, found := Parse(name, text, ReadFile(noFiles))
		checkPlaces(t, "fuzz", text, found)
		if found.Err() != nil {
			return
		}
		if doc == nil {
			t.Fatal("neither a document nor an error")
		}
		checkModel(t, doc)
	})
}
