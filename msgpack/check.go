package msgpack

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Check fails with err unless it is nil. The error is about the value that was
// read last, where Fail is about the next one.
func (r *Reader) Check(err error) {
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

// lastStart returns where the last value before off begins of those that lie in
// depth containers.
func lastStart(b []byte, off, depth int) int {
	start := 0
	var left []int // values to come in each container
	for i := 0; i < off; {
		if len(left) == depth {
			start = i
		}
		class, next, n := packwire.Head(b, i)
		switch {
		case next < 0:
			return start
		case class < packwire.ClassStr:
			i = next
		case class <= packwire.ClassExt:
			i = next + n
		case class == packwire.ClassMap:
			i, left = next, append(left, 2*n)
		default:
			i, left = next, append(left, n)
		}
		for len(left) > 0 && left[len(left)-1] == 0 {
			left = left[:len(left)-1]
		}
		if len(left) == 0 {
			return start
		}
		left[len(left)-1]--
	}
	return start
}
