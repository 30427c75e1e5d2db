// Package gen turns an OpenAPI document into a Go package of types that read
// and write themselves.
//
// The document's schemas are lowered to an IR of Go-shaped types (gen/ir),
// which printers turn into text, one for each thing that is printed. The text
// depends on the document alone: the same document gives the same bytes.
package gen

import (
	"slices"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// Options say how to generate.
type Options struct {
	Package string // name of the Go package
	Source  string // name of the document, for the files' headers; may be empty

	// Select says which part of the document is generated.
	Select openapi.Selection
	// Rename gives Go names: to schemas by their name in the document or their
	// pointer, to members as "Schema.member".
	Rename map[string]string
	// Types are Go types, such as github.com/google/uuid.UUID, by the format of the
	// strings and numbers that are of them, or by number or integer for those of no
	// format.
	Types map[string]string
	// BareEnums names the constants of enums without the name of their type
	// before them, where that is unique.
	BareEnums bool
	// Unknown says what becomes of members that a schema neither describes nor
	// forbids.
	Unknown Unknown
	// Methods says which methods the types get.
	Methods ir.Methods
	// ByTag makes a file for the types of each tag, or of the first segment of paths,
	// beside one for those that several have to do with. Otherwise there is one file.
	ByTag bool
}

// Unknown says what becomes of members that a schema neither describes nor
// forbids.
type Unknown uint8

// The ways to treat unknown members.
const (
	IgnoreUnknown Unknown = iota // they are skipped
	KeepUnknown                  // they are kept, in the field Extra
	RefuseUnknown                // they are errors
)

// File is a generated file.
type File struct {
	Name string // base name
	Data []byte
}

// OpenAPI returns the Go package for the types of doc, and warnings about what
// the package does not check.
func OpenAPI(doc *openapi.Document, opts Options) ([]File, openapi.Diagnostics, error) {
	pkg, warnings := lower(doc, opts)
	pkg.Source = opts.Source
	slices.SortFunc(pkg.Decls, func(a, b *ir.Decl) int { return strings.Compare(a.Name, b.Name) })
	files, err := Print(pkg)
	return files, warnings, err
}
