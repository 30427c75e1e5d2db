package gen

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// Whatever is done to a document: it has errors, or it generates.
func TestMutatedDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks the library from source")
	}
	text, err := os.ReadFile("testdata/shapes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	words := bytes.Fields(text)
	rnd := rand.New(rand.NewPCG(1, 2))
	generated := 0
	check := typeChecker()
	for i := range 240 {
		var doc []byte
		switch i % 4 {
		case 0: // a line is missing
			at := rnd.IntN(len(lines))
			for k, line := range lines {
				if k != at {
					doc = append(doc, line...)
				}
			}
		case 1: // a line stands elsewhere
			from, to := rnd.IntN(len(lines)), rnd.IntN(len(lines))
			for k, line := range lines {
				if k == to {
					doc = append(doc, lines[from]...)
				}
				doc = append(doc, line...)
			}
		case 2: // a word is another
			from, to := words[rnd.IntN(len(words))], words[rnd.IntN(len(words))]
			doc = bytes.Replace(text, from, to, 1+rnd.IntN(3))
		case 3: // the end is missing
			doc = text[:rnd.IntN(len(text))]
		}
		parsed, diags := openapi.Parse("shapes.yaml", doc)
		if diags.Err() != nil {
			continue
		}
		generated++
		files, _, err := OpenAPI(parsed, Options{Package: "api"})
		if err == nil {
			err = check(files)
		}
		if err != nil {
			t.Fatalf("mutation %d: %v\n%s", i, err, doc)
		}
	}
	if generated < 20 {
		t.Errorf("only %d documents generated", generated)
	}
}

// typeChecker returns a function that type-checks the files of a package.
func typeChecker() func([]File) error {
	set := token.NewFileSet()
	library := importer.ForCompiler(set, "source", nil) // keeps what it has read
	return func(files []File) error {
		var parsed []*ast.File
		for _, f := range files {
			file, err := parser.ParseFile(set, f.Name, f.Data, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			parsed = append(parsed, file)
		}
		conf := types.Config{Importer: library}
		_, err := conf.Check("api", set, parsed, nil)
		return err
	}
}
