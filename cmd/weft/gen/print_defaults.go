package gen

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// defaultFields returns the literal of the struct d, of the type called name, with
// the defaults of its members, "" for none.
func (p *printer) defaultFields(d *ir.Decl, name string) string {
	var parts []string
	for _, f := range d.Fields {
		if f.Default != "" {
			if x, ok := p.fieldLiteral(f, jsonTree(f.Default)); ok {
				parts = append(parts, f.Name+": "+x)
			}
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

// fieldLiteral returns the expression for the field f with the value v, and whether there is one.
func (p *printer) fieldLiteral(f *ir.Field, v any) (string, bool) {
	s := f.State()
	if v == nil && s != ir.Plain && f.Type.Under().Kind != ir.Any {
		return p.fieldTypeName(f) + "{State: " + p.use("opt") + ".IsNull}", s == ir.Both
	}
	x, ok := p.literalOf(f.Type, v)
	if !ok {
		return "", false
	}
	if f.Pointer {
		x = "&" + x
	}
	switch {
	case s == ir.Plain || f.Bare():
		return x, true
	case s == ir.Both:
		return p.fieldTypeName(f) + "{V: " + x + ", State: " + p.use("opt") + ".IsSet}", true
	}
	return p.fieldTypeName(f) + "{V: " + x + ", Valid: true}", true
}

// literalOf returns the expression for the value v of type t, and whether there is one.
func (p *printer) literalOf(t *ir.Type, v any) (string, bool) {
	u := t.Under()
	switch u.Kind {
	case ir.Any, ir.Null:
		return p.anyLiteral(v), true
	case ir.Foreign:
		if n, ok := v.(json.Number); ok && u.Go == "json.Number" {
			return p.use("json") + ".Number(" + strconv.Quote(string(n)) + ")", true
		}
		return "", false
	case ir.NullType:
		if v == nil {
			return p.typeName(u) + "{}", true
		}
		x, ok := p.literalOf(u.Elem, v)
		return p.typeName(u) + "{V: " + x + ", Valid: true}", ok
	case ir.Slice:
		list, ok := v.([]any)
		parts := make([]string, len(list))
		for i := range list {
			x, is := p.literalOf(u.Elem, list[i])
			parts[i], ok = x, ok && is
		}
		return p.typeName(u) + "{" + wrap(parts) + "}", ok
	case ir.Map:
		m, ok := v.(map[string]any)
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(m)) {
			x, is := p.literalOf(u.Elem, m[name])
			parts, ok = append(parts, strconv.Quote(name)+": "+x), ok && is
		}
		return p.typeName(u) + "{" + wrap(parts) + "}", ok
	case ir.JSONText, ir.JSONBytes:
		s, ok := v.(string)
		x, is := p.literalOf(u.Elem, jsonTree(s))
		return p.typeName(u) + "{V: " + x + "}", ok && is && u.Kind == ir.JSONText
	case ir.Ref:
		return p.declLiteral(u.Decl, v)
	}
	return p.scalarLiteral(u.Kind, v)
}

// anyLiteral returns the expression for v as a value of any type.
func (p *printer) anyLiteral(v any) string {
	switch v := v.(type) {
	case json.Number:
		return p.use("json") + ".Number(" + strconv.Quote(string(v)) + ")"
	case string:
		return strconv.Quote(v)
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = p.anyLiteral(v[i])
		}
		return "[]any{" + wrap(parts) + "}"
	case map[string]any:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, strconv.Quote(name)+": "+p.anyLiteral(v[name]))
		}
		return "map[string]any{" + wrap(parts) + "}"
	case nil:
		return "nil"
	}
	return fmt.Sprint(v)
}

