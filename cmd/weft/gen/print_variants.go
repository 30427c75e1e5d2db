package gen

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// variants returns the field Union of the rules of d.
func (p *printer) variants(d *ir.Decl, schemas *schemaTable) string {
	u := d.Union
	var b strings.Builder
	b.WriteString("Union: &" + p.weft("Variants") + "{\nCases: []weft.UnionCase{\n")
	for _, v := range u.Variants {
		b.WriteString("weft.Variant[*" + v.Decl.Name + "](" + strings.Join(quoteAll(tagNames(d, v)), ", ") + ")")
		if v.Other {
			b.WriteString(".Default()")
		}
		b.WriteString(",\n")
	}
	b.WriteString("},\n")
	if u.Exact {
		b.WriteString("OneOf: true,\n")
	}
	if u.Discriminator != "" {
		b.WriteString("Discriminator: " + strconv.Quote(u.Discriminator) + ",\n")
	}
	if u.Choice != "" {
		name := schemas.names[u.Choice]
		schemas.used[name] = true
		args := []string{name, d.Name}
		for _, c := range u.Chosen {
			args = append(args, c.Name)
		}
		b.WriteString("Choice: schemas().Choice(" + wrap(quoteAll(args)) + "),\n")
	}
	b.WriteString("}")
	return b.String()
}

// tagNames returns the values of the discriminator of d that choose v, that first which it is written with.
func tagNames(d *ir.Decl, v *ir.Variant) []string {
	if d.Union.Discriminator == "" || v.Tag == nil {
		return nil
	}
	names := slices.Clone(v.Tag.Fill)
	for _, name := range v.Tag.Own {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
