package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestRelease prepares a release in a clone with a remote of its own: the tags, the changelog and the archives are
// made, nothing is pushed, and the archives made again are equal.
func TestRelease(t *testing.T) {
	if !*build {
		t.Skip("builds the archives of a release: .ci/run modules does it, or -args -modules")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the script needs GNU tar")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	clone := filepath.Join(dir, "clone")
	run := func(t *testing.T, wantErr string, args ...string) string {
		t.Helper()
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = clone
		if args[1] == "clone" {
			cmd.Dir = dir
		}
		cmd.Env = append(os.Environ(), "CIPARTS=", "PLATFORMS=linux/"+runtime.GOARCH+" windows/arm64", "GOFLAGS=",
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		out, err := cmd.CombinedOutput()
		if (err != nil) != (wantErr != "") || !strings.Contains(string(out), wantErr) {
			t.Fatalf("%v: %v, want %q\n%s", args, err, wantErr, out)
		}
		return string(out)
	}
	run(t, "", "git", "clone", "-q", "--bare", "--no-tags", root, "remote.git") // the version may be there by now
	run(t, "", "git", "clone", "-q", "remote.git", "clone")
	for _, tt := range []struct{ version, want string }{
		{"0.1.0", "expected a version"}, {"", "expected a version"}, {"v9.9.9", "requires v0.1.0"},
	} {
		run(t, tt.want, ".ci/release", tt.version)
	}
	put(t, filepath.Join(clone, "stray"), nil)
	run(t, "not clean", ".ci/release", "v0.1.0")
	os.Remove(filepath.Join(clone, "stray"))

	out := run(t, "", ".ci/release", "v0.1.0")
	if !strings.Contains(out, "git push --atomic origin HEAD v0.1.0 ") {
		t.Errorf("the push is not named: %s", out)
	}
	for _, tag := range []string{"v0.1.0", "cmd/weft/v0.1.0", "flow/v0.1.0", "contrib/gin/v0.1.0"} {
		run(t, "", "git", "rev-parse", "-q", "--verify", "refs/tags/"+tag)
	}
	if pushed := run(t, "", "git", "ls-remote", "--tags", "origin"); strings.Contains(pushed, "v0.1.0") {
		t.Errorf("tags were pushed: %s", pushed)
	}
	if text, err := os.ReadFile(filepath.Join(clone, "CHANGELOG.md")); err != nil ||
		!bytes.Contains(text, []byte("## Unreleased\n\n## v0.1.0 (")) {
		t.Errorf("the changelog has no section for the version, %v", err)
	}
	dist := filepath.Join(clone, "dist", "v0.1.0")
	sums, err := os.ReadFile(filepath.Join(dist, "SHA256SUMS"))
	if err != nil || strings.Count(string(sums), "\n") != 3 {
		t.Fatalf("%s, %v", sums, err)
	}
	run(t, "", ".ci/release", "--archives", "v0.1.0")
	if again, err := os.ReadFile(filepath.Join(dist, "SHA256SUMS")); err != nil || !bytes.Equal(again, sums) {
		t.Errorf("made again the archives are different:\n%s%s", sums, again)
	}
	run(t, "exists", ".ci/release", "v0.1.0")

	var bom struct {
		BomFormat  string
		Components []struct{ Name, Version, Purl string }
	}
	text, err := os.ReadFile(filepath.Join(dist, "weft_v0.1.0.cdx.json"))
	if err == nil {
		err = json.Unmarshal(text, &bom)
	}
	if err != nil || bom.BomFormat != "CycloneDX" || len(bom.Components) < 5 {
		t.Errorf("%v, %d components", err, len(bom.Components))
	}
	if !strings.Contains(string(text), `"pkg:golang/github.com/klauspost/compress@v`) {
		t.Errorf("the list lacks klauspost/compress: %s", text)
	}
	unpack(t, filepath.Join(dist, "weft_v0.1.0_linux_"+runtime.GOARCH+".tar.gz"), dir)
	tool := filepath.Join(dir, "weft_v0.1.0_linux_"+runtime.GOARCH, "weft")
	said, err := exec.Command(tool, "version").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(said), "weft v0.1.0\n") || !strings.Contains(string(said), "\ncommit  ") {
		t.Errorf("%v: %s", err, said)
	}
}

// unpack writes the files of an archive below dir.
func unpack(t *testing.T, name, dir string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, filepath.Clean(h.Name)), content)
		if err := os.Chmod(filepath.Join(dir, filepath.Clean(h.Name)), h.FileInfo().Mode()); err != nil {
			t.Fatal(err)
		}
	}
}
