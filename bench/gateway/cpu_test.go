//go:build unix

package gateway

import (
	"fmt"
	"testing"
)

// TestPing compares the document ping with servers of one handler: with a connection for each request, as ab has it, and
// with connections that are kept. Without GATEWAY_CPU=ping few requests are sent: all answer the same.
func TestPing(t *testing.T) {
	times, n := 1, 64
	if measuring("ping") {
		times, n = 5, 10000
	}
	names := []string{"net/http", "ping", "chi", "fasthttp"}
	var kept, fresh []run
	for _, name := range names {
		c := newChild(t, name, "")
		x := exchange{method: "GET", path: "/ping", good: func(b []byte) bool { return string(b) == "pong" }}
		once := x
		once.once = true
		kept, fresh = append(kept, run{name, c, &x}), append(fresh, run{name, c, &once})
	}
	for _, mode := range []struct {
		name string
		n    int
		runs []run
	}{{"connections kept", n, kept}, {"a connection for each", min(n, 2048), fresh}} {
		cost, ratio := rounds(t, times, mode.n, 64, mode.runs...)
		for i, name := range names {
			t.Logf("%s, %s: %.1f µs, %.2f of net/http", mode.name, name, cost[i], ratio[i])
		}
		if measuring("ping") && ratio[1] > 1.3 {
			t.Errorf("%s: %.2f of net/http, expected at most 1.3", mode.name, ratio[1])
		}
	}
}

// TestGateway compares gateways with httputil.ReverseProxy for bodies of several sizes: JSON passed on, clients with
// MessagePack and zstd, and all of it checked by an OpenAPI document; beside them a proxy that does nothing but the compression,
// and two that check by kin-openapi and by libopenapi-validator. Without GATEWAY_CPU only that they do the same is tested.
func TestGateway(t *testing.T) {
	for _, size := range []int{1 << 10, 100 << 10, 10 << 20} {
		name, times, n := fmt.Sprintf("%d KiB", size>>10), 1, 4
		if measuring(name) {
			times, n = 5, min(max(40<<20/size, 4), 2000)
		} else if size > 1<<20 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			tr := newTraffic(t, size)
			p, g, c := newChild(t, "proxy", tr.upstream), newChild(t, "gateway", tr.upstream), newChild(t, "contract", tr.upstream)
			z, k := newChild(t, "proxy+zstd", tr.upstream), newChild(t, "proxy+kin", tr.upstream)
			b := newChild(t, "proxy+pb33f", tr.upstream)
			compare := func(times, n int, runs ...run) {
				cost, ratio := rounds(t, times, n, 4, runs...)
				for i, r := range runs {
					t.Logf("%s, %s: %.0f µs, %.2f", name, r.name, cost[i], ratio[i])
				}
			}
			compare(times, n, run{"ReverseProxy", p, tr.plain}, run{"gateway, JSON passed on", g, tr.plain},
				run{"gateway, MessagePack with zstd", g, tr.pack}, run{"the same, checked", c, tr.pack},
				run{"ReverseProxy and zstd", z, tr.zipped})
			compare(min(times, 3), max(n/20, 2), run{"ReverseProxy, fewer requests", p, tr.plain}, run{"JSON, checked", c, tr.plain},
				run{"JSON, checked by kin-openapi", k, tr.plain}, run{"JSON, checked by libopenapi-validator", b, tr.plain})
		})
	}
}
