package gen

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
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
		if f.Default != "" {
			parts = append(parts, f.Name+": "+p.fieldLiteral(f, jsonTree(f.Default)))
		}
	}
	if parts == nil {
		return ""
	}
	return name + "{\n" + strings.Join(parts, ",\n") + ",\n}"
}

// jsonTree returns the value of a text, its numbers as they are written; nil for anything else.
func jsonTree(text string) (v any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// hasLiteral reports whether there is an expression for the field f with the value v.
func hasLiteral(f *ir.Field, v any) bool {
	p := newPrinter()
	p.fieldLiteral(f, v)
	return !p.unfit
}

// fit notes that there is no expression for a value, unless ok, and returns text.
func (p *printer) fit(ok bool, text string) string {
	p.unfit = p.unfit || !ok
	return text
}

// fieldLiteral returns the expression for the field f with the value v.
func (p *printer) fieldLiteral(f *ir.Field, v any) string {
	s := f.State()
	if v == nil && s != ir.Plain && f.Type.Under().Kind != ir.Any {
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
func (p *printer) literalOf(t *ir.Type, v any) string {
	u := t.Under()
	if text, only := u.Const(); only {
		p.fit(fmt.Sprint(v) == text, "")
	}
	kind, elem := u.Kind, u.Elem
	if kind == ir.Any || kind == ir.Null {
		elem = &ir.Type{Kind: ir.Any}
		switch v.(type) {
		case []any:
			kind = ir.Slice
		case map[string]any:
			kind = ir.Map
		}
	}
	switch kind {
	case ir.NullType:
		if v == nil {
			return p.typeName(u) + "{}"
		}
		return p.typeName(u) + "{V: " + p.literalOf(elem, v) + ", Valid: true}"
	case ir.Slice:
		list, ok := v.([]any)
		parts := make([]string, len(list))
		for i := range list {
			parts[i] = p.literalOf(elem, list[i])
		}
		return p.fit(ok, "[]"+p.typeName(elem)+"{"+wrap(parts)+"}")
	case ir.Map:
		m, ok := v.(map[string]any)
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(m)) {
			parts = append(parts, strconv.Quote(name)+": "+p.literalOf(elem, m[name]))
		}
		return p.fit(ok, "map[string]"+p.typeName(elem)+"{"+wrap(parts)+"}")
	case ir.JSONText, ir.JSONBytes:
		s, ok := v.(string)
		return p.fit(ok && kind == ir.JSONText, p.typeName(u)+"{V: "+p.literalOf(elem, jsonTree(s))+"}")
	case ir.Ref:
		return p.declLiteral(u.Decl, v)
	}
	return p.scalarLiteral(u, v)
}

// declLiteral returns the expression for the value v of the type d.
func (p *printer) declLiteral(d *ir.Decl, v any) string {
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
		p.fit(slices.ContainsFunc(d.Values, func(e *ir.Value) bool { return e.Text == fmt.Sprint(v) }), "")
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
func (p *printer) structLiteral(d *ir.Decl, v any) string {
	m, ok := v.(map[string]any)
	var parts []string
	rest := maps.Clone(m)
	for _, f := range d.Fields {
		x, is := m[f.Wire]
		delete(rest, f.Wire)
		if !is {
			x = jsonTree(f.Default)
			is = f.Default != ""
			p.fit(is || !f.Required, "")
		}
		if is && (x != nil || hasLiteral(f, nil)) {
			parts = append(parts, f.Name+": "+p.fieldLiteral(f, x))
		}
	}
	if len(rest) > 0 && d.Extra != nil {
		parts = append(parts, d.Extra.Name+": "+p.literalOf(d.Extra.Type, rest))
	}
	p.fit(len(rest) == 0 || !d.Closed, "")
	return p.fit(ok && d.Parts == nil, d.Name+"{"+wrap(parts)+"}")
}

// chosenBy returns the variant of the union d that v is, nil where its kind, its tag, its constants and what it has do not
// tell.
func chosenBy(d *ir.Decl, v any) *ir.Decl {
	list := ofKind(d, treeTypes(v))
	if m, ok := v.(map[string]any); ok && len(list) > 1 && d.Union.Discriminator != "" {
		tag, _ := m[d.Union.Discriminator].(string)
		chosen := func(v *ir.Variant) bool { return slices.Contains(v.Values, tag) }
		other := !slices.ContainsFunc(list, chosen)
		list = slices.DeleteFunc(list, func(v *ir.Variant) bool { return other && !v.Other || !other && !chosen(v) })
	}
	if len(list) > 1 {
		list = slices.DeleteFunc(list, func(of *ir.Variant) bool {
			p := newPrinter()
			p.declLiteral(of.Decl, v)
			return p.unfit
		})
	}
	if len(list) != 1 {
		return nil
	}
	return list[0].Decl
}

// treeTypes returns the types of v.
func treeTypes(v any) openapi.Types {
	switch v.(type) {
	case map[string]any:
		return openapi.TypeObject
	case []any:
		return openapi.TypeArray
	case string:
		return openapi.TypeString
	case json.Number:
		return numbers
	case bool:
		return openapi.TypeBoolean
	}
	return openapi.TypeNull
}

// scalarLiteral returns the expression for the scalar v of type t.
func (p *printer) scalarLiteral(t *ir.Type, v any) string {
	k := t.Kind
	free := k == ir.Any || k == ir.Null
	switch v := v.(type) {
	case nil:
		return p.fit(free, "nil")
	case bool:
		return p.fit(free || k == ir.Bool, strconv.FormatBool(v))
	case json.Number:
		if free || t.Go == "json.Number" {
			return p.use("json") + ".Number(" + strconv.Quote(string(v)) + ")"
		}
		text := goNumber(k, string(v))
		return p.fit(text != "", text)
	case string:
		return p.textLiteral(k, v)
	}
	return p.fit(false, "")
}

// goNumber returns text as a number of kind k in Go, "" if the kind does not have it.
func goNumber(k ir.Kind, text string) string {
	err := strconv.ErrSyntax
	if f, bad := strconv.ParseFloat(text, 64); !k.IsFloat() && !isIntText(text) && bad == nil && f == math.Trunc(f) && math.Abs(f) <= 1<<53 {
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
