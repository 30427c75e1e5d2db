package openapi

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// check looks at the resolved document as a whole.
func (r *reader) check() {
	d := r.doc
	for _, i := range r.refItems {
		r.gather(i)
	}
	for _, e := range d.Paths {
		d.Operations = append(d.Operations, e.Value.Operations...)
	}
	r.checkPaths()
	r.checkOperations()
	r.checkSecurity()
	r.checkTags()
	for _, s := range d.Schemas {
		r.checkSchema(s)
	}
	r.checkCycles()
}

// checkPaths looks for templates that are broken or match the same paths.
func (r *reader) checkPaths() {
	first := map[string]Entry[PathItem]{}
	for _, e := range r.doc.Paths {
		if !strings.HasPrefix(e.Name, "/") {
			r.rep.warnf(e.Pos, "the path %s does not begin with a slash: write %s", quote(e.Name), quote("/"+e.Name))
		}
		names, shape, ok := template(e.Name)
		if !ok {
			r.rep.warnf(e.Pos, "the braces of the path %s do not pair, read as plain characters: write each parameter as {name}", quote(e.Name))
			names, shape = nil, e.Name
		}
		seen := make(map[string]bool, len(names))
		for _, name := range names {
			if seen[name] {
				r.rep.warnf(e.Pos, "the path %s has the parameter %s twice, so both get one value: rename one", quote(e.Name), quote(name))
			}
			seen[name] = true
		}
		if f, ok := first[shape]; ok {
			r.rep.warnf(e.Pos, "the path %s matches the same as %s at %s: keep one of them", quote(e.Name), quote(f.Name), at(f.Pos, e.Pos))
		} else {
			first[shape] = e
		}
		for _, o := range e.Value.Operations {
			r.operationParameters(o, e, names, seen)
		}
	}
}

// template returns the names in braces of a path, and the path without them.
func template(path string) (names []string, shape string, ok bool) {
	var b strings.Builder
	for {
		i := strings.IndexAny(path, "{}")
		if i < 0 {
			return names, b.String() + path, true
		}
		end := strings.IndexAny(path[i+1:], "{}")
		if path[i] == '}' || end <= 0 || path[i+1+end] != '}' {
			return nil, "", false
		}
		names = append(names, path[i+1:i+1+end])
		b.WriteString(path[:i])
		b.WriteString("{}")
		path = path[i+end+2:]
	}
}

// operationParameters works out o.AllParameters for an operation of a path,
// whose template has the names.
func (r *reader) operationParameters(o *Operation, e Entry[PathItem], names []string, has map[string]bool) {
	o.allParameters = mergeParameters(o.Parameters, o.Item.Parameters, e.Value.Parameters)
	used := map[string]bool{}
	kept := o.allParameters[:0:0]
	for _, p := range o.allParameters {
		if p.In == "path" && p.Name != "" {
			used[p.Name] = true
			if !has[p.Name] {
				r.rep.warnf(p.Pos, "the path %s has no {%s}, so this parameter is left out: add it to the path or remove it here", quote(e.Name), p.Name)
				continue
			}
		}
		kept = append(kept, p)
	}
	for _, name := range names {
		if used[name] {
			continue
		}
		r.rep.warnf(o.Pos, "the operation declares no path parameter %s for the path %s, read as a string: add it to the parameters", quote(name), quote(e.Name))
		kept = append(kept, &Parameter{
			Pos: e.Pos, Pointer: o.Pointer + "/parameters/{" + name + "}", Name: name, In: "path", Required: true, Style: "simple",
			Schema: &Schema{Pos: e.Pos, Pointer: o.Pointer + "/parameters/{" + name + "}/schema", Types: TypeString},
		})
	}
	o.allParameters = kept
	o.merged = true
}

