package gen

import (
	"slices"
	"strconv"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// defaults sets the defaults of the fields that have one: a scalar, which is
// applied when the member is absent.
func (l *lowerer) defaults() {
	for _, d := range l.pkg.Decls {
		for _, f := range d.Fields {
			n := l.defaulted[f]
			if st := f.State(); n == nil || f.Pointer || st == ir.Plain || st == ir.Nullable {
				continue
			}
			if fitsDefault(f.Type, n) {
				f.Default = &ir.Value{Text: n.Text}
			}
		}
	}
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
