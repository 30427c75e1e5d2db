package plan

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
)

// place is a struct type to look into, and the way there from the struct that
// is being described.
type place struct {
	rtype   reflect.Type
	index   []int
	through []string
	embeds  []Embed
	base    mem.Field // from the last embedded pointer, or the start, where inner is set
	inner   bool
	twice   bool // there are several such embedded structs at this depth

	names map[string]string // of the members, by [TagRules], with the field of each
	shown bool              // there is a member, or a tag
}

// path is [candidate.path] for the field of that name in p.
func (p *place) path(name string) string {
	return strings.Join(append(slices.Clip(p.through), name), ".")
}

// offset returns where a field of the place is, from the last embedded
// pointer or the start.
func (p *place) offset(sf *reflect.StructField) mem.Field {
	f := mem.PlaceOf(sf)
	if p.inner {
		f = p.base.Then(f)
	}
	return f
}

// enter returns the place of the embedded field, of struct type t or a
// pointer to it.
func (p *place) enter(sf *reflect.StructField, t reflect.Type) *place {
	q := &place{
		rtype:   t,
		index:   append(slices.Clip(p.index), sf.Index...),
		through: append(slices.Clip(p.through), sf.Name),
		embeds:  p.embeds,
	}
	if sf.Type.Kind() == reflect.Pointer {
		q.embeds = append(slices.Clip(p.embeds), Embed{Offset: p.offset(sf), Elem: mem.TypeOf(t), Settable: sf.IsExported()})
	} else {
		q.base, q.inner = p.offset(sf), true
	}
	return q
}

// candidate is a field that may be hidden by others of its name.
type candidate struct {
	Field
	rtype reflect.Type
	check string // the tag check
}

// path names the field by its Go names from the outer struct on.
func (c *candidate) path() string {
	return strings.Join(append(slices.Clip(c.Through), c.GoName), ".")
}

// describeStruct finds the members of n, by encoding/json's rules: breadth
// first through the embedded structs, each struct type once at its smallest
// depth; of the fields of one name those at the smallest depth count, of these
// the tagged ones if there are any, and if that leaves more than one there is
// no such member.
func (b *builder) describeStruct(n *Type) {
	found, rests := b.scanFields(n)
	if !distinct(found) {
		found = n.dominant(found)
	}
	n.checkAlternates(found)
	n.fields = b.set.room.Take(len(found), fieldRoom)
	for i, c := range found {
		f := &n.fields[i]
		*f = c.Field
		f.Type = b.heldBy(n, c.rtype, hasWord(c.check, "nullable"))
		b.rule(n, f, c)
		f.fix()
		n.fills(f)
		f.leaveOut(b.set.config.Dialect.Flags())
	}
	if len(rests) > 0 {
		b.describeRest(n, rests)
	}
	if b.unexported && b.set.json == 0 && len(b.set.config.Hooks) > 0 {
		b.checkHidden(n, len(found)+len(rests) > 0)
	}
}

// checkHidden reports a field of n that is not exported if values would be lost with it: if nothing is exported, or if
// methods for JSON, which the format does not call, may know more. One method alone is for those who look on.
func (b *builder) checkHidden(n *Type, members bool) {
	at := reflect.PointerTo(n.Rtype)
	marshal, unmarshal := at.Implements(jsonMarshaler), at.Implements(jsonUnmarshaler)
	if members && !(marshal && unmarshal) || n.Rtype.PkgPath() == "sync" {
		return
	}
	for _, p := range b.places {
		for i := range p.rtype.NumField() {
			sf := b.fieldOf(p.rtype, i)
			t := sf.Type
			if t.Kind() == reflect.Pointer && t.Name() == "" {
				t = t.Elem()
			}
			switch k := t.Kind(); {
			case sf.PkgPath == "" || sf.Name == "_" || sf.Anonymous && k == reflect.Struct,
				t.Size() == 0 || k == reflect.Func || k == reflect.Chan || t.PkgPath() == "sync":
				continue
			}
			g := tag{}
			if b.tagOf(&g, sf); g.hidden {
				continue
			}
			why, code := "no field is exported", Hidden
			if marshal || unmarshal {
				code = BadType
				why = "it is not exported and " + pick(marshal, "MarshalJSON", "UnmarshalJSON") + " is not called"
			}
			n.fieldFault(p.rtype, p.path(sf.Name), code,
				"%s: give the type methods of the format or a codec, or the field the tag \"-\"", why)
			return
		}
	}
}

