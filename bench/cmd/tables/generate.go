package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/weftcodec/weft/bench/corpus"
)

// generatedEnv is set in the process that runs with the generated peers.
const generatedEnv = "WEFT_BENCH_GENERATED"

// easyFiles are the files that easyjson reads.
var easyFiles = map[string][]string{
	"corpus":   {"canada", "citm", "golang", "strings", "twitter", "fhir", "pet", "result"},
	"optional": {"small", "big"},
}

// rerunWithGenerated has easyjson write its methods for the corpora, which is
// too much code to keep in the repository, and runs this command again with them
// compiled in. It reports whether it did so. Where the source tree cannot be written the tables go without.
func rerunWithGenerated(args []string) (done bool, err error) {
	if os.Getenv(generatedEnv) != "" {
		return false, nil
	}
	if _, ok := any(new(corpus.Pet)).(interface{ IsEasyJSON() }); ok {
		return false, nil
	}
	_, file, _, ok := runtime.Caller(0)
	root := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	if _, err := os.Stat(filepath.Join(root, "go.mod")); !ok || err != nil {
		fmt.Fprintln(os.Stderr, "tables: no source tree, so no easyjson")
		return false, nil
	}
	for pkg, files := range easyFiles {
		if err := generateEasy(filepath.Join(root, pkg), files); err != nil {
			fmt.Fprintln(os.Stderr, "tables: easyjson left out:", err)
			return false, nil
		}
	}
	dir, err := os.MkdirTemp("", "weft-tables-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	bin := filepath.Join(dir, "tables")
	build := exec.Command("go", "build", "-tags", "easyjson", "-o", bin, "./cmd/tables")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "tables: easyjson left out: %v\n%s", err, out)
		return false, nil
	}
	cmd := exec.Command(bin, args...)
	cmd.Env = append(os.Environ(), generatedEnv+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return true, cmd.Run()
}

// generateEasy writes the missing or outdated *_easyjson.go files.
func generateEasy(dir string, files []string) error {
	for _, name := range files {
		src, dst := filepath.Join(dir, name+".go"), filepath.Join(dir, name+"_easyjson.go")
		if newer(dst, src) {
			continue
		}
		cmd := exec.Command("go", "run", "github.com/mailru/easyjson/easyjson", "-all", "-no_std_marshalers", "-build_tags", "easyjson", name+".go")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out)))
		}
	}
	return nil
}

// newer reports whether a exists and is younger than b.
func newer(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && x.ModTime().After(y.ModTime())
}
