package gen

import (
	"encoding/base64"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/schema"
)

// defaults sets the defaults of the fields that have one, which are applied when
// the member is absent.
func (l *lowerer) defaults() {
	forbidden := l.forbidden()
	for _, d := range l.pkg.Decls {
		for _, f := range d.Fields {
			n := l.defaulted[f].value
			if st := f.State(); n == nil || st == ir.Plain || st == ir.Nullable {
				continue
			}
			if err := forbidden[f]; err != nil {
				l.warn(n.Pos, "the default of %s.%s is not applied: its own schema does not allow it (%v): correct one of them", d.Name, f.Name, err)
				continue
			}
			if fitsDefault(f.Type, n) || readsDefault(d, f.Type, n) {
				f.Default = string(openapi.AppendJSON(nil, n))
			} else if n.Kind != openapi.Null {
				l.warn(n.Pos, "the default of %s.%s is not applied: %s does not hold it, or holds the same default again",
					d.Name, f.Name, newPrinter().typeName(f.Type))
			}
		}
	}
}

// defaultFor is the default of a member, and the schema of the member.
type defaultFor struct {
	value  *openapi.Node
	schema *openapi.Schema
}

// forbidden returns what is wrong with the defaults that their own schemas do not
// allow. A null that is not allowed says that there is none.
func (l *lowerer) forbidden() map[*ir.Field]error {
	t := schemaTexts{l: l, names: make(map[*openapi.Schema]string)}
	names := make(map[*ir.Field]string)
	var pairs []string
	for _, d := range l.pkg.Decls {
		for _, f := range d.Fields {
			if x := l.defaulted[f]; x.value != nil && x.value.Kind != openapi.Null {
				names[f] = "#" + strconv.Itoa(len(names))
				pairs = append(pairs, names[f], t.text(x.schema))
			}
		}
	}
	t.each(func(name, text string) { pairs = append(pairs, name, text) })
	table, out := schema.New(pairs...), make(map[*ir.Field]error)
	for f, name := range names {
		if err := json.UnmarshalWith(openapi.AppendJSON(nil, l.defaulted[f].value), &conforming{table.Get(name)}); err != nil {
			if e, ok := errors.AsType[*weft.Error](err); ok {
				err = weft.Violation{Path: e.Path, Offset: -1, Err: e.Err} // the document has another offset
			}
			out[f] = err
		}
	}
	return out
}

// conforming reads a value that the schema must allow.
type conforming struct{ schema *schema.Schema }

// UnmarshalWeft reads a value.
func (c conforming) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	r.Refuse(c.schema.Check(r))
	r.Skip()
	return r.Err()
}

// readsDefault reports whether n, which is not a scalar, is a default of type t for a
// field of d. It is none where its kind is wrong, or where t holds values of d again,
// which would have no end.
func readsDefault(d *ir.Decl, t *ir.Type, n *openapi.Node) bool {
	if kindsOf(t, nil)&nodeKinds(n) == 0 || holds(t, d, make(map[*ir.Decl]bool)) {
		return false
	}
	switch u := t.Under(); {
	case u.Kind == ir.Any, u.Kind == ir.Foreign:
	case u.Kind == ir.Ref && u.Decl.Kind == ir.Struct:
		return fitsStruct(u.Decl, n)
	case u.Kind == ir.Ref && u.Decl.Kind == ir.Union:
	case kindsOf(t, nil)&(arrays|objects) == 0:
		return false // a scalar that fits would have been one
	}
	return true
}

// nodeKinds returns the kind of n.
func nodeKinds(n *openapi.Node) kinds {
	switch n.Kind {
	case openapi.Object:
		return objects
	case openapi.Array:
		return arrays
	case openapi.String:
		return texts
	case openapi.NumberKind:
		return numbers
	case openapi.Bool:
		return bools
	}
	return nulls
}

// holds reports whether values of t may hold values of d.
func holds(t *ir.Type, d *ir.Decl, seen map[*ir.Decl]bool) bool {
	if t == nil {
		return false
	}
	if t.Kind != ir.Ref {
		return holds(t.Elem, d, seen)
	}
	to := t.Decl
	if to == d {
		return true
	}
	if seen[to] {
		return false
	}
	seen[to] = true
	if holds(to.Type, d, seen) || to.Extra != nil && holds(to.Extra.Type, d, seen) {
		return true
	}
	if to.Union != nil && slices.ContainsFunc(to.Union.Variants, func(v *ir.Variant) bool {
		return holds(&ir.Type{Kind: ir.Ref, Decl: v.Decl}, d, seen)
	}) {
		return true
	}
	return slices.ContainsFunc(to.Fields, func(f *ir.Field) bool { return holds(f.Type, d, seen) })
}

// fitsStruct reports whether n has all members that the struct d requires.
func fitsStruct(d *ir.Decl, n *openapi.Node) bool {
	for _, f := range d.Fields {
		if f.Required && n.Get(f.Wire) == nil {
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
	case k == ir.Time, k == ir.Date:
		_, err = parseTime(k, n.Text)
		return n.Kind == openapi.String && err == nil
	case k == ir.Bytes:
		_, err = base64.StdEncoding.DecodeString(n.Text)
		return n.Kind == openapi.String && err == nil
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

// parseTime reads the text of a time or date.
func parseTime(k ir.Kind, text string) (time.Time, error) {
	if k == ir.Date {
		return time.Parse(time.DateOnly, text)
	}
	return time.Parse(time.RFC3339Nano, text)
}

var bitsOf = map[ir.Kind]int{
	ir.Int8: 8, ir.Int16: 16, ir.Int32: 32, ir.Int64: 64, ir.Uint8: 8, ir.Uint16: 16, ir.Uint32: 32, ir.Uint64: 64,
	ir.Float32: 32, ir.Float64: 64,
}
