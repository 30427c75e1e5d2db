package gen

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// models prints the declarations of the types.
func (p *printer) models(decls []*ir.Decl) {
	for _, d := range decls {
		p.f("")
		p.declComment(d)
		switch d.Kind {
		case ir.Struct:
			p.structDecl(d)
		case ir.Enum:
			p.enumDecl(d)
		case ir.Union:
			p.unionDecl(d)
		case ir.Alias:
			name := p.goType(d.Type)
			if d.Type.Kind == ir.Ref {
				name = d.Type.Decl.Name
			}
			p.f("type %s = %s", d.Name, name)
		case ir.Defined:
			if d.Type.Kind == ir.Any { // which has no methods
				p.f("type %s struct {\nV any\n}", d.Name)
				break
			}
			p.f("type %s %s", d.Name, p.goType(d.Type))
		default:
			p.f("type %s %s", d.Name, p.goType(d.Type))
		}
	}
}

// declComment prints the doc comment of d, which begins with its name.
func (p *printer) declComment(d *ir.Decl) {
	doc := strings.TrimSpace(d.Doc)
	switch {
	case doc == "":
		doc = d.Name + " is " + described(d) + "."
	case !strings.HasPrefix(doc, d.Name+" "):
		doc = d.Name + ": " + doc
	}
	p.comment(doc)
}

// described says what d is when the document does not.
func described(d *ir.Decl) string {
	if d.Origin != "" && !strings.ContainsAny(d.Origin, "\n\r") {
		return d.Origin
	}
	switch d.Kind {
	case ir.Union:
		return "one of several types"
	case ir.Enum:
		return "one of several values"
	}
	return "a part of the document"
}

func (p *printer) structDecl(d *ir.Decl) {
	p.f("type %s struct {", d.Name)
	for _, f := range d.Fields {
		p.fieldDecl(f)
	}
	if d.Extra != nil {
		p.f("%s %s `weft:\",unknown\"` // %s", d.Extra.Name, p.goType(d.Extra.Type), d.Extra.Doc)
	}
	p.f("}")
}

func (p *printer) fieldDecl(f *ir.Field) {
	p.comment(f.Doc)
	switch f.RequiredIn {
	case ir.InRequest:
		p.f("// Write only: requests must have it.")
	case ir.InResponse:
		p.f("// Read only: responses must have it.")
	}
	if f.Deprecated {
		if f.Doc != "" || f.RequiredIn != ir.Nowhere {
			p.f("//")
		}
		p.f("// Deprecated: the document says so.")
	}
	note := ""
	if c := f.Type.Checks; c != nil && c.Const != nil {
		note = " // always " + literal(f.Type.Kind, c.Const)
	}
	p.f("%s %s%s%s", f.Name, p.fieldType(f), tag(f), note)
}

// tag returns the struct tag of f, "" when its name does not fit in one.
func tag(f *ir.Field) string {
	if f.Wire == "" || f.Wire == "-" || strings.ContainsAny(f.Wire, ",\"\\`'") || !strconv.CanBackquote(f.Wire) {
		return ""
	}
	t := f.Wire
	if s := f.State(); s == ir.Optional || s == ir.Both {
		t += ",omitzero"
	}
	t = "json:" + strconv.Quote(t)
	if reflect.StructTag(t).Get("json") == "" {
		return ""
	}
	return " `" + t + "`"
}

// literal returns v as a Go literal of kind k.
func literal(k ir.Kind, v *ir.Value) string {
	if k == ir.String {
		return strconv.Quote(v.Text)
	}
	return v.Text
}

func (p *printer) enumDecl(d *ir.Decl) {
	k := d.Type.Kind
	p.f("type %s %s", d.Name, p.goType(d.Type))
	if len(d.Values) == 0 {
		return
	}
	p.f("")
	p.f("// The values of [%s].", d.Name)
	p.f("const (")
	for _, v := range d.Values {
		p.f("%s %s = %s", v.Name, d.Name, literal(k, v))
	}
	p.f(")")
	p.f("")
	p.f("// Valid reports whether v is one of the values of [%s].", d.Name)
	p.f("//\n//go:noinline") // there are more calls of it than is good for the compiler
	p.f("func (v %s) Valid() bool {", d.Name)
	p.f("switch v {")
	names := make([]string, len(d.Values))
	for i, v := range d.Values {
		names[i] = v.Name
	}
	p.f("case %s:", wrap(names))
	p.f("return true")
	p.f("}")
	p.f("return false")
	p.f("}")
}

// wrap joins names by commas, several to a line.
func wrap(names []string) string {
	var b strings.Builder
	n := 0
	for i, name := range names {
		if i > 0 {
			b.WriteString(", ")
			if n+len(name) > 100 {
				b.WriteString("\n")
				n = 0
			}
		}
		b.WriteString(name)
		n += len(name) + 2
	}
	return b.String()
}

func (p *printer) unionDecl(d *ir.Decl) {
	u := d.Union
	p.f("type %s struct {", d.Name)
	p.f("V %s", u.Interface)
	p.f("}")
	p.f("")
	names := make([]string, len(u.Variants))
	for i, v := range u.Variants {
		names[i] = "*" + v.Decl.Name
	}
	p.comment(u.Interface + " is a variant of [" + d.Name + "]: " + strings.Join(names, ", ") + ".")
	p.f("type %s interface {", u.Interface)
	p.f("model")
	p.f("%s()", u.Marker)
	p.f("}")
	p.f("")
	for _, v := range u.Variants {
		p.f("func (*%s) %s() {}", v.Decl.Name, u.Marker)
	}
}
