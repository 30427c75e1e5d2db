package look

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestBars(t *testing.T) {
	width := regexp.MustCompile(`<rect class="bar mark[^>]* x="([\d.]+)%" y="\d+" width="([\d.]+)%"`)
	for _, tt := range []struct {
		name       string
		chart      Bars
		x, w       []float64 // of the bars
		spread     int
		tick, wide string
	}{
		{"linear", Bars{Bars: []Bar{{"a", "10", 10, 0, 0, true}, {"b", "5", 5, 4, 6, false}}}, []float64{0, 0},
			[]float64{76, 38}, 3, ">2<", "false"},
		{"ratios", Bars{Log: true, From: 1, Bars: []Bar{{"a", "100", 100, 0, 0, true}, {"b", "10", 10, 0, 0, false}}},
			[]float64{0, 0}, []float64{76, 38}, 0, ">10<", "false"},
		{"slower", Bars{Log: true, From: 1, Bars: []Bar{{"a", "4", 4, 0, 0, true}, {"b", "0.5", 0.5, 0, 0, false}}},
			[]float64{25.7, 1.9}, []float64{50.3, 23.8}, 0, ">1<", "false"},
		{"far apart", Bars{Log: true, Bars: []Bar{{"a<b", "1", 1, 0, 0, false}, {"b", "1000", 1000, 0, 0, false}}},
			[]float64{0, 0}, []float64{7, 76}, 0, ">100<", "true"},
		{"none", Bars{}, nil, nil, 0, "", "false"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			svg := tt.chart.SVG()
			if svg != "" {
				if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
					t.Fatalf("%v\n%s", err, svg)
				}
			}
			found := width.FindAllStringSubmatch(svg, -1)
			if len(found) != len(tt.w) || strings.Count(svg, `class="spread"`) != tt.spread || !strings.Contains(svg, tt.tick) {
				t.Fatalf("%d bars\n%s", len(found), svg)
			}
			for i, m := range found {
				x, _ := strconv.ParseFloat(m[1], 64)
				w, _ := strconv.ParseFloat(m[2], 64)
				if x < tt.x[i]-1 || x > tt.x[i]+1 || w < tt.w[i]-1 || w > tt.w[i]+1 {
					t.Errorf("bar %d at %v of %v, want %v of %v", i, x, w, tt.x[i], tt.w[i])
				}
			}
			if got := fmt.Sprint(tt.chart.Spread()); got != tt.wide {
				t.Errorf("spread %s", got)
			}
		})
	}
}
