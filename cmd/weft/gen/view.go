package gen

import (
	"cmp"
	"slices"

	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// view is a schema with everything that holds for its values gathered in one
// place: what stands beside a reference, the parts of allOf, compositions that
// have one choice only.
type view struct {
	types    openapi.Types // without null; 0: any
	nullable bool
	never    bool            // no value is valid
	clash    *openapi.Schema // for its type contradicts that of other parts; nil: for another reason
	unlisted bool            // for the enum lists no value of the types
	null     bool            // only null is

	format   string
	title    string
	doc      string
	enum     []constant // without null; see hasEnum
	hasEnum  bool
	props    []prop
	required []string
	extra    *openapi.SchemaOrBool
	patterns openapi.Map[openapi.Schema]
	closed   bool
	minProps *openapi.Number
	maxProps *openapi.Number

	items    []*openapi.Schema // all hold
	prefix   []*openapi.Schema
	minItems *openapi.Number
	maxItems *openapi.Number
	unique   bool

	min, exclMin, max, exclMax, multiple *openapi.Number
	minLen, maxLen                       *openapi.Number
	pattern                              string
	patternPos                           openapi.Pos
	encoding, mediaType                  string
	contents                             []*openapi.Schema // of the text that a string holds: all hold

	groups []group           // choices that are left
	rest   []*openapi.Schema // what the type will not hold, as schemas of its own

	tags      []string             // discriminators of what others build on
	mentioned []string             // members that the rest speaks of; see mention
	parts     []*openapi.Schema    // in these
	either    [][2]*openapi.Schema // of which one holds for every value: then and else
	strict    bool                 // members that no part describes are forbidden

	from   []*openapi.Schema // those that it is gathered from
	scoped int               // how many of them scope has looked at
}

// prop is a member an object may have, with every schema that holds for it.
type prop struct {
	name    string
	schemas []*openapi.Schema
}

// constant is a value of an enum.
type constant struct {
	*openapi.Node
	name string // in Go, where the document gives one
}

// group is a oneOf or anyOf.
type group struct {
	variants []*openapi.Schema // without those of null
	exact    bool              // oneOf
	disc     *openapi.Discriminator
}

// onlyRequires reports whether s says no more than which members are required.
func onlyRequires(s *openapi.Schema) bool {
	if len(s.Required) == 0 {
		return false
	}
	t := *s
	t.Required = nil
	t.Types = t.Types.Without(openapi.TypeObject)
	return t.Empty()
}

// choosesRequired reports whether s is a choice of what is required.
func choosesRequired(s *openapi.Schema) bool {
	list := slices.Concat(s.OneOf, s.AnyOf)
	return len(list) > 0 && !slices.ContainsFunc(list, func(s *openapi.Schema) bool { return !onlyRequires(s) })
}

// prop returns the schemas of the member called name, nil for none.
func (v *view) prop(name string) []*openapi.Schema {
	for _, p := range v.props {
		if p.name == name {
			return p.schemas
		}
	}
	return nil
}

// requires reports whether v requires the member called name.
func (v *view) requires(name string) bool { return slices.Contains(v.required, name) }

func names(list []openapi.Text) []string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t.Value
	}
	return out
}

// look returns the view of s.
func look(s *openapi.Schema) *view {
	v := new(view)
	v.add(s)
	v.infer()
	v.nullable = s.AllowsNull()
	if v.never && (v.clash != nil || v.unlisted) && v.nullable {
		v.never, v.clash, v.null = false, nil, true // all that is left
	}
	return v
}

// add makes s hold for v.
func (v *view) add(s *openapi.Schema) {
	s.Holding(func(part *openapi.Schema, way []*openapi.Schema) { v.addPart(part, way, part == s) })
}

// addPart makes s hold for v, save the schemas that hold with it. It is the top if v is the view of it.
func (v *view) addPart(s *openapi.Schema, way []*openapi.Schema, top bool) {
	if s.Boolean != nil && !*s.Boolean {
		v.never = true
		return
	}
	v.from = append(v.from, s)
	v.null = v.null || s.Types == openapi.TypeNull
	never := v.never
	if v.addTypes(s.Types.Without(openapi.TypeNull)); v.never && !never {
		v.clash = s
	}
	if s.Format != "" {
		v.format = s.Format
	}
	if top || v.title == "" {
		v.title = cmp.Or(s.Title, v.title)
		v.doc = cmp.Or(s.Description, v.doc)
	}
	v.addEnum(s)
	v.addObject(s)
	v.addArray(s)
	v.addScalar(s)
	v.addRest(s)
	v.mention(s)
	v.addChoice(s, s.OneOf, true, way)
	v.addChoice(s, s.AnyOf, false, way)
}

func (v *view) addTypes(t openapi.Types) {
	if t.Has(openapi.TypeNumber) {
		t |= openapi.TypeInteger // every integer is a number
	}
	switch {
	case t == 0:
	case v.types == 0:
		v.types = t
	case v.types&t == 0:
		v.never = true
	default:
		v.types &= t
	}
}

