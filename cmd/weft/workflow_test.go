package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/weftcodec/weft/cmd/weft/openapi"
)

var (
	pinned = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	ciPart = regexp.MustCompile(`\.ci/run +([a-z0-9]+)`)
)

// TestWorkflows checks the files of GitHub Actions: each is YAML of the shape that a workflow has, its actions are
// pinned to a commit, its jobs end, the parts of .ci/run that it calls exist, and together the jobs run on every system
// and release of Go that docs/stability.md promises.
func TestWorkflows(t *testing.T) {
	names, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(names) == 0 {
		t.Fatalf("no workflows, %v", err)
	}
	script, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	var matrix []string
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			doc, found := openapi.ParseNode(name, text)
			for _, d := range found.Errors() {
				t.Error(d)
			}
			for _, key := range []string{"name", "on", "permissions", "jobs"} {
				if doc.Get(key) == nil {
					t.Fatalf("the workflow has no %s", key)
				}
			}
			for _, j := range doc.Get("jobs").Members {
				matrix = append(matrix, checkJob(t, j.Name, j.Value, string(script))...)
			}
		})
	}
	for _, want := range []string{"ubuntu-24.04-arm", "macos-latest", "macos-15-intel", "windows-latest", "windows-11-arm", "1.27.x", "tip"} {
		if !slices.Contains(matrix, want) {
			t.Errorf("no job runs with %s", want)
		}
	}
}

// checkJob returns the values of the job's matrix.
func checkJob(t *testing.T, name string, job *openapi.Node, script string) (matrix []string) {
	for _, key := range []string{"runs-on", "timeout-minutes", "steps"} {
		if job.Get(key) == nil {
			t.Fatalf("the job %s has no %s", name, key)
		}
	}
	if s := job.Get("strategy"); s != nil {
		for _, m := range s.Get("matrix").Members {
			for _, v := range m.Value.Items {
				matrix = append(matrix, v.Text)
			}
			if text := nodeText(job); !strings.Contains(text, "matrix."+m.Name) {
				t.Errorf("the job %s does not use matrix.%s", name, m.Name)
			}
		}
	}
	for _, step := range job.Get("steps").Items {
		uses, run := step.Get("uses"), step.Get("run")
		if (uses == nil) == (run == nil) {
			t.Errorf("%v: expected a step with uses or run", step.Pos)
			continue
		}
		if uses != nil && !pinned.MatchString(uses.Text) {
			t.Errorf("%v: %s is not pinned to a commit", uses.Pos, uses.Text)
		}
		if run == nil {
			continue
		}
		for _, m := range ciPart.FindAllStringSubmatch(run.Text, -1) {
			if !strings.Contains(script, "\npart_"+m[1]+"() {") {
				t.Errorf("%v: .ci/run has no part %s", run.Pos, m[1])
			}
		}
		if bash, err := exec.LookPath("bash"); err == nil {
			cmd := exec.Command(bash, "-n")
			cmd.Stdin = strings.NewReader(regexp.MustCompile(`\$\{\{.*?\}\}`).ReplaceAllString(run.Text, "x"))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", run.Pos, out)
			}
		}
	}
	return matrix
}

// nodeText returns all texts below a node.
func nodeText(n *openapi.Node) string {
	var b strings.Builder
	b.WriteString(n.Text + "\n")
	for _, i := range n.Items {
		b.WriteString(nodeText(i))
	}
	for _, m := range n.Members {
		b.WriteString(nodeText(m.Value))
	}
	return b.String()
}
