package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

var clean = flag.Bool("clean", false, "run what a newcomer runs, each command with empty caches: minutes, and the network")

// TestClean releases the library in a clone, puts the tagged modules into a proxy of files, and runs what a newcomer
// with only Go runs: go install, weft version, the completion of the shells, and the README's commands in the tagged
// clone. Each command has a build cache, a module cache and a home of its own, empty before, and logs its time.
func TestClean(t *testing.T) {
	if !*clean {
		t.Skip("builds all from empty caches: go test ./cmd/weft -run TestClean -v -timeout 60m -args -clean")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the release needs GNU tar")
	}
	origin, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(t.TempDir(), "clone")
	run := func(env []string, dir, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, env
		begin := time.Now()
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		t.Logf("%.1fs: %s %s", time.Since(begin).Seconds(), filepath.Base(name), strings.Join(args, " "))
		return string(out)
	}
	run(nil, origin, "git", "clone", "-q", origin, root)
	c := cloneAt(t, root)
	run(append(os.Environ(), "CIPARTS=", "PLATFORMS=linux/"+runtime.GOARCH, "GOFLAGS=", "GIT_AUTHOR_NAME=a",
		"GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com"),
		root, filepath.Join(root, ".ci", "release"), c.version)
	proxy, bin := t.TempDir(), t.TempDir()
	for _, m := range c.modules {
		c.publish(t, proxy, m)
	}
	cold := func() []string {
		dir := t.TempDir()
		return []string{
			"HOME=" + dir, "GOPATH=" + filepath.Join(dir, "go"), "GOCACHE=" + filepath.Join(dir, "cache"), "GOBIN=" + bin,
			"PATH=" + filepath.Join(goEnv(t, "GOROOT"), "bin") + ":/usr/bin:/bin", "GOTOOLCHAIN=local", "GOFLAGS=-modcacherw",
			"GOPROXY=file://" + filepath.ToSlash(proxy) + "," + goEnv(t, "GOPROXY"), "GONOSUMDB=" + library + "*",
		}
	}
	outside := t.TempDir()
	run(cold(), outside, "go", "install", library+"/cmd/weft@"+c.version)
	said := run(cold(), outside, filepath.Join(bin, "weft"), "version")
	if !strings.HasPrefix(said, "weft "+c.version+"\n") {
		t.Errorf("weft version: %s", said)
	}
	loadCompletion(t, bin)

	page, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindSubmatch(page)
	if block == nil {
		t.Fatal("README.md has no commands")
	}
	for line := range strings.Lines(string(block[1])) {
		run(cold(), root, "bash", "-euo", "pipefail", "-c", strings.TrimSpace(line))
	}
}
