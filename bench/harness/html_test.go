package harness

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/weftcodec/weft/internal/browser"
)

func sampleReport() *Report {
	row := func(group, op, name string, ns, bytes float64, size int) Row {
		return Row{
			Group: group, Corpus: "data", Op: op, Case: name, Class: "compat", Ns: Spread{Median: ns, Q1: ns, Q3: ns},
			Ratio: Spread{Median: 100 / ns, Q1: 1, Q3: 2}, BOp: bytes, Allocs: 1, Size: size,
		}
	}
	failed := Row{Group: "json", Corpus: "data", Op: "decode", Case: "broken <b>", Failed: "bytes differ"}
	return &Report{
		Env:    Environment(),
		Config: Quick,
		Rows: []Row{
			row("json", "decode", "encoding/json", 100, 64, 0), row("json", "decode", "weft", 10, 0, 0), failed,
			row("persist", "save", "weft", 1e6, 1, 50000), row("persist", "save", "msgp", 2e6, 1, 60000),
			row("persist", "save", "gob", 9e6, 1, 900000),
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
	for _, want := range []string{
		"json: decode=10.00", "broken &lt;b&gt;", "NOT EQUAL", `<tr class="ours">`, `data-sort="100"`, "50000 bytes, 1 ms",
	} {
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

// TestHTMLInBrowser opens the page: its script runs to the end without an error, and the charts have marks.
func TestHTMLInBrowser(t *testing.T) {
	p := browser.Open(t)
	page := filepath.Join(t.TempDir(), "report.html")
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
	p.Go("file://" + filepath.ToSlash(page))
	if said := p.Said(); len(said) > 0 {
		t.Errorf("the page writes to the console: %q", said)
	}
	if n := p.Eval("document.documentElement.dataset.ready"); n != "13" {
		t.Errorf("%s marks", n)
	}
}
