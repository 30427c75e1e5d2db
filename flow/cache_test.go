package flow_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weftcodec/weft/flow"
)

const caching = `
- {kind: http, name: server, address: ":1", links: {out: {name: cache}}}
- {kind: cache, name: cache, ttl: "${TTL:-0s}", maxBody: 1KiB, maxSize: 4KiB, key: 'header["x-who"]', links: {out: {name: api}}}
- {kind: client, name: api, url: "${UPSTREAM}"}
`

// TestCache has two requests, the second of which the cache answers or not.
func TestCache(t *testing.T) {
	for _, tt := range []struct {
		name          string
		ttl           string
		header        string // of the answers
		status        int
		first, second string // method, path and headers
		want          int    // requests at the service
		code          int    // of the second answer
	}{
		{"nothing said", "0s", "", 200, "GET /", "GET /", 2, 200},
		{"nothing said, a ttl", "1m", "", 200, "GET /", "GET /", 1, 200},
		{"max-age", "0s", "Cache-Control: max-age=60", 200, "GET /", "GET /", 1, 200},
		{"max-age 0", "1m", "Cache-Control: max-age=0", 200, "GET /", "GET /", 2, 200},
		{"s-maxage", "1m", "Cache-Control: max-age=60, s-maxage=0", 200, "GET /", "GET /", 2, 200},
		{"too old already", "0s", "Cache-Control: max-age=60; Age: 60", 200, "GET /", "GET /", 2, 200},
		{"Expires", "0s", "Expires: Wed, 21 Oct 2099 07:28:00 GMT", 200, "GET /", "GET /", 1, 200},
		{"has expired", "1m", "Expires: 0", 200, "GET /", "GET /", 2, 200},
		{"private", "1m", "Cache-Control: private", 200, "GET /", "GET /", 2, 200},
		{"no-store", "1m", "Cache-Control: No-Store", 200, "GET /", "GET /", 2, 200},
		{"a cookie", "1m", "Set-Cookie: a=b", 200, "GET /", "GET /", 2, 200},
		{"not found", "1m", "", 404, "GET /", "GET /", 1, 404},
		{"an error", "1m", "", 500, "GET /", "GET /", 2, 500},
		{"another path", "1m", "", 200, "GET /", "GET /b", 2, 200},
		{"another query", "1m", "", 200, "GET /?a", "GET /?b", 2, 200},
		{"another key", "1m", "", 200, "GET / X-Who:a", "GET / X-Who:b", 2, 200},
		{"the same key", "1m", "", 200, "GET / X-Who:a", "GET / X-Who:a", 1, 200},
		{"POST", "1m", "", 200, "POST /", "POST /", 2, 200},
		{"POST makes it old", "1m", "", 200, "POST / GET", "GET /", 3, 200},
		{"the client wants it anew", "1m", "", 200, "GET /", "GET / Cache-Control:no-cache", 2, 200},
		{"for one user", "1m", "", 200, "GET / Authorization:a", "GET / Authorization:a", 2, 200},
		{"Vary", "1m", "Vary: Accept-Language", 200, "GET / Accept-Language:en", "GET / Accept-Language:de", 2, 200},
		{"Vary, the same", "1m", "Vary: Accept-Language", 200, "GET / Accept-Language:en", "GET / Accept-Language:en", 1, 200},
		{"Vary by all", "1m", "Vary: *", 200, "GET /", "GET /", 2, 200},
		{"the client has it", "1m", `ETag: "x"`, 200, "GET /", `GET / If-None-Match:W/"x"`, 1, 304},
		{"the client has another", "1m", `ETag: "x"`, 200, "GET /", `GET / If-None-Match:"y"`, 1, 200},
		{"too long", "1m", "X-Long: 2000", 200, "GET /", "GET /", 2, 200},
		{"too long, of no length", "1m", "X-Long: 9000", 200, "GET /", "GET /", 2, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var n atomic.Int32
			upstream := backend(t, func(w http.ResponseWriter, r *http.Request) {
				long := 0
				for h := range strings.SplitSeq(tt.header, "; ") {
					name, v, _ := strings.Cut(h, ": ")
					w.Header().Set(name, v)
					if name == "X-Long" {
						_, _ = fmt.Sscan(v, &long)
					}
				}
				w.WriteHeader(tt.status)
				fmt.Fprintf(w, "%d%s", n.Add(1), strings.Repeat("x", long))
			})
			f, err := flow.Parse("f.yaml", []byte(caching), env("UPSTREAM", upstream, "TTL", tt.ttl))
			if err != nil {
				t.Fatal(err)
			}
			ask := func(line string) *httptest.ResponseRecorder {
				parts := strings.Fields(line)
				r := httptest.NewRequest(parts[0], parts[1], nil)
				for _, h := range parts[2:] {
					name, v, _ := strings.Cut(h, ":")
					r.Header.Set(name, v)
				}
				w := httptest.NewRecorder()
				f.Handler("server").ServeHTTP(w, r)
				return w
			}
			if tt.first == "POST / GET" {
				ask("GET /")
				tt.first = "POST /"
			}
			ask(tt.first)
			w := ask(tt.second)
			if int(n.Load()) != tt.want || w.Code != tt.code {
				t.Errorf("%d requests at the service, %d", n.Load(), w.Code)
			}
			if body := w.Body.String(); w.Code == 200 && !strings.HasPrefix(body, fmt.Sprint(tt.want)) {
				t.Errorf("%.20q", body)
			}
			if hit := w.Header().Get("Age") != "" && tt.name != "too old already"; hit != (n.Load() == 1) {
				t.Errorf("%v", w.Header())
			}
		})
	}
}

