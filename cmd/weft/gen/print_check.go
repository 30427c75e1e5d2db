package gen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// check is a check of a value: what it calls, and with what.
type check struct {
	call, args string
	cheap      bool // the call begins with Check, and Expect does the same to a reader
}

// String returns the expression, an error or nil.
func (c check) String() string { return c.call + "(" + c.args + ")" }

// checks returns the checks of the value x of type t, what its elements are not
// included.
func (p *printer) checks(t *ir.Type, x string) []check {
	var out []check
	if t.Kind == ir.Ref && t.Decl.Kind == ir.Alias {
		out = p.checks(t.Decl.Type, x) // an alias has no methods that would check
	}
	c := t.Checks
	if c.Empty() {
		return out
	}
	add := func(cheap bool, name, x string, args ...any) {
		for _, a := range args {
			x += fmt.Sprint(", ", a)
		}
		out = append(out, check{p.weft(name), x, cheap})
	}
	switch {
	case c.Min != "" && c.Max != "" && !c.ExclMin && !c.ExclMax:
		add(true, "CheckRange", x, c.Min, c.Max)
	default:
		if c.Min != "" {
			add(true, pick(c.ExclMin, "CheckAbove", "CheckMin"), x, c.Min)
		}
		if c.Max != "" {
			add(true, pick(c.ExclMax, "CheckBelow", "CheckMax"), x, c.Max)
		}
	}
	if c.MultipleOf != "" {
		add(false, pick(t.Kind.IsFloat(), "CheckMultipleFloat", "CheckMultiple"), x, c.MultipleOf)
	}
	if c.MinLen > 0 || c.MaxLen >= 0 {
		add(true, "CheckLen", x, c.MinLen, c.MaxLen)
	}
	if c.PatternVar != "" {
		out = append(out, check{call: c.PatternVar + ".Check", args: x})
	}
	switch c.Format {
	case "":
	case "uuid":
		add(false, "CheckUUID", x)
	default:
		add(false, "CheckFormat", x, strconv.Quote(c.Format))
	}
	if c.Const != nil {
		add(true, "CheckConst", x, literal(t.Kind, c.Const))
	}
	if c.MinItems > 0 || c.MaxItems >= 0 {
		add(true, "CheckItems", "len("+x+")", c.MinItems, c.MaxItems)
	}
	if c.Unique {
		out = append(out, p.unique(t, x))
	}
	if c.MinProps > 0 || c.MaxProps >= 0 {
		add(true, "CheckMembers", "len("+x+")", c.MinProps, c.MaxProps)
	}
	return out
}

func pick(cond bool, a, b string) string {
	if cond {
		return a
	}
	return b
}

// unique returns the check that the elements of the slice x differ.
func (p *printer) unique(t *ir.Type, x string) check {
	if comparable(t.Elem) {
		return check{call: p.weft("CheckUnique"), args: x}
	}
	// What cannot be compared in Go is compared as it is written.
	body, fails := p.nested(func() {
		p.append(wireJSON, t.Elem, index(x, "i"), 1) // within the loop of i
		p.flush()
	})
	decl := ""
	if fails {
		decl = "var err error\n"
	}
	if usesFlags(body) {
		decl += "f := " + p.use("json") + ".SortMapKeys\n"
	}
	return check{call: p.weft("CheckUniqueBy"), args: fmt.Sprintf("len(%s), func(b []byte, i int) ([]byte, error) {\n%s%sreturn b, nil\n}", x, decl, body)}
}

// comparable reports whether == on values of type t is equality in the format.
func comparable(t *ir.Type) bool {
	t = t.Under()
	switch t.Kind {
	case ir.Any, ir.Foreign, ir.Bytes, ir.Slice, ir.Map, ir.Time, ir.Date, ir.Null, ir.JSONText, ir.JSONBytes:
		return false
	case ir.NullType:
		return comparable(t.Elem)
	case ir.Ref:
		return t.Decl.Kind == ir.Enum || t.Decl.Kind == ir.Defined && comparable(t.Decl.Type)
	}
	return true
}

// validation says which declarations have something to validate.
type validation map[*ir.Decl]bool

// validated finds the declarations with something to validate, in them or in
// what they hold.
func validated(decls []*ir.Decl) validation {
	v := make(validation)
	for changed := true; changed; {
		changed = false
		for _, d := range decls {
			if !v[d] && v.needs(d) {
				v[d], changed = true, true
			}
		}
	}
	return v
}

