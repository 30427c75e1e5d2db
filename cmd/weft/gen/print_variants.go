package gen

import (
	"strconv"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// variants returns the field Union of the rules of d.
func (p *printer) variants(d *ir.Decl) string {
	u := d.Union
	var cases []string
	for _, v := range u.Variants {
		// A call of weft.Variant would be a function of its own for each type, of which
		// large documents have a thousand.
		text := "{Type: " + p.use("reflect") + ".TypeOf((*" + v.Decl.Name + ")(nil))"
		if u.Discriminator != "" && len(v.Values) > 0 {
			text += ", Names: []string{" + strings.Join(quoteAll(v.Values), ", ") + "}"
		}
		cases = append(cases, text+pick(v.Other, ", Other: true}", "}"))
	}
	parts := []string{block("Cases: []weft.UnionCase", cases)}
	if u.Exact {
		parts = append(parts, "OneOf: true")
	}
	if u.Discriminator != "" {
		parts = append(parts, "Discriminator: "+strconv.Quote(u.Discriminator))
	}
	return block("Union: &"+p.use("weft")+".Variants", parts)
}

// block returns a composite literal of the type with a line for each of the parts.
func block(typ string, parts []string) string {
	return typ + "{\n" + strings.Join(parts, ",\n") + ",\n}"
}

// partsOf returns the field Parts of the rules of d, for the type called name.
func (p *printer) partsOf(d *ir.Decl, name string) string {
	args := []string{d.Parts.Choice, name}
	for _, f := range d.Fields {
		args = append(args, f.Type.Decl.Name)
	}
	return "Parts: " + p.use("weft") + ".PartsOf" + "[" + name + "](schemas().Choice(" + wrap(quoteAll(args)) + "))"
}
