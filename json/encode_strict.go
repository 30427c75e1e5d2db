package json

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/plan"
)

// nilPointer writes the null for a nil of pr's type to l, where there is room for it, or fails where that type is
// strict.
func (e *encoder) nilPointer(l int, pr *program) int {
	if pr.full {
		return e.fail(l, &weft.Error{Format: "json", Offset: -1, Err: plan.NilError(pr.rtype)})
	}
	return e.putNull(l)
}

// within puts a name before the path of an error that tells one, which has made l negative.
func (e *encoder) within(l int, name string) int {
	e.err = e.inside(e.err, name)
	return l
}

// inside returns err with a name before its path, if it is one that tells that. V2 reads the path off what is written.
func (e *encoder) inside(err error, name string) error {
	if at, ok := err.(*weft.Error); ok && at.Offset < 0 && e.flags&flagV2 == 0 {
		return plan.AtMember(name, err)
	}
	return err
}
