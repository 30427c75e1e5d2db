package gen

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/tagged"
)

// lit adds constant text to what is appended next.
func (p *printer) lit(text string) { p.pending += text }

// flush prints what appends the constant text.
func (p *printer) flush() {
	switch {
	case p.pending == "":
	case len(p.pending) == 1 && p.pending[0] < 0x80:
		p.f("b = append(b, %s)", strconv.QuoteRune(rune(p.pending[0])))
	default:
		p.f("b = append(b, %s...)", quote(p.pending))
	}
	p.pending = ""
}

// stmt prints a statement that appends, after the constant text before it.
func (p *printer) stmt(text string, args ...any) {
	p.flush()
	p.f(text, args...)
}

// fallible prints a call that returns b and an error.
func (p *printer) fallible(call string, args ...any) {
	p.flush()
	p.fails = true
	p.f("if b, err = %s; err != nil {", fmt.Sprintf(call, args...))
	if p.member != "" {
		p.f("return b, %s(%s, err)", p.weft("AtMember"), p.member)
	} else {
		p.f("return b, err")
	}
	p.f("}")
}

// usesFlags reports whether the text of a function's body uses its flags: the
// word f is in it.
func usesFlags(body string) bool {
	word := func(c byte) bool {
		return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	for i := 0; i < len(body); i++ {
		at := strings.IndexByte(body[i:], 'f')
		if at < 0 {
			return false
		}
		i += at
		if (i == 0 || !word(body[i-1])) && (i+1 == len(body) || !word(body[i+1])) {
			return true
		}
	}
	return false
}

// appender prints the Append method of d, whose table of names is called table,
// for the format w.
func (p *printer) appender(w wire, d *ir.Decl, table string) {
	recv, val := "*"+d.Name, "*v"
	if byValue(d) && !alike(d) {
		recv, val = d.Name, "v"
	}
	body, fails := p.nested(func() {
		switch d.Kind {
		case ir.Struct:
			switch w {
			case wireJSON:
				p.structJSON(d)
			case wirePack:
				p.structPack(d)
			default:
				p.structTags(d, table)
			}
			return
		case ir.Union:
			p.f("if v.V == nil {")
			p.f("return b, %s(%q)", p.weft("NilError"), d.Name)
			p.f("}")
			if !hasTagger(d) {
				p.f("return v.V.Append%s(b%s)", w.suffix, w.flag)
				return
			}
			p.f("x, err := %s(v.V)", taggerName(d))
			p.f("if err != nil {")
			p.f("return b, err")
			p.f("}")
			p.f("return x.Append%s(b%s)", w.suffix, w.flag)
			return
		case ir.Enum:
			p.append(w, d.Type, d.Type.Kind.String()+"("+val+")", 0)
		default:
			p.append(w, d.Type, p.underlying(d, val), 0)
		}
		p.flush()
		p.f("return b, nil")
	})
	body, fails = tidy(body, fails)
	p.f("")
	p.f("// Append%s appends v to b.", w.suffix)
	p.f("func (v %s) Append%s(b []byte%s) ([]byte, error) {", recv, w.suffix, w.flags)
	p.use(w.pkg)
	if fails {
		p.f("var err error")
	}
	p.buf.WriteString(body)
	p.f("}")
}

// alike reports whether values of d are written as those of the Go type below it
// are. Its Append methods have pointer receivers: of a value receiver's the
// compiler makes two, and where there is no pointer the plan writes the same.
func alike(d *ir.Decl) bool {
	k := d.Type.Kind
	return k == ir.String || k == ir.Bool || k.IsInt() || k.IsUint() || k.IsFloat()
}

// underlying returns the expression for the value of v, the receiver of a method
// of d, as the type that d is defined by. For one with methods by value val is that
// value.
func (p *printer) underlying(d *ir.Decl, val string) string {
	switch {
	case d.Type.Kind == ir.Any:
		return "v.V"
	case d.Type.Kind == ir.Ref:
		return "(*" + d.Type.Decl.Name + ")(v)"
	case byValue(d):
		return p.goType(d.Type) + "(" + val + ")"
	case d.Type.Kind.IsContent():
		return "*(*" + p.goType(d.Type) + ")(v)"
	}
	return "*v"
}

// appended returns the declarations that have Append methods: all but the enums
// that other methods write by a call for the type below, which is most of them.
func appended(decls []*ir.Decl) map[*ir.Decl]bool {
	out := make(map[*ir.Decl]bool)
	mark := func(t *ir.Type) {
		if t = t.Under(); t.Kind == ir.Ref {
			out[t.Decl] = true
		}
	}
	var visit func(t *ir.Type)
	visit = func(t *ir.Type) {
		if t == nil {
			return
		}
		if t.Schemas() != nil {
			mark(t)
		}
		switch t = t.Under(); t.Kind {
		case ir.Slice, ir.Map:
			mark(t.Elem)
			visit(t.Elem)
		case ir.NullType:
			visit(t.Elem)
		}
	}
	for _, d := range decls {
		if d.Kind != ir.Enum || d.Schema != "" || depends(wireJSON, d.Type.Kind) {
			out[d] = true
		}
		visit(d.Type)
		for _, f := range d.Fields {
			visit(f.Type)
		}
		if d.Extra != nil {
			visit(d.Extra.Type)
		}
		if d.Kind == ir.Union {
			for _, v := range d.Union.Variants {
				out[v.Decl] = true
			}
		}
	}
	return out
}

// structJSON prints the body that appends a struct as a JSON object. When the
// first member is always there the commas are constant; otherwise every member
// brings one, and the first of them becomes the brace.
func (p *printer) structJSON(d *ir.Decl) {
	fields, extra := p.written(d)
	fixed := len(fields) > 0 && p.presence(fields[0]) == ""
	if !fixed {
		if len(fields) == 0 && d.Extra == nil {
			p.f("return append(b, \"{}\"...), nil")
			return
		}
		p.f("start := len(b)")
	}
	for i, f := range fields {
		comma := ","
		if i == 0 && fixed {
			comma = "{"
		}
		cond := p.presence(f)
		if cond != "" {
			p.stmt("if %s {", cond)
		}
		p.memberJSON(comma, f.Wire)
		p.state(wireJSON, f)
		if cond != "" {
			p.stmt("}")
		}
	}
	if d.Extra != nil {
		p.fallible("%s.AppendMembers(b, %s, f, %s)", p.use("json"), extra, p.appendFunc(wireJSON, d.Extra.Type.Elem))
	}
	p.flush()
	if !fixed {
		p.f("return json.EndObject(b, start), nil")
		return
	}
	p.f("return append(b, '}'), nil")
}

// memberJSON appends the name of a member. One that is written differently with
// HTML escaped is not constant.
func (p *printer) memberJSON(comma, name string) {
	text, err := json.Marshal(name)
	if p.lit(comma); err != nil || strings.Contains(string(text), `\u00`) || strings.Contains(string(text), `\u20`) {
		p.stmt("b = %s.AppendString(b, %s, f)", p.use("json"), strconv.Quote(name))
		p.lit(":")
		return
	}
	p.lit(string(text) + ":")
}

// state prints what appends the value of the field f, which is present: null
// when it may be.
func (p *printer) state(w wire, f *ir.Field) {
	if f.Of != nil {
		p.stateOf(w, f)
		return
	}
	if static(f) {
		p.constant(w, f.Type)
		return
	}
	p.member = strconv.Quote(f.Wire)
	defer func() { p.member = "" }()
	val, cond := p.value(f)
	if f.Pointer && f.State() == ir.Plain {
		p.stmt("if %s == nil {", val)
		p.f("return b, %s(%q)", p.weft("NilError"), f.Name)
		p.f("}")
	}
	if f.Pointer && f.Type.Under().Kind.IsContent() {
		val = "*" + val
	}
	if cond == "" {
		p.append(w, f.Type, val, 0)
		return
	}
	p.stmt("if %s {", cond)
	p.append(w, f.Type, val, 0)
	p.stmt("} else {")
	p.nullCall(w)
	p.f("}")
}

// nullCall prints a call that appends null, which takes the compiler less than
// to append a constant.
func (p *printer) nullCall(w wire) {
	if w == wireJSON {
		p.f("b = json.AppendNull(b)")
	} else {
		p.f("b = %s(b)", pick(w == wirePack, "msgpack.AppendNil", "tagged.AppendNull"))
	}
}

func (p *printer) null(w wire) {
	switch w {
	case wireJSON:
		p.lit("null")
	case wirePack:
		p.lit("\xc0")
	default:
		p.lit("\x00")
	}
}

// constant appends the one value of t.
func (p *printer) constant(w wire, t *ir.Type) {
	c, k := t.Checks.Const, t.Kind
	text, err := json.Marshal(c.Text)
	switch {
	case w == wireJSON && k != ir.String:
		p.lit(c.Text)
	case w == wireJSON && err == nil && !strings.Contains(string(text), `\u`):
		p.lit(string(text))
	case w == wirePack && k == ir.String:
		p.lit(packString(c.Text))
	default:
		p.append(w, t, k.String()+"("+literal(k, c)+")", 0)
	}
}

// packString returns s as a MessagePack string.
func packString(s string) string {
	switch n := len(s); {
	case n < 32:
		return string([]byte{0xa0 | byte(n)}) + s
	case n < 1<<8:
		return string([]byte{0xd9, byte(n)}) + s
	case n < 1<<16:
		return string([]byte{0xda, byte(n >> 8), byte(n)}) + s
	default:
		return string([]byte{0xdb, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}) + s
	}
}

// packMap returns the header of a MessagePack map of n members.
func packMap(n int) string {
	switch {
	case n < 16:
		return string([]byte{0x80 | byte(n)})
	case n < 1<<16:
		return string([]byte{0xde, byte(n >> 8), byte(n)})
	default:
		return string([]byte{0xdf, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
	}
}

// structPack prints the body that appends a struct as a MessagePack map. Its
// header is constant when every member is always there; otherwise it is written
// for the most members and corrected at the end.
func (p *printer) structPack(d *ir.Decl) {
	fields, extra := p.written(d)
	fixed := 0
	for _, f := range fields {
		if p.presence(f) == "" {
			fixed++
		}
	}
	most := strconv.Itoa(len(fields))
	varies := fixed < len(fields)
	switch {
	case d.Extra != nil:
		most = fmt.Sprintf("%d+len(%s)", len(fields), extra)
		if varies {
			p.f("head := len(b)")
		}
		p.f("b = %s.AppendMapHeader(b, %s)", p.use("msgpack"), most)
	case varies:
		p.f("head := len(b)")
		p.lit(packMap(len(fields)))
	default:
		p.lit(packMap(len(fields)))
	}
	if varies {
		// The header is still pending: n does not depend on it.
		n := strconv.Itoa(fixed)
		if d.Extra != nil {
			n += " + len(" + extra + ")"
		}
		p.f("n := %s", n)
	}
	for _, f := range fields {
		cond := p.presence(f)
		if cond != "" {
			p.stmt("if %s {", cond)
			p.f("n++")
		}
		p.lit(packString(f.Wire))
		p.state(wirePack, f)
		if cond != "" {
			p.stmt("}")
		}
	}
	if d.Extra != nil {
		p.fallible("%s.AppendMembers(b, %s, %s)", p.use("msgpack"), extra, p.appendFunc(wirePack, d.Extra.Type.Elem))
	}
	p.flush()
	if varies {
		p.f("return %s.CloseMapHeader(b, head, %s, n), nil", p.use("msgpack"), most)
	} else {
		p.f("return b, nil")
	}
}

// structTags prints the body that appends a struct as an object of the
// hashed-tag format, whose members come in the order of their hashes.
func (p *printer) structTags(d *ir.Decl, table string) {
	p.f("b, head, err := w.BeginObject(b)")
	p.f("if err != nil {")
	p.f("return b, err")
	p.f("}")
	fields, extra := p.written(d)
	order := slices.Clone(fields)
	slices.SortStableFunc(order, func(x, y *ir.Field) int {
		return cmp.Compare(int32(tagged.Hash(x.Wire)<<8), int32(tagged.Hash(y.Wire)<<8))
	})
	for _, f := range order {
		cond := p.presence(f)
		if cond != "" {
			p.stmt("if %s {", cond)
		}
		h := tagged.Hash(f.Wire)
		p.lit(string([]byte{0, byte(h), byte(h >> 8), byte(h >> 16)}))
		p.state(wireTags, f)
		if cond != "" {
			p.stmt("}")
		}
	}
	if d.Extra != nil {
		p.fallible("tagged.AppendMembers(b, %s, w, %s)", extra, p.appendFunc(wireTags, d.Extra.Type.Elem))
	}
	p.flush()
	p.f("return w.EndObject(b, head, %s)", table)
	p.fails = false // err is declared
}

// append prints what appends the value x of type t.
func (p *printer) append(w wire, t *ir.Type, x string, depth int) {
	t = t.Under()
	k, pkg := t.Kind, w.pkg
	if k != ir.Null && k != ir.NullType && k != ir.Ref {
		p.use(pkg)
	}
	isJSON := w == wireJSON
	switch {
	case k == ir.Any, k == ir.Foreign:
		p.fallible("%s.AppendAny(b, %s%s)", pkg, x, w.flag)
	case k == ir.Null:
		p.null(w)
	case k == ir.Bool:
		p.stmt("b = %s.AppendBool(b, %s)", pkg, x)
	case w == wireTags && (k.IsInt() && k != ir.Int64 || k == ir.Uint8 || k == ir.Uint16):
		p.stmt("b = tagged.AppendInt32(b, %s)", convert(k == ir.Int32, "int32", x))
	case k.IsInt():
		p.stmt("b = %s.AppendInt(b, %s)", pkg, convert(k == ir.Int64, "int64", x))
	case k.IsUint():
		p.stmt("b = %s.AppendUint(b, %s)", pkg, convert(k == ir.Uint64, "uint64", x))
	case k.IsFloat() && isJSON:
		p.fallible("json.Append%s(b, %s)", readMethods[k], x)
	case k.IsFloat():
		p.stmt("b = %s.Append%s(b, %s)", pkg, readMethods[k], x)
	case k == ir.String:
		p.stmt("b = %s.AppendString(b, %s%s)", pkg, x, w.text)
	case k == ir.Bytes && w != wirePack:
		p.stmt("b = %s.AppendBytes(b, %s(%s))", pkg, p.weft("NonNil"), x)
	case k == ir.Bytes:
		p.stmt("b = msgpack.AppendBytes(b, %s)", x)
	case k == ir.Time && w != wirePack:
		p.fallible("%s.AppendTime(b, %s)", pkg, x)
	case k == ir.Time:
		p.stmt("b = msgpack.AppendTime(b, %s)", x)
	case k == ir.Date:
		p.stmt("b = %s.AppendString(b, %s.Format(%s.DateOnly)%s)", pkg, strings.TrimPrefix(x, "*"), p.use("time"), w.text)
	case k.IsContent():
		p.appendContent(w, t, x)
	case k == ir.Ref && byValue(t.Decl) && !depends(w, t.Decl.Type.Kind):
		p.append(w, t.Decl.Type, p.goType(t.Decl.Type)+"("+x+")", depth)
	case k == ir.Ref:
		p.fallible("%s.Append%s(b%s)", x, w.suffix, w.flag)
	case k == ir.NullType:
		p.stmt("if %s.Valid {", x)
		p.append(w, t.Elem, x+".V", depth)
		p.stmt("} else {")
		p.null(w)
		p.stmt("}")
	case k == ir.Slice:
		p.appendSlice(w, t, x, depth)
	case k == ir.Map:
		p.fallible("%s.AppendMap(b, %s%s, %s)", pkg, x, w.flag, p.appendFunc(w, t.Elem))
	}
}

// appendContent prints what appends the JSON text of x as a string, or as bytes.
func (p *printer) appendContent(w wire, t *ir.Type, x string) {
	pkg, call, flags := p.use(w.pkg), p.use("json")+".AppendContentBy", p.use("json")+".SortMapKeys"
	if w == wireJSON {
		flags = "f"
	}
	put := fmt.Sprintf(", func(b, text []byte) []byte { return %s.AppendString(b, string(text)) }", pkg)
	switch {
	case t.Kind == ir.JSONBytes:
		put = ", " + pkg + ".AppendBytes"
	case w == wireJSON:
		call, put = pkg+".AppendContent", ""
	}
	p.fallible("%s(b, %s, %s, %s%s)", call, address(x), flags, p.appendFunc(wireJSON, t.Elem), put)
}

// depends reports whether appending values of kind k is more than a call.
func depends(w wire, k ir.Kind) bool {
	return k == ir.Any || k == ir.Foreign || k == ir.NullType || w == wireJSON && k.IsFloat() || w != wirePack && k == ir.Time
}

// tidy returns a body that ends in a call as one that returns the call.
func tidy(body string, fails bool) (string, bool) {
	if rest, ok := strings.CutSuffix(body, "; err != nil {\nreturn b, err\n}\nreturn b, nil\n"); ok {
		at := strings.LastIndexByte(rest, '\n') + 1
		if call, ok := strings.CutPrefix(rest[at:], "if b, err = "); ok {
			body = rest[:at] + "return " + call + "\n"
			return body, strings.Contains(body, "b, err = ")
		}
	}
	if rest, ok := strings.CutSuffix(body, "\nreturn b, nil\n"); ok {
		at := strings.LastIndexByte(rest, '\n') + 1
		if call, ok := strings.CutPrefix(rest[at:], "b = "); ok {
			return rest[:at] + "return " + call + ", nil\n", fails
		}
	}
	return body, fails
}

func convert(same bool, typ, x string) string {
	if same {
		return x
	}
	return typ + "(" + x + ")"
}

// index returns the i-th element of the slice x.
func index(x, i string) string {
	if strings.HasPrefix(x, "*") {
		x = "(" + x + ")"
	}
	return x + "[" + i + "]"
}

func (p *printer) appendSlice(w wire, t *ir.Type, x string, depth int) {
	elem := t.Elem.Under()
	switch {
	case elem.Kind == ir.Ref:
		p.fallible("%s.AppendSlice(b, %s%s, (*%s).Append%s)", w.pkg, x, w.flag, elem.Decl.Name, w.suffix)
		return
	case elem.Kind == ir.String && w == wireTags:
		p.fallible("tagged.AppendStrings(b, %s, w)", x)
		return
	case elem.Kind == ir.String:
		p.stmt("b = %s.AppendStrings(b, %s%s)", w.pkg, x, w.flag)
		return
	case w == wireTags:
		p.fallible("tagged.AppendSlice(b, %s, w, %s)", x, p.appendFunc(w, t.Elem))
		return
	}
	i := string("ijklmn"[depth%6])
	if depth >= 6 {
		i += strconv.Itoa(depth / 6) // none of the loops around
	}
	if w.pkg == "json" {
		p.lit("[")
		p.stmt("for %s := range %s {", i, x)
		p.f("if %s > 0 {", i)
		p.lit(",")
		p.stmt("}")
		p.append(w, t.Elem, index(x, i), depth+1)
		p.stmt("}")
		p.lit("]")
		return
	}
	p.stmt("b = msgpack.AppendArrayHeader(b, len(%s))", x)
	if elem.Kind == ir.Null {
		p.f("for range %s {", x)
	} else {
		p.f("for %s := range %s {", i, x)
	}
	p.append(w, t.Elem, index(x, i), depth+1)
	p.stmt("}")
}

// appendFunc returns a function that appends a value of type t.
func (p *printer) appendFunc(w wire, t *ir.Type) string {
	u := t.Under()
	if u.Kind == ir.Ref {
		return "(*" + u.Decl.Name + ").Append" + w.suffix
	}
	x := "*x"
	if u.Kind == ir.NullType {
		x = "x"
	}
	outer, member := p.pending, p.member
	p.pending, p.member = "", ""
	body, fails := p.nested(func() {
		p.append(w, t, x, 0)
		p.flush()
		p.f("return b, nil")
	})
	p.pending, p.member = outer, member
	body, fails = tidy(body, fails)
	decl := ""
	if fails {
		decl = "var err error\n"
	}
	if decl == "" && strings.Count(body, "\n") == 1 {
		return fmt.Sprintf("func(x *%s, b []byte%s) ([]byte, error) { %s }", p.goType(t), w.flags, strings.TrimSpace(body))
	}
	return fmt.Sprintf("func(x *%s, b []byte%s) ([]byte, error) {\n%s%s}", p.goType(t), w.flags, decl, body)
}
