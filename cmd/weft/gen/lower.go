package gen

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// lowerer turns the schemas of a document into declarations.
type lowerer struct {
	doc      *openapi.Document
	opts     Options
	out      map[*openapi.Schema]bool // left out by the caller: any value
	pkg      *ir.Package
	api      *API
	decls    map[*openapi.Schema]*ir.Decl
	types    map[*openapi.Schema]*ir.Type // of inline schemas
	alike    map[string]*ir.Type          // of inline schemas, by what they say
	building map[*openapi.Schema]bool
	merged   map[string]*openapi.Schema // of schemas that hold together, by the schemas
	circular map[*openapi.Schema]bool   // inline schemas that contain themselves by reference
	families openapi.Families
	heirs    map[*openapi.Schema]bool     // of some family
	bases    map[*openapi.Schema]*ir.Decl // of families
	filed    map[string]*ir.Decl          // of schemas that stand in another file and are components, by their pointers
	sources  map[*ir.Decl]*openapi.Schema
	texts    schemaTexts
	choices  map[*ir.Variant][]*openapi.Schema // that they are made from
	// requests and responses are what these refer to; nil: not yet known.
	requests, responses map[any]bool
	// defaulted are the fields with a default, which is applied once the types
	// are known.
	defaulted map[*ir.Field]defaultFor
	unchecked map[openapi.Pos]bool // patterns that are not checked
	unused    map[string]string    // what to say of the names and types that the caller gives and nothing has
	warnings  openapi.Diagnostics
}

// lower returns the package of types for the document.
func lower(doc *openapi.Document, opts Options) (*ir.Package, openapi.Diagnostics) {
	l := lowered(doc, opts)
	return l.pkg, l.warnings
}

// lowered returns the lowerer that has made the package.
func lowered(doc *openapi.Document, opts Options) *lowerer {
	whole, families := doc, doc.Families()
	doc, out := opts.Select.Apply(doc, families)
	l := &lowerer{
		doc:      doc,
		opts:     opts,
		out:      out,
		pkg:      &ir.Package{Name: opts.Package, Title: doc.Info.Title, Scope: ir.NewScope(reserved...)},
		decls:    make(map[*openapi.Schema]*ir.Decl),
		types:    make(map[*openapi.Schema]*ir.Type),
		alike:    make(map[string]*ir.Type),
		building: make(map[*openapi.Schema]bool),
		merged:   make(map[string]*openapi.Schema),
		circular: circular(doc, families),
		families: families,
		heirs:    families.Heirs(),
		bases:    make(map[*openapi.Schema]*ir.Decl),
		filed:    make(map[string]*ir.Decl),
		sources:  make(map[*ir.Decl]*openapi.Schema),
		choices:  make(map[*ir.Variant][]*openapi.Schema),

		defaulted: make(map[*ir.Field]defaultFor),
		unchecked: make(map[openapi.Pos]bool),
		unused:    make(map[string]string),
	}
	for old, name := range opts.Rename {
		l.unused["name "+old] = fmt.Sprintf("no schema or member is called %q, so none is renamed to %q", old, name)
	}
	for format, name := range opts.Types {
		l.unused["type "+format] = fmt.Sprintf("no schema is of the format %q, so none becomes %s", format, name)
	}
	l.texts = schemaTexts{
		l: l, writer: l.schemas(), of: make(map[string]*openapi.Schema), extras: make(map[*ir.Decl]*openapi.SchemaOrBool),
	}
	l.pkg.Methods = opts.Methods
	l.pkg.Imports = map[string]string{"time": "time"}
	// The components come first: their names do not depend on inline types.
	for _, e := range doc.Components.Schemas {
		l.decls[e.Value] = l.declare(e.Value, l.goName(e.Value, e.Name, e.Name), e.Value.Pointer)
	}
	l.adopt()
	for _, e := range doc.Components.Schemas {
		if d := l.decls[e.Value]; families[l.sources[d]] != nil && l.goType(e.Value) == nil {
			l.baseOf(l.sources[d], d)
		}
	}
	for _, e := range doc.Components.Schemas {
		l.component(l.decls[e.Value], l.sources[l.decls[e.Value]])
	}
	l.operations()
	l.finish()
	if opts.ByTag {
		l.pkg.Files = tagFiles(l.api)
	}
	for _, what := range slices.Concat(slices.Sorted(maps.Values(l.unused)), opts.Select.Idle(whole)) {
		l.warn(l.doc.Pos, "%s", what)
	}
	return l
}

