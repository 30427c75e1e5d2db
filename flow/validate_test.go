package flow_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/flow"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

const checked = `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: check}}}
- kind: validate
  name: check
  openapi: testdata/pets.yaml
  answer: "${ANSWER:-block}"
  request: "${REQUEST:-block}"
  links: {out: {name: api}}
- {kind: client, name: api, url: "${UPSTREAM}"}
`

// turned is checked behind a transcode node, with what stands between them.
func turned(between string) string {
	return `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: edge}}}
- {kind: transcode, name: edge, links: {out: {name: ` + between + `}}}
- {kind: transcode, name: apart, answer: keep, links: {out: {name: check}}}
` + checked[strings.Index(checked, "- kind: validate"):]
}

// inMsgpack returns a JSON text in MessagePack.
func inMsgpack(t *testing.T, text string) string {
	b, err := weft.Transcode(nil, msgpack.Format, []byte(text), json.Format)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestValidate has requests and answers, and what an OpenAPI document says of them.
func TestValidate(t *testing.T) {
	var answer func(w http.ResponseWriter)
	reached := false
	upstream := backend(t, func(w http.ResponseWriter, r *http.Request) {
		reached = true
		_, _ = io.Copy(io.Discard, r.Body)
		answer(w)
	})
	log := new(logged)
	front, _ := serve(t, checked, env("UPSTREAM", upstream))
	passing, _ := serve(t, checked, env("UPSTREAM", upstream, "ANSWER", "pass", "REQUEST", "pass"), log.option())
	atOnce, _ := serve(t, turned("check"), env("UPSTREAM", upstream))
	apart, _ := serve(t, turned("apart"), env("UPSTREAM", upstream))
	const good = `{"id":1,"name":"a"}`
	for _, tt := range []struct {
		name, line, body string
		status           int    // of the service
		answer           string // of the service, after its media type
		want             int
		detail           string // of the refusal
	}{
		{"list", "GET /pets?limit=5", "", 200, "application/json [" + good + "]", 200, ""},
		{"below the server's path", "GET /v1/pets?limit=5", "", 200, "application/json []", 200, ""},
		{"no limit", "GET /pets", "", 200, "", 400, `the parameter limit of the query is missing`},
		{"limit too large", "GET /pets?limit=101", "", 200, "", 400, `the parameter limit of the query must be at most 100, not 101`},
		{"limit is text", "GET /pets?limit=x", "", 200, "", 400, `must be integer`},
		{"list of texts", "GET /pets?limit=1&tag=a,bcd", "", 200, "application/json []", 200, ""},
		{"list again", "GET /pets?limit=1&tag=a&tag=bcde", "", 200, "", 400,
			`the parameter tag of the query must have at most 3 characters, not 4`},
		{"path", "GET /pets/7", "", 200, "application/json " + good, 200, ""},
		{"path is text", "GET /pets/seven", "", 200, "", 400, `the parameter id of the path`},
		{"unknown path", "GET /cats", "", 200, "", 404, "no route"},
		{"unknown method", "DELETE /pets", "", 200, "", 405, "no DELETE"},
		{"post", "POST /pets", `{"name":"a","secret":"s","owner":null}`, 201, "", 201, ""},
		{"post without a body", "POST /pets", ``, 201, "", 400, "the body is missing"},
		{"post without a member", "POST /pets", `{"name":"a"}`, 201, "", 422, `"offset":0|missing required member \"secret\"`},
		{"post of a member too many", "POST /pets", `{"name":"a","secret":"s","x":1}`, 201, "", 422, `"pointer":"/x","offset":29`},
		{"post deep", "POST /pets", `{"name":"a","secret":"s","friends":[{"name":"b","secret":""},{"name":"","secret":""}]}`,
			201, "", 422, `"pointer":"/friends/1/name","offset":69`},
		{"exclusive", "POST /pets", `{"name":"a","secret":"s","owner":{"age":0}}`, 201, "", 422, `"pointer":"/owner/age"`},
		{"not JSON", "POST /pets", `{"name":"a","secret":`, 201, "", 400, `unexpected end`},
		{"twice", "POST /pets", `{"name":"a","secret":"s","name":"b"}`, 201, "", 400, `duplicate`},
		{"more", "POST /pets", `{"name":"a","secret":"s"} {}`, 201, "", 400, `"offset":26`},
		{"answer without a member", "GET /pets/7", "", 200, `application/json {"name":"a"}`, 502, ""},
		{"answer deep", "GET /pets?limit=1", "", 200, `application/json [` + good + `,{"id":"1","name":"a"}]`, 502, ""},
		{"answer of another type", "GET /pets/7", "", 200, `text/html <p>`, 502, ""},
		{"answer that is cut off", "GET /pets/7", "", 200, `application/json {"id":1`, 502, ""},
		{"answer of another status", "GET /pets?limit=1", "", 202, `application/json []`, 502, ""},
		{"answer by default", "GET /pets/7", "", 404, `text/html <p>`, 404, ""},
		{"answer 4XX", "POST /pets", `{"name":"a","secret":"s"}`, 409, `application/problem+json {`, 409, ""},
	} {
		for _, format := range []string{"json", "msgpack"} {
			t.Run(tt.name+" "+format, func(t *testing.T) {
				body := tt.body
				if format == "msgpack" {
					if strings.Contains("twice more not JSON post without a body", tt.name) || body == "" {
						return
					}
					body = inMsgpack(t, body)
				}
				mediaType, text, _ := strings.Cut(tt.answer, " ")
				answer = func(w http.ResponseWriter) {
					w.Header().Set("Content-Type", mediaType)
					w.WriteHeader(tt.status)
					fmt.Fprint(w, text)
				}
				h := http.Header{}
				if body != "" {
					h.Set("Content-Type", types[format])
				}
				reached = false
				resp, got := request(t, front, tt.line, h.Clone(), body)
				if resp.StatusCode != tt.want || reached != (tt.want != 400 && tt.want != 422 && tt.want != 405 && tt.line != "GET /cats") {
					t.Errorf("%s %s, reached %v", resp.Status, got, reached)
				}
				for want := range strings.SplitSeq(tt.detail, "|") {
					if format == "msgpack" { // the offsets are others
						want, _, _ = strings.Cut(want, `,"offset`)
					}
					if !strings.Contains(got, want) {
						t.Errorf("%s is not in %s", want, got)
					}
				}
				h.Set("Accept", types[format])
				oneResp, one := request(t, atOnce, tt.line, h.Clone(), body)
				twoResp, two := request(t, apart, tt.line, h.Clone(), body)
				if one != two || oneResp.StatusCode != twoResp.StatusCode || format == "json" && oneResp.StatusCode != tt.want {
					t.Errorf("turned and checked at once: %s %s, apart: %s %s", oneResp.Status, one, twoResp.Status, two)
				}
				h.Del("Accept")
				if resp, got := request(t, passing, tt.line, h, body); tt.want != 404 && tt.want != 405 &&
					(resp.StatusCode != tt.status || got != text) {
					t.Errorf("passed on: %s %s", resp.Status, got)
				}
			})
		}
	}
	if text := log.String(); !strings.Contains(text, `at /1/id, offset 27: must be integer`) {
		t.Errorf("the log says %s", text)
	}
}

// TestJSONSchema checks by a JSON Schema with references.
func TestJSONSchema(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("s.yaml",
		"type: object\nproperties: {a: {$ref: '#/$defs/a'}}\n$defs: {a: {type: [integer, 'null'], maximum: 5}, b: {$ref: '#/$defs/b'}}\n")
	write("s.json", `{"$ref":"#/$defs/x"}`)
	write("f.yaml", `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: check}}}
- {kind: validate, name: check, schema: "${SCHEMA}", links: {out: {name: ok}}}
- {kind: snippet, name: ok, code: ok}
`)
	f, err := flow.Load(filepath.Join(dir, "f.yaml"), env("SCHEMA", "s.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	url := start(t, f)
	j := "Content-Type: application/json"
	for _, e := range []exchange{
		{line: "POST /", header: j, body: `{"a":5}`, status: 200, want: "ok"},
		{line: "POST /", header: j, body: `{"a":null}`, status: 200, want: "ok"},
		{
			line: "POST /", header: j, body: `{"a":6}`, status: 422,
			want: `{"title":"Unprocessable Entity","status":422,"detail":"must be at most 5, not 6","pointer":"/a","offset":5}`,
		},
		{
			line: "POST /", header: "Content-Type: a/b", body: `{"a":6}`, status: 415,
			want: `{"title":"Unsupported Media Type","status":415,"detail":"a body of type \"a/b\" cannot be checked"}`,
		},
	} {
		e.run(t, url)
	}
	for file, want := range map[string]string{"s.json": `the reference "#/$defs/x" leads to nothing`, "none": "cannot be read"} {
		if _, err := flow.Load(filepath.Join(dir, "f.yaml"), env("SCHEMA", file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestUncheckedPattern checks by a document all but a pattern with look-ahead, of which it warns.
func TestUncheckedPattern(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"api.yaml": `{openapi: 3.0.3, info: {title: t, version: "1"}, paths: {/: {get: {
			parameters: [{name: from, in: query, schema: {type: string, pattern: "(?!0)", maxLength: 2}}],
			responses: {default: {description: d}}}}}}`,
		"f.yaml": `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: check}}}
- {kind: validate, name: check, openapi: api.yaml, links: {out: {name: ok}}}
- {kind: snippet, name: ok, code: ok}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "f.yaml")
	if found, _ := flow.Check([]string{file}); len(found) != 1 || !strings.Contains(found.String(), "look-ahead is not supported") {
		t.Errorf("%v", found)
	}
	f, err := flow.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	url := start(t, f)
	for _, e := range []exchange{
		{line: "GET /?from=07", status: 200, want: "ok"},
		{
			line: "GET /?from=007", status: 400,
			want: `{"title":"Bad Request","status":400,"detail":"the parameter from of the query must have at most 2 characters, not 3"}`,
		},
	} {
		e.run(t, url)
	}
}
