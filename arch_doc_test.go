package weft_test

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// docPackages are the packages whose documentation people read, with the most lines that go doc may print: two screens.
var docPackages = map[string]int{
	".": 100, "backend": 100, "json": 100, "json/jsontext": 100, "json/jsonlog": 100, "json/legacy": 100,
	"json/shadow": 100, "msgpack": 100, "cbor": 100,
	"cbor/cboritem": 100, "tagged": 100, "value": 100, "opt": 100, "opt/slim": 100, "file": 100, "compress": 100,
	"schema": 100, "web": 100, "column": 100, "flow": 100, "contrib/*": 50,
}

// docInner are the functions that generated code and formats call, beside those whose comments say so.
var docInner = []string{"PartsOf"}

// TestArchDoc holds the documentation of packages to what CONTRIBUTING.md says: it fits two screens, names what matters
// first, and has an Example for each function that people call, whose output is checked.
func TestArchDoc(t *testing.T) {
	for pattern, most := range docPackages {
		folders, err := filepath.Glob(pattern)
		if err != nil || len(folders) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, folder := range folders {
			t.Run(folder, func(t *testing.T) { checkDoc(t, folder, most) })
		}
	}
}

var (
	docLink = regexp.MustCompile(`(?:^|\W)\[([A-Z]\w*(?:\.[A-Z]\w*)?)\]`)
	forCode = regexp.MustCompile(`It is for (format packages|generated code|package \w+)\.`)
)

func checkDoc(t *testing.T, folder string, most int) {
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files, tests []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") {
			tests = append(tests, f)
		} else {
			files = append(files, f)
		}
	}
	p, err := doc.NewFromFiles(fset, files, folder)
	if err != nil {
		t.Fatal(err)
	}

	all := make(map[string]bool) // exported names
	values := func(list []*doc.Value) {
		for _, v := range list {
			for _, name := range v.Names {
				all[name] = true
			}
		}
	}
	funcs := p.Funcs
	values(p.Consts)
	values(p.Vars)
	for _, typ := range p.Types {
		all[typ.Name] = true
		values(typ.Consts)
		values(typ.Vars)
		funcs = append(funcs, typ.Funcs...)
		for _, m := range typ.Methods {
			all[typ.Name+"."+m.Name] = true
		}
	}
	for _, f := range funcs {
		all[f.Name] = true
	}
	links := docLink.FindAllStringSubmatch(p.Doc, -1)
	for _, l := range links {
		if !all[l[1]] {
			t.Errorf("the comment of the package names %s, which it does not export", l[1])
		}
	}
	if len(funcs) > 5 && len(links) < 3 && !strings.HasPrefix(folder, "contrib/") {
		t.Errorf("the comment of the package names %d of its functions and types: list those that matter", len(links))
	}

	shown := make(map[string]bool) // by an example
	for _, e := range doc.Examples(tests...) {
		name, _, _ := strings.Cut(e.Name, "_")
		shown[name] = true
		if e.Output == "" && !e.EmptyOutput && !strings.HasPrefix(folder, "contrib/") {
			t.Errorf("Example%s has no output", e.Name)
		}
		ast.Inspect(e.Code, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && (x.Name == p.Name || x.Name == "weft"+p.Name) {
					shown[s.Sel.Name] = true
				}
			}
			return true
		})
	}
	for _, f := range funcs {
		if !shown[f.Name] && !forCode.MatchString(f.Doc) && !slices.Contains(docInner, f.Name) {
			t.Errorf("%s has no Example, and none calls it", f.Name)
		}
	}

	cmd := exec.Command("go", "doc")
	cmd.Dir = folder
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	n := bytes.Count(out, []byte("\n"))
	t.Logf("%d lines, %d functions, %d names first", n, len(funcs), len(links))
	if n > most {
		t.Errorf("go doc prints %d lines, more than %d", n, most)
	}
}
