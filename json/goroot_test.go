package json_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	weftPath = "github.com/weftcodec/weft/json"
	stdPath  = "encoding/json"
)

// gorootLeaves is the number of leaf tests by minor release of Go: fewer mean
// that the script lost some.
var gorootLeaves = map[string]int{"go1.26": 537, "go1.27": 539}

// TestGOROOT runs the tests that the Go toolchain has for encoding/json
// against this package, through its exported API, and wants each to pass.
// Without -short it first runs them against encoding/json itself, to prove
// that the rewriting is sound.
func TestGOROOT(t *testing.T) {
	for _, path := range []string{stdPath, weftPath} {
		t.Run(strings.ReplaceAll(path, "/", "_"), func(t *testing.T) {
			if path == stdPath && testing.Short() {
				t.Skip("-short")
			}
			if path == stdPath && !classicOracle {
				t.Skip("encoding/json stands on encoding/json/v2 here and has tests of its own")
			}
			results := runGOROOT(t, path)
			passed := 0
			for _, name := range slices.Sorted(keys(results)) {
				r := results[name]
				if !r.leaf {
					continue
				}
				if r.status == "PASS" {
					passed++
				} else {
					t.Errorf("%s %s\n%s", r.status, name, r.output)
				}
			}
			t.Logf("%d leaf tests passed", passed)
			if want := gorootLeaves[goMinor()]; passed < want {
				t.Errorf("%d leaf tests passed, want %d", passed, want)
			}
		})
	}
}

// goMinor returns the release without its patch level, such as go1.26.
func goMinor() string {
	return regexp.MustCompile(`^go\d+\.\d+`).FindString(runtime.Version())
}

func keys[K comparable, V any](m map[K]V) func(yield func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// gorootResult is the outcome of one test of the toolchain.
type gorootResult struct {
	status string // PASS, FAIL, SKIP or LOST
	leaf   bool
	depth  int
	output string
}

// runGOROOT rewrites, builds and runs the toolchain's tests for encoding/json.
func runGOROOT(t *testing.T, subjectPath string) map[string]gorootResult {
	t.Helper()
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	shim, err := os.ReadFile("testdata/goroot/shim_test.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	src := filepath.Join(goEnv(t, goTool, "GOROOT"), "src/encoding/json")
	if err := rewriteGOROOT(dir, src, subjectPath, string(shim)); err != nil {
		t.Fatal(err)
	}
	results, _ := runModule(t, dir, ".")
	return results
}

// runModule makes dir a module, beside this one, and runs the tests of one of its packages. Each top-level test
// runs in a process of its own, so that a crash costs no other test. It also returns what lines
// that begin with @@ tell of the test whose name follows the first word.
func runModule(t *testing.T, dir, pkg string) (results map[string]gorootResult, notes map[string]string) {
	t.Helper()
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	version := strings.TrimPrefix(goMinor(), "go")
	writeFile(t, filepath.Join(dir, "go.mod"), fmt.Sprintf("module goroottest\n\ngo %s\n", version))
	writeFile(t, filepath.Join(dir, "go.work"), fmt.Sprintf("go %s.0\n\nuse (\n\t.\n\t%q\n)\n", version, root))

	bin := filepath.Join(dir, "goroot.test")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	build := exec.Command(goTool, append([]string{"test", "-c", "-vet=off", "-gcflags=-e", "-o", bin}, append(buildFlags(), pkg)...)...)
	build.Dir = dir
	build.Env = append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work"))
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the toolchain's tests: %v\n%s", err, out)
	}
	list := exec.Command(bin, "-test.list=.")
	list.Dir = dir
	names, err := list.Output()
	if err != nil {
		t.Fatalf("listing the toolchain's tests: %v\n%s", err, names)
	}

	results, notes = map[string]gorootResult{}, map[string]string{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, name := range strings.Fields(string(names)) {
		wg.Add(1)
		slots <- struct{}{}
		go func() {
			defer func() { <-slots; wg.Done() }()
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, bin, "-test.run=^"+regexp.QuoteMeta(name)+"$", "-test.v")
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			mu.Lock()
			defer mu.Unlock()
			parseResults(results, notes, name, out, err)
		}()
	}
	wg.Wait()
	for name, r := range results {
		r.leaf = true
		for other, o := range results {
			if o.depth > r.depth && strings.HasPrefix(other, name+"/") {
				r.leaf = false
				break
			}
		}
		// A parent fails by itself when it fails but none of its subtests do.
		if !r.leaf && r.status != "PASS" && !anyFailed(results, name+"/") {
			r.leaf = true
		}
		results[name] = r
	}
	return results, notes
}

func anyFailed(results map[string]gorootResult, prefix string) bool {
	for name, r := range results {
		if strings.HasPrefix(name, prefix) && r.status != "PASS" {
			return true
		}
	}
	return false
}

var (
	resultLine = regexp.MustCompile(`^(\s*)--- (PASS|FAIL|SKIP): (\S+) \(`)
	noteLine   = regexp.MustCompile(`^@@(\w+) ([^\s:]+)(.*)`)
	runLine    = regexp.MustCompile(`^=== (?:RUN|NAME|CONT)\s+(\S+)`)
)

// parseResults reads the verbose output of one top-level test. Tests that
// started and never ended, because the process crashed, are LOST.
func parseResults(results map[string]gorootResult, notes map[string]string, top string, out []byte, runErr error) {
	started := map[string]bool{top: true}
	s := bufio.NewScanner(bytes.NewReader(out))
	s.Buffer(nil, 64<<20)
	texts, at := map[string][]string{}, top
	for s.Scan() {
		line := s.Text()
		if m := runLine.FindStringSubmatch(line); m != nil {
			at = m[1]
			started[at] = true
			continue
		}
		if m := resultLine.FindStringSubmatch(line); m != nil {
			results[m[3]] = gorootResult{status: m[2], depth: len(m[1])}
			continue
		}
		if m := noteLine.FindStringSubmatch(line); m != nil {
			if old, ok := notes[m[2]]; !ok || m[1] < old {
				notes[m[2]] = m[1] + m[3]
			}
			continue
		}
		texts[at] = append(texts[at], line)
	}
	for name := range started {
		r, ok := results[name]
		if !ok {
			r.status = "LOST"
		}
		if r.status != "PASS" {
			r.output = strings.Join(head(texts[name], 12), "\n")
			if runErr != nil {
				r.output += "\n" + runErr.Error()
			}
			results[name] = r
		}
	}
}

func head(lines []string, n int) []string {
	if len(lines) > n {
		return lines[:n]
	}
	return lines
}

// buildFlags returns the flags with which this test itself was built and that
// change the code under test.
func buildFlags() []string {
	var flags []string
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "-tags", "-race", "-gcflags":
				flags = append(flags, s.Key+"="+s.Value)
			}
		}
	}
	return flags
}

func goEnv(t *testing.T, goTool, key string) string {
	t.Helper()
	out, err := exec.Command(goTool, "env", key).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
