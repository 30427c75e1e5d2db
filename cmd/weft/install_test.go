package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	build = flag.Bool("modules", false, "build each module by itself, and a release, which takes minutes with an empty build cache")
	tidy  = flag.Bool("tidy", false, "write the go.mod and go.sum of the modules as go mod tidy would")
)

const library = "github.com/weftcodec/weft"

// module is a module of the clone.
type module struct {
	Module  struct{ Path string }
	Require []struct{ Path, Version string }
	Replace []any

	dir   string   // of the clone, "" for the library
	files []string // relative to dir, all that it publishes
}

// clone is the clone that the test runs in, and what its modules are to a user
// once they are published.
type clone struct {
	root, version string
	modules       []*module
	env           []string // of go commands outside
}

// Users find the modules by their versions, and not in a clone: each builds by
// itself, against the others as they are here, which a proxy of files serves.
func TestModules(t *testing.T) {
	if !*build && !*tidy {
		t.Skip("builds all modules: .ci/run modules does it, or -args -modules")
	}
	c := newClone(t)
	for _, m := range c.modules {
		t.Run(m.Module.Path, func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range m.files {
				text, err := os.ReadFile(filepath.Join(c.root, m.dir, name))
				if err != nil {
					t.Fatal(err)
				}
				put(t, filepath.Join(dir, name), text)
			}
			if *tidy {
				c.in(t, dir, "-mod=mod", "go", "mod", "tidy")
				m.keep(t, dir, filepath.Join(c.root, m.dir))
				return
			}
			c.in(t, dir, "-mod=mod", "go", "build", "./...")
			c.in(t, dir, "-mod=mod", "go", "list", "-deps", "-test", "./...")
			// Nothing was missing, but for the sums of what is not published yet.
			for _, name := range []string{"go.mod", "go.sum"} {
				was := lines(t, filepath.Join(c.root, m.dir, name))
				for _, line := range lines(t, filepath.Join(dir, name)) {
					if !slices.Contains(was, line) && !strings.HasPrefix(line, library) {
						t.Errorf("%s/%s needs the line %q: go test ./cmd/weft -run TestModules -args -tidy writes it", m.dir, name, line)
					}
				}
			}
		})
	}
}

// The tool is installed, required and run from outside as the documentation says.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the tool from outside")
	}
	c := newClone(t)
	dir := t.TempDir()
	want := "weft " + c.version + "\nmodule  " + library + "/cmd/weft\nlibrary " + library + " " + c.version + "\n"
	for _, v := range []string{c.version, "latest"} {
		c.in(t, dir, "", "go", "install", library+"/cmd/weft@"+v)
		if out := c.in(t, dir, "", filepath.Join(c.gobin(), "weft"), "version"); !strings.HasPrefix(out, want) {
			t.Errorf("@%s: %s\nwant %s", v, out, want)
		}
	}
	loadCompletion(t, c.gobin())
	page, err := os.ReadFile(filepath.Join(c.root, "docs", "openapi.md"))
	if err != nil {
		t.Fatal(err)
	}
	generate := regexp.MustCompile(`(?m)^ *(//go:generate .*)$`).FindSubmatch(page)
	get := regexp.MustCompile(`(?m)^go (get -tool [^ ]*)`).FindSubmatch(page)
	if generate == nil || get == nil {
		t.Fatal("docs/openapi.md has no go:generate line, or no go get -tool")
	}
	doc, err := os.ReadFile(filepath.Join(c.root, "examples", "petstore", "openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "openapi.yaml"), doc)
	put(t, filepath.Join(dir, "main.go"),
		fmt.Appendf(nil, "package main\n\nimport _ \"example.com/p/api\"\n\n%s\n\nfunc main() {}\n", generate[1]))
	c.in(t, dir, "", "go", "mod", "init", "example.com/p")
	c.in(t, dir, "", "go", strings.Fields(string(get[1]))...)
	c.in(t, dir, "", "go", "generate", "./...")
	c.in(t, dir, "", "go", "build", "-o", os.DevNull, "./...")
	// go tool itself builds without -trimpath, and so all anew.
	if out := c.in(t, dir, "", "go", "list", "tool"); out != library+"/cmd/weft\n" {
		t.Errorf("the tools are %q", out)
	}
	if out := c.in(t, dir, "", "go", "run", library+"/cmd/weft", "version"); !strings.HasPrefix(out, want) {
		t.Errorf("go run: %s\nwant %s", out, want)
	}
}

// loadCompletion loads the completion of the installed tool in each shell there is, as weft help completion says, and
// completes a command.
func loadCompletion(t *testing.T, bin string) {
	t.Helper()
	for _, tt := range []struct{ shell, script string }{
		{"bash", `source <(weft completion bash)
			complete -p weft >/dev/null; COMP_WORDS=(weft ins); COMP_CWORD=1; _weft; echo "${COMPREPLY[*]}"`},
		{"zsh", `autoload -Uz compinit; compinit -D -u; source <(weft completion zsh); [[ $_comps[weft] = _weft ]] || exit 1
			_describe() { local list=(${(P)2}); print -r -- ${(M)${list%%:*}:#ins*} }; compadd() { }
			words=(weft ins); CURRENT=2; _weft`}, // without a terminal: what _describe is given
		{"fish", `weft completion fish | source; complete -C "weft ins" | cut -f 1`},
	} {
		args := []string{"-c", tt.script}
		if tt.shell == "zsh" {
			args = append([]string{"-f"}, args...)
		}
		path, err := exec.LookPath(tt.shell)
		if err != nil {
			t.Logf("there is no %s", tt.shell)
			continue
		}
		cmd := exec.Command(path, args...)
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != "inspect" {
			t.Errorf("%s completes weft ins as %q, %v", tt.shell, out, err)
		}
	}
}

// newClone finds the modules, checks that they agree on one version, and makes
// the proxy.
func newClone(t *testing.T) *clone {
	t.Helper()
	root, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		t.Skip("not in a clone")
	}
	return cloneAt(t, strings.TrimSpace(string(root)))
}

