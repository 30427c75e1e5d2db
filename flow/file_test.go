package flow_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft/file"
	"github.com/weftcodec/weft/flow"
	"github.com/weftcodec/weft/value"
)

// finish runs a document up to its end.
func finish(t testing.TB, document string, opts ...flow.Option) error {
	t.Helper()
	f, err := flow.Parse("flow.yaml", []byte(document), opts...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	err = f.Run(ctx)
	if ctx.Err() != nil {
		t.Error("it does not end")
	}
	return err
}

// lines returns n records as lines.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":%d,"name":"record %d","tags":["a","b"],"score":%d.5,"big":12345678901234567890}`+"\n", i, i, i)
	}
	return b.String()
}

// TestFileChain turns an archive from one format into the next, and back into what it was.
func TestFileChain(t *testing.T) {
	dir, want := t.TempDir(), lines(3000)
	names := []string{"0.ndjson", "1.framed.zst", "2.msgpack.gz", "3.ndjson.zst", "4.framed", "5.ndjson"}
	if err := os.WriteFile(filepath.Join(dir, names[0]), []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range names[1:] {
		for _, mode := range []string{"replace", "append"} {
			to := filepath.Join(dir, names[i+1])
			if err := os.Remove(to); err != nil && mode == "append" {
				t.Fatal(err)
			}
			if err := finish(t, fmt.Sprintf("- {kind: file, name: from, read: %s, links: {out: {name: to}}}\n"+
				"- {kind: file, name: to, write: %s, mode: %s, sync: end}\n", filepath.Join(dir, names[i]), to, mode)); err != nil {
				t.Fatalf("%s, %s: %v", names[i+1], mode, err)
			}
		}
	}
	got, err := os.ReadFile(filepath.Join(dir, names[len(names)-1]))
	if err != nil || string(got) != want {
		t.Errorf("%v, %d bytes, want %d", err, len(got), len(want))
	}
}

// TestFileAppend has what stands in a file before messages come, and what then.
func TestFileAppend(t *testing.T) {
	for _, tt := range []struct{ name, before, in, doc, want, err string }{
		{"new", "", "1\n2\n", "", "1\n2\n", ""},
		{"behind", "0\n", "1\n", "", "0\n1\n", ""},
		{"line without an end", "0", "1\n", "", "0\n1\n", ""},
		{"torn", "{\"a\":1}\n{\"a\":", "1\n", "", "{\"a\":1}\n1\n", ""},
		{"damaged", "{\"a\":1}\n{}x{\"a\":", "1\n", "", "{\"a\":1}\n{}x{\"a\":", "damaged"},
		{"torn and refused", "{\"a\":1}\n{\"a\":", "1\n", ", torn: refuse", "{\"a\":1}\n{\"a\":", "torn"},
		{"replaced", "0\n", "1\n", ", mode: replace", "1\n", ""},
		{"replaced in part", "0\n", "1\n{", ", mode: replace", "0\n", "unexpected end"},
		{"in part", "0\n", "1\n{", "", "0\n1\n", "flow: node from"},
		{"nothing", "0\n", " \n", "", "0\n", ""},
		{"all else synced at the end", "0\n", "1\n", ", sync: end", "0\n1\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			to := filepath.Join(dir, "to.ndjson")
			if tt.before != "" {
				if err := os.WriteFile(to, []byte(tt.before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			err := finish(t, "- {kind: stdin, name: from, format: ndjson, links: {out: {name: to}}}\n"+
				"- {kind: file, name: to, write: "+to+tt.doc+"}\n",
				flow.Streams(strings.NewReader(tt.in), nil))
			got, _ := os.ReadFile(to)
			if string(got) != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%q, %v, want %q, %s", got, err, tt.want, tt.err)
			}
		})
	}
}

// TestFileErrors sends records that fail to an error port, and ends with the first without one.
func TestFileErrors(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join(dir, "from.ndjson")
	if err := os.WriteFile(from, []byte("{\"n\":1}\n{\"n\":\"x\"}\n{\"n\":3}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const rest = "- {kind: map, name: double, body: 'body.n * 2', links: {out: {name: good}}}\n" +
		"- {kind: file, name: good, write: %[1]s/good.ndjson}\n- {kind: file, name: bad, write: %[1]s/bad.ndjson}\n"
	const links = "links: {out: {name: double}, error: {name: bad}}}\n"
	if err := finish(t, fmt.Sprintf("- {kind: file, name: from, read: from.ndjson, "+links+rest, dir),
		flow.Read(os.ReadFile)); err == nil || !strings.Contains(err.Error(), "from.ndjson") {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := finish(t, fmt.Sprintf("- {kind: file, name: from, read: %[1]s/from.ndjson, "+links+rest, dir)); err != nil {
		t.Error(err)
	}
	good, _ := os.ReadFile(filepath.Join(dir, "good.ndjson"))
	bad, _ := os.ReadFile(filepath.Join(dir, "bad.ndjson"))
	if string(good) != "2\n6\n" || !bytes.Contains(bad, []byte(`"node":"double"`)) || bytes.Count(bad, []byte("\n")) != 1 {
		t.Errorf("%q, %q", good, bad)
	}
	err := finish(t, fmt.Sprintf("- {kind: file, name: from, read: %[1]s/from.ndjson, links: {out: {name: double}}}\n"+rest, dir))
	if good, _ = os.ReadFile(filepath.Join(dir, "good.ndjson")); err == nil ||
		!strings.Contains(err.Error(), "flow: node double") || string(good) != "2\n6\n2\n" {
		t.Errorf("%v, %q", err, good)
	}
}

// TestStdio reads and writes streams.
func TestStdio(t *testing.T) {
	pack, err := value.Marshal([]any{1, "x"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, in, fields, out, want string }{
		{"lines", "{\"a\": 1}\n\n[2]\n", "", "", "{\"a\":1}\n[2]\n"},
		{"documents", "{\"a\": 1} {\"b\": 2}", ", format: json", "", "{\"a\":1}\n{\"b\":2}\n"},
		{"text", "a\n\nb", ", format: text", ", format: text", "a\n\nb\n"},
		{"text as JSON", "a\n", ", format: text", "", "\"a\"\n"},
		{"msgpack", "\x81\xa1a\x01\x92\x01\xa1x", ", format: msgpack", "", "{\"a\":1}\n" + pack.String() + "\n"},
		{"to msgpack", "[1,\"x\"]\n", "", ", format: msgpack", "\x92\x01\xa1x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := finish(t, "- {kind: stdin, name: i"+tt.fields+", links: {out: {name: o}}}\n- {kind: stdout, name: o"+tt.out+"}\n",
				flow.Streams(strings.NewReader(tt.in), &out)); err != nil || out.String() != tt.want {
				t.Errorf("%q, %v, want %q", out.String(), err, tt.want)
			}
		})
	}
}

// TestArchive turns an archive into frames and back, by the example, in memory that does not grow with it.
func TestArchive(t *testing.T) {
	dir, n := t.TempDir(), 100_000
	if testing.Short() {
		n = 30_000
	}
	names := []string{filepath.Join(dir, "a.ndjson"), filepath.Join(dir, "a.framed.zst"), filepath.Join(dir, "b.ndjson")}
	text := lines(n)
	if err := os.WriteFile(names[0], []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	size := len(text)
	text = ""
	most, done := make(chan uint64), make(chan struct{})
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	go func() {
		var m runtime.MemStats
		peak := uint64(0)
		for {
			select {
			case <-done:
				most <- peak
				return
			case <-time.After(5 * time.Millisecond):
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapAlloc)
			}
		}
	}()
	begin := time.Now()
	for i := range 2 {
		f, err := flow.Load("examples/archive.yaml", env("ARCHIVE", names[i], "FRAMES", names[i+1]))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	took := time.Since(begin)
	close(done)
	peak := <-most
	t.Logf("%d bytes there and back in %v, heap %d more at most", size, took, peak-min(peak, before.HeapAlloc))
	if bound := before.HeapAlloc + 64<<20; peak > bound {
		t.Errorf("the heap had %d bytes, expected at most %d", peak, bound)
	}
	a, err := os.ReadFile(names[0])
	b, _ := os.ReadFile(names[2])
	if err != nil || !bytes.Equal(a, b) {
		t.Errorf("%v, %d bytes became %d", err, len(a), len(b))
	}
	r, err := file.OpenReader(names[1])
	if err != nil || r.Compression() != "zstd" {
		t.Errorf("%v", err)
	}
	r.Close()
}

// TestFileReload goes on with a file where it was when the document is reloaded, and loses and doubles
// nothing.
func TestFileReload(t *testing.T) {
	dir := t.TempDir()
	name, from, to := filepath.Join(dir, "f.yaml"), filepath.Join(dir, "from.ndjson"), filepath.Join(dir, "to.ndjson")
	const n = 3000
	var want strings.Builder
	for i := range n {
		fmt.Fprintln(&want, i)
	}
	doc := func(i int) {
		text := fmt.Sprintf("- {kind: file, name: from, read: from.ndjson, links: {out: {name: m}}}\n"+
			"- {kind: map, name: m, header: {x: '\"%d\"'}, links: {out: {name: to}}}\n- {kind: file, name: to, write: to.ndjson}\n", i)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(from, []byte(want.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	doc(0)
	f, err := flow.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- f.Run(context.Background()) }()
	reloads := 0
	for ; len(done) == 0; reloads++ {
		doc(reloads)
		if err := f.Reload(); err != nil && len(done) == 0 && !strings.Contains(err.Error(), "stopping") {
			t.Fatal(err)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got, _ := os.ReadFile(to); string(got) != want.String() {
		i := 0
		for ; i < min(len(got), want.Len()) && got[i] == want.String()[i]; i++ {
		}
		t.Errorf("%d lines, want %d; at %d: %.40q", bytes.Count(got, []byte("\n")), n, i, got[max(i-20, 0):])
	}
	t.Logf("%d documents", reloads)
}
