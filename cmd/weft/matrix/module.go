package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const library = "github.com/weftcodec/weft"

// module is a Go module in a workspace with the library, for packages to be
// built in.
type module struct{ dir string }

// begin makes the module and builds the library, so that building a package
// measures that package.
func (m *module) begin() error {
	root, err := output("", "go", "list", "-m", "-f", "{{.Dir}}", library)
	if err != nil {
		return fmt.Errorf("the library is not to be found: run this inside its clone: %w", err)
	}
	root = strings.TrimSpace(root)
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	version := goVersion.FindString(string(text))
	files := map[string]string{
		// A path of its own, so that no cache knows the packages.
		"go.mod":     fmt.Sprintf("module example.com/matrix%d\n\n%s\n\nrequire %s v0.0.0\n", os.Getpid(), version, library),
		"go.work":    fmt.Sprintf("%s\n\nuse (\n\t.\n\t%q\n)\n", version, root),
		"warm/go.go": fmt.Sprintf("package warm\n\nimport (\n\t_ %q\n\t_ %q\n\t_ %q\n)\n", library+"/json", library+"/msgpack", library+"/opt"),
	}
	for name, text := range files {
		path := filepath.Join(m.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	if text, _, err := m.run("build", "./warm"); err != nil {
		return fmt.Errorf("the library does not build: %s", first(text))
	}
	return nil
}

// cost is what a command took: how long processors were busy with it, and how
// many bytes the largest of its processes had in memory, 0 where the system does
// not tell.
type cost struct {
	time   time.Duration
	memory int64
}

// run runs the go command in the module, and says what it took with the commands
// that it ran.
func (m *module) run(args ...string) (string, cost, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(m.dir, "go.work"), "GOFLAGS=")
	text, err := cmd.CombinedOutput()
	var spent cost
	if s := cmd.ProcessState; s != nil {
		spent = cost{s.UserTime() + s.SystemTime(), peak(s)}
	}
	return string(text), spent, err
}

// output returns what a command prints on its standard output.
func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, first(out.String()+errs.String()))
	}
	return out.String(), nil
}

// fetch returns the path of a document, downloading what it is in.
func fetch(doc, dir string) (string, error) {
	kind, rest, ok := strings.Cut(doc, ":")
	if !ok || kind != "go" && kind != "npm" {
		return doc, nil
	}
	name, file, ok := strings.Cut(rest, ":")
	if !ok || !filepath.IsLocal(file) {
		return "", fmt.Errorf("%s: write %s:NAME@VERSION:FILE", doc, kind)
	}
	if kind == "go" {
		text, err := output(dir, "go", "mod", "download", "-json", name)
		if err != nil {
			return "", err
		}
		var mod struct{ Dir string }
		if err := json.Unmarshal([]byte(text), &mod); err != nil {
			return "", err
		}
		return filepath.Join(mod.Dir, filepath.FromSlash(file)), nil
	}
	text, err := output(dir, "npm", "pack", "--silent", name)
	if err != nil {
		return "", err
	}
	return unpack(filepath.Join(dir, strings.TrimSpace(text)), "package/"+file, filepath.Join(dir, "npm"))
}

// unpack writes one file of an archive into the folder and returns its path.
func unpack(archive, name, dir string) (string, error) {
	f, err := os.Open(archive)
	if err != nil {
		return "", err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err != nil {
			return "", fmt.Errorf("%s in %s: %w", name, filepath.Base(archive), err)
		}
		if h.Name != name {
			continue
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return "", err
		}
		path := filepath.Join(dir, filepath.Base(archive)+"-"+filepath.Base(name))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", err
		}
		return path, os.WriteFile(path, data, 0o644)
	}
}
