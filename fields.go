package weft

import "github.com/weftcodec/weft/backend"

// Fields is the table of an object's member names, by index. It holds what each
// format needs to write and match them, made when the format first asks. A
// Fields is immutable, safe for concurrent use, and meant to live in a package
// variable. Its methods Len, Name and Index tell the names.
type Fields = backend.Fields

// NewFields returns the table of the given names, which must differ from each
// other.
//
//go:noinline
func NewFields(names ...string) *Fields { return backend.NewFields(names...) }
