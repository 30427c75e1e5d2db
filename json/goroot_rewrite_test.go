package json_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// gorootFiles are encoding/json's classic test files: those built without
// GOEXPERIMENT=jsonv2. Go 1.27 keeps them under the same names.
var gorootFiles = []string{
	"decode_test.go", "encode_test.go", "example_marshaling_test.go", "example_test.go", "example_text_marshaling_test.go",
	"fuzz_test.go", "number_test.go", "scanner_test.go", "stream_test.go", "tagkey_test.go",
}

// gorootSkipped are the classic test files that are left out, with the reason.
var gorootSkipped = map[string]string{
	"bench_test.go": "holds benchmarks only",
	"fold_test.go": "calls only foldName, a function that is not part of the package's behaviour; " +
		"TestFold here covers folding through Unmarshal",
	"tags_test.go": "calls only parseTag, a function that is not part of the package's behaviour; " +
		"the differential test covers tags",
}

// rewriteGOROOT writes a module into dir that runs encoding/json's own tests
// against the package of the given import path through its exported API.
//
// The tests stay a package named json, so that the types they declare print as
// they do in encoding/json, and refer to the package under test by its import
// name subject: every identifier that no test file declares is qualified.
// Literals of error types with unexported fields become calls of the shim.
func rewriteGOROOT(dir, src, subjectPath, shim string) error {
	fset := token.NewFileSet()
	files := map[string]*ast.File{}
	declared := map[string]bool{}
	shimFile, err := parser.ParseFile(fset, "shim_test.go", shim, 0)
	if err != nil {
		return err
	}
	collectDeclared(declared, shimFile)
	delete(declared, "subject")
	for _, name := range gorootFiles {
		f, err := parser.ParseFile(fset, filepath.Join(src, name), nil, parser.ParseComments)
		if err != nil {
			return err
		}
		files[name] = f
		if f.Name.Name == "json" {
			collectDeclared(declared, f)
		}
	}
	for name, f := range files {
		if f.Name.Name == "json" {
			qualify(f, declared)
			rewriteLiterals(f)
			addImport(f, "subject", subjectPath)
		} else {
			redirectImport(f, subjectPath)
		}
		dropBuildTag(f)
		var out bytes.Buffer
		if err := (&printer.Config{Mode: printer.SourcePos | printer.TabIndent, Tabwidth: 8}).Fprint(&out, fset, f); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	shim = strings.ReplaceAll(shim, "SUBJECT", subjectPath)
	if err := os.WriteFile(filepath.Join(dir, "shim_test.go"), []byte(shim), 0o644); err != nil {
		return err
	}
	return checkGOROOTFiles(src)
}

// checkGOROOTFiles fails when the toolchain has a classic test file that is
// neither rewritten nor left out for a reason: a new Go release added tests.
func checkGOROOTFiles(src string) error {
	entries, err := os.ReadDir(src)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "v2_") || slices.Contains(gorootFiles, name) {
			continue
		}
		if _, ok := gorootSkipped[name]; !ok {
			return fmt.Errorf("%s: a test file of encoding/json that the script does not know", name)
		}
	}
	return nil
}

// collectDeclared adds the package-level names of a file.
func collectDeclared(declared map[string]bool, f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				declared[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					declared[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range s.Names {
						declared[n.Name] = true
					}
				}
			}
		}
	}
}

// qualify turns the identifiers that come from the package under test into
// selectors of it.
func qualify(f *ast.File, declared map[string]bool) {
	imported := map[string]bool{}
	for _, s := range f.Imports {
		path, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if s.Name != nil {
			name = s.Name.Name
		}
		imported[name] = true
	}
	for _, id := range f.Unresolved {
		if !declared[id.Name] && !imported[id.Name] && types.Universe.Lookup(id.Name) == nil {
			id.Name = "subject." + id.Name
		}
	}
}

// constructors replace literals of types with unexported fields.
var constructors = map[string]struct {
	shim   string
	fields []string
}{
	"subject.SyntaxError":    {"newSyntaxError", []string{"msg", "Offset"}},
	"subject.MarshalerError": {"newMarshalerError", []string{"Type", "Err", "sourceFunc"}},
}

