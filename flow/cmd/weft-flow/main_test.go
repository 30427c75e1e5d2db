package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestCommand has calls with what they print and their exit status.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	good := write("good.yaml",
		"- {kind: http, name: s, address: '${AT:-:0}', links: {out: {name: pong}}}\n- {kind: snippet, name: pong, code: pong}\n")
	bad := write("bad.yaml", "- {kind: http, name: s, adress: :0, links: {out: {name: pong}}}\n")
	doubtful := write("doubtful.yaml", "- {kind: snippet, name: alone, code: pong}\n")
	pong := write("pong.yaml", "- {kind: snippet, name: pong, code: pong}\n")
	tests := write("tests.yaml", "- {kind: test, name: ok-pong, request: {path: /}, want: {status: 200, body: pong}}\n"+
		"- {kind: test, name: ping, at: pong, want: {body: ping}}\n")
	recorder := write("recorder.yaml",
		"- {kind: record, name: tap, file: r.ndjson, links: {out: {name: pong}}}\n- {kind: snippet, name: pong, code: pong}\n"+
			"- {kind: http, name: s, address: :0, links: {out: {name: tap}}}\n")
	recording := write("r.ndjson", `{"node":"tap","request":{"method":"GET","path":"/"},"answer":{"status":200,"text":"pong"}}`)
	served := write("served.ndjson", `{"node":"s","request":{"method":"GET","path":"/"},"answer":{"status":200,"text":"pong"}}`)
	copying := write("copying.yaml", "- {kind: stdin, name: i, links: {out: {name: o}}}\n- {kind: stdout, name: o}\n")
	missing := write("missing.yaml", "- {kind: file, name: from, read: none.ndjson, links: {out: {name: o}}}\n- {kind: stdout, name: o}\n")
	for _, tt := range []struct {
		args     string
		status   int
		out, err string // what they contain
	}{
		{"", 2, "", "weft-flow runs servers"},
		{"help", 0, "weft-flow check", ""},
		{"help check", 0, "usage: weft-flow check", ""},
		{"help chekc", 2, "", `there is no command "chekc"`},
		{"chekc", 2, "", `there is no command "chekc"`},
		{"check", 2, "", "expected the file of a document, got no argument"},
		{"check -h", 0, "usage: weft-flow check", ""},
		{"check -x a", 2, "", "flag provided but not defined: -x"},
		{"check -env AT " + good, 2, "", "expected NAME=VALUE"},
		{"check " + good, 0, "", ""},
		{"check -env AT=x " + good, 1, good + `:1:34: "x" is not an address`, ""},
		{"check " + filepath.Join(dir, "none.yaml"), 1, "", "no such file or directory"},
		{"check " + bad, 1, bad + `:1:25: unknown field "adress": did you mean "address"?`, ""},
		{"check " + bad + " " + pong, 1, `unknown field`, ""},
		{"check " + doubtful, 0, "1:10: warning: no link leads", ""},
		{"check -strict " + doubtful, 1, "1:10: warning: no link leads", ""},
		{"test -run ok-pong " + good + " " + tests, 0, "1 test passed", ""},
		{"test -v -run ^ok " + good + " " + tests, 0, "ok ok-pong ", ""},
		{"test " + good + " " + tests, 1, tests + `:2:51: ping: the body is "pong", want "ping"` + "\n1 of 2 tests failed", ""},
		{"test " + good, 1, "", "there is no such test"},
		{"test -run ( " + good, 2, "", "-run (: error parsing regexp"},
		{"test " + bad, 1, "", "unknown field"},
		{"replay -v " + recording + " " + recorder, 0, "ok GET / ", ""},
		{"replay " + recording + " " + good, 1,
			recording + `:1:1: GET /: the document has no node "tap" of kind record or http` + "\n1 of 1 test failed", ""},
		{"replay " + recording, 2, "", "expected a recording and the file of a document, got one argument"},
		{"replay " + served + " " + good, 0, "1 test passed", ""},
		{"record " + served, 2, "", "expected the file to write and the file of a document, got one argument"},
		{"record " + good + " " + served, 2, "", good + " exists and is not a recording: expected the file to write first"},
		{"record " + served + " " + bad, 1, "", "unknown field"},
		{"graph " + good + " " + tests, 0, `n0 --> n1`, ""},
		{"graph " + good, 0, `n0 --> n1`, ""},
		{"graph -svg " + good, 0, `<svg xmlns`, ""},
		{"graph " + bad, 1, "", "unknown field"},
		{"schema", 0, `"$schema"`, ""},
		{"schema " + good, 2, "", "expected no argument"},
		{"run " + copying, 0, "{\"a\":1}\n", ""},
		{"run " + missing, 1, "", "weft-flow run: flow: node from: "},
		{"run " + bad, 1, "", "unknown field"},
		{"run -log xml " + good, 2, "", "expected text or json"},
		{"run -env AT=256.0.0.1:1 " + good, 1, "", "weft-flow run: flow: node s: listen tcp"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			var out, err bytes.Buffer
			status := run(context.Background(), strings.Fields(tt.args), strings.NewReader("{\"a\": 1}"), &out, &err)
			if status != tt.status || !strings.Contains(out.String(), tt.out) || !strings.Contains(err.String(), tt.err) ||
				tt.out == "" && out.Len() > 0 || tt.err == "" && err.Len() > 0 {
				t.Errorf("status %d\n%s\n%s", status, out.String(), err.String())
			}
		})
	}
}