// rule compiles the rules of a field.
func (b *builder) rule(n *Type, f *Field, c *candidate) {
	if own := f.Type.Behind(); c.check == "" && (own.Rules == nil || !own.Scalar()) {
		return
	}
	r, is, err := b.fieldRules(f.Type, c.check)
	if err != nil {
		n.fieldFault(c.Parent, c.path(), BadRule, "%v", err)
		return
	}
	f.Rules = r
	if is&isRequired != 0 && is&(isReadOnly|isWriteOnly) != 0 {
		f.ReadOnly, f.WriteOnly = is&isReadOnly != 0, is&isWriteOnly != 0
		return
	}
	required := is&isRequired != 0
	if required && (f.OmitEmpty || f.OmitZero) {
		n.fieldFault(c.Parent, c.path(), BadRule, "rule required and %s exclude each other: "+
			"a member left out when marshaling would be missed when unmarshaling", pick(f.OmitEmpty, "omitempty", "omitzero"))
	}
	f.Required = f.Required || required
}

// describeRest finds the field that takes the members which no field names.
func (b *builder) describeRest(n *Type, rests []*candidate) {
	rest := rests[0] // breadth first: at the smallest depth
	if len(rests) > 1 && len(rests[1].Index) == len(rest.Index) {
		n.fieldFault(rests[1].Parent, rests[1].path(), Conflict,
			"the field %s at the same depth also takes the members that no field names",
			rest.path())
	}
	n.rest = &b.set.room.Take(1, fieldRoom)[0]
	*n.rest = rest.Field
	n.rest.Type = b.heldBy(n, rest.rtype, false)
	b.restRule(n, n.rest, rest)
}

// restRule compiles the pattern of the names that f, the field of n for members without a field, takes.
func (b *builder) restRule(n *Type, f *Field, rest *candidate) {
	if rest.check == "" {
		return
	}
	r, is, err := b.fieldRules(f.Type, rest.check)
	switch {
	case err != nil:
	case r == nil || is != 0 || r.fn != nil || r.items != nil || r.list != nil ||
		len(r.keys.list) != 1 || r.keys.list[0].op != ruleMatch:
		err = fmt.Errorf("the rule of a field for other members is one keys.pattern, which their names match")
	default:
		f.names = r
		return
	}
	n.fieldFault(rest.Parent, rest.path(), BadRule, "%v", err)
}

// Picks reports whether the struct has a field for members without a field that takes those alone whose names match a
// pattern.
func (n *Type) Picks() bool { return n.Rest() != nil && n.Rest().names != nil }

// Takes reports whether the struct has a field for a member of the name, which has no field of its own.
func (n *Type) Takes(name string) bool { return n.Rest() != nil && n.Rest().takes(name) }

// takes reports whether the field for members without a field takes one of the name.
func (f *Field) takes(name string) bool {
	return f.names == nil || f.names.keys.list[0].pattern.Match(name)
}

// Sift removes from the field for members without a field of the struct at p those that it does not take, and returns
// the name of one of them.
func (n *Type) Sift(p mem.Ptr) (name string, some bool) {
	at := n.Rest().At(p)
	if !n.Picks() || at.IsNil() || n.Rest().Type.Kind != Map {
		return "", false
	}
	m := at.Value(n.Rest().Type.Mem)
	for _, key := range m.MapKeys() {
		if !n.Rest().takes(key.String()) {
			name, some = key.String(), true
			m.SetMapIndex(key, reflect.Value{})
		}
	}
	return name, some
}

// distinct reports whether there are a few fields, in order, of the struct itself and of different names, as in most
// structs.
func distinct(found []*candidate) bool {
	if len(found) > 32 {
		return false
	}
	for i, c := range found {
		if len(c.Index) > 1 {
			return false
		}
		for _, o := range found[:i] {
			if o.Name == c.Name {
				return false
			}
		}
	}
	return true
}

// dominant returns those of the fields found that are members, in order, and notes which hide each other.
func (n *Type) dominant(found []*candidate) []*candidate {
	sortFields(found, func(x, y *candidate) int {
		if c := strings.Compare(x.Name, y.Name); c != 0 {
			return c
		}
		if c := cmp.Compare(len(x.Index), len(y.Index)); c != 0 {
			return c
		}
		if x.Tagged != y.Tagged {
			return pick(x.Tagged, -1, 1)
		}
		return slices.Compare(x.Index, y.Index)
	})
	members := found[:0]
	for i := 0; i < len(found); {
		j := i + 1
		for j < len(found) && found[j].Name == found[i].Name {
			j++
		}
		if rivals(found[i:j]) {
			n.clash(found[i:j])
		} else {
			members = append(members, found[i])
		}
		i = j
	}
	sortFields(members, func(x, y *candidate) int { return slices.Compare(x.Index, y.Index) })
	return members
}

