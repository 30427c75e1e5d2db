//go:build unix

package gateway

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// TestMain serves instead of testing when a measurement asks for it.
func TestMain(m *testing.M) {
	if what := os.Getenv("GATEWAY_SERVE"); what != "" {
		serveChild(what, os.Getenv("GATEWAY_UPSTREAM"))
		return
	}
	os.Exit(m.Run())
}

// usage is what a process takes.
type usage struct {
	cpu, heap               int64 // ns so far, and bytes after a collection
	goroutines, descriptors int
}

// serveChild serves what until its input ends, and tells what it takes for each line of it: the CPU time
// alone, or all for the line all.
func serveChild(what, upstream string) {
	url := ""
	if what == "fasthttp" {
		url = serveFast()
	} else {
		url = httptest.NewServer(server(what, upstream)).URL
	}
	if name := os.Getenv("GATEWAY_PROFILE"); name != "" {
		out, err := os.Create(name + "." + what)
		if err != nil {
			panic(err)
		}
		_ = pprof.StartCPUProfile(out)
		defer func() { pprof.StopCPUProfile(); out.Close() }()
	}
	fmt.Println(url)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var r syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
			panic(err)
		}
		u := usage{cpu: r.Utime.Nano() + r.Stime.Nano()}
		if in.Text() == "all" {
			runtime.GC()
			runtime.GC() // what pools keep is gone after two
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			open, _ := os.ReadDir("/proc/self/fd")
			u.heap, u.goroutines, u.descriptors = int64(m.HeapAlloc), runtime.NumGoroutine(), len(open)
		}
		fmt.Println(u.cpu, u.heap, u.goroutines, u.descriptors)
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
	cmd.Env = append(os.Environ(), "GATEWAY_SERVE="+what, "GATEWAY_UPSTREAM="+upstream)
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

// usage returns what the process takes, all of it or the CPU time alone.
func (c *child) usage(t *testing.T, what string) (u usage) {
	fmt.Fprintln(c.in, what)
	if _, err := fmt.Fscanln(c.out, &u.cpu, &u.heap, &u.goroutines, &u.descriptors); err != nil {
		t.Fatal(err)
	}
	return u
}

// exchange is a request, and what is looked for in its answer.
type exchange struct {
	method, path string
	header       http.Header
	body         []byte
	good         func([]byte) bool
	once         bool // a connection for each
	status       int  // 0 for 200
}

// do sends the request and looks at the answer.
func (x *exchange) do(client *http.Client, url string) error {
	req, err := http.NewRequest(x.method, url+x.path, bytes.NewReader(x.body))
	if err != nil {
		return err
	}
	if req.Close = x.once; x.header != nil {
		req.Header = x.header.Clone()
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	want := x.status
	if want == 0 {
		want = http.StatusOK
	}
	if err != nil || resp.StatusCode != want || !x.good(text) {
		return fmt.Errorf("%s, %d bytes, %.40q, %v", resp.Status, len(text), text, err)
	}
	return nil
}

// load sends x n times, and returns the CPU time of the process for one, in µs.
func (c *child) load(t *testing.T, n, conns int, x *exchange) float64 {
	before := c.usage(t, "").cpu
	c.send(t, n, conns, x)
	return float64(c.usage(t, "").cpu-before) / float64(n) / 1000
}

// send sends x n times on several connections.
func (c *child) send(t *testing.T, n, conns int, x *exchange) {
	var left, failed atomic.Int64
	left.Store(int64(n))
	var wg sync.WaitGroup
	for range conns {
		wg.Go(func() {
			client := &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 1}}
			defer client.CloseIdleConnections()
			for left.Add(-1) >= 0 {
				if err := x.do(client, c.url); err != nil {
					failed.Add(1)
					t.Logf("%s: %v", c.what, err)
				}
			}
		})
	}
	wg.Wait()
	if failed.Load() > 0 && !strings.HasPrefix(c.what, "proxy") { // which now and then breaks an answer off
		t.Errorf("%s: %d requests failed", c.what, failed.Load())
	}
}

// run is a process with what it is asked.
type run struct {
	name  string
	child *child
	x     *exchange
}

// rounds loads processes in turns, and returns the medians of their CPU time for a request and of the ratio to
// that of the first one.
func rounds(t *testing.T, times, n, conns int, runs ...run) (cost, ratio []float64) {
	costs, ratios := make([][]float64, len(runs)), make([][]float64, len(runs))
	for k := range times + 1 {
		first := 0.0
		for i, r := range runs {
			x := r.child.load(t, n, conns, r.x)
			if i == 0 {
				first = x
			}
			if k > 0 { // the first round warms
				costs[i], ratios[i] = append(costs[i], x), append(ratios[i], x/first)
			}
		}
	}
	for i := range runs {
		slices.Sort(costs[i])
		slices.Sort(ratios[i])
		cost, ratio = append(cost, costs[i][times/2]), append(ratio, ratios[i][times/2])
	}
	return cost, ratio
}
