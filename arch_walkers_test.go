package weft_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestArchWalkers wants docs/engine.md to name the functions that go through JSON text from bracket to comma by
// themselves, and no others: those that compare a byte with a comma and with a bracket.
func TestArchWalkers(t *testing.T) {
	doc, err := os.ReadFile("docs/engine.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(doc), "\n## Walkers of JSON text\n")
	if !ok {
		t.Fatal("docs/engine.md has no section about walkers")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	named := map[string]bool{}
	for row := range strings.Lines(section) {
		if cells := strings.Split(row, "|"); len(cells) > 3 {
			for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(cells[3], -1) {
				named[m[1]] = true
			}
		}
	}
	for _, dir := range []string{"json", "json/jsontext", "internal/wire"} {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && walks(fn) {
					if !named[fn.Name.Name] {
						t.Errorf("%s: %s goes through JSON text by itself: build it on wire.Walker, or name it in docs/engine.md", name, fn.Name.Name)
					}
					named[fn.Name.Name] = false
				}
			}
		}
	}
	for name, missing := range named {
		if missing {
			t.Errorf("docs/engine.md: %s does not go through JSON text", name)
		}
	}
}

// walks reports whether a function compares with a comma and with a bracket.
func walks(fn *ast.FuncDecl) bool {
	var with []string
	compared := func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			if b, ok := n.(*ast.BasicLit); ok && b.Kind == token.CHAR {
				with = append(with, b.Value)
			}
			_, call := n.(*ast.CallExpr)
			return !call
		})
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				compared(n.X)
				compared(n.Y)
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				compared(e)
			}
		}
		return true
	})
	bracket := func(s string) bool { return len(s) == 3 && strings.Contains("[]{}", s[1:2]) }
	return slices.Contains(with, "','") && slices.ContainsFunc(with, bracket)
}
