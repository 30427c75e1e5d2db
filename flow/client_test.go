package flow_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weftcodec/weft/flow"
)

const retrying = `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: client}}}
- kind: client
  name: client
  url: ["${A}", "${B}"]
  balance: ${BALANCE:-round-robin}
  timeout: 300ms
  retry: {tries: 3, backoff: 1ms, budget: "${BUDGET:-1}"}
  breaker: {failures: 3, cooldown: "${COOLDOWN:-1h}"}
`

// TestRetry counts the tries of a service that fails at first.
func TestRetry(t *testing.T) {
	var tries atomic.Int32
	var status atomic.Int32
	var body atomic.Pointer[string]
	failing := backend(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		s := string(text)
		body.Store(&s)
		if tries.Add(1) < 3 {
			w.WriteHeader(int(status.Load()))
		}
		fmt.Fprint(w, "ok")
	})
	for _, tt := range []struct {
		name, line, body string
		status, want     int
		tries            int32
	}{
		{"GET", "GET /", "", 503, 200, 3},
		{"PUT", "PUT /", "body", 502, 200, 3},
		{"POST is not repeated", "POST /", "body", 503, 503, 1},
		{"500 is an answer", "GET /", "", 500, 500, 1},
		{"large bodies are not kept", "PUT /", strings.Repeat("x", 100<<10), 503, 503, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			front, _ := serve(t, retrying, env("A", failing, "B", failing))
			tries.Store(0)
			status.Store(int32(tt.status))
			resp, text := request(t, front, tt.line, nil, tt.body)
			if resp.StatusCode != tt.want || tries.Load() != tt.tries || text != "ok" || *body.Load() != tt.body {
				t.Errorf("%s %q, %d tries", resp.Status, text, tries.Load())
			}
		})
	}
}

// TestBudget checks that tries beside the first are a share of the requests.
func TestBudget(t *testing.T) {
	var tries atomic.Int32
	failing := backend(t, func(w http.ResponseWriter, _ *http.Request) {
		tries.Add(1)
		w.WriteHeader(503)
	})
	front, _ := serve(t, strings.Replace(retrying, "breaker", "x-breaker", 1), env("A", failing, "B", failing, "BUDGET", "0.1"))
	for range 100 {
		request(t, front, "GET /", nil, "")
	}
	if n := tries.Load(); n < 115 || n > 121 { // 10 saved up, and 10 earned
		t.Errorf("%d tries for 100 requests", n)
	}
}

// TestBreaker has one place that fails: it is left alone, and asked again later. With both failing the answer is 503.
func TestBreaker(t *testing.T) {
	var bad, good atomic.Int32
	var works atomic.Bool
	a := backend(t, func(w http.ResponseWriter, _ *http.Request) {
		bad.Add(1)
		if !works.Load() {
			w.WriteHeader(500)
		}
	})
	b := backend(t, func(http.ResponseWriter, *http.Request) { good.Add(1) })
	front, _ := serve(t, retrying, env("A", a, "B", b, "COOLDOWN", "100ms"))
	failed := 0
	for range 20 {
		if resp, _ := request(t, front, "GET /", nil, ""); resp.StatusCode != 200 {
			failed++
		}
	}
	if failed < 3 || failed > 4 || good.Load() < 16 { // a slow machine may ask once more
		t.Errorf("%d failed, %d and %d requests", failed, bad.Load(), good.Load())
	}
	works.Store(true)
	time.Sleep(120 * time.Millisecond)
	before := bad.Load()
	for range 10 {
		request(t, front, "GET /", nil, "")
	}
	if bad.Load() < before+4 {
		t.Errorf("%d requests after it works again", bad.Load()-before)
	}
	front, _ = serve(t, retrying, env("A", "http://127.0.0.1:1", "B", "http://127.0.0.1:1"))
	var resp *http.Response
	for range 5 {
		resp, _ = request(t, front, "GET /", nil, "")
	}
	if resp.StatusCode != 503 || resp.Header.Get("Retry-After") != "3600" {
		t.Errorf("%s %v", resp.Status, resp.Header)
	}
}

// TestBalance checks that several places share the work.
func TestBalance(t *testing.T) {
	for _, balance := range []string{"round-robin", "least", "random"} {
		t.Run(balance, func(t *testing.T) {
			var n [2]atomic.Int32
			count := func(i int) string {
				return backend(t, func(http.ResponseWriter, *http.Request) { n[i].Add(1) })
			}
			front, _ := serve(t, retrying, env("A", count(0), "B", count(1), "BALANCE", balance))
			for range 100 {
				request(t, front, "GET /", nil, "")
			}
			a, b := n[0].Load(), n[1].Load()
			if a+b != 100 || a < 20 || b < 20 || balance == "round-robin" && a != 50 {
				t.Errorf("%d and %d requests", a, b)
			}
		})
	}
}

// TestSlow has a service that does not answer in time, and one that breaks off.
func TestSlow(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold) // before the services are closed
	slow := backend(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hold:
		case <-r.Context().Done():
		}
	})
	front, _ := serve(t, retrying, env("A", slow, "B", slow, "BUDGET", "0.001"))
	if resp, _ := request(t, front, "POST /", nil, "x"); resp.StatusCode != 504 {
		t.Errorf("%s", resp.Status)
	}
	broken := backend(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100000")
		_, _ = w.Write(make([]byte, 50000))
	})
	front, _ = serve(t, retrying, env("A", broken, "B", broken))
	resp, err := http.Get(front)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if n, err := io.Copy(io.Discard, resp.Body); err == nil {
		t.Errorf("%d bytes of a broken answer pass for the whole", n)
	}
}

// TestErrorPort answers what goes wrong in a client by a node of the document.
func TestErrorPort(t *testing.T) {
	front, _ := serve(t, `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: client}}}
- {kind: client, name: client, url: "http://127.0.0.1:1", links: {error: {name: sorry}}}
- {kind: snippet, name: sorry, lang: expr, code: '{"sorry": error.node, "status": error.status}'}
`, flow.Drain(time.Second))
	resp, text := request(t, front, "GET /", nil, "")
	if resp.StatusCode != 502 || text != `{"sorry":"client","status":502}` {
		t.Errorf("%s %s", resp.Status, text)
	}
}

// TestEarlyAnswer has a service that answers before the request ends, which goes on.
func TestEarlyAnswer(t *testing.T) {
	service := backend(t, func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		err := c.EnableFullDuplex()
		_, _ = io.WriteString(w, strings.Repeat(" ", 100<<10))
		if err := errors.Join(err, c.Flush()); err != nil {
			t.Error(err)
		}
		text, err := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s, %v", text, err)
	})
	front, _ := serve(t, `
- {kind: http, name: server, address: "127.0.0.1:0", h2c: true, links: {out: {name: client}}}
- {kind: client, name: client, url: "${A}"}
`, env("A", service))
	tr := &http.Transport{Protocols: new(http.Protocols)}
	tr.Protocols.SetUnencryptedHTTP2(true)
	defer tr.CloseIdleConnections()
	body, in := io.Pipe()
	req, err := http.NewRequest("POST", front, body)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.WriteString(in, "first, ") }()
	resp, err := tr.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	_, _ = io.WriteString(in, "second")
	in.Close()
	if text, err := io.ReadAll(resp.Body); err != nil || strings.TrimSpace(string(text)) != "first, second, <nil>" {
		t.Errorf("%q, %v", text, err)
	}
}
