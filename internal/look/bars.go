package look

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Bars is a bar chart of positive values with their spread.
type Bars struct {
	Title string
	Log   bool                   // the axis is logarithmic; bars begin at 1 if From is 1
	From  float64                // where bars begin on a logarithmic axis, 0 to choose
	Text  func(v float64) string // prints a value of the axis
	Bars  []Bar
}

// Bar is a value, and the quartiles around it, which are 0 where there are none.
type Bar struct {
	Name, Label   string
	Value, Q1, Q3 float64
	Ours          bool
}

const (
	barRow  = 36 // height of a bar with its name
	barPart = 76 // per cent of the width that the longest bar takes
)

// Spread reports whether values differ so much that only a logarithmic axis shows them all.
func (c *Bars) Spread() bool {
	lo, hi := math.Inf(1), 0.0
	for _, b := range c.Bars {
		if b.Value > 0 {
			lo, hi = min(lo, b.Value), max(hi, b.Value)
		}
	}
	return hi > 20*lo
}

// SVG draws the chart. Its text keeps its size in narrow windows.
func (c *Bars) SVG() string {
	lo, hi := math.Inf(1), 0.0
	for _, b := range c.Bars {
		if b.Value > 0 {
			lo, hi = min(lo, b.Value), max(hi, b.Value, b.Q3)
		}
	}
	if hi == 0 {
		return ""
	}
	from := 0.0
	if c.Log {
		if from = c.From; from == 0 {
			from = floorNice(lo * 0.8)
		}
		if lo < from {
			lo *= 0.95
		} else {
			lo = from
		}
	}
	at := func(v float64) float64 { // per cent of the width
		switch {
		case !c.Log:
			return v / hi * barPart
		case v <= lo:
			return 0
		}
		return math.Log(v/lo) / math.Log(hi/lo) * barPart
	}
	height := len(c.Bars)*barRow + 24
	var alt, b strings.Builder
	alt.WriteString(c.Title + ".")
	for _, x := range c.Bars {
		fmt.Fprintf(&alt, " %s: %s.", x.Name, x.Label)
	}
	fmt.Fprintf(&b, `<svg class="chart" width="100%%" height="%d" role="img" aria-label="%s">`+"\n",
		height, html.EscapeString(alt.String()))
	for _, v := range ticks(lo, hi, c.Log) {
		fmt.Fprintf(&b, `<line class="grid" x1="%.2f%%" x2="%.2f%%" y1="0" y2="%d"/>`, at(v), at(v), height-20)
		anchor := "middle"
		if at(v) < 3 {
			anchor = "start"
		}
		fmt.Fprintf(&b, `<text class="faint" x="%.2f%%" y="%d" text-anchor="%s">%s</text>`+"\n",
			at(v), height-6, anchor, html.EscapeString(c.text(v)))
	}
	for i, x := range c.Bars {
		y := i * barRow
		left, right := min(at(from), at(x.Value)), max(at(from), at(x.Value))
		class := "bar mark"
		if x.Ours {
			class += " ours"
		}
		title := x.Name + ": " + x.Label
		if x.Q1 > 0 && x.Q3 > x.Q1 {
			title += ", quartiles " + c.text(x.Q1) + " and " + c.text(x.Q3)
		}
		fmt.Fprintf(&b, `<g><title>%s</title><text x="0" y="%d">%s</text>`,
			html.EscapeString(title), y+14, html.EscapeString(x.Name))
		fmt.Fprintf(&b, `<rect class="%s" x="%.2f%%" y="%d" width="%.2f%%" height="11" rx="1"/>`,
			class, left, y+19, max(0.4, right-left))
		end := right
		if x.Q1 > 0 && x.Q3 > x.Q1 {
			q1, q3 := at(x.Q1), at(x.Q3)
			end = max(end, q3)
			fmt.Fprintf(&b, `<line class="spread" x1="%.2f%%" x2="%.2f%%" y1="%d" y2="%d"/>`, q1, q3, y+24, y+24)
			for _, q := range []float64{q1, q3} {
				fmt.Fprintf(&b, `<line class="spread" x1="%.2f%%" x2="%.2f%%" y1="%d" y2="%d"/>`, q, q, y+21, y+28)
			}
		}
		fmt.Fprintf(&b, `<text class="faint" x="%.2f%%" dx="6" y="%d">%s</text></g>`+"\n",
			end, y+29, html.EscapeString(x.Label))
	}
	b.WriteString("</svg>")
	return b.String()
}

func (c *Bars) text(v float64) string {
	if c.Text == nil {
		return fmt.Sprintf("%.3g", v)
	}
	return c.Text(v)
}

// floorNice returns the next of 1, 2, 5 times a power of ten below v.
func floorNice(v float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{5, 2} {
		if m*p <= v {
			return m * p
		}
	}
	return p
}

// ticks returns about four round values of an axis.
func ticks(lo, hi float64, log bool) (list []float64) {
	if !log {
		step := floorNice(hi / 3)
		for v := 0.0; v <= hi; v += step {
			list = append(list, v)
		}
		return list
	}
	factors := []float64{1}
	switch decades := math.Log10(hi / lo); {
	case decades < 1.5:
		factors = []float64{1, 2, 5}
	}
	for p := math.Floor(math.Log10(lo)); p <= math.Log10(hi); p++ {
		for _, m := range factors {
			if v := m * math.Pow(10, p); v >= lo*0.999 && v <= hi {
				list = append(list, v)
			}
		}
	}
	return list
}
