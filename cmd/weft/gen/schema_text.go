package gen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
	"github.com/weftcodec/weft/schema"
)

// schemaTexts are the JSON Schemas that the package checks values by, where Go
// types do not hold what the document says. They are written when every type is
// known.
type schemaTexts struct {
	l      *lowerer
	writer openapi.JSONSchemas
	of     map[string]*openapi.Schema         // by variables, as types name them
	extras map[*ir.Decl]*openapi.SchemaOrBool // of the members without a field
}

// Schemas returns the schemas of the components of doc, by which values can be checked without a Go type, and
// their names.
func Schemas(doc *openapi.Document) (table *schema.Set, names []string) {
	t := (&lowerer{unchecked: make(map[openapi.Pos]bool)}).schemas()
	for _, e := range doc.Components.Schemas {
		names = append(names, t.Ref(e.Value))
	}
	return schema.New(t.Pairs()...), names
}

// schemas returns a writer of JSON Schemas for both directions.
func (l *lowerer) schemas() openapi.JSONSchemas { return openapi.JSONSchemas{Pattern: l.compiles} }

// variable returns the variable for a schema that says what all of the list
// say, called after place.
func (t *schemaTexts) variable(prefix, place string, list []*openapi.Schema) string {
	s := allOf(list)
	name := strings.TrimPrefix(t.writer.Name(s, "#"+t.l.pkg.Scope.Pick(prefix+place)), "#")
	t.of[name] = s
	return name
}

// both returns the variable for what the schemas of two variables say together,
// each of which may be "" for none.
func (t *schemaTexts) both(a, b string) string {
	if a == "" || b == "" || a == b {
		return cmp.Or(a, b)
	}
	return t.variable(a, "And", []*openapi.Schema{{Target: t.of[a]}, {Target: t.of[b]}})
}

// write writes the schemas that types are checked by, and those that they refer to.
func (t *schemaTexts) write() {
	for _, d := range t.l.pkg.Decls {
		if d.Kind != ir.Alias {
			d.CheckedBy = t.check(d)
		}
		if d.Parts != nil {
			d.Parts.Choice = t.writer.Ref(t.of[d.Parts.Choice])
		}
	}
	for pair := range slices.Chunk(t.writer.Pairs(), 2) {
		t.l.pkg.Schemas = append(t.l.pkg.Schemas, &ir.Schema{Name: pair[0], Text: pair[1]})
	}
	slices.SortFunc(t.l.pkg.Schemas, func(a, b *ir.Schema) int { return strings.Compare(a.Name, b.Name) })
}

// check returns the name of the schema for values of d, "" for none. A struct's has also what is said of its members
// where Go types and tags do not hold it.
func (t *schemaTexts) check(d *ir.Decl) string {
	var all []*openapi.Schema
	for at := d; at != nil; at = definedAs(at) {
		if s := t.of[at.Schema]; s != nil {
			all = append(all, &openapi.Schema{Target: s})
		}
		all = append(all, t.within(at)...)
	}
	switch {
	case all == nil:
		return ""
	case len(all) == 1 && d.Schema != "":
		return t.writer.Ref(t.of[d.Schema])
	}
	s := allOf(all)
	t.writer.Name(s, "#"+d.Name)
	return t.writer.Ref(s)
}

// allOf returns the schema of all of the list.
func allOf(list []*openapi.Schema) *openapi.Schema {
	if len(list) == 1 {
		return list[0]
	}
	return &openapi.Schema{AllOf: list}
}

// within returns the schemas for what is left of the parts of d.
func (t *schemaTexts) within(d *ir.Decl) (all []*openapi.Schema) {
	if d.Kind == ir.Defined {
		return t.place(d.Type)
	}
	if d.Kind != ir.Struct || d.Parts != nil {
		return nil
	}
	var members, any openapi.Map[openapi.Schema]
	for _, f := range d.Fields {
		any = append(any, openapi.Entry[openapi.Schema]{Name: f.Wire, Value: &openapi.Schema{}})
		if list := t.place(f.Type); list != nil {
			s := allOf(list)
			if f.Nullable {
				s = orNull(s)
			}
			members = append(members, openapi.Entry[openapi.Schema]{Name: f.Wire, Value: s})
		}
	}
	if x := t.extras[d]; x != nil && d.Extra != nil && t.left(d.Extra.Type.Elem) {
		all = append(all, &openapi.Schema{Properties: any, AdditionalProperties: x})
	}
	if members != nil {
		all = append(all, &openapi.Schema{Properties: members})
	}
	return all
}

// place returns the schemas for what is left of the values of t where it is used.
func (t *schemaTexts) place(of *ir.Type) (all []*openapi.Schema) {
	for _, name := range of.Schemas() {
		all = append(all, &openapi.Schema{Target: t.of[name]})
	}
	u := of.Under()
	if u.Kind == ir.Null {
		all = append(all, &openapi.Schema{Types: openapi.TypeNull})
	}
	if u.Kind != ir.Slice && u.Kind != ir.Map && u.Kind != ir.NullType {
		return all
	}
	list := t.place(u.Elem)
	if list == nil {
		return all
	}
	switch s := allOf(list); u.Kind {
	case ir.Slice:
		return append(all, &openapi.Schema{Items: s})
	case ir.Map:
		return append(all, &openapi.Schema{AdditionalProperties: &openapi.SchemaOrBool{Schema: s}})
	default:
		return append(all, orNull(s))
	}
}

// left reports whether something is left of the values of t where no field has a tag for it.
func (t *schemaTexts) left(of *ir.Type) bool {
	for a := range of.Aliases() {
		if a.Check != nil || a.Schema != "" {
			return true
		}
	}
	u := of.Under()
	return u.Kind == ir.Null || !u.Kind.IsContent() && u.Elem != nil && t.left(u.Elem)
}

// orNull returns a schema for null, and what s allows.
func orNull(s *openapi.Schema) *openapi.Schema {
	return &openapi.Schema{AnyOf: []*openapi.Schema{{Types: openapi.TypeNull}, s}}
}
