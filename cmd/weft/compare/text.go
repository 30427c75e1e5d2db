package compare

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// WriteText writes the report as a table with bars, and what to choose below.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n", r.File, r.what())
	rows := [][]string{{"format", "bytes", "", "", "save ms", "load ms", "", "save allocs", "load allocs"}}
	var largest int
	var slowest time.Duration
	for i := range r.Results {
		largest = max(largest, r.Results[i].Bytes)
		slowest = max(slowest, r.Results[i].Time())
	}
	var failed []string
	for i := range r.Results {
		s := &r.Results[i]
		if s.Error != "" {
			failed = append(failed, s.Name+": "+s.Error)
			continue
		}
		part := float64(s.Bytes) / float64(largest)
		rows = append(rows, []string{
			s.Name, grouped(int64(s.Bytes)), fmt.Sprintf("%.0f %%", 100*part), bar(part),
			millis(s.Save), millis(s.Load), bar(float64(s.Time()) / float64(slowest)),
			grouped(s.SaveAllocs), grouped(s.LoadAllocs),
		})
	}
	writeTable(&b, rows)
	if len(failed) > 0 {
		b.WriteString("\nnot measured:\n")
		for _, f := range failed {
			b.WriteString("  " + f + "\n")
		}
	}
	b.WriteString("\n" + r.Verdict() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// what says what the file is.
func (r *Report) what() string {
	format := r.Format
	if r.Compression != "" {
		format += " in " + r.Compression
	}
	what := quantity(int64(r.Records), "record") + " of " + format + ", " + quantity(r.Bytes, "byte")
	if r.Sampled {
		what = "a sample, the first " + quantity(int64(r.Records), "record") + ", of " + format + ", " + quantity(r.Bytes, "byte") + " in all"
	}
	if r.Sampled && r.Records == 1 {
		what = "a sample, the beginning of one document of " + format + ", " + quantity(r.Bytes, "byte") + " in all"
	}
	if r.As == "values" {
		return what + ", measured as dynamic values, since " + r.Why
	}
	return what + ", measured as Go structs"
}

// Verdict is the line that says what to choose.
func (r *Report) Verdict() string {
	at := func(name string) *Result {
		for i := range r.Results {
			if r.Results[i].Name == name {
				return &r.Results[i]
			}
		}
		return new(Result)
	}
	c := r.Choose
	size, speed, both := at(c.Size), at(c.Speed), at(c.Both)
	return fmt.Sprintf("choose %s for size (%s bytes), %s for speed (%s ms to save and load), %s for both (%s bytes, %s ms)",
		c.Size, grouped(int64(size.Bytes)), c.Speed, millis(speed.Time()), c.Both, grouped(int64(both.Bytes)), millis(both.Time()))
}

// cells is the length of a whole bar.
const cells = 16

// bar returns a bar for a part of 1.
func bar(part float64) string {
	eighths := max(int(part*cells*8+0.5), 1)
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string(rune('█' + 8 - rest)) // U+2588 is a whole block, U+258F an eighth
	}
	return text + strings.Repeat(" ", cells-utf8.RuneCountInString(text))
}

// writeTable writes rows, the first and the bars to the left, numbers to the right.
func writeTable(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i > 0 {
				line.WriteString("  ")
			}
			if i == 0 {
				line.WriteString(cell + pad)
			} else {
				line.WriteString(pad + cell)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// millis returns a time in milliseconds, in three digits or more.
func millis(d time.Duration) string {
	ms := float64(d) / 1e6
	switch {
	case ms < 1:
		return strconv.FormatFloat(ms, 'f', 3, 64)
	case ms < 10:
		return strconv.FormatFloat(ms, 'f', 2, 64)
	case ms < 100:
		return strconv.FormatFloat(ms, 'f', 1, 64)
	}
	return grouped(int64(ms + 0.5))
}

// grouped returns a number in groups of three digits.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func quantity(n int64, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return grouped(n) + " " + unit
}
