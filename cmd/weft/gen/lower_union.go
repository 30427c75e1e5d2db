package gen

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// choice returns the type of the values of v, which has a choice.
func (l *lowerer) choice(v *view, place string, d *ir.Decl) *ir.Type {
	if v.mergeValues(); len(v.groups) == 0 {
		return l.shape(v, place, d)
	}
	if t := l.namedValues(v, place, d); t != nil {
		return t
	}
	g := v.groups[0]
	base := *v
	base.groups, base.rest = v.groups[1:], nil // v.rest is checked where v is
	var list []variantOf
	told := true // by the variants, of all members that base describes
	for i, s := range g.variants {
		if x, ok := l.variant(&base, s, place+variantName(s, i), g.disc); ok {
			list = append(list, x)
			told = told && (!redundant(&base, s) || implied(&base, s))
		}
	}
	if !told {
		var props openapi.Map[openapi.Schema]
		for _, p := range base.props {
			props = append(props, openapi.Entry[openapi.Schema]{Name: p.name, Value: &openapi.Schema{AllOf: p.schemas, Pos: p.schemas[0].Pos}})
		}
		v.rest = append(v.rest, &openapi.Schema{Properties: props})
	}
	l.inherit(list, g.disc)
	if len(list) == 0 {
		return l.nothing(v)
	}
	t := l.union(list, g, cmp.Or(v.doc, v.title), place, d)
	if t.Kind == ir.Any { // the Go type allows too much
		v.rest = append(v.rest, choiceOf(g.variants, g.exact))
		if base.types != 0 {
			v.rest = append(v.rest, v.from...)
		}
	}
	return t
}

// variantOf is a variant that is being lowered.
type variantOf struct {
	typ    *ir.Type
	schema *openapi.Schema
	place  string
	origin string
	values []string // of the explicit discriminator
	other  bool     // it is for other values of it, and none
}

// mergeValues makes one list of an enum and the choices that list values too.
func (v *view) mergeValues() {
	if !v.hasEnum {
		return
	}
	v.groups = slices.DeleteFunc(v.groups, func(g group) bool {
		w, open, ok := gathered(g.variants)
		if !ok || open || !w.hasEnum {
			return ok
		}
		too := repeated(g)
		v.enum = slices.DeleteFunc(w.enum, func(c constant) bool { return lists(too, c) || !lists(v.enum, c) })
		return true
	})
}

// variant lowers one choice, with what base says about every one. It reports
// false when the two contradict each other.
func (l *lowerer) variant(base *view, s *openapi.Schema, place string, disc *openapi.Discriminator) (variantOf, bool) {
	out := variantOf{schema: s, place: place, origin: s.Pointer}
	if disc != nil {
		out.values = mapped(disc, s)
		out.other = disc.DefaultMapping != nil && leadsTo(disc.DefaultMapping, s)
	}
	if slices.Contains(base.from, s.Resolve()) {
		return out, false // it is the choice itself
	}
	if redundant(base, s) {
		out.typ = l.typeOf(s, place)
		return out, !look(s).never
	}
	v := base.clone()
	v.doc, v.title = "", ""
	v.add(s)
	if v.infer(); v.never || v.hasEnum && len(v.enum) == 0 {
		return out, false
	}
	out.typ = l.build(v, place, nil)
	return out, true
}

// mapped returns the values of the discriminator that choose s.
func mapped(disc *openapi.Discriminator, s *openapi.Schema) []string {
	var out []string
	for _, m := range disc.Mapping {
		if leadsTo(&m, s) {
			out = append(out, m.Value)
		}
	}
	if out == nil {
		if s.Target != nil && s.Target.Name != "" {
			return []string{s.Target.Name}
		}
		if s.Name != "" {
			return []string{s.Name}
		}
	}
	return out
}

// leadsTo reports whether m chooses s.
func leadsTo(m *openapi.Mapping, s *openapi.Schema) bool {
	return m.Target != nil && (m.Target == s || m.Target == s.Target || m.Target.Resolve() == s.Resolve())
}

// implied reports whether what base says of its members holds for all that s allows
// for them.
func implied(base *view, s *openapi.Schema) bool {
	v := look(s)
	for _, p := range base.props {
		of := v.prop(p.name)
		if of == nil {
			return false
		}
		for _, s := range p.schemas {
			if slices.ContainsFunc(of, func(t *openapi.Schema) bool { return t.Resolve() == s.Resolve() }) {
				continue
			}
			b, w := look(s), look(&openapi.Schema{AllOf: of})
			if b.structural() || len(b.groups)+len(b.rest) > 0 || b.scalarChecks() || b.never || b.null || b.format != "" && b.format != w.format ||
				b.types != 0 && (w.types == 0 || w.types&^b.types != 0) || w.nullable && !b.nullable ||
				b.hasEnum && (!w.hasEnum || slices.ContainsFunc(w.enum, func(c constant) bool { return !lists(b.enum, c) })) {
				return false
			}
		}
	}
	return true
}

