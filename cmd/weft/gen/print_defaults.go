package gen

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// defaultFields returns the literal of the struct d, of the type called name, with
// the defaults of its members, "" for none.
func (p *printer) defaultFields(d *ir.Decl, name string) string {
	var parts []string
	for _, f := range d.Fields {
		if n := nodeOf(f.Default); n != nil {
			parts = append(parts, f.Name+": "+p.fieldLiteral(f, n))
		}
	}
	if parts == nil {
		return ""
	}
	return block(name, parts)
}

// nodeOf returns the value of a text of JSON, nil for any other text.
func nodeOf(text string) *openapi.Node {
	n, _ := openapi.ParseNode("text.json", []byte("["+text+"]"))
	if n == nil || len(n.Items) != 1 {
		return nil
	}
	return n.Items[0]
}

// fits reports whether there is an expression that the function prints.
func fits(print func(p *printer)) bool {
	p := newPrinter()
	print(p)
	return !p.unfit
}

// fit notes that there is no expression for a value, unless ok, and returns text.
func (p *printer) fit(ok bool, text string) string {
	p.unfit = p.unfit || !ok
	return text
}

// fieldLiteral returns the expression for the field f with the value v.
func (p *printer) fieldLiteral(f *ir.Field, v *openapi.Node) string {
	s := f.State()
	if v.IsNull() && s != ir.Plain && f.Type.Under().Kind != ir.Any {
		return p.fit(s == ir.Both, p.fieldTypeName(f)+"{State: "+p.use("opt")+".IsNull}")
	}
	x := p.literalOf(f.Type, v)
	if f.Pointer {
		x = "&" + x
	}
	switch {
	case s == ir.Plain || f.Bare():
		return x
	case s == ir.Both:
		return p.fieldTypeName(f) + "{V: " + x + ", State: " + p.use("opt") + ".IsSet}"
	}
	return p.fieldTypeName(f) + "{V: " + x + ", Valid: true}"
}

// literalOf returns the expression for the value v of type t.
func (p *printer) literalOf(t *ir.Type, v *openapi.Node) string {
	u := t.Under()
	if text, only := u.Const(); only {
		p.fit(v.Text == text, "")
	}
	kind, elem := u.Kind, u.Elem
	if kind == ir.Any || kind == ir.Null {
		elem = &ir.Type{Kind: ir.Any}
		switch v.Kind {
		case openapi.Array:
			kind = ir.Slice
		case openapi.Object:
			kind = ir.Map
		}
	}
	switch kind {
	case ir.NullType:
		if v.IsNull() {
			return p.typeName(u) + "{}"
		}
		return p.typeName(u) + "{V: " + p.literalOf(elem, v) + ", Valid: true}"
	case ir.Slice:
		parts := make([]string, len(v.Items))
		for i, x := range v.Items {
			parts[i] = p.literalOf(elem, x)
		}
		return p.fit(v.Kind == openapi.Array, "[]"+p.typeName(elem)+"{"+wrap(parts)+"}")
	case ir.Map:
		var parts []string
		byName := func(a, b openapi.Member) int { return strings.Compare(a.Name, b.Name) }
		for _, m := range slices.SortedFunc(slices.Values(v.Members), byName) {
			parts = append(parts, strconv.Quote(m.Name)+": "+p.literalOf(elem, m.Value))
		}
		return p.fit(v.Kind == openapi.Object, "map[string]"+p.typeName(elem)+"{"+wrap(parts)+"}")
	case ir.JSONText, ir.JSONBytes:
		in := nodeOf(v.Text)
		if v.Kind != openapi.String || kind == ir.JSONBytes || in == nil {
			return p.fit(false, "")
		}
		return p.typeName(u) + "{V: " + p.literalOf(elem, in) + "}"
	case ir.Ref:
		return p.declLiteral(u.Decl, v)
	}
	return p.scalarLiteral(u, v)
}

// declLiteral returns the expression for the value v of the type d.
func (p *printer) declLiteral(d *ir.Decl, v *openapi.Node) string {
	switch {
	case d.Kind == ir.Struct:
		return p.structLiteral(d, v)
	case d.Kind == ir.Union:
		to := chosenBy(d, v)
		if to == nil {
			return p.fit(false, "")
		}
		x := p.declLiteral(to, v)
		if to.Kind == ir.Enum || !strings.HasSuffix(x, "}") {
			return d.Name + "{V: new(" + to.Name + "(" + x + "))}"
		}
		return d.Name + "{V: &" + x + "}"
	case d.Kind == ir.Enum && !d.Open:
		p.fit(slices.ContainsFunc(d.Values, func(e *ir.Value) bool { return e.Text == v.Text }), "")
	}
	x := p.literalOf(d.Type, v)
	switch k := d.Type.Under().Kind; {
	case wraps(d):
		x = d.Name + "{V: " + x + "}"
	case k == ir.Slice || k == ir.Map || k == ir.Bytes || k == ir.Ref:
		x = d.Name + "(" + x + ")"
	}
	return x
}

