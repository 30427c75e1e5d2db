package records

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGenerated wants the committed code of msgp to be what msgp writes.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	out := filepath.Join(t.TempDir(), "records_msgp.go")
	cmd := exec.Command("go", "run", "github.com/tinylib/msgp", "-file", "records.go", "-o", out, "-tests=false", "-io=false")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("records_msgp.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("records_msgp.go is out of date: run go generate")
	}
}

// TestSizes holds the record to the sizes it has had since 2018.
func TestSizes(t *testing.T) {
	m, err := New().AsMap().MarshalMsg(nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := New().AsTuple().MarshalMsg(nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(m) != 152 || len(a) != 91 {
		t.Errorf("map %d bytes and array %d bytes, want 152 and 91", len(m), len(a))
	}
}
