package main

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/weftcodec/weft/bench/figures"
	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/internal/look"
)

// chart is a chart of the rows of one contest.
type chart struct {
	title, group, corpus, op string
	sizes                    bool // of bytes, not of time
}

// chartsOf are the charts beside the tables of docs/figures.md, by the name of the table. Those of headline and alone
// are means of all documents.
var chartsOf = map[string][]chart{
	"headline": {
		{"Read a struct", "json", "", "typed decode", false},
		{"Write it", "json", "", "typed encode", false},
		{"Read into any", "json", "", "any decode", false},
		{"Write that", "json", "", "any encode", false},
	},
	"alone": {
		{"Read a struct", "alone", "", "typed decode", false},
		{"Write it", "alone", "", "typed encode", false},
	},
	"msgpack": {
		{"Write as a map", "msgpack", "record as map", "encode", false},
		{"Read as a map", "msgpack", "record as map", "decode", false},
		{"Write as an array", "msgpack", "record as array", "encode", false},
		{"Read as an array", "msgpack", "record as array", "decode", false},
	},
	"persist": {
		{"Save 20,000 records", "persist", "20000 ModuleIDs, tmpfs", "save", false},
		{"Bytes of the file", "persist", "20000 ModuleIDs, tmpfs", "save", true},
	},
	"optional": {
		{"Fill 1,000 fields", "optional", "big", "fill", false},
		{"Write six fields by weft", "optional", "small", "weft json encode", false},
		{"Write six fields by encoding/json", "optional", "small", "encoding/json encode", false},
		{"Read 1,000 fields by weft", "optional", "big", "weft json decode", false},
	},
	"openapi": {
		{"Read a pet", "openapi", "Pet", "unmarshal", false},
		{"Write a pet", "openapi", "Pet", "marshal", false},
		{"Read 18 MB", "openapi", "18 MB of results", "unmarshal", false},
		{"Write 18 MB", "openapi", "18 MB of results", "marshal", false},
	},
	"cold": {
		{"First read, a pet", "cold", "pet", "first decode", false},
		{"First read, tweets", "cold", "twitter", "first decode", false},
	},
	"schema": {
		{"Write a person", "schema", "person of six fields", "marshal", false},
		{"Read a person", "schema", "person of six fields", "unmarshal", false},
		{"Bytes", "schema", "person of six fields", "marshal", true},
	},
}

// charts draws the charts of a table, "" if it has none.
func (s *site) charts(table string) string {
	var b strings.Builder
	for _, c := range chartsOf[table] {
		bars := s.bars(c)
		if len(bars.Bars) < 2 {
			continue
		}
		note := bars.Title
		if bars.Log {
			note += "; logarithmic axis"
		}
		fmt.Fprintf(&b, "<figure><figcaption><b>%s</b>, %s</figcaption>\n",
			html.EscapeString(c.title), html.EscapeString(note))
		bars.Title = c.title + ", " + note
		b.WriteString(bars.SVG() + "</figure>\n")
	}
	if b.Len() == 0 {
		return ""
	}
	return `<div class="charts">` + "\n" + b.String() + "</div>\n"
}

// bars are those of a chart, the best first.
func (s *site) bars(c chart) look.Bars {
	var out look.Bars
	if c.corpus == "" {
		out = look.Bars{Title: "times encoding/json's speed, longer is better", Log: true, From: 1, Bars: s.means(c)}
		out.Text = func(v float64) string { return fmt.Sprintf("%.3g", v) }
	} else {
		out = look.Bars{Title: "time, shorter is better", Text: harness.Unit}
		if c.sizes {
			out.Title, out.Text = "bytes, shorter is better", func(v float64) string { return thousands(int(v)) }
		}
		for i := range s.report.Rows {
			r := &s.report.Rows[i]
			if r.Group != c.group || r.Corpus != c.corpus || r.Op != c.op || !r.Timed() || c.sizes && r.Size == 0 {
				continue
			}
			b := look.Bar{Name: r.Case, Value: r.Ns.Median, Q1: r.Ns.Q1, Q3: r.Ns.Q3, Ours: r.Ours()}
			if c.sizes {
				b = look.Bar{Name: r.Case, Value: float64(r.Size), Ours: r.Ours()}
			}
			b.Label = out.Text(b.Value)
			out.Bars = append(out.Bars, b)
		}
		out.Log = out.Spread()
	}
	slices.SortStableFunc(out.Bars, func(a, b look.Bar) int {
		if (a.Value < b.Value) == (c.corpus != "") {
			return -1
		}
		return 1
	})
	return out
}

// means are the geometric means of the libraries that read or write all documents, with those of their quartiles.
func (s *site) means(c chart) (list []look.Bar) {
	seen := map[string]bool{"memory alone": true} // which is no library
	_, all := figures.Mean(s.report, c.group, c.op, "weft")
	for i := range s.report.Rows {
		r := &s.report.Rows[i]
		if r.Group != c.group || r.Op != c.op || seen[r.Case] {
			continue
		}
		seen[r.Case] = true
		if m, n := figures.Mean(s.report, c.group, c.op, r.Case); n == all {
			list = append(list, look.Bar{
				Name: r.Case, Label: fmt.Sprintf("%.2f", m.Median), Value: m.Median, Q1: m.Q1, Q3: m.Q3, Ours: r.Ours(),
			})
		}
	}
	return list
}

// thousands prints an integer in groups of three digits.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