// mergeParameters returns the parameters of the lists, references followed. An
// earlier one hides a later one of the same name and place.
func mergeParameters(lists ...[]*Parameter) []*Parameter {
	var out []*Parameter
	known := map[string]bool{}
	for _, list := range lists {
		for _, p := range list {
			p = p.Resolve()
			if key := parameterKey(p); !known[key] && p.Ref == "" {
				known[key] = true
				out = append(out, p)
			}
		}
	}
	return out
}

func parameterKey(p *Parameter) string {
	if p.In == "header" {
		return p.In + ":" + strings.ToLower(p.Name)
	}
	return p.In + ":" + p.Name
}

// checkOperations looks at every operation, wherever it stands.
func (r *reader) checkOperations() {
	ids := map[string]Pos{}
	lists := map[*Parameter]bool{} // by the first parameter, so that shared lists count once
	for _, o := range r.ops {
		if !o.merged {
			o.allParameters = mergeParameters(o.Parameters, o.Item.Parameters)
		}
		for _, list := range [][]*Parameter{o.Parameters, o.Item.Parameters} {
			if len(list) > 0 && !lists[list[0]] {
				lists[list[0]] = true
				r.checkTwice(list)
			}
		}
		if o.OperationID == "" {
			continue
		}
		if p, ok := ids[o.OperationID]; !ok {
			ids[o.OperationID] = o.OperationPos
		} else if p != o.OperationPos {
			r.rep.warnf(o.OperationPos, "the operationId %s is taken by the operation at %s: rename one", quote(o.OperationID), at(p, o.OperationPos))
		}
	}
}

// at writes p, without the file when it is that of from.
func at(p, from Pos) string {
	if p.file == from.file {
		return fmt.Sprintf("%d:%d", p.line, p.col)
	}
	return p.String()
}

func (r *reader) checkTwice(list []*Parameter) {
	first := map[string]*Parameter{}
	for _, p := range list {
		q := p.Resolve()
		if q.Name == "" || q.In == "" {
			continue
		}
		key := parameterKey(q)
		if f := first[key]; f != nil {
			r.rep.warnf(p.Pos, "the %s parameter %s stands here twice, the first at %s is used: remove one", q.In, quote(q.Name), at(f.Pos, p.Pos))
			continue
		}
		first[key] = p
	}
}

func (r *reader) checkSecurity() {
	schemes := r.doc.Components.SecuritySchemes
	byName := make(map[string]*SecurityScheme, len(schemes))
	for _, e := range schemes {
		byName[e.Name] = e.Value
	}
	done := map[*SecurityRequirement]bool{}
	unknown := map[string]bool{}
	look := func(list []*SecurityRequirement) {
		for _, q := range list {
			if done[q] {
				continue
			}
			done[q] = true
			for i := range q.Schemes {
				u := &q.Schemes[i]
				if s := byName[u.Name]; s != nil {
					u.Scheme = s.Resolve()
					continue
				}
				if unknown[u.Name] {
					continue // told already: it is one thing to mend
				}
				unknown[u.Name] = true
				r.rep.warnf(u.Pos, "there is no security scheme %s: %s", quote(u.Name), didYouMean(u.Name, func(yield func(string) bool) {
					for _, e := range schemes {
						if !yield(e.Name) {
							return
						}
					}
				}, "define it in components.securitySchemes"))
			}
		}
	}
	look(r.doc.Security)
	for _, o := range r.ops {
		look(o.Security)
	}
}

func (r *reader) checkTags() {
	first := map[string]*Tag{}
	for _, t := range r.doc.Tags {
		if f := first[t.Name]; f != nil && t.Name != "" {
			r.rep.warnf(t.Pos, "the tag %s is declared twice, first at %s: remove one", quote(t.Name), at(f.Pos, t.Pos))
			continue
		}
		first[t.Name] = t
	}
}

