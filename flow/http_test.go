package flow_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weftcodec/weft/flow"
	"github.com/weftcodec/weft/internal/sample"
)

const gateway = `
- kind: http
  name: server
  address: "127.0.0.1:0"
  maxBody: 1000B
  maxHeader: 4KiB
  maxInFlight: 2
  timeout: ${TIMEOUT:-2s}
  headerTimeout: 200ms
  readTimeout: 400ms
  idleTimeout: 300ms
  links: {out: {name: client}}
- {kind: client, name: client, url: "${UPSTREAM}/base/", timeout: 1s}
`

// TestRaw sends what no client of net/http would: texts with requests that are to be refused, and that must
// not become other requests to the service behind.
func TestRaw(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	url := backend(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // a request that was broken off
		}
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, fmt.Sprintf("%s %s %s te=%v", r.Method, r.RequestURI, body, r.TransferEncoding))
		fmt.Fprint(w, "ok")
	})
	front, _ := serve(t, gateway, env("UPSTREAM", url))
	chunked := "Transfer-Encoding: chunked\r\n"
	for _, tt := range []struct {
		name, send string
		status     string // of the first answer, "" for a connection that is closed without one
		seen       string // what the service saw
	}{
		{"plain", "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", "200", "GET /base/x  te=[]"},
		// Chunks count (RFC 9112 §6.3): the service sees two requests as well, each with one length.
		{"length and chunks",
			"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n" + chunked + "\r\n0\r\n\r\nGET /admin HTTP/1.1\r\nHost: a\r\n\r\n", "200",
			"POST /base/x  te=[chunked]\nGET /base/admin  te=[]"},
		{"two lengths", "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde", "400", ""},
		{"length with a sign", "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc", "400", ""},
		{"blank before colon", "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n", "400", ""},
		{"other coding", "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", "501", ""},
		{"chunk size", "POST /x HTTP/1.1\r\nHost: a\r\n" + chunked + "\r\nzz\r\nabc\r\n0\r\n\r\n", "400", ""},
		{"chunk extension",
			"POST /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + chunked + "\r\n3;x=y\r\nabc\r\n0\r\n\r\n", "200",
			"POST /base/x abc te=[chunked]"},
		{"two hosts", "GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400", ""},
		{"no host", "GET /x HTTP/1.1\r\n\r\n", "400", ""},
		{"line in a header", "GET /x HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", "400", ""},
		{"dots", "GET /a/../admin HTTP/1.1\r\nHost: a\r\n\r\n", "400", ""},
		{"dots escaped", "GET /a/%2e%2e/admin HTTP/1.1\r\nHost: a\r\n\r\n", "400", ""},
		{"dots with slashes escaped", "GET /a%2f..%2fadmin HTTP/1.1\r\nHost: a\r\n\r\n", "400", ""},
		{"slash escaped", "GET /a%2fb HTTP/1.1\r\nHost: a\r\n\r\n", "200", "GET /base/a%2fb  te=[]"},
		{"bad escape", "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", "400", ""},
		{"star", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "200", ""},
		{"whole address", "GET http://other/x HTTP/1.1\r\nHost: a\r\n\r\n", "200", "GET /base/x  te=[]"},
		{"header too long", "GET /x HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("a", 10<<10) + "\r\n\r\n", "431", ""},
		{"body too long", "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n", "413", ""},
		{"body too long in chunks", "POST /x HTTP/1.1\r\nHost: a\r\n" + chunked + "\r\n7d0\r\n" + strings.Repeat("a",
			2000) + "\r\n0\r\n\r\n", "413", ""},
		{"hop by hop",
			"GET /x HTTP/1.1\r\nHost: a\r\nConnection: X-Secret, close\r\nX-Secret: 1\r\nUpgrade: websocket\r\n\r\n", "200",
			"GET /base/x  te=[]"},
		{"slow header", "GET /x HTTP/1.1\r\nHost: a\r\nX: ", "", ""},
		{"slow body", "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc", "408", ""},
		{"not HTTP", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", "400", ""},
		{"HTTP/2 that is not on", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mu.Lock()
			seen = nil
			mu.Unlock()
			conn, err := net.Dial("tcp", strings.TrimPrefix(front, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
			if _, err := io.WriteString(conn, tt.send); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(conn).ReadString('\n')
			got := ""
			if err == nil {
				got = strings.Fields(line)[1]
			}
			if err != nil && !errors.Is(err, io.EOF) && !strings.Contains(err.Error(), "reset") {
				t.Errorf("%v", err)
			}
			for range 100 { // a second request may be in progress
				mu.Lock()
				all := strings.Join(seen, "\n")
				mu.Unlock()
				if all == tt.seen {
					break
				}
				time.Sleep(time.Millisecond)
			}
			mu.Lock()
			defer mu.Unlock()
			if all := strings.Join(seen,
				"\n"); got != tt.status || tt.seen != "" && all != tt.seen || tt.seen == "" && strings.Contains(all, "admin") {
				t.Errorf("answer %q, the service saw %q", line, all)
			}
		})
	}
}

// TestProxy holds what a client node passes on, and what not.
func TestProxy(t *testing.T) {
	var got http.Header
	url := backend(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Clone()
		got.Set("Host", r.Host)
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "a/b")
		w.Header().Set("Connection", "X-Hop")
		w.Header().Set("X-Hop", "1")
		w.Header().Set("X-Kept", "2")
		w.Header().Add("Set-Cookie", "a=1")
		w.Header().Add("Set-Cookie", "b=2")
		w.WriteHeader(203)
		_, _ = w.Write(append([]byte(r.RequestURI+" "), body...))
	})
	front, _ := serve(t, gateway, env("UPSTREAM", url))
	resp, text := request(t, front, "POST /a/b%20c?d=%20e", http.Header{
		"Content-Type": {"text/x"}, "Content-Encoding": {"br"}, "X-Forwarded-For": {"1.2.3.4"}, "Forwarded": {"for=1.2.3.4"}, "Te": {"gzip"},
		"Proxy-Authorization": {"x"}, "Authorization": {"y"}, "Host": {"public.example"}, "X-Mine": {"1", "2"},
	}, "body")
	if resp.StatusCode != 203 || text != "/base/a/b%20c?d=%20e body" {
		t.Errorf("%s %q", resp.Status, text)
	}
	delete(resp.Header, "Date")
	want := fmt.Sprintf("map[Content-Length:[%d] Content-Type:[a/b] Set-Cookie:[a=1 b=2] X-Kept:[2]]", len(text))
	if fmt.Sprint(resp.Header) != want {
		t.Errorf("answer %v", resp.Header)
	}
	want = "map[Authorization:[y] Content-Encoding:[br] Content-Length:[4] Content-Type:[text/x] Host:[" +
		strings.TrimPrefix(url, "http://") + "] User-Agent:[Go-http-client/1.1] X-Forwarded-For:[127.0.0.1] " +
		"X-Forwarded-Host:[public.example] X-Forwarded-Proto:[http] X-Mine:[1 2]]"
	if fmt.Sprint(got) != want {
		t.Errorf("request\n%v, want\n%s", got, want)
	}
}

