package gen

import (
	"slices"
	"strconv"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// defaults sets the defaults of the fields that have one, which are applied when
// the member is absent: scalars, lists and maps of scalars, and structs.
func (l *lowerer) defaults() {
	for _, d := range l.pkg.Decls {
		for _, f := range d.Fields {
			n := l.defaulted[f]
			if st := f.State(); n == nil || f.Pointer || st == ir.Plain || st == ir.Nullable {
				continue
			}
			f.Default = defaultOf(f.Type, n)
		}
	}
}

// defaultOf returns n as a default of type t, nil when it is none that is
// applied.
func defaultOf(t *ir.Type, n *openapi.Node) *ir.Default {
	if fitsDefault(t, n) {
		return &ir.Default{Scalar: &ir.Value{Text: n.Text}}
	}
	t = t.Under()
	if t.Kind == ir.Ref && t.Decl.Kind == ir.Struct && n.Kind == openapi.Object {
		// By its methods, which apply the defaults of its own members. A struct
		// in itself is held by a pointer: there is no circle.
		if fitsStruct(t.Decl, n) {
			var w schemaWriter
			w.node(n)
			return &ir.Default{JSON: w.b.String()}
		}
		return nil
	}
	if t.Kind == ir.Ref && t.Decl.Kind == ir.Defined {
		t = t.Decl.Type
	}
	d := new(ir.Default)
	switch {
	case t.Kind == ir.Slice && n.Kind == openapi.Array:
		for _, item := range n.Items {
			if !fitsDefault(t.Elem, item) {
				return nil
			}
			d.Values = append(d.Values, &ir.Value{Text: item.Text})
		}
		return d
	case t.Kind == ir.Map && n.Kind == openapi.Object:
		d.Names = []string{}
		for _, m := range n.Members {
			if !fitsDefault(t.Elem, m.Value) || slices.Contains(d.Names, m.Name) {
				return nil
			}
			d.Names, d.Values = append(d.Names, m.Name), append(d.Values, &ir.Value{Text: m.Value.Text})
		}
		return d
	}
	return nil
}

// fitsStruct reports whether n has all members that the struct d requires.
func fitsStruct(d *ir.Decl, n *openapi.Node) bool {
	for _, f := range d.Fields {
		if f.Required && !slices.ContainsFunc(n.Members, func(m openapi.Member) bool { return m.Name == f.Wire }) {
			return false
		}
	}
	return true
}

// findDefault returns the default that s has, itself or by what it refers to.
func findDefault(s *openapi.Schema, depth int) *openapi.Node {
	if depth > 20 || s.Default != nil {
		return s.Default
	}
	if s.Target != nil {
		if n := findDefault(s.Target, depth+1); n != nil {
			return n
		}
	}
	for _, part := range s.AllOf {
		if n := findDefault(part, depth+1); n != nil {
			return n
		}
	}
	return nil
}

// fitsDefault reports whether n is a value of the type t.
func fitsDefault(t *ir.Type, n *openapi.Node) bool {
	t = t.Under()
	k := t.Kind
	if k == ir.Ref && (t.Decl.Kind == ir.Enum || t.Decl.Kind == ir.Defined) && t.Decl.Type != nil {
		d := t.Decl
		if d.Kind == ir.Enum && !d.Open && !slices.ContainsFunc(d.Values, func(v *ir.Value) bool { return v.Text == n.Text }) {
			return false
		}
		return fitsDefault(d.Type, n)
	}
	var err error
	switch {
	case k == ir.Bool:
		return n.Kind == openapi.Bool
	case k == ir.String:
		return n.Kind == openapi.String
	case n.Kind != openapi.NumberKind:
		return false
	case k.IsInt():
		_, err = strconv.ParseInt(n.Text, 10, bitsOf[k])
	case k.IsUint():
		_, err = strconv.ParseUint(n.Text, 10, bitsOf[k])
	case k.IsFloat():
		_, err = strconv.ParseFloat(n.Text, bitsOf[k])
	default:
		return false
	}
	return err == nil
}

var bitsOf = map[ir.Kind]int{
	ir.Int8: 8, ir.Int16: 16, ir.Int32: 32, ir.Int64: 64, ir.Uint8: 8, ir.Uint16: 16, ir.Uint32: 32, ir.Uint64: 64,
	ir.Float32: 32, ir.Float64: 64,
}
