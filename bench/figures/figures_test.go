package figures

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/weftcodec/weft/bench/harness"
)

const root = "../.."

// begin is where a marked part begins.
var begin = regexp.MustCompile("<!-- tables: [a-z-]+ -->")

// TestPages checks that the figures on the pages are those of the newest results.
func TestPages(t *testing.T) {
	report, name, err := Newest(root)
	if err != nil {
		t.Fatal(err)
	}
	if report.Date == "" || report.Env.Commit == "" || report.Env.CPU == "" || len(report.Env.Modules) < 10 {
		t.Errorf("%s does not say when, of what and with what it was taken: %s, %s", name, report.Date, report.Env)
	}
	pages, err := Pages(root)
	if err != nil {
		t.Fatal(err)
	}
	used := make(map[string]bool)
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		filled, names, err := Fill(text, report)
		if err != nil {
			t.Errorf("%s: %v", page, err)
		}
		if !bytes.Equal(filled, text) {
			t.Errorf("%s does not have the figures of %s: go run ./bench/cmd/tables --docs", page, name)
		}
		for _, n := range names {
			used[n] = true
		}
		if n := len(begin.FindAll(text, -1)); n != len(names) {
			t.Errorf("%s: %d parts begin, %d end", page, n, len(names))
		}
	}
	for n := range tables {
		if !used[n] {
			t.Errorf("no page has table %q", n)
		}
	}
}

// loose finds figures of speed that somebody wrote by hand.
var loose = regexp.MustCompile(`\d\s?(?:ns|µs|ms|MB/s|GB/s)\b|\d(?:\.\d+)?x? (?:times )?(?:as fast|faster|slower)|` +
	`\d times (?:as (?:fast|long)|the (?:speed|time))`)

// quoted are figures that the pages are about, and that are nobody's claim.
var quoted = []string{"123 ns for openapi-generator's marshal"}

// TestLoose checks that no page has a figure of speed but from the results.
func TestLoose(t *testing.T) {
	pages, err := Pages(root)
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		prose := string(code.ReplaceAll(Without(text), nil))
		for _, q := range quoted {
			prose = strings.ReplaceAll(prose, q, "")
		}
		for _, found := range loose.FindAllStringIndex(prose, -1) {
			t.Errorf("%s: a figure that is not from the results: …%s…", page, prose[max(0, found[0]-30):min(len(prose), found[1]+30)])
		}
	}
	for _, s := range []string{"takes 12 ns", "3.5 times as long", "2 MB/s", "4x faster", "1.5 times faster"} {
		if !loose.MatchString(s) {
			t.Errorf("%q is not found", s)
		}
	}
}

