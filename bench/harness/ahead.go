package harness

import "strings"

// Wrong is the class of rows that are measured as somebody published them
// although they do other work: they are ranked against nothing.
const Wrong = "wrong"

// Floor is the class of rows that do a part of the work which no contender can
// leave out: they too are ranked against nothing.
const Floor = "floor"

// The classes of JSON libraries where one promises all that the other does.
const (
	strict = "compat"
	lax    = "any"
)

// MarkAhead sets Ahead in each row of a contest that is faster than weft's: than
// the fastest row of weft's that promises as much. A tie is not ahead.
func MarkAhead(rows []Row) {
	for i := range rows {
		r := &rows[i]
		if !r.Timed() || r.Ours() || r.Class == Wrong || r.Class == Floor || len(r.rounds) == 0 {
			continue
		}
		own := fastestOurs(rows, func(o *Row) bool { return o.Class == r.Class || r.Class == lax && o.Class == strict })
		if own == nil {
			own = fastestOurs(rows, func(o *Row) bool { return o.Class == strict })
		}
		if own == nil {
			own = fastestOurs(rows, func(*Row) bool { return true })
		}
		if own == nil {
			continue
		}
		if ratio, tie := r.Versus(own); !tie && ratio.Median > 1 {
			r.Ahead = ratio.Median
		}
	}
}

// fastestOurs returns the fastest of weft's rows that are asked for, or nil.
func fastestOurs(rows []Row, asked func(*Row) bool) *Row {
	var best *Row
	for i := range rows {
		r := &rows[i]
		if r.Timed() && r.Ours() && asked(r) && (best == nil || r.Ns.Median < best.Ns.Median) {
			best = r
		}
	}
	return best
}

// Ours reports whether the row is of this project.
func (r *Row) Ours() bool {
	return strings.HasPrefix(r.Case, "weft") || strings.HasPrefix(r.Case, "opt.")
}