func (v *view) addEnum(s *openapi.Schema) {
	vals := s.Enum
	if s.Const != nil {
		vals = []*openapi.Node{s.Const}
	}
	if vals == nil {
		return
	}
	var out []constant
	given := varNames(s)
	for i, n := range vals {
		c := constant{Node: n}
		if given != nil {
			c.name = given[i]
		}
		if n.Kind != openapi.Null && !lists(out, c) && (!v.hasEnum || lists(v.enum, c)) {
			out = append(out, c)
		}
	}
	v.enum, v.hasEnum = out, true
}

func (v *view) addObject(s *openapi.Schema) {
	for _, e := range s.Properties {
		i := slices.IndexFunc(v.props, func(p prop) bool { return p.name == e.Name })
		if i < 0 {
			v.props = append(v.props, prop{name: e.Name, schemas: []*openapi.Schema{e.Value}})
		} else if !slices.Contains(v.props[i].schemas, e.Value) {
			v.props[i].schemas = append(v.props[i].schemas, e.Value)
		}
	}
	if s.Polymorphic() {
		v.addName(s.Discriminator.PropertyName)
		v.tags = append(v.tags, s.Discriminator.PropertyName)
	}
	for _, r := range s.Required {
		if !v.requires(r.Value) {
			v.required = append(v.required, r.Value)
		}
	}
	switch x := s.AdditionalProperties; {
	case x == nil:
	case x.Forbids():
		v.closed = true
	case v.extra == nil || v.extra.Schema == nil:
		v.extra = x
	}
	v.patterns = append(v.patterns, s.PatternProperties...)
	v.minProps = larger(v.minProps, s.MinProperties)
	v.maxProps = smaller(v.maxProps, s.MaxProperties)
}

func (v *view) addArray(s *openapi.Schema) {
	if s.Items != nil && !slices.Contains(v.items, s.Items) {
		v.items = append(v.items, s.Items)
	}
	if x := s.UnevaluatedItems; x != nil && x.Schema != nil && s.Items == nil && len(s.AllOf)+len(s.OneOf)+len(s.AnyOf) == 0 && s.If == nil && s.Target == nil && s.Contains == nil {
		v.items = append(v.items, x.Schema) // nothing else evaluates what follows the places
	}
	if len(v.prefix) == 0 {
		v.prefix = s.PrefixItems
	}
	v.minItems = larger(v.minItems, s.MinItems)
	v.maxItems = smaller(v.maxItems, s.MaxItems)
	v.unique = v.unique || s.UniqueItems
}

func (v *view) addScalar(s *openapi.Schema) {
	v.min, v.exclMin = larger(v.min, s.Minimum), larger(v.exclMin, s.ExclusiveMinimum)
	v.max, v.exclMax = smaller(v.max, s.Maximum), smaller(v.exclMax, s.ExclusiveMaximum)
	v.minLen, v.maxLen = larger(v.minLen, s.MinLength), smaller(v.maxLen, s.MaxLength)
	if v.multiple != nil && s.MultipleOf != nil || v.pattern != "" && s.Pattern != "" && s.Pattern != v.pattern {
		v.rest = append(v.rest, &openapi.Schema{MultipleOf: v.multiple, Pattern: v.pattern})
	}
	if s.MultipleOf != nil {
		v.multiple = s.MultipleOf
	}
	if s.Pattern != "" {
		v.pattern, v.patternPos = s.Pattern, s.PatternPos
	}
	if s.ContentEncoding != "" {
		v.encoding = s.ContentEncoding
	}
	if s.ContentMediaType != "" {
		v.mediaType = s.ContentMediaType
	}
	if s.ContentSchema != nil && !slices.Contains(v.contents, s.ContentSchema) {
		v.contents = append(v.contents, s.ContentSchema)
	}
}

func (v *view) addChoice(of *openapi.Schema, variants []*openapi.Schema, exact bool, way []*openapi.Schema) {
	c := openapi.ChoicesOf(variants, way)
	left := c.Left
	switch {
	case len(variants) == 0 || c.Own:
	case c.Free > 1 && exact, len(left) == 0 && !c.Null && c.Free == 0:
		v.never = true
	case c.Free > 0 && exact && len(variants) > 1:
		v.rest = append(v.rest, choiceOf(variants, true)) // what no other is
	case c.Free > 0:
	case len(left) == 0:
		v.null = true
	case len(left) == 1: // holds like s
	case choosesRequired(choiceOf(left, exact)):
		v.rest = append(v.rest, choiceOf(left, exact))
		v.names(choiceOf(left, exact), nil)
	default:
		v.groups = append(v.groups, group{variants: left, exact: exact, disc: of.Discriminator})
	}
}

// choiceOf returns the schema that is a oneOf or anyOf of the list.
func choiceOf(list []*openapi.Schema, exact bool) *openapi.Schema {
	if exact {
		return &openapi.Schema{OneOf: list}
	}
	return &openapi.Schema{AnyOf: list}
}

