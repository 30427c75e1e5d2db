package gen

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// wire is a format that methods are printed for.
type wire struct {
	pkg    string // package, and in it Reader
	suffix string // of the methods: ReadJSON
	flags  string // parameter of the append methods, with its comma
	flag   string // argument for it
	text   string // that of the functions that append strings
}

var (
	wireJSON = wire{pkg: "json", suffix: "JSON", flags: ", f json.Flags", flag: ", f", text: ", f"}
	wirePack = wire{pkg: "msgpack", suffix: "Msgpack"}
	wireTags = wire{pkg: "tagged", suffix: "Tagged", flags: ", w *tagged.Writer", flag: ", w"}
)

// readMethods are the methods of readers that read scalars.
var readMethods = map[ir.Kind]string{
	ir.Bool: "Bool", ir.Int8: "Int8", ir.Int16: "Int16", ir.Int32: "Int32", ir.Int64: "Int64",
	ir.Uint8: "Uint8", ir.Uint16: "Uint16", ir.Uint32: "Uint32", ir.Uint64: "Uint64", ir.Float32: "Float32",
	ir.Float64: "Float64", ir.String: "String", ir.Time: "Time",
}

// readFuncs are the functions of the root that read what methods of readers do not.
var readFuncs = map[ir.Kind]string{ir.Any: "ReadAny", ir.Bytes: "ReadBytes", ir.Date: "ReadDate"}

// reader prints the Read method of d for the format w.
func (p *printer) reader(w wire, d *ir.Decl, fields map[*ir.Decl]string) {
	p.f("")
	p.f("// Read%s reads v from r and checks it.", w.suffix)
	p.f("func (v *%s) Read%s(r *%s.Reader) error {", d.Name, w.suffix, p.use(w.pkg))
	if d.Schema != "" {
		p.f("r.Conform(%s)", d.Schema)
	}
	switch d.Kind {
	case ir.Struct:
		p.readStruct(w, d, fields[d])
		p.f("}")
		return
	case ir.Enum:
		p.f("*v = %s(r.%s())", d.Name, readMethods[d.Type.Kind])
		if !d.Open {
			p.f("if !v.Valid() {\nr.Check(v.Validate())\n}")
		}
	case ir.Union:
		p.readUnion(w, d)
		p.f("}")
		return
	default:
		if d.Type.Kind == ir.Any {
			p.read(w, d.Type, "v.V", 0)
		} else if d.Type.Kind == ir.Ref {
			p.f("(*%s)(v).Read%s(r)", d.Type.Decl.Name, w.suffix)
		} else if expr := p.readExpr(d.Type); expr != "" {
			p.f("*v = %s(%s)", d.Name, expr)
		} else if d.Type.Kind == ir.Foreign || d.Type.Kind.IsContent() {
			p.read(w, d.Type, "*(*"+p.goType(d.Type)+")(v)", 0)
		} else {
			p.read(w, d.Type, "*v", 0)
		}
		if !d.Type.Checks.Empty() || d.Type.Under().Kind == ir.Slice {
			p.readChecks(d.Type, definedValue(p, d))
		}
	}
	p.f("return r.Err()")
	p.f("}")
}

// definedValue returns the expression for *v as the type that d is defined by.
func definedValue(p *printer, d *ir.Decl) string {
	switch d.Type.Kind {
	case ir.Slice, ir.Map:
		return "*v"
	case ir.JSONText, ir.JSONBytes:
		return p.underlying(d, "*v")
	}
	return p.goType(d.Type) + "(*v)"
}

