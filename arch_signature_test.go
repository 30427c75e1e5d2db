package weft_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// No exported function, and no exported method of an exported type, has a type of internal/ in its signature: nobody
// outside of the module could call it.
func TestArchSignatures(t *testing.T) {
	for _, folder := range []string{".", "backend", "json", "msgpack", "cbor", "tagged", "value", "schema", "opt", "file", "compress"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", folder, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range internalSignatures(f) {
				t.Errorf("%s: %s has a type of internal/ in its signature", name, found)
			}
		}
	}
}

// internalSignatures returns the exported functions of the file that have a type of internal/ in their signatures.
func internalSignatures(f *ast.File) (found []string) {
	inner := make(map[string]bool) // names of packages
	for _, i := range f.Imports {
		if p, _ := strconv.Unquote(i.Path.Value); strings.Contains(p, "/internal/") {
			name := path.Base(p)
			if i.Name != nil {
				name = i.Name.Name
			}
			inner[name] = true
		}
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || !fn.Name.IsExported() || !archExportedReceiver(fn) {
			continue
		}
		within := false
		ast.Inspect(fn.Type, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				x, ok := s.X.(*ast.Ident)
				within = within || ok && inner[x.Name]
			}
			return true
		})
		if !within {
			continue
		}
		name := fn.Name.Name
		if fn.Recv != nil {
			recv := fn.Recv.List[0].Type
			if p, ok := recv.(*ast.StarExpr); ok {
				recv = p.X
			}
			if id, ok := recv.(*ast.Ident); ok {
				name = id.Name + "." + name
			}
		}
		found = append(found, name)
	}
	return found
}
