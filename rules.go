package weft

import "fmt"

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
	Schema Schema

	// Union makes the type a union: values are of one of several types. The type is a
	// struct whose one field is an interface that these implement.
	Union *Variants

	// Parts makes the type an object that is several things at once. The type is a
	// struct whose fields are pointers to structs.
	Parts *Parts

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

// Schema is a JSON Schema of package schema, as readers ask it. None of its methods
// consumes anything.
type Schema interface {
	// Check returns an error unless the value that comes next is valid.
	Check(r Reader) error
	// Choose returns the index of the variant that the value which comes next is, or
	// an error that names the variants.
	Choose(r Reader) (int, error)
	// Match returns a bit for each of the variants that the value which comes next is,
	// of which there are at most 64, or an error that names them when it is none.
	Match(r Reader) (uint64, error)
	// Names returns the names of the Go types of the variants.
	Names() []string
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
