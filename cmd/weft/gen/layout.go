package gen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// modelsFile is the file of the types, and of those that several tags have to do with.
const modelsFile = "models.go"

// Print returns the files of the package: types that are read, checked and written
// by what their tags and rules say.
func Print(pkg *ir.Package) ([]File, error) {
	names := []string{modelsFile}
	printers := map[string]*printer{modelsFile: newPrinter()}
	for _, d := range pkg.Decls {
		name := cmp.Or(pkg.Files[d], modelsFile)
		if printers[name] == nil {
			names, printers[name] = append(names, name), newPrinter()
		}
		printers[name].typeDecl(d, pkg.Methods)
	}
	if len(pkg.Schemas) > 0 {
		printers[modelsFile].schemaTable(pkg.Schemas)
	}
	doc := newPrinter()
	of := cmp.Or(strings.TrimSuffix(pkg.Title, "."), "an OpenAPI document")
	doc.comment("Package " + pkg.Name + " holds the types of " + of + ".")
	out := make([]File, len(names))
	for i, name := range names {
		text, err := printers[name].file(pkg, pick(i == 0, doc.buf.String(), ""))
		if err != nil {
			return nil, err
		}
		out[i] = File{Name: name, Data: text}
	}
	return out, nil
}

// tagFiles returns the files of the types that the operations of one tag alone have to do
// with. An operation without a tag is of the first segment of its path.
func tagFiles(api *API) map[*ir.Decl]string {
	files := make(map[*ir.Decl]string)
	for _, o := range slices.Concat(api.Operations, api.Webhooks) {
		tag := strings.Trim(o.Path, "/")
		if tag, _, _ = strings.Cut(tag, "/"); len(o.Tags) > 0 {
			tag = o.Tags[0]
		}
		name := fileName(tag)
		seen := make(map[*ir.Decl]bool)
		for _, t := range o.types {
			mark(t, seen)
		}
		for d := range seen {
			if was := files[d]; was != "" && was != name {
				files[d] = modelsFile
			} else {
				files[d] = name
			}
		}
	}
	return files
}

// fileName returns the name of the file for the types of a tag. It ends in what stands
// for neither a system nor a test.
func fileName(tag string) string {
	words := strings.FieldsFunc(strings.ToLower(tag), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	if len(words) == 0 {
		return modelsFile
	}
	return strings.Join(words, "_") + "_" + modelsFile
}

// reach returns the declarations that values of t consist of.
func reach(t *ir.Type) map[*ir.Decl]bool {
	seen := make(map[*ir.Decl]bool)
	mark(t, seen)
	return seen
}

// mark adds to seen the declarations that values of t consist of.
func mark(t *ir.Type, seen map[*ir.Decl]bool) {
	if t == nil {
		return
	}
	mark(t.Elem, seen)
	if d := t.Decl; d != nil && !seen[d] {
		seen[d] = true
		mark(cmp.Or(d.Stands, d.Type), seen)
		for _, f := range d.Fields {
			mark(f.Type, seen)
		}
		if d.Extra != nil {
			mark(d.Extra.Type, seen)
		}
		if d.Union != nil {
			for _, v := range d.Union.Variants {
				mark(&ir.Type{Kind: ir.Ref, Decl: v.Decl}, seen)
			}
		}
	}
}
