package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft/compress"
)

func TestConvertFiles(t *testing.T) {
	dir := scratch(t, map[string]string{"a.json": `[{"a": 1}, {"a": 2.5}]`, "kept.mp": "\x01"})
	at := func(name string) string { return filepath.Join(dir, name) }
	steps := []struct {
		in     string
		args   []string
		out    string
		file   string // file that is written
		golden string
	}{
		{args: []string{"convert", at("a.json"), at("a.ndjson")}, file: "a.ndjson", golden: "{\"a\":1}\n{\"a\":2.5}\n"},
		{args: []string{"convert", at("a.ndjson"), at("kept.mp")}, file: "kept.mp",
			golden: "\x81\xa1a\x01\x81\xa1a\xcb\x40\x04\x00\x00\x00\x00\x00\x00"},
		{args: []string{"convert", at("kept.mp"), at("b.json")}, file: "b.json", golden: "[{\"a\":1},\n{\"a\":2.5}]\n"},
		{args: []string{"convert", at("b.json"), "-", "--to", "ndjson"}, out: "{\"a\":1}\n{\"a\":2.5}\n"},
		{in: "[1]", args: []string{"convert", "--from", "json", "-", "-", "--to=msgpack"}, out: "\x91\x01"},
		{in: "[1]", args: []string{"convert", "--from=json", "-", at("c.data"), "--to=msgpack"}, file: "c.data", golden: "\x91\x01"},
		{in: "{}", args: []string{"convert", "--from=json", "-", at("e.tagged")}, file: "e.tagged", golden: "\x08\x00\x00\x00\x00"},
		{args: []string{"convert", at("e.tagged"), "-", "--to=json"}, out: "{}\n"},
		{args: []string{"convert", at("a.json"), at("a.json")}, file: "a.json", golden: "[{\"a\":1},{\"a\":2.5}]\n"},
	}
	for _, step := range steps {
		t.Run(step.in, func(t *testing.T) {
			status, out, errs := weft(step.in, step.args...)
			if status != 0 || out != step.out || errs != "" {
				t.Fatalf("weft %q: %d %q %q", step.args, status, out, errs)
			}
			if step.file == "" {
				return
			}
			got, err := os.ReadFile(at(step.file))
			if err != nil || string(got) != step.golden {
				t.Fatalf("weft %q wrote %q, want %q (%v)", step.args, got, step.golden, err)
			}
		})
	}
}

// What is compressed is read as what it is, and written as the name says.
func TestConvertCompressed(t *testing.T) {
	dir := scratch(t, map[string]string{"a.json": `[{"a":1},{"a":2.5}]`, "b.json": "{}"})
	at := func(name string) string { return filepath.Join(dir, name) }
	names := []string{"a.json", "a.ndjson.gz", "a.mp.zst", "A.JSON.ZSTD", "a.jsonl.gz", "b.json"}
	for i, name := range names[1:] {
		if status, out, errs := weft("", "convert", at(names[i]), at(name)); status != 0 || out+errs != "" {
			t.Fatalf("to %s: %d %q %q", name, status, out, errs)
		}
		got, err := os.ReadFile(at(name))
		want := map[string]string{".gz": "gzip", ".zst": "zstd", ".ZSTD": "zstd"}[filepath.Ext(name)]
		if err != nil || compress.Detect(got) != want {
			t.Errorf("%s is %q, %v", name, compress.Detect(got), err)
		}
	}
	if got, err := os.ReadFile(at("b.json")); err != nil || string(got) != "[{\"a\":1},\n{\"a\":2.5}]\n" {
		t.Errorf("%q %v", got, err)
	}
	// The name tells, and content that does not match is refused, until --from does.
	if err := os.Rename(at("a.mp.zst"), at("plain.mp")); err != nil {
		t.Fatal(err)
	}
	if status, out, errs := weft("", "convert", at("plain.mp"), "-", "--to", "ndjson"); status != 1 || out != "" ||
		!strings.Contains(errs, "plain.mp: msgpack: at offset 0: the content looks like zstd") {
		t.Errorf("%d %q %q", status, out, errs)
	}
	if status, out, errs := weft("", "convert", at("plain.mp"), "-", "--from=msgpack", "--to", "ndjson"); status != 0 ||
		out != "{\"a\":1}\n{\"a\":2.5}\n" {
		t.Errorf("%d %q %q", status, out, errs)
	}
	// A cut file is an error, and leaves what was there.
	whole, _ := os.ReadFile(at("a.ndjson.gz"))
	os.WriteFile(at("a.ndjson.gz"), whole[:len(whole)-5], 0o666)
	status, _, errs := weft("", "convert", at("a.ndjson.gz"), at("b.json"))
	if status != 1 || !strings.Contains(errs, "a.ndjson.gz: gzip: at offset ") {
		t.Errorf("%d %q", status, errs)
	}
	if got, _ := os.ReadFile(at("b.json")); len(got) == 0 || got[0] != '[' {
		t.Errorf("became %q", got)
	}
}

