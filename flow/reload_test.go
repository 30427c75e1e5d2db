package flow_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weftcodec/weft/flow"
)

// versioned is a document whose answers name the version.
func versioned(version int, upstream string) string {
	return fmt.Sprintf(`
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: route}}}
- {kind: route, name: route, routes: [{path: /here, port: "out[0]"}, {path: /there, port: "out[1]"}],
	links: {"out[0]": {name: here}, "out[1]": {name: there}}}
- {kind: snippet, name: here, code: "version %d"}
- {kind: client, name: there, url: "%s"}
`, version, upstream)
}

// countListener counts the connections that are accepted.
type countListener struct {
	net.Listener
	n *atomic.Int64
}

func (l countListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		l.n.Add(1)
	}
	return c, err
}

// TestReload loads a document again and again under load: no request fails, none reaches the service twice, and
// every client keeps its connection.
func TestReload(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 100
	}
	var asked, conns atomic.Int64
	upstream := backend(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		_, _ = io.Copy(w, r.Body)
	})
	name := filepath.Join(t.TempDir(), "f.yaml")
	write := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(versioned(0, upstream))
	f, err := flow.Load(name, flow.Listen(func(network, address string) (net.Listener, error) {
		ln, err := net.Listen(network, address)
		return countListener{ln, &conns}, err
	}))
	if err != nil {
		t.Fatal(err)
	}
	url := start(t, f)
	var sent atomic.Int64
	var stop atomic.Bool
	var wg sync.WaitGroup
	const clients = 4
	for i := range clients {
		wg.Go(func() {
			// By hand: a client of net/http gives a connection up when it is slow to see that its request was sent.
			conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			in := bufio.NewReader(conn)
			last := -1
			for j := 0; !stop.Load(); j++ {
				body, path := fmt.Sprintf("%d %d", i, j), "/there"
				if j%2 == 0 {
					path = "/here"
				}
				fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
				resp, err := http.ReadResponse(in, nil)
				if err != nil {
					t.Error(err)
					return
				}
				text, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				version := 0
				if path == "/there" {
					sent.Add(1)
				} else if _, scan := fmt.Sscanf(string(text), "version %d", &version); scan != nil || version < last {
					t.Errorf("%q after version %d", text, last)
				} else {
					last = version
				}
				if err != nil || resp.StatusCode != 200 || path == "/there" && string(text) != body {
					t.Errorf("%s %q %v", resp.Status, text, err)
				}
			}
		})
	}
	for i := range rounds {
		write(versioned(i+1, upstream))
		if err := f.Reload(); err != nil {
			t.Fatal(err)
		}
		if i%10 == 0 {
			write("- {kind: htp}")
			if err := f.Reload(); err == nil || !strings.Contains(err.Error(), `f.yaml:1:10: unknown kind "htp"`) {
				t.Fatalf("%v", err)
			}
		}
	}
	stop.Store(true)
	wg.Wait()
	if asked.Load() != sent.Load() || conns.Load() != clients {
		t.Errorf("%d requests, %d of them at the service, %d connections", sent.Load(), asked.Load(), conns.Load())
	}
	t.Logf("%d reloads, %d requests, %d connections", rounds, 2*sent.Load(), conns.Load())
	if resp, text := request(t, url, "GET /here", nil, ""); resp.StatusCode != 200 || text != fmt.Sprintf("version %d",
		rounds) {
		t.Errorf("%s %q", resp.Status, text)
	}
}

