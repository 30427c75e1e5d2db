package entry

import (
	"github.com/weftcodec/weft/backend"
)

// Reader has the methods of a [backend.Reader] that are the same for binary formats. Their readers embed it.
type Reader struct {
	self    backend.Reader // who embeds it
	ahead   backend.Lookahead
	ignored backend.IgnoredMember
}

// Bind tells r who embeds it.
func Bind(r *Reader, self backend.Reader) { r.self = self }

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
