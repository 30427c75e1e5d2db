package gen

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// What is a value of a schema, and what is not: testdata/semantics.txt lists
// cases by the types of semantics.yaml.
func TestSemantics(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	dir, pkg := module(t, "testdata/semantics.yaml")
	addRoundTrip(t, dir, pkg, 6)
	for _, name := range []string{"semantics.txt", "semantics_test.go.txt"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "api", strings.TrimSuffix(name, ".go.txt")+map[bool]string{true: ".go"}[strings.HasSuffix(name, ".go.txt")]), string(text))
	}
	goTool(t, dir, "vet", "./...")
	goTool(t, dir, "test", "-gcflags=-l", "./...")
}

// typeTable returns the entries of the table of types of the tests that run in a
// generated package.
func typeTable(pkg *ir.Package) string {
	var types strings.Builder
	for _, d := range pkg.Decls {
		if d.Kind != ir.Alias {
			fmt.Fprintf(&types, "\t%q: func() codec { return new(%s) },\n", d.Name, d.Name)
		}
	}
	return types.String()
}
