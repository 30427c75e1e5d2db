package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestMan checks that the manual page has every command and flag, and that groff accepts it where it is installed.
func TestMan(t *testing.T) {
	status, page, errs := weft("", "man")
	if status != 0 || errs != "" {
		t.Fatalf("%d %q", status, errs)
	}
	for _, cmd := range commands() {
		if !strings.Contains(page, "\n.SS weft "+cmd.name) || !strings.Contains(page, ".B weft "+cmd.name+"\n") {
			t.Errorf("the page does not have weft %s", cmd.name)
		}
		for _, f := range cmd.visible() {
			if f.Name != "help" && !strings.Contains(page, roff("--"+f.Name)) {
				t.Errorf("the page does not have weft %s --%s", cmd.name, f.Name)
			}
		}
	}
	known := map[string]bool{"TH": true, "SH": true, "SS": true, "B": true, "br": true, "nf": true, "fi": true}
	for line := range strings.Lines(page) {
		if name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "."), " "); line[0] == '.' && !known[name] {
			t.Errorf("a request that is not known: %q", line)
		}
	}
	if status, _, errs := weft("", "man", "x"); status != 2 || !strings.Contains(errs, "expected no arguments, got 1") {
		t.Errorf("%d %q", status, errs)
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	cmd := exec.Command(groff, "-man", "-Tutf8", "-K", "utf8", "-ww", "-z")
	cmd.Stdin = strings.NewReader(page)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("groff: %v\n%s", err, out)
	}
}