// readStruct prints the loop over the members of a struct, and what ends it.
func (p *printer) readStruct(w wire, d *ir.Decl, table string) {
	if d.Parts != nil {
		p.readParts(w, d, table)
		return
	}
	wanted := required(d)
	words := (len(d.Fields) + 63) / 64
	wide := words > 1 || len(d.Fields) > 62 // weft.Unknown is bit 62 of a word
	noted := slices.Contains(wanted, true)
	switch {
	case !noted:
	case wide:
		p.f("var seen [%d]uint64", words)
	default:
		p.f("var seen uint64")
	}
	counted := d.MinProps > 0 || d.MaxProps >= 0
	if counted {
		p.f("n := 0")
	}
	p.f("for i := r.BeginObject(%s); i != %s; i = r.Member(%s, i+1) {", table, p.weft("End"), table)
	if counted {
		p.f("n++")
	}
	if noted && !wide {
		p.f("seen |= 1 << (i & 63)")
	}
	p.f("switch i {")
	for i, f := range d.Fields {
		p.f("case %d:", i)
		p.readField(w, f)
		if wide && wanted[i] {
			p.f("seen[%d] |= 1 << %d", i/64, i%64)
		}
	}
	p.f("default:")
	if d.Extra != nil {
		p.readExtra(w, d)
	} else {
		p.f("r.Unknown(%t)", d.Closed)
	}
	p.f("}")
	p.f("}")
	if want, ok := plainly(d); ok && !wide {
		p.f("return r.Done(%s, seen, %#x)", table, want)
		return
	}
	p.missing(d, table, wide, words, func(f *ir.Field) bool { return f.Required })
	for in, cond := range []string{ir.InRequest: "r.Request()", ir.InResponse: "r.Response()"} {
		required := func(f *ir.Field) bool { return f.RequiredIn == ir.Direction(in) }
		if cond != "" && slices.ContainsFunc(d.Fields, required) {
			p.f("if %s {", cond)
			p.missing(d, table, wide, words, required)
			p.f("}")
		}
	}
	for _, s := range d.AnyOf {
		p.f("r.Check(%s)", p.requires(d, s, table, pick(wide, "seen[0]", "seen")))
	}
	if counted {
		p.f("%s(r, n, %d, %d)", p.weft("ExpectMembers"), d.MinProps, d.MaxProps)
	}
	for _, f := range d.Fields {
		if f.Default == nil {
			continue
		}
		p.f("if %s {", p.absent(f))
		if f.Default.JSON == "" {
			p.set(f, p.defaultValue(f))
			p.f("}")
			continue
		}
		// Into a variable: what is wrong with it leaves the member absent.
		x, ptr := "x", "&x"
		if f.Pointer {
			ptr = "x"
			p.f("x := new(%s)", p.goType(f.Type))
		} else {
			p.f("var x %s", p.goType(f.Type))
		}
		if f.Type.Under().Kind == ir.Ref {
			p.f("if %s.Read([]byte(%s), %s) == nil {", p.use("json"), quote(f.Default.JSON), ptr)
		} else {
			p.f("d := %s.NewDecoder(%s.NewReader(%s))", p.use("json"), p.use("strings"), quote(f.Default.JSON))
			p.f("if d.UseNumber(); d.Decode(%s) == nil {", ptr)
		}
		p.set(f, x)
		p.f("}\n}")
	}
	p.f("return r.Err()")
}

// plainly returns a bit for each of the first members of d that are required,
// and whether that is all there is to check when d has been read, and there are
// such.
func plainly(d *ir.Decl) (want uint64, ok bool) {
	for i, f := range d.Fields {
		if f.RequiredIn != ir.Nowhere || f.Default != nil {
			return 0, false
		}
		if f.Required {
			want |= 1 << i
		}
	}
	return want, want != 0 && len(d.AnyOf) == 0 && d.MinProps <= 0 && d.MaxProps < 0
}

// absent returns the condition that the field f of v, which may be absent, is.
func (p *printer) absent(f *ir.Field) string {
	switch x := "v." + f.Name; {
	case f.State() == ir.Both:
		return x + ".State == " + p.use("opt") + ".Absent"
	case !f.Bare():
		return "!" + x + ".Valid"
	case f.Type.Base().IsUnion():
		return x + ".V == nil"
	default:
		return x + " == nil"
	}
}

// set prints what gives the field f of v, which may be absent, the value x.
func (p *printer) set(f *ir.Field, x string) {
	if f.Bare() {
		p.f("v.%s = %s", f.Name, x)
	} else {
		p.f("v.%s.V = %s", f.Name, x)
		if f.State() == ir.Both {
			p.f("v.%s.State = %s.IsSet", f.Name, p.use("opt"))
		} else {
			p.f("v.%s.Valid = true", f.Name)
		}
	}
}

