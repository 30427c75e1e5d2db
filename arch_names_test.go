package weft_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestArchExported bounds what a package exports, methods aside: the doors stay few. Names that are given up lower
// the bound.
func TestArchExported(t *testing.T) {
	for _, tt := range []struct {
		folder string
		most   int
	}{
		{".", 90}, {"json", 70}, {"json/legacy", 12}, {"json/shadow", 6}, {"msgpack", 60}, {"tagged", 40},
	} {
		t.Run(tt.folder, func(t *testing.T) {
			names := exportedNames(t, tt.folder)
			t.Logf("%s: %d", tt.folder, len(names))
			if len(names) > tt.most {
				t.Errorf("%s exports %d names, more than %d", tt.folder, len(names), tt.most)
			}
		})
	}
}

// exportedNames returns the exported names that the files of a folder declare outside of their tests.
func exportedNames(t *testing.T, folder string) map[string]bool {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string]bool)
	add := func(id *ast.Ident) {
		if id.IsExported() {
			names[id.Name] = true
		}
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(d.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						add(s.Name)
					case *ast.ValueSpec:
						for _, n := range s.Names {
							add(n)
						}
					}
				}
			}
		}
	}
	return names
}
