package migrate

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGolden compares what becomes of the files in testdata with NAME.golden, and what is said about them with
// NAME.notes.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.input")
	if err != nil || len(names) < 5 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := File(filepath.Base(name), src, strings.Contains(name, "forced"))
		if err != nil {
			t.Fatal(err)
		}
		var notes strings.Builder
		for _, c := range r.Changes {
			fmt.Fprintf(&notes, "%s: %s\n", c.Pos, c.Text)
		}
		for _, c := range r.Warnings {
			fmt.Fprintf(&notes, "%s: warning: %s\n", c.Pos, c.Text)
		}
		for _, c := range r.Doubts {
			fmt.Fprintf(&notes, "%s: note: %s\n", c.Pos, c.Text)
		}
		if r.Generated {
			notes.WriteString("generated\n")
		}
		base := strings.TrimSuffix(name, ".input")
		golden(t, base+".golden", r.Text)
		golden(t, base+".notes", []byte(notes.String()))
		if formatted, err := format.Source(src); err == nil && bytes.Equal(formatted, src) {
			if again, err := format.Source(r.Text); err != nil || !bytes.Equal(again, r.Text) {
				t.Errorf("%s: the result is not formatted: %v", name, err)
			}
		}
		// What has been moved stays.
		if again, err := File(name, r.Text, true); err != nil || len(again.Changes) > 0 && !r.Generated {
			t.Errorf("%s: changed again: %v %v", name, again.Changes, err)
		}
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if os.Getenv("WEFT_UPDATE") != "" {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: %v; got:\n%s", name, err, got)
	}
}

func TestBroken(t *testing.T) {
	if _, err := File("a.go", []byte("package p\nimport \"encoding/json\"\nfunc {"), false); err == nil ||
		!strings.HasPrefix(err.Error(), "a.go:3:") {
		t.Error(err)
	}
}
