package gen

import (
	"errors"
	"strconv"

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
			fit := func() bool { return fits(func(p *printer) { p.fieldLiteral(f, n) }) }
			// A field that holds values of d again would have defaults without end.
			if kindsOf(f.Type, nil)&n.Types() != 0 && !reach(f.Type)[d] && fit() {
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
	t := l.schemas()
	names := make(map[*ir.Field]string)
	var pairs []string
	for _, d := range l.pkg.Decls {
		for _, f := range d.Fields {
			if x := l.defaulted[f]; x.value != nil && x.value.Kind != openapi.Null {
				names[f] = "#" + strconv.Itoa(len(names))
				pairs = append(pairs, names[f], t.Text(x.schema))
			}
		}
	}
	table, out := schema.New(append(pairs, t.Pairs()...)...), make(map[*ir.Field]error)
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

// findDefault returns the default that s has, itself or by what holds with it: the nearest, of equally near ones the last,
// as an allOf has what it builds on first.
func findDefault(s *openapi.Schema) (n *openapi.Node) {
	nearest := 0
	s.Holding(func(s *openapi.Schema, way []*openapi.Schema) {
		if s.Default != nil && (n == nil || len(way) <= nearest) {
			n, nearest = s.Default, len(way)
		}
	})
	return n
}

var bitsOf = map[ir.Kind]int{
	ir.Int8: 8, ir.Int16: 16, ir.Int32: 32, ir.Int64: 64, ir.Uint8: 8, ir.Uint16: 16, ir.Uint32: 32, ir.Uint64: 64,
	ir.Float32: 32, ir.Float64: 64,
}
