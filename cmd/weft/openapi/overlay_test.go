package openapi

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

const overlaidDoc = `openapi: 3.0.3
info: {title: Old, version: "1"}
servers: [{url: a}]
tags: [{name: one}, {name: two}]
paths:
  /a:
    get: {summary: A, responses: {"200": {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Gone'}}}}}}
  /b:
    get: {responses: {"200": {description: ok}}}
`

// loadOverlaid reads overlaidDoc with an overlay whose actions are given.
func loadOverlaid(actions string) (*Document, Diagnostics) {
	files := map[string]string{"d.yaml": overlaidDoc, "o.yaml": "overlay: 1.0.0\ninfo: {title: t, version: '1'}\nactions:\n" + actions}
	return Load("d.yaml", Overlays("o.yaml"), ReadFile(func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}))
}

// An overlay mends a reference that names nothing; what it adds knows its place
// and refers to the document.
func TestOverlay(t *testing.T) {
	doc, found := loadOverlaid(`- target: $
  update:
    info: {title: New}
    components: {schemas: {Gone: {type: object, properties: {self: {$ref: '#/components/schemas/Gone'}}}}}
- target: $.servers
  update: {url: b}
- target: $.tags[?@.name == 'one']
  remove: true
- target: $.paths['/b'].get
  copy: $.paths['/a'].get
- target: $.info.version
  update: "2"
`)
	if len(found) > 0 {
		t.Fatal(found)
	}
	eq(t, "title", doc.Info.Title, "New")
	eq(t, "version", doc.Info.Version, "2")
	eq(t, "servers", len(doc.Servers), 2)
	eq(t, "tags", len(doc.Tags), 1)
	eq(t, "summary", doc.Paths.Get("/b").Operations[0].Summary, "A")
	gone := doc.Components.Schemas.Get("Gone")
	eq(t, "place", gone.Pos.String(), "o.yaml:7:34")
	if doc.Paths.Get("/a").Operations[0].Responses[0].Value.Content[0].Value.Schema.Target != gone || gone.Properties[0].Value.Target != gone {
		t.Error("the references do not lead to the schema of the overlay")
	}
	eq(t, "files", strings.Join(doc.Files, " "), "d.yaml o.yaml")
}

func TestOverlayFindings(t *testing.T) {
	mend := "- target: $\n  update: {components: {schemas: {Gone: {}}}}\n"
	rows := []struct{ actions, want string }{
		{"- target: $.nothing\n  remove: true\n", `o.yaml:6:11: warning: "$.nothing" selects nothing, so nothing is changed: correct the path`},
		{"- target: $.a[\n  remove: true\n",
			`o.yaml:6:11: "$.a[" is not a JSONPath (RFC 9535): at the end: a name in quotes, a number, *, : or ? is expected`},
		{"- target: [1]\n  remove: true\n", `o.yaml:6:11: a list where a JSONPath is expected: write a string such as $.paths`},
		{"- target: $.info\n  update: [1]\n", `o.yaml:6:3: the update is a list, but "$.info" selects an object: they do not go together`},
		{"- target: $\n  remove: true\n", `o.yaml:6:11: the document itself cannot be removed`},
		{"- remove: true\n", `o.yaml:6:3: the action lacks target: add the path of what to change`},
		{"- target: $\n", `o.yaml:6:3: warning: the action does nothing: add update, remove or copy`},
		{"- target: $.info\n  copy: $.tags[*]\n", `o.yaml:7:9: "$.tags[*]" selects 2 nodes, but must select one to copy`},
	}
	for _, row := range rows {
		t.Run(row.actions, func(t *testing.T) {
			_, found := loadOverlaid(mend + row.actions)
			eq(t, row.actions, found.String(), row.want)
		})
	}
	_, found := Load("d.yaml", Overlays("none.yaml", "d.yaml"), ReadFile(func(path string) ([]byte, error) {
		if path == "d.yaml" {
			return []byte(strings.Replace(overlaidDoc, "$ref: '#/components/schemas/Gone'", "", 1)), nil
		}
		return nil, errors.New("no")
	}))
	eq(t, "files", found.String(), "none.yaml: the file cannot be read: no\n"+
		"d.yaml:1:1: an Overlay document is expected: an object with the members overlay, info and actions")
}

// What overlays add is bounded.
func TestOverlayBomb(t *testing.T) {
	_, found := loadOverlaid("- target: $\n  update: {x-a: [1], components: {schemas: {Gone: {}}}}\n" +
		strings.Repeat("- target: $['x-a']\n  copy: $['x-a']\n- target: $['x-a']\n  update: [1]\n", 40))
	if !strings.Contains(found.String(), "the overlays add more than") {
		t.Errorf("%.500s", found)
	}
}
