package harness

import (
	"strings"
	"testing"
)

// TestAgainst compares rows of known figures.
func TestAgainst(t *testing.T) {
	row := func(corpus, name string, q1, median, q3 float64) Row {
		return Row{Group: "json", Corpus: corpus, Op: "decode", Case: name, Ns: Spread{Median: 100}, Ratio: Spread{median, q1, q3, q1, q3}}
	}
	old := &Report{Date: "2026-01-01", Rows: []Row{
		row("a", "weft", 4.9, 5, 5.1), row("b", "weft", 4.9, 5, 5.1), row("c", "weft", 4, 5, 6), row("a", "peer", 2, 2, 2),
		row("d", "weft", 1, 1, 1),
	}}
	now := &Report{Rows: []Row{
		row("a", "weft", 3.9, 4, 4.1), row("b", "weft", 4.8, 4.9, 5), row("c", "weft", 3, 4, 5), row("a", "peer", 1, 1, 1),
		row("d", "weft", 1, 1, 1),
		row("new", "weft", 1, 2, 3),
	}}
	var b strings.Builder
	if err := now.WriteAgainst(&b, old, 0.03); err != nil {
		t.Fatal(err)
	}
	want := `json: a decode: weft: x4, was x5: slower by 25.0 %, quartiles apart
json: c decode: weft: x4, was x5: slower by 25.0 %, within the quartiles
against 2026-01-01: 3 rows compared, 2 slower by more than 3 %, 1 of them with quartiles apart
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}
