package flow_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestCode has bodies that are decoded, encoded and checked, on their way in and back.
func TestCode(t *testing.T) {
	pack := string(packed(t, rows(100), "msgpack", "zstd"))
	text := string(packed(t, rows(100), "json", ""))
	upstream := backend(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
		w.Header().Set("Content-Encoding", r.Header.Get("Content-Encoding"))
		_, _ = io.Copy(w, r.Body)
	})
	for _, tt := range []struct {
		name, node, mediaType, coding, body string
		status                              int
		wantType, wantCoding, want          string
	}{
		{"decode", "decode", types["msgpack"], "zstd", pack, 200, types["msgpack"], "", string(packed(t, rows(100), "msgpack", ""))},
		{"decode as", "decode, format: json", "text/plain", "", text, 200, types["json"], "", text},
		{"decode compressed", "decode, format: msgpack, compress: zstd", "a/b", "", pack, 200, types["msgpack"], "",
			string(packed(t, rows(100), "msgpack", ""))},
		{"decode what is wrong", "decode", types["json"], "", "{", 400, "", "", "unexpected end"},
		{"decode what is unknown", "decode", "a/b", "", "{}", 415, "", "", `a body of type \"a/b\" cannot be decoded`},
		{"decode nothing", "decode, format: json", "", "", "", 400, "", "", "the body is missing"},
		{"decode an answer", "decode, on: answer, format: json", "text/plain", "", "[1", 400, "", "", "unexpected end"},
		{"encode", "encode, format: json", types["msgpack"], "zstd", pack, 200, types["json"], "", text},
		{"encode a text", "encode, format: json", "text/plain", "", "a\"b", 200, types["json"], "", `"a\"b"`},
		{"encode an answer", "encode, on: answer, format: msgpack, compress: zstd", types["json"], "", text, 200, types["msgpack"], "zstd", ""},
		{"encode what is so", "encode, format: json", types["json"], "", " [ 1]", 200, types["json"], "", " [ 1]"},
		{"assert", "assert, that: len(body) > 0", types["json"], "", `[1]`, 200, types["json"], "", `[1]`},
		{"assert what is wrong", "assert, that: len(body) > 1", types["json"], "", `[1]`, 422, "", "", "the condition is false: len(body)"},
		{"assert an answer", "assert, on: answer, that: status == 201", types["json"], "", `[1]`, 502, "", "", "Bad Gateway"},
		{"assert a status", "assert, that: 'method == \"GET\"', status: 405, error: no", "", "", "", 405, "", "", `"detail":"no"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url, _ := serve(t, `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: n}}}
- {name: n, links: {out: {name: api}}, kind: `+tt.node+`}
- {kind: client, name: api, url: "${UPSTREAM}"}
`, env("UPSTREAM", upstream))
			h := http.Header{"Content-Type": {tt.mediaType}}
			if tt.coding != "" {
				h["Content-Encoding"] = []string{tt.coding}
			}
			resp, got := request(t, url, "POST /", h, tt.body)
			if resp.StatusCode != tt.status || tt.status == 200 && (resp.Header.Get("Content-Type") != tt.wantType ||
				resp.Header.Get("Content-Encoding") != tt.wantCoding) || tt.status == 200 && tt.want != "" && got != tt.want ||
				!strings.Contains(got, tt.want) {
				t.Errorf("%s %v %q", resp.Status, resp.Header, got)
			}
			if tt.wantCoding != "" {
				unpacked(t, []byte(got), tt.wantType, tt.wantCoding)
			}
		})
	}
}

// TestAgain tries what fails again, with the message as it came, as often as it may.
func TestAgain(t *testing.T) {
	for _, tt := range []struct {
		name, fields string
		fails        int // of the service, at first
		status       int
		asked        int
		want         string
	}{
		{"well at once", "", 0, 200, 1, `{"n":1}`},
		{"well in the end", "", 2, 200, 3, `{"n":1}`},
		{"never", "", 9, 503, 3, ""},
		{"more tries", ", tries: 5", 4, 200, 5, `{"n":1}`},
		{"another status", ", on: [502]", 1, 503, 1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked, bodies := 0, ""
			upstream := backend(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if asked++; asked <= tt.fails {
					w.WriteHeader(http.StatusServiceUnavailable)
				}
				bodies += string(body)
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write(body)
			})
			url, _ := serve(t, `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: again}}}
- {kind: retry, name: again, backoff: 1ms`+tt.fields+`, links: {out: {name: change}}}
- {kind: map, name: change, set: {n: body.n + 1}, links: {out: {name: api}}}
- {kind: client, name: api, url: "${UPSTREAM}"}
`, env("UPSTREAM", upstream))
			resp, got := request(t, url, "POST /", http.Header{"Content-Type": {"application/json"}}, `{"n":0}`)
			if resp.StatusCode != tt.status || tt.want != "" && got != tt.want || asked != tt.asked ||
				bodies != strings.Repeat(`{"n":1}`, tt.asked) {
				t.Errorf("%s %q, asked %d times: %s", resp.Status, got, asked, bodies)
			}
		})
	}
	upstream, asked := "http://127.0.0.1:1", 0
	url, _ := serve(t, `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: again}}}
- {kind: retry, name: again, backoff: 1ms, links: {out: {name: each}}}
- {kind: client, name: each, url: "${COUNTED}", links: {out: {name: api}}}
- {kind: client, name: api, url: "${UPSTREAM}"}
`, env("UPSTREAM", upstream, "COUNTED", backend(t, func(http.ResponseWriter, *http.Request) { asked++ })))
	if resp, _ := request(t, url, "GET /", nil, ""); resp.StatusCode != 502 || asked != 3 {
		t.Errorf("an error: %s, asked %d times", resp.Status, asked)
	}
}
