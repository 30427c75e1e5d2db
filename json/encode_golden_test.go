package json

import (
	"bytes"
	"crypto/sha256"
	stdjson "encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

const encodeGolden = "testdata/encode.golden"

// goldenLine describes a result in one line: short ones as they are, long ones by their hash.
func goldenLine(i int, b []byte, err error) string {
	switch {
	case err != nil && len(err.Error()) <= 200:
		return fmt.Sprintf("%d %T %q", i, err, err.Error())
	case err != nil:
		return fmt.Sprintf("%d %T %.80q… %x", i, err, err.Error(), sha256.Sum256([]byte(err.Error())))
	case len(b) > 200:
		return fmt.Sprintf("%d %.80q… %d bytes, %x", i, b, len(b), sha256.Sum256(b))
	}
	return fmt.Sprintf("%d %s", i, bytes.ReplaceAll(b, []byte("\n"), []byte(" ")))
}

// golden returns the lines for the results that marshal has for the table.
func golden(marshal func(any) ([]byte, error)) string {
	var out bytes.Buffer
	for i, r := range encodeTable() {
		b, err := marshal(r.v)
		fmt.Fprintln(&out, goldenLine(i, b, err))
	}
	return out.String()
}

// TestEncodeGolden compares the results for the table with those that the classic encoding/json had
// when the file was written, so that they hold on releases that come with another one. Run it with
// WEFT_UPDATE=1 on such a release that has the classic one to write the file anew.
func TestEncodeGolden(t *testing.T) {
	if classicStd {
		std := golden(stdjson.Marshal)
		if os.Getenv("WEFT_UPDATE") != "" {
			if err := os.WriteFile(encodeGolden, []byte(std), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		compareGolden(t, "encoding/json", std)
	}
	got := golden(Marshal)
	if !classicStd { // there RawMessage is another name of a type
		got = strings.ReplaceAll(got, "jsontext.Value", "json.RawMessage")
	}
	compareGolden(t, "this package", got)
}

func compareGolden(t *testing.T, who, got string) {
	t.Helper()
	file, err := os.ReadFile(encodeGolden)
	if err != nil {
		t.Fatal(err)
	}
	g, w := bytes.Split([]byte(got), []byte("\n")), bytes.Split(file, []byte("\n"))
	if len(g) != len(w) {
		t.Errorf("%s: %d lines, the file has %d", who, len(g), len(w))
	}
	for i := range min(len(g), len(w)) {
		if !bytes.Equal(g[i], w[i]) {
			t.Errorf("%s:%d: %s: got %s, want %s", encodeGolden, i+1, who, g[i], w[i])
		}
	}
}