// schemaName returns the name of the component that a pointer leads to, or the
// pointer.
func schemaName(pointer string) string {
	return strings.TrimPrefix(strings.TrimPrefix(pointer, "#/components/schemas/"), "#/definitions/")
}

// reserved are the package-level names that the printed text uses for imports.
var reserved = []string{"json", "opt", "slim", "weft", "time", "schema", "schemas", "reflect", "sync"}

// declare adds a declaration that is filled later.
func (l *lowerer) declare(s *openapi.Schema, name, origin string) *ir.Decl {
	d := &ir.Decl{Name: l.pkg.Scope.Pick(cmp.Or(name, "X")), Origin: origin}
	if s != nil {
		l.sources[d] = s
	}
	l.pkg.Decls = append(l.pkg.Decls, d)
	return d
}

func (l *lowerer) warn(pos openapi.Pos, format string, args ...any) {
	l.warnings = append(l.warnings, openapi.Diagnostic{Pos: pos, Severity: openapi.Warning, Message: fmt.Sprintf(format, args...)})
}

// component fills the declaration of a named schema.
func (l *lowerer) component(d *ir.Decl, s *openapi.Schema) {
	if t := l.goType(s); t != nil {
		d.Kind, d.Type, d.Doc = ir.Alias, t, cmp.Or(s.Description, s.Title)
		return
	}
	if f := l.families[s]; f != nil {
		l.family(d, f)
		return
	}
	if t := s.Alias(); t != nil && !l.heirs[s] && !l.describes(d, t) {
		d.Kind, d.Type = ir.Alias, l.typeOf(t, d.Name)
		d.Doc = cmp.Or(s.Description, s.Title)
		if d.Type.Kind == ir.Ref && d.Type.Decl == d {
			d.Type = &ir.Type{Kind: ir.Any}
		}
		return
	}
	l.define(d, look(s))
}

// describes reports whether the inline schema t, which is all that the component d says beside null, needs a type: then d
// is that type, and not another name of one.
func (l *lowerer) describes(d *ir.Decl, t *openapi.Schema) bool {
	if t.Target != nil || t.Name != "" || l.decls[t] != nil || l.types[t] != nil || l.circular[t] || l.families[t] != nil || l.heirs[t] {
		return false
	}
	if l.goType(t) != nil || l.out[t] || l.renamed(t.Pointer) != "" {
		return false
	}
	key := l.likeness(t)
	if v := look(t); l.alike[key] != nil || len(v.props) == 0 && len(v.enum) < 2 || v.single() == 0 {
		return false
	}
	l.types[t] = &ir.Type{Kind: ir.Ref, Decl: d}
	if key != "" {
		l.alike[key] = l.types[t]
	}
	return true
}

// define makes d the type of the values of v.
func (l *lowerer) define(d *ir.Decl, v *view) {
	d.Doc = cmp.Or(v.doc, v.title)
	switch t := l.build(v, d.Name, d); {
	case t.Kind == ir.Ref && t.Decl == d:
	case t.Kind == ir.Any, t.Kind == ir.Null, t.Kind == ir.Ref, (t.Kind == ir.Time || t.Kind == ir.Date || t.Kind == ir.Bytes) && !t.Checked():
		d.Kind, d.Type = ir.Alias, t
	default:
		l.defineAs(d, t)
	}
}

// defineAs makes d a defined type of its own for t, which has its checks.
func (l *lowerer) defineAs(d *ir.Decl, t *ir.Type) {
	u, name := l.definition(t)
	d.Kind, d.Type, d.Schema = ir.Defined, u, l.texts.both(d.Schema, name)
}

// definition returns what a type of its own for t is defined as, and the variable of the schema of its values.
func (l *lowerer) definition(t *ir.Type) (*ir.Type, string) {
	schema := ""
	for _, name := range t.Schemas() {
		schema = l.texts.both(schema, name)
	}
	u := *t.Under()
	u.Schema = ""
	return &u, schema
}

