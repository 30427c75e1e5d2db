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

	// Union makes the type a union: values are of one of several types. The type is a
	// struct whose one field is an interface that these implement.
	Union *Variants
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
