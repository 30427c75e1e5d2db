package harness

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func sampleReport() *Report {
	row := func(group, op, name string, ns, bytes float64, size int) Row {
		return Row{Group: group, Corpus: "data", Op: op, Case: name, Class: "compat", Ns: Spread{Median: ns, Q1: ns, Q3: ns}, Ratio: Spread{Median: 100 / ns, Q1: 1, Q3: 2}, BOp: bytes, Allocs: 1, Size: size}
	}
	failed := Row{Group: "json", Corpus: "data", Op: "decode", Case: "broken <b>", Failed: "bytes differ"}
	return &Report{
		Env:    Environment(),
		Config: Quick,
		Rows: []Row{
			row("json", "decode", "encoding/json", 100, 64, 0), row("json", "decode", "weft", 10, 0, 0), failed,
			row("persist", "save", "weft", 1e6, 1, 50000), row("persist", "save", "msgp", 2e6, 1, 60000), row("persist", "save", "gob", 9e6, 1, 900000),
		},
		Summaries: []string{"json: decode=10.00", "persist: save=2.00"},
	}
}

func TestHTML(t *testing.T) {
	var b bytes.Buffer
	if err := sampleReport().WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{"json: decode=10.00", "broken &lt;b&gt;", "NOT EQUAL", `<tr class="ours">`, `data-sort="100"`, "50000 bytes, 1 ms"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
	// Five bars of time, five of memory, three points.
	if n := strings.Count(page, `class="bar mark`); n != 5+5+3 {
		t.Errorf("%d marks", n)
	}
	if links := regexp.MustCompile(`(?:src|href)="[^#"]`).FindString(page); links != "" {
		t.Errorf("the page needs %s", links)
	}
}

// browsers are the commands of headless browsers.
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "chrome"}

// TestHTMLInBrowser opens the page: its script runs to the end without an error, and the charts have marks.
func TestHTMLInBrowser(t *testing.T) {
	var browser string
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skipf("none of %v is installed", browsers)
	}
	dir := t.TempDir()
	page := filepath.Join(dir, "report.html")
	f, err := os.Create(page)
	if err != nil {
		t.Fatal(err)
	}
	if err := sampleReport().WriteHTML(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--enable-logging=stderr", "--v=0", "--user-data-dir="+filepath.Join(dir, "profile"), "--dump-dom", "file://"+page)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	if strings.Contains(stderr.String(), "CONSOLE") {
		t.Errorf("the page writes to the console:\n%s", stderr.String())
	}
	ready := regexp.MustCompile(`data-ready="(\d+)"`).FindStringSubmatch(stdout.String())
	if ready == nil {
		t.Fatal("the script did not run to its end")
	}
	if n, _ := strconv.Atoi(ready[1]); n != 13 {
		t.Errorf("%d marks", n)
	}
}
