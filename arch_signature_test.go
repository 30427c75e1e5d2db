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

// No exported function, no exported method of an exported type, and no exported field of one, embedded or not, has a type of
// internal/: nobody outside of the module could use it.
func TestArchSignatures(t *testing.T) {
	for _, folder := range []string{".", "backend", "json", "json/jsontext", "json/jsonlog",
		"json/legacy", "json/shadow", "msgpack", "cbor", "tagged", "value", "schema", "opt", "file", "compress"} {
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
				t.Errorf("%s: %s has a type of internal/", name, found)
			}
		}
	}
}

// internalSignatures returns the exported functions and fields of the file that have a type of internal/.
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
	within := func(n ast.Node) (found bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				x, ok := s.X.(*ast.Ident)
				found = found || ok && inner[x.Name]
			}
			return true
		})
		return found
	}
	for _, d := range f.Decls {
		if types, ok := d.(*ast.GenDecl); ok {
			for _, s := range types.Specs {
				t, ok := s.(*ast.TypeSpec)
				if !ok || !t.Name.IsExported() {
					continue
				}
				fields, ok := t.Type.(*ast.StructType)
				if !ok {
					continue
				}
				for _, field := range fields.Fields.List {
					if archExportedField(field) && within(field.Type) {
						found = append(found, "a field of "+t.Name.Name)
					}
				}
			}
			continue
		}
		fn, ok := d.(*ast.FuncDecl)
		if !ok || !fn.Name.IsExported() || !archExportedReceiver(fn) || !within(fn.Type) {
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

// archExportedField reports whether the field, or the type that it embeds, is exported.
func archExportedField(f *ast.Field) bool {
	for _, name := range f.Names {
		if name.IsExported() {
			return true
		}
	}
	if len(f.Names) > 0 {
		return false
	}
	t := f.Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	switch t := t.(type) {
	case *ast.SelectorExpr:
		return t.Sel.IsExported()
	case *ast.Ident:
		return t.IsExported()
	}
	return false
}
