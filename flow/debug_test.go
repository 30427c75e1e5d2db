package flow_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/weftcodec/weft/internal/browser"
	"github.com/weftcodec/weft/json"
)

// TestDebug looks at what the page /debug/flow shows.
func TestDebug(t *testing.T) {
	url, f := serve(t, `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: "a<b"}}}
- {kind: map, name: "a<b", set: {n: body.n + 1}, links: {out: {name: c}}}
- {kind: if, name: c, when: body.n > 100, links: {"out[0]": {name: bad}}}
- {kind: map, name: bad, body: body.n + "x"}
- {kind: admin, name: admin, address: "127.0.0.1:0"}
`)
	admin := "http://" + f.Addr("admin").String()
	get := func(path string) string {
		resp, text := request(t, admin, "GET "+path, nil, "")
		if resp.StatusCode != 200 {
			t.Errorf("%s: %s", path, resp.Status)
		}
		return text
	}
	send := func(body string) {
		request(t, url, "POST /x?token=t0p&a=1", http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer t0p"}}, body)
	}
	if page := get("/debug/flow"); !strings.Contains(page, "/debug/flow/nodes") {
		t.Error(page)
	}
	if svg := get("/debug/flow/graph.svg"); !strings.HasPrefix(svg, "<svg") || !strings.Contains(svg, "a&lt;b") {
		t.Error(svg)
	}
	send(`{"n":0}`) // before anybody looks
	messages := "/debug/flow/messages?node=a%3Cb"
	if text := get(messages); text != "[]" {
		t.Errorf("%s", text)
	}
	for range 30 {
		send(`{"n":1}`)
	}
	send(`{"n":2,"user":{"password":"t0p","Api-Key":["t0p"],"name":"x"}}`)
	send(`{"n":1000}`)
	send(`{"n":`)
	text := get(messages)
	var seen []struct {
		Method, Path, Body, Answer, Error string
		Status                            int
		Header                            map[string]string
	}
	if err := json.Unmarshal([]byte(text), &seen); err != nil || len(seen) != 20 || strings.Contains(text, "t0p") {
		t.Fatalf("%d, %v\n%s", len(seen), err, text)
	}
	m := seen[17]
	if m.Method != "POST" || m.Path != "/x?a=1&token=%28masked%29" || m.Header["Authorization"] != "(masked)" ||
		m.Answer != `{"n":3,"user":{"password":"(masked)","Api-Key":"(masked)","name":"x"}}` {
		t.Errorf("%+v", m)
	}
	if m := seen[18]; m.Status != 500 || !strings.Contains(m.Error, "node bad") {
		t.Errorf("%+v", m)
	}
	if m := seen[19]; m.Status != 400 {
		t.Errorf("%+v", m)
	}
	var nodes []struct {
		Name, Kind, Last string
		Count, Errors    int
	}
	if err := json.Unmarshal([]byte(get("/debug/flow/nodes")), &nodes); err != nil || len(nodes) != 5 ||
		nodes[1].Count != 34 || nodes[3].Errors != 1 || nodes[3].Last == "" || nodes[1].Errors != 1 {
		t.Errorf("%v, %+v", err, nodes)
	}
	t.Run("browser", func(t *testing.T) { browse(t, admin+"/debug/flow#a%3Cb") })
	if resp, _ := request(t, admin, "GET /debug/flow/messages?node=x", nil, ""); resp.StatusCode != 404 {
		t.Error(resp.Status)
	}
}

// browse opens the page in a browser, and looks at what its script has made of it.
func browse(t *testing.T, url string) {
	p := browser.Open(t)
	p.Go(url)
	p.Wait("document.querySelector('td.error') && document.querySelector('#messages pre')")
	dom := p.Eval("document.documentElement.outerHTML")
	for _, want := range []string{`<svg xmlns`, `data-node="a&lt;b"`, `class="node chosen"`, `The last messages of a&lt;b:`,
		`authorization: (masked)`, `<td class="error">flow: node bad:`} {
		if !strings.Contains(strings.ReplaceAll(dom, "Authorization", "authorization"), want) {
			t.Errorf("there is no %s in\n%s", want, dom)
		}
	}
}
