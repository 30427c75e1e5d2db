package weft

import "github.com/weftcodec/weft/backend"

// Fields is the table of an object's member names, by index. It caches what each format needs to write and match
// them. A Fields is immutable, safe for concurrent use, and meant to be a package variable. Its methods Len, Name and
// Index give access to the names.
type Fields = backend.Fields

// NewFields returns the table of the given names, which must be distinct.
//
//go:noinline
func NewFields(names ...string) *Fields { return backend.NewFields(names...) }
