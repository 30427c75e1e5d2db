package json_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDocs checks that the page on JSON names every option.
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
}
