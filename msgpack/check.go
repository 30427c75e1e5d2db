package msgpack

import (
	"github.com/weftcodec/weft"
)

// Decimal implements [backend.Reader]: MessagePack has no numbers as text.
func (r *Reader) Decimal() string {
	r.bad(r.i, r.i, "number")
	return ""
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
		i = grammar.Last(r.all, i, r.within)
		e.Offset = r.base + int64(i)
	}
	e.Path = locate(r.all, i)
}
