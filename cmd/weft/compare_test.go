package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	dir := scratch(t, map[string]string{"a.ndjson": strings.Repeat("{\"a\":1,\"b\":\"text\"}\n", 50)})
	name, page := filepath.Join(dir, "a.ndjson"), filepath.Join(dir, "a.html")
	status, out, errs := weft("", "compare", name, "--time", "1ms")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if status != 0 || errs != "" ||
		!strings.HasPrefix(out, name+": 50 records of ndjson, 950 bytes, measured as Go structs\n\nformat ") ||
		len(lines) != 23 {
		t.Fatalf("%d %q\n%s", status, errs, out)
	}
	last := lines[len(lines)-1]
	for _, want := range []string{"choose ", " for size (", " for speed (", " for both ("} {
		if !strings.Contains(last, want) {
			t.Errorf("the last line %q has no %q", last, want)
		}
	}

	status, out, errs = weft("", "compare", "--json", "--time=0s", "--sort", "name", name, "--html", page, "--format", "ndjson")
	var report struct {
		Records int
		Results []struct {
			Name          string
			Bytes, SaveNs int64
		}
		Choose struct{ Size, Speed, Both string }
	}
	if err := json.Unmarshal([]byte(out), &report); status != 0 || errs != "" || err != nil {
		t.Fatalf("%d %q %v\n%s", status, errs, err, out)
	}
	if r := report.Results; report.Records != 50 || len(r) != 18 || r[6].Name != "json" || r[6].Bytes != 50*19+1 ||
		r[6].SaveNs == 0 || report.Choose.Both == "" {
		t.Errorf("%+v", report)
	}
	if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), "<svg") || !strings.Contains(string(text), "choose ") {
		t.Errorf("%s %v", text, err)
	}
}

// The bar shows on a terminal, and only there, and is taken away.
func TestCompareProgress(t *testing.T) {
	dir := scratch(t, map[string]string{"a.json": "[1,2,3]"})
	for _, terminal := range []bool{false, true} {
		var out, errs strings.Builder
		status := run([]string{"compare", filepath.Join(dir, "a.json"), "--time", "500ms"}, streams{out: &out, err: &errs, terminal: terminal})
		if got := strings.Contains(errs.String(), "a.json [#"); status != 0 || got != terminal {
			t.Errorf("terminal %v: %d %q", terminal, status, errs.String())
		}
		if terminal && !strings.HasSuffix(errs.String(), " \r") {
			t.Errorf("the bar stays: %q", errs.String())
		}
	}
}