// declLiteral returns the expression for the value v of the type d.
func (p *printer) declLiteral(d *ir.Decl, v any) (string, bool) {
	switch {
	case d.Kind == ir.Struct && d.Parts == nil:
		return p.structLiteral(d, v)
	case d.Kind == ir.Union:
		to := chosenBy(d, v)
		if to == nil {
			return "", false
		}
		x, ok := p.declLiteral(to, v)
		if to.Kind == ir.Enum || !strings.HasSuffix(x, "}") {
			return d.Name + "{V: new(" + to.Name + "(" + x + "))}", ok
		}
		return d.Name + "{V: &" + x + "}", ok
	case d.Kind == ir.Struct:
		return "", false
	}
	x, ok := p.literalOf(d.Type, v)
	if d.Kind == ir.Enum && !d.Open {
		ok = ok && slices.ContainsFunc(d.Values, func(e *ir.Value) bool { return e.Text == fmt.Sprint(v) })
	}
	switch k := d.Type.Under().Kind; {
	case wraps(d):
		x = d.Name + "{V: " + x + "}"
	case k == ir.Slice || k == ir.Map || k == ir.Bytes || k == ir.Ref:
		x = d.Name + "(" + x + ")"
	}
	return x, ok
}

// structLiteral returns the expression for the struct d with the members of v. Those that are absent have their own
// defaults.
func (p *printer) structLiteral(d *ir.Decl, v any) (string, bool) {
	m, ok := v.(map[string]any)
	if !ok {
		return "", false
	}
	var parts []string
	rest := maps.Clone(m)
	for _, f := range d.Fields {
		x, is := m[f.Wire]
		delete(rest, f.Wire)
		if !is {
			if f.Default == "" {
				continue
			}
			x = jsonTree(f.Default)
		}
		text, fits := p.fieldLiteral(f, x)
		if !fits && x != nil {
			return "", false
		} else if fits {
			parts = append(parts, f.Name+": "+text)
		}
	}
	if len(rest) > 0 && d.Extra != nil {
		x, fits := p.literalOf(d.Extra.Type, rest)
		parts, ok = append(parts, d.Extra.Name+": "+x), fits
	}
	return d.Name + "{" + wrap(parts) + "}", ok
}

// chosenBy returns the variant of the union d that v is, nil where that takes more than its kind and its tag.
func chosenBy(d *ir.Decl, v any) *ir.Decl {
	list := ofKind(d, treeTypes(v))
	if m, ok := v.(map[string]any); ok && len(list) > 1 {
		pl := planUnion(d)
		tag, _ := m[pl.member].(string)
		if list = pl.byVal[tag]; list == nil {
			list = pl.rest
		}
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

// scalarLiteral returns the expression for the scalar v of kind k.
func (p *printer) scalarLiteral(k ir.Kind, v any) (string, bool) {
	text, isText := v.(string)
	number, isNumber := v.(json.Number)
	switch {
	case k == ir.Bool:
		on, ok := v.(bool)
		return strconv.FormatBool(on), ok
	case isNumber:
		return string(number), isOfKind(k, string(number))
	case !isText:
		return "", false
	case k == ir.String:
		return strconv.Quote(text), true
	case k == ir.Bytes:
		data, err := base64.StdEncoding.DecodeString(text)
		return "[]byte(" + strconv.Quote(string(data)) + ")", err == nil
	}
	at, err := parseTime(k, text)
	year, month, day := at.Date()
	if k == ir.Date {
		return fmt.Sprintf("%s.Date{Year: %d, Month: %d, Day: %d}", p.use("opt"), year, month, day), err == nil
	}
	time := p.use("time")
	zone := time + ".UTC"
	if _, offset := at.Zone(); offset != 0 {
		zone = fmt.Sprintf("%s.FixedZone(\"\", %d)", time, offset)
	}
	hour, minute, second := at.Clock()
	return fmt.Sprintf("%s.Date(%d, %d, %d, %d, %d, %d, %d, %s)", time, year, month, day, hour, minute, second,
		at.Nanosecond(), zone), err == nil
}

// isOfKind reports whether the number is one of kind k.
func isOfKind(k ir.Kind, number string) bool {
	err := strconv.ErrSyntax
	switch {
	case k.IsInt():
		_, err = strconv.ParseInt(number, 10, bitsOf[k])
	case k.IsUint():
		_, err = strconv.ParseUint(number, 10, bitsOf[k])
	case k.IsFloat():
		_, err = strconv.ParseFloat(number, bitsOf[k])
	}
	return err == nil
}
