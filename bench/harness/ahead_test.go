package harness

import (
	"strings"
	"testing"
)

// TestMarkAhead has rows of known standing.
func TestMarkAhead(t *testing.T) {
	row := func(name, class string, rounds ...float64) Row {
		return Row{Case: name, Class: class, rounds: rounds, Ns: spreadOf(rounds), Ratio: Spread{Median: 1}}
	}
	rows := []Row{
		row("weft", "compat", 100, 101, 102),
		row("weft fast", "any", 80, 81, 82),
		row("faster", "compat", 90, 91, 92),
		row("tie", "compat", 99, 102, 101),
		row("slower", "compat", 150, 150, 150),
		row("slower than fast", "any", 90, 91, 92),
		row("faster than fast", "any", 40, 41, 42),
		row("faster than compat", "generated", 90, 91, 92),
		row("other work", Wrong, 1, 1, 1),
		row("part of the work", Floor, 1, 1, 1),
		{Case: "refused", Failed: "no"},
	}
	MarkAhead(rows)
	ahead := map[string]bool{"faster": true, "faster than fast": true, "faster than compat": true}
	for _, r := range rows {
		if (r.Ahead > 0) != ahead[r.Case] {
			t.Errorf("%s: ahead by %.2f", r.Case, r.Ahead)
		}
	}
	if r := rows[6].Ahead; r < 1.9 || r > 2.1 {
		t.Errorf("twice as fast: x%.2f", r)
	}
	report := &Report{Config: Quick, Rows: rows, Skipped: []string{"skipped: a tool"}}
	var text, md, page strings.Builder
	if err := WriteText(&text, rows); err != nil {
		t.Fatal(err)
	}
	if err := report.WriteMarkdown(&md); err != nil {
		t.Fatal(err)
	}
	if err := report.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]string{"text": text.String(), "md": md.String(), "html": page.String()} {
		t.Run(name, func(t *testing.T) {
			// The pages that explain the mark write it without a figure.
			if n := strings.Count(s, "AHEAD of weft x"); n != len(ahead) {
				t.Errorf("%s marks %d rows", name, n)
			}
		})
	}
	if n := strings.Count(page.String(), `<tr class="ahead">`); n != len(ahead) {
		t.Errorf("the page colours %d rows", n)
	}
	for _, s := range []string{md.String(), page.String()} {
		if !strings.Contains(s, "skipped: a tool") {
			t.Error("what was skipped is not told")
		}
	}
}
