package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// sizes are those of the playground.
type sizes struct{ wasm, packed int }

// writePlayground compiles the playground and writes it as a script, since pages that are opened from the file
// system may read no other file.
func writePlayground(root, out string) (sizes, error) {
	dir, err := os.MkdirTemp("", "site")
	if err != nil {
		return sizes{}, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "play.wasm")
	// Nothing is inlined in what is called once a run, which makes it smaller.
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w",
		"-gcflags=github.com/weftcodec/weft/cmd/weft/...=-l", "-gcflags=go.yaml.in/yaml/v4/...=-l", "-gcflags=go/...=-l",
		"-o", name, "./site/play/wasm")
	build.Dir, build.Env = root, append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := build.CombinedOutput(); err != nil {
		return sizes{}, fmt.Errorf("%w\n%s", err, text)
	}
	wasm, err := os.ReadFile(name)
	if err != nil {
		return sizes{}, err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return sizes{}, err
	}
	glue, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return sizes{}, err
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return sizes{}, err
	}
	if _, err := z.Write(wasm); err != nil {
		return sizes{}, err
	}
	if err := z.Close(); err != nil {
		return sizes{}, err
	}
	quoted, err := json.Marshal(string(glue))
	if err != nil {
		return sizes{}, err
	}
	script := fmt.Appendf(nil, "playground = {exec: %s, packed: %q};\n",
		quoted, base64.StdEncoding.EncodeToString(packed.Bytes()))
	return sizes{len(wasm), packed.Len()}, os.WriteFile(filepath.Join(out, "playground.js"), script, 0o644)
}
