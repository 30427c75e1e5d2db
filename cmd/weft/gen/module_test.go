package gen

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// module generates the package for a document into a module of its own, in a
// workspace with the library, and returns the module's folder.
func module(t *testing.T, path string) (dir string, pkg *ir.Package) {
	t.Helper()
	doc, diags := openapi.Load(path)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	dir = workspace(t)
	given := map[string]string{"exact": "encoding/json.Number", "addr": "net/netip.Addr"}
	return dir, printed(t, dir, doc, filepath.Base(path), Options{Package: "api", Types: given})
}

// workspace returns the folder of a new module, in a workspace with the library.
func workspace(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go .*$`).FindString(string(mod))
	write(t, filepath.Join(dir, "go.mod"), "module example.com/generated\n\n"+version+"\n\nrequire "+modulePath+" v0.0.0\n")
	write(t, filepath.Join(dir, "go.work"), fmt.Sprintf("%s\n\nuse (\n\t.\n\t%q\n)\n", version, root))
	return dir
}

// printed writes the package for a document, which is called source, into a folder of the module.
func printed(t *testing.T, dir string, doc *openapi.Document, source string, opts Options) *ir.Package {
	t.Helper()
	pkg, _ := lower(doc, opts)
	pkg.Source = source
	files, err := Print(pkg)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, opts.Package), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		write(t, filepath.Join(dir, opts.Package, f.Name), string(f.Data))
	}
	return pkg
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// goTool runs the go command in dir. Tests of printed packages are compiled
// without inlining, with which they take twice as long.
func goTool(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work"), "GOFLAGS=", "TZ=UTC")
	if out, err := cmd.CombinedOutput(); err != nil {
		text := string(out)
		if len(text) > 60000 {
			text = text[:60000] + "…"
		}
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, text)
	}
}

// addFile adds a file of testdata to the module's package. Go files have .txt behind
// their names there, and are changed by replace, pairs of what stands in them and
// what is to.
func addFile(t *testing.T, dir, name string, replace ...string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if base, ok := strings.CutSuffix(name, ".go.txt"); ok {
		name = base + ".go"
	}
	write(t, filepath.Join(dir, "api", name), strings.NewReplacer(replace...).Replace(string(text)))
}

// addTypes adds to the module's tests the table of its types.
func addTypes(t *testing.T, dir string, pkg *ir.Package) {
	t.Helper()
	addFile(t, dir, "types_test.go.txt", "\t// TYPES\n", typeTable(pkg))
}

// typeTable returns the entries of the table of types of the tests that run in a
// generated package.
func typeTable(pkg *ir.Package) string {
	var types strings.Builder
	for _, d := range pkg.Decls {
		if d.Kind != ir.Alias {
			fmt.Fprintf(&types, "\t%q: func() any { return new(%s) },\n", d.Name, d.Name)
		}
	}
	return types.String()
}

// addRoundTrip adds to the module a test that takes n samples of each type
// through both formats.
func addRoundTrip(t *testing.T, dir string, pkg *ir.Package, n int) {
	t.Helper()
	data, err := json.Marshal(samples(t, pkg, n))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "api", "samples.json"), string(data))
	addFile(t, dir, "roundtrip_test.go.txt")
	addTypes(t, dir, pkg)
}

// The methods of generated types write what the plan and the protocol write, in
// every format.
func TestLaw(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	dir, pkg := module(t, "testdata/law.yaml")
	addRoundTrip(t, dir, pkg, 20)
	addFile(t, dir, "law_test.go.txt")
	addFile(t, dir, "law_v2_test.go.txt")
	goTool(t, dir, "vet", "./...")
	goTool(t, dir, "test", "-gcflags=-l", "./...")
	t.Setenv("GOEXPERIMENT", "jsonv2") // what newer releases have in any case
	goTool(t, dir, "test", "-gcflags=-l", "-run", "V2", "./...")
}
