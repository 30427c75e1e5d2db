package gen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// written returns the members that the struct d is written with and the expression
// for those without a field. For a struct of parts it prints what joins and checks
// them.
func (p *printer) written(d *ir.Decl) (fields []*ir.Field, extra string) {
	if d.Extra != nil {
		extra = "v." + d.Extra.Name
	}
	if d.Parts == nil {
		return d.Fields, extra
	}
	p.countParts(d)
	p.f("if parts == 0 {")
	p.f("return b, %s(%q)", p.weft("NilError"), d.Name)
	p.f("}")
	if d.Parts.Shared {
		p.f("if parts > 1 {")
		p.f("if err := agree%s(v); err != nil {", d.Name)
		p.f("return b, err")
		p.f("}")
		p.f("}")
	}
	if d.Extra == nil {
		return d.Parts.Members, ""
	}
	p.f("extra := %s", extra)
	for _, f := range d.Fields {
		if x := f.Type.Decl.Extra; x != nil {
			p.fails = true
			p.f("if v.%s != nil {", f.Name)
			p.f("if extra, err = %s(extra, v.%s.%s); err != nil {", p.weft("JoinMembers"), f.Name, x.Name)
			p.f("return b, err")
			p.f("}")
			p.f("}")
		}
	}
	return d.Parts.Members, "extra"
}

// countParts prints what counts the parts that v has.
func (p *printer) countParts(d *ir.Decl) {
	p.f("parts := 0")
	for _, f := range d.Fields {
		p.f("if v.%s != nil {", f.Name)
		p.f("parts++")
		p.f("}")
	}
}

// stateOf prints what appends the value of a member of parts: that of the first part
// that has it, with which others agree.
func (p *printer) stateOf(w wire, f *ir.Field) {
	if len(f.Of) == 1 {
		p.part = "v." + f.Of[0].Part.Name
		p.state(w, f.Of[0].Field)
		p.part = "v"
		return
	}
	p.stmt("switch {")
	for i, m := range f.Of {
		if i == len(f.Of)-1 {
			p.f("default:")
		} else {
			p.f("case %s:", p.presenceOf(m))
		}
		p.part = "v." + m.Part.Name
		p.state(w, m.Field)
		p.flush()
		p.part = "v"
	}
	p.f("}")
}

// readParts prints the body that reads each part that the value is.
func (p *printer) readParts(w wire, d *ir.Decl, table string) {
	owners := make([]string, len(d.Parts.Members))
	for i, m := range d.Parts.Members {
		var bits uint64
		for k, f := range d.Fields {
			for _, of := range m.Of {
				if of.Part == f {
					bits |= 1 << k
				}
			}
		}
		owners[i] = fmt.Sprintf("%#x", bits)
	}
	extra := "nil"
	if d.Extra != nil {
		extra = "&v." + d.Extra.Name
	}
	p.f("*v = %s{}", d.Name)
	p.f("%s(r, %s, %s, []uint64{%s}, %s, %t, func(i int) {", p.weft("ReadParts"), d.Parts.Choice, table, strings.Join(owners, ", "), extra, d.Parts.Refuse)
	p.f("switch i {")
	for i, f := range d.Fields {
		p.f("case %d:", i)
		p.f("v.%s = new(%s)", f.Name, f.Type.Decl.Name)
		p.f("v.%s.Read%s(r)", f.Name, w.suffix)
	}
	p.f("}")
	p.f("})")
	p.f("return r.Err()")
}

// validateParts prints what adds to the report p whatever is wrong with the parts:
// with each of them, and with the object that they are together.
func (p *printer) validateParts(d *ir.Decl) {
	p.countParts(d)
	var names []string
	for _, f := range d.Fields {
		names = append(names, strconv.Quote(f.Type.Decl.Name))
		p.f("if v.%s != nil {", f.Name)
		p.f("p.Add(v.%s.Validate())", f.Name)
		p.f("}")
	}
	p.f("switch {")
	p.f("case parts == 0:")
	p.f("p.Add(&%s{Union: %q, Variants: []string{%s}})", p.weft("ChoiceError"), d.Name, wrap(names))
	several := "parts > 1"
	if d.Extra != nil {
		several = "(parts > 1 || len(v." + d.Extra.Name + ") > 0)"
	}
	p.f("case %s && p.Err() == nil:", several)
	p.f("p.Add(%s.Conform(%s, v, (*%s).AppendJSON))", p.use("json"), d.Parts.Choice, d.Name)
	p.f("}")
}

// agreement prints the function that checks that the parts of d agree.
func (p *printer) agreement(d *ir.Decl) {
	if d.Parts == nil || !d.Parts.Shared {
		return
	}
	p.f("")
	p.f("// agree%s returns an error unless the parts of v agree on the members that they share.", d.Name)
	p.f("func agree%s(v *%s) error {", d.Name, d.Name)
	p.f("var list []func([]byte, %s.Flags) ([]byte, error)", p.use("json"))
	for _, f := range d.Fields {
		p.f("if v.%s != nil {", f.Name)
		p.f("list = append(list, v.%s.AppendJSON)", f.Name)
		p.f("}")
	}
	p.f("return json.Agree(list...)")
	p.f("}")
}