// redundant reports whether base names no member that s does not name itself, and
// says nothing else.
func redundant(base *view, s *openapi.Schema) bool {
	if len(base.groups) > 0 || len(base.rest) > 0 || base.hasEnum || len(base.items) > 0 || base.extra != nil && base.extra.Schema != nil ||
		len(base.patterns) > 0 || base.closed || base.minProps != nil || base.maxProps != nil {
		return false
	}
	v := look(s)
	if base.types != 0 && v.types&^base.types != 0 {
		return false
	}
	if len(base.props) == 0 && len(base.required) == 0 {
		return !base.scalarChecks()
	}
	if slices.ContainsFunc(base.props, func(p prop) bool { return v.prop(p.name) == nil }) {
		return false
	}
	return !slices.ContainsFunc(base.required, func(name string) bool { return !v.requires(name) })
}

// variantName returns what the i-th variant adds to the name of its union.
func variantName(s *openapi.Schema, i int) string {
	if s.Title != "" && len(s.Title) <= 40 {
		return ir.GoName(s.Title)
	}
	if s.Target != nil && s.Target.Name != "" {
		return ir.GoName(s.Target.Name)
	}
	v := look(s)
	switch v.single() {
	case 0:
		return "Variant" + strconv.Itoa(i+1)
	case openapi.TypeString:
		switch {
		case v.hasEnum && len(v.enum) == 1:
			return ir.GoName(v.enum[0].Text)
		case v.hasEnum:
			return "Enum"
		case kindOf(v) == ir.Time:
			return "Time"
		case kindOf(v) == ir.Date:
			return "Date"
		}
	case openapi.TypeObject:
		// A constant member tells what the object is.
		for _, p := range v.props {
			if w := look(p.schemas[0]); v.requires(p.name) && w.hasEnum && len(w.enum) == 1 && w.enum[0].Kind == openapi.String {
				return ir.GoName(w.enum[0].Text)
			}
		}
	}
	return typeSuffix[v.single()]
}

// union declares the union of the variants, or returns the one type they all
// have.
func (l *lowerer) union(list []variantOf, g group, doc, place string, d *ir.Decl) *ir.Type {
	for _, x := range list {
		if x.typ.Under().Kind == ir.Any {
			return &ir.Type{Kind: ir.Any} // everything is allowed
		}
	}
	if first := list[0].typ; !slices.ContainsFunc(list[1:], func(x variantOf) bool { return !sameType(x.typ, first) }) {
		return first
	}
	if d == nil {
		d = l.declare(nil, place, "")
		d.Doc = doc
	}
	d.Kind = ir.Union
	d.Union = &ir.UnionInfo{
		Interface: l.pkg.Scope.Pick(d.Name+"Variant", d.Name+"OneOf"),
		Marker:    "is" + d.Name,
		Exact:     g.exact,
	}
	if g.disc != nil {
		d.Union.Discriminator = g.disc.PropertyName
	}
	for _, x := range list {
		vd := l.variantDecl(x)
		i := slices.IndexFunc(d.Union.Variants, func(v *ir.Variant) bool { return v.Decl == vd })
		if i < 0 {
			i, d.Union.Variants = len(d.Union.Variants), append(d.Union.Variants, &ir.Variant{Decl: vd})
		}
		v := d.Union.Variants[i]
		v.Values, v.Other = append(v.Values, x.values...), v.Other || x.other
		if x.schema != nil {
			l.choices[v] = append(l.choices[v], x.schema)
		}
	}
	return &ir.Type{Kind: ir.Ref, Decl: d}
}

// variantDecl returns the declaration a union can point to for the type.
func (l *lowerer) variantDecl(x variantOf) *ir.Decl {
	if t := x.typ.Under(); t.Kind == ir.Ref && x.typ.Schemas() == nil && !t.Checked() {
		return t.Decl // maybe not filled yet; see finish for what turns out an alias
	}
	d := l.declare(nil, x.place, x.origin)
	l.defineAs(d, x.typ)
	return d
}