// typeOf returns the type of the values of s, null left out. The place names
// what has to be declared for it.
func (l *lowerer) typeOf(s *openapi.Schema, place string) *ir.Type {
	for range 100 {
		if t := l.goType(s); t != nil && l.decls[s] == nil {
			return t
		}
		if l.out[s] {
			return &ir.Type{Kind: ir.Any}
		}
		if d := l.decls[s]; d != nil {
			return &ir.Type{Kind: ir.Ref, Decl: d}
		}
		t := s.Alias()
		if t == nil || l.heirs[s] {
			break
		}
		s = t
	}
	if f := l.families[s]; f != nil {
		d := l.declare(s, l.place(s, place), s.Pointer)
		l.decls[s] = d
		l.family(d, f)
		return &ir.Type{Kind: ir.Ref, Decl: d}
	}
	if t := l.types[s]; t != nil {
		return t
	}
	if l.building[s] || l.circular[s] {
		// It contains itself: it needs a name.
		d := l.declare(s, l.place(s, place), s.Pointer)
		l.decls[s] = d
		if l.circular[s] {
			l.define(d, look(s))
		} // otherwise it is defined by who is building it
		return &ir.Type{Kind: ir.Ref, Decl: d}
	}
	key := l.likeness(s)
	if t := l.alike[key]; t != nil {
		l.types[s] = t
		return t
	}
	l.building[s] = true
	v := look(s)
	if v.named() {
		place = l.place(s, place)
	}
	t := l.build(v, place, nil)
	delete(l.building, s)
	if d := l.decls[s]; d != nil {
		d.Kind, d.Type = ir.Alias, t
		if t.Kind == ir.Slice || t.Kind == ir.Map {
			l.defineAs(d, t)
			t = &ir.Type{Kind: ir.Ref, Decl: d}
		}
	}
	if t.Kind == ir.Ref && l.sources[t.Decl] == nil {
		l.sources[t.Decl] = s
		t.Decl.Origin = s.Pointer
	}
	l.types[s] = t
	if key != "" {
		l.alike[key] = t
	}
	return t
}

// likeness returns a text that inline schemas have in common which say the same, so that they are
// one type; "" for a schema that has a name, or a direction.
func (l *lowerer) likeness(s *openapi.Schema) string {
	if s.Node == nil || s.Node.Kind != openapi.Object || s.Name != "" || l.renamed(s.Pointer) != "" || l.out[s] {
		return ""
	}
	n := *s.Node
	n.Members = slices.DeleteFunc(slices.Clone(n.Members), func(m openapi.Member) bool { return m.Name == "description" })
	file, _, _ := strings.Cut(s.Pointer, "#")
	text := file + string(openapi.AppendJSON(nil, &n))
	for _, at := range own {
		if strings.Contains(text, at) {
			return ""
		}
	}
	return text
}

// own are what makes a schema another one in each place: a direction, and references that depend on where they stand.
var own = []string{`"readOnly"`, `"writeOnly"`, `"$dynamicRef"`, `"$id"`}

// together returns a schema for the values that all of the list hold for, the same
// one for the same list.
func (l *lowerer) together(list []*openapi.Schema) *openapi.Schema {
	var key strings.Builder
	for _, s := range list {
		fmt.Fprintf(&key, "%p ", s)
	}
	s := l.merged[key.String()]
	if s == nil {
		s = &openapi.Schema{AllOf: list, Pos: list[0].Pos}
		l.merged[key.String()] = s
	}
	return s
}

// circular returns the schemas outside of components that contain themselves by
// reference.
func circular(doc *openapi.Document, families openapi.Families) map[*openapi.Schema]bool {
	named := make(map[*openapi.Schema]bool)
	for _, e := range doc.Components.Schemas {
		named[e.Value] = true
	}
	asked, out := make(map[*openapi.Schema]bool), make(map[*openapi.Schema]bool)
	for _, s := range doc.Schemas {
		if t := s.Target; t != nil && !named[t] && !asked[t] {
			if t.Alias() != nil {
				continue
			}
			asked[t] = true
			out[t] = families.Reach(named, *t)[t]
		}
	}
	return out
}