func (v validation) needs(d *ir.Decl) bool {
	if d.Schema != "" {
		return true
	}
	switch d.Kind {
	case ir.Enum:
		return !d.Open
	case ir.Union:
		return true // the variant must be set
	case ir.Struct:
		if d.Parts != nil || len(d.AnyOf) > 0 || d.MinProps > 0 || d.MaxProps >= 0 || d.Extra != nil && v.typ(d.Extra.Type) {
			return true
		}
		for _, f := range d.Fields {
			if v.typ(f.Type) && !static(f) {
				return true
			}
		}
		return false
	}
	return v.typ(d.Type)
}

func (v validation) typ(t *ir.Type) bool {
	if !t.Checks.Empty() {
		return true
	}
	switch t = t.Under(); t.Kind {
	case ir.Ref:
		return v[t.Decl]
	case ir.Slice, ir.Map, ir.NullType, ir.JSONText, ir.JSONBytes:
		return !t.Checks.Empty() || v.typ(t.Elem)
	}
	return !t.Checks.Empty()
}

// static reports whether f is written as a constant, whatever it holds.
func static(f *ir.Field) bool {
	return f.State() == ir.Plain && f.Type.Checks != nil && f.Type.Checks.Const != nil
}

// validate prints the method Validate of d.
func (p *printer) validate(v validation, d *ir.Decl, table string) {
	recv := "v *" + d.Name
	if byValue(d) {
		recv = "v " + d.Name
	}
	p.f("")
	p.f("// Validate reports everything in v that the document does not allow.")
	if !v[d] {
		p.f("func (%s) Validate() error { return nil }", recv)
		return
	}
	p.f("func (%s) Validate() error {", recv)
	if d.Schema != "" {
		p.validateConform(v, d, table)
		p.f("}")
		return
	}
	switch d.Kind {
	case ir.Enum:
		p.f("if !v.Valid() {")
		p.f("return %s(%q, %s(v))", p.weft("EnumError"), d.Name, d.Type.Kind.String())
		p.f("}")
		p.f("return nil")
	case ir.Union:
		p.f("if v.V == nil {")
		p.f("return %s(%q)", p.weft("NilError"), d.Name)
		p.f("}")
		p.validateUnion(d, true)
	case ir.Struct:
		p.f("var p %s", p.weft("Report"))
		p.validateStruct(v, d, table)
		p.f("return p.Err()")
	default:
		p.f("var p %s", p.weft("Report"))
		p.validateDefined(v, d)
		p.f("return p.Err()")
	}
	p.f("}")
}

// validateConform prints the body of Validate of d, which has a schema.
func (p *printer) validateConform(v validation, d *ir.Decl, table string) {
	p.f("var p %s", p.weft("Report"))
	x := "v"
	if byValue(d) {
		x = "&v"
	}
	switch d.Kind {
	case ir.Struct:
		p.validateStruct(v, d, table)
	case ir.Enum:
		p.f("if !v.Valid() {")
		p.f("p.Add(%s(%q, %s(v)))", p.weft("EnumError"), d.Name, d.Type.Kind.String())
		p.f("}")
	case ir.Union:
		p.f("if v.V == nil {")
		p.f("return %s(%q)", p.weft("NilError"), d.Name)
		p.f("}")
		p.validateUnion(d, false)
	default:
		if v.typ(d.Type) {
			p.validateDefined(v, d)
		}
	}
	p.f("p.Add(%s.Conform(%s, %s, (*%s).AppendJSON))", p.use("json"), d.Schema, x, d.Name)
	p.f("return p.Err()")
}

// validateDefined prints the checks of a defined type.
func (p *printer) validateDefined(v validation, d *ir.Decl) {
	p.validateValue(v, d.Type, p.underlying(d, "v"), "Add(")
}

