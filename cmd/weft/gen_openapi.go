package main

import (
	"flag"
	"fmt"
	"go/token"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"unicode"

	"github.com/weftcodec/weft/cmd/weft/gen"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

func genCommand() command {
	return command{
		name:  "gen",
		line:  "openapi DOC --out DIR [--package NAME] [--overlay FILE] [--config FILE] [--check] … | openapi DOC --list [--json]",
		short: "write a Go package for the types of an OpenAPI document",
		run:   runGen,
		words: []string{"openapi"},
		flags: func(flags *flag.FlagSet) { newGenFlags(flags) },
		choices: map[string][]string{
			"only": {"models"}, "enum-prefix": {"type", "none"}, "unknown": {"ignore", "keep", "refuse"},
			"layout": {"one", "tags"},
		},
		help: `
DOC is the file of an OpenAPI document, in YAML or JSON, or - for the standard
input. Files that it refers to are read too. Every schema becomes a Go type in DIR,
with the constraints of the document in tags and rules. Every format of weft reads,
checks and writes the type; encoding/json calls its generated methods. A scalar that
may be absent is a slim.Val, one that may be null a slim.Null, and one that may be
both a slim.Field. An object that may be missing is a pointer; a missing list, map
or union is nil. One that may be both absent and null is in a slim.Field.

  --out DIR       the directory of the package; created if it does not exist
  --package NAME  name of the package; by default the name of DIR
  --only models   what to write; only models are supported
  --overlay FILE  apply FILE, an OpenAPI Overlay 1.0 document, to the document
                  before it is read; may be repeated
  --strict        treat warnings about the document as errors
  --check         write nothing; fail if DIR is not up to date
  --config FILE   read the options from FILE, in YAML: their names and values, lists
                  for those that may be repeated, and document for DOC; file names
                  in it are relative to it
  --list          write nothing; print the operations with their Go types
  --json          print them as JSON

Selecting what is written (each flag may be repeated; * matches any part of a name
without a slash, /** at the end matches everything that follows; types that a
selected part refers to are also written):

  --tag, --path, --schema NAME           only these
  --no-tag, --no-path, --no-schema NAME  all but these; a reference to an omitted
                  schema accepts any value
  --ignore FILE   omit what FILE lists, one per line, such as "path /admin/**"

How it is written:

  --rename OLD=NEW      Go name of a schema, or of a member as Schema.member;
                        may be repeated. In the document, x-go-name does the same,
                        and x-go-type sets your own type
  --type FORMAT=TYPE    Go type for strings or numbers of a format, such as
                        uuid=github.com/google/uuid.UUID or ipv4=netip.Addr. The
                        names number and integer stand for numbers without a
                        format, by default float64 and int64: number=json.Number
                        keeps every digit; may be repeated
  --enum-prefix PREFIX  type: constants begin with the name of their type; none:
                        they do not, unless the name would not be unique
  --unknown HOW         members that a schema neither describes nor forbids:
                        ignore, keep (in the field Extra) or refuse
  --no-marshal          omit MarshalJSON, with which encoding/json writes the types
  --no-unmarshal        omit UnmarshalJSON, with which encoding/json reads them
  --layout LAYOUT       one: a single file; tags: a file for the types of each tag
                        (or of the first path segment if an operation has no tag),
                        and one file for types that several tags use

Problems in the document are printed as file:line:col: what is wrong, and what to
do. If one is an error, nothing is written. Files in DIR that were not generated
are not changed; generated files that are no longer needed are removed.`,
	}
}

func runGen(args []string, std streams) error {
	if len(args) > 0 && args[0] != "openapi" && !strings.HasPrefix(args[0], "-") {
		return misuse("cannot generate from %q: expected openapi", args[0])
	}
	flags := flag.NewFlagSet("gen openapi", flag.ContinueOnError)
	g := newGenFlags(flags)
	g.input.in = std.in
	names, err := parse(flags, args)
	if err != nil {
		return err
	}
	if names, err = g.readConfig(flags, names); err != nil {
		return err
	}
	switch {
	case len(names) != 2 || names[0] != "openapi":
		return misuse("expected openapi and the name of one document")
	case g.asJSON && !g.list:
		return misuse("--json goes with --list")
	case g.list:
		opts, err := g.options()
		if err != nil {
			return err
		}
		doc, err := g.load(names[1], std)
		if err != nil {
			return err
		}
		if g.asJSON {
			return listJSON(std.out, gen.Operations(doc, opts))
		}
		return listText(std.out, gen.Operations(doc, opts))
	case g.out == "":
		return misuse("--out is missing: name the folder for the package")
	}
	opts, err := g.options()
	if err != nil {
		return err
	}
	// A large document makes much that lives to the end: collecting it again
	// and again is a quarter of the time. Half a gigabyte is where it begins.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(512 << 20))
	doc, err := g.load(names[1], std)
	if err != nil {
		return err
	}
	opts.Source = filepath.Base(shownName(names[1]))
	files, warnings, err := gen.OpenAPI(doc, opts)
	if len(warnings) > 0 {
		fmt.Fprintln(std.err, warnings)
	}
	if err != nil {
		return err
	}
	if g.check {
		return checkPackage(g.out, files)
	}
	return writePackage(g.out, files)
}

// load reads the document in the file called name and prints what is wrong with
// it.
func (g *genFlags) load(name string, std streams) (*openapi.Document, error) {
	opts := []openapi.Option{openapi.Strict(g.strict), openapi.Overlays(g.overlays...)}
	if slices.Contains(g.overlays, "-") {
		opts = append(opts, openapi.ReadFile(g.input.read))
	}
	var doc *openapi.Document
	var diags openapi.Diagnostics
	if name != "-" {
		doc, diags = openapi.Load(name, opts...)
	} else if data, err := g.input.read(name); err != nil {
		return nil, err
	} else {
		doc, diags = openapi.Parse(standardInput, data, opts...)
	}
	if len(diags) > 0 {
		fmt.Fprintln(std.err, diags)
	}
	if diags.Err() != nil {
		return nil, errPrinted
	}
	return doc, nil
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
