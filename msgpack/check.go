package msgpack

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/setting"
)

// Refuse skips the next value, and sets the sticky error to err, located at the value, unless err is nil.
func (r *Reader) Refuse(err error) {
	if err != nil {
		r.Skip() // what is not MessagePack comes first
		if v, ok := err.(weft.Violation); ok && v.Offset >= 0 {
			r.fail(int(v.Offset), v.Err) // the offset gives the path
		} else if r.err == nil {
			r.failLast(err)
		}
	}
}

// Decimal implements [backend.Reader]: MessagePack has no numbers as text.
func (r *Reader) Decimal() string {
	r.bad(r.i, r.i, "number")
	return ""
}

// Trying implements [backend.Reader].
func (r *Reader) Trying() (done func()) {
	flags := r.flags
	r.flags &^= setting.Unchecked | setting.AllViolations
	return func() { r.flags = flags }
}

// FailLast sets the sticky error to err, located at the last value read.
func (r *Reader) FailLast(err error) {
	if err != nil {
		r.failLast(err)
	}
}

func (r *Reader) failLast(err error) {
	if r.err == nil {
		r.fail(r.i, err)
		r.within = r.depth
	}
}

// place completes the error of r by where it is.
func (r *Reader) place() {
	e, ok := r.err.(*weft.Error)
	if !ok || e.Path != "" {
		return
	}
	i := int(e.Offset - r.base)
	if r.within >= 0 {
		i = lastStart(r.all, i, r.within)
		e.Offset = r.base + int64(i)
	}
	e.Path = locate(r.all, i)
}

// Flags implements [backend.Reader].
func (r *Reader) Flags() uint64 { return r.flags & setting.OfTypes }
