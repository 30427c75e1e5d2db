package interop

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	goBlock  = regexp.MustCompile("(?s)```go\n(.*?)```")
	pageLink = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	codeSpan = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
)

// pages returns the names of the documents, from the root of the clone.
func pages(t *testing.T) []string {
	found, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(found) < 10 {
		t.Fatalf("%d pages, %v", len(found), err)
	}
	names := []string{"README.md", "SECURITY.md", "CONTRIBUTING.md"}
	for _, name := range found {
		names = append(names, "docs/"+filepath.Base(name))
	}
	return names
}

// TestDocs compiles the Go blocks of all pages, those of a page as one package: this
// module knows the other libraries that some of them are about.
func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds every page")
	}
	module, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	blocks := make(map[string]string) // files that the compiler sees -> files that there are
	for _, page := range pages(t) {
		text, err := os.ReadFile(filepath.Join("../..", page))
		if err != nil {
			t.Fatal(err)
		}
		name := strings.ReplaceAll(strings.TrimSuffix(filepath.Base(page), ".md"), "-", "_")
		for i, m := range goBlock.FindAllStringSubmatch(string(text), -1) {
			file := filepath.Join(dir, fmt.Sprintf("%s%d.go", name, i+1))
			if err := os.WriteFile(file, []byte("package doc\n\n"+m[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			blocks[filepath.Join(module, "pages", filepath.Dir(page), name, filepath.Base(file))] = file
		}
	}
	if len(blocks) < 35 {
		t.Errorf("%d blocks", len(blocks))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": blocks})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-overlay", file, "./pages/...")
	build.Dir = module
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestLinks follows the links between pages, and holds that the index names every page.
func TestLinks(t *testing.T) {
	index := make(map[string]bool)
	for _, page := range pages(t) {
		text, err := os.ReadFile(filepath.Join("../..", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pageLink.FindAllStringSubmatch(codeSpan.ReplaceAllString(string(text), ""), -1) {
			target := filepath.Join(filepath.Dir(page), m[1])
			if _, err := os.Stat(filepath.Join("../..", target)); err != nil {
				t.Errorf("%s: %v", page, err)
			}
			if page == "docs/README.md" {
				index[target] = true
			}
		}
	}
	for _, page := range pages(t) {
		if strings.HasPrefix(page, "docs/") && page != "docs/README.md" && !index[page] {
			t.Errorf("docs/README.md does not name %s", page)
		}
	}
}

// TestFiles checks that the files that the page on the engine speaks of are there.
func TestFiles(t *testing.T) {
	text, err := os.ReadFile("../../docs/engine.md")
	if err != nil {
		t.Fatal(err)
	}
	files := regexp.MustCompile("`([a-z0-9_/]+\\.(?:go|s))`").FindAllStringSubmatch(string(text), -1)
	if len(files) < 50 {
		t.Errorf("%d files", len(files))
	}
	for _, m := range files {
		if _, err := os.Stat(filepath.Join("../..", m[1])); err != nil {
			t.Error(err)
		}
	}
}
