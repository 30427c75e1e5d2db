//go:build unix

package gateway

import (
	"net/http"
	"os"
	"sync"
	"testing"
	"time"
)

// TestSoak loads the gateway for as long as SOAK says, 10m for the figures of docs/flow.md, and looks that goroutines,
// descriptors and the heap do not grow.
func TestSoak(t *testing.T) {
	whole := 3 * time.Second
	if text := os.Getenv("SOAK"); text != "" {
		var err error
		if whole, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	small, large := newTraffic(t, 1<<10), newTraffic(t, 1<<20)
	large.pack.good = func([]byte) bool { return true } // the answer is the small one
	broken := &exchange{method: "POST", path: "/rows", header: small.plain.header, body: []byte(`{"rows":[{`), status: http.StatusBadRequest,
		good: large.pack.good}
	wrong := &exchange{method: "POST", path: "/rows", header: small.plain.header, body: []byte(`{"rows":[{}],"end":true}`),
		status: http.StatusUnprocessableEntity, good: large.pack.good}
	g := newChild(t, "contract", small.upstream)
	const parts = 10
	var first, last usage
	sent := 0
	for part := range parts + 1 { // the first one warms
		until := time.Now().Add(whole / (parts + 1))
		for time.Now().Before(until) {
			var wg sync.WaitGroup
			for _, w := range []struct {
				x        *exchange
				n, conns int
			}{{small.plain, 400, 8}, {small.pack, 400, 8}, {large.pack, 20, 2}, {broken, 40, 4}, {wrong, 40, 4}} {
				sent += w.n
				wg.Go(func() { g.send(t, w.n, w.conns, w.x) })
			}
			wg.Wait()
			if t.Failed() {
				return
			}
		}
		time.Sleep(50 * time.Millisecond) // connections that were closed just now
		last = g.usage(t, "all")
		if part == 0 {
			first = last
		}
		t.Logf("after %d requests: %d goroutines, %d descriptors, heap %d KiB", sent, last.goroutines, last.descriptors, last.heap>>10)
	}
	if last.goroutines > first.goroutines+10 || last.descriptors > first.descriptors+10 || last.heap > first.heap+first.heap/4+2<<20 {
		t.Errorf("it grows: %+v, in the beginning %+v", last, first)
	}
}