// defaultValue returns the expression for the default of f.
func (p *printer) defaultValue(f *ir.Field) string {
	d := f.Default
	if d.Scalar != nil {
		return p.scalarDefault(f.Type, d.Scalar)
	}
	elem := f.Type.Under()
	if elem.Kind == ir.Ref {
		elem = elem.Decl.Type
	}
	items := make([]string, len(d.Values))
	for i, v := range d.Values {
		items[i] = p.scalarDefault(elem.Elem, v) // of no items the elements may be anything
		if d.Names != nil {
			items[i] = strconv.Quote(d.Names[i]) + ": " + items[i]
		}
	}
	return p.goType(f.Type) + "{" + strings.Join(items, ", ") + "}"
}

// scalarDefault returns the expression for the scalar v of type t.
func (p *printer) scalarDefault(t *ir.Type, v *ir.Value) string {
	switch k := scalarKind(t); k {
	case ir.Time, ir.Date:
		at, err := parseTime(k, v.Text)
		if err != nil {
			break // it has been seen to fit
		}
		time := p.use("time")
		zone := time + ".UTC"
		if _, offset := at.Zone(); offset != 0 {
			zone = fmt.Sprintf("%s.FixedZone(\"\", %d)", time, offset)
		}
		year, month, day := at.Date()
		text := fmt.Sprintf("%s.Date(%d, %d, %d, %d, %d, %d, %d, %s)", time, year, month, day, at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), zone)
		if u := t.Under(); u.Kind == ir.Ref {
			return u.Decl.Name + "(" + text + ")"
		}
		return text
	case ir.Bytes:
		if data, err := base64.StdEncoding.DecodeString(v.Text); err == nil {
			return "[]byte(" + strconv.Quote(string(data)) + ")"
		}
	}
	return literal(scalarKind(t), v)
}

// scalarKind returns the kind of the scalar that t is, by whatever name.
func scalarKind(t *ir.Type) ir.Kind {
	t = t.Under()
	if t.Kind == ir.Ref {
		return scalarKind(t.Decl.Type)
	}
	return t.Kind
}

// requires returns the check that one of the sets of members is there.
func (p *printer) requires(d *ir.Decl, s ir.Sets, table, seen string) string {
	var sets []string
	for _, names := range s.Names {
		var bits uint64
		for _, name := range names {
			for i, f := range d.Fields {
				if f.Wire == name && i < 64 {
					bits |= 1 << i
				}
			}
		}
		sets = append(sets, fmt.Sprintf("%#x", bits))
	}
	return fmt.Sprintf("%s(%s, %s, %t, %s)", p.weft("CheckRequires"), table, seen, s.Exact, strings.Join(sets, ", "))
}

// missing prints the check that every member that is required was seen.
func (p *printer) missing(d *ir.Decl, table string, wide bool, words int, required func(*ir.Field) bool) {
	want := make([]uint64, words)
	none := true
	for i, f := range d.Fields {
		if required(f) {
			want[i/64] |= 1 << (i % 64)
			none = false
		}
	}
	switch {
	case none:
	case !wide:
		p.f("if seen&%#x != %#x {", want[0], want[0])
		p.f("r.Missing(%s, seen, %#x)", table, want[0])
		p.f("}")
	default:
		var list, conds []string
		for i, w := range want {
			list = append(list, fmt.Sprintf("%#x", w))
			conds = append(conds, fmt.Sprintf("seen[%d]&want[%d] != want[%d]", i, i, i))
		}
		p.f("if want := [...]uint64{%s}; %s {", strings.Join(list, ", "), strings.Join(conds, " || "))
		p.f("r.Check(%s(%s, seen[:], want[:]))", p.weft("NewMissingErrorWide"), table)
		p.f("}")
	}
}

// required reports for each field whether the decoder has to note that it saw
// it.
func required(d *ir.Decl) []bool {
	out := make([]bool, len(d.Fields))
	for i, f := range d.Fields {
		out[i] = f.Required || f.RequiredIn != ir.Nowhere
		for _, s := range d.AnyOf {
			for _, names := range s.Names {
				for _, name := range names {
					out[i] = out[i] || f.Wire == name && i < 64
				}
			}
		}
	}
	return out
}

