package openapi

import (
	"math"
	"slices"
	"strconv"
)

// Holding calls each with s and with the schemas that hold for all its values: those
// that it refers to, the parts of an allOf, and the choice of a oneOf or anyOf that has
// one only. The way are the schemas through which one is reached, itself the last; one
// that is on its own way is left out, since it says nothing new.
func (s *Schema) Holding(each func(s *Schema, way []*Schema)) { s.holding(nil, each) }

func (s *Schema) holding(way []*Schema, each func(*Schema, []*Schema)) {
	if s == nil || slices.Contains(way, s) {
		return
	}
	way = append(way, s)
	s.Target.holding(way, each)
	for _, part := range s.AllOf {
		part.holding(way, each)
	}
	each(s, way)
	for _, list := range [][]*Schema{s.OneOf, s.AnyOf} {
		if c := ChoicesOf(list, way); len(c.Left) == 1 && c.Free == 0 {
			c.Left[0].holding(way, each)
		}
	}
}

// Choices are those of a oneOf or anyOf.
type Choices struct {
	Left []*Schema // those that allow some values, null aside
	Free int       // how many others allow every value
	Null bool      // one allows only null
	Own  bool      // one builds on what it is a choice of: there are none
}

// ChoicesOf returns the choices of a list that stands in the last schema of a way.
func ChoicesOf(list, way []*Schema) (c Choices) {
	for _, s := range list {
		switch {
		case slices.Contains(way[:len(way)-1], s.Resolve()):
			return Choices{Own: true}
		case s.Empty():
			c.Free++
		case s.OnlyNull():
			c.Null = true
		case !(s.Boolean != nil && !*s.Boolean) && !slices.Contains(c.Left, s):
			c.Left = append(c.Left, s)
		}
	}
	return c
}

// member returns the schemas that hold for the member of s called name.
func (s *Schema) member(name string) (out []*Schema) {
	s.Holding(func(s *Schema, _ []*Schema) {
		if p := s.Properties.Get(name); p != nil && !slices.Contains(out, p) {
			out = append(out, p)
		}
	})
	return out
}

// AllowsNull reports whether null is valid for s. Beside nullable: true, which
// is how documents mean it, every part must allow it.
func (s *Schema) AllowsNull() bool { return s.allowsNull(nil) }

func (s *Schema) allowsNull(way []*Schema) bool {
	if s == nil || slices.Contains(way, s) {
		return false
	}
	way = append(way, s)
	switch {
	case s.Nullable || s.Types.Has(TypeNull):
		return true
	case s.Types != 0 || s.Boolean != nil:
		return false
	case slices.ContainsFunc(s.Enum, (*Node).IsNull) || s.Const.IsNull():
		return true
	case s.Enum != nil || s.Const != nil:
		return false
	}
	some := false // a part says that null is allowed
	for _, part := range append(slices.Clone(s.AllOf), s.Target) {
		if part == nil || part != s.Target && part.neutral() {
			continue
		}
		if !part.allowsNull(way) {
			return false
		}
		some = true
	}
	for _, list := range [][]*Schema{s.OneOf, s.AnyOf} {
		if len(list) == 0 {
			continue
		}
		if !slices.ContainsFunc(list, func(t *Schema) bool { return t.allowsNull(way) }) {
			return false
		}
		some = true
	}
	return some
}

// OnlyNull reports whether no other value than null is valid for s.
func (s *Schema) OnlyNull() bool {
	r := s.Resolve()
	if r.Types == TypeNull {
		return true
	}
	other := func(n *Node) bool { return !n.IsNull() }
	return r.Types == 0 && (r.Const.IsNull() || len(r.Enum) > 0 && !slices.ContainsFunc(r.Enum, other))
}

// Alias returns the schema that s is another name for, nil for none: a reference, or
// a composition with one choice, and nothing beside it that would be checked.
func (s *Schema) Alias() *Schema {
	if s.Enum != nil || s.Const != nil || s.Boolean != nil || !s.bare() {
		return nil
	}
	var to []*Schema
	if s.Target != nil {
		to = append(to, s.Target)
	}
	to = append(to, slices.DeleteFunc(slices.Clone(s.AllOf), (*Schema).Empty)...)
	to = append(to, slices.DeleteFunc(slices.Concat(s.OneOf, s.AnyOf), (*Schema).OnlyNull)...)
	if len(to) != 1 || to[0].Boolean != nil {
		return nil
	}
	return to[0]
}

// Empty reports whether s holds for every value.
func (s *Schema) Empty() bool {
	if s.Boolean != nil {
		return *s.Boolean
	}
	return s.neutral() && s.Format == "" && s.bare()
}

// neutral reports whether s says nothing about the type of a value.
func (s *Schema) neutral() bool {
	return s.Target == nil && s.Types == 0 && s.Enum == nil && s.Const == nil && s.Boolean == nil &&
		len(s.AllOf)+len(s.OneOf)+len(s.AnyOf) == 0
}

// bare reports whether s says no more than what type its values have, which they are, and what other schemas say.
func (s *Schema) bare() bool {
	return s.Properties == nil && len(s.Required) == 0 && s.AdditionalProperties == nil && s.Items == nil &&
		s.Minimum == nil && s.Maximum == nil && s.ExclusiveMinimum == nil && s.ExclusiveMaximum == nil &&
		s.MultipleOf == nil && s.Pattern == "" &&
		s.MinLength == nil && s.MaxLength == nil && s.MinItems == nil && s.MaxItems == nil && !s.UniqueItems &&
		s.MinProperties == nil && s.MaxProperties == nil && !s.Special()
}

// Special reports whether s has a keyword that says more about values than what type
// they have, within which bounds, and what their members and elements are.
func (s *Schema) Special() bool {
	return s.Not != nil || s.If != nil || s.DependentRequired != nil || s.DependentSchemas != nil ||
		s.PropertyNames != nil || s.Contains != nil || s.PrefixItems != nil || s.PatternProperties != nil ||
		s.UnevaluatedItems != nil || s.UnevaluatedProperties != nil
}

// Forbids reports whether no value is valid for x.
func (x *SchemaOrBool) Forbids() bool {
	if x.Schema == nil {
		return !x.Allow
	}
	return x.Schema.Boolean != nil && !*x.Schema.Boolean
}

// IsNull reports whether n is the value null. No node at all is not.
func (n *Node) IsNull() bool { return n != nil && n.Kind == Null }

// Types returns the types of the value n: both of numbers for one that is whole, but not written so.
func (n *Node) Types() Types {
	switch n.Kind {
	case Bool:
		return TypeBoolean
	case NumberKind:
		if IsDigits(n.Text) {
			return TypeInteger
		}
		if f, err := strconv.ParseFloat(n.Text, 64); err != nil || f != math.Trunc(f) {
			return TypeNumber
		}
		return TypeNumber | TypeInteger
	case String:
		return TypeString
	case Array:
		return TypeArray
	case Object:
		return TypeObject
	}
	return TypeNull
}

// IsDigits reports whether text is a number without a fraction and an exponent.
func IsDigits(text string) bool {
	for i, c := range text {
		if (c < '0' || c > '9') && (i > 0 || c != '-') {
			return false
		}
	}
	return text != ""
}
