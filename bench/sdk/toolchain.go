package sdk

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"

	"github.com/weftcodec/weft/bench/corpus"
)

// Copied returns a Go file for this package, to be built with the tag jsontest: the types that the toolchain has for
// its documents, copied from its source, and the function that makes documents of them.
func Copied() ([]byte, error) {
	root, err := corpus.GOROOT()
	if err != nil {
		return nil, err
	}
	name := filepath.Join(root, "src/encoding/json/internal/jsontest/testdata.go")
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, nil, 0)
	if err != nil {
		return nil, fmt.Errorf("sdk: the Go toolchain lacks the types of its JSON test data: %w", err)
	}
	var b bytes.Buffer
	b.WriteString("//go:build jsontest\n\npackage sdk\n\nimport (\n\t\"errors\"\n\t\"time\"\n\n" +
		"\t\"github.com/weftcodec/weft/bench/corpus\"\n)\n\nvar _ = errors.New\n\n")
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			if d.Tok != token.TYPE || d.Specs[0].(*ast.TypeSpec).Name.Name == "Entry" {
				continue
			}
		case *ast.FuncDecl:
			if d.Recv == nil {
				continue
			}
		}
		if err := format.Node(&b, files, d); err != nil {
			return nil, fmt.Errorf("sdk: %w", err)
		}
		b.WriteString("\n\n")
	}
	b.WriteString("func toolchain() []Document {\n\treturn []Document{\n")
	for _, c := range [][2]string{
		{"canada_geometry", "canadaRoot"}, {"citm_catalog", "citmRoot"}, {"golang_source", "golangRoot"},
		{"string_unicode", "stringRoot"}, {"synthea_fhir", "syntheaRoot"}, {"twitter_status", "twitterRoot"},
	} {
		fmt.Fprintf(&b, "\t\t{corpus.Corpus{Name: \"go %s\", Data: corpus.Document(%[1]q), ", c[0])
		fmt.Fprintf(&b, "New: func() any { return new(%s) }}, \"none\"},\n", c[1])
	}
	b.WriteString("\t}\n}\n")
	return format.Source(b.Bytes())
}