func sameType(a, b *ir.Type) bool {
	if a.Kind != b.Kind || a.Decl != b.Decl || !slices.Equal(a.Check, b.Check) || a.Schema != b.Schema {
		return false
	}
	return a.Elem == nil && b.Elem == nil || a.Elem != nil && b.Elem != nil && sameType(a.Elem, b.Elem)
}

// namedValues returns an enum when every choice is a list of values, as
// documents write that give each value a title, or such lists beside a free
// scalar, which leaves the enum open. Otherwise it returns nil.
func (l *lowerer) namedValues(v *view, place string, d *ir.Decl) *ir.Type {
	if len(v.groups) != 1 || v.structural() || v.hasEnum {
		return nil
	}
	w, open, ok := gathered(v.groups[0].variants)
	if !ok || !w.hasEnum || open && v.groups[0].exact || v.types != 0 && v.types&w.types == 0 {
		return nil // with oneOf, a value that is listed as well is too much
	}
	too := repeated(v.groups[0])
	for _, n := range too {
		l.warn(n.Pos, "%q is of several choices of this oneOf, so it is refused: list it in one of them, or write anyOf", n.Text)
	}
	if w.enum = slices.DeleteFunc(w.enum, func(c constant) bool { return lists(too, c) }); len(w.enum) == 0 {
		return nil
	}
	w.format = v.format
	k := kindOf(w)
	if k != ir.String && !k.IsInt() && !k.IsUint() {
		return nil
	}
	return l.enumDecl(k, values(w, k), open, cmp.Or(v.doc, v.title), place, d)
}

// repeated returns the values that several choices of a oneOf list, of which each
// is too much.
func repeated(g group) (out []constant) {
	if !g.exact {
		return nil
	}
	var all []constant
	for _, s := range g.variants {
		w, _, ok := gathered([]*openapi.Schema{s})
		if !ok {
			return nil
		}
		for _, c := range w.enum {
			if lists(all, c) && !lists(out, c) {
				out = append(out, c)
			}
		}
		all = append(all, w.enum...)
	}
	return out
}

// gathered returns the values that the schemas of the list list, and whether one is a free scalar. It is not ok if one
// is anything else.
func gathered(list []*openapi.Schema) (w *view, open, ok bool) {
	w = new(view)
	for _, s := range list {
		if !gather(w, s, &open, 0) {
			return w, open, false
		}
	}
	return w, open, true
}

// gather adds the values s lists to w, or sets open when s is a free scalar.
func gather(w *view, s *openapi.Schema, open *bool, depth int) bool {
	v := look(s)
	if depth > 8 || len(v.rest) > 0 || v.structural() || v.scalarChecks() || len(v.groups) > 1 {
		return false
	}
	if len(v.groups) == 1 {
		for _, s := range v.groups[0].variants {
			if !gather(w, s, open, depth+1) {
				return false
			}
		}
		return true
	}
	t := v.single()
	if t != openapi.TypeString && t != openapi.TypeInteger || w.types != 0 && w.types != t {
		return false
	}
	w.types = t
	if !v.hasEnum {
		if kindOf(v) != ir.String && t == openapi.TypeString {
			return false // a time, bytes
		}
		*open = true
		return true
	}
	w.hasEnum = true
	for _, c := range v.enum {
		if c.name == "" && len(v.enum) == 1 && len(v.title) <= 40 && s.Target == nil {
			c.name = v.title
		}
		if !lists(w.enum, c) {
			w.enum = append(w.enum, c)
		}
	}
	return true
}

// perType returns the union of the values of v of each of its types.
func (l *lowerer) perType(v *view, place string, d *ir.Decl) *ir.Type {
	all := []openapi.Types{openapi.TypeBoolean, openapi.TypeNumber, openapi.TypeString, openapi.TypeArray, openapi.TypeObject}
	if !v.types.Has(openapi.TypeNumber) {
		all[1] = openapi.TypeInteger
	}
	var list []variantOf
	for _, t := range all {
		if !v.types.Has(t) {
			continue
		}
		w := v.clone()
		w.rest = nil // checked where v is
		if w.types = t; t == openapi.TypeNumber {
			w.types |= openapi.TypeInteger
		}
		name := typeSuffix[t]
		list = append(list, variantOf{typ: l.build(w, place+name, nil), place: place + name})
	}
	return l.union(list, group{}, cmp.Or(v.doc, v.title), place, d)
}

var typeSuffix = map[openapi.Types]string{
	openapi.TypeBoolean: "Bool", openapi.TypeInteger: "Int", openapi.TypeNumber: "Number", openapi.TypeString: "String",
	openapi.TypeArray: "List", openapi.TypeObject: "Object",
}