// TestFill fills a page from results of its own.
func TestFill(t *testing.T) {
	r := &harness.Report{Date: "2026-01-02", Env: harness.Env{Go: "go1.26", Commit: "abc"}, Rows: []harness.Row{
		{Group: "json", Corpus: "c", Op: "o", Case: "weft"},
		{Group: "json", Corpus: "c", Op: "o", Case: "peer", Ahead: 1.25},
		{Group: "json", Corpus: "c", Op: "o", Case: "slow"},
		{Group: "json", Corpus: "c", Op: "o", Case: "other", Ahead: 9, Class: harness.Wrong},
	}}
	page := "a\n<!-- tables: behind -->\nold\n<!-- /tables -->\nb\n<!-- tables: ahead -->\n<!-- /tables -->\n"
	got, names, err := Fill([]byte(page), r)
	if err != nil {
		t.Fatal(err)
	}
	want := "a\n<!-- tables: behind -->\nOf 2 rows of other libraries, 1 are faster than weft's: json 1 of 2.\n<!-- /tables -->\nb\n" +
		"<!-- tables: ahead -->\n| table | faster than weft |\n|---|---|\n| json: c, o | peer x1.25 |\n<!-- /tables -->\n"
	if string(got) != want || len(names) != 2 {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	for _, bad := range []string{"nope", "headline", "openapi"} {
		page := "<!-- tables: " + bad + " -->\nold\n<!-- /tables -->\n"
		if got, _, err := Fill([]byte(page), r); err == nil || string(got) != page {
			t.Errorf("%s: %v, %s", bad, err, got)
		}
	}
	if got := string(Without([]byte(page))); strings.Contains(got, "old") || !strings.HasPrefix(got, "a\n") {
		t.Errorf("%q", got)
	}
}

// TestMeans fills the tables of groups that a run may lack.
func TestMeans(t *testing.T) {
	row := func(group, corpus, op, name string, ratio float64) harness.Row {
		return harness.Row{Group: group, Corpus: corpus, Op: op, Case: name, Ns: harness.Spread{Median: 100 / ratio},
			Ratio: harness.Spread{Median: ratio}, Allocs: 1}
	}
	r := &harness.Report{}
	for _, corpus := range []string{"pods", "events"} {
		for _, op := range sdkOps {
			r.Rows = append(r.Rows, row("sdk", corpus, op, "weft", 8), row("sdk", corpus, op, "go-json", 2))
		}
	}
	r.Rows[1].Ratio.Median, r.Rows[3].Failed = 8, "another value"
	r.Rows = append(r.Rows, row("json, go1.0", "pet", "typed decode", "weft", 3), row("cbor", "pods", "encode", "weft", 4),
		row("cbor", "pods", "encode", "fxamacker", 1))
	for name, want := range map[string]string{
		"sdk": "| times encoding/json's speed | read a struct | read it in another order | write it |\n|---|---:|---:|---:|\n" +
			"| **weft** | 8.00 | 8.00 | 8.00 |\n| goccy/go-json | 4.00 | 2.00 (of 1) | 2.00 |\n",
		"types": "| times encoding/json's speed; in brackets the fastest other | read a struct | read it in another order | write it |\n" +
			"|---|---:|---:|---:|\n| pods | 8.00 (go-json 8.00) | 8.00 | 8.00 (go-json 2.00) |\n" +
			"| events | 8.00 (go-json 2.00) | 8.00 (go-json 2.00) | 8.00 (go-json 2.00) |\n",
		"releases": "| times encoding/json's speed, go1.0 | read a struct | write it | append it | read into any | write that | Valid |\n" +
			"|---|---:|---:|---:|---:|---:|---:|\n| **weft** | 3.00 | – | – | – | – | – |\n",
		"cbor": "| time, allocations | weft | weft, strict | fxamacker/cbor | ugorji | weft's MessagePack |\n" +
			"|---|---:|---:|---:|---:|---:|\n| pods, encode | 25 ns, 1 | – | 100 ns, 1 | – | – |\n",
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := tables[name](r); err != nil || got != want {
				t.Errorf("%v, got:\n%s\nwant:\n%s", err, got, want)
			}
			if got, err := tables[name](new(harness.Report)); err != nil || got != "The recorded run does not contain this table.\n" {
				t.Errorf("without rows: %v, %s", err, got)
			}
		})
	}
}

// TestSave keeps a report and finds it again, the newest of two.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	for _, date := range []string{"2026-01-02", "2025-12-31"} {
		if err := Save(filepath.Join(dir, Dir), &harness.Report{Date: date}); err != nil {
			t.Fatal(err)
		}
	}
	r, name, err := Newest(dir)
	if err != nil || r.Date != "2026-01-02" || name != "bench/results/2026-01-02.json" {
		t.Errorf("%+v, %s, %v", r, name, err)
	}
	if page, err := os.ReadFile(filepath.Join(dir, Dir, "2026-01-02.md")); err != nil || !bytes.Contains(page, []byte("2026-01-02")) {
		t.Errorf("%s, %v", page, err)
	}
	rows := []harness.Row{{Group: "json", Corpus: "c", Op: "o", Case: "weft", Size: 1}}
	for size := range 3 { // the second and the third take the place of the first
		rows[0].Size = size
		if err := Add(filepath.Join(dir, Dir), &harness.Report{Env: harness.Env{Go: "go1.0"}, Rows: rows}); err != nil {
			t.Fatal(err)
		}
	}
	r, _, err = Newest(dir)
	if err != nil || len(r.Rows) != 1 || r.Date != "2026-01-02" || r.Find("json, go1.0", "c", "o", "weft").Size != 2 {
		t.Errorf("added: %+v, %v", r, err)
	}
	if _, _, err := Newest(t.TempDir()); err == nil {
		t.Error("results where there are none")
	}
	if Add(t.TempDir(), r) == nil {
		t.Error("added to results where there are none")
	}
	for _, env := range []harness.Env{{}, {Go: "go1.0", Commit: "abc"}, {Go: "go1.0", CPU: "another"}} {
		if Add(filepath.Join(dir, Dir), &harness.Report{Env: env}) == nil {
			t.Errorf("added rows of %+v", env)
		}
	}
}

func TestUnits(t *testing.T) {
	for ns, want := range map[float64]string{
		4.25:  "4.2 ns",
		99.6:  "100 ns",
		1234:  "1.23 µs",
		56789: "57 µs",
		1.5e6: "1.50 ms",
		2.5e8: "250 ms",
	} {
		t.Run(fmt.Sprint(ns), func(t *testing.T) {
			if got := time(ns); got != want {
				t.Errorf("%v: %s, want %s", ns, got, want)
			}
		})
	}
	for n, want := range map[int]string{7: "7", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if got := thousands(n); got != want {
				t.Errorf("%d: %s", n, got)
			}
		})
	}
}