// sortFields sorts fields, of which there are not many, by insertion: package slices has ten times the code, in every
// program.
func sortFields(list []*candidate, compare func(x, y *candidate) int) {
	for n, c := range list {
		i, end := 0, n
		for i < end {
			if m := (i + end) / 2; compare(list[m], c) <= 0 {
				i = m + 1
			} else {
				end = m
			}
		}
		copy(list[i+1:n+1], list[i:n])
		list[i] = c
	}
}

// leaveOut sets when the field is left out to what the flags of the dialect say.
func (f *Field) leaveOut(flags uint64) {
	if flags == 0 || f.Required {
		return
	}
	if flags&setting.WriteEmpty != 0 {
		f.OmitEmpty, f.OmitZero = false, false
	}
	switch f.Type.Rtype.Kind() {
	case reflect.Pointer, reflect.Interface:
		f.OmitEmpty = f.OmitEmpty || flags&setting.OmitNull != 0
	case reflect.Slice, reflect.Map:
		f.OmitEmpty = f.OmitEmpty || flags&setting.OmitEmpty != 0
		if flags&setting.OmitNull != 0 && !f.OmitEmpty {
			f.OmitZero = true
			if f.Zero != ZeroMethod && f.Zero != ZeroAddr {
				f.Zero = ZeroValue
			}
		}
	case reflect.Array:
		f.OmitEmpty = f.OmitEmpty || flags&setting.OmitEmpty != 0
	case reflect.Struct:
		f.OmitEmpty = f.OmitEmpty || flags&setting.OmitNull != 0 && f.Type.Kind == Option
	}
}

// scanFields returns the fields of n and of the structs embedded in it, and
// apart from them the catch-alls.
func (b *builder) scanFields(n *Type) (found, rests []*candidate) {
	clear(b.first[:])
	b.room = b.first[:]
	places := append(b.places[:0], new(place)) // level by level
	places[0].rtype = n.Rtype
	b.unexported = false
	v2 := b.set.config.V2
	for at := 0; at < len(places); at++ {
		p := places[at]
		if holds(places[:at], p.rtype) {
			continue
		}
		for i := range p.rtype.NumField() {
			sf := b.fieldOf(p.rtype, i)
			st := sf.Type // what there is to enter
			if st.Kind() == reflect.Pointer && st.Name() == "" {
				st = st.Elem()
			}
			if v2 == nil && sf.PkgPath != "" && !(sf.Anonymous && embedsStruct(sf.Type)) {
				b.unexported = true
				continue
			}
			g := &b.tag
			*g = tag{}
			b.tagOf(g, sf)
			if v2 != nil {
				v2.check(b, n, p, sf, g)
			}
			if g.hidden {
				continue
			}
			enters := g.name == "" && st.Kind() == reflect.Struct &&
				(sf.Anonymous || g.inline && !b.opaque(st))
			c := b.newCandidate(p, sf, g, v2 != nil)
			c.twice = p.twice
			if enters {
				g.checkEmbedded()
			}
			rest := (g.inline || g.unknown) && g.name == "" && !(enters && !g.unknown)
			if rest {
				rest = b.takesRest(sf.Type)
				g.checkRest(sf.Type, rest)
			}
			for i := range g.problems {
				n.tagFault(c, &g.problems[i])
			}
			switch {
			case enters:
				places = p.embed(places, sf, st)
			case rest:
				c.Inline, c.Unknown = g.inline, g.unknown
				rests = append(rests, c)
			default:
				found = append(found, c)
			}
		}
	}
	b.places = places
	return found, rests
}

// fieldOf returns the i-th field of t, until the next call.
//
//go:noinline
func (b *builder) fieldOf(t reflect.Type, i int) *reflect.StructField {
	b.field = t.Field(i)
	return &b.field
}

// holds reports whether t is the type of one of the places.
func holds(places []*place, t reflect.Type) bool {
	for _, p := range places {
		if p.rtype == t {
			return true
		}
	}
	return false
}

// embed adds the place of the embedded field sf of p, of struct type t or a pointer to it, to those of its level, which
// are the last ones, or notes that it is one of them.
func (p *place) embed(places []*place, sf *reflect.StructField, t reflect.Type) []*place {
	for i := len(places) - 1; len(places[i].index) > len(p.index); i-- {
		if q := places[i]; q.rtype == t {
			q.twice = true
			return places
		}
	}
	return append(places, p.enter(sf, t))
}