// What was there before stays when the conversion fails, and nothing else is
// left behind.
func TestConvertKeeps(t *testing.T) {
	dir := scratch(t, map[string]string{"a.ndjson": "1\n2\nx\n", "a.mp": "before"})
	status, _, errs := weft("", "convert", filepath.Join(dir, "a.ndjson"), filepath.Join(dir, "a.mp"))
	if status != 1 || !strings.Contains(errs, "a.ndjson: line 3: json: at offset 4: ") {
		t.Errorf("%d %q", status, errs)
	}
	got, err := os.ReadFile(filepath.Join(dir, "a.mp"))
	if err != nil || string(got) != "before" {
		t.Errorf("%q %v", got, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("files were left behind: %v", left)
	}
}

// TestConvertDamaged: what is whole of a framed file is converted on demand.
func TestConvertDamaged(t *testing.T) {
	dir := scratch(t, map[string]string{"a.ndjson": "{\"a\":1}\n"})
	at := func(name string) string { return filepath.Join(dir, name) }
	if status, _, errs := weft("", "convert", at("a.ndjson"), at("a.framed")); status != 0 {
		t.Fatal(errs)
	}
	b, err := os.ReadFile(at("a.framed"))
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(at("bad.framed"), append(b, "damage"...), 0o666)
	tests := []struct {
		in, flag string
		status   int
		out      string
		errs     string
	}{
		{"bad.framed", "--to=ndjson", 1, "", "bad.framed: framed: at offset "},
		{"bad.framed", "--skip-damaged", 0, "{\"a\":1}\n",
			fmt.Sprintf("bad.framed: bytes %d to %d are damaged, and left out\n", len(b), len(b)+6)},
		{"a.framed", "--skip-damaged", 0, "{\"a\":1}\n", ""},
		{"a.ndjson", "--skip-damaged", 2, "", "--skip-damaged needs an IN that is a framed file"},
		{"a.framed.gz", "--skip-damaged", 2, "", "--skip-damaged needs an IN that is a framed file"},
	}
	for _, tt := range tests {
		t.Run(tt.in+" "+tt.flag, func(t *testing.T) {
			status, out, errs := weft("", "convert", at(tt.in), "-", "--to=ndjson", tt.flag)
			if status != tt.status || tt.status != 1 && out != tt.out || !strings.Contains(errs, tt.errs) {
				t.Errorf("%d %q %q", status, out, errs)
			}
		})
	}
}

// An interrupt ends a read that waits for its input.
func TestStoppable(t *testing.T) {
	silent, _ := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	time.AfterFunc(10*time.Millisecond, stop)
	r := &stoppable{ctx: ctx, r: silent}
	for range 2 {
		if n, err := r.Read(make([]byte, 8)); n != 0 || err != context.Canceled {
			t.Fatalf("got %d, %v", n, err)
		}
	}
	r = &stoppable{ctx: context.Background(), r: strings.NewReader("some text")}
	if got, err := io.ReadAll(r); string(got) != "some text" || err != nil {
		t.Fatalf("got %q, %v", got, err)
	}
}

func TestProgress(t *testing.T) {
	var out strings.Builder
	clock := time.Unix(0, 0)
	p := newProgress(&out, "a.json", 100e6)
	p.now = func() time.Time { return clock }
	p.start, p.last = clock, clock
	p.show(1e6) // too soon
	if out.Len() > 0 {
		t.Errorf("drawn at once: %q", out.String())
	}
	clock = clock.Add(time.Second)
	p.show(50e6)
	want := "\ra.json [###############...............]  50 %  50 of 100 MB, 50 MB/s"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	out.Reset()
	p.clear()
	if want := "\r" + strings.Repeat(" ", len(want)-1) + "\r"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// The bar shows on a terminal, for a large file, and only there.
func TestProgressShows(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "a.ndjson")
	if err := os.WriteFile(in, []byte(strings.Repeat("[1,2,3,4,5,6,7,8,9]\n", 4<<20/20*4)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, terminal := range []bool{false, true} {
		var errs strings.Builder
		slow := &slowWriter{}
		if status := run([]string{"convert", in, "-", "--to", "msgpack"}, streams{out: slow, err: &errs, terminal: terminal}); status != 0 {
			t.Fatalf("%d %s", status, errs.String())
		}
		if got := strings.Contains(errs.String(), "a.ndjson [#"); got != terminal {
			t.Errorf("terminal %v: %q", terminal, errs.String())
		}
	}
}

// slowWriter takes a while for its first bytes, so that there is time for a bar.
type slowWriter struct{ n int }

func (w *slowWriter) Write(b []byte) (int, error) {
	if w.n++; w.n == 20 || w.n == 40 {
		time.Sleep(250 * time.Millisecond)
	}
	return len(b), nil
}
