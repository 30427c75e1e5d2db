// Package migrate moves Go files from other JSON libraries to weft's by changing what they import.
package migrate

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
)

// Target is what is imported in the end.
const Target = "github.com/weftcodec/weft/json"

// sources are the packages that are replaced, with the names that they have in programs.
var sources = map[string]string{
	"encoding/json":                      "json",
	"github.com/goccy/go-json":           "json",
	"github.com/json-iterator/go":        "jsoniter",
	"github.com/bytedance/sonic":         "sonic",
	"github.com/segmentio/encoding/json": "json",
}

// api is what [Target] has under the names of encoding/json.
var api = map[string]bool{
	"Marshal": true, "MarshalIndent": true, "Unmarshal": true, "Valid": true, "Compact": true, "Indent": true, "HTMLEscape": true,
	"NewEncoder": true, "Encoder": true, "NewDecoder": true, "Decoder": true, "RawMessage": true, "Number": true, "Token": true,
	"Delim": true, "Marshaler": true, "Unmarshaler": true, "SyntaxError": true, "UnmarshalTypeError": true,
	"UnmarshalFieldError": true, "InvalidUnmarshalError": true, "InvalidUTF8Error": true, "UnsupportedTypeError": true,
	"UnsupportedValueError": true, "MarshalerError": true,
}

// methods are those of the sources' decoders and encoders that [Target]'s do not have.
var methods = map[string][]string{
	"github.com/goccy/go-json": {"DecodeContext", "DecodeWithOption", "EncodeContext", "EncodeWithOption"},
	"github.com/segmentio/encoding/json": {
		"DontCopyNumber", "DontCopyRawMessage", "DontCopyString", "DontMatchCaseInsensitiveStructFields", "ZeroCopy",
		"SetAppendNewline", "SetSortMapKeys", "SetTrustRawMessage",
	},
}

// Note is something to know about a place in a file.
type Note struct {
	Pos  token.Position
	Text string
}

// Result is what became of a file.
type Result struct {
	Text      []byte // the file after the change; unchanged where there is none
	Changes   []Note // imports that were changed
	Warnings  []Note // imports that stay, each with a use of theirs that stands in the way
	Doubts    []Note // signatures with types that are weft's own now, and which another package may require or pass
	Generated bool   // the file says that it is generated: it was left unchanged
}

// File replaces the imports of the Go file src. Its formatting is kept; imports are sorted again where the
// file was formatted as gofmt does. A generated file is changed only if generated is set.
func File(name string, src []byte, generated bool) (Result, error) {
	r := Result{Text: src}
	if !mentions(src) {
		return r, nil
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, src, parser.ParseComments)
	if err != nil {
		return r, err
	}
	edits := []edit{}
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		local, ok := sources[path]
		if err != nil || !ok {
			continue
		}
		alias := ""
		if spec.Name != nil {
			alias = spec.Name.Name
		}
		if alias == "_" {
			continue
		}
		pos := set.PositionFor(spec.Path.Pos(), false) // in this file, whatever its //line comments say
		if bad := obstacles(f, path, cmp.Or(alias, local)); len(bad) > 0 {
			for _, b := range bad {
				r.Warnings = append(r.Warnings, Note{set.PositionFor(b.pos, false), fmt.Sprintf("%s of %s has no counterpart: the import stays", b.name, path)})
			}
			continue
		}
		text := strconv.Quote(Target)
		if alias == "" && local != "json" {
			text = local + " " + text
		}
		edits = append(edits, edit{pos.Offset, len(spec.Path.Value), text})
		r.Changes = append(r.Changes, Note{pos, path + " -> " + Target})
		for _, d := range doubts(f, cmp.Or(alias, local)) {
			r.Doubts = append(r.Doubts, Note{set.PositionFor(d.pos, false),
				fmt.Sprintf("%s is weft's own type: if another package requires that of %s here, restore the import", d.name, path)})
		}
	}
	if len(edits) == 0 {
		return r, nil
	}
	if ast.IsGenerated(f) && !generated {
		return Result{Text: src, Generated: true}, nil
	}
	out := apply(src, edits)
	if was, err := format.Source(src); err == nil && bytes.Equal(was, src) {
		if out, err = format.Source(out); err != nil {
			return Result{Text: src}, err
		}
	}
	r.Text = out
	return r, nil
}

// mentions reports whether one of the sources may be imported.
func mentions(src []byte) bool {
	for path := range sources {
		if bytes.Contains(src, []byte(path)) {
			return true
		}
	}
	return false
}

// use is a use of a name that [Target] does not have.
type use struct {
	pos  token.Pos
	name string
}

// obstacles returns the uses of the package, which f imports from path as local, that [Target] cannot serve. Types are
// not known here: any method of a name that is in [methods] counts as one of the package's.
func obstacles(f *ast.File, path, local string) (bad []use) {
	if local == "." {
		if path == "encoding/json" {
			return nil
		}
		return []use{{f.Name.Pos(), "the dot import"}}
	}
	ours := names(f, local)
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := s.X.(*ast.Ident); ok && ours[id] {
			if !api[s.Sel.Name] {
				bad = append(bad, use{s.Pos(), s.Sel.Name})
			}
		} else if slices.Contains(methods[path], s.Sel.Name) {
			bad = append(bad, use{s.Sel.Pos(), s.Sel.Name})
		}
		return true
	})
	return bad
}

// names returns the identifiers of f that are local, the name of a package: one that is declared in the file is not.
func names(f *ast.File, local string) map[*ast.Ident]bool {
	ours := map[*ast.Ident]bool{}
	for _, id := range f.Unresolved {
		ours[id] = id.Name == local
	}
	return ours
}

// doubts returns the uses of the package's Encoder and Decoder in signatures that other packages may rely on, the first
// one of each: those of functions that are not exported aside.
func doubts(f *ast.File, local string) (found []use) {
	ours := names(f, local)
	hidden := map[*ast.FuncType]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			hidden[n.Type] = !n.Name.IsExported()
		case *ast.FuncType:
			first := len(found)
			ast.Inspect(n, func(x ast.Node) bool {
				s, ok := x.(*ast.SelectorExpr)
				if !ok || s.Sel.Name != "Encoder" && s.Sel.Name != "Decoder" || hidden[n] {
					return true
				}
				if id, ok := s.X.(*ast.Ident); ok && ours[id] && len(found) == first {
					found = append(found, use{s.Pos(), id.Name + "." + s.Sel.Name})
				}
				return true
			})
			return false
		}
		return true
	})
	return found
}

// edit puts text in the place of n bytes.
type edit struct {
	off, n int
	text   string
}

func apply(src []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.off, b.off) })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, src[at:e.off]...), e.text...)
		at = e.off + e.n
	}
	return append(out, src[at:]...)
}