func (p *printer) readExtra(w wire, d *ir.Decl) {
	x := "v." + d.Extra.Name
	if d.Part {
		p.f("if r.Ignored() {")
		p.f("r.Skip()")
		p.f("break")
		p.f("}")
	}
	if d.Extra.Patterns != nil {
		var conds []string
		for _, name := range d.Extra.Patterns {
			conds = append(conds, "!"+name+".Match(r.Name())")
		}
		p.f("if %s {", strings.Join(conds, " && "))
		p.f("r.Unknown(false)")
		p.f("break")
		p.f("}")
	}
	p.f("name := %s.Clone(r.Name())", p.use("strings"))
	p.f("if %s == nil {", x)
	p.f("%s = make(%s)", x, p.goType(d.Extra.Type))
	p.f("}")
	elem := d.Extra.Type.Elem
	p.conform(elem)
	if expr := p.readExpr(elem.Under()); expr != "" && elem.Checks.Empty() && elem.Under().Checks.Empty() {
		p.f("%s[name] = %s", x, expr)
		return
	}
	if expr := p.readExpr(elem.Under()); expr != "" {
		p.f("x := %s", expr)
	} else {
		p.f("var x %s", p.goType(elem))
		p.read(w, elem, "x", 0)
	}
	p.readChecks(elem, "x")
	p.f("%s[name] = x", x)
}

// readField prints what reads the value of a member into its field.
func (p *printer) readField(w wire, f *ir.Field) {
	x, state := "v."+f.Name, f.State()
	t := f.Type.Under()
	val, _ := p.value(f)
	nullable := state == ir.Nullable || state == ir.Both
	if nullable {
		switch {
		case !f.Bare():
			p.f("if %s = (%s{%s}); !r.Null() {", x, p.fieldType(f), pick(state == ir.Both, "State: "+p.use("opt")+".IsNull", ""))
		case f.Type.Base().IsUnion():
			p.f("if %s.V = nil; !r.Null() {", x)
		default:
			p.f("if %s = nil; !r.Null() {", x)
		}
	}
	p.conform(f.Type)
	expr := p.readExpr(t)
	switch {
	case f.Pointer:
		p.f("%s = new(%s)", val, p.goType(f.Type))
		if t.Kind.IsContent() {
			p.read(w, t, "*"+val, 0)
		} else {
			p.f("%s.Read%s(r)", val, w.suffix)
		}
	case state == ir.Plain && expr != "":
		p.f("%s = %s", x, expr)
	case expr != "":
		p.f("%s = %s", val, expr)
	default:
		p.read(w, f.Type, val, 0)
	}
	switch {
	case state == ir.Both:
		p.f("%s.State = %s.IsSet", x, p.use("opt"))
	case state != ir.Plain && !f.Bare():
		p.f("%s.Valid = true", x)
	}
	if !f.Pointer {
		p.readChecks(f.Type, val)
	}
	if nullable {
		p.f("}")
	}
}

// readExpr returns the expression that reads a value of type t, "" when it takes
// statements.
func (p *printer) readExpr(t *ir.Type) string {
	if f := readFuncs[t.Kind]; f != "" {
		return p.weft(f) + "(r)"
	}
	if m := readMethods[t.Kind]; m != "" {
		return "r." + m + "()"
	}
	return ""
}

// read prints the statements that read a value of type t into the variable x.
func (p *printer) read(w wire, t *ir.Type, x string, depth int) {
	t = t.Under()
	if expr := p.readExpr(t); expr != "" {
		p.f("%s = %s", x, expr)
		return
	}
	switch t.Kind {
	case ir.Foreign:
		if ptr, ok := strings.CutPrefix(x, "*"); ok {
			p.f("r.Value(%s)", ptr)
		} else {
			p.f("r.Value(&%s)", x)
		}
	case ir.Null:
		p.f("%s(r)", p.weft("ReadNull"))
	case ir.Ref:
		p.f("%s.Read%s(r)", x, w.suffix)
	case ir.JSONText, ir.JSONBytes:
		name := pick(t.Kind == ir.JSONText, "ReadContent", "ReadByteContent")
		p.f("%s.%s(r, %s, %s)", p.use("json"), name, address(x), p.readFunc(wireJSON, t.Elem))
	case ir.NullType:
		p.f("if !r.Null() {")
		p.conform(t.Elem)
		if expr := p.readExpr(t.Elem.Under()); expr != "" {
			p.f("%s.V = %s", x, expr)
		} else {
			p.read(w, t.Elem, x+".V", depth)
		}
		p.f("%s.Valid = true", x)
		p.readChecks(t.Elem, x+".V")
		p.f("}")
	case ir.Slice:
		p.readSlice(w, t, x, depth)
	case ir.Map:
		p.f("%s = %s.ReadMap(r, %s, %s)", x, w.pkg, x, p.readFunc(w, t.Elem))
	}
}

