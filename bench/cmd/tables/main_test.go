package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/weftcodec/weft/bench/harness"
)

func TestParse(t *testing.T) {
	a, err := parse([]string{"json", "--quick", "msgpack", "--md", "x.md", "--no-generate"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.groups, []string{"json", "msgpack"}) || a.config != harness.Quick || a.md != "x.md" || a.generate || a.procs != 1 {
		t.Errorf("%+v", a)
	}
	if a, err := parse(nil); err != nil || len(a.groups) != 0 || a.config != harness.Normal || !a.generate {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := parse([]string{"json", "--results", "x"}); err != nil || a.results != "x" || len(a.groups) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
	for _, bad := range [][]string{{"nope"}, {"--quick", "--full"}, {"--results"}} {
		if _, err := parse(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestSave(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out.md")
	if err := save(name, func(w io.Writer) error { _, err := io.WriteString(w, "text"); return err }); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("failed")
	if err := save(name, func(w io.Writer) error { _, _ = io.WriteString(w, "half"); return failed }); err != failed {
		t.Errorf("got %v", err)
	}
	text, err := os.ReadFile(name)
	if err != nil || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
	if files, _ := os.ReadDir(filepath.Dir(name)); len(files) != 1 {
		t.Errorf("%d files left", len(files))
	}
	if err := save("", nil); err != nil {
		t.Error(err)
	}
}
