// Package gen turns an OpenAPI document into a Go package of types that read
// and write themselves.
//
// The document's schemas are lowered to an IR of Go-shaped types (gen/ir),
// which printers turn into text, one for each thing that is printed. The text
// depends on the document alone: the same document gives the same bytes.
package gen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// Options say how to generate.
type Options struct {
	Package string // name of the Go package
	Source  string // name of the document, for the files' headers; may be empty

	// Select says which part of the document is generated.
	Select Selection
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
	// Plain prints types alone, which are read, checked and written by what their
	// tags and rules say.
	Plain bool
	// FileSize is the size of text, in bytes, after which another file begins;
	// 0 stands for 400 KiB.
	FileSize int
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
	print := Print
	if opts.Plain {
		print = PrintTypes
	}
	files, err := print(pkg)
	return files, warnings, err
}

// appends reports whether the types have AppendJSON.
func appends(pkg *ir.Package, valid validation) bool {
	if !pkg.Methods.NoMarshal || len(pkg.Schemas) > 0 {
		return true
	}
	for _, d := range pkg.Decls {
		for _, f := range d.Fields {
			if comparesText(f.Type) {
				return true
			}
		}
		if d.Type != nil && comparesText(d.Type) || d.Extra != nil && comparesText(d.Extra.Type) {
			return true
		}
	}
	return false
}

// comparesText reports whether a check of t compares elements as they are
// written.
func comparesText(t *ir.Type) bool {
	if t == nil {
		return false
	}
	return t.Checks != nil && t.Checks.Unique && !comparable(t.Elem) || comparesText(t.Elem)
}

// Print returns the files of the package.
func Print(pkg *ir.Package) ([]File, error) {
	fields := make(map[*ir.Decl]string)
	decls := slices.Clone(pkg.Decls)
	for i, d := range decls {
		if d.Alone != nil {
			decls[i] = d.Alone
		}
	}
	var own []*ir.Decl // those that have methods
	var unions bool
	for _, d := range decls {
		if d.Kind == ir.Struct {
			fields[d] = pkg.Scope.Pick("fields" + d.Name)
		}
		if d.Kind != ir.Alias {
			own = append(own, d)
		}
		unions = unions || d.Kind == ir.Union
	}
	valid := validated(decls)
	writes := appends(pkg, valid)
	called := appended(own)
	var out []File
	add := func(files []File, err error) error {
		out = append(out, files...)
		return err
	}
	doc := packageDoc(pkg)
	err := add(split(pkg, "models", doc, decls, func(p *printer, d *ir.Decl) { p.models([]*ir.Decl{d}) }, func(p *printer) {
		if unions {
			p.modelInterface(pkg.Methods, writes)
		}
	}))
	if err == nil {
		err = add(split(pkg, "validate", "", own, func(p *printer, d *ir.Decl) {
			if p.validate(valid, d, fields[d]); d.Kind == ir.Union {
				p.tagFunc(d)
			}
			p.agreement(d)
		}, func(p *printer) {
			p.patterns(pkg)
		}))
	}
	if err == nil && unions && !pkg.Methods.NoUnmarshal {
		err = add(split(pkg, "unions", "", own, func(p *printer, d *ir.Decl) {
			if d.Kind == ir.Union {
				p.picker(pkg.Methods, d)
			}
		}, nil))
	}
	if err == nil {
		err = add(split(pkg, "json", "", own, func(p *printer, d *ir.Decl) {
			p.fieldTable(d, fields[d])
			if writes && called[d] {
				p.appender(wireJSON, d, fields[d])
			}
			if !pkg.Methods.NoUnmarshal {
				p.reader(wireJSON, d, fields)
			}
			p.encodingJSON(pkg.Methods, d)
		}, nil))
	}
	if err == nil && !pkg.Methods.NoMsgpack && !(pkg.Methods.NoMarshal && pkg.Methods.NoUnmarshal) {
		err = add(split(pkg, "msgpack", "", own, func(p *printer, d *ir.Decl) {
			if !pkg.Methods.NoMarshal && called[d] {
				p.appender(wirePack, d, fields[d])
			}
			if !pkg.Methods.NoUnmarshal {
				p.reader(wirePack, d, fields)
			}
		}, nil))
	}
	if err == nil && pkg.Methods.Tagged && !(pkg.Methods.NoMarshal && pkg.Methods.NoUnmarshal) {
		err = add(split(pkg, "tagged", "", own, func(p *printer, d *ir.Decl) {
			if !pkg.Methods.NoMarshal && called[d] {
				p.appender(wireTags, d, fields[d])
			}
			if !pkg.Methods.NoUnmarshal {
				p.reader(wireTags, d, fields)
			}
		}, nil))
	}
	return out, err
}