// infer gives a schema without a type the one its keywords are about. It sees
// whether the values of an enum are of the types.
func (v *view) infer() {
	v.scope()
	if v.types != 0 {
		if v.hasEnum && len(v.enum) > 0 && !slices.ContainsFunc(v.enum, func(c constant) bool { return c.Types()&v.types != 0 }) {
			v.never, v.unlisted = true, true
		}
		return
	}
	if v.hasEnum {
		for _, c := range v.enum {
			v.types |= c.Types()
		}
		return
	}
	if len(v.groups) > 0 {
		if len(v.props) > 0 {
			v.types = openapi.TypeObject
		}
		return
	}
	switch {
	case v.limitsMembers() || len(v.tags) > 0 || slices.ContainsFunc(v.rest, aboutObjects):
		v.types = openapi.TypeObject
	case len(v.items) > 0 || len(v.prefix) > 0 || slices.ContainsFunc(v.rest, func(s *openapi.Schema) bool { return s.Contains != nil }) || v.minItems != nil || v.maxItems != nil || v.unique:
		v.types = openapi.TypeArray
	case v.pattern != "" || v.minLen != nil || v.maxLen != nil || v.encoding != "" || v.mediaType != "" || stringFormats[v.format]:
		v.types = openapi.TypeString
	case v.min != nil || v.max != nil || v.exclMin != nil || v.exclMax != nil || v.multiple != nil:
		v.types = openapi.TypeNumber | openapi.TypeInteger
	}
}

var stringFormats = map[string]bool{
	"date-time": true, "date": true, "time": true, "duration": true, "byte": true, "binary": true, "decimal": true, "password": true,
	"uuid": true, "uri": true, "email": true, "ipv4": true, "ipv6": true,
}

// single returns the one type of v, or 0 when there are several or none.
func (v *view) single() openapi.Types {
	switch {
	case v.types == openapi.TypeNumber|openapi.TypeInteger:
		return openapi.TypeNumber
	case v.types.Single():
		return v.types
	}
	return 0
}

// named reports whether the type of v may need a name: it is more than a scalar.
func (v *view) named() bool {
	return len(v.groups) > 0 || len(v.rest) > 0 || v.hasEnum || v.pattern != "" || v.single()&^compound == 0
}

// structural reports whether v says more about objects or arrays than that
// they are some.
func (v *view) structural() bool { return v.limitsMembers() || len(v.items) > 0 || len(v.prefix) > 0 }

// limitsMembers reports whether v says which members objects have.
func (v *view) limitsMembers() bool {
	return len(v.props) > 0 || len(v.required) > 0 || v.extra != nil || v.closed || len(v.patterns) > 0 ||
		v.minProps != nil || v.maxProps != nil
}

// lists reports whether one of list is the scalar c.
func lists(list []constant, c constant) bool {
	return slices.ContainsFunc(list, func(o constant) bool {
		return o.Kind == c.Kind && o.Text == c.Text && o.Items == nil && o.Members == nil
	})
}

func larger(a, b *openapi.Number) *openapi.Number {
	if a == nil || b != nil && b.Float > a.Float {
		return b
	}
	return a
}

func smaller(a, b *openapi.Number) *openapi.Number {
	if a == nil || b != nil && b.Float < a.Float {
		return b
	}
	return a
}

// varNames returns the names that extensions of s give to the values of its
// enum, when there is one for each.
func varNames(s *openapi.Schema) []string {
	for _, ext := range []string{"x-enum-varnames", "x-enumNames", "x-enum-names"} {
		n := s.Extensions.Get(ext)
		if n == nil || n.Kind != openapi.Array || len(n.Items) != len(s.Enum) {
			continue
		}
		var out []string
		for _, item := range n.Items {
			out = append(out, item.Text)
		}
		return out
	}
	return nil
}

// clone returns a copy of v to which more can be added.
func (v *view) clone() *view {
	w := *v
	w.required = slices.Clone(v.required)
	w.props = slices.Clone(v.props)
	for i := range w.props {
		w.props[i].schemas = slices.Clone(w.props[i].schemas)
	}
	w.rest, w.from = slices.Clone(v.rest), slices.Clone(v.from)
	w.items, w.groups = slices.Clone(v.items), slices.Clone(v.groups)
	w.patterns = slices.Clone(v.patterns)
	w.tags = slices.Clone(v.tags)
	w.mentioned, w.parts, w.either = slices.Clone(v.mentioned), slices.Clone(v.parts), slices.Clone(v.either)
	return &w
}

// scalarChecks reports whether v limits scalars.
func (v *view) scalarChecks() bool {
	return v.min != nil || v.max != nil || v.exclMin != nil || v.exclMax != nil || v.multiple != nil ||
		v.minLen != nil || v.maxLen != nil || v.pattern != "" || v.minItems != nil || v.maxItems != nil || v.unique
}
