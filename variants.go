package weft

import "reflect"

// Variants declares a union: a type whose values are of one of several types, the
// variants. A struct declares it by the field Union of its [Rules]; its one field is
// an interface that the variants implement, and nil is no value.
//
// What is read tells which variant it is, in this order: by its kind, such as a
// string where one variant alone is written as one; an object by the discriminator
// or, where there is none, by a required member that has other constants in each
// variant, wherever in the object it stands; by Choice; by the members that the
// variants require; and else by trying them. However deep unions nest, nothing is
// tried twice. What is no variant is a [ChoiceError].
//
// Of what is written the Go type says what it is. A variant whose field for the
// discriminator is empty is written with the value that chooses it; one that says
// otherwise than its type is an error.
type Variants struct {
	// Cases are the variants, which [Variant] makes.
	Cases []UnionCase

	// OneOf refuses what fits several variants. Otherwise such a value is the one
	// that knows most of its members, and the first of several.
	OneOf bool

	// Discriminator is the member of objects whose value says which variant they
	// are, "" for none. The values are the names of the Cases; those of a case
	// without names are the constants that its own rules list for the member.
	Discriminator string

	// Choice, if not nil, is made by Set.Choice of package schema and decides where neither
	// kinds nor the discriminator do. Its names are those of the Go types of the variants.
	Choice Schema
}

// UnionCase is one variant of a union, made by [Variant].
type UnionCase struct {
	Type  reflect.Type
	Names []string // the first is the one that is written

	// Other says that the variant is also that of objects whose discriminator
	// chooses no other, or that have none. See [UnionCase.Default].
	Other bool
}

// Variant returns the variant of a union that is a T in Go. It is read by each of the
// names, and written by the first, or by that which stands in a field of T for it.
func Variant[T any](names ...string) UnionCase {
	return UnionCase{Type: reflect.TypeFor[T](), Names: names}
}

// Default returns the case as that of objects whose discriminator chooses no other,
// or that have none, too.
func (c UnionCase) Default() UnionCase {
	c.Other = true
	return c
}

// Parts declares an object that is one or more things at once, as the anyOf of a JSON
// Schema says: the struct that has it in its [Rules] has a field for each, which is a
// pointer to a struct, and may have one more with the option unknown for members that
// none of them has. [PartsOf] makes it.
//
// What is read sets the fields whose schemas hold, of which there must be one; each
// reads the members that it has, and sees no others. What is written has the members
// of all fields that are set. A member of several must be the same in all of them; a
// time is the same as a string that stands for it.
type Parts struct {
	choice Schema
	body   reflect.Type
}

// partsBody stands for a T where its members are written, in the memory of a T.
type partsBody[T any] struct{ V T }

// WeftRules says that the members of the parts are those of the type.
func (partsBody[T]) WeftRules() Rules {
	ruled, _ := any(new(T)).(Ruled)
	return Rules{Parts: ruled.WeftRules().Parts}
}

// PartsOf returns the parts of a T, whose WeftRules has the result. The choice, which
// Set.Choice of package schema makes, has a schema for each of them; its names are those of the
// types that the fields point to.
func PartsOf[T any](choice Schema) *Parts {
	return &Parts{choice, reflect.TypeFor[partsBody[T]]()}
}

// Plan returns what package plan needs to know: the choice, and the type by which the
// members are written.
func (p *Parts) Plan() (choice Schema, body reflect.Type) { return p.choice, p.body }
