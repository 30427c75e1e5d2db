//go:build goexperiment.jsonv2 && go1.27

package json_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// v2Files are the test files of encoding/json/v2 that run against V2, each with the functions that are left
// out because they call what is not exported, or do not test.
var v2Files = map[string][]string{
	"arshal_test.go":                {"TestUintSet"},
	"arshal_time_test.go":           nil,
	"example_marshaljson_test.go":   nil,
	"example_orderedobject_test.go": nil,
	"example_test.go":               nil,
}

// v2Bars are the numbers of leaf tests that may differ in whether there is an error and in the result, and
// beyond them in the kind and place of the error; and of tests of encoding/json's options that may differ in outcome. Most
// of these set a flag for the option string of a tag without a tag, which is not exported.
var v2Bars = struct{ outcome, place, legacy int }{8, 26, 11}

// TestGOROOTV2 runs the tests that the Go toolchain has for encoding/json/v2 against this package under V2,
// rewritten to its exported API.
func TestGOROOTV2(t *testing.T) {
	dir, src := t.TempDir(), gorootSource(t)
	if err := rewriteV2(dir, src); err != nil {
		t.Fatal(err)
	}
	all, differ := runModule(t, dir, "./v2")
	leaves, legacy, alone, wrong, wrongLegacy := 0, 0, 0, 0, 0
	words := map[string]int{}
	for _, name := range slices.Sorted(keys(all)) {
		r, d := all[name], differ[name]
		switch {
		case !r.leaf:
		case strings.HasPrefix(d, "legacy"):
			legacy++
			if r.status != "PASS" {
				wrongLegacy++
				t.Logf("legacy %s %s\n%s", r.status, name, r.output)
			}
		case strings.HasPrefix(d, "alone"):
			leaves++
			alone++
		case r.status != "PASS":
			leaves++
			wrong++
			t.Logf("%s %s\n%s", r.status, name, r.output)
		default:
			leaves++
			what, _, _ := strings.Cut(d, ":")
			words[what]++
			if what == "place" {
				t.Logf("%s: %s", name, d)
			}
		}
	}
	t.Logf("%d leaf tests: %d with the same outcome, %d with kind and place, %d with the same error; %d of %d more "+
		"of encoding/json's options with the same outcome; "+
		"%d leave the target alone where the text is wrong and encoding/json/v2 fills it in part",
		leaves, leaves-wrong, leaves-wrong-words["place"], leaves-wrong-words["place"]-words["words"], legacy-wrongLegacy, legacy, alone)
	if leaves < 1000 {
		t.Error("the script lost tests")
	}
	if wrongLegacy > v2Bars.legacy {
		t.Errorf("%d leaf tests of encoding/json's options differ in outcome, at most %d should", wrongLegacy, v2Bars.legacy)
	}
	if wrong > v2Bars.outcome || wrong+words["place"] > v2Bars.place {
		t.Errorf("%d leaf tests differ in outcome, at most %d should; %d with kind and place, at most %d should",
			wrong, v2Bars.outcome, wrong+words["place"], v2Bars.place)
	}
}

// gorootSource returns the folder of encoding/json in the toolchain's sources, and skips t without them.
func gorootSource(t *testing.T) string {
	src := filepath.Join(runtime.GOROOT(), "src/encoding/json")
	if _, err := os.Stat(src); err != nil {
		t.Skip("no sources of the toolchain: ", err)
	}
	return src
}

// v2Texts are replaced in every file that is copied.
var v2Texts = strings.NewReplacer(
	`"encoding/json/internal`, `"goroottest/internal`,
	`"encoding/json/jsontext"`, `"`+weftPath+`/jsontext"`,
	`"encoding/json/v2"`, `"goroottest/v2"`,
	`"internal/zstd"`, `"goroottest/internal/zstd"`,
	`//go:build goexperiment.jsonv2`, ``,
	`json.SemanticError`, `json.SubjectError`,
	`reflect.DeepEqual(gotErr, tt.wantErr)`, `sameErr(t, tt.opts, gotErr, tt.wantErr)`,
	`reflect.DeepEqual(err, tt.err)`, `sameErr(t, nil, err, tt.err)`,
	`errors.Is(err, jsonwire.ErrInvalidUTF8)`, `strings.Contains(fmt.Sprint(err), "invalid UTF-8")`, // it is not exported
	`if !reflect.DeepEqual(got, tt.want) && tt.want != nil {`, `if !sameValue(t, got, tt.want, tt.wantErr) && tt.want != nil {`,
	`if string(got) != tt.want {`, `if string(got) != tt.want && tt.wantErr == nil {`,
)