func cloneAt(t *testing.T, root string) *clone {
	t.Helper()
	c := &clone{root: root}
	list, err := c.git("ls-files", "-z", "-co", "--exclude-standard")
	if err != nil {
		t.Fatal(err)
	}
	files := strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00")
	var nested []string // folders of modules
	for _, name := range files {
		if filepath.Base(name) == "go.mod" && name != "go.mod" {
			nested = append(nested, filepath.Dir(name)+"/")
		}
	}
	for _, dir := range append([]string{""}, nested...) {
		if strings.Contains(dir, "testdata/") {
			continue
		}
		c.modules = append(c.modules, c.module(t, dir, files, nested))
	}
	c.check(t)
	proxy, here := t.TempDir(), t.TempDir()
	for _, m := range c.modules {
		c.publish(t, proxy, m)
	}
	c.env = append(os.Environ(), "GOWORK=off", "GOTOOLCHAIN=local", "GOSUMDB=off", "GOBIN="+filepath.Join(here, "bin"),
		"GOPROXY=file://"+filepath.ToSlash(proxy)+","+goEnv(t, "GOPROXY"), "GOMODCACHE="+moduleCache(t, filepath.Join(here, "mod")))
	return c
}

func (c *clone) git(args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = c.root
	return cmd.Output()
}

// module reads the module in a folder, of whose files those of nested modules are
// no part, and links neither.
func (c *clone) module(t *testing.T, dir string, files, nested []string) *module {
	t.Helper()
	m := &module{dir: dir}
	cmd := exec.Command("go", "mod", "edit", "-json", filepath.Join(c.root, dir, "go.mod"))
	if out, err := cmd.Output(); err != nil || json.Unmarshal(out, m) != nil {
		t.Fatalf("%sgo.mod: %v", dir, err)
	}
	for _, name := range files {
		inner := func(other string) bool { return len(other) > len(dir) && strings.HasPrefix(name, other) }
		if !strings.HasPrefix(name, dir) || slices.ContainsFunc(nested, inner) {
			continue
		}
		if info, err := os.Lstat(filepath.Join(c.root, name)); err == nil && info.Mode().IsRegular() {
			m.files = append(m.files, name[len(dir):])
		}
	}
	return m
}

