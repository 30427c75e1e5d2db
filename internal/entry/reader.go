package entry

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
)

// Reader has the methods of a [backend.Reader] that are the same for binary formats. Their readers embed it.
type Reader struct {
	self       backend.Reader // who embeds it
	of         Source
	ahead      backend.Lookahead
	ignored    backend.IgnoredMember
	violations plan.Violations // where all of them are wanted
}

// Source is what a [Reader] is told of who embeds it.
type Source struct {
	Format string
	Flags  *uint64
	Base   *int64                     // offset of the document in the stream
	Last   *int                       // where the container that was closed last begins
	Fail   func(i int, err error) int // sets the sticky error, at an index in the document, unless there is one
	Places func() Place               // of the document
}

// Place returns the JSON pointer to the value at an index, and the index of what a pointer leads to from there, or of
// the last value on the way that there is. It is asked for indexes in ascending order.
type Place = func(i int, below string) (path string, at int)

// Bind tells r who embeds it.
func Bind(r *Reader, self backend.Reader, of Source) { r.self, r.of = self, of }

// Forget drops what r knows of a document.
func Forget(r *Reader) {
	if r.violations.Any() {
		r.violations = plan.Violations{}
	}
	if r.ignored.Depth != 0 {
		r.ignored = backend.IgnoredMember{}
	}
	r.ahead.Reset()
}

// Ignored returns the member that r ignores.
func Ignored(r *Reader) *backend.IgnoredMember { return &r.ignored }

// Lookahead implements [backend.Reader].
func (r *Reader) Lookahead() *backend.Lookahead { return &r.ahead }

// Tag implements [backend.Reader].
func (r *Reader) Tag(f *backend.Fields) (tag string, ok bool) { return r.ahead.PeekTag(r.self, f) }

// IgnoreMember implements [backend.Reader].
func (r *Reader) IgnoreMember(m backend.IgnoredMember) backend.IgnoredMember {
	before := r.ignored
	if m.Depth == 0 {
		m.Depth = r.self.Mark().Level + 1
	}
	r.ignored = m
	return before
}

// Later implements [backend.Reader]: no value says which text it is to become.
func (r *Reader) Later() (text string, ok bool) { return "", false }

// IntBools implements [backend.Reader]: booleans are booleans.
func (r *Reader) IntBools() bool { return false }

// Exact implements [backend.Reader]: an integer has the kind of its value.
func (r *Reader) Exact() bool { return false }

// AnyNumber implements [backend.Reader]: numbers are what they are.
func (r *Reader) AnyNumber() any { return r.self.Any() }

// Place implements [backend.Reader].
func (r *Reader) Place() any { return r.self.Offset() }

// Pass implements [backend.Reader].
func (r *Reader) Pass(end backend.Mark) bool {
	r.self.Reset(end)
	return true
}

// Refuse implements [backend.Reader].
func (r *Reader) Refuse(err error) {
	if err == nil {
		return
	}
	at := r.self.Offset()
	r.self.Skip() // what is not well-formed comes first
	if v, ok := err.(weft.Violation); ok && v.Offset >= 0 {
		at, err = int(v.Offset), v.Err // the offset gives the path
	}
	r.of.Fail(at, err)
}

// Trying implements [backend.Reader].
func (r *Reader) Trying() (done func()) {
	flags := *r.of.Flags
	*r.of.Flags &^= setting.Unchecked | setting.AllViolations
	return func() { *r.of.Flags = flags }
}

// Flags implements [backend.Reader].
func (r *Reader) Flags() uint64 { return *r.of.Flags & setting.OfTypes }

// Fail sets the sticky error, located at the next value.
func (r *Reader) Fail(err error) {
	if err != nil {
		r.of.Fail(r.self.Offset(), err)
	}
}

// Missing fails with a [weft.MissingError] that names every member of f whose bit is set in want and not in seen. The
// object is the one closed last.
func (r *Reader) Missing(f *weft.Fields, seen, want uint64) {
	if *r.of.Flags&setting.Unchecked == 0 {
		r.of.Fail(*r.of.Last, plan.MissingError(f, seen, want))
	}
}
