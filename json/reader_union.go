package json

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
)

// Refuse skips the next value and fails with err about it, unless err is nil.
func (r *reader) Refuse(err error) {
	if err == nil {
		return
	}
	r.Skip() // what is not JSON comes first
	if v, ok := err.(weft.Violation); ok && v.Offset >= 0 {
		r.at, err = int(v.Offset), v.Err // which gives the path
		for r.at < len(r.d.data) && r.d.data[r.at] <= ' ' {
			r.at++
		}
	}
	r.Fail(err)
}

// Place implements [backend.Reader].
func (r *reader) Place() any { return r.d.ws(r.i) }

// Pass implements [backend.Reader].
func (r *reader) Pass(end backend.Mark) bool {
	r.Reset(end)
	return true
}

// Trying implements [backend.Reader].
func (r *reader) Trying() (done func()) {
	flags := r.d.flags
	r.d.flags &^= decodeUnchecked | decodeAllViolations
	return func() { r.d.flags = flags }
}
