package flow_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestSplit(t *testing.T) {
	url, _ := serve(t, `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: r}}}
- kind: route
  name: r
  routes: [{path: /all, port: "out[0]"}, {path: /items, port: "out[1]"}, {path: /none, port: "out[2]"}]
  links: {"out[0]": {name: all}, "out[1]": {name: items}, "out[2]": {name: none}}
- {kind: split, name: all, workers: 3, links: {out: {name: double}}}
- {kind: split, name: items, items: body.items, links: {out: {name: double}}}
- {kind: split, name: none, answer: none, links: {out: {name: double}}}
- {kind: if, name: double, when: body.n == 404, links: {"out[0]": {name: missing}, "out[1]": {name: twice}}}
- {kind: map, name: twice, body: body.n * 2}
- {kind: snippet, name: missing, code: none, status: 404}
`)
	for _, e := range []exchange{
		{"POST /all", "Content-Type: application/json", `[{"n":1},{"n":2},{"n":3},{"n":4}]`, 200, `[2,4,6,8]`, "Content-Type: application/json"},
		{"POST /all", "Content-Type: application/json", `[]`, 200, `[]`, ""},
		{"POST /items", "Content-Type: application/json", `{"items":[{"n":5}]}`, 200, `[10]`, ""},
		{"POST /none", "Content-Type: application/json", `[{"n":1}]`, 204, "", ""},
		{"POST /items", "Content-Type: application/json", `{"items":1}`, 422,
			`{"title":"Unprocessable Entity","status":422,"detail":"there is int to split: expected a list"}`, ""},
		{"POST /all", "Content-Type: application/json", `[{"n":1},{"n":404}]`, 404,
			`{"title":"Not Found","status":404,"detail":"the element 1 was answered 404 Not Found"}`, ""},
		{"POST /all", "Content-Type: application/json", `[{"n":1},{"n":"x"}]`, 500, `{"title":"Internal Server Error","status":500}`, ""},
	} {
		e.run(t, url)
	}
}

func TestMerge(t *testing.T) {
	url, _ := serve(t, `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: m}}}
- kind: merge
  name: m
  parts: [{port: "out[0]"}, {port: "out[1]", at: orders}, {port: "out[2]", at: stars, optional: true}]
  links: {"out[0]": {name: user}, "out[1]": {name: orders}, "out[2]": {name: stars}}
- {kind: snippet, name: user, lang: expr, code: 'body.list ? [1] : {"name": body.name}'}
- {kind: snippet, name: orders, lang: json, code: '[1, 2]'}
- {kind: if, name: stars, when: body.bad, links: {"out[0]": {name: down}, "out[1]": {name: five}}}
- {kind: snippet, name: five, lang: json, code: '5'}
- {kind: snippet, name: down, code: down, status: 503}
`)
	for _, e := range []exchange{
		{"POST /", "Content-Type: application/json", `{"name":"a","bad":false,"list":false}`, 200, `{"name":"a","orders":[1,2],"stars":5}`, ""},
		{"POST /", "Content-Type: application/json", `{"name":"a","bad":true,"list":false}`, 200, `{"name":"a","orders":[1,2]}`, ""},
		{"POST /", "Content-Type: application/json", `{"name":"a","bad":false,"list":true}`, 502, `{"title":"Bad Gateway","status":502}`, ""},
	} {
		e.run(t, url)
	}
}

// TestJoin sends messages at a time, and looks at what they became together.
func TestJoin(t *testing.T) {
	for _, tt := range []struct {
		name, fields, behind string
		n, status            int
		each                 bool
	}{
		{"full", "size: 5, within: 1h", "{kind: snippet, name: n, lang: expr, code: 'map(body, # * 10)'}", 20, 200, true},
		{"in time", "size: 1000, within: 50ms", "{kind: snippet, name: n, lang: expr, code: 'map(body, # * 10)'}", 7, 200, true},
		{"too few answers", "size: 3, within: 1h", "{kind: snippet, name: n, lang: expr, code: '[1]'}", 3, 502, true},
		{"no list", "size: 3, within: 1h", "{kind: snippet, name: n, lang: expr, code: '1'}", 3, 502, true},
		{"refused", "size: 3, within: 1h", "{kind: snippet, name: n, code: x, status: 409}", 3, 409, true},
		{"same", "size: 4, within: 1h", "{kind: snippet, name: n, lang: expr, code: 'len(body)', status: 201}", 4, 201, false},
		{"failed", "size: 4, within: 1h", "{kind: snippet, name: n, lang: expr, code: 'body.a + 1'}", 4, 500, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			answers := "same"
			if tt.each {
				answers = "each"
			}
			url, _ := serve(t, `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: j}}}
- {kind: join, name: j, `+tt.fields+`, answers: `+answers+`, links: {out: {name: n}}}
- `+tt.behind)
			var wg sync.WaitGroup
			for i := range tt.n {
				wg.Go(func() {
					resp, text := request(t, url, "POST /", http.Header{"Content-Type": {"application/json"}}, fmt.Sprint(i))
					want := fmt.Sprint(i * 10)
					if !tt.each {
						want = fmt.Sprint(tt.n)
					}
					if resp.StatusCode != tt.status || tt.status < 300 && strings.TrimSpace(text) != want {
						t.Errorf("%d: %d %s", i, resp.StatusCode, text)
					}
				})
			}
			wg.Wait()
		})
	}
}
