package flow_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weftcodec/weft/flow"
)

// serve runs a document whose server is called server at an address of its own, and returns its URL.
func serve(t testing.TB, document string, opts ...flow.Option) (string, *flow.Flow) {
	t.Helper()
	f, err := flow.Parse("flow.yaml", []byte(document), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return start(t, f), f
}

// start runs f until the test ends, and returns the URL of its node server.
func start(t testing.TB, f *flow.Flow) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	for range 1000 {
		if a := f.Addr("server"); a != nil {
			return "http://" + a.String()
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("nothing listens")
	return ""
}

// env makes an environment of pairs of name and value.
func env(pairs ...string) flow.Option {
	return flow.Env(func(name string) (string, bool) {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	})
}

// backend serves h until the test ends.
func backend(t testing.TB, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// request is one request of a table: "METHOD /path", headers and a body.
func request(t testing.TB, url, line string, header http.Header, body string) (*http.Response, string) {
	t.Helper()
	method, path, _ := strings.Cut(line, " ")
	req, err := http.NewRequest(method, url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		req.Header = header
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	resp, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

// logged is a log that tests read.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *logged) option() flow.Option {
	return flow.Log(slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug})))
}

// TestPing runs the documents that began it all, as they stand in testdata.
func TestPing(t *testing.T) {
	for _, tt := range []struct{ file, node string }{
		{"testdata/ping.yaml", "server"},
		{"testdata/ping_today.yaml", "listener"},
	} {
		t.Run(tt.file, func(t *testing.T) {
			anywhere := flow.Listen(func(network, address string) (net.Listener, error) {
				if address != ":8000" {
					t.Errorf("listens at %s", address)
				}
				return net.Listen(network, "127.0.0.1:0")
			})
			f, err := flow.Load(tt.file, anywhere, env("PORT", "8000"))
			if err != nil {
				t.Fatal(err)
			}
			if w := f.Warnings(); len(w) > 0 {
				t.Errorf("warnings: %v", w)
			}
			ctx, stop := context.WithCancel(context.Background())
			done := make(chan error)
			go func() { done <- f.Run(ctx) }()
			for f.Addr(tt.node) == nil {
				time.Sleep(time.Millisecond)
			}
			resp, text := request(t, "http://"+f.Addr(tt.node).String(), "GET /ping", nil, "")
			if resp.StatusCode != 200 || text != "pong" || resp.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
				t.Errorf("%s %q %v", resp.Status, text, resp.Header)
			}
			stop()
			if err := <-done; err != nil {
				t.Error(err)
			}
			if err := f.Run(ctx); err == nil {
				t.Error("it ran twice")
			}
		})
	}
}

// exchange is a row of a table of requests and answers.
type exchange struct {
	line, header, body string // header is "Name: value", several with | between them
	status             int
	want               string // text of the answer
	wantHeader         string // "Name: value"
}

func (e exchange) run(t *testing.T, url string) {
	t.Run(e.line, func(t *testing.T) {
		t.Helper()
		h := make(http.Header)
		for line := range strings.SplitSeq(e.header, "|") {
			if name, v, ok := strings.Cut(line, ": "); ok {
				h.Add(name, v)
			}
		}
		resp, text := request(t, url, e.line, h, e.body)
		if resp.StatusCode != e.status || text != e.want {
			t.Errorf("%d %s, want %d %s", resp.StatusCode, text, e.status, e.want)
		}
		if name, v, ok := strings.Cut(e.wantHeader, ": "); ok && strings.Join(resp.Header[name], "|") != v {
			t.Errorf("%s: %q, want %q", name, resp.Header[name], v)
		}
	})
}

