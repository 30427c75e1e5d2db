package msgpack

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Refuse skips the next value and fails with err about it, unless err is nil.
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

// Tag implements [backend.Reader].
func (r *Reader) Tag(f *weft.Fields) (tag string, ok bool) { return r.Lookahead().PeekTag(r, f) }

// Lookahead implements [backend.Reader].
func (r *Reader) Lookahead() *backend.Lookahead { return &r.ahead }

// IntBools implements [backend.Reader].
func (r *Reader) IntBools() bool { return false }

// Exact implements [backend.Reader].
func (r *Reader) Exact() bool { return false }

// Later implements [backend.Reader].
func (r *Reader) Later() (text string, ok bool) { return "", false }

// Decimal implements [backend.Reader]: no number is a text.
func (r *Reader) Decimal() string {
	r.bad(r.i, r.i, "number")
	return ""
}

// AnyNumber is [Reader.Any]: numbers are what they are.
func (r *Reader) AnyNumber() any { return r.Any() }

// Place implements [backend.Reader].
func (r *Reader) Place() any { return r.i }

// Pass implements [backend.Reader].
func (r *Reader) Pass(end backend.Mark) bool {
	r.Reset(end)
	return true
}

// Trying implements [backend.Reader].
func (r *Reader) Trying() (done func()) {
	flags := r.flags
	r.flags &^= setting.Unchecked | setting.AllViolations
	return func() { r.flags = flags }
}

// FailLast makes the reader fail with err about the value that was read last.
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

// Flags implements [backend.Reader].
func (r *Reader) Flags() uint64 { return r.flags & setting.OfTypes }