// TestCacheChanged: what was asked for before something has changed is not answered any more, whichever headers it is for.
func TestCacheChanged(t *testing.T) {
	var n atomic.Int32
	var slow atomic.Pointer[chan struct{}]
	asks := make(chan struct{}, 1)
	upstream := backend(t, func(w http.ResponseWriter, r *http.Request) {
		text := fmt.Sprint(n.Load(), r.Header.Get("Accept-Language"))
		if r.Method == "POST" {
			n.Add(1)
		} else if c := slow.Swap(nil); c != nil {
			asks <- struct{}{}
			<-*c
		}
		w.Header().Set("Vary", "Accept-Language")
		_, _ = io.WriteString(w, text)
	})
	front, _ := serve(t, strings.Replace(caching, `":1"`, `"127.0.0.1:0"`, 1), env("UPSTREAM", upstream, "TTL", "1m"))
	ask := func(language, want string) {
		t.Helper()
		if _, text := request(t, front, "GET /", http.Header{"Accept-Language": {language}}, ""); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
	ask("en", "0en")
	ask("de", "0de")
	request(t, front, "POST /", nil, "")
	ask("en", "1en")
	ask("de", "1de")
	c := make(chan struct{})
	slow.Store(&c)
	var wg sync.WaitGroup
	wg.Go(func() { ask("fr", "1fr") })
	<-asks
	request(t, front, "POST /", nil, "")
	close(c)
	wg.Wait()
	ask("fr", "2fr")
	ask("fr", "2fr")
}

// TestCacheTogether has many requests at a time, one of which is asked, and then so many answers that some are dropped.
func TestCacheTogether(t *testing.T) {
	var n atomic.Int32
	upstream := backend(t, func(w http.ResponseWriter, r *http.Request) {
		n.Add(1)
		time.Sleep(50 * time.Millisecond)
		_, _ = io.WriteString(w, r.URL.Path+strings.Repeat("x", 500))
	})
	front, _ := serve(t, strings.Replace(caching, `":1"`, `"127.0.0.1:0"`, 1), env("UPSTREAM", upstream, "TTL", "1m"))
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if resp, text := request(t, front, "GET /a", nil, ""); resp.StatusCode != 200 || !strings.HasPrefix(text, "/ax") {
				t.Errorf("%s %q", resp.Status, text)
			}
		})
	}
	wg.Wait()
	if n.Load() != 1 {
		t.Errorf("%d requests at the service", n.Load())
	}
	for i := range 8 {
		request(t, front, fmt.Sprintf("GET /%d", i), nil, "")
	}
	request(t, front, "GET /7", nil, "")
	request(t, front, "GET /a", nil, "")
	if n.Load() != 10 {
		t.Errorf("%d requests at the service, want 10", n.Load())
	}
}