// TestRun runs a document until it is interrupted, and records what it answers.
func TestRun(t *testing.T) {
	const file = "../../testdata/ping_today.yaml"
	recording := filepath.Join(t.TempDir(), "r.ndjson")
	ping(t, "run", file)
	ping(t, "record", recording, file)
	var out, err bytes.Buffer
	args := []string{"replay", "-v", "-env", "PORT=0", recording, file}
	status := run(context.Background(), args, strings.NewReader(""), &out, &err)
	if status != 0 || !strings.HasPrefix(out.String(), "ok GET /ping ") {
		t.Errorf("status %d\n%s\n%s", status, out.String(), err.String())
	}
}

// ping runs a document by a command, asks for /ping, and interrupts it.
func ping(t *testing.T, command string, files ...string) {
	t.Helper()
	free, failed := net.Listen("tcp", "127.0.0.1:0")
	if failed != nil {
		t.Fatal(failed)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	free.Close()
	ctx, stop := context.WithCancel(context.Background())
	var out, err safeBuffer
	done := make(chan int)
	go func() {
		done <- run(ctx, append([]string{command, "-env", "PORT=" + port}, files...), strings.NewReader(""), &out, &err)
	}()
	text := ""
	for range 200 {
		if resp, err := http.Get("http://127.0.0.1:" + port + "/ping"); err == nil {
			b, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			text = string(b)
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	if status := <-done; status != 0 || text != "pong" {
		t.Errorf("status %d, %q\n%s", status, text, err.String())
	}
}

// safeBuffer is a buffer that goroutines write to.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// TestTraces sends spans where the environment says.
func TestTraces(t *testing.T) {
	var paths safeBuffer
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = paths.Write([]byte(r.URL.Path + " " + string(body)))
	}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none")
	name := filepath.Join(t.TempDir(), "copy.yaml")
	if err := os.WriteFile(name,
		[]byte("- {kind: stdin, name: input, links: {out: {name: output}}}\n- {kind: stdout, name: output}\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	var out, err bytes.Buffer
	if status := run(context.Background(), []string{"run", name}, strings.NewReader("1\n"), &out, &err); status != 0 || out.String() != "1\n" {
		t.Errorf("status %d, %q, %s", status, out.String(), err.String())
	}
	for _, want := range []string{"/v1/traces", "weft-flow", "input", "output"} {
		if !strings.Contains(paths.String(), want) {
			t.Errorf("there is no %s in %q", want, paths.String())
		}
	}
}