// TestBusy has more requests than a server takes, and one that takes too long.
func TestBusy(t *testing.T) {
	hold := make(chan struct{})
	url := backend(t, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-hold:
		case <-r.Context().Done():
		}
	})
	front, _ := serve(t, gateway, env("UPSTREAM", url, "TIMEOUT", "300ms"))
	var wg sync.WaitGroup
	statuses := make(chan int, 10)
	for range 10 {
		wg.Go(func() {
			resp, err := http.Get(front)
			if err != nil {
				t.Error(err)
				return
			}
			resp.Body.Close()
			statuses <- resp.StatusCode
		})
	}
	wg.Wait()
	close(statuses)
	close(hold)
	count := make(map[int]int)
	for s := range statuses {
		count[s]++
	}
	if count[503] != 8 || count[504] != 2 {
		t.Errorf("%v", count)
	}
}

// TestDrain stops a flow while a request is in progress: it is answered, and new ones are not taken.
func TestDrain(t *testing.T) {
	began, hold := make(chan struct{}), make(chan struct{})
	url := backend(t, func(w http.ResponseWriter, _ *http.Request) {
		close(began)
		<-hold
		fmt.Fprint(w, "done")
	})
	f, err := flow.Parse("f.yaml", []byte(gateway), env("UPSTREAM", url))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	for f.Addr("server") == nil {
		time.Sleep(time.Millisecond)
	}
	front := "http://" + f.Addr("server").String()
	answer := make(chan string)
	go func() {
		resp, err := http.Get(front)
		if err != nil {
			answer <- err.Error()
			return
		}
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		answer <- string(text)
	}()
	<-began
	stop()
	for range 200 {
		if _, err := net.Dial("tcp", strings.TrimPrefix(front, "http://")); err != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if _, err := http.Get(front); err == nil {
		t.Error("a new request is taken")
	}
	close(hold)
	if text := <-answer; text != "done" {
		t.Errorf("answer %q", text)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestDrainTooLong stops a flow whose request takes longer than it may.
func TestDrainTooLong(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	url := backend(t, func(http.ResponseWriter, *http.Request) { <-hold })
	f, err := flow.Parse("f.yaml", []byte(gateway), env("UPSTREAM", url, "TIMEOUT", "10s"),
		flow.Drain(50*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	for f.Addr("server") == nil {
		time.Sleep(time.Millisecond)
	}
	go func() { _, _ = http.Get("http://" + f.Addr("server").String()) }()
	time.Sleep(50 * time.Millisecond)
	stop()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "deadline exceeded") {
		t.Errorf("%v", err)
	}
}

// TestHandler has a flow in a server of the program.
func TestHandler(t *testing.T) {
	f, err := flow.Parse("f.yaml", []byte(`
- {kind: http, name: server, address: ":1", links: {out: {name: pong}}}
- {kind: snippet, name: pong, code: pong}
`))
	if err != nil {
		t.Fatal(err)
	}
	if f.Handler("pong") != nil || f.Handler("none") != nil {
		t.Error("a handler of what is not a server")
	}
	w := httptest.NewRecorder()
	f.Handler("server").ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if w.Code != 200 || w.Body.String() != "pong" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestGoroutines checks that a request of many nodes takes no goroutine of its own, and that nothing is left of a flow that ended.
func TestGoroutines(t *testing.T) {
	document := "- {kind: http, name: server, address: '127.0.0.1:0', links: {out: {name: n0}}}\n"
	for i := range 50 {
		document += fmt.Sprintf("- {kind: map, name: n%d, links: {out: {name: n%d}}}\n", i, i+1)
	}
	document += "- {kind: snippet, name: n50, lang: expr, code: 'path'}\n"
	before := runtime.NumGoroutine()
	f, err := flow.Parse("f.yaml", []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines for a graph", n-before)
	}
	h := f.Handler("server")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/x", nil))
	if n := runtime.NumGoroutine(); n > before || w.Body.String() != `"/x"` {
		t.Errorf("%d goroutines for a request, %s", n-before, w.Body)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := f.Run(ctx); err != nil {
		t.Error(err)
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	var b bytes.Buffer
	b.Grow(1 << 20)
	text := b.AvailableBuffer()[:1<<20]
	t.Errorf("goroutines are left:\n%s", text[:runtime.Stack(text, true)])
}

// TestAllocations bounds what a request to a graph of three nodes allocates.
func TestAllocations(t *testing.T) {
	if sample.Race {
		t.Skip("the race detector allocates")
	}
	f, err := flow.Load("testdata/ping.yaml")
	if err != nil {
		t.Fatal(err)
	}
	h, r := f.Handler("server"), httptest.NewRequest("GET", "/ping", nil)
	w := &discard{h: make(http.Header)}
	if n := testing.AllocsPerRun(1000, func() { h.ServeHTTP(w, r) }); n > 3 {
		t.Errorf("%v allocations", n)
	}
}

// discard is a response that nobody reads.
type discard struct{ h http.Header }

func (d *discard) Header() http.Header         { return d.h }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(int)             {}

// TestLog holds what the log says of a failure.
func TestLog(t *testing.T) {
	log := new(logged)
	front, _ := serve(t, gateway, env("UPSTREAM", "http://127.0.0.1:1"), log.option())
	resp, text := request(t, front, "GET /", http.Header{"X-Request-Id": {"r7"}}, "")
	if resp.StatusCode != 502 || text != `{"title":"Bad Gateway","status":502}` {
		t.Errorf("%s %s", resp.Status, text)
	}
	line := log.String()
	for _, want := range []string{"level=ERROR", "node=client", "status=502", "connection refused", "request=r7"} {
		if !strings.Contains(line, want) {
			t.Errorf("%s is not in %s", want, line)
		}
	}
}
