package gen

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/weftcodec/weft/cmd/weft/openapi"
)

var update = flag.Bool("update", false, "write the golden files")

// The types printed for shapes.yaml are those of the golden file.
func TestGolden(t *testing.T) {
	var got bytes.Buffer
	for _, f := range generate(t, "testdata/shapes.yaml") {
		got.Write(f.Data)
	}
	const path = "testdata/shapes.golden"
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the printed text is not that of %s; look at the difference that go test -update makes", path)
	}
}

func generate(t *testing.T, path string) []File {
	t.Helper()
	doc, diags := openapi.Load(path)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	files, _, err := OpenAPI(doc, Options{Package: "api", Source: filepath.Base(path)})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// The same document gives the same bytes.
func TestDeterministic(t *testing.T) {
	first := generate(t, "testdata/shapes.yaml")
	for range 5 {
		again := generate(t, "testdata/shapes.yaml")
		for i := range first {
			if !bytes.Equal(first[i].Data, again[i].Data) {
				t.Fatalf("%s differs", first[i].Name)
			}
		}
	}
}

// The printed package compiles, and takes samples of its types through both
// formats.
func TestShapes(t *testing.T) { buildAndRun(t, "testdata/shapes.yaml", 20) }