// fileSize is the size of printed text after which another file begins, unless
// the caller says another.
const fileSize = 400 << 10

// split prints each of the declarations into files called name.go, name_2.go
// and so on. The first gets what head prints.
func split(pkg *ir.Package, name, doc string, decls []*ir.Decl, each func(*printer, *ir.Decl), head func(*printer)) ([]File, error) {
	var out []File
	p := newPrinter()
	most := pkg.FileSize
	if most <= 0 {
		most = fileSize
	}
	if head != nil {
		head(p)
	}
	end := func() error {
		file := name + ".go"
		if len(out) > 0 {
			file = name + "_" + strconv.Itoa(len(out)+1) + ".go"
		}
		text, err := p.file(pkg, doc)
		if err != nil {
			err = fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, File{Name: file, Data: text})
		p, doc = newPrinter(), ""
		return err
	}
	for _, d := range decls {
		if p.buf.Len() > most {
			if err := end(); err != nil {
				return out, err
			}
		}
		each(p, d)
	}
	return out, end()
}

func packageDoc(pkg *ir.Package) string {
	p := newPrinter()
	doc := "Package " + pkg.Name + " holds the types of an OpenAPI document."
	if pkg.Title != "" {
		doc = "Package " + pkg.Name + " holds the types of " + strings.TrimSuffix(pkg.Title, ".") + "."
	}
	p.comment(doc)
	return p.buf.String()
}

// modelInterface prints what every variant of a union does.
func (p *printer) modelInterface(methods ir.Methods, writes bool) {
	p.f("")
	p.f("// model is what every type of this package does.")
	p.f("type model interface {")
	p.f("Validate() error")
	if !methods.NoUnmarshal {
		p.f("ReadJSON(r *%s.Reader) error", p.use("json"))
	}
	if writes {
		p.f("AppendJSON(b []byte, f %s.Flags) ([]byte, error)", p.use("json"))
	}
	if !methods.NoMsgpack && !methods.NoUnmarshal {
		p.f("ReadMsgpack(r *%s.Reader) error", p.use("msgpack"))
	}
	if !methods.NoMsgpack && !methods.NoMarshal {
		p.f("AppendMsgpack(b []byte) ([]byte, error)")
	}
	if methods.Tagged && !methods.NoUnmarshal {
		p.f("ReadTagged(r *%s.Reader) error", p.use("tagged"))
	}
	if methods.Tagged && !methods.NoMarshal {
		p.f("AppendTagged(b []byte, w *%s.Writer) ([]byte, error)", p.use("tagged"))
	}
	p.f("}")
}

// patterns prints the regular expressions that checks use.
func (p *printer) patterns(pkg *ir.Package) {
	p.schemas(pkg)
	seen := make(map[string]string)
	var collect func(t *ir.Type)
	collect = func(t *ir.Type) {
		if t == nil {
			return
		}
		if t.Checks != nil && t.Checks.PatternVar != "" {
			seen[t.Checks.PatternVar] = t.Checks.Pattern
		}
		collect(t.Elem)
	}
	for _, d := range pkg.Decls {
		collect(d.Type)
		for _, f := range d.Fields {
			collect(f.Type)
		}
		if d.Extra != nil {
			collect(d.Extra.Type)
			for _, name := range d.Extra.Patterns {
				seen[name] = pkg.Patterns[name]
			}
		}
	}
	if len(seen) == 0 {
		return
	}
	var names []string
	for n := range seen {
		names = append(names, n)
	}
	slices.Sort(names)
	p.f("")
	p.f("var (")
	for _, n := range names {
		p.f("%s = %s(%s)", n, p.weft("NewPattern"), quote(seen[n]))
	}
	p.f(")")
}