// checkSchema looks at what the keywords of a schema say together.
func (r *reader) checkSchema(s *Schema) {
	if s.Types.Has(TypeArray) && s.Items == nil && s.PrefixItems == nil && r.version < V31 {
		r.rep.warnf(s.TypesPos, "an array without items, read as one of any values: add items")
	}
	r.checkBare(s)
	order := func(lo, hi *Number, low, high string) {
		if lo != nil && hi != nil && lo.Float > hi.Float {
			r.rep.warnf(lo.Pos, "%s is %s and %s is %s, so no value fits: correct one", low, lo.Text, high, hi.Text)
		}
	}
	order(s.Minimum, s.Maximum, "minimum", "maximum")
	order(s.Minimum, s.ExclusiveMaximum, "minimum", "exclusiveMaximum")
	order(s.ExclusiveMinimum, s.Maximum, "exclusiveMinimum", "maximum")
	order(s.ExclusiveMinimum, s.ExclusiveMaximum, "exclusiveMinimum", "exclusiveMaximum")
	order(s.MinLength, s.MaxLength, "minLength", "maxLength")
	order(s.MinItems, s.MaxItems, "minItems", "maxItems")
	order(s.MinProperties, s.MaxProperties, "minProperties", "maxProperties")
	if s.Types == 0 {
		return
	}
	for i, v := range s.Enum {
		if fits(v, s.Types) || v.Kind == Null && s.Nullable {
			continue
		}
		if c := converted(v, s.Types); c != nil {
			r.rep.warnf(v.Pos, "the enum's value %s is %s, read as %s since the type is %s: write it so", quote(v.Text), v.Kind, c.Kind, s.Types)
			s.Enum[i] = c
		} else {
			r.rep.warnf(v.Pos, "the enum's value %s is %s, but the type is %s: correct one", quote(v.Text), v.Kind, s.Types)
		}
	}
	if v := s.Default; v != nil && !fits(v, s.Types) && !(v.Kind == Null && s.Nullable) {
		if s.Default = converted(v, s.Types); s.Default != nil {
			r.rep.warnf(v.Pos, "the default is %s, read as %s since the type is %s: write it so", v.Kind, s.Default.Kind, s.Types)
		} else {
			r.rep.warnf(v.Pos, "the default is %s, but the type is %s, so the default is not used: correct one", v.Kind, s.Types)
		}
	}
	if s.Pattern != "" && s.Types.Has(TypeString) && strings.HasPrefix(s.Pattern, "/") && slashed.MatchString(s.Pattern) {
		r.rep.warnf(s.PatternPos, "the pattern begins and ends with a slash, which belong to it here: write it without them")
	}
}

// checkBare drops the type of a schema that says nothing else about it where all
// that its allOf is made of is of another one: tools write type: object beside
// whatever they extend.
func (r *reader) checkBare(s *Schema) {
	if len(s.AllOf) == 0 || s.Types == 0 || len(s.Properties)+len(s.Required)+len(s.Enum) > 0 || s.AdditionalProperties != nil || s.Items != nil {
		return
	}
	var others Types
	for _, x := range s.AllOf {
		others |= x.Resolve().Types.Without(TypeNull)
	}
	if own := s.Types.Without(TypeNull); others == 0 || own == 0 || own&others != 0 ||
		own.Has(TypeNumber) && others.Has(TypeInteger) || own.Has(TypeInteger) && others.Has(TypeNumber) {
		return
	}
	r.rep.warnf(s.TypesPos, "the type %s is not that of the allOf, %s, and is ignored: correct one", s.Types, others)
	s.Types, s.Properties = 0, nil
}

var slashed = regexp.MustCompile(`^/\^.*\$/[a-z]*$`)

