package migrate

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// nanProgram copies the program that uses nan, in a module that needs no network.
func nanProgram(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/nan/program")); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	lib, err := filepath.Abs("testdata/nan/lib")
	if err != nil {
		t.Fatal(err)
	}
	required, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	_, required, _ = bytes.Cut(required, []byte("\ngo "))
	_, required, _ = bytes.Cut(required, []byte("\n"))
	mod := fmt.Sprintf("module example.com/program\n\ngo 1.26\n%s\nrequire (\n"+
		"\tgithub.com/kak-tus/nan v0.0.0\n\tgithub.com/weftcodec/weft v0.0.0\n)\n\n"+
		"replace github.com/kak-tus/nan => %s\n\nreplace github.com/weftcodec/weft => %s\n", required, lib, root)
	for name, text := range map[string][]byte{"go.mod": []byte(mod), "go.sum": sums} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod -buildvcs=false")
	return dir
}

func goIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return string(out)
}

// TestNan changes a program that uses all of nan, and holds that it does then what it did.
func TestNan(t *testing.T) {
	dir := nanProgram(t)
	before := goIn(t, dir, "run", ".")
	if strings.Count(before, "\n") < 10 || strings.Contains(before, "not the same") {
		t.Fatal(before)
	}
	results, err := Nan(dir, []string{".", "./model", "./all"}, false)
	if err != nil {
		t.Fatal(err)
	}
	var notes strings.Builder
	for _, r := range results {
		for _, c := range r.Changes {
			fmt.Fprintf(&notes, "%s:%d:%d: %s\n", filepath.Base(c.Pos.Filename), c.Pos.Line, c.Pos.Column, c.Text)
		}
		for _, w := range r.Warnings {
			fmt.Fprintf(&notes, "%s:%d:%d: warning: %s\n", filepath.Base(w.Pos.Filename), w.Pos.Line, w.Pos.Column, w.Text)
		}
		if bytes.Contains(r.Text, []byte("kak-tus")) {
			t.Errorf("%s: nan is left in it:\n%s", r.Name, r.Text)
		}
		if err := os.WriteFile(r.Name, r.Text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "testdata/nan/program.notes", []byte(notes.String()))
	goIn(t, dir, "vet", "-composites=false", ".", "./model", "./all")
	if after := goIn(t, dir, "run", "."); after != before {
		t.Errorf("the program prints\n%s\nand before it printed\n%s", after, before)
	}
	again, err := Nan(dir, []string{"./model"}, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range again {
		if len(r.Changes)+len(r.Warnings) > 0 {
			t.Errorf("%s: again: %v %v", r.Name, r.Changes, r.Warnings)
		}
	}
	for _, name := range []string{"main", "third", "all/all"} {
		got, err := os.ReadFile(filepath.Join(dir, name+".go"))
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "testdata/nan/"+filepath.Base(name)+".golden", got)
	}
}

// TestNanWarns checks that what is not certain stays, and that each such place is told.
func TestNanWarns(t *testing.T) {
	dir := nanProgram(t)
	results, err := Nan(dir, []string{"./odd"}, false)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	generated := 0
	for _, r := range results {
		for _, w := range r.Warnings {
			fmt.Fprintf(&said, "%s:%d:%d: %s\n", filepath.Base(w.Pos.Filename), w.Pos.Line, w.Pos.Column, w.Text)
		}
		if r.Generated {
			generated++
		}
		if filepath.Base(r.Name) == "odd.go" {
			golden(t, "testdata/nan/odd.golden", r.Text)
		}
	}
	golden(t, "testdata/nan/odd.notes", []byte(said.String()))
	if generated != 1 {
		t.Errorf("%d generated files", generated)
	}
}

// TestNanBroken checks that code that does not compile is told, and changed as far as it is understood.
func TestNanBroken(t *testing.T) {
	dir := nanProgram(t)
	name := filepath.Join(dir, "model", "title.go")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(text, "\nvar _ = missing\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	results, err := Nan(dir, []string{"./model"}, false)
	if err != nil {
		t.Fatal(err)
	}
	warned, changed := false, 0
	for _, r := range results {
		changed += len(r.Changes)
		for _, w := range r.Warnings {
			warned = warned || strings.Contains(w.Text, "not all types are known") && w.Pos.Line > 0
		}
	}
	if !warned || changed < 5 {
		t.Error(warned, changed)
	}
	if _, err := Nan(filepath.Join(dir, "nowhere"), []string{"."}, false); err == nil {
		t.Error("a directory that is not there is no error")
	}
}
