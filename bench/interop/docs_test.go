package interop

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// TestDocs compiles the Go blocks of the pages that have some, those of a page as
// one package.
func TestDocs(t *testing.T) {
	for _, page := range []string{"msgpack.md", "migrating-msgpack.md", "protocol.md"} {
		text, err := os.ReadFile(filepath.Join("../../docs", page))
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"vet"}
		dir := t.TempDir()
		for i, m := range goBlock.FindAllStringSubmatch(string(text), -1) {
			file := filepath.Join(dir, fmt.Sprintf("block%d.go", i+1))
			if err := os.WriteFile(file, []byte("package doc\n\n"+m[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, file)
		}
		if len(args) < 5 {
			t.Errorf("%s: %d blocks", page, len(args)-1)
		}
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", page, err, out)
		}
	}
}
