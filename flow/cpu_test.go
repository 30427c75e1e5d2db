//go:build unix

package flow_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/flow"
	"github.com/weftcodec/weft/flow/internal/transcode"
	"github.com/weftcodec/weft/value"
)

// TestMain serves instead of testing when a measurement asks for it.
func TestMain(m *testing.M) {
	if what := os.Getenv("WEFT_FLOW_SERVE"); what != "" {
		serveChild(what, os.Getenv("WEFT_FLOW_UPSTREAM"))
		return
	}
	os.Exit(m.Run())
}

// measured are the documents that are measured.
var measured = map[string]string{
	"ping": "testdata/ping.yaml",
	"gateway": `
- {kind: http, name: server, address: ":1", maxBody: 64MiB, links: {out: {name: edge}}}
- {kind: transcode, name: edge, links: {out: {name: api}}}
- {kind: client, name: api, url: "${UPSTREAM}", maxAnswer: 64MiB}
`,
	"contract": `
- {kind: http, name: server, address: ":1", maxBody: 64MiB, links: {out: {name: edge}}}
- {kind: transcode, name: edge, links: {out: {name: check}}}
- {kind: validate, name: check, openapi: testdata/rows.yaml, links: {out: {name: api}}}
- {kind: client, name: api, url: "${UPSTREAM}", maxAnswer: 64MiB}
`,
}

// serveChild serves what until its input ends, and tells its CPU time for each line of it.
func serveChild(what, upstream string) {
	var h http.Handler
	switch what {
	case "net/http":
		mux := http.NewServeMux()
		mux.HandleFunc("GET /ping", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			_, _ = io.WriteString(w, "pong")
		})
		h = mux
	case "proxy":
		u, err := url.Parse(upstream)
		if err != nil {
			panic(err)
		}
		p := httputil.NewSingleHostReverseProxy(u)
		p.Transport = &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}
		h = p
	default:
		f, err := flow.Parse("f.yaml", []byte(measured[what]), env("UPSTREAM", upstream))
		if what == "ping" {
			f, err = flow.Load(measured[what])
		}
		if err != nil {
			panic(err)
		}
		h = f.Handler("server")
	}
	s := httptest.NewServer(h)
	if name := os.Getenv("WEFT_FLOW_PROFILE"); name != "" {
		out, err := os.Create(name + "." + what)
		if err != nil {
			panic(err)
		}
		_ = pprof.StartCPUProfile(out)
		defer func() { pprof.StopCPUProfile(); out.Close() }()
	}
	fmt.Println(s.URL)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			panic(err)
		}
		fmt.Println(u.Utime.Nano() + u.Stime.Nano())
	}
}

// child is a process that serves.
type child struct {
	what string
	url  string
	in   io.Writer
	out  *bufio.Reader
}

func newChild(t *testing.T, what, upstream string) *child {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WEFT_FLOW_SERVE="+what, "WEFT_FLOW_UPSTREAM="+upstream)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	c := &child{what: what, in: in, out: bufio.NewReader(out)}
	line, err := c.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	c.url = strings.TrimSpace(line)
	return c
}

// cpu returns the CPU time of the process so far, in nanoseconds.
func (c *child) cpu(t *testing.T) (n int64) {
	fmt.Fprintln(c.in)
	if _, err := fmt.Fscanln(c.out, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// load sends n requests on several connections, and returns the CPU time of the process for one.
func (c *child) load(t *testing.T, n, conns int, one func(client *http.Client, url string) error) float64 {
	before := c.cpu(t)
	var left atomic.Int64
	left.Store(int64(n))
	var failed atomic.Int64
	var wg sync.WaitGroup
	for range conns {
		wg.Go(func() {
			client := &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 1}}
			defer client.CloseIdleConnections()
			for left.Add(-1) >= 0 {
				if err := one(client, c.url); err != nil {
					failed.Add(1)
					t.Log(err)
				}
			}
		})
	}
	wg.Wait()
	if failed.Load() > 0 && c.what != "proxy" { // which now and then breaks an answer off
		t.Errorf("%s: %d requests failed", c.what, failed.Load())
	}
	return float64(c.cpu(t)-before) / float64(n) / 1000
}

// ratio compares two processes in turns, and returns the medians and that of their ratios.
func ratio(t *testing.T, rounds int, a, b func() float64) (x, y, r float64) {
	a()
	b()
	var as, bs, rs []float64
	for range rounds {
		x, y := a(), b()
		as, bs, rs = append(as, x), append(bs, y), append(rs, y/x)
	}
	mid := func(l []float64) float64 { slices.Sort(l); return l[len(l)/2] }
	return mid(as), mid(bs), mid(rs)
}