// TestReloadAddress changes where a document listens, and what of a server cannot change while it runs.
func TestReloadAddress(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f.yaml")
	write := func(format string, args ...any) {
		if err := os.WriteFile(name, fmt.Appendf(nil, format, args...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const document = "- {kind: http, name: server, address: '127.0.0.1:0', maxHeader: %s, links: {out: {name: a}}}\n" +
		"- {kind: snippet, name: a, code: %s}\n"
	write(document, "64KiB", "one")
	f, err := flow.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	url := start(t, f)
	write(document, "1KiB", "two")
	if err := f.Reload(); err != nil {
		t.Fatal(err)
	}
	if _, text := request(t, url, "GET /", nil, ""); text != "two" {
		t.Errorf("%q", text)
	}
	if resp, _ := request(t, url, "GET /", http.Header{"X": {strings.Repeat("x", 5100)}}, ""); resp.StatusCode != 431 {
		t.Errorf("%s", resp.Status)
	}
	write(document+"- {kind: http, name: second, address: '127.0.0.1:0', links: {out: {name: a}}}\n", "1KiB", "three")
	if err := f.Reload(); err != nil {
		t.Fatal(err)
	}
	second := "http://" + f.Addr("second").String()
	if _, text := request(t, second, "GET /", nil, ""); text != "three" {
		t.Errorf("%q", text)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	write(document+"- {kind: http, name: third, address: '%s', links: {out: {name: a}}}\n", "1KiB", "four", taken.Addr())
	if err := f.Reload(); err == nil || !strings.Contains(err.Error(), "node third: listen") {
		t.Errorf("%v", err)
	}
	if _, text := request(t, second, "GET /", nil, ""); text != "three" {
		t.Errorf("a document that cannot be listened at: %q", text)
	}
	write(document, "1KiB", "five")
	if err := f.Reload(); err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		if conn, err := net.Dial("tcp", strings.TrimPrefix(second, "http://")); err != nil {
			break
		} else {
			conn.Close()
		}
		if i > 200 {
			t.Fatal("the second address is still listened at")
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// TestWatch changes files, and one that a file refers to.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) { // as programs do that replace files
		temp := filepath.Join(dir, "new")
		if err := os.WriteFile(temp, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(temp, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	write("type", "a/b")
	document := "- {kind: http, name: server, address: '127.0.0.1:0', links: {out: {name: a}}}\n" +
		"- {kind: snippet, name: a, code: one, type: '${file:type}'}\n"
	write("f.yaml", document)
	log := new(logged)
	f, err := flow.Load(filepath.Join(dir, "f.yaml"), flow.Watch(true), log.option())
	if err != nil {
		t.Fatal(err)
	}
	url := start(t, f)
	becomes := func(want string) {
		t.Helper()
		for range 400 {
			resp, text := request(t, url, "GET /", nil, "")
			if resp.Header.Get("Content-Type")+" "+text == want {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Errorf("it does not become %s: %s", want, log)
	}
	becomes("a/b one")
	write("f.yaml", strings.Replace(document, "one", "two", 1))
	becomes("a/b two")
	write("type", "c/d")
	becomes("c/d two")
	write("f.yaml", "- {kind: nothing}")
	for range 400 {
		if strings.Contains(log.String(), "unknown kind") {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	becomes("c/d two")
	if !strings.Contains(log.String(), "the changed document is rejected") {
		t.Errorf("%s", log)
	}
	write("f.yaml", document)
	becomes("c/d one")
}

// TestAdmin asks how a flow does.
func TestAdmin(t *testing.T) {
	f, err := flow.Parse("f.yaml", []byte(`
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: edge}}}
- {kind: transcode, name: edge, links: {out: {name: echo}}}
- {kind: map, name: echo, set: {n: body.n + 1}}
- {kind: admin, name: admin, address: "127.0.0.1:0", pprof: true}
`))
	if err != nil {
		t.Fatal(err)
	}
	if w := f.Warnings(); len(w) > 0 {
		t.Error(w)
	}
	url := start(t, f)
	for range 3 {
		request(t, url, "POST /", http.Header{"Content-Type": {"application/json"}}, `{"n":1}`)
	}
	request(t, url, "POST /", http.Header{"Content-Type": {"application/json"}}, `{"n":"a"}`)
	admin := "http://" + f.Addr("admin").String()
	for _, path := range []string{"/healthz", "/readyz"} {
		if resp, text := request(t, admin, "GET "+path, nil, ""); resp.StatusCode != 200 || text != "ok\n" {
			t.Errorf("%s: %s %q", path, resp.Status, text)
		}
	}
	if resp, _ := request(t, admin, "GET /debug/pprof/", nil, ""); resp.StatusCode != 200 {
		t.Errorf("pprof: %s", resp.Status)
	}
	_, text := request(t, admin, "GET /metrics", nil, "")
	for _, want := range []string{
		`weft_flow_node_seconds_count{kind="map",node="echo"} 4`, `weft_flow_errors_total{kind="map",node="echo"} 1`,
		`weft_flow_node_seconds_count{kind="http",node="server"} 4`, `weft_flow_bytes_total{direction="in",kind="http",node="server"} 30`,
		`weft_flow_node_seconds_bucket{kind="map",node="echo",le="+Inf"} 4`, `weft_flow_requests_running 0`,
		`weft_flow_reloads_total{result="ok"} 0`, `weft_flow_errors_total{kind="http",node="server"} 0`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, `weft_flow_codec_seconds_total{kind="map",node="echo"} 0`+"\n") {
		t.Error("no time in codecs")
	}
	if _, err := flow.Parse("f.yaml", []byte("- {kind: admin, name: a, address: x}")); err == nil {
		t.Error("an address that is not valid")
	}
}
