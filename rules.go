package weft

import (
	"fmt"
	"reflect"

	"github.com/weftcodec/weft/backend"
)

// Rules says what values of a type must be, beyond what its Go type holds. The
// zero value demands nothing. Every format checks rules while it reads, and
// package schema does for any Go value.
//
// A rule about one field stands in the tag check of the field; Rules are for
// what is true of a type wherever it is used.
type Rules struct {
	// Check holds words as they stand in the tag check of a field, such as
	// "minLength=1,pattern=^[a-z]+$".
	Check string

	// Enum is a slice of the only values that there are: a []T for a type T,
	// whose kind is a string, an integer, a floating-point number or a boolean.
	Enum any

	// Func is called with a pointer to each value that has been read, when
	// everything else holds. [CheckFunc] makes one.
	Func func(ptr any) error

	// Schema is what only a JSON Schema says of the type, which package schema makes.
	// It is evaluated over each value before that is read.
	Schema backend.Schema

	// Union makes the type a union: values are of one of several types. The type is a
	// struct whose one field is an interface that these implement.
	Union *Variants

	// Parts makes the type an object that is one or more things at once, as the anyOf of
	// a JSON Schema says. The type is a struct whose fields are pointers to structs.
	// [PartsOf] makes it.
	Parts *backend.Parts

	// Wrapper says that the type, a struct of one field, stands for the value of the
	// field: for rules of an any, or of a type whose methods are to be kept.
	Wrapper bool

	// Strict says that the Go type is exactly what stands on the wire, as in a
	// model of a document. It holds for the type and for what its values hold in
	// the same memory or behind pointers, slices, maps and options; structs there
	// follow their own rules.
	//
	// Null is read where the Go type has a place for it alone: into an opt.Null,
	// an opt.Field, an any, a value.Value, or a field with the word nullable in its
	// tag check, whose nil stands for it. Elsewhere it is an error, and a nil slice
	// or map is written as an empty one, and a nil pointer or interface, unless it
	// is left out, is an error of writing. Numbers in an any stay as they are: from
	// JSON they are a json.Number. An integer may be written as 1.0 or 1e2 in JSON.
	// Names of members are compared as they are. The type's methods of packages
	// encoding and encoding/json are there for other packages: no format of weft
	// calls them.
	Strict bool

	// Default is a T, or a pointer to one, for a struct T: members that are absent
	// become copies of its fields when a value is read, but for those that are
	// zero there. Fields that have something already keep that.
	Default any

	// Closed says of a struct that a member which no field names is an error,
	// unless the struct has a field for such members, or [RejectUnknown] with false
	// is an option of the call.
	Closed bool
}

// Ruled is implemented by types whose values obey [Rules]. WeftRules is called
// on a zero value, once for each format, and must always return the same.
type Ruled interface {
	WeftRules() Rules
}

// CheckFunc returns check as the Func of the [Rules] of a T. The error tells
// what is wrong; a [ValidationError] tells where within the value too.
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
	Choice backend.Schema
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

// PartsOf returns the parts of a T, whose WeftRules has the result. T is a struct that has a
// field for each part, which is a pointer to a struct, and may have one more with the option
// unknown for members that none of them has. The choice, which Set.Choice of package schema
// makes, has a schema for each of them; its names are those of the types that the fields point
// to.
//
// What is read sets the fields whose schemas hold, of which there must be one; each
// reads the members that it has, and sees no others. What is written has the members
// of all fields that are set. A member of several must be the same in all of them; a
// time is the same as a string that stands for it.
func PartsOf[T any](choice backend.Schema) *backend.Parts {
	return &backend.Parts{Choice: choice, Body: reflect.TypeFor[partsBody[T]]()}
}
