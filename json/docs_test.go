package json_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocs holds that the Go blocks of the page on JSON compile, as one package, and that it names every option.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("options.go")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^func ([A-Z]\w*)\([^)]*\) Options`).FindAllStringSubmatch(string(source), -1)
	if len(names) < 15 {
		t.Errorf("%d options", len(names))
	}
	for _, name := range names {
		if !strings.Contains(string(text), "| `"+name[1]) {
			t.Errorf("%s is not in the table", name[1])
		}
	}
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	args := []string{"vet"}
	dir := t.TempDir()
	for i, m := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		name := filepath.Join(dir, fmt.Sprintf("block%d.go", i+1))
		if err := os.WriteFile(name, []byte("package doc\n\n"+m[1]), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	if len(args) < 4 {
		t.Errorf("%d blocks", len(args)-1)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
