package alone

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftcodec/weft/bench/corpus"
	"github.com/weftcodec/weft/json"
)

// Every operation does its work and leaves a text of it.
func TestPrepare(t *testing.T) {
	dir := t.TempDir()
	document, out := filepath.Join(dir, "pet.json"), filepath.Join(dir, "out.json")
	if err := os.WriteFile(document, []byte(corpus.PetJSON), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, op := range Operations {
		marshals, unmarshals := 0, 0
		run, err := prepare("pet", op, document, out,
			func(v any) ([]byte, error) { marshals++; return json.Marshal(v) },
			func(b []byte, v any) error { unmarshals++; return json.Unmarshal(b, v) })
		if err != nil {
			t.Fatalf("%s: %v", op, err)
		}
		text, err := os.ReadFile(out)
		if err != nil || !bytes.Contains(text, []byte(`"name":`)) {
			t.Errorf("%s: %s, %v", op, text, err)
		}
		run()
		if want := [2]int{2, 0}; strings.HasSuffix(op, "encode") && [2]int{marshals, unmarshals} != want {
			t.Errorf("%s: %d calls of Marshal and %d of Unmarshal, want %v", op, marshals, unmarshals, want)
		}
		if want := [2]int{0, 2}; strings.HasSuffix(op, "decode") && [2]int{marshals, unmarshals} != want {
			t.Errorf("%s: %d calls of Marshal and %d of Unmarshal, want %v", op, marshals, unmarshals, want)
		}
	}
	for _, args := range [][3]string{{"pets", "any encode", document}, {"pet", "validate", document}, {"pet", "any encode", document + "x"}} {
		if _, err := prepare(args[0], args[1], args[2], out, json.Marshal, json.Unmarshal); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
