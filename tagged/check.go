package tagged

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// IntBools implements [backend.Reader].
func (r *reader) IntBools() bool { return !r.exact }

// FailLast makes the reader fail with err about the value that was read last.
func (r *reader) FailLast(err error) {
	if r.err == nil && err != nil {
		r.fail(r.lastStart(), err)
	}
}

// Decimal reads a number that is text.
func (r *reader) Decimal() string {
	if r.err == nil && r.Kind() != weft.KindNumber {
		r.bad(r.i, r.wt, r.i, "number")
		return ""
	}
	return string(r.Raw())
}

// lastStart returns where the value read last begins: the one that ends at the
// next byte to read and lies in as many containers as are open.
func (r *reader) lastStart() int {
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
