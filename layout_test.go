package weft_test

import (
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestArchLayout compares the tree of docs/layout.md with the folders and with the modules of go.work.
func TestArchLayout(t *testing.T) {
	page, err := os.ReadFile("docs/layout.md")
	if err != nil {
		t.Fatal(err)
	}
	tree := regexp.MustCompile("(?s)```\n(.*?)```").FindSubmatch(page)
	if tree == nil {
		t.Fatal("docs/layout.md has no tree")
	}
	listed := map[string]bool{".": true}
	parent := ""
	entry := regexp.MustCompile(`^(│  |   )?[├└]─ (.*?)(?:  .*)?$`)
	for line := range strings.Lines(string(tree[1])) {
		m := entry.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil || m[2] == "*.go" {
			continue
		}
		for name := range strings.SplitSeq(m[2], ", ") {
			if m[1] == "" {
				parent = name
			}
			if _, err := os.Stat(name); err != nil && m[1] != "" {
				name = path.Join(parent, name)
			}
			if _, err := os.Stat(name); err != nil {
				t.Errorf("docs/layout.md lists %s: %v", name, err)
			}
			listed[name] = true
		}
	}
	work, err := os.ReadFile("go.work")
	if err != nil {
		t.Fatal(err)
	}
	modules := regexp.MustCompile(`(?m)^\t\./?(\S*)$`).FindAllStringSubmatch(string(work), -1)
	if len(modules) < 8 {
		t.Fatalf("%d modules in go.work", len(modules))
	}
	for _, m := range modules {
		if name := path.Clean(m[1]); !listed[name] {
			t.Errorf("docs/layout.md does not list the module %s of go.work", name)
		}
	}
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		name := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "github.com/weftcodec/weft"), "/")
		if name = path.Clean(name); !listed[name] && !listed[path.Dir(name)] && !strings.HasPrefix(name, "examples/") &&
			!strings.HasPrefix(name, "out/") {
			t.Errorf("docs/layout.md does not list the package %s", name)
		}
	}
}