// rewriteLiterals replaces &SyntaxError{…} and &MarshalerError{…} by calls of
// the shim, and names the fields of UnmarshalTypeError literals, because the
// type has one field more when encoding/json stands on encoding/json/v2.
func rewriteLiterals(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if id, ok := n.Type.(*ast.Ident); ok && id.Name == "subject.UnmarshalTypeError" {
				nameFields(n, []string{"Value", "Type", "Offset", "Struct", "Field"})
			}
			for i := range n.Elts {
				replaceLiteral(&n.Elts[i])
			}
		case *ast.KeyValueExpr:
			replaceLiteral(&n.Value)
		case *ast.AssignStmt:
			for i := range n.Rhs {
				replaceLiteral(&n.Rhs[i])
			}
		case *ast.CallExpr:
			for i := range n.Args {
				replaceLiteral(&n.Args[i])
			}
		case *ast.ReturnStmt:
			for i := range n.Results {
				replaceLiteral(&n.Results[i])
			}
		}
		return true
	})
}

// replaceLiteral replaces *e when it is the address of a literal that has a
// constructor.
func replaceLiteral(e *ast.Expr) {
	u, ok := (*e).(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return
	}
	lit, ok := u.X.(*ast.CompositeLit)
	if !ok {
		return
	}
	id, ok := lit.Type.(*ast.Ident)
	if !ok {
		return
	}
	c, ok := constructors[id.Name]
	if !ok {
		return
	}
	nameFields(lit, c.fields)
	args := make([]ast.Expr, len(c.fields))
	for i, name := range c.fields {
		args[i] = &ast.BasicLit{Kind: token.STRING, Value: `""`, ValuePos: lit.Pos()}
		if name == "Offset" {
			args[i] = &ast.BasicLit{Kind: token.INT, Value: "0", ValuePos: lit.Pos()}
		}
		for _, el := range lit.Elts {
			if kv := el.(*ast.KeyValueExpr); kv.Key.(*ast.Ident).Name == name {
				args[i] = kv.Value
			}
		}
	}
	*e = &ast.CallExpr{Fun: &ast.Ident{Name: c.shim, NamePos: lit.Pos()}, Lparen: lit.Lbrace, Args: args, Rparen: lit.Rbrace}
}

// nameFields gives the elements of a literal without keys the names of the
// fields.
func nameFields(lit *ast.CompositeLit, fields []string) {
	for i, el := range lit.Elts {
		if _, ok := el.(*ast.KeyValueExpr); !ok {
			lit.Elts[i] = &ast.KeyValueExpr{Key: &ast.Ident{Name: fields[i], NamePos: el.Pos()}, Colon: el.Pos(), Value: el}
		}
	}
}

// addImport imports path under a name.
func addImport(f *ast.File, name, path string) {
	used := false
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		used = used || ok && strings.HasPrefix(id.Name, name+".")
		return !used
	})
	if !used {
		name = "_"
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			d.Specs = append(d.Specs, &ast.ImportSpec{
				Name: &ast.Ident{Name: name, NamePos: d.Rparen},
				Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(path), ValuePos: d.Rparen},
			})
			return
		}
	}
}

// redirectImport makes an example import the package under test in place of
// encoding/json.
func redirectImport(f *ast.File, path string) {
	for _, s := range f.Imports {
		if s.Path.Value == `"encoding/json"` {
			s.Name = &ast.Ident{Name: "json", NamePos: s.Path.ValuePos}
			s.Path.Value = strconv.Quote(path)
		}
	}
}

// dropBuildTag removes the constraint to GOEXPERIMENT=nojsonv2: the package
// under test keeps the classic behaviour with and without it.
func dropBuildTag(f *ast.File) {
	f.Comments = slices.DeleteFunc(f.Comments, func(g *ast.CommentGroup) bool {
		return strings.HasPrefix(g.List[0].Text, "//go:build ")
	})
}
