package petstore

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

//go:generate go run github.com/weftcodec/weft/cmd/weft gen openapi openapi.yaml --out . --package petstore

// TestGenerated wants the committed files to be what weft gen writes.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	dir := t.TempDir()
	cmd := exec.Command("go", "run", "github.com/weftcodec/weft/cmd/weft", "gen", "openapi", "openapi.yaml", "--out", dir,
		"--package", "petstore")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, f := range files {
		want, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Base(f))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run go generate", filepath.Base(f))
		}
	}
}