// TestCPU measures the CPU time of a request, by the process's own account: of the document ping beside net/http,
// and of the gateway beside httputil.ReverseProxy, for clients that speak MessagePack with zstd and those that
// speak JSON.
func TestCPU(t *testing.T) {
	if os.Getenv("WEFT_FLOW_CPU") == "" {
		t.Skip("set WEFT_FLOW_CPU to measure")
	}
	get := func(client *http.Client, url string) error {
		return exchangeOf(client, "GET", url+"/ping", nil, nil, func(b []byte) bool { return string(b) == "pong" })
	}
	if strings.Contains(os.Getenv("WEFT_FLOW_CPU"), "ping") {
		bare, ping := newChild(t, "net/http", ""), newChild(t, "ping", "")
		x, y, r := ratio(t, 7, func() float64 { return bare.load(t, 20000, 64, get) }, func() float64 { return ping.load(t, 20000, 64, get) })
		t.Logf("ping, keep-alive: net/http %.1f µs, flow %.1f µs, ratio %.2f", x, y, r)
	}
	for _, size := range []int{1 << 10, 100 << 10, 10 << 20} {
		name := fmt.Sprintf("%d KiB", size>>10)
		if !strings.Contains(os.Getenv("WEFT_FLOW_CPU"), name) {
			continue
		}
		v := rows(size)
		body := packed(t, v, "json", "")
		short := packed(t, v, "msgpack", "zstd")
		upstream := backend(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(body)
		})
		plain := func(client *http.Client, url string) error {
			h := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
			return exchangeOf(client, "POST", url+"/rows", h, body, func(b []byte) bool { return bytes.Equal(b, body) })
		}
		pack := func(client *http.Client, url string) error {
			h := http.Header{
				"Content-Type": {"application/msgpack"}, "Content-Encoding": {"zstd"}, "Accept": {"application/msgpack"},
				"Accept-Encoding": {"zstd"},
			}
			return exchangeOf(client, "POST", url+"/rows", h, short, func(b []byte) bool { return len(b) > len(short)/3 && len(b) < len(body) })
		}
		t.Logf("%s: %s", name, bare(t, v, body))
		n := max(20<<20/size, 4)
		n = min(n, 4000)
		proxy, gateway, contract := newChild(t, "proxy", upstream), newChild(t, "gateway", upstream), newChild(t, "contract", upstream)
		base := func() float64 { return proxy.load(t, n, 4, plain) }
		x, y, r := ratio(t, 3, base, func() float64 { return gateway.load(t, n, 4, plain) })
		t.Logf("%s, JSON passed on: ReverseProxy %.0f µs, gateway %.0f µs, ratio %.2f", name, x, y, r)
		x, y, r = ratio(t, 3, base, func() float64 { return gateway.load(t, n, 4, pack) })
		t.Logf("%s, MessagePack with zstd: ReverseProxy %.0f µs, gateway %.0f µs, ratio %.2f", name, x, y, r)
		x, y, r = ratio(t, 3, base, func() float64 { return contract.load(t, n, 4, pack) })
		t.Logf("%s, and checked: ReverseProxy %.0f µs, gateway %.0f µs, ratio %.2f", name, x, y, r)
	}
}

// bare tells what the parts of a gateway's work cost by themselves, for one body: the sum of them is what no gateway that does
// them can go below.
func bare(t *testing.T, v value.Value, body []byte) string {
	pack := packed(t, v, "msgpack", "")
	short := packed(t, v, "msgpack", "zstd")
	toJSON := transcode.Options{From: formats["msgpack"], To: formats["json"]}
	toPack := transcode.Options{From: formats["json"], To: formats["msgpack"]}
	var b []byte
	var told []string
	fastest := compress.NewZstd(compress.Level(1))
	for _, part := range []struct {
		name string
		do   func() ([]byte, error)
	}{
		{"zstd decode", func() ([]byte, error) { return coders["zstd"].Decompress(b[:0], short) }},
		{"MessagePack to JSON", func() ([]byte, error) { return toJSON.Append(b[:0], pack) }},
		{"JSON to MessagePack", func() ([]byte, error) { return toPack.Append(b[:0], body) }},
		{"zstd encode", func() ([]byte, error) { return fastest.Append(b[:0], pack) }},
	} {
		best := time.Hour
		for range max(20<<20/len(body), 4) {
			begin := time.Now()
			out, err := part.do()
			if best = min(best, time.Since(begin)); err != nil {
				t.Fatal(err)
			}
			b = out
		}
		told = append(told, fmt.Sprintf("%s %d µs", part.name, best.Microseconds()))
	}
	return strings.Join(told, ", ")
}

// exchangeOf sends a request and looks at its answer.
func exchangeOf(client *http.Client, method, url string, h http.Header, body []byte, good func([]byte) bool) error {
	req, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if h != nil {
		req.Header = h
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 || !good(text) {
		return fmt.Errorf("%s, %d bytes, %.40q, %v", resp.Status, len(text), text, err)
	}
	return nil
}
