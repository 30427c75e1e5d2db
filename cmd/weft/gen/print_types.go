package gen

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// typeDecl prints the declaration of d, what its values must be, and its methods for encoding/json.
func (p *printer) typeDecl(d *ir.Decl, methods ir.Methods) {
	p.f("")
	p.comment(d.Doc)
	switch {
	case d.Kind == ir.Struct:
		p.f("type %s struct {", d.Name)
		for _, f := range d.Fields {
			if d.Parts != nil {
				p.f("%s *%s", f.Name, f.Type.Decl.Name)
			} else {
				p.typeField(f)
			}
		}
		if x := d.Extra; x != nil {
			p.f("%s %s %s", x.Name, p.typeName(x.Type), quote(`weft:",unknown"`+checkTag(nameWords(x))))
		}
		p.f("}")
	case d.Kind == ir.Union:
		p.f("type %s struct{ V %s }", d.Name, d.Union.Interface)
		p.f("")
		p.f("type %s interface{ %s() }", d.Union.Interface, d.Union.Marker)
		p.f("")
		for _, v := range d.Union.Variants {
			p.f("func (*%s) %s() {}", v.Decl.Name, d.Union.Marker)
		}
	case d.Kind == ir.Alias && d.Type.Kind == ir.Ref:
		p.f("type %s = %s", d.Name, d.Type.Decl.Name)
		return
	case d.Kind == ir.Alias:
		p.f("type %s = %s", d.Name, p.typeName(d.Type))
		return
	case wraps(d):
		p.f("type %s struct{ V %s }", d.Name, p.typeName(d.Type))
	default:
		p.f("type %s %s", d.Name, p.typeName(d.Type))
		p.constants(d)
	}
	p.rules(d)
	if !methods.NoMarshal && !plainKind(d) {
		p.f("func (v %s) MarshalJSON() ([]byte, error) { return %s.Marshal(v) }", d.Name, p.use("json"))
	}
	if !methods.NoUnmarshal {
		p.f("func (v *%s) UnmarshalJSON(b []byte) error { return %s.UnmarshalWith(b, v) }", d.Name, p.use("json"))
	}
}

// wraps reports whether d is a struct around a value of a type that has no methods
// to add to, or that has some to keep.
func wraps(d *ir.Decl) bool {
	if d.Kind != ir.Defined {
		return false
	}
	switch d.Type.Kind {
	case ir.Any, ir.Null, ir.Time, ir.Date, ir.Foreign, ir.NullType, ir.JSONText, ir.JSONBytes:
		return true
	}
	return false
}

// plainKind reports whether encoding/json writes values of d as they are meant by itself.
func plainKind(d *ir.Decl) bool {
	if d.Kind != ir.Enum && d.Kind != ir.Defined {
		return false
	}
	k := d.Type.Kind
	return k == ir.String || k == ir.Bool || k.IsInt() || k.IsUint()
}

// typeField prints the field f of a struct.
func (p *printer) typeField(f *ir.Field) {
	p.comment(f.Doc)
	if f.Deprecated {
		if f.Doc != "" {
			p.f("//")
		}
		p.f("// Deprecated: the document says so.")
	}
	name := `json:` + strconv.Quote(f.Wire)
	if !jsonName(f.Wire) {
		name = `weft:` + strconv.Quote("'"+strings.ReplaceAll(f.Wire, "'", "''")+"'")
	}
	if s := f.State(); s == ir.Optional || s == ir.Both {
		name = name[:len(name)-1] + `,omitzero"`
	}
	p.f("%s %s %s", f.Name, p.fieldTypeName(f), quote(name+checkTag(fieldWords(f))))
}

// jsonName reports whether encoding/json takes name from a tag as it is: letters, digits and some punctuation.
func jsonName(name string) bool {
	return name != "" && name != "-" && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	})
}

// constants prints the constants of the enum d.
func (p *printer) constants(d *ir.Decl) {
	if d.Kind != ir.Enum || len(d.Values) == 0 {
		return
	}
	p.f("")
	p.f("const (")
	for _, v := range d.Values {
		p.f("%s %s = %s", v.Name, d.Name, pick(d.Type.Kind == ir.String, strconv.Quote(v.Text), v.Text))
	}
	p.f(")")
}

// fieldTypeName returns the Go type of the field f, its state included.
func (p *printer) fieldTypeName(f *ir.Field) string {
	t := p.typeName(f.Type)
	if f.Pointer {
		t = "*" + t
	}
	if f.Bare() {
		return t
	}
	switch f.State() {
	case ir.Optional:
		return p.use("slim") + ".Val[" + t + "]"
	case ir.Nullable:
		return p.use("slim") + ".Null[" + t + "]"
	case ir.Both:
		return p.use("slim") + ".Field[" + t + "]"
	}
	return t
}

// typeName returns the Go type for t and imports what it names.
func (p *printer) typeName(t *ir.Type) string {
	switch t.Kind {
	case ir.Date:
		return p.use("opt") + ".Date"
	case ir.Time:
		return p.use("time") + ".Time"
	case ir.Slice:
		return "[]" + p.typeName(t.Elem)
	case ir.Map:
		return "map[string]" + p.typeName(t.Elem)
	case ir.NullType:
		return p.use("slim") + ".Null[" + p.typeName(t.Elem) + "]"
	case ir.JSONText, ir.JSONBytes:
		return p.use("json") + pick(t.Kind == ir.JSONText, ".Text[", ".TextBytes[") + p.typeName(t.Elem) + "]"
	case ir.Foreign:
		if name, _, ok := strings.Cut(t.Go, "."); ok {
			p.uses[name] = true
		}
		return t.Go
	case ir.Ref:
		if t.Apart() {
			return p.typeName(t.Under())
		}
		return t.Decl.Name
	}
	return t.Kind.String()
}

// wrap joins names by commas, several to a line.
func wrap(names []string) string { return strings.Join(fill(names, ", ", 100), ",\n") }

func pick(cond bool, a, b string) string {
	if cond {
		return a
	}
	return b
}

// quoteAll returns the strings of the list quoted.
func quoteAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strconv.Quote(s)
	}
	return out
}