// check checks that all modules require one version of the library and of each
// other, that go.work puts the clone in their place, and that no go.mod does:
// dependents would not see it, and go install refuses it.
func (c *clone) check(t *testing.T) {
	t.Helper()
	work := lines(t, filepath.Join(c.root, "go.work"))
	for _, m := range c.modules {
		if m.Replace != nil {
			t.Errorf("%sgo.mod replaces modules, which is for go.work", m.dir)
		}
		requires := m.dir == ""
		for _, r := range m.Require {
			if r.Path != library && !strings.HasPrefix(r.Path, library+"/") {
				continue
			}
			requires = requires || r.Path == library
			if c.version == "" {
				c.version = r.Version
			}
			if r.Version != c.version {
				t.Errorf("%sgo.mod requires %s %s, others %s", m.dir, r.Path, r.Version, c.version)
			}
			line := fmt.Sprintf("\t%s %s => ./%s", r.Path, r.Version, strings.TrimPrefix(r.Path[len(library):], "/"))
			if !slices.Contains(work, line) {
				t.Errorf("go.work does not replace %s: its line is %q", r.Path, line)
			}
		}
		if !requires {
			t.Errorf("%sgo.mod does not require the library", m.dir)
		}
	}
}

// publish puts a module into the proxy.
func (c *clone) publish(t *testing.T, proxy string, m *module) {
	t.Helper()
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for _, name := range m.files {
		w, err := z.Create(m.Module.Path + "@" + c.version + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(c.root, m.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(c.root, m.dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(proxy, filepath.FromSlash(m.Module.Path), "@v")
	put(t, filepath.Join(dir, "list"), []byte(c.version+"\n"))
	put(t, filepath.Join(dir, c.version+".info"), fmt.Appendf(nil, "{\"Version\":%q}", c.version))
	put(t, filepath.Join(dir, c.version+".mod"), mod)
	put(t, filepath.Join(dir, c.version+".zip"), packed.Bytes())
}

// keep writes what go mod tidy has made of a module to the clone. The sums of the
// library are known when it is published, and nothing in the clone asks for them.
func (m *module) keep(t *testing.T, from, to string) {
	t.Helper()
	for _, name := range []string{"go.mod", "go.sum"} {
		list := slices.DeleteFunc(lines(t, filepath.Join(from, name)), func(line string) bool { return strings.HasPrefix(line, library) })
		if _, err := os.Stat(filepath.Join(to, name)); err == nil || len(list) > 1 {
			put(t, filepath.Join(to, name), []byte(strings.Join(list, "\n")))
		}
	}
}

// moduleCache makes a module cache at dir that has what the real one has, by
// links, but for the modules of the clone, which would stay.
func moduleCache(t *testing.T, dir string) string {
	t.Helper()
	real := goEnv(t, "GOMODCACHE")
	own := filepath.Dir(library)
	for _, base := range []string{".", filepath.Dir(own), "cache", "cache/download", "cache/download/" + filepath.Dir(own)} {
		if err := os.MkdirAll(filepath.Join(dir, base), 0o755); err != nil {
			t.Fatal(err)
		}
		entries, _ := os.ReadDir(filepath.Join(real, base)) // there may be none
		for _, e := range entries {
			at := filepath.Join(base, e.Name())
			if slices.Contains([]string{filepath.Dir(own), "cache", "cache/download", "cache/download/" + filepath.Dir(own),
				own, "cache/download/" + own, "cache/lock"}, filepath.ToSlash(at)) {
				continue
			}
			if err := os.Symlink(filepath.Join(real, at), filepath.Join(dir, at)); err != nil {
				t.Skipf("no links: %v", err)
			}
		}
	}
	return dir
}

// gobin is where go install puts programs.
func (c *clone) gobin() string {
	for _, e := range c.env {
		if dir, ok := strings.CutPrefix(e, "GOBIN="); ok {
			return dir
		}
	}
	return ""
}

// in runs a command in a folder outside of the clone, and returns what it prints.
// Paths are trimmed so that what is built is found again in the next run.
func (c *clone) in(t *testing.T, dir, flags, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(c.env, "PWD="+dir, "GOFLAGS=-trimpath -modcacherw -buildvcs=false -ldflags=-w "+flags)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out.Bytes(), errs.Bytes())
	}
	return out.String()
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func put(t *testing.T, name string, text []byte) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err == nil {
		err = os.WriteFile(name, text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// lines returns the lines of a file, none if there is none.
func lines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}