func TestRoute(t *testing.T) {
	url, _ := serve(t, `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: route}}}
- kind: route
  name: route
  routes:
  - {method: GET, path: /, port: "out[0]"}
  - {method: GET, path: /users/:id, port: "out[1]"}
  - {method: put, path: "/users/{id}", port: "out[2]"}
  - {method: GET, path: /users/me, port: "out[3]"}
  - {path: /files/*, port: "out[4]"}
  - {path: "/deep/{a}/x/{rest...}", port: "out[4]"}
  - {path: "/deep/{b}/y", port: "out[4]"}
  - {path: /trailing/, port: "out[0]"}
  links:
    out[0]: {name: root}
    out[1]: {name: params}
    out[2]: {name: params}
    out[3]: {name: root}
    out[4]: {name: params}
- {kind: snippet, name: root, code: root}
- {kind: snippet, name: params, lang: expr, code: params}
`)
	for _, e := range []exchange{
		{line: "GET /", status: 200, want: "root"},
		{line: "HEAD /", status: 200},
		{line: "GET /users/7", status: 200, want: `{"id":"7"}`},
		{line: "PUT /users/7?x=1", status: 200, want: `{"id":"7"}`},
		{line: "GET /users/a%2Fb%20c", status: 200, want: `{"id":"a/b c"}`},
		{line: "GET /users/me", status: 200, want: "root"},
		{line: "GET /users/m%65", status: 200, want: "root"},
		{line: "GET /users/", status: 404, want: `{"title":"Not Found","status":404,"detail":"no route for /users/"}`},
		{line: "GET /users/7/8", status: 404, want: `{"title":"Not Found","status":404,"detail":"no route for /users/7/8"}`},
		{
			line: "DELETE /users/7", status: 405, want: `{"title":"Method Not Allowed","status":405,"detail":"no DELETE for /users/7"}`,
			wantHeader: "Allow: GET, PUT",
		},
		{line: "GET /files/", status: 200, want: `{"*":""}`},
		{line: "DELETE /files/a/b.txt", status: 200, want: `{"*":"a/b.txt"}`},
		{line: "GET /deep/1/x/2/3", status: 200, want: `{"a":"1","rest":"2/3"}`},
		{line: "GET /deep/1/y", status: 200, want: `{"b":"1"}`},
		{line: "GET /trailing/", status: 200, want: "root"},
		{line: "GET /trailing", status: 404, want: `{"title":"Not Found","status":404,"detail":"no route for /trailing"}`},
	} {
		e.run(t, url)
	}
}

