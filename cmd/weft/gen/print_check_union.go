package gen

import (
	"slices"
	"strconv"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// validateUnion prints what validates the variant of the union d, once there is
// one: whether it is what its discriminator chooses, and the variant itself. It
// ends in a return when alone is set; otherwise there is a report p.
func (p *printer) validateUnion(d *ir.Decl, alone bool) {
	pl := planUnion(d)
	tags, _ := p.nested(func() {
		for _, v := range d.Union.Variants {
			p.validateTag(pl, v)
		}
	})
	switch {
	case tags == "" && alone:
		p.f("return v.V.Validate()")
		return
	case tags != "" && alone:
		p.f("var p %s", p.weft("Report"))
	}
	if tags != "" {
		p.f("switch v := v.V.(type) {")
		p.buf.WriteString(tags)
		p.f("}")
	}
	p.f("p.Add(v.V.Validate())")
	if alone {
		p.f("return p.Err()")
	}
}

// validateTag prints the case of a variant whose discriminator may be one that
// chooses another variant, or none.
func (p *printer) validateTag(pl unionPlan, v *ir.Variant) {
	t := (&ir.Type{Kind: ir.Ref, Decl: v.Decl}).Base()
	if pl.member == "" || !t.IsStruct() {
		return
	}
	i := slices.IndexFunc(t.Decl.Fields, func(f *ir.Field) bool { return f.Wire == pl.member })
	if i < 0 || static(t.Decl.Fields[i]) || !textual(t.Decl.Fields[i].Type) {
		return
	}
	f := t.Decl.Fields[i]
	var own, other []string // values
	for _, val := range pl.values {
		if slices.Contains(pl.byVal[val], v) {
			own = append(own, val)
		} else {
			other = append(other, val)
		}
	}
	rest := slices.Contains(pl.rest, v) // what no value of another variant chooses, and nothing
	listed, sure := constants(t.Decl, pl.member, nil)
	chosen := func(val string) bool { return slices.Contains(own, val) || rest && !slices.Contains(other, val) }
	if rest && len(other) == 0 || len(listed) > 0 && (sure || rest) && !slices.ContainsFunc(listed, func(val string) bool { return !chosen(val) }) {
		return // its own check says all
	}
	check, vals := "CheckTag", own
	if rest {
		check, vals = "CheckOtherTag", other
	}
	quoted := make([]string, len(vals))
	for i, val := range vals {
		quoted[i] = strconv.Quote(val)
	}
	x, cond := p.value(f)
	if cond == "" {
		cond = p.presence(f)
	}
	if f.Type.Under().Kind != ir.String {
		x = "string(" + x + ")"
	}
	p.f("case *%s:", v.Decl.Name)
	if cond != "" {
		p.f("if %s {", cond)
	}
	p.f("p.Member(%q, %s(%s, %q, %s))", pl.member, p.weft(check), x, v.Decl.Name, wrap(quoted))
	switch {
	case cond != "" && !rest:
		p.f("} else {")
		p.f("p.Add(&%s{Names: []string{%q}})", p.weft("MissingError"), pl.member)
		p.f("}")
	case cond != "":
		p.f("}")
	}
}

// textual reports whether the values of t are strings in Go.
func textual(t *ir.Type) bool {
	base := t.Base()
	return base.Kind == ir.String || base.Kind == ir.Ref && base.Decl.Kind == ir.Enum && base.Decl.Type.Kind == ir.String
}
