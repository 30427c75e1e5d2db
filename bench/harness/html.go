package harness

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"
	"sync"

	"github.com/weftcodec/weft/bench/clock"
	"github.com/weftcodec/weft/internal/look"
)

//go:embed report.html
var htmlText string

// htmlPage is parsed when it is first needed.
var htmlPage = sync.OnceValue(func() *template.Template { return template.Must(template.New("report").Parse(htmlText)) })

// The measures of charts, in the units of the SVG's view box.
const (
	plotWidth  = 640
	plotHeight = 300
	plotLeft   = 60
	plotBottom = 30
)

// htmlReport is what the page shows.
type htmlReport struct {
	Style     template.CSS
	Env       string
	Method    string
	Summaries []string
	Skipped   []string
	Groups    []htmlGroup
}

// htmlGroup is a group of tables.
type htmlGroup struct {
	Name   string
	Tables []htmlTable
}

// htmlTable is one contest: a table, a chart of its times, one of the memory it takes, and one of size
// against time where sizes differ.
type htmlTable struct {
	Title  string
	Header []string
	Rows   []htmlRow
	Speed  template.HTML
	Memory template.HTML
	Plot   *plot
}

type htmlRow struct {
	Ours, Ahead bool
	Cells       []htmlCell
}

// htmlCell is a cell, and the number to sort it by.
type htmlCell struct {
	Text string
	Sort string
}

// plot is a scatter plot with logarithmic axes.
type plot struct {
	Title, XTitle, YTitle string
	Width, Height         int
	Points                []point
	XTicks, YTicks        []tick
}

type point struct {
	Name, Label string
	X, Y        float64
	Ours        bool
}

type tick struct {
	Label string
	At    float64
}

// WriteHTML writes the report as one page that needs nothing else: tables that can be sorted by a click on
// a column's title, and charts.
func (r *Report) WriteHTML(w io.Writer) error {
	page := htmlReport{
		Style:     template.CSS(look.Style),
		Env:       strings.TrimSpace(r.Date + "\n" + r.Env.String()),
		Method:    fmt.Sprintf("%s; %s; ratio = times faster than the first row, median and quartiles of the rounds.", r.Config, clock.Name),
		Summaries: r.Summaries,
		Skipped:   r.Skipped,
	}
	err := eachTable(r.Rows, func(title string, rows []Row) error {
		if n := len(page.Groups); n == 0 || page.Groups[n-1].Name != rows[0].Group {
			page.Groups = append(page.Groups, htmlGroup{Name: rows[0].Group})
		}
		g := &page.Groups[len(page.Groups)-1]
		g.Tables = append(g.Tables, htmlTableOf(title, rows))
		return nil
	})
	if err != nil {
		return err
	}
	return htmlPage().Execute(w, page)
}

func htmlTableOf(title string, rows []Row) htmlTable {
	t := htmlTable{Title: title, Header: header}
	for i := range rows {
		r := &rows[i]
		row := htmlRow{Ours: r.Ours(), Ahead: r.Ahead > 0}
		values := []float64{-1, -1, r.Ns.Median, r.MBs, r.BOp, r.Allocs, float64(r.Size), r.Ratio.Median, -1, -1}
		for k, text := range r.cells() {
			cell := htmlCell{Text: text}
			if values[k] >= 0 && r.Timed() {
				cell.Sort = fmt.Sprint(values[k])
			}
			row.Cells = append(row.Cells, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	t.Speed = bars(title+": time, shorter is better", rows, func(r *Row) look.Bar {
		return look.Bar{Value: r.Ns.Median, Q1: r.Ns.Q1, Q3: r.Ns.Q3, Label: Unit(r.Ns.Median)}
	}, Unit)
	t.Memory = bars(title+": memory allocated", rows, func(r *Row) look.Bar {
		return look.Bar{Value: r.BOp, Label: fmt.Sprintf("%.0f B in %.4g", r.BOp, r.Allocs)}
	}, func(v float64) string { return fmt.Sprintf("%.0f B", v) })
	t.Plot = sizePlot(title+": size and time", rows)
	return t
}

// Unit prints nanoseconds in the unit that suits them.
func Unit(ns float64) string {
	switch {
	case ns >= 1e9:
		return fmt.Sprintf("%.3g s", ns/1e9)
	case ns >= 1e6:
		return fmt.Sprintf("%.3g ms", ns/1e6)
	case ns >= 1e3:
		return fmt.Sprintf("%.3g µs", ns/1e3)
	}
	return fmt.Sprintf("%.3g ns", ns)
}

// bars draws a value of each timed row, "" where all are zero.
func bars(title string, rows []Row, bar func(*Row) look.Bar, text func(float64) string) template.HTML {
	c := look.Bars{Title: title, Text: text}
	for i := range rows {
		if r := &rows[i]; r.Timed() {
			b := bar(r)
			b.Name, b.Ours = r.Case, r.Ours()
			c.Bars = append(c.Bars, b)
		}
	}
	c.Log = c.Spread()
	return template.HTML(c.SVG())
}

// sizePlot draws size against time, where there are at least three sizes.
func sizePlot(title string, rows []Row) *plot {
	sizes := make(map[int]bool)
	var xs, ys span
	for i := range rows {
		if r := &rows[i]; r.Timed() && r.Size > 0 && r.Ns.Median > 0 {
			sizes[r.Size] = true
			xs.add(float64(r.Size))
			ys.add(r.Ns.Median)
		}
	}
	if len(sizes) < 3 {
		return nil
	}
	p := &plot{Title: title, XTitle: "bytes", YTitle: "time", Width: plotWidth, Height: plotHeight}
	x := func(v float64) float64 { return plotLeft + xs.at(v)*(plotWidth-plotLeft-110) }
	y := func(v float64) float64 { return plotHeight - plotBottom - ys.at(v)*(plotHeight-plotBottom-20) }
	for i := range rows {
		if r := &rows[i]; r.Timed() && r.Size > 0 && r.Ns.Median > 0 {
			p.Points = append(p.Points, point{Name: r.Case, Label: fmt.Sprintf("%d bytes, %s", r.Size, Unit(r.Ns.Median)), X: x(float64(r.Size)), Y: y(r.Ns.Median), Ours: r.Ours()})
		}
	}
	for _, v := range xs.ticks() {
		p.XTicks = append(p.XTicks, tick{fmt.Sprintf("%.3g", v), x(v)})
	}
	for _, v := range ys.ticks() {
		p.YTicks = append(p.YTicks, tick{Unit(v), y(v)})
	}
	return p
}

// span is the range of a logarithmic axis.
type span struct{ lo, hi float64 }

func (s *span) add(v float64) {
	if s.lo == 0 || v < s.lo {
		s.lo = v
	}
	s.hi = max(s.hi, v)
}

// at returns where v is, from 0 to 1.
func (s *span) at(v float64) float64 {
	if s.hi <= s.lo {
		return 0.5
	}
	return math.Log(v/s.lo) / math.Log(s.hi/s.lo)
}

// ticks returns 1, 2 and 5 times the powers of ten within the range, and both its ends where there
// are none.
func (s *span) ticks() []float64 {
	var ticks []float64
	for p := math.Floor(math.Log10(s.lo)); p <= math.Log10(s.hi); p++ {
		for _, m := range []float64{1, 2, 5} {
			if v := m * math.Pow(10, p); v >= s.lo && v <= s.hi {
				ticks = append(ticks, v)
			}
		}
	}
	if len(ticks) < 2 {
		return []float64{s.lo, s.hi}
	}
	return ticks
}