// converted returns the scalar v as a value of one of the types when its text
// is one, otherwise nil: quotes are easily forgotten, or written too many.
func converted(v *Node, t Types) *Node {
	c := &Node{Pos: v.Pos, Text: v.Text}
	switch {
	case (v.Kind == NumberKind || v.Kind == Bool) && t.Has(TypeString):
		c.Kind = String
	case v.Kind != String:
		return nil
	case v.Text == "true" || v.Text == "false":
		c.Kind = Bool
	case isJSONNumber(v.Text):
		c.Kind = NumberKind
	default:
		return nil
	}
	if !fits(c, t) {
		return nil
	}
	return c
}

// fits reports whether the value v is of one of the types.
func fits(v *Node, t Types) bool {
	if t.Has(TypeNumber) {
		t |= TypeInteger
	}
	return v.Types()&t != 0
}

// checkCycles looks for schemas whose validation would never end: ones that
// contain themselves with no property or item between.
func (r *reader) checkCycles() {
	c := cycles{r: r, state: make(map[*Schema]uint8, len(r.doc.Schemas))}
	for _, s := range r.doc.Schemas {
		c.visit(s)
	}
}

// maxWay bounds the schemas that are made of each other.
const maxWay = 10_000

type cycles struct {
	r     *reader
	state map[*Schema]uint8 // 1: on the way, 2: done
	way   []step
	deep  bool
}

// step is a schema on the way and how the way goes on from it.
type step struct {
	s      *Schema
	choice bool // by oneOf, anyOf or not
}

func (c *cycles) visit(s *Schema) {
	if s != nil && len(c.way) > maxWay {
		if !c.deep {
			c.deep = true
			c.r.rep.errorf(s.Pos, "more than %d schemas made of each other by references and compositions", maxWay)
		}
		return
	}
	switch {
	case s == nil || c.state[s] == 2:
		return
	case c.state[s] == 1:
		c.report(s)
		return
	}
	c.state[s] = 1
	c.way = append(c.way, step{s, false})
	at := len(c.way) - 1
	c.visit(s.Target)
	for _, x := range s.AllOf {
		c.visit(x)
	}
	c.way[at].choice = true
	for _, x := range s.OneOf {
		c.visit(x)
	}
	for _, x := range s.AnyOf {
		c.visit(x)
	}
	c.visit(s.Not)
	c.way = c.way[:at]
	c.state[s] = 2
}

// report tells of the circle that closes at s.
func (c *cycles) report(s *Schema) {
	choice := false
	where := s.Pos
	for i := len(c.way) - 1; i >= 0; i-- {
		choice = choice || c.way[i].choice
		if c.way[i].s == s {
			break
		}
	}
	if last := c.way[len(c.way)-1].s; last.Ref != "" {
		where = last.RefPos
	}
	if choice && !barren(s, make(map[*Schema]bool)) {
		c.r.rep.warnf(where, "%s is one of its own alternatives, which adds nothing to it: remove this one, or take the alternatives out of what they share", s.label())
		return
	}
	c.r.rep.errorf(where, "%s is made of itself without end: break the circle of $ref and allOf", s.label())
}

// barren reports whether s, and all that it is made of, consist of references and compositions alone, so that no value
// can be told from another by it. The schemas in seen have been asked already.
func barren(s *Schema, seen map[*Schema]bool) bool {
	if s == nil || seen[s] {
		return true
	}
	seen[s] = true
	if s.Node == nil || s.Node.Kind != Object {
		return false
	}
	for i := range s.Node.Members {
		switch name := s.Node.Members[i].Name; name {
		case "$ref", "allOf", "oneOf", "anyOf", "title", "description", "discriminator", "example", "examples", "deprecated":
		default:
			if !strings.HasPrefix(name, "x-") {
				return false
			}
		}
	}
	return barren(s.Target, seen) && !slices.ContainsFunc(slices.Concat(s.AllOf, s.OneOf, s.AnyOf), func(x *Schema) bool {
		return !barren(x, seen)
	})
}

// label is the schema as error texts call it.
func (s *Schema) label() string {
	if s.Name != "" {
		return "the schema " + quote(s.Name)
	}
	return "the schema " + s.Pointer
}