// What is exported of coders stands for what is not.
var (
	v2Coders  = regexp.MustCompile(`(xe|xd) := export\.(?:En|De)coder\((\w+)\)`)
	v2Lengths = regexp.MustCompile(`len\((x[ed])\.Tokens\.Stack\), x[ed]\.Tokens\.Last\.Length\(\)`)
)

// rewriteV2 writes a module into dir that runs encoding/json/v2's own tests.
func rewriteV2(dir, src string) error {
	for _, from := range []string{"internal", "internal/jsonflags", "internal/jsonopts", "internal/jsonwire", "internal/jsontest"} {
		if err := copyGo(filepath.Join(dir, from), filepath.Join(src, from)); err != nil {
			return err
		}
	}
	if err := copyGo(filepath.Join(dir, "internal/zstd"), filepath.Join(src, "../../internal/zstd")); err != nil {
		return err
	}
	const embedded = "internal/jsontest/_embed"
	if err := os.CopyFS(filepath.Join(dir, embedded), os.DirFS(filepath.Join(src, embedded))); err != nil {
		return err
	}
	if err := rewriteTests(dir, src, "v2", v2Files, func(text string) string {
		text = v2Coders.ReplaceAllString(v2Texts.Replace(text), "$1 := $2")
		return v2Lengths.ReplaceAllString(text, "$1.StackDepth(), length($1)")
	}); err != nil {
		return err
	}
	return rewriteTests(dir, src, "jsontext", textFiles, func(text string) string {
		return textResets.ReplaceAllString(textTexts.Replace(text), "dec.Reset(bytes.NewReader($1))")
	})
}

// rewriteTests writes the test files of a package of encoding/json into the module at dir, and what they need beside.
func rewriteTests(dir, src, pkg string, files map[string][]string, rewrite func(text string) string) error {
	shim, err := os.ReadFile("testdata/goroot/" + pkg + "_shim.go.txt")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, pkg), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, pkg, "shim.go"), shim, 0o644); err != nil {
		return err
	}
	for name, dropped := range files {
		text, err := os.ReadFile(filepath.Join(src, pkg, name))
		if err != nil {
			return err
		}
		b := []byte(rewrite(string(text)))
		if !strings.HasPrefix(name, "example") { // they need their comments
			if b, err = drop(name, string(b), dropped); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(dir, pkg, name), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// copyGo copies the Go files of a folder that are not tests.
func copyGo(to, from string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	names, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text := v2Texts.Replace(string(b))
		if err := os.WriteFile(filepath.Join(to, filepath.Base(name)), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// drop removes functions, benchmarks and imports that are not used from the text of a file.
func drop(name, text string, dropped []string) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, 0)
	if err != nil {
		return nil, err
	}
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && (slices.Contains(dropped, fn.Name.Name) || strings.HasPrefix(fn.Name.Name, "Benchmark"))
	})
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool {
				i := s.(*ast.ImportSpec)
				base := strings.Trim(i.Path.Value[strings.LastIndexByte(i.Path.Value, '/')+1:], `"`)
				return i.Name == nil && !used[base] && base != "v2" || i.Name != nil && i.Name.Name != "." && !used[i.Name.Name]
			})
		}
	}
	var out bytes.Buffer
	if err := (&printer.Config{Mode: printer.TabIndent, Tabwidth: 8}).Fprint(&out, fset, f); err != nil {
		return nil, fmt.Errorf("%s: %v", name, err)
	}
	return out.Bytes(), nil
}