// schemas prints the table of JSON Schemas and the variables for those that are
// used by name.
func (p *printer) schemas(pkg *ir.Package) {
	if len(pkg.Schemas) == 0 {
		return
	}
	list := slices.SortedFunc(slices.Values(pkg.Schemas), func(a, b *ir.Schema) int { return strings.Compare(a.Name, b.Name) })
	choice, chosen := make(map[string]*ir.Decl), make(map[string][]string)
	for _, d := range pkg.Decls {
		if d.Kind == ir.Union && d.Union.Choice != "" {
			choice[d.Union.Choice] = d
			for _, c := range d.Union.Chosen {
				chosen[d.Union.Choice] = append(chosen[d.Union.Choice], strconv.Quote(c.Name))
			}
		}
		if d.Parts != nil {
			choice[d.Parts.Choice] = d
			for _, f := range d.Fields {
				chosen[d.Parts.Choice] = append(chosen[d.Parts.Choice], strconv.Quote(f.Type.Decl.Name))
			}
		}
	}
	p.f("")
	p.f("// %s are what the types do not hold.", pkg.SchemasVar)
	p.f("var %s = %s(", pkg.SchemasVar, p.weft("NewSchemas"))
	for _, s := range list {
		p.f("%s, %s,", strconv.Quote(s.Name), quote(s.Text))
	}
	p.f(")")
	p.f("")
	p.f("var (")
	for _, s := range list {
		switch d := choice[s.Var]; {
		case s.Var == "":
		case d != nil:
			p.f("%s = %s.Choice(%q, %q, %s)", s.Var, pkg.SchemasVar, s.Name, d.Name, wrap(chosen[s.Var]))
		default:
			p.f("%s = %s.Get(%q)", s.Var, pkg.SchemasVar, s.Name)
		}
	}
	p.f(")")
}

// fieldTable prints the table of the members' names of a struct.
func (p *printer) fieldTable(d *ir.Decl, name string) {
	if d.Kind != ir.Struct {
		return
	}
	fields := d.Fields
	if d.Parts != nil {
		fields = d.Parts.Members
	}
	wire := make([]string, len(fields))
	for i, f := range fields {
		wire[i] = strconv.Quote(f.Wire)
	}
	p.f("")
	p.f("var %s = %s(%s)", name, p.weft("NewFields"), wrap(wire))
}

// encodingJSON prints the methods for programs that call encoding/json.
func (p *printer) encodingJSON(methods ir.Methods, d *ir.Decl) {
	switch k := d.Type; {
	case methods.NoMarshal:
	case !byValue(d):
		p.f("")
		p.f("// MarshalJSON implements [encoding/json.Marshaler].")
		p.f("func (v %s) MarshalJSON() ([]byte, error) { return json.GiveBuffer(v.AppendJSON(json.TakeBuffer(), json.SortMapKeys)) }", d.Name)
	case k.Kind == ir.Any || k.Kind == ir.Date || k.Kind == ir.Time || k.Kind == ir.Null || k.Kind == ir.Foreign:
		p.f("")
		p.f("// MarshalJSON implements [encoding/json.Marshaler].")
		p.f("func (v %s) MarshalJSON() ([]byte, error) { return json.GiveBuffer(v.AppendJSON(json.TakeBuffer(), 0)) }", d.Name)
	}
	if methods.NoUnmarshal {
		return
	}
	p.f("")
	p.f("// UnmarshalJSON implements [encoding/json.Unmarshaler].")
	p.f("func (v *%s) UnmarshalJSON(b []byte) error { return json.Read(b, v) }", d.Name)
}
