package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
)

// Report gathers the tables of one run.
type Report struct {
	Date      string   `json:"date"` // of its end, in UTC
	Env       Env      `json:"env"`
	Config    Config   `json:"config"`
	Summaries []string `json:"summaries"`
	// Skipped has a line for everything that could not be measured.
	Skipped []string `json:"skipped,omitempty"`
	Rows    []Row    `json:"rows"`
}

// WriteJSON writes the report as one JSON document, a row on a line.
func (r *Report) WriteJSON(w io.Writer) error {
	head := *r
	head.Rows = []Row{}
	text, err := json.MarshalIndent(head, "", "  ")
	if err != nil {
		return err
	}
	b := bytes.NewBuffer(bytes.TrimSuffix(text, []byte("[]\n}")))
	for i := range r.Rows {
		row, err := json.Marshal(r.Rows[i].rounded())
		if err != nil {
			return err
		}
		b.WriteString(map[bool]string{true: "[\n", false: ",\n"}[i == 0])
		b.Write(row)
	}
	if len(r.Rows) == 0 {
		b.WriteByte('[')
	}
	b.WriteString("\n]}\n")
	_, err = b.WriteTo(w)
	return err
}

// ReadJSON reads what [Report.WriteJSON] wrote.
func ReadJSON(text []byte) (*Report, error) {
	r := new(Report)
	return r, json.Unmarshal(text, r)
}

// rounded returns the row with as many digits as its figures deserve.
func (r Row) rounded() Row {
	for _, s := range []*Spread{&r.Ns, &r.Ratio} {
		for _, v := range []*float64{&s.Median, &s.Q1, &s.Q3, &s.Min, &s.Max} {
			*v = significant(*v)
		}
	}
	for _, v := range []*float64{&r.MBs, &r.Allocs, &r.BOp, &r.Ahead} {
		*v = significant(*v)
	}
	return r
}

// significant keeps four digits.
func significant(v float64) float64 {
	if v == 0 {
		return 0
	}
	p := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*p) / p
}

// Find returns a row, or nil.
func (r *Report) Find(group, corpus, op, name string) *Row {
	for i := range r.Rows {
		if x := &r.Rows[i]; x.Group == group && x.Corpus == corpus && x.Op == op && x.Case == name {
			return x
		}
	}
	return nil
}

// header holds the column titles of every table.
var header = []string{"library", "class", "ns/op", "MB/s", "B/op", "allocs", "size", "ratio", "spread", ""}

// cells returns the printed columns of a row.
func (r *Row) cells() []string {
	if !r.Timed() {
		return []string{r.Case, r.Class, "-", "-", "-", "-", "-", "-", "-", "NOT EQUAL: " + oneLine(r.Failed)}
	}
	mb, size, ratio, spread, mark := "", "", "", "", ""
	if r.Ahead > 0 {
		mark = fmt.Sprintf("AHEAD of weft x%.2f", r.Ahead)
	}
	if r.MBs > 0 {
		mb = fmt.Sprintf("%.0f", r.MBs)
	}
	if r.Size > 0 {
		size = fmt.Sprint(r.Size)
	}
	if r.Ratio.Median > 0 {
		ratio = fmt.Sprintf("%.2f", r.Ratio.Median)
		spread = fmt.Sprintf("%.2f..%.2f", r.Ratio.Q1, r.Ratio.Q3)
	}
	if r.Noisy {
		mark = strings.TrimSpace(mark + " noisy")
	}
	if r.Note != "" {
		mark = strings.TrimSpace(mark + " " + r.Note)
	}
	return []string{r.Case, r.Class, ns(r.Ns.Median), mb, fmt.Sprintf("%.0f", r.BOp), fmt.Sprintf("%.4g", r.Allocs), size, ratio, spread, mark}
}

// oneLine shortens an error to something that fits a table.
func oneLine(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "|", "¦")
	if len(s) > 160 {
		s = s[:160] + "…"
	}
	return s
}

// ns prints nanoseconds with as many digits as they deserve.
func ns(v float64) string {
	if v < 100 {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// title names the contest a row belongs to.
func (r *Row) title() string { return strings.TrimSpace(r.Corpus + " " + r.Op) }

// WriteText prints the rows of one or more contests as aligned tables, one
// table a contest.
func WriteText(w io.Writer, rows []Row) error {
	return eachTable(rows, func(title string, rows []Row) error {
		table := [][]string{header}
		for i := range rows {
			table = append(table, rows[i].cells())
		}
		width := make([]int, len(header))
		for _, row := range table {
			for i, c := range row {
				width[i] = max(width[i], len([]rune(c)))
			}
		}
		if _, err := fmt.Fprintf(w, "\n%s\n", title); err != nil {
			return err
		}
		for _, row := range table {
			var b strings.Builder
			for i, c := range row {
				pad := strings.Repeat(" ", width[i]-len([]rune(c)))
				if i < 2 || i == len(row)-1 {
					b.WriteString("  " + c + pad)
				} else {
					b.WriteString("  " + pad + c)
				}
			}
			if _, err := fmt.Fprintln(w, strings.TrimRight(b.String(), " ")); err != nil {
				return err
			}
		}
		return nil
	})
}

// WriteMarkdown prints the whole report as Markdown.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Benchmark tables\n\n")
	fmt.Fprintf(&b, "%s; ratio = times faster than the first row, median and quartiles of the per-round ratios. "+
		"`AHEAD of weft` marks every row of another library that is faster than weft's; `noisy` one whose quartiles are more than 10 %% apart.\n\n", r.Config)
	if r.Date != "" {
		fmt.Fprintf(&b, "    %s\n", r.Date)
	}
	for line := range strings.Lines(r.Env.String()) {
		fmt.Fprintf(&b, "    %s", line)
	}
	for _, line := range r.Skipped {
		fmt.Fprintf(&b, "\n%s\n", line)
	}
	err := eachTable(r.Rows, func(title string, rows []Row) error {
		fmt.Fprintf(&b, "\n## %s: %s\n\n", rows[0].Group, title)
		b.WriteString("| " + strings.Join(header, " | ") + " |\n")
		b.WriteString("|---|---|" + strings.Repeat("---:|", len(header)-3) + "---|\n")
		for i := range rows {
			b.WriteString("| " + strings.Join(rows[i].cells(), " | ") + " |\n")
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.WriteString("\n## Summary\n\n")
	for _, s := range r.Summaries {
		fmt.Fprintf(&b, "    %s\n", s)
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// eachTable calls f for every run of rows that belong to one contest.
func eachTable(rows []Row, f func(title string, rows []Row) error) error {
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].Group == rows[0].Group && rows[n].title() == rows[0].title() {
			n++
		}
		if err := f(rows[0].title(), rows[:n]); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}
