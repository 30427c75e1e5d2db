package compare

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"

	"github.com/weftcodec/weft/internal/look"
)

// WriteHTML writes the report as a page that needs no other file: a plot of size
// over time, and the table.
func (r *Report) WriteHTML(w io.Writer) error {
	var b strings.Builder
	title := html.EscapeString(r.File)
	fmt.Fprintf(&b, page, title, look.Style, title, html.EscapeString(r.what()), html.EscapeString(r.Verdict()))
	r.plot(&b)
	b.WriteString("<div class=\"scroll\">\n<table>\n<tr><th></th><th>format</th><th colspan=\"2\">bytes</th><th>save ms</th><th>load ms</th><th></th><th>save allocs</th><th>load allocs</th></tr>\n")
	largest, slowest := r.most()
	for i := range r.Results {
		s := &r.Results[i]
		if s.Error != "" {
			fmt.Fprintf(&b, "<tr><td></td><td>%s</td><td colspan=\"7\" class=\"error\">%s</td></tr>\n", html.EscapeString(s.Name), html.EscapeString(s.Error))
			continue
		}
		fmt.Fprintf(&b, "<tr><td>%d</td><td>%s</td><td class=\"n\">%s</td><td>%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td><td>%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td></tr>\n",
			i+1, html.EscapeString(s.Name), grouped(int64(s.Bytes)), htmlBar("size", float64(s.Bytes)/largest),
			millis(s.Save), millis(s.Load), htmlBar("save", float64(s.Save)/slowest)+htmlBar("load", float64(s.Load)/slowest),
			grouped(s.SaveAllocs), grouped(s.LoadAllocs))
	}
	b.WriteString("</table>\n</div>\n</main>\n</body>\n</html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func htmlBar(class string, part float64) string {
	return fmt.Sprintf("<i class=\"%s\" style=\"width:%.1fpx\"></i>", class, 120*part)
}

// most returns the largest size and the longest time.
func (r *Report) most() (size, time float64) {
	for i := range r.Results {
		size = math.Max(size, float64(r.Results[i].Bytes))
		time = math.Max(time, float64(r.Results[i].Time()))
	}
	return size, time
}

// plot draws a point for each result, with its number: the time to save and load
// to the right, the size upwards.
func (r *Report) plot(b *strings.Builder) {
	const width, height, left, bottom = 640, 360, 80, 40
	size, time := r.most()
	size, time = niceCeil(size), niceCeil(time/1e6)
	x := func(ms float64) float64 { return left + ms/time*(width-left-20) }
	y := func(n float64) float64 { return height - bottom - n/size*(height-bottom-20) }
	fmt.Fprintf(b, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"size over time\">\n", width, height, width, height)
	for i := range 5 {
		part := float64(i) / 4
		fmt.Fprintf(b, "<path class=\"grid\" d=\"M%.1f %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
			x(0), y(part*size), width-20, left-8, y(part*size)+4, grouped(int64(part*size)))
		fmt.Fprintf(b, "<path class=\"grid\" d=\"M%.1f %.1fV20\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
			x(part*time), y(0), x(part*time), height-bottom+18, trimmed(part*time))
	}
	fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">ms to save and load</text><text x=\"%d\" y=\"14\" text-anchor=\"end\">bytes</text>\n", width-20, height-4, left-8)
	for i := range r.Results {
		s := &r.Results[i]
		if s.Error != "" {
			continue
		}
		px, py := x(float64(s.Time())/1e6), y(float64(s.Bytes))
		fmt.Fprintf(b, "<g><title>%s: %s bytes, %s ms</title><circle cx=\"%.1f\" cy=\"%.1f\" r=\"9\"/><text class=\"point\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%d</text></g>\n",
			html.EscapeString(s.Name), grouped(int64(s.Bytes)), millis(s.Time()), px, py, px, py+4, i+1)
	}
	b.WriteString("</svg>\n")
}

// niceCeil returns the next of 1, 2, 4, 6, 8 times a power of ten.
func niceCeil(f float64) float64 {
	if f <= 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(f)))
	for _, n := range []float64{1, 2, 4, 6, 8} {
		if f <= n*unit {
			return n * unit
		}
	}
	return 10 * unit
}

// trimmed returns a number without superfluous zeros.
func trimmed(f float64) string { return fmt.Sprintf("%.4g", f) }

const page = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>weft compare: %s</title>
<style>
%s
:root { --size: light-dark(#3b6ea5, #6fa3dc); --save: light-dark(#c47f17, #dba046); --load: light-dark(#6f8f33, #9cbf58); }
th, td { white-space: nowrap; }
td.error { white-space: normal; }
i { display: inline-block; height: .8em; }
i.size { background: var(--size); }
i.save { background: var(--save); }
i.load { background: var(--load); }
svg { height: auto; font-size: 12px; }
svg circle { fill: var(--size); }
svg text.point { fill: light-dark(white, #15181c); }
</style>
</head>
<body>
<main class="report">
<h1>%s</h1>
<p>%s</p>
<p><strong>%s</strong></p>
`
