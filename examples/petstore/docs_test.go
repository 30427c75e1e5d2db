package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The page on OpenAPI has options that there are.
func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	text, err := os.ReadFile("../../docs/openapi.md")
	if err != nil {
		t.Fatal(err)
	}
	help, err := exec.Command("go", "run", "../../cmd/weft", "help", "gen").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, help)
	}
	yaml := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(string(text))
	for line := range strings.Lines(yaml[1]) {
		if key, _, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(key, " ") && key != "document" &&
			!strings.Contains(string(help), "--"+key) {
			t.Errorf("no option --%s", key)
		}
	}
}
