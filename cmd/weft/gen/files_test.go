package gen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// Schemas of other files are called after where they stand, whoever refers to
// them first.
func TestFiles(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files [][2]string
		want  string
	}{
		{"a component that stands in a file", [][2]string{
			{"a.yaml", `{openapi: 3.1.0, info: {title: t, version: "1"}, components: {schemas: {Cat: {$ref: s/cat.yaml}, ` +
				`Own: {properties: {c: {$ref: s/cat.yaml}}}}}}`},
			{"s/cat.yaml", `{type: object, properties: {tag: {type: object, properties: {x: {type: string}}}}}`},
		}, "Cat struct; CatTag struct; Own struct"},
		{"a file and parts of one", [][2]string{
			{"a.yaml",
				`{openapi: 3.0.3, info: {title: t, version: "1"}, paths: {/p: {get: {responses: {"200": {description: d, ` +
					`content: {application/json: {schema: {$ref: "s/pet-model.yaml"}}}}}}}}}`},
			{"s/pet-model.yaml", `{type: object, properties: {o: {$ref: "common.json#/Owner"}, ` +
				`t: {$ref: "common.json#/definitions/Tag"}, n: {$ref: "common.json#/Owner/properties/name"}}}`},
			{"s/common.json", `{"Owner": {"type": "object", "properties": {"name": {"type": "object", ` +
				`"properties": {"first": {"type": "string"}}}}}, "definitions": {"Tag": {"type": "object", ` +
				`"properties": {"a": {"type": "string"}}}}}`},
		}, "Owner struct; OwnerName struct; PetModel struct; Tag struct"},
		{"a family", [][2]string{
			{"a.yaml", `{openapi: 3.1.0, info: {title: t, version: "1"}, ` +
				`components: {schemas: {Own: {properties: {p: {$ref: s/Pet.yaml}}}, Dog: {$ref: s/Dog.yaml}}}}`},
			{"s/Pet.yaml", `{type: object, discriminator: {propertyName: t, mapping: {cat: Cat.yaml}}, properties: {t: {type: string}}}`},
			{"s/Cat.yaml", `{allOf: [{$ref: Pet.yaml}, {properties: {a: {type: string}}}]}`},
			{"s/Dog.yaml", `{allOf: [{$ref: Pet.yaml}, {properties: {b: {type: string}}}]}`},
		}, "Cat struct; Dog struct; Own struct; Pet union Dog:Dog cat:Cat Pet,*:PetBase; PetBase struct"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pkg, _ := lower(loadFiles(t, tt.files...), Options{Package: "api"})
			if got := strings.Join(shapesOf(pkg), "; "); got != tt.want {
				t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
			}
			if _, err := Print(pkg); err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
		})
	}
}

// loadFiles loads the first of the files, each a name and a text.
func loadFiles(t *testing.T, files ...[2]string) *openapi.Document {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		path := filepath.Join(dir, f[0])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, path, f[1])
	}
	doc, diags := openapi.Load(filepath.Join(dir, files[0][0]))
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return doc
}
