package gen

import (
	"cmp"
	"go/token"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
	"github.com/weftcodec/weft/internal/formats"
	"github.com/weftcodec/weft/internal/pattern"
)

var intKinds = map[string]ir.Kind{
	"int8": ir.Int8, "int16": ir.Int16, "int32": ir.Int32, "int64": ir.Int64,
	"uint8": ir.Uint8, "uint16": ir.Uint16, "uint32": ir.Uint32, "uint64": ir.Uint64,
}

// kindOf returns the kind for the single type of v and its format.
func kindOf(v *view) ir.Kind {
	switch v.single() {
	case openapi.TypeBoolean:
		return ir.Bool
	case openapi.TypeInteger:
		if k, ok := intKinds[v.format]; ok {
			return k
		}
		if v.min != nil && v.min.Float >= 0 && (v.max != nil && !v.max.IsInt || v.exclMax != nil && !v.exclMax.IsInt) {
			return ir.Uint64 // beyond int64
		}
		return ir.Int64
	case openapi.TypeNumber:
		if v.format == "float" {
			return ir.Float32
		}
		return ir.Float64
	}
	switch {
	case v.hasEnum:
		return ir.String
	case v.format == "date-time":
		return ir.Time
	case v.format == "date":
		return ir.Date
	case v.format == "byte", v.format == "binary", v.encoding == "base64":
		return ir.Bytes
	}
	return ir.String
}

// scalar returns the type of the booleans, numbers or strings of v.
func (l *lowerer) scalar(v *view, place string) *ir.Type {
	k := kindOf(v)
	if t := l.typeGiven(v, k); t != nil {
		return t
	}
	t := &ir.Type{Kind: k}
	switch {
	case bitsOf[k] != 0:
		v.bound(t, v.min, v.exclMin, false)
		v.bound(t, v.max, v.exclMax, true)
		if m := v.multiple; m != nil && m.Float > 0 {
			text := m.Text
			if !k.IsFloat() {
				text = wholeMultiple(m, k)
			}
			if text != "" {
				t.Check = append(t.Check, "multipleOf="+text)
			}
		}
	case k == ir.String:
		v.count(t, "Length", v.minLen, v.maxLen)
		if v.pattern != "" && l.compiles(v.pattern, v.patternPos) {
			t.Check = append(t.Check, "pattern="+v.pattern)
		}
		if is, _ := formats.Named(v.format); is != nil {
			t.Check = append(t.Check, "format="+v.format)
		}
	}
	if u := l.content(v, t, place); u != nil {
		return u
	}
	return t
}

// content returns the type of what the texts of v hold, whose own type is t. It is
// nil where that is not said, is not JSON, is not encoded in a way that Go has a
// type for, or where more is said about the text itself.
func (l *lowerer) content(v *view, t *ir.Type, place string) *ir.Type {
	kind := ir.JSONText
	switch {
	case !oneJSON(v.mediaType) || len(v.contents) == 0 || t.Checked():
		return nil
	case t.Kind == ir.Bytes:
		kind = ir.JSONBytes
	case t.Kind != ir.String || !plainEncodings[strings.ToLower(v.encoding)]:
		return nil
	}
	s := v.contents[0]
	if len(v.contents) > 1 {
		s = l.together(v.contents)
	}
	elem := l.typeOf(s, place+"Content")
	if elem.Under().Kind == ir.Any {
		return nil
	}
	if elem.Kind != ir.Ref && checked(elem) {
		d := l.declare(s, l.place(s, place+"Content"), s.Pointer)
		l.defineAs(d, elem)
		elem = &ir.Type{Kind: ir.Ref, Decl: d}
	}
	if s.AllowsNull() {
		elem = &ir.Type{Kind: ir.NullType, Elem: elem}
	}
	return &ir.Type{Kind: kind, Elem: elem}
}

// checked reports whether something is checked of values of t that no declared type says.
func checked(t *ir.Type) bool {
	return t != nil && (t.Checked() || t.Kind != ir.Ref && checked(t.Elem))
}

// plainEncodings are the values of contentEncoding for a text as it is.
var plainEncodings = map[string]bool{"": true, "7bit": true, "8bit": true, "binary": true}

// oneJSON reports whether texts of a media type are one JSON value each, which a
// sequence such as application/x-ndjson is not.
func oneJSON(mediaType string) bool {
	name, _, _ := strings.Cut(mediaType, ";")
	name = strings.ToLower(strings.TrimSpace(name))
	return name == "application/json" || name == "text/json" || strings.HasSuffix(name, "+json")
}

