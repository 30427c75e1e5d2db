package gen

import (
	"cmp"
	"go/token"
	"regexp"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// goTypePattern is a Go type as x-go-type names it: a package path, if any, and
// an identifier.
var goTypePattern = regexp.MustCompile(`^(?:([A-Za-z0-9_.~\-/]+)\.)?([A-Za-z_][A-Za-z0-9_]*)$`)

// goType returns the Go type that the document gives s by x-go-type, or nil: a
// name such as github.com/google/uuid.UUID, time.Duration or int, or the name
// within the package of x-go-type-import, or of an import beside it.
func (l *lowerer) goType(s *openapi.Schema) *ir.Type {
	n, from := s.Extensions.Get("x-go-type"), ""
	plain := n == nil || n.Kind != openapi.Object
	if !plain { // as go-swagger has it
		if p := n.Get("import").Get("package"); p != nil {
			from = p.Text
		}
		n = n.Get("type")
	}
	if n == nil {
		return nil
	}
	m := goTypePattern.FindStringSubmatch(n.Text)
	if m == nil || n.Kind != openapi.String || !token.IsIdentifier(m[2]) {
		l.warn(n.Pos, "x-go-type %q is not used: a name such as github.com/google/uuid.UUID is expected", n.Text)
		return nil
	}
	pkg, name := cmp.Or(from, m[1]), m[2]
	for _, at := range []*openapi.Schema{s, s.Resolve()} { // what s refers to may import the package for both
		imp := at.Extensions.Get("x-go-type-import")
		if imp == nil || imp.Get("path") == nil || at != s && (imp.Get("name") == nil || imp.Get("name").Text != pkg) {
			continue
		}
		pkg = imp.Get("path").Text
		break
	}
	if pkg == "" && !(token.IsExported(name) && plain) && !builtin[name] {
		l.warn(n.Pos, "x-go-type %q is not used: it is not a type of Go and names no package", n.Text)
		return nil
	}
	return l.foreign(pkg, name)
}

// foreign returns the type called name of the package pkg, "" for none.
func (l *lowerer) foreign(pkg, name string) *ir.Type {
	switch {
	case pkg == "":
	case name == "Number" && (pkg == "encoding/json" || pkg == "json"):
		name = "json.Number" // an alias in the library's package
	default:
		name = l.importAs(pkg) + "." + name
	}
	return &ir.Type{Kind: ir.Foreign, Go: name}
}

// GoType returns the name of a type as [Options.Types] has it, that of a package by its path, for text, which may be
// one of shortTypes; "" for anything else.
func GoType(text string) string {
	if name := shortTypes[text]; name != "" {
		return name
	}
	if m := goTypePattern.FindStringSubmatch(text); m == nil || m[1] == "" || !token.IsExported(m[2]) {
		return ""
	}
	return text
}

// shortTypes are the types that need no path.
var shortTypes = map[string]string{
	"netip.Addr": "net/netip.Addr", "netip.AddrPort": "net/netip.AddrPort", "netip.Prefix": "net/netip.Prefix",
	"json.Number": "encoding/json.Number", "big.Int": "math/big.Int", "big.Float": "math/big.Float", "time.Time": "time.Time",
	"opt.Date": modulePath + "/opt.Date",
}

// givenTo returns the type that the caller gives to the strings or numbers of v, "" for none.
func (l *lowerer) givenTo(v *view) string {
	name := v.format
	if l.opts.Types[name] == "" {
		switch {
		case v.single() == openapi.TypeNumber && name != "float" && name != "double":
			name = "number"
		case v.single() == openapi.TypeInteger && intKinds[name] == 0:
			name = "integer"
		}
	}
	delete(l.unused, "type "+name)
	return l.opts.Types[name]
}

// typeGiven returns the type that the caller gives to the strings or numbers of v,
// or nil. What v says beside its format is left to a schema.
func (l *lowerer) typeGiven(v *view, k ir.Kind) *ir.Type {
	m := goTypePattern.FindStringSubmatch(l.givenTo(v))
	if m == nil {
		return nil
	}
	t := l.foreign(m[1], m[2])
	t.Wire = k
	v.rest = append(v.rest, &openapi.Schema{
		Types: v.single(), Minimum: v.min, ExclusiveMinimum: v.exclMin, Maximum: v.max, ExclusiveMaximum: v.exclMax, MultipleOf: v.multiple,
		MinLength: v.minLen, MaxLength: v.maxLen, Pattern: v.pattern, PatternPos: v.patternPos,
	})
	return t
}

var builtin = map[string]bool{
	"bool": true, "byte": true, "float32": true, "float64": true, "int": true, "int8": true, "int16": true, "int32": true,
	"int64": true, "rune": true, "string": true, "uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true, "any": true,
}

var versionSuffix = regexp.MustCompile(`^v\d+$`)

// importAs returns the name under which files import the package with the path.
func (l *lowerer) importAs(path string) string {
	if name := l.pkg.Imports[path]; name != "" {
		return name
	}
	words := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	name := words[len(words)-1]
	if versionSuffix.MatchString(name) && len(words) > 1 {
		name = words[len(words)-2]
	}
	name, _, _ = strings.Cut(name, ".")
	name = strings.TrimPrefix(strings.ReplaceAll(name, "-", ""), "go")
	if name = strings.ToLower(name); !token.IsIdentifier(name) {
		name = "pkg"
	}
	name = l.pkg.Scope.Pick(name)
	l.pkg.Imports[path] = name
	return name
}

// goName returns the Go name of what is called name and has the schema s: the one that the caller gives to it, by which
// it is known as id, or else the document.
func (l *lowerer) goName(s *openapi.Schema, name, id string) string {
	if x := s.Extensions.Get("x-go-name"); x != nil && x.Kind == openapi.String {
		name = cmp.Or(x.Text, name)
	}
	return cmp.Or(l.renamed(id), ir.GoName(name))
}

// renamed returns the Go name that the caller gives to what is called name, ""
// for none.
func (l *lowerer) renamed(name string) string {
	n := l.opts.Rename[name]
	if n != "" {
		delete(l.unused, "name "+name)
	}
	return n
}
