package main

import (
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The values that are completed are those that a command takes, and the flags
// those of its help.
func TestCompletionTrue(t *testing.T) {
	calls := map[string]struct{ in, args string }{
		"gen":     {goodDoc, "gen openapi - --list --out api"},
		"convert": {"[1]", "convert - - --from json --to json"},
		"inspect": {"[1]", "inspect -"},
		"compare": {"[1]", "compare - --time 0s"},
	}
	for _, cmd := range commands() {
		for _, f := range cmd.visible() {
			if !strings.Contains(cmd.line+cmd.help, "--"+f.Name) && f.Name != "help" {
				t.Errorf("weft help %s does not speak of --%s", cmd.name, f.Name)
			}
			choices := cmd.choices[f.Name]
			if choices == nil {
				continue
			}
			for _, v := range append(choices, "nonsense") {
				call := calls[cmd.name]
				status, _, errs := weft(call.in, append(strings.Fields(call.args), "--"+f.Name+"="+v)...)
				if (status == 2) != (v == "nonsense") {
					t.Errorf("weft %s --%s=%s: %d %s", call.args, f.Name, v, status, errs)
				}
			}
		}
		for name := range cmd.choices {
			if !slices.ContainsFunc(cmd.visible(), func(f *flag.Flag) bool { return f.Name == name }) {
				t.Errorf("weft %s has no --%s", cmd.name, name)
			}
		}
		for _, w := range cmd.words {
			if status, _, errs := weft("", cmd.name, w, "--nonsense"); strings.Contains(errs, w+`"`) {
				t.Errorf("weft %s %s: %d %s", cmd.name, w, status, errs)
			}
		}
	}
	for _, args := range [][]string{{"completion"}, {"completion", "csh"}, {"completion", "bash", "zsh"}, {"version", "x"}} {
		if status, out, errs := weft("", args...); status != 2 || out != "" || !strings.Contains(errs, "expected") {
			t.Errorf("weft %q: %d %q %q", args, status, out, errs)
		}
	}
}

// Each script names every command and flag, and its shell, where there is one,
// can read it.
func TestCompletionScripts(t *testing.T) {
	flagIn := map[string]string{"bash": "--%s", "zsh": "--%s[", "fish": "-l %s "}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		status, script, errs := weft("", "completion", shell)
		if status != 0 || errs != "" {
			t.Fatalf("%s: %d %s", shell, status, errs)
		}
		for _, cmd := range commands() {
			if !strings.Contains(script, cmd.name) {
				t.Errorf("%s: no command %s", shell, cmd.name)
			}
			for _, f := range cmd.visible() {
				if !strings.Contains(script, fmt.Sprintf(flagIn[shell], f.Name)) {
					t.Errorf("%s: %s has no flag %s", shell, cmd.name, f.Name)
				}
			}
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		file := filepath.Join(scratch(t, map[string]string{"script": script}), "script")
		if out, err := exec.Command(path, "-n", file).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v: %s\n%s", shell, err, out, script)
		}
	}
}

// Bash completes what the tables say.
func TestCompletionBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	names := func(cmd command) (list []string) {
		for _, f := range cmd.visible() {
			list = append(list, "--"+f.Name)
		}
		return list
	}
	type row struct{ line, want string } // the last word of a line is completed
	rows := []row{
		{"weft |", "gen convert inspect migrate compare completion man version help --help --version"},
		{"weft c|", "convert compare completion"},
		{"weft --v|", "--version"},
		{"weft gen |", "openapi"},
		{"weft gen openapi |", ""},
		{"weft gen openapi a.yaml --ou|", "--out"},
		{"weft gen openapi a.yaml --out |", ""},
		{"weft gen openapi --unknown k|", "keep"},
		{"weft compare --sort = s|", "size save"}, // as bash splits --sort=s
		{"weft compare --sort =|", "size save load time name"},
		{"weft compare --json --s|", "--sort"},
		{"weft compare --json a|", ""},
		{"weft help m|", "migrate man"},
		{"weft help --|", ""},
		{"weft nonsense --|", ""},
	}
	for _, cmd := range commands() {
		rows = append(rows, row{"weft " + cmd.name + " --|", strings.Join(names(cmd), " ")})
		for name, choices := range cmd.choices {
			rows = append(rows, row{"weft " + cmd.name + " x --" + name + " |", strings.Join(choices, " ")})
		}
	}
	var driver strings.Builder
	for _, r := range rows {
		words := strings.Split(strings.TrimSuffix(r.line, "|"), " ")
		for i := range words {
			words[i] = quote(words[i])
		}
		fmt.Fprintf(&driver, "COMP_WORDS=(%s); COMP_CWORD=%d; _weft; echo \"${COMPREPLY[*]}\"\n", strings.Join(words, " "), len(words)-1)
	}
	_, script, _ := weft("", "completion", "bash")
	run := exec.Command(bash, "--norc", "-u")
	run.Stdin = strings.NewReader(script + driver.String())
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := strings.Split(string(out), "\n")
	if len(lines) != len(rows)+1 {
		t.Fatalf("%d lines for %d:\n%s", len(lines)-1, len(rows), out)
	}
	for i, r := range rows {
		if lines[i] != r.want {
			t.Errorf("%s: %q, want %q", r.line, lines[i], r.want)
		}
	}
}
