package plan

import (
	"errors"
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

// CheckTag returns an error unless t, the discriminator of a value of the type
// called variant, is one of those that choose it in a union.
func CheckTag(t, variant string, own ...string) error {
	if slices.Contains(own, t) {
		return nil
	}
	return &weft.ConstraintError{Rule: "be " + wire.OneOf(own) + " in " + variant, Value: wire.Quote(t)}
}

// errPartsDiffer is the error of an object that is several values.
var errPartsDiffer = errors.New("two parts of the object have different values of this member")

// AtMember returns err as one about a member of the value that it was about, nil
// for nil.
//
//go:noinline
func AtMember(name string, err error) error {
	if err == nil {
		return nil
	}
	path := string(wire.AppendPointer(nil, name))
	switch v := err.(type) {
	case weft.Violation:
		return weft.Violation{Path: path + v.Path, Offset: v.Offset, Err: v.Err}
	case *weft.Error:
		if v.Offset < 0 {
			return &weft.Error{Format: v.Format, Offset: -1, Path: path + v.Path, Err: v.Err}
		}
	}
	return weft.Violation{Path: path, Offset: -1, Err: err}
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