// place returns the name for what is declared for s: after where it stands in
// a component, so that it does not depend on who uses it first, or fallback.
func (l *lowerer) place(s *openapi.Schema, fallback string) string {
	if n := l.renamed(s.Pointer); n != "" {
		return n
	}
	if s.Name != "" {
		return l.goName(s, s.Name, s.Name)
	}
	name, tokens := l.within(s.Pointer)
	if name == "" {
		return fallback
	}
	for i := 0; i < len(tokens); i++ {
		switch tokens[i] {
		case "properties":
			if i++; i < len(tokens) {
				name += ir.GoName(unescape(tokens[i]))
			}
		case "items":
			name += "Item"
		case "additionalProperties":
			name += "Value"
		case "contentSchema":
			name += "Content"
		case "allOf":
			i++
		default:
			return fallback
		}
	}
	return name
}

// adopt makes the schemas of other files, and those made for a component, that
// components are references to the components' own, rather than types beside them.
func (l *lowerer) adopt() {
	for _, e := range l.doc.Components.Schemas {
		s := e.Value
		if s.Target == nil || l.goType(s) != nil {
			continue
		}
		if s.Alias() == nil {
			continue
		}
		t := s.Target.Resolve()
		made := t.Pointer == s.Pointer+"/$ref" // for what its $dynamicRefs mean here
		if d := l.decls[s]; l.decls[t] == nil && (made || !strings.HasPrefix(t.Pointer, "#")) {
			l.decls[t], l.sources[d], l.filed[t.Pointer] = d, t, d
		}
	}
}

// within returns the name for the schema at the beginning of a pointer, and the
// rest of the pointer: the schema is a component, or a whole file, or is called by
// the file. The name is empty where it is none of them.
func (l *lowerer) within(pointer string) (name string, rest []string) {
	file, ptr, _ := strings.Cut(pointer, "#")
	if file == "" {
		name = schemaName(pointer)
		if name == pointer {
			return "", nil
		}
		rest = strings.Split(name, "/")
		name = unescape(rest[0])
		if e := l.doc.Components.Schemas.Get(name); e != nil && l.decls[e] != nil {
			return l.decls[e].Name, rest[1:]
		}
		return ir.GoName(name), rest[1:]
	}
	tokens := strings.Split(strings.TrimPrefix(ptr, "/"), "/")
	n := slices.IndexFunc(tokens, func(t string) bool { return inSchema[t] })
	if n < 0 {
		n = len(tokens)
	}
	at := file
	if n > 0 && tokens[0] != "" {
		at += "#/" + strings.Join(tokens[:n], "/")
	}
	if d := l.filed[at]; d != nil {
		return d.Name, tokens[n:]
	}
	if n == 0 || tokens[0] == "" {
		base := path.Base(file)
		name = strings.TrimSuffix(base, path.Ext(base))
		if dir := path.Base(path.Dir(file)); (name == "index" || name == "_index" || name == "schema") && dir != "." && dir != ".." && dir != "/" {
			name = dir
		}
		return ir.GoName(name), tokens[n:]
	}
	if slices.ContainsFunc(tokens[:n], func(t string) bool { return t == "paths" || t == "schema" || t == "content" || t == "responses" }) {
		return "", nil // inline, in an operation
	}
	return ir.GoName(unescape(tokens[n-1])), tokens[n:]
}

// inSchema are the keywords that lead to the schemas in a schema.
var inSchema = map[string]bool{"properties": true, "items": true, "additionalProperties": true, "allOf": true, "oneOf": true, "anyOf": true,
	"not": true, "patternProperties": true, "prefixItems": true, "if": true, "then": true, "else": true, "contains": true, "contentSchema": true}

var unescape6901 = strings.NewReplacer("~1", "/", "~0", "~", "%20", " ")

func unescape(token string) string {
	if !strings.ContainsAny(token, "~%") {
		return token
	}
	return unescape6901.Replace(token)
}

// build returns the type of the values of v. What needs a declaration fills d,
// or a new one when d is nil.
func (l *lowerer) build(v *view, place string, d *ir.Decl) *ir.Type {
	n := len(l.pkg.Decls)
	t := l.shape(v, place, d)
	if len(v.rest) == 0 {
		return t
	}
	name := l.texts.variable("schema", place, v.rest)
	if t.Kind == ir.Ref && t.Decl.Schema == "" && (t.Decl == d || slices.Contains(l.pkg.Decls[n:], t.Decl)) {
		t.Decl.Schema = name
		return t
	}
	u := *t
	u.Schema = name
	return &u
}