func (p *printer) validateStruct(v validation, d *ir.Decl, table string) {
	if d.Parts != nil {
		p.validateParts(d)
		return
	}
	for _, f := range d.Fields {
		if !v.typ(f.Type) || static(f) {
			continue
		}
		val, cond := p.value(f)
		if c := p.presence(f); c != "" && cond == "" {
			cond = c
		}
		if f.Pointer {
			if cond == "" {
				cond = val + " != nil"
			}
			val = "*" + val
		}
		if cond != "" {
			p.f("if %s {", cond)
		}
		p.validateValue(v, f.Type, val, "Member("+strconv.Quote(f.Wire)+", ")
		if cond != "" {
			p.f("}")
		}
	}
	if d.Extra != nil && v.typ(d.Extra.Type) {
		p.validateValue(v, d.Extra.Type, "v."+d.Extra.Name, "Add(")
	}
	if len(d.AnyOf) > 0 {
		p.f("var seen uint64")
		bits := required(d)
		for i, f := range d.Fields {
			if !bits[i] || i >= 64 {
				continue
			}
			if c := p.presence(f); c != "" {
				p.f("if %s {\nseen |= 1 << %d\n}", c, i)
			} else {
				p.f("seen |= 1 << %d", i)
			}
		}
		for _, s := range d.AnyOf {
			p.f("p.Add(%s)", p.requires(d, s, table, "seen"))
		}
	}
	if d.MinProps > 0 || d.MaxProps >= 0 {
		fixed := 0
		for _, f := range d.Fields {
			if p.presence(f) == "" {
				fixed++
			}
		}
		if p.f("n := %d", fixed); d.Extra != nil {
			p.f("n += len(v.%s)", d.Extra.Name)
		}
		for _, f := range d.Fields {
			if c := p.presence(f); c != "" {
				p.f("if %s {\nn++\n}", c)
			}
		}
		p.f("p.Add(%s(n, %d, %d))", p.weft("CheckMembers"), d.MinProps, d.MaxProps)
	}
}

// validateValue prints what adds to the report p whatever is wrong with x.
func (p *printer) validateValue(v validation, t *ir.Type, x, sink string) {
	for _, check := range p.checks(t, x) {
		p.f("p.%s%s)", sink, check)
	}
	u := t.Under()
	for _, name := range t.Schemas() {
		p.f("p.%s%s.Conform(%s, %s, %s))", sink, p.use("json"), name, address(x), p.appendFunc(wireJSON, t))
	}
	switch u.Kind {
	case ir.Ref:
		if v[u.Decl] {
			p.f("p.%s%s.Validate())", sink, strings.TrimPrefix(x, "*"))
		}
	case ir.JSONText, ir.JSONBytes:
		p.validateValue(v, u.Elem, x, sink)
	case ir.NullType:
		if v.typ(u.Elem) {
			p.f("if %s.Valid {", x)
			p.validateValue(v, u.Elem, x+".V", sink)
			p.f("}")
		}
	case ir.Slice:
		if v.typ(u.Elem) {
			p.f("p.%s%s(%s, %s))", sink, p.weft("ValidateItems"), x, p.validateFunc(v, u.Elem))
		}
	case ir.Map:
		if v.typ(u.Elem) {
			p.f("p.%s%s(%s, %s))", sink, p.weft("ValidateMembers"), x, p.validateFunc(v, u.Elem))
		}
	}
}

// address returns the expression for a pointer to x.
func address(x string) string {
	if ptr, ok := strings.CutPrefix(x, "*"); ok {
		return ptr
	}
	return "&" + x
}

// validateFunc returns a function that validates a value of type t.
func (p *printer) validateFunc(v validation, t *ir.Type) string {
	u := t.Under()
	if u.Kind == ir.Ref && t.Schemas() == nil {
		return "(*" + u.Decl.Name + ").Validate"
	}
	x := "*x"
	if u.Kind == ir.NullType {
		x = "x"
	}
	body, _ := p.nested(func() { p.validateValue(v, t, x, "Add(") })
	if rest, ok := strings.CutPrefix(body, "p.Add("); ok && strings.Count(body, "\n") == 1 {
		return fmt.Sprintf("func(x *%s) error { return %s }", p.goType(t), strings.TrimSuffix(rest, ")\n"))
	}
	return fmt.Sprintf("func(x *%s) error {\nvar p %s\n%sreturn p.Err()\n}", p.goType(t), p.weft("Report"), body)
}

// byValue reports whether the methods of d that do not change it have a value
// receiver.
func byValue(d *ir.Decl) bool {
	return d.Kind == ir.Enum || d.Kind == ir.Defined && d.Type.Kind != ir.Slice && d.Type.Kind != ir.Map && d.Type.Kind != ir.Ref &&
		!d.Type.Kind.IsContent()
}
