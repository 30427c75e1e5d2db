package backend

import "reflect"

// Schema is a JSON Schema of package schema, as readers ask it. None of its methods
// consumes anything.
type Schema interface {
	// Check returns an error unless the value that comes next is valid.
	Check(r Reader) error
	// Match returns a bit for each of the variants that the value which comes next is,
	// of which there are at most 64, or an error that names them when it is none.
	Match(r Reader) (uint64, error)
	// Names returns the names of the Go types of the variants.
	Names() []string
}

// Layout is how a union says which of its variants a value is. Flat and Wrapped of package
// weft make it.
type Layout struct {
	Flat   bool    // the tag is beside the members of the variant itself
	Fields *Fields // the tag, and the member that is the variant
}

// Parts are the parts of an object that is several things at once. PartsOf of package weft
// makes them.
type Parts struct {
	Choice Schema
	Body   reflect.Type // the type by which the members are written
}
