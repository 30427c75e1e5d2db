package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The Go of the page on OpenAPI compiles.
func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	text, err := os.ReadFile("../../docs/openapi.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) == 0 {
		t.Fatal("no Go on the page")
	}
	for _, m := range blocks {
		name := filepath.Join(t.TempDir(), "block.go")
		if err := os.WriteFile(name, []byte("package doc\n\n"+m[1]), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("go", "vet", name).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	// The file of options has options that there are.
	help, err := exec.Command("go", "run", "../../cmd/weft", "help", "gen").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, help)
	}
	yaml := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(string(text))
	for line := range strings.Lines(yaml[1]) {
		if key, _, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(key, " ") && key != "document" && !strings.Contains(string(help), "--"+key) {
			t.Errorf("no option --%s", key)
		}
	}
}
