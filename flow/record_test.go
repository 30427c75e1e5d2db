package flow_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftcodec/weft/flow"
)

const recorder = `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: tap}}}
- {kind: record, name: tap, file: "${FILE}", maxBody: 1KiB, maxSize: "${MAX:-1MiB}", links: {out: {name: change}}}
- {kind: map, name: change, set: {n: body.n + 1}}
`

// TestRecord writes what passes to a file, and sends it again: to the same document, and to one that answers otherwise.
func TestRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.ndjson")
	if err := os.WriteFile(file, []byte(`{"node":"tap","req`), 0o600); err != nil { // as a process left it
		t.Fatal(err)
	}
	front, _ := serve(t, recorder, env("FILE", file))
	for _, tt := range []struct {
		line, mediaType, body string
		want                  int
	}{
		{"POST /a?b=c", "application/json", `{"n":1}`, 200},
		{"POST /pack", "application/msgpack", inMsgpack(t, `{"n":300,"é":[]}`), 200},
		{"POST /bad", "application/json", `{"n":`, 400},
		{"POST /long", "application/json", `{"n":2,"x":"` + strings.Repeat("x", 2000) + `"}`, 200},
	} {
		t.Run(tt.line, func(t *testing.T) {
			h := http.Header{"Content-Type": {tt.mediaType}, "Authorization": {"secret"}, "X-Kept": {"kept"}}
			if resp, text := request(t, front, tt.line, h, tt.body); resp.StatusCode != tt.want {
				t.Errorf("%s: %s %q", tt.line, resp.Status, text)
			}
		})
	}
	text, err := os.ReadFile(file)
	if err != nil || strings.Count(string(text), "\n") != 5 || strings.Contains(string(text), "secret") ||
		!strings.Contains(string(text), `"X-Kept":["kept"]`) {
		t.Errorf("%s, %v", text, err)
	}
	for _, tt := range []struct {
		name, more string
		want       [5]string
	}{
		{"the same", "body.n + 1", [5]string{"the line is truncated", "", "", "", "the body of the request was too long to be recorded"}},
		{"another", "body.n + 2", [5]string{
			"the line is truncated", `the body differs at "/n": it is 3, want 2`, `the body differs at "/n": it is 302, want 301`, "", "too long",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "f.yaml")
			if err := os.WriteFile(name, []byte(strings.Replace(recorder, "body.n + 1", tt.more, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			results, err := flow.Replay(file, []string{name}, env("FILE", file))
			if err != nil || len(results) != 5 {
				t.Fatalf("%d results, %v", len(results), err)
			}
			for i, r := range results {
				said := r.Failures.String()
				if (said == "") != (tt.want[i] == "") || !strings.Contains(said, tt.want[i]) ||
					said != "" && !strings.HasPrefix(said, fmt.Sprintf("%s:%d:1: ", file, i+1)) {
					t.Errorf("%s: %q, want %q", r.Name, said, tt.want[i])
				}
			}
			if after, err := os.ReadFile(file); err != nil || string(after) != string(text) {
				t.Errorf("the recording has changed, %v", err)
			}
		})
	}
}

// TestRecordFaults has files that cannot be written to: messages have nothing to do with it.
func TestRecordFaults(t *testing.T) {
	for _, tt := range []struct{ name, file, max, want string }{
		{"no folder", filepath.Join(t.TempDir(), "none", "r"), "1MiB", "no such file or directory"},
		{"full disk", "/dev/full", "1MiB", "no space left on device"},
		{"long enough", filepath.Join(t.TempDir(), "r"), "1KiB", "nothing more is written"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := os.Stat("/dev/full"); err != nil && tt.file == "/dev/full" {
				t.Skip("the system has no full device")
			}
			log := new(logged)
			front, _ := serve(t, recorder, env("FILE", tt.file, "MAX", tt.max), log.option())
			for range 10 {
				h := http.Header{"Content-Type": {"application/json"}}
				if resp, text := request(t, front, "POST /", h, `{"n":1}`); resp.StatusCode != 200 || text != `{"n":2}` {
					t.Errorf("%s %q", resp.Status, text)
				}
			}
			if !strings.Contains(log.String(), tt.want) {
				t.Errorf("the log: %s", log.String())
			}
			if info, err := os.Stat(tt.file); err == nil && info.Size() > 1024 {
				t.Errorf("%d bytes", info.Size())
			}
		})
	}
}
