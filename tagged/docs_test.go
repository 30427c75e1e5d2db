package tagged

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// The Go blocks of the page on this package compile, as
// one package.
func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	block := regexp.MustCompile("(?s)```go\n(.*?)```")
	for _, page := range []string{"tagged.md"} {
		text, err := os.ReadFile(filepath.Join("../docs", page))
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"vet"}
		dir := t.TempDir()
		for i, m := range block.FindAllStringSubmatch(string(text), -1) {
			name := filepath.Join(dir, fmt.Sprintf("block%d.go", i+1))
			if err := os.WriteFile(name, []byte("package doc\n\n"+m[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, name)
		}
		if len(args) < 3 {
			t.Errorf("%s: %d blocks", page, len(args)-1)
		}
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", page, err, out)
		}
	}
}
