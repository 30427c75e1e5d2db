package msgpack

import "github.com/weftcodec/weft/internal/wire/packwire"

// Check fails with err unless it is nil. The error is about the value that was
// read last, where Fail is about the next one.
func (r *Reader) Check(err error) {
	if err != nil {
		r.failLast(err)
	}
}

func (r *Reader) failLast(err error) {
	if r.err == nil {
		r.fail(lastStart(r.b, r.i, r.depth), err)
	}
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
