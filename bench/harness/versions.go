package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/weftcodec/weft/bench/clock"
)

// Env describes where and with what a table was made.
type Env struct {
	Go         string   `json:"go"`
	OS         string   `json:"os"`
	Arch       string   `json:"arch"`
	CPU        string   `json:"cpu"`
	NumCPU     int      `json:"num_cpu"`
	GOMAXPROCS int      `json:"gomaxprocs"`
	Clock      string   `json:"clock"`
	Commit     string   `json:"commit,omitempty"`
	Modules    []string `json:"modules"`
}

// Environment collects the versions of the toolchain and of the named
// modules as the running binary was built from them.
func Environment(modules ...string) Env {
	e := Env{
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		CPU: cpuModel(), NumCPU: runtime.NumCPU(), GOMAXPROCS: runtime.GOMAXPROCS(0),
		Clock: clock.Name, Commit: commit(),
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return e
	}
	for _, m := range info.Deps {
		if slices.Contains(modules, m.Path) {
			if m.Replace != nil {
				m = m.Replace
			}
			e.Modules = append(e.Modules, m.Path+" "+m.Version)
		}
	}
	return e
}

// String prints the environment on a few lines.
func (e Env) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s/%s, %s, %d CPUs, GOMAXPROCS=%d, %s", e.Go, e.OS, e.Arch, e.CPU, e.NumCPU, e.GOMAXPROCS, e.Clock)
	if e.Commit != "" {
		fmt.Fprintf(&b, ", commit %s", e.Commit)
	}
	b.WriteByte('\n')
	for _, m := range e.Modules {
		fmt.Fprintf(&b, "  %s\n", m)
	}
	return b.String()
}

// cpuModel returns the processor's name where the system tells it.
func cpuModel() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown CPU"
	}
	for line := range strings.Lines(string(text)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == "model name" {
			return strings.TrimSpace(v)
		}
	}
	return "unknown CPU"
}

// commit returns the commit of the source tree the binary is run from, with a
// plus sign when the tree has changes, or nothing outside a clone.
func commit() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return ""
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir = filepath.Dir(file)
		out, err := cmd.Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	id := git("rev-parse", "--short=12", "HEAD")
	if id != "" && git("status", "--porcelain", "--untracked-files=no") != "" {
		id += "+"
	}
	return id
}
