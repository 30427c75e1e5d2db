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

// The reasons for which tests differ.
const (
	differsWhole   = "outcome: what cannot be written completely is not written, and the encoder goes on: docs/json.md"
	differsOneCall = "outcome: MarshalWrite gives the writer all in one call, and nothing if the value cannot be written"
	differsTag     = "outcome: the test sets a flag for the option string without a tag, which no exported option does"
	differsText    = "place: two values are not one text, which is the error before a method is called"
	differsKind    = "kind: a name that is written twice or is not UTF-8 is an error about the text, whatever type it is of"
	differsCycle   = "place: a cycle is found at another depth"
)

// v2Differs are the leaf tests that differ in whether there is an error and in the result, or in the kind and place of
// the error, each with the reason.
var v2Differs = map[string]string{
	"TestCoderBufferGrowth":                                     differsOneCall,
	"TestMarshalEncodeInvalidNamespaceAtName":                   differsWhole,
	"TestMarshalInvalidNamespace/Map":                           differsWhole,
	"TestMarshalInvalidNamespace/MapBadKey":                     differsWhole,
	"TestMarshalInvalidNamespace/Struct":                        differsWhole,
	"TestMarshal/Bools/StringifiedBool/False":                   differsTag,
	"TestMarshal/Bools/StringifiedBool/True":                    differsTag,
	"TestMarshal/Strings/StringifiedString":                     differsTag,
	"TestUnmarshal/Bools/StringifiedBool/False":                 differsTag,
	"TestUnmarshal/Bools/StringifiedBool/InvalidBool":           differsTag,
	"TestUnmarshal/Bools/StringifiedBool/True":                  differsTag,
	"TestUnmarshal/Strings/StringifiedString":                   differsTag,
	"TestUnmarshal/Strings/StringifiedString/InvalidString":     differsTag,
	"TestUnmarshal/Strings/StringifiedString/InvalidWhitespace": differsTag,
	"TestMarshal/Structs/Stringified/Ignored/Interface":         "outcome: option string ends at an interface",
	"TestMarshal/Structs/Invalid/UnexportedEmbeddedMethodTag":   "outcome: the field is not ignored",

	"TestUnmarshal/Methods/Invalid/JSONv2/TooMany":                             differsText,
	"TestMarshal/Functions/Map/Key/String/V1/DuplicateName":                    differsKind,
	"TestMarshal/Maps/DuplicateName/NoCaseString":                              differsKind,
	"TestMarshal/Structs/EmbeddedFallback/MapNamedStringAny/RejectInvalidUTF8": differsKind,
	"TestMarshal/Structs/EmbeddedFallback/MapStringAny/RejectInvalidUTF8":      differsKind,
	"TestMarshal/Interfaces/Any/Maps/Cyclic":                                   differsCycle,
	"TestMarshal/Interfaces/Any/Slices/Cyclic":                                 differsCycle,
}

// TestGOROOTV2 runs the tests that the Go toolchain has for encoding/json/v2 against this package under V2,
// rewritten to its exported API, and wants those of v2Differs and no others to differ.
func TestGOROOTV2(t *testing.T) {
	dir, src := t.TempDir(), gorootSource(t)
	if err := rewriteV2(dir, src); err != nil {
		t.Fatal(err)
	}
	all, notes := runModule(t, dir, "./v2")
	leaves, legacy, alone, wrong, wrongLegacy := 0, 0, 0, 0, 0
	words := map[string]int{}
	for _, name := range slices.Sorted(keys(all)) {
		r, note := all[name], notes[name]
		if !r.leaf {
			continue
		}
		what, _, _ := strings.Cut(note, ":")
		failed := r.status != "PASS"
		switch {
		case strings.HasPrefix(note, "legacy"):
			legacy++
			if failed {
				wrongLegacy++
			}
		case strings.HasPrefix(note, "alone"):
			leaves++
			alone++
			failed = false
		case failed:
			leaves++
			wrong++
		default:
			leaves++
			words[what]++
		}
		differs := failed || what == "place"
		if reason, known := v2Differs[name]; differs && !known {
			t.Errorf("%s %s %s\n%s", r.status, name, note, r.output)
		} else if known && !differs {
			t.Errorf("%s does not differ (%s): take it out of the table", name, reason)
		}
	}
	for name := range v2Differs {
		if !all[name].leaf {
			t.Errorf("%s is not a test: take it out of the table", name)
		}
	}
	t.Logf("%d leaf tests: %d with the same outcome, %d with kind and place, %d with the same error; %d of %d more "+
		"of encoding/json's options with the same outcome; "+
		"%d leave the target alone where the text is wrong and encoding/json/v2 fills it in part",
		leaves, leaves-wrong, leaves-wrong-words["place"], leaves-wrong-words["place"]-words["words"],
		legacy-wrongLegacy, legacy, alone)
	if leaves < 1000 {
		t.Error("the script lost tests")
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
	`case a.td != tt.want:`, `case a.td != tt.want && tt.wantErr != errInaccurateDateUnits:`, // it is not exported beside an error
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
