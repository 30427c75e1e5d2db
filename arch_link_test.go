package weft_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestArchLinked builds a program that marshals and unmarshals JSON without options, and looks that the linker has
// left out what options alone lead to. The name of a package-level variable's initializer, or one call from the plain
// path, is enough to link all of it.
func TestArchLinked(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	text := `package main

import (
	"os"

	"` + archRoot + `/json"
)

func main() {
	var v any
	err := json.Unmarshal([]byte(os.Args[0]), &v)
	b, _ := json.Marshal(v)
	os.Stdout.Write(b)
	if err != nil {
		os.Exit(1)
	}
}
`
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command("go", "tool", "nm", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	names := strings.ReplaceAll(string(out), archRoot+"/", "")
	for _, want := range []string{"json.unmarshal", "json.(*decoder).structValue", "json.(*encoder).object"} {
		if !regexp.MustCompile(`(?m) T ` + regexp.QuoteMeta(want) + `$`).MatchString(names) {
			t.Errorf("%s is missing", want)
		}
	}
	for _, not := range []string{
		"json.encodeMode", "json.(*compiler).structV2", "json.(*nodeSet).describeV2", "json.modeOf",
		"json/jsontext.(*Encoder).WriteValue", "json/jsontext.(*Decoder).ReadToken",
		"internal/plan.parseTagV2", "net/netip.init", "regexp.Compile",
		"unicode.map.init.0", "unicode.map.init.1", "unicode.map.init.2",
	} {
		if strings.Contains(names, " T "+not+"\n") {
			t.Errorf("%s is linked", not)
		}
	}
}
