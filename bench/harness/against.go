package harness

import (
	"fmt"
	"io"
)

// Change is a row of weft's in two reports.
type Change struct {
	Old, New *Row
	Slower   float64 // times the ratio to the reference has fallen
	Apart    bool    // the quartiles of the two ratios do not overlap
}

// Against returns the rows of weft's of both reports whose ratio to their reference fell by more than margin, and how many
// rows were compared. Rows that are a reference themselves, or were not timed, are left out.
func (r *Report) Against(old *Report, margin float64) (slower []Change, compared int) {
	for i := range r.Rows {
		row := &r.Rows[i]
		if !row.Timed() || !row.Ours() || row.Ratio == (Spread{1, 1, 1, 1, 1}) {
			continue
		}
		was := old.Find(row.Group, row.Corpus, row.Op, row.Case)
		if was == nil || !was.Timed() || row.Ratio.Median <= 0 {
			continue
		}
		compared++
		if by := was.Ratio.Median / row.Ratio.Median; by > 1+margin {
			slower = append(slower, Change{was, row, by, row.Ratio.Q3 < was.Ratio.Q1})
		}
	}
	return slower, compared
}

// WriteAgainst writes the rows of weft's that are slower than in old by more than margin, a line each.
func (r *Report) WriteAgainst(w io.Writer, old *Report, margin float64) error {
	slower, compared := r.Against(old, margin)
	apart := 0
	for _, c := range slower {
		mark := "within the quartiles"
		if c.Apart {
			mark = "quartiles apart"
			apart++
		}
		if _, err := fmt.Fprintf(w, "%s: %s: %s: x%.3g, was x%.3g: slower by %.1f %%, %s\n", c.New.Group, c.New.title(), c.New.Case,
			c.New.Ratio.Median, c.Old.Ratio.Median, 100*(c.Slower-1), mark); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "against %s: %d rows compared, %d slower by more than %.0f %%, %d of them with quartiles apart\n",
		old.Date, compared, len(slower), 100*margin, apart)
	return err
}