// TestThrottle has requests at times, and whether they pass.
func TestThrottle(t *testing.T) {
	for _, tt := range []struct {
		name, fields string
		times        string // in ms, each with the key
		want         string // the status of each, and how long it took in ms
	}{
		{"rate", "rate: 2", "0a 0a 0a 499a 501a 501a", "200 200 429 429 200 429"},
		{"burst", "rate: 1, burst: 3", "0a 0a 0a 0a 10000a 10000a 10000a 10000a", "200 200 200 429 200 200 200 429"},
		{"slow", "rate: 1, per: 1h", "0a 1800000a 3600001a", "200 429 200"},
		{"keys", "rate: 1, key: 'header[\"x-key\"]'", "0a 0b 0a 0b 1001b", "200 200 429 429 200"},
		{"all together", "rate: 1", "0a 0b", "200 429"},
		{"wait", "rate: 10, burst: 1, wait: 250ms", "0a 0a 0a 0a 0a", "200 200/100 200/200 429 429"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, err := flow.Parse("f.yaml", []byte(`
- {kind: http, name: server, address: ":1", links: {out: {name: throttle}}}
- {kind: throttle, name: throttle, `+tt.fields+`, links: {out: {name: pong}}}
- {kind: snippet, name: pong, code: pong}
`))
				if err != nil {
					t.Fatal(err)
				}
				begin, times := time.Now(), strings.Fields(tt.times)
				got := make([]string, len(times))
				var wg sync.WaitGroup
				for i, at := range times {
					var ms int
					var key string
					_, _ = fmt.Sscanf(at, "%d%s", &ms, &key)
					time.Sleep(time.Until(begin.Add(time.Duration(ms) * time.Millisecond)))
					wg.Go(func() {
						r, w, sent := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder(), time.Now()
						r.Header.Set("X-Key", key)
						f.Handler("server").ServeHTTP(w, r)
						got[i] = fmt.Sprint(w.Code)
						if d := time.Since(sent); d > 0 {
							got[i] += fmt.Sprintf("/%d", d.Milliseconds())
						}
						if (w.Code == 429) != (w.Header().Get("Retry-After") != "") {
							t.Errorf("%v", w.Header())
						}
					})
					synctest.Wait()
				}
				wg.Wait()
				if s := strings.Join(got, " "); s != tt.want {
					t.Errorf("%s, want %s", s, tt.want)
				}
			})
		})
	}
}

// TestKeptOverReload checks that a reload forgets neither what has passed, nor answers while the document is the same.
func TestKeptOverReload(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f.yaml")
	write := func(code string) {
		t.Helper()
		text := `
- {kind: http, name: server, address: ":1", links: {out: {name: throttle}}}
- {kind: throttle, name: throttle, rate: 3, per: 1h, links: {out: {name: cache}}}
- {kind: cache, name: cache, ttl: 1h, links: {out: {name: now}}}
- {kind: snippet, name: now, lang: expr, code: ` + code + `}
`
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("now().UnixNano()")
	f, err := flow.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	ask := func() (int, string) {
		w := httptest.NewRecorder()
		f.Handler("server").ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		return w.Code, w.Body.String()
	}
	_, first := ask()
	if err := f.Reload(); err != nil {
		t.Fatal(err)
	}
	if code, again := ask(); code != 200 || again != first {
		t.Errorf("%d, %s after %s", code, again, first)
	}
	write("1")
	if err := f.Reload(); err != nil {
		t.Fatal(err)
	}
	if code, text := ask(); code != 200 || text != "1" {
		t.Errorf("%d, %s of the document before", code, text)
	}
	if code, _ := ask(); code != 429 {
		t.Errorf("%d, want 429", code)
	}
}
