package gen

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// specs returns the folder of public documents, which is not part of the
// project.
func specs(t *testing.T) string {
	t.Helper()
	dir := specsDir()
	if dir == "" {
		t.Skip("no folder of documents: WEFT_SPECS names one")
	}
	return dir
}

// specsDir returns the folder of public documents, "" when there is none.
func specsDir() string {
	dir := os.Getenv("WEFT_SPECS")
	if dir == "" {
		dir = "../../../../shared/specs"
	}
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return dir
}

// Public documents generate packages that build and vet clean, and whose types
// take values through both formats.
func TestSpecs(t *testing.T) {
	dir := specs(t)
	for _, name := range []string{"petstore-78170608.yaml", "firecracker.json", "telegram_bot_api.json"} {
		t.Run(name, func(t *testing.T) { buildAndRun(t, filepath.Join(dir, name), 4) })
	}
}

// TestAllSpecs does what TestSpecs does with every document of the folder, which
// takes minutes: it runs when WEFT_SPECS_ALL is set.
func TestAllSpecs(t *testing.T) {
	dir := specs(t)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext != ".yaml" && ext != ".json" {
			continue
		}
		t.Run(e.Name(), func(t *testing.T) {
			if os.Getenv("WEFT_SPECS_ALL") != "" {
				buildAndRun(t, filepath.Join(dir, e.Name()), 2)
				return
			}
			doc, diags := openapi.Load(filepath.Join(dir, e.Name()))
			if err := diags.Err(); err != nil {
				t.Fatal(err)
			}
			if _, _, err := OpenAPI(doc, Options{Package: "api"}); err != nil {
				t.Error(err)
			}
		})
	}
}

func buildAndRun(t *testing.T, path string, n int) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	dir, pkg := module(t, path)
	addRoundTrip(t, dir, pkg, n)
	goTool(t, dir, "vet", "./...")
	goTool(t, dir, "test", "-gcflags=-l", "./...")
}
