// Package sdk has what is measured on types that nobody wrote for a benchmark: those of public SDKs, filled from a seed,
// and those that the Go toolchain has for its own documents. The types themselves are in package sdktypes below it, which
// only the program in tables links: what the collector does for a call would otherwise be done for their data too,
// in every other group.
package sdk

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/bench/corpus"
)

// Document is a document with the Go type that fits it.
type Document struct {
	corpus.Corpus
	// Owner begins the names of the functions that belong to the type's SDK.
	Owner string
	// Codecs are for formats that do not call the methods of some types.
	Codecs []weft.Codec
}

// Modules lists the modules that the types are of.
var Modules = []string{
	"k8s.io/api", "github.com/google/go-github/v84", "github.com/aws/aws-lambda-go",
	"gitlab.com/gitlab-org/api/client-go", "github.com/moby/moby/api", "github.com/stripe/stripe-go/v83",
}

// Copied returns a Go file for package sdktypes, to be built with the tag jsontest: the types that the toolchain has for
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
	b.WriteString("//go:build jsontest\n\npackage sdktypes\n\nimport (\n\t\"errors\"\n\t\"time\"\n\n" +
		"\t\"github.com/weftcodec/weft/bench/corpus\"\n\t\"github.com/weftcodec/weft/bench/sdk\"\n)\n\nvar _ = errors.New\n\n")
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
	b.WriteString("func toolchain() []sdk.Document {\n\treturn []sdk.Document{\n")
	for _, c := range [][2]string{
		{"canada_geometry", "canadaRoot"}, {"citm_catalog", "citmRoot"}, {"golang_source", "golangRoot"},
		{"string_unicode", "stringRoot"}, {"synthea_fhir", "syntheaRoot"}, {"twitter_status", "twitterRoot"},
	} {
		fmt.Fprintf(&b, "\t\t{Corpus: corpus.Corpus{Name: \"go %s\", Data: corpus.Document(%[1]q), ", c[0])
		fmt.Fprintf(&b, "New: func() any { return new(%s) }}, Owner: \"none\"},\n", c[1])
	}
	b.WriteString("\t}\n}\n")
	return format.Source(b.Bytes())
}
