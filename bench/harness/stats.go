package harness

import (
	"math"
	"slices"
)

// Spread is a sample reduced to its median, quartiles and extremes.
type Spread struct {
	Median float64 `json:"median"`
	Q1     float64 `json:"q1"`
	Q3     float64 `json:"q3"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// spreadOf reduces a sample. The sample is not changed. An empty sample gives
// the zero Spread.
func spreadOf(sample []float64) Spread {
	if len(sample) == 0 {
		return Spread{}
	}
	s := slices.Clone(sample)
	slices.Sort(s)
	return Spread{
		Median: quantile(s, 0.5),
		Q1:     quantile(s, 0.25),
		Q3:     quantile(s, 0.75),
		Min:    s[0],
		Max:    s[len(s)-1],
	}
}

// quantile interpolates linearly between the neighbours of rank q*(n-1) in a
// sorted sample.
func quantile(sorted []float64, q float64) float64 {
	r := q * float64(len(sorted)-1)
	i := int(r)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	f := r - float64(i)
	return sorted[i]*(1-f) + sorted[i+1]*f
}

// pairedRatios divides a by b round by round.
func pairedRatios(a, b []float64) []float64 {
	r := make([]float64, min(len(a), len(b)))
	for i := range r {
		r[i] = a[i] / b[i]
	}
	return r
}

// GeoMean returns the geometric mean of the positive values of v, or 0 when
// there are none.
func GeoMean(v []float64) float64 {
	sum, n := 0.0, 0
	for _, x := range v {
		if x > 0 {
			sum += math.Log(x)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return math.Exp(sum / float64(n))
}
