package gen

import (
	"strconv"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// variants returns the field Union of the rules of d.
func (p *printer) variants(d *ir.Decl) string {
	u := d.Union
	var b strings.Builder
	b.WriteString("Union: &" + p.weft("Variants") + "{\nCases: []weft.UnionCase{\n")
	for _, v := range u.Variants {
		// A call of weft.Variant would be a function of its own for each type, of which
		// large documents have a thousand.
		b.WriteString("{Type: " + p.use("reflect") + ".TypeOf((*" + v.Decl.Name + ")(nil))")
		if u.Discriminator != "" && len(v.Values) > 0 {
			b.WriteString(", Names: []string{" + strings.Join(quoteAll(v.Values), ", ") + "}")
		}
		if v.Other {
			b.WriteString(", Other: true")
		}
		b.WriteString("},\n")
	}
	b.WriteString("},\n")
	if u.Exact {
		b.WriteString("OneOf: true,\n")
	}
	if u.Discriminator != "" {
		b.WriteString("Discriminator: " + strconv.Quote(u.Discriminator) + ",\n")
	}
	b.WriteString("}")
	return b.String()
}

// partsOf returns the field Parts of the rules of d, for the type called name.
func (p *printer) partsOf(d *ir.Decl, name string) string {
	args := []string{d.Parts.Choice, name}
	for _, f := range d.Fields {
		args = append(args, f.Type.Decl.Name)
	}
	return "Parts: " + p.weft("PartsOf") + "[" + name + "](schemas().Choice(" + wrap(quoteAll(args)) + "))"
}
