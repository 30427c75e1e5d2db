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
	switch tags := hasTagger(d); {
	case !tags && alone:
		p.f("return v.V.Validate()")
		return
	case !tags:
		p.f("p.Add(v.V.Validate())")
		return
	case alone:
		p.f("var p %s", p.weft("Report"))
	}
	p.f("x, err := %s(v.V)", taggerName(d))
	p.f("p.Add(x.Validate())")
	p.f("p.AddNew(err)")
	if alone {
		p.f("return p.Err()")
	}
}

// hasTagger reports whether there is anything to do about the discriminators of
// variants of d.
func hasTagger(d *ir.Decl) bool { return newPrinter().tagger(d) != "" }

func taggerName(d *ir.Decl) string { return "withTag" + d.Name }

// tagFunc prints the function that gives variants of d their discriminators, if
// there is anything to do.
func (p *printer) tagFunc(d *ir.Decl) {
	body := p.tagger(d)
	if body == "" {
		return
	}
	p.f("")
	p.f("// %s returns v with the %q that tells what it is: in a copy where v has none.", taggerName(d), d.Union.Tag)
	p.f("// What v has may not say otherwise.")
	p.f("func %s(v %s) (%s, error) {", taggerName(d), d.Union.Interface, d.Union.Interface)
	p.buf.WriteString(body)
	p.f("return v, nil")
	p.f("}")
}

// tagger returns the body of that function, "" where it has nothing to do.
func (p *printer) tagger(d *ir.Decl) string {
	text, _ := p.nested(func() { p.tagSwitch(d, "v", "x", nil, func(x string) string { return x }, nil) })
	return text
}

// tagSwitch prints the switch over the variants of d, of which one is x, by their
// tags or, for a union in another, by the tag of that. The variable in its cases is
// y, and whole returns the variant of the outermost union for one of d.
func (p *printer) tagSwitch(d *ir.Decl, x, y string, tag *ir.Tag, whole func(string) string, path []*ir.Decl) {
	member, text := d.Union.Tag, ""
	if tag != nil {
		member = path[0].Union.Tag
	}
	if member == "" || slices.Contains(path, d) {
		return
	}
	path = append(path, d)
	for _, v := range d.Union.Variants {
		t := tag
		if t == nil {
			t = v.Tag
		}
		body, _ := p.nested(func() {
			switch to := (&ir.Type{Kind: ir.Ref, Decl: v.Decl}).Base(); {
			case v.Decl.Kind == ir.Struct:
				if i := slices.IndexFunc(v.Decl.Fields, func(f *ir.Field) bool { return f.Wire == member }); i >= 0 {
					p.tagField(v.Decl, v.Decl.Fields[i], t, y, whole)
				}
			case v.Decl.Kind == ir.Union && v.Decl.Union.Tag != member:
				p.tagSwitch(v.Decl, y+".V", y+"x", t, func(x string) string { return whole("&" + v.Decl.Name + "{V: " + x + "}") }, path)
			case v.Decl.Kind == ir.Defined && to.Kind == ir.Map && (to.Elem.Kind == ir.Any || to.Elem.Kind == ir.String):
				p.tagMap(v.Decl, to.Elem.Kind, member, t, y, whole)
			}
		})
		if body != "" {
			text += "case *" + v.Decl.Name + ":\n" + body
		}
	}
	if text != "" {
		p.f("switch %s := %s.(type) {", y, x)
		p.buf.WriteString(text)
		p.f("}")
	}
}

// tagField prints what fills the field f of the struct d, to which x points, and
// what checks it.
func (p *printer) tagField(d *ir.Decl, f *ir.Field, t *ir.Tag, x string, whole func(string) string) {
	k := f.Type.Base().Kind
	if base := f.Type.Base(); k == ir.Ref && base.Decl.Kind == ir.Enum {
		k = base.Decl.Type.Kind
	}
	if static(f) || !tagKind(k) && k != ir.Any {
		return
	}
	val, set := x+"."+f.Name, ""
	switch f.State() {
	case ir.Both:
		set = val + ".State == " + p.use("opt") + ".IsSet"
	case ir.Optional, ir.Nullable:
		set = val + ".Valid"
	}
	if set != "" {
		val += ".V"
	}
	zero := "0"
	quoted := func(list []string) []string { return list }
	if k == ir.String || k == ir.Any {
		zero, quoted = pick(k == ir.Any, "nil", `""`), quoteAll
	}
	own := quoted(t.Own)
	if listed, _ := constants(d, f.Wire, nil); listed != nil {
		own = slices.DeleteFunc(own, func(s string) bool { return !slices.Contains(quoted(listed), s) })
	}
	empty := val + " == " + zero
	switch {
	case set != "" && slices.Contains(own, zero):
		empty = "!" + "(" + set + ")"
	case set != "":
		empty = "!(" + set + ") || " + empty
	case slices.Contains(own, zero):
		empty = ""
	}
	absent := set != "" && t.Rest && t.Alone // what is not there stays so
	if fill := quoted(t.Fill); len(fill) > 0 && slices.Contains(own, fill[0]) && empty != "" && !absent {
		p.f("if %s {", empty)
		p.f("y := *%s", x)
		p.tagSet(f, "y", fill[0])
		p.f("return %s, nil", whole("&y"))
		p.f("}")
	}
	check, list := "CheckTag", own
	if t.Rest {
		check, list = "CheckOtherTag", quoted(t.Other)
	}
	if len(list) == 0 {
		return
	}
	switch {
	case k == ir.Any: // what is no string is for the schema to refuse
		p.f("if tag, ok := %s.(string); ok {", val)
		val = "tag"
	case absent:
		p.f("if %s {", set)
	}
	p.f("return v, %s(%q, %s(%s, %q, %s))", p.weft("AtMember"), f.Wire, p.weft(check), val, d.Name, wrap(list))
	if absent || k == ir.Any {
		p.f("}")
	}
}

// quoteAll returns the strings of the list quoted.
func quoteAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strconv.Quote(s)
	}
	return out
}

// tagSet prints what gives the field f of v the value x.
func (p *printer) tagSet(f *ir.Field, v, x string) {
	v += "." + f.Name
	switch f.State() {
	case ir.Plain:
		p.f("%s = %s", v, x)
		return
	case ir.Both:
		p.f("%s.State = %s.IsSet", v, p.use("opt"))
	default:
		p.f("%s.Valid = true", v)
	}
	p.f("%s.V = %s", v, x)
}

// tagMap prints the same for the map d, of elements of kind k.
func (p *printer) tagMap(d *ir.Decl, k ir.Kind, member string, t *ir.Tag, x string, whole func(string) string) {
	p.f("tag, ok := (*%s)[%q]%s", x, member, pick(k == ir.Any, ".(string)", ""))
	if len(t.Fill) > 0 {
		p.f("if !ok && (*%s)[%q] == %s {", x, member, pick(k == ir.Any, "nil", `""`))
		p.f("y := make(%s, len(*%s)+1)", d.Name, x)
		p.f("%s.Copy(y, *%s)", p.use("maps"), x)
		p.f("y[%q] = %q", member, t.Fill[0])
		p.f("return %s, nil", whole("&y"))
		p.f("}")
	}
	check, list := "CheckTag", t.Own
	if t.Rest {
		check, list = "CheckOtherTag", t.Other
	}
	if len(list) == 0 {
		p.f("_ = tag")
		return
	}
	p.f("if ok {")
	p.f("return v, %s(%q, %s(tag, %q, %s))", p.weft("AtMember"), member, p.weft(check), d.Name, wrap(quoteAll(list)))
	p.f("}")
}