// wholeMultiple returns the literal for what the integers of kind k must be
// multiples of to be ones of m: the numerator of 5/2 where m is 2.5. It is "" where
// each of them is, and where m is beyond the kind, of which only zero is a multiple.
func wholeMultiple(m *openapi.Number, k ir.Kind) string {
	if m.Float > math.MaxUint64 || len(m.Text) > 30 {
		return ""
	}
	x, ok := new(big.Rat).SetString(m.Text)
	if !ok || x.Num().BitLen() >= bitsOf[k] || x.Num().BitLen() == 1 {
		return ""
	}
	return x.Num().String()
}

// bound adds the rule for the tighter of two bounds of t as the document has it, unless all numbers of the kind are within
// it. One that none is within is left to a schema.
func (v *view) bound(t *ir.Type, incl, excl *openapi.Number, upper bool) {
	n, word := incl, pick(upper, "maximum=", "minimum=")
	excluded := excl != nil && (n == nil || upper && excl.Float <= n.Float || !upper && excl.Float >= n.Float)
	if excluded {
		n, word = excl, pick(upper, "exclusiveMaximum=", "exclusiveMinimum=")
	}
	if n == nil || math.IsInf(n.Float, 0) {
		return
	}
	x, low, high := n.Float, 0.0, 0.0
	if low, high = limits(t.Kind); upper {
		x, low, high = -x, -high, -low
	}
	switch {
	case x > high || excluded && x == high:
		v.refuse()
	case x > low || excluded && x == low:
		t.Check = append(t.Check, word+n.Text)
	}
}

// limits returns the least and the greatest number of kind k.
func limits(k ir.Kind) (low, high float64) {
	switch bits := bitsOf[k]; {
	case k.IsFloat():
		return math.Inf(-1), math.Inf(1)
	case k.IsUint():
		return 0, math.Ldexp(1, bits) - 1
	default:
		return -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1) - 1
	}
}

// compiles reports whether values can be checked by the pattern expr, and warns where they cannot.
func (l *lowerer) compiles(expr string, pos openapi.Pos) bool {
	_, err := pattern.Compile(expr)
	if err != nil && !l.unchecked[pos] {
		l.unchecked[pos] = true
		l.warn(pos, "values are not checked by %v", err)
	}
	return err == nil
}

// enum returns the type of the values of v that are listed.
func (l *lowerer) enum(v *view, place string, d *ir.Decl) *ir.Type {
	var t openapi.Types
	for _, c := range v.enum {
		t |= c.Types()
	}
	if v.types != 0 {
		t &= v.types
	}
	w := *v
	w.types = t
	switch {
	case len(v.enum) == 0 && v.nullable:
		return &ir.Type{Kind: ir.Null} // only null is left
	case len(v.enum) == 0:
		return l.nothing(v)
	}
	if w.single() == 0 {
		return l.perType(&w, place, d)
	}
	k := kindOf(&w)
	vals := values(&w, k)
	if k == ir.Bool || len(vals) == 1 && d == nil {
		t := &ir.Type{Kind: k}
		if len(vals) == 1 {
			t.Check = []string{"const=" + vals[0].Text}
		}
		return t
	}
	return l.enumDecl(k, vals, false, cmp.Or(v.doc, v.title), place, d)
}

// enumDecl declares an enum with the values.
func (l *lowerer) enumDecl(k ir.Kind, vals []*ir.Value, open bool, doc, place string, d *ir.Decl) *ir.Type {
	if d == nil {
		d = l.declare(nil, place, "")
		d.Doc = doc
	}
	d.Kind, d.Type, d.Open = ir.Enum, &ir.Type{Kind: k}, open
	for _, val := range vals {
		n := cmp.Or(val.Name, val.Text, "Empty")
		if bare := ir.GoName(n); l.opts.BareEnums && token.IsExported(bare) {
			val.Name = l.pkg.Scope.Pick(bare, d.Name+ir.GoSuffix(n))
		} else {
			val.Name = l.pkg.Scope.Pick(d.Name + ir.GoSuffix(n))
		}
		d.Values = append(d.Values, val)
	}
	return &ir.Type{Kind: ir.Ref, Decl: d}
}

// values returns the values of the enum of v. Their names are those the
// document gives, or empty.
func values(v *view, k ir.Kind) []*ir.Value {
	var out []*ir.Value
	for _, c := range v.enum {
		if c.Types()&v.types == 0 {
			continue
		}
		val := &ir.Value{Text: c.Text, Name: c.name}
		if bitsOf[k] != 0 {
			if val.Text = goNumber(k, val.Text); val.Text == "" {
				continue // no value of the type
			}
		}
		if !slices.ContainsFunc(out, func(o *ir.Value) bool { return o.Text == val.Text }) {
			out = append(out, val)
		}
	}
	return out
}
