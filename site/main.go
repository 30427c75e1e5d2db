// Command site writes the documentation as pages of HTML, and the playground. They need no server: the pages open
// from the file system.
//
//	go run ./site -out out/site
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

func main() {
	out := flag.String("out", "out/site", "folder to write to")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	root, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return fmt.Errorf("not in a clone: %w", err)
	}
	s, err := newSite(strings.TrimSpace(string(root)))
	if err != nil {
		return err
	}
	if err := s.write(out); err != nil {
		return err
	}
	sizes, err := writePlayground(s.root, out)
	if err != nil {
		return err
	}
	fmt.Printf("%d pages, %d sections to search, playground of %.2f MB, %.2f MB compressed: open %s/index.html\n",
		len(s.pages)+1, len(s.index), float64(sizes.wasm)/1e6, float64(sizes.packed)/1e6, out)
	return nil
}
