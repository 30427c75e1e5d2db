package main

import (
	"flag"
	"fmt"
	"go/token"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/weftcodec/weft/cmd/weft/gen"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

func genCommand() command {
	return command{
		name:  "gen",
		line:  "openapi DOC --out DIR [--package NAME] [--only models] [--overlay FILE] [--strict] [--check] | openapi DOC --list [--json]",
		short: "write a Go package for the types of an OpenAPI document",
		run:   runGen,
		help: `
DOC is an OpenAPI document, in YAML or JSON, in a file; what it refers to in
other files is read too. Every schema becomes a Go type in DIR, with methods that
read and write it as JSON and MessagePack and check what the document says while
they read. A field that may be absent is an opt.Val, one that may be null an
opt.Null, one that may be both an opt.Field.

  --out DIR       where the package goes; made when it is not there
  --package NAME  name of the package; by default after DIR
  --only models   what to write; models are all there is so far
  --overlay FILE  change the document as FILE says, an OpenAPI Overlay 1.0
                  document, before it is read; may be given again
  --strict        warnings about the document are errors
  --check         write nothing; fail when DIR is not what would be written
  --list          write nothing; print the operations with their Go types
  --json          print them as JSON

What is wrong with the document is printed as file:line:col: what, and what to
do. When that is an error nothing is written. Files of DIR that were not
generated are not touched; generated ones that are no longer needed are removed.`,
	}
}

func runGen(args []string, std streams) error {
	if len(args) > 0 && args[0] != "openapi" && !strings.HasPrefix(args[0], "-") {
		return misuse("cannot generate from %q: openapi is due", args[0])
	}
	flags := flag.NewFlagSet("gen openapi", flag.ContinueOnError)
	out := flags.String("out", "", "folder of the package")
	name := flags.String("package", "", "name of the package")
	only := flags.String("only", "models", "what to write")
	strict := flags.Bool("strict", false, "warnings are errors")
	check := flags.Bool("check", false, "write nothing, compare")
	var overlays []string
	flags.Func("overlay", "changes to the document", func(path string) error {
		overlays = append(overlays, path)
		return nil
	})
	list := flags.Bool("list", false, "print the operations")
	asJSON := flags.Bool("json", false, "print them as JSON")
	names, err := parse(flags, args)
	switch {
	case err != nil:
		return err
	case len(names) != 2 || names[0] != "openapi":
		return misuse("openapi and the name of one document are due")
	case *asJSON && !*list:
		return misuse("--json goes with --list")
	case *list:
		return listOperations(names[1], *asJSON, std, openapi.Strict(*strict), openapi.Overlays(overlays...))
	case *out == "":
		return misuse("--out is due: the folder for the package")
	case *only != "models":
		return misuse("--only %s: models is all there is", *only)
	case *name == "":
		if *name = packageName(*out); *name == "" {
			return misuse("the name of %s makes no package name: say --package", *out)
		}
	case !token.IsIdentifier(*name) || *name == "_":
		return misuse("--package %s: a Go identifier is due", *name)
	}
	doc, err := loadDocument(names[1], std, openapi.Strict(*strict), openapi.Overlays(overlays...))
	if err != nil {
		return err
	}
	files, warnings, err := gen.OpenAPI(doc, gen.Options{Package: *name, Source: filepath.Base(names[1])})
	if len(warnings) > 0 {
		fmt.Fprintln(std.err, warnings)
	}
	if err != nil {
		return err
	}
	if *check {
		return gen.Check(*out, files)
	}
	return gen.Write(*out, files)
}

// loadDocument reads the document in the file called name and prints what is
// wrong with it.
func loadDocument(name string, std streams, opts ...openapi.Option) (*openapi.Document, error) {
	doc, diags := openapi.Load(name, opts...)
	if len(diags) > 0 {
		fmt.Fprintln(std.err, diags)
	}
	if diags.Err() != nil {
		return nil, errPrinted
	}
	return doc, nil
}

// listOperations prints the operations of a document with their Go types.
func listOperations(name string, asJSON bool, std streams, opts ...openapi.Option) error {
	doc, err := loadDocument(name, std, opts...)
	if err != nil {
		return err
	}
	if asJSON {
		return gen.ListJSON(std.out, gen.Operations(doc))
	}
	return gen.List(std.out, gen.Operations(doc))
}

// packageName returns the name of the package in the folder, "" when there is
// none to be made of it.
func packageName(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, filepath.Base(abs))
	name = strings.TrimLeft(name, "0123456789")
	if !token.IsIdentifier(name) { // a keyword, or nothing
		return ""
	}
	return name
}
