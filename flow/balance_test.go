package flow

import (
	"testing"
	"time"
)

// TestDoubled: waits grow up to the longest one, however long they are.
func TestDoubled(t *testing.T) {
	for _, tt := range []struct {
		d, most time.Duration
		n       int
		want    time.Duration
	}{
		{time.Second, time.Minute, 1, time.Second},
		{time.Second, time.Minute, 4, 8 * time.Second},
		{time.Second, time.Minute, 100, time.Minute},
		{time.Hour, time.Minute, 1, time.Minute},
		{10 * time.Hour, 100 * time.Hour, 30, 100 * time.Hour},
		{0, time.Hour, 30, 0},
	} {
		if got := doubled(tt.d, tt.most, tt.n); got != tt.want {
			t.Errorf("%v, at most %v, after %d tries: %v, want %v", tt.d, tt.most, tt.n, got, tt.want)
		}
	}
}
