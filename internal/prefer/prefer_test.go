package prefer

import "testing"

func TestQuality(t *testing.T) {
	for _, tt := range []struct {
		header, name string
		want         float64
	}{
		{"application/json", "application/json", 1},
		{"Application/JSON; charset=utf-8; Q=0.5", "application/json", 0.5},
		{"application/*;q=0.2, */*;q=0.1", "application/cbor", 0.2},
		{"*/*;q=0.1", "application/cbor", 0.1},
		{"application/json;q=0, */*", "application/json", 0},
		{"text/html", "application/json", 0},
		{"gzip;q=2, *;q=0.3", "gzip", 1},
		{", ,;", "gzip", 0},
	} {
		t.Run(tt.header, func(t *testing.T) {
			if got := Quality(Parse([]string{tt.header}), tt.name); got != tt.want {
				t.Errorf("%s: %g, want %g", tt.name, got, tt.want)
			}
		})
	}
}
