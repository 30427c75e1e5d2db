package weft

import (
	"fmt"
	"reflect"

	"github.com/weftcodec/weft/backend"
)

// Rules constrain the values of a type beyond its Go type. The zero value allows every value. Every format checks
// rules while it reads, and package schema checks any Go value.
//
// A rule about one field is written in the tag check of the field. Rules are for what applies to a type wherever it
// is used.
type Rules struct {
	// Check holds words as in the tag check of a field, such as "minLength=1,pattern=^[a-z]+$".
	Check string

	// Enum is a slice of the allowed values: a []T for a type T, whose kind is a string, an integer, a floating-point
	// number or a boolean.
	Enum any

	// Func is called with a pointer to each value that has been read, after all other rules hold. [CheckFunc] makes
	// one.
	Func func(ptr any) error

	// Schema has constraints that only a JSON Schema can express; package schema makes it. It is evaluated over each
	// value before the value is read.
	Schema backend.Schema

	// Union makes the type a union: each value has one of several types. The type is a struct whose only field is an
	// interface that these types implement.
	Union *Variants

	// Parts makes the type an object that may match several schemas at once, as with anyOf in a JSON Schema. The type
	// is a struct whose fields are pointers to structs. [PartsOf] makes the value.
	Parts *backend.Parts

	// Wrapper specifies that the type, a struct with one field, is read and written as the value of the field. This
	// gives rules to an any, or to a type whose methods must be kept.
	Wrapper bool

	// Strict specifies that the Go type describes exactly what is on the wire, as in a model of a document. It
	// applies to the type and to what its values contain, directly or behind pointers and in slices, maps and types
	// of package opt; structs in them follow their own rules.
	//
	// Null is accepted only if the Go type can hold it: in an opt.Null, an opt.Field, an any, a value.Value, or a
	// field with the word nullable in its tag check, which is then nil. Anywhere else null is an error. A nil slice
	// or map is written as an empty one. A nil pointer or interface that is not omitted is an error when writing, unless
	// it is in an opt.Null or opt.Field, where it is null. So is an opt.Val without a value that is not a member.
	// Numbers in an any stay unchanged: from JSON they are a json.Number. An integer may be written as 1.0 or 1e2 in
	// JSON. Member names must match exactly. The type's methods of packages encoding and encoding/json are for other
	// packages: no format of weft calls them.
	Strict bool

	// Default is a T, or a pointer to one, for a struct T: when a value is read, absent members become copies of the
	// fields of Default, except for zero ones. Fields that already have a value keep it.
	Default any

	// Closed specifies that an unknown member of a struct is an error, unless the struct has a field for such
	// members, or the call has the option RejectUnknown(false).
	Closed bool
}

// Ruled is implemented by types whose values must obey [Rules]. WeftRules is called on a zero value, once for each
// format, and must always return the same rules.
type Ruled interface {
	WeftRules() Rules
}

// CheckFunc returns check as the Func of the [Rules] of a T. The error says what is wrong; a [ValidationError] also
// says where in the value.
func CheckFunc[T any](check func(*T) error) func(ptr any) error {
	return func(ptr any) error {
		v, ok := ptr.(*T)
		if !ok {
			return fmt.Errorf("rules for a %T are declared by another type, %T", v, ptr)
		}
		return check(v)
	}
}

// Variants declares a union: a type whose values are of one of several types, the
// variants. A struct declares it by the field Union of its [Rules]; its one field is
// an interface that the variants implement, and nil is no value.
//
// What is read tells which variant it is, in this order: by its kind, such as a
// string where one variant alone is written as one; an object by the discriminator
// or, where there is none, by a required member that has other constants in each
// variant, wherever in the object it stands; by the members that the variants
// require; and else by trying them. However deep unions nest, nothing is tried
// twice. What is no variant is a [ChoiceError].
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

// partsBody stands for a T where its members are written, in the memory of a T.
type partsBody[T any] struct{ V T }

// WeftRules says that the members of the parts are those of the type.
func (partsBody[T]) WeftRules() Rules {
	ruled, _ := any(new(T)).(Ruled)
	return Rules{Parts: ruled.WeftRules().Parts}
}

// PartsOf returns the parts of a T, for the Parts of its Rules. T is a struct that has a field for each part, which
// is a pointer to a struct. It may have one more field, with the option unknown, for members that no part has. The
// choice, made by Set.Choice of package schema, has a schema for each part; its names are those of the types that the
// fields point to.
//
// Reading sets the fields whose schemas match; at least one must match. Each part reads only its own members. Writing
// writes the members of all fields that are set. A member that several parts have must be equal in all of them; a
// time is equal to the string that represents it.
func PartsOf[T any](choice backend.Schema) *backend.Parts {
	return &backend.Parts{Choice: choice, Body: reflect.TypeFor[partsBody[T]]()}
}
