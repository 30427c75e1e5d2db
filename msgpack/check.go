package msgpack

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Check fails with err unless it is nil, or checks are off. The error is about
// the value that was read last, where Fail is about the next one.
//
//go:noinline
func (r *Reader) Check(err error) {
	if err != nil {
		r.refuted(err)
	}
}

func (r *Reader) refuted(err error) {
	if r.err != nil || r.flags&weft.FlagUnchecked != 0 {
		return
	}
	of := 0
	if r.listEnd == r.i && r.listDepth == r.depth { // an object ends where its last list does
		of = r.item
	}
	r.failLast(err)
	r.nth = of
}

// Item returns r, to check the i-th element of the array that [ReadScalars] or
// [ReadStrings] has just read: what Check fails with before anything else is
// read is about it.
func (r *Reader) Item(i int) *Reader {
	r.item = i + 1
	return r
}

// Conform checks the value that comes next, which it does not consume.
func (r *Reader) Conform(s *weft.Schema) {
	if r.err == nil && r.flags&weft.FlagUnchecked == 0 {
		r.Refuse(s.Check(r))
	}
}

// Refuse skips the next value and fails with err about it, unless err is nil.
func (r *Reader) Refuse(err error) {
	if err != nil {
		r.Skip() // what is not MessagePack comes first
		if v, ok := err.(weft.Violation); ok && v.Offset >= 0 {
			r.fail(int(v.Offset), v.Err) // the offset tells the path
		} else if r.err == nil {
			r.failLast(err)
		}
	}
}

// Tag implements [weft.SchemaReader].
func (r *Reader) Tag(f *weft.Fields) (tag string, ok bool) { return weft.PeekTag(r, f) }

// Arena implements [weft.SchemaReader].
func (r *Reader) Arena() *weft.Arena { return &r.arena }

// Choose returns the index of the variant that the value which comes next is.
// When it is none it fails and returns -1.
func (r *Reader) Choose(s *weft.Schema) int {
	if r.err != nil {
		return -1
	}
	i, err := s.Choose(r, &r.choices)
	r.Refuse(err)
	return i
}

// Match implements [weft.SchemaReader].
func (r *Reader) Match(s *weft.Schema) uint64 {
	if r.err != nil {
		return 0
	}
	some, err := s.Match(r, &r.choices)
	r.Refuse(err)
	return some
}

// Choices implements [weft.UnionReader].
func (r *Reader) Choices() *weft.Choices { return &r.choices }

// Place implements [weft.UnionReader].
func (r *Reader) Place() any { return r.i }

// Pass implements [weft.UnionReader].
func (r *Reader) Pass(end weft.Mark) bool {
	r.Reset(end)
	return true
}

// Trying implements [weft.UnionReader].
func (r *Reader) Trying() (done func()) {
	flags := r.flags
	r.flags &^= weft.FlagUnchecked | weft.FlagAllViolations
	return func() { r.flags = flags }
}

// Ignored implements [weft.SchemaReader].
func (r *Reader) Ignored() bool { return r.key >= 0 && r.ignores(r.key) }

// Request reports whether the caller reads a request.
func (r *Reader) Request() bool { return r.flags&weft.FlagRequest != 0 }

// Response reports whether the caller reads a response.
func (r *Reader) Response() bool { return r.flags&weft.FlagResponse != 0 }

// Unknown skips the value of a member that the type does not have, which is an
// error when the type refuses such members and the caller does not allow them.
// What the caller refuses Member has refused already.
func (r *Reader) Unknown(refused bool) {
	if r.Ignored() {
		r.Skip()
		return
	}
	r.Skip()
	if (refused || r.flags&weft.FlagRejectUnknown != 0) && r.flags&weft.FlagAllowUnknown == 0 && r.err == nil {
		r.failLast(weft.ErrUnknownMember)
	}
}

// FailLast implements [weft.LastFailer].
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
		if r.nth > 0 {
			_, i, _ = packwire.Head(r.all, i)
			for range r.nth - 1 {
				i, _ = packwire.Skip(r.all, i, 0)
			}
		}
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

// Flags implements [weft.FlagReader].
func (r *Reader) Flags() weft.Flag { return r.flags & weft.FlagsOfTypes }
