package flow

import (
	"fmt"
	"html"
	"slices"
	"strings"
)

// edge is a link as it is drawn.
type edge struct {
	from, to int // nodes by index
	port     string
}

// edges returns the links of the current graph.
func (g *graph) edges() []edge {
	var all []edge
	for i, n := range g.nodes {
		for _, p := range n.outs {
			for _, to := range p.to {
				all = append(all, edge{i, slices.Index(g.nodes, to), p.name})
			}
		}
	}
	return all
}

// Mermaid returns the graph of the document as a Mermaid flowchart.
func (f *Flow) Mermaid() string {
	g := f.acquire()
	defer g.release()
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for i, n := range g.nodes {
		fmt.Fprintf(&b, "    n%d[\"%s<br/><small>%s</small>\"]\n", i, mermaidText(n.spec.name), n.spec.kind.name)
	}
	for _, e := range g.edges() {
		arrow := "-->"
		if e.port == "error" {
			arrow = "-.->"
		}
		if e.port == "out" {
			fmt.Fprintf(&b, "    n%d %s n%d\n", e.from, arrow, e.to)
		} else {
			fmt.Fprintf(&b, "    n%d %s|\"%s\"| n%d\n", e.from, arrow, mermaidText(e.port), e.to)
		}
	}
	return b.String()
}

// mermaidText returns s as text in quotes, in which Mermaid knows entities.
func mermaidText(s string) string {
	return strings.NewReplacer("#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "\n", " ").Replace(s)
}

const (
	boxWidth, boxHeight = 150, 44
	gapWidth, gapHeight = 90, 24
	margin              = 20
)

// columns returns the column of each node: behind all that lead to it.
func (g *graph) columns(edges []edge) []int {
	at := make([]int, len(g.nodes))
	for range g.nodes { // a circle through a queue ends after as many rounds
		moved := false
		for _, e := range edges {
			if at[e.to] < at[e.from]+1 && at[e.from]+1 < len(g.nodes) && e.to != e.from {
				at[e.to], moved = at[e.from]+1, true
			}
		}
		if !moved {
			break
		}
	}
	return at
}

// SVG returns the graph of the document as a picture.
func (f *Flow) SVG() string {
	g := f.acquire()
	defer g.release()
	edges := g.edges()
	columns := g.columns(edges)
	rows, tall := make(map[int]int), 1
	type place struct{ x, y int }
	places := make([]place, len(g.nodes))
	wide := 0
	for i := range g.nodes {
		col := columns[i]
		places[i] = place{margin + col*(boxWidth+gapWidth), margin + rows[col]*(boxHeight+gapHeight)}
		rows[col]++
		tall, wide = max(tall, rows[col]), max(wide, col+1)
	}
	width, height := 2*margin+wide*(boxWidth+gapWidth)-gapWidth, 2*margin+tall*(boxHeight+gapHeight)-gapHeight
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n",
		width, height, width, height)
	b.WriteString(`<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">` +
		`<path d="M0 0L8 4L0 8z" fill="#567"/></marker></defs>` + "\n")
	for _, e := range edges {
		from, to := places[e.from], places[e.to]
		x1, y1, x2, y2 := from.x+boxWidth, from.y+boxHeight/2, to.x, to.y+boxHeight/2
		bend := max((x2-x1)/2, gapWidth/2)
		style := ""
		if e.port == "error" {
			style = ` stroke-dasharray="4 3"`
		}
		fmt.Fprintf(&b, `<path d="M%d %dC%d %d %d %d %d %d" fill="none" stroke="#567"%s marker-end="url(#tip)"/>`+"\n",
			x1, y1, x1+bend, y1, x2-bend, y2, x2, y2, style)
		if e.port != "out" {
			fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle" font-size="10" fill="#567">%s</text>`+"\n",
				(x1+x2)/2, (y1+y2)/2-4, html.EscapeString(e.port))
		}
	}
	for i, n := range g.nodes {
		p := places[i]
		fmt.Fprintf(&b, `<g><rect x="%d" y="%d" width="%d" height="%d" rx="6" fill="#f4f7fa" stroke="#345"/>`, p.x, p.y,
			boxWidth, boxHeight)
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle" font-weight="bold">%s</text>`, p.x+boxWidth/2, p.y+19,
			html.EscapeString(cut(n.spec.name, 20)))
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle" fill="#567">%s</text></g>`+"\n", p.x+boxWidth/2, p.y+35,
			n.spec.kind.name)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// cut shortens s to n characters.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