// embedsStruct reports whether an embedded t is a struct or a pointer to one.
func embedsStruct(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct
}

func (b *builder) newCandidate(p *place, sf *reflect.StructField, g *tag, v2 bool) *candidate {
	index := sf.Index
	if len(p.index) > 0 {
		index = slices.Concat(p.index, index)
	}
	if len(b.room) == 0 {
		b.room = make([]candidate, 2*firstCandidates)
	}
	c := &b.room[0]
	b.room = b.room[1:]
	c.rtype, c.check = sf.Type, lookup(string(sf.Tag), checkKey)
	c.Name, c.Alternates, c.Format = sf.Name, g.alternates, g.format
	c.GoName, c.Index, c.Through = sf.Name, index, p.through
	c.OmitEmpty, c.OmitZero, c.Required = g.omitEmpty, g.omitZero, g.required
	c.Quoted = g.quoted && (v2 || quotable(sf.Type))
	c.Case, c.Tagged, c.Unexported = g.casing, g.name != "" || g.named, sf.PkgPath != ""
	c.Zero = zeroOf(sf.Type)
	c.Offset, c.Embeds, c.Parent = p.offset(sf), p.embeds, p.rtype
	if c.Tagged {
		c.Name = g.name
	}
	return c
}

// tagOf reads the tag of a field.
func (b *builder) tagOf(g *tag, sf *reflect.StructField) {
	if v2 := b.set.config.V2; v2 != nil {
		*g = v2.tag(sf)
		g.addRules(sf.Tag)
		return
	}
	g.parse(sf.Tag, b.set.config.Keys)
	if !g.hidden && g.key != jsonKey && g.key != "" {
		g.check(sf.Type)
	}
	g.addRules(sf.Tag)
}

// opaque reports whether the struct type t is not seen as its fields.
func (b *builder) opaque(t reflect.Type) bool {
	k := b.typeOf(t).Kind
	return k == Time || k == Option
}

// takesRest reports whether a t can hold members under their names.
func (b *builder) takesRest(t reflect.Type) bool {
	if b.set.config.V2 != nil && t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	return t.Kind() == reflect.Map && t.Key().Kind() == reflect.String ||
		t.Kind() == reflect.Slice && b.typeOf(t).Kind == Raw
}

// rivals reports whether the first of the fields of one name, sorted, does not
// dominate the others.
func rivals(same []*candidate) bool {
	if same[0].twice {
		return true
	}
	return len(same) > 1 && len(same[0].Index) == len(same[1].Index) && same[0].Tagged == same[1].Tagged
}

// clash notes that the fields of one name hide each other.
func (n *Type) clash(same []*candidate) {
	var paths []string
	for i := range same {
		if c := same[i]; len(c.Index) == len(same[0].Index) && c.Tagged == same[0].Tagged {
			paths = append(paths, c.path())
		}
	}
	text := "is one of several fields with the name %q at the same depth"
	args := []any{same[0].Name}
	if len(paths) > 1 {
		text += ": " + strings.Join(paths, ", ")
	} else {
		text += ": %v is embedded more than once"
		args = append(args, same[0].Parent)
	}
	p := n.problem(SameName, text, args...)
	p.Field, p.Silent = paths[0], true
	n.problems = append(n.problems, p)
}

// checkAlternates notes alternates that are names of other fields.
func (n *Type) checkAlternates(members []*candidate) {
	some := false
	for _, c := range members {
		some = some || c.Alternates != nil
	}
	if !some {
		return
	}
	owner := map[string]string{}
	for i := range members {
		owner[members[i].Name] = members[i].path()
	}
	for i := range members {
		c := members[i]
		for _, a := range c.Alternates {
			if o, ok := owner[a]; ok {
				n.fieldFault(c.Parent, c.path(), SameName, "the alias %q is already a name of the field %s", a, o)
			} else {
				owner[a] = c.path()
			}
		}
	}
}

// tagFault notes a problem of the tag of c.
func (n *Type) tagFault(c *candidate, p *tagProblem) {
	n.fieldFault(c.Parent, c.path(), p.code, "%s", p.text)
}

// fieldFault notes a problem of a field that the struct in declares, n itself or one embedded in it.
func (n *Type) fieldFault(in reflect.Type, field string, code Code, format string, args ...any) {
	p := n.problem(code, "%s", fmt.Sprintf(format, args...))
	p.In, p.Field = in, field
	n.problems = append(n.problems, p)
}
