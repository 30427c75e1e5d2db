package tagged

import "github.com/weftcodec/weft"

// IntBools implements [backend.Reader].
func (r *reader) IntBools() bool { return !r.exact }

// FailLast makes the reader fail with err about the value that was read last: the one that ends at the next byte to
// read and lies in as many containers as are open.
func (r *reader) FailLast(err error) {
	if r.err == nil && err != nil {
		w := r.wayIn(r.b)
		_, at := w.down(r.i-1, r.depth)
		w.end()
		r.fail(at, err)
	}
}

// Decimal reads a number that is text.
func (r *reader) Decimal() (text string) {
	if r.err == nil && r.Kind() != weft.KindNumber {
		r.bad(r.i, r.wt, r.i, "number")
		return ""
	}
	r.moved(r.number(r.i, r.top.end, r.wt, &text))
	return text
}
