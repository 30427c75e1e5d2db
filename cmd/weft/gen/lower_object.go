package gen

import (
	"cmp"
	"slices"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// methods are the names of the methods of generated types: no field has them.
var methods = []string{"MarshalJSON", "UnmarshalJSON", "WeftRules"}

// object returns the type of the objects of v: a map when it names no member,
// otherwise a struct.
func (l *lowerer) object(v *view, place string, d *ir.Decl) *ir.Type {
	byPattern := len(v.patterns) > 0 && v.extra == nil && !v.closed // other names are unknown members
	if len(v.props) == 0 && len(v.tags) == 0 && len(v.required) == 0 && !slices.ContainsFunc(v.rest, choosesRequired) && !byPattern && !(v.closed && v.extra == nil && len(v.patterns) == 0) {
		t := &ir.Type{Kind: ir.Map, Elem: l.extraType(v, place)}
		v.count(t, "Properties", v.minProps, v.maxProps)
		return t
	}
	if d == nil {
		d = l.declare(nil, place, "")
		d.Doc = cmp.Or(v.doc, v.title)
	}
	d.Kind = ir.Struct
	d.Closed = v.closed && v.extra == nil && len(v.patterns) == 0
	if v.minProps != nil || v.maxProps != nil {
		v.rest = append(v.rest, &openapi.Schema{MinProperties: v.minProps, MaxProperties: v.maxProps})
	}
	scope := ir.NewScope(methods...)
	for _, p := range v.props {
		if f := l.field(v, p, d, scope); f != nil {
			d.Fields = append(d.Fields, f)
		}
	}
	others := slices.Clone(v.required) // a member may be required without being described
	if v.extra == nil && !v.closed {
		others = append(others, v.mentioned...)
	}
	for _, name := range others {
		if hasField(d, name) {
			continue
		}
		f := &ir.Field{Name: fieldName(scope, name), Wire: name, Type: &ir.Type{Kind: ir.Any}, Required: v.requires(name)}
		d.Fields = append(d.Fields, f)
		if slices.Contains(v.tags, name) {
			f.Type.Kind = ir.String
		} else if f.Required && v.extra != nil && v.extra.Schema != nil {
			f.Type = l.extraType(v, d.Name)
		} else if s := v.mentionedType(name); s != nil && !f.Required {
			f.Type, f.Nullable = l.typeOf(s, d.Name+f.Name), s.AllowsNull()
		}
	}
	unknown := v.extra == nil && !v.closed && len(v.patterns) == 0
	if unknown && l.opts.Unknown == RefuseUnknown {
		d.Closed = true
	}
	if !d.Closed && (unknown && l.opts.Unknown == KeepUnknown || v.extra != nil || len(v.patterns) > 0) {
		d.Extra = &ir.Field{
			Name: scope.Pick("Extra", "ExtraMembers"),
			Doc:  "members that have no field",
			Type: &ir.Type{Kind: ir.Map},
		}
		if byPattern && l.opts.Unknown == KeepUnknown {
			d.Extra.Type.Elem = &ir.Type{Kind: ir.Any} // those that fit no pattern too
		} else {
			d.Extra.Type.Elem = l.extraType(v, d.Name)
		}
		if len(v.patterns) == 0 {
			l.texts.extras[d] = v.extra
		}
		if byPattern && l.opts.Unknown != KeepUnknown {
			for _, e := range v.patterns {
				if l.compiles(e.Name, e.Pos) {
					d.Extra.Patterns = append(d.Extra.Patterns, e.Name)
				}
			}
		}
	}
	return &ir.Type{Kind: ir.Ref, Decl: d}
}

// hasField reports whether d has a field for the member called name.
func hasField(d *ir.Decl, name string) bool {
	return slices.ContainsFunc(d.Fields, func(f *ir.Field) bool { return f.Wire == name })
}

func fieldName(scope *ir.Scope, wire string) string {
	n := cmp.Or(ir.GoName(wire), "Empty")
	return scope.Pick(n, n+"Field")
}

// field returns the field for a member, or nil for one that is forbidden.
func (l *lowerer) field(v *view, p prop, d *ir.Decl, scope *ir.Scope) *ir.Field {
	s := p.schemas[0]
	if len(p.schemas) > 1 {
		s = l.together(p.schemas)
	}
	for _, s := range p.schemas {
		if s.Boolean != nil && !*s.Boolean {
			v.rest = append(v.rest, &openapi.Schema{Properties: openapi.Map[openapi.Schema]{{Name: p.name, Value: s}}})
			return nil
		}
	}
	last := p.schemas[len(p.schemas)-1]
	n := l.goName(last, p.name, schemaName(d.Origin)+"."+p.name)
	f := &ir.Field{Name: fieldName(scope, cmp.Or(n, p.name)), Wire: p.name, Required: v.requires(p.name)}
	f.Doc, f.Deprecated = cmp.Or(last.Description, last.Title), last.Deprecated
	f.Type = l.typeOf(s, d.Name+f.Name)
	f.Nullable = s.AllowsNull()
	if f.Required {
		f.RequiredIn = l.direction(v, p)
		f.Required = f.RequiredIn == ir.Nowhere
	}
	if n := findDefault(s); n != nil {
		l.defaulted[f] = defaultFor{n, s}
	}
	return f
}

// extraType returns the type of members that are not named.
func (l *lowerer) extraType(v *view, place string) *ir.Type {
	var list []*openapi.Schema
	for _, e := range v.patterns {
		list = append(list, e.Value)
	}
	if v.extra != nil {
		list = append(list, v.extra.Schema)
	}
	if len(list) == 0 || list[len(list)-1] == nil {
		return &ir.Type{Kind: ir.Any}
	}
	return l.typeOfAny(list, place+"Value")
}