// shape returns the Go type of the values of v.
func (l *lowerer) shape(v *view, place string, d *ir.Decl) *ir.Type {
	if v.never {
		if v.clash != nil {
			l.warn(v.clash.Pos, "no value is of all the types that the parts of this schema ask for, so each is refused: correct one of them")
		}
		return l.nothing(v)
	}
	if v.null {
		return &ir.Type{Kind: ir.Null}
	}
	if len(v.groups) > 0 {
		return l.choice(v, place, d)
	}
	if v.hasEnum && v.single()&compound == 0 {
		return l.enum(v, place, d)
	}
	switch v.single() {
	case openapi.TypeObject:
		return l.object(v, place, d)
	case openapi.TypeArray:
		return l.array(v, place)
	case 0:
		if v.types != 0 {
			return l.perType(v, place, d)
		}
		return &ir.Type{Kind: ir.Any}
	}
	return l.scalar(v, place)
}

// nothing returns the type of v, by which no value is valid. Null may be where it
// is used.
func (l *lowerer) nothing(v *view) *ir.Type {
	v.rest = nil
	v.refuse()
	return &ir.Type{Kind: ir.Null}
}

// array returns the slice type of v.
func (l *lowerer) array(v *view, place string) *ir.Type {
	elem := &ir.Type{Kind: ir.Any}
	switch {
	case len(v.prefix) > 0:
		// A tuple: one element type only when all places agree. What follows
		// the places is free unless the document says otherwise.
		list := slices.Clone(v.prefix)
		if list = append(list, v.items...); len(v.items) > 0 || v.maxItems != nil && v.maxItems.Int <= int64(len(v.prefix)) {
			elem = l.typeOfAny(list, place+"Item")
		}
	case len(v.items) == 1:
		elem = l.typeOfAny(v.items, place+"Item")
	case len(v.items) > 1:
		elem = l.typeOf(l.together(v.items), place+"Item")
	}
	t := &ir.Type{Kind: ir.Slice, Elem: elem}
	v.count(t, "Items", v.minItems, v.maxItems)
	switch {
	case !v.unique:
	case l.distinct(v):
		t.Check = append(t.Check, "uniqueItems")
	default:
		v.rest = append(v.rest, &openapi.Schema{UniqueItems: true})
	}
	return t
}

// typeOfAny returns the type of values that fit one of the schemas.
func (l *lowerer) typeOfAny(list []*openapi.Schema, place string) *ir.Type {
	s := list[0]
	if len(list) > 1 {
		s = &openapi.Schema{AnyOf: list}
	}
	t := l.typeOf(s, place)
	if s.AllowsNull() && t.Under().Kind != ir.Any {
		return &ir.Type{Kind: ir.NullType, Elem: t}
	}
	return t
}

// limit returns the count n says, or def when it says none.
func limit(n *openapi.Number, def int) int {
	if n == nil || !n.IsInt || n.Int < 0 || n.Int > 1<<31-1 {
		return def
	}
	return int(n.Int)
}

// count adds the rules for the least and the most that values of t have of something. Those that no number obeys are
// left to a schema.
func (v *view) count(t *ir.Type, of string, least, most *openapi.Number) {
	low, high := limit(least, 0), limit(most, -1)
	if high >= 0 && low > high {
		v.refuse()
		return
	}
	if low > 0 {
		t.Check = append(t.Check, "min"+of+"="+strconv.Itoa(low))
	}
	if high >= 0 {
		t.Check = append(t.Check, "max"+of+"="+strconv.Itoa(high))
	}
}

// refuse makes no value valid, whatever its type.
func (v *view) refuse() { v.rest = append(v.rest, &openapi.Schema{Boolean: new(bool)}) }

// distinct reports whether elements of v that differ do so in Go too. What has members may lose some, and types of others
// may read one value from several texts.
func (l *lowerer) distinct(v *view) bool {
	if len(v.items) == 0 || len(v.prefix) > 0 {
		return false
	}
	s := v.items[0]
	if len(v.items) > 1 {
		s = l.together(v.items)
	}
	w := look(s)
	scalar := w.single()&^compound != 0
	if len(w.groups) > 0 {
		_, _, scalar = gathered([]*openapi.Schema{s})
	}
	return scalar && len(w.contents) == 0 && l.givenTo(w) == "" &&
		!slices.ContainsFunc(w.from, func(s *openapi.Schema) bool { return s.Extensions.Get("x-go-type") != nil })
}