func (p *printer) readSlice(w wire, t *ir.Type, x string, depth int) {
	elem := t.Elem.Under()
	switch {
	case t.Elem.Schemas() != nil:
		p.f("%s = %s.ReadSlice(r, %s, %s)", x, w.pkg, x, p.readFunc(w, t.Elem))
	case elem.Kind == ir.Ref:
		p.f("%s = %s.ReadSlice(r, %s, (*%s).Read%s)", x, w.pkg, x, elem.Decl.Name, w.suffix)
	case elem.Kind == ir.String:
		from, to := lengths(t.Elem)
		p.f("%s = %s.ReadStrings(r, %s, %d, %d)", x, w.pkg, x, from, to)
	case scalars(t):
		p.f("%s = %s.ReadScalars(r, %s, (*%s.Reader).%s)", x, w.pkg, x, w.pkg, readMethods[elem.Kind])
	default:
		p.f("%s = %s.ReadSlice(r, %s, %s)", x, w.pkg, x, p.readFunc(w, t.Elem))
	}
}

// lengths returns how long the elements of a slice are at least and at most that
// ReadStrings reads, which checks that. At most -1 is no limit.
func lengths(elem *ir.Type) (from, to int) {
	if elem.Kind != ir.String || elem.Checks == nil {
		return 0, -1
	}
	return elem.Checks.MinLen, elem.Checks.MaxLen
}

// scalars reports whether the slice t is read by ReadScalars or ReadStrings, and
// its elements are checked when it is whole.
func scalars(t *ir.Type) bool {
	elem := t.Elem.Under()
	return readMethods[elem.Kind] != "" && t.Elem.Schemas() == nil
}

// readFunc returns a function that reads a value of type t.
func (p *printer) readFunc(w wire, t *ir.Type) string {
	if u := t.Under(); u.Kind == ir.Ref && t.Schemas() == nil {
		return "(*" + u.Decl.Name + ").Read" + w.suffix
	}
	text, _ := p.nested(func() {
		p.f("func(x *%s, r *%s.Reader) error {", p.goType(t), w.pkg)
		p.conform(t)
		if u := t.Under(); u.Kind == ir.NullType {
			p.read(w, u, "x", 0) // selectors need no dereference
		} else {
			p.read(w, t, "*x", 0)
		}
		p.readChecks(t, "*x")
		p.f("return r.Err()")
		p.f("}")
	})
	return strings.TrimSuffix(text, "\n")
}

// conform prints the checks of the value that comes next, of type t, by schemas.
func (p *printer) conform(t *ir.Type) {
	for _, name := range t.Schemas() {
		p.f("r.Conform(%s)", name)
	}
}

// readChecks prints the checks of the value x of type t, which r has just read.
func (p *printer) readChecks(t *ir.Type, x string) {
	p.expect("r", p.checks(t, x))
	if t = t.Under(); t.Kind != ir.Slice || !scalars(t) {
		return
	}
	checks := p.checks(t.Elem, "x")
	if from, to := lengths(t.Elem); from > 0 || to >= 0 {
		checks = slices.DeleteFunc(checks, func(c check) bool { return c.call == p.weft("CheckLen") })
	}
	if len(checks) > 0 {
		p.f("for i, x := range %s {", x)
		p.expect("r.Item(i)", checks)
		p.f("}")
	}
}

// expect prints the checks that tell what they find to r.
func (p *printer) expect(r string, checks []check) {
	for _, c := range checks {
		if c.cheap {
			p.f("%s(%s, %s)", strings.Replace(c.call, "Check", "Expect", 1), r, c.args)
		} else {
			p.f("%s.Check(%s)", r, c)
		}
	}
}