// TestNodes has the nodes that compute.
func TestNodes(t *testing.T) {
	url, _ := serve(t, `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: route}}}
- kind: route
  name: route
  routes:
  - {path: /json, port: "out[0]"}
  - {path: /yaml, port: "out[1]"}
  - {path: /expr, port: "out[2]"}
  - {path: /switch, port: "out[3]"}
  - {path: /if, port: "out[4]"}
  - {path: /map, port: "out[5]"}
  - {path: /fork, port: "out[6]"}
  - {path: /queue, port: "out[7]"}
  - {path: /caught, port: "out[8]"}
  - {path: /echo, port: "out[9]"}
  - {path: /answer, port: "out[10]"}
  links:
    out[0]: {name: json}
    out[1]: {name: yaml}
    out[2]: {name: expr}
    out[3]: {name: switch}
    out[4]: {name: if}
    out[5]: {name: map}
    out[6]: [{name: json}, {name: yaml}, {name: expr}]
    out[7]: {name: queue}
    out[8]: {name: failing}
    out[9]: {name: server, port: io}
    out[10]: {name: answer}
- {kind: snippet, name: json, lang: json, code: '{"n": 12345678901234567890.5, "l": [1, null]}', status: 201,
	header: {x-made: here}}
- kind: snippet
  name: yaml
  language: yaml
  code: |
    a: 1
    b: [x, 1.5, true, null, "${HOME}"]
- {kind: snippet, name: expr, lang: expr,
	code: '{"sum": body.a + body.list[1], "name": body.user?.name, "q": query.q, "m": method, "h": header["x-a"]}'}
- kind: switch
  name: switch
  matches:
  - {when: body.n > 10, port: "out[0]"}
  - {when: 'body.n > 5 and method == "POST"', port: "out[1]"}
  links: {"out[0]": {name: large}, "out[1]": {name: middle}}
- {kind: snippet, name: large, code: large}
- {kind: snippet, name: middle, code: middle}
- {kind: if, name: if, when: '"admin" in body.roles', links: {"out[0]": {name: large}}}
- kind: map
  name: map
  set: {user.age: body.age + 1, tags: 'map(body.tags, upper(#))'}
  remove: [secret]
- kind: queue
  name: queue
  links: {out: {name: large}}
- {kind: switch, name: failing, matches: [{when: 'body.x / 2 > 1', port: "out[0]"}], links: {"out[0]": {name: large},
	error: {name: caught}}}
- {kind: snippet, name: caught, lang: expr, code: '{"node": error.node, "status": error.status}', status: 422}
- {kind: map, name: answer, on: answer, status: 203, set: {extra: 'status'}, header: {x-made: 'nil',
	x-new: '"a" + string(status)'}, links: {out: {name: json}}}
`)
	j := "Content-Type: application/json"
	for _, e := range []exchange{
		{line: "GET /json", status: 201, want: `{"n":12345678901234567890.5,"l":[1,null]}`, wantHeader: "X-Made: here"},
		{line: "GET /yaml", status: 200, want: `{"a":1,"b":["x",1.5,true,null,"${HOME}"]}`,
			wantHeader: "Content-Type: application/json"},
		{
			line: "POST /expr?q=7", header: j + "|X-A: b", body: `{"a": 1.5, "list": [1, 2]}`, status: 200,
			want: `{"h":"b","m":"POST","name":null,"q":"7","sum":3.5}`,
		},
		{line: "POST /switch", header: j, body: `{"n": 11}`, status: 200, want: "large"},
		{line: "POST /switch", header: j, body: `{"n": 6}`, status: 200, want: "middle"},
		{
			line: "PUT /switch", header: j, body: `{"n": 6}`, status: 404,
			want: `{"title":"Not Found","status":404,"detail":"no condition is true: add a last match without a condition"}`,
		},
		{line: "POST /if", header: j, body: `{"roles": ["admin"]}`, status: 200, want: "large"},
		{line: "POST /if", header: j, body: `{"roles": []}`, status: 200, want: `{"roles": []}`},
		{
			line: "POST /map", header: j, body: `{"age": 1, "tags": ["a"], "secret": 1, "big": 123456789012345678901234567890}`, status: 200,
			want: `{"age":1,"tags":["A"],"big":123456789012345678901234567890,"user":{"age":2}}`,
		},
		{
			line: "POST /map", header: j, body: `{"age": 1,`, status: 400,
			want: `{"title":"Bad Request","status":400,"detail":"json: unexpected end of JSON input","offset":10}`,
		},
		{
			line: "POST /map", header: j, body: `{"age": 1, "age": 2}`, status: 400,
			want: `{"title":"Bad Request","status":400,"detail":"json: duplicate member name","pointer":"/age","offset":11}`,
		},
		{line: "POST /fork", header: j, body: `{"a": 1, "list": [1, 2]}`, status: 201,
			want: `{"n":12345678901234567890.5,"l":[1,null]}`},
		{line: "POST /queue", header: j, body: `{}`, status: 202},
		{line: "POST /caught", header: j, body: `{"x": "a"}`, status: 422, want: `{"node":"failing","status":500}`},
		{line: "POST /echo", header: "Content-Type: a/b", body: "as it is", status: 200, want: "as it is",
			wantHeader: "Content-Type: a/b"},
		{line: "GET /answer", status: 203, want: `{"n":12345678901234567890.5,"l":[1,null],"extra":201}`,
			wantHeader: "X-New: a201"},
	} {
		e.run(t, url)
	}
}
