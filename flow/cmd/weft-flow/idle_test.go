//go:build linux

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestIdle opens 10,000 connections that stay idle, half of them after a request: others are answered as before, and
// the memory that one takes is bounded.
func TestIdle(t *testing.T) {
	conns := 10000
	if testing.Short() {
		conns = 2000
	}
	address := freeAddress(t)
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	name := filepath.Join(t.TempDir(), "f.yaml")
	if err := os.WriteFile(name, []byte("- {kind: http, name: s, address: "+address+", headerTimeout: 5m, links: {out: {name: pong}}}\n"+
		"- {kind: snippet, name: pong, code: pong}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, args: []string{"run", name}, log: log}
	p.start()
	defer func() { _ = p.cmd.Process.Kill() }()
	ask := func() time.Duration {
		begin := time.Now()
		resp, err := http.Get("http://" + address)
		if err != nil {
			return 0
		}
		text, err := io.ReadAll(resp.Body)
		if resp.Body.Close(); err != nil || string(text) != "pong" {
			t.Errorf("%q, %v", text, err)
		}
		return time.Since(begin)
	}
	for begin := time.Now(); ask() == 0 && time.Since(begin) < 20*time.Second; {
		time.Sleep(20 * time.Millisecond)
	}
	before := resident(t, p)
	open := make([]net.Conn, conns)
	var wg sync.WaitGroup
	for part := range 8 {
		wg.Go(func() {
			for i := part; i < conns; i += 8 {
				conn, err := net.Dial("tcp", address)
				if err != nil {
					t.Error(err)
					return
				}
				open[i] = conn
				if i%2 == 0 {
					fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
					_, _ = conn.Read(make([]byte, 512))
				}
			}
		})
	}
	wg.Wait()
	defer func() {
		for _, conn := range open {
			if conn != nil {
				conn.Close()
			}
		}
	}()
	slowest := time.Duration(0)
	for range 100 {
		took := ask()
		if slowest = max(slowest, took); took == 0 {
			t.Fatal("a request beside them fails")
		}
	}
	each := (resident(t, p) - before) / conns
	t.Logf("%d idle connections: %d KiB each, the slowest of 100 other requests took %v", conns, each>>10, slowest)
	if each > 48<<10 || slowest > 2*time.Second {
		t.Errorf("%d bytes each, %v", each, slowest)
	}
	for i, conn := range open[:100] { // and they are served still
		fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
		_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
		b := make([]byte, 512)
		if n, err := conn.Read(b); err != nil || !strings.HasPrefix(string(b[:n]), "HTTP/1.1 200") {
			t.Errorf("connection %d: %q, %v", i, b[:n], err)
		}
	}
}

// resident returns the bytes of memory that a process has.
func resident(t *testing.T, p *process) (n int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	if _, err := fmt.Sscanf(rest, "%d kB", &n); err != nil {
		t.Fatal(err)
	}
	return n << 10
}
