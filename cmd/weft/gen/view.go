package gen

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

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

	format    string
	title     string
	doc       string
	enum      []*openapi.Node // without null; see hasEnum
	hasEnum   bool
	enumNames []string // Go names of the values of enum, when the document has them
	props     []prop
	required  map[string]bool
	reqOrder  []string
	extra     *openapi.SchemaOrBool
	patterns  openapi.Map[openapi.Schema]
	closed    bool
	minProps  *openapi.Number
	maxProps  *openapi.Number

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
	return empty(&t)
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

func names(list []openapi.Text) []string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t.Value
	}
	return out
}

// look returns the view of s.
func look(s *openapi.Schema) *view {
	v := &view{required: make(map[string]bool)}
	v.add(s, nil, true)
	v.infer()
	v.nullable = allowsNull(s, nil)
	if v.never && (v.clash != nil || v.unlisted) && v.nullable {
		v.never, v.clash, v.null = false, nil, true // all that is left
	}
	return v
}

// add makes s hold for v. The schemas in path are being added: one that is met
// again says nothing new.
func (v *view) add(s *openapi.Schema, path []*openapi.Schema, top bool) {
	if s == nil || slices.Contains(path, s) {
		return
	}
	path = append(path, s)
	if s.Boolean != nil && !*s.Boolean {
		v.never = true
		return
	}
	if s.Target != nil {
		v.add(s.Target, path, false)
	}
	for _, part := range s.AllOf {
		v.add(part, path, false)
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
	v.addChoice(s, s.OneOf, true, path)
	v.addChoice(s, s.AnyOf, false, path)
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
	var out []*openapi.Node
	var outNames []string
	given := varNames(s)
	for i, n := range vals {
		if n.Kind == openapi.Null || lists(out, n) {
			continue
		}
		if v.hasEnum && !lists(v.enum, n) {
			continue
		}
		out = append(out, n)
		if given != nil {
			outNames = append(outNames, given[i])
		}
	}
	v.enum, v.enumNames, v.hasEnum = out, outNames, true
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
	if polymorphic(s) {
		v.addName(s.Discriminator.PropertyName)
		v.tags = append(v.tags, s.Discriminator.PropertyName)
	}
	for _, r := range s.Required {
		if !v.required[r.Value] {
			v.required[r.Value] = true
			v.reqOrder = append(v.reqOrder, r.Value)
		}
	}
	switch x := s.AdditionalProperties; {
	case x == nil:
	case forbids(x):
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

func (v *view) addChoice(of *openapi.Schema, variants []*openapi.Schema, exact bool, path []*openapi.Schema) {
	var left []*openapi.Schema
	null, all := false, 0
	for _, s := range variants {
		switch {
		case slices.Contains(path[:len(path)-1], s.Resolve()):
			return // what builds on a choice of which it is one
		case empty(s):
			all++ // one choice is everything
		case onlyNull(s):
			null = true
		case !(s.Boolean != nil && !*s.Boolean) && !slices.Contains(left, s):
			left = append(left, s)
		}
	}
	switch {
	case len(variants) == 0:
	case all > 1 && exact, len(left) == 0 && !null && all == 0:
		v.never = true
	case all > 0 && exact && len(variants) > 1:
		v.rest = append(v.rest, choiceOf(variants, true)) // what no other is
	case all > 0:
	case len(left) == 0:
		v.null = true
	case len(left) == 1:
		v.add(left[0], path, false)
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
		if v.hasEnum && len(v.enum) > 0 && !slices.ContainsFunc(v.enum, func(n *openapi.Node) bool { return nodeTypes(n)&v.types != 0 }) {
			v.never, v.unlisted = true, true
		}
		return
	}
	if v.hasEnum {
		for _, n := range v.enum {
			v.types |= nodeTypes(n)
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
	case len(v.props) > 0 || len(v.required) > 0 || v.extra != nil || v.closed || len(v.patterns) > 0 ||
		v.minProps != nil || v.maxProps != nil || len(v.tags) > 0:
		v.types = openapi.TypeObject
	case slices.ContainsFunc(v.rest, aboutObjects):
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
	return len(v.groups) > 0 || len(v.rest) > 0 || v.hasEnum || v.pattern != "" || v.single()&^(openapi.TypeObject|openapi.TypeArray) == 0
}

// structural reports whether v says more about objects or arrays than that
// they are some.
func (v *view) structural() bool {
	return len(v.props) > 0 || len(v.required) > 0 || v.extra != nil || v.closed || len(v.patterns) > 0 ||
		v.minProps != nil || v.maxProps != nil || len(v.items) > 0 || len(v.prefix) > 0
}

// allowsNull reports whether null is valid for s. Beside nullable: true, which
// is how documents mean it, every part must allow it.
func allowsNull(s *openapi.Schema, path []*openapi.Schema) bool {
	if s == nil || slices.Contains(path, s) {
		return false
	}
	path = append(path, s)
	if s.Nullable || s.Types.Has(openapi.TypeNull) {
		return true
	}
	if s.Types != 0 || s.Boolean != nil {
		return false
	}
	if slices.ContainsFunc(s.Enum, isNull) || s.Const != nil && isNull(s.Const) {
		return true
	}
	if s.Enum != nil || s.Const != nil {
		return false
	}
	some := false // a part says that null is allowed
	if s.Target != nil {
		if !allowsNull(s.Target, path) {
			return false
		}
		some = true
	}
	for _, part := range s.AllOf {
		if neutral(part) {
			continue
		}
		if !allowsNull(part, path) {
			return false
		}
		some = true
	}
	for _, list := range [][]*openapi.Schema{s.OneOf, s.AnyOf} {
		if len(list) == 0 {
			continue
		}
		if !slices.ContainsFunc(list, func(t *openapi.Schema) bool { return allowsNull(t, path) }) {
			return false
		}
		some = true
	}
	return some
}

// neutral reports whether s says nothing about the type of a value.
func neutral(s *openapi.Schema) bool {
	return s.Target == nil && s.Types == 0 && s.Enum == nil && s.Const == nil && s.Boolean == nil &&
		len(s.AllOf)+len(s.OneOf)+len(s.AnyOf) == 0
}

func onlyNull(s *openapi.Schema) bool {
	r := s.Resolve()
	if r.Types == openapi.TypeNull {
		return true
	}
	return r.Types == 0 && (r.Const != nil && isNull(r.Const) ||
		len(r.Enum) > 0 && !slices.ContainsFunc(r.Enum, func(n *openapi.Node) bool { return !isNull(n) }))
}

func isNull(n *openapi.Node) bool { return n.Kind == openapi.Null }

// plainRef reports whether s is another name for the schema t: a reference, or
// a composition with one choice, and nothing beside it that would be checked.
func plainRef(s *openapi.Schema) (t *openapi.Schema, ok bool) {
	if s.Enum != nil || s.Const != nil || s.Boolean != nil || !bare(s) {
		return nil, false
	}
	var refs []*openapi.Schema
	if s.Target != nil {
		refs = append(refs, s.Target)
	}
	for _, t := range s.AllOf {
		if !empty(t) {
			refs = append(refs, t)
		}
	}
	for _, list := range [][]*openapi.Schema{s.OneOf, s.AnyOf} {
		for _, t := range list {
			if !onlyNull(t) {
				refs = append(refs, t)
			}
		}
	}
	if len(refs) != 1 || refs[0].Boolean != nil {
		return nil, false
	}
	return refs[0], true
}

// empty reports whether s holds for every value.
func empty(s *openapi.Schema) bool {
	if s.Boolean != nil {
		return *s.Boolean
	}
	return neutral(s) && s.Format == "" && bare(s)
}

// bare reports whether s says no more than what type its values have, which they are, and what other schemas say.
func bare(s *openapi.Schema) bool {
	return s.Properties == nil && len(s.Required) == 0 && s.AdditionalProperties == nil && s.Items == nil && s.Pattern == "" &&
		s.Minimum == nil && s.Maximum == nil && s.ExclusiveMinimum == nil && s.ExclusiveMaximum == nil && s.MultipleOf == nil &&
		s.MinLength == nil && s.MaxLength == nil && s.MinItems == nil && s.MaxItems == nil && !s.UniqueItems &&
		s.MinProperties == nil && s.MaxProperties == nil && !special(s)
}

// nodeTypes returns the type of a value of the document.
func nodeTypes(n *openapi.Node) openapi.Types {
	switch n.Kind {
	case openapi.Bool:
		return openapi.TypeBoolean
	case openapi.NumberKind:
		if isIntText(n.Text) {
			return openapi.TypeInteger
		}
		if f, err := strconv.ParseFloat(n.Text, 64); err != nil || f != math.Trunc(f) {
			return openapi.TypeNumber
		}
		return openapi.TypeNumber | openapi.TypeInteger
	case openapi.String:
		return openapi.TypeString
	case openapi.Array:
		return openapi.TypeArray
	case openapi.Object:
		return openapi.TypeObject
	}
	return openapi.TypeNull
}

func isIntText(s string) bool {
	for i, c := range s {
		if (c < '0' || c > '9') && (i > 0 || c != '-') {
			return false
		}
	}
	return s != ""
}

func sameNode(a, b *openapi.Node) bool {
	return a.Kind == b.Kind && a.Text == b.Text && a.Items == nil && a.Members == nil
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
	w.required = maps.Clone(v.required)
	w.reqOrder = slices.Clone(v.reqOrder)
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
