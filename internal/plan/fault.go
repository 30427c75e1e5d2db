package plan

import (
	"slices"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire"
)

// nilError returns the error for something that must be set before it is
// written: the variant of a union, a required struct held by a pointer.
//
//go:noinline
func nilError(name string) error { return &weft.ConstraintError{Rule: "have " + name + " set"} }

// checkOtherTag returns an error if t, the discriminator of a value of the type
// called variant, is one of those that choose another variant of a union.
func checkOtherTag(t, variant string, others ...string) error {
	if !slices.Contains(others, t) {
		return nil
	}
	return &weft.ConstraintError{Rule: "be a tag of " + variant, Value: wire.Quote(t)}
}

// MissingError returns the error for the members of f whose bit is set in
// want and not in seen; bit i stands for the member with index i.
func MissingError(f *weft.Fields, seen, want uint64) *weft.MissingError {
	e := new(weft.MissingError)
	for i := range min(f.Len(), 64) {
		if want&^seen>>i&1 != 0 {
			e.Names = append(e.Names, f.Name(i))
		}
	}
	return e
}