// structLiteral returns the expression for the struct d with the members of v. Those that are absent have their own
// defaults.
func (p *printer) structLiteral(d *ir.Decl, v *openapi.Node) string {
	var parts []string
	for _, f := range d.Fields {
		x := cmp.Or(v.Get(f.Wire), nodeOf(f.Default))
		p.fit(x != nil || !f.Required, "")
		if x != nil && (!x.IsNull() || fits(func(p *printer) { p.fieldLiteral(f, x) })) {
			parts = append(parts, f.Name+": "+p.fieldLiteral(f, x))
		}
	}
	rest := slices.DeleteFunc(slices.Clone(v.Members), func(m openapi.Member) bool { return hasField(d, m.Name) })
	if len(rest) > 0 && d.Extra != nil {
		parts = append(parts, d.Extra.Name+": "+p.literalOf(d.Extra.Type, &openapi.Node{Kind: openapi.Object, Members: rest}))
	}
	p.fit(len(rest) == 0 || !d.Closed, "")
	return p.fit(v.Kind == openapi.Object && d.Parts == nil, d.Name+"{"+wrap(parts)+"}")
}

// chosenBy returns the variant of the union d that v is, nil where its kind, its tag, its constants and what it has do not
// tell.
func chosenBy(d *ir.Decl, v *openapi.Node) *ir.Decl {
	list := ofKind(d, v.Types())
	if v.Kind == openapi.Object && len(list) > 1 && d.Union.Discriminator != "" {
		tag := ""
		if n := v.Get(d.Union.Discriminator); n != nil && n.Kind == openapi.String {
			tag = n.Text
		}
		chosen := func(v *ir.Variant) bool { return slices.Contains(v.Values, tag) }
		other := !slices.ContainsFunc(list, chosen)
		list = slices.DeleteFunc(list, func(v *ir.Variant) bool { return other && !v.Other || !other && !chosen(v) })
	}
	if len(list) > 1 {
		list = slices.DeleteFunc(list, func(of *ir.Variant) bool {
			return !fits(func(p *printer) { p.declLiteral(of.Decl, v) })
		})
	}
	if len(list) != 1 {
		return nil
	}
	return list[0].Decl
}

// scalarLiteral returns the expression for the scalar v of type t.
func (p *printer) scalarLiteral(t *ir.Type, v *openapi.Node) string {
	k := t.Kind
	free := k == ir.Any || k == ir.Null
	switch v.Kind {
	case openapi.Null:
		return p.fit(free, "nil")
	case openapi.Bool:
		return p.fit(free || k == ir.Bool, v.Text)
	case openapi.NumberKind:
		if free || t.Go == "json.Number" {
			return p.use("json") + ".Number(" + strconv.Quote(v.Text) + ")"
		}
		text := goNumber(k, v.Text)
		return p.fit(text != "", text)
	case openapi.String:
		return p.textLiteral(k, v.Text)
	}
	return p.fit(false, "")
}

// goNumber returns text as a number of kind k in Go, "" if the kind does not have it.
func goNumber(k ir.Kind, text string) string {
	err := strconv.ErrSyntax
	if f, bad := strconv.ParseFloat(text, 64); !k.IsFloat() && !openapi.IsDigits(text) && bad == nil && f == math.Trunc(f) && math.Abs(f) <= 1<<53 {
		text = strconv.FormatInt(int64(f), 10) // 5.0, or 1e3
	}
	switch {
	case k.IsInt():
		_, err = strconv.ParseInt(text, 10, bitsOf[k])
	case k.IsUint():
		_, err = strconv.ParseUint(text, 10, bitsOf[k])
	case k.IsFloat():
		_, err = strconv.ParseFloat(text, bitsOf[k])
	}
	if err != nil {
		return ""
	}
	return text
}

// textLiteral returns the expression for the string of kind k.
func (p *printer) textLiteral(k ir.Kind, text string) string {
	switch k {
	case ir.Any, ir.Null, ir.String:
		return strconv.Quote(text)
	case ir.Bytes:
		data, err := base64.StdEncoding.DecodeString(text)
		return p.fit(err == nil, "[]byte("+strconv.Quote(string(data))+")")
	case ir.Date:
		at, err := time.Parse(time.DateOnly, text)
		return p.fit(err == nil, fmt.Sprintf("%s.Date{Year: %d, Month: %d, Day: %d}", p.use("opt"), at.Year(), at.Month(), at.Day()))
	case ir.Time:
		at, err := time.Parse(time.RFC3339Nano, text)
		_, offset := at.Zone()
		p.use("time")
		if at = at.UTC(); offset != 0 { // and not the zone of this machine where that is its offset
			at = at.In(time.FixedZone("", offset))
		}
		zone := fmt.Sprintf(`time.FixedZone("", %d)`, offset)
		return p.fit(err == nil, strings.Replace(at.GoString(), `time.Location("")`, zone, 1))
	}
	return p.fit(false, "")
}
