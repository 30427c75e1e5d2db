package tagged

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// ReaderFrom is a type that reads itself from a [Reader]: exactly one value.
type ReaderFrom interface {
	ReadTagged(r *Reader) error
}

var (
	_ weft.SchemaReader  = (*Reader)(nil)
	_ weft.LastFailer    = (*Reader)(nil)
	_ weft.IntBoolReader = (*Reader)(nil)
	_ weft.ExactReader   = (*Reader)(nil)
)

// IntBools implements [weft.IntBoolReader].
func (r *Reader) IntBools() bool { return !r.exact }

// Read reads b, one message, by v's ReadTagged. Its errors are [weft.Error] with
// the offset and the path of the value at fault.
func Read(b []byte, v ReaderFrom, opts ...Options) error {
	r := newReader(b, opts)
	if next := r.own(r.i, r.tableAt, r.wt, func() error { return v.ReadTagged(r) }); next >= 0 {
		r.i = next
	}
	return r.finish()
}

// Check fails with err unless it is nil, or checks are off. The error is about
// the value that was read last, where Fail is about the next one.
func (r *Reader) Check(err error) {
	if err != nil { // inlined
		r.refuted(err)
	}
}

func (r *Reader) refuted(err error) {
	if r.err != nil || r.flags&weft.FlagUnchecked != 0 {
		return
	}
	at := r.lastStart()
	if r.listEnd == r.i && r.listDepth == r.depth && r.item > 0 { // an object ends where its last list does
		at = r.itemStart(at)
	}
	r.fail(at, err)
}

// FailLast implements [weft.LastFailer].
func (r *Reader) FailLast(err error) {
	if r.err == nil && err != nil {
		r.fail(r.lastStart(), err)
	}
}

// Item returns r, to check the i-th element of the array that [ReadScalars] or
// [ReadStrings] has just read: what Check fails with before anything else is
// read is about it.
func (r *Reader) Item(i int) *Reader {
	r.item = i + 1
	return r
}

// itemStart returns where the element that Item has named begins in the array
// at at.
func (r *Reader) itemStart(at int) int {
	i, stop := tagwire.Span(r.b, at, r.i)
	for range r.item - 1 {
		i = r.pass(i+tagwire.TagSize, stop, tagwire.Tag(r.b, i)&15)
	}
	return i + tagwire.TagSize
}

// Conform checks the value that comes next, which it does not consume.
func (r *Reader) Conform(s *weft.Schema) {
	if r.err == nil && r.flags&weft.FlagUnchecked == 0 {
		r.Refuse(s.Check(r))
	}
}

// Refuse skips the next value and fails with err about it, unless err is nil.
func (r *Reader) Refuse(err error) {
	if err == nil {
		return
	}
	at := r.i
	r.Skip() // what is not well-formed comes first
	if v, ok := err.(weft.Violation); ok && v.Offset >= 0 {
		at, err = int(v.Offset), v.Err // which tells the path
	}
	if r.err == nil {
		r.fail(at, err)
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
func (r *Reader) Ignored() bool { return r.ignores(r.tag) }

// Request reports whether the caller reads a request.
func (r *Reader) Request() bool { return r.flags&weft.FlagRequest != 0 }

// Response reports whether the caller reads a response.
func (r *Reader) Response() bool { return r.flags&weft.FlagResponse != 0 }

// Flags implements [weft.FlagReader].
func (r *Reader) Flags() weft.Flag { return r.flags & weft.FlagsOfTypes }

// Unknown skips the value of a member that the type does not have, which is an
// error when the type refuses such members and the caller does not allow them.
// What the caller refuses Member has refused already.
func (r *Reader) Unknown(refused bool) {
	ignored := r.ignores(r.tag)
	at := r.i
	r.Skip()
	if (refused || r.flags&weft.FlagRejectUnknown != 0) && !ignored && r.flags&weft.FlagAllowUnknown == 0 && r.err == nil {
		r.fail(at, weft.ErrUnknownMember)
	}
}

// lastStart returns where the value read last begins: the one that ends at the
// next byte to read and lies in as many containers as are open.
func (r *Reader) lastStart() int {
	i, stop, wt := 0, r.tableAt, uint32(tagwire.Object)
	if r.lone {
		i, wt = tagwire.TagSize, tagwire.Tag(r.b, 0)
	}
	at := i
	for depth := 0; depth < r.depth && stop >= 0; depth++ {
		if depth > 0 || r.lone {
			if wt != tagwire.Object && wt != tagwire.Array {
				return at
			}
			if i, stop = tagwire.Span(r.b, at, stop); stop < 0 {
				return at
			}
		}
		for i+tagwire.TagSize < stop {
			wt = tagwire.Tag(r.b, i) & 15
			next := r.pass(i+tagwire.TagSize, stop, wt)
			if next < 0 {
				return at
			}
			if at = i + tagwire.TagSize; next >= r.i {
				stop = next
				break
			}
			i = next
		}
	}
	return at
}
