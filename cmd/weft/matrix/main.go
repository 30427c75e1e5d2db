// Command matrix generates a Go package for each of many OpenAPI documents,
// vets and builds it, and prints a line for each.
//
//	go run ./cmd/weft/matrix [-specs DIR] [-reach] [-nobuild] [-ogen COMMAND] [DOC…]
//
// A DOC is a path, go:MODULE@VERSION:FILE for a file of a Go module, or
// npm:NAME@VERSION:FILE for one of an npm package. Without one, the documents of the folder are taken; -reach adds some in
// modules and packages. With -ogen, the lines that ogen (github.com/ogen-go/ogen)
// writes for the document with its default settings stand beside weft's, and the
// ratio. Seconds are of the clock, those of the build of the processors; the build
// MB are of the largest process, which is the compiler. The status is 1 when a
// document does not generate, vet or build.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/weftcodec/weft/cmd/weft/gen"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// reachable are documents in modules and packages anyone can download.
var reachable = []string{
	"npm:@octokit/openapi@23.0.2:generated/api.github.com.json",
	"npm:@octokit/openapi-webhooks@12.1.0:generated/api.github.com.json",
	"npm:@blockfrost/openapi@0.1.93:openapi.yaml",
	"npm:@directus/specs@15.2.0:dist/openapi.json",
	"npm:@netlify/open-api@2.60.0:dist/swagger.json",
	"go:github.com/docker/docker@v28.5.2+incompatible:api/swagger.yaml",
	"go:github.com/pb33f/libopenapi@v0.42.3:test_specs/stripe.yaml",
	"go:github.com/pb33f/libopenapi@v0.42.3:test_specs/asana.yaml",
	"go:github.com/pb33f/libopenapi@v0.42.3:test_specs/k8s.json",
	"go:github.com/pb33f/libopenapi@v0.42.3:test_specs/docusignv3.1.json",
}

func main() {
	specs := flag.String("specs", "../shared/specs", "folder of documents to take when none is named")
	reach := flag.Bool("reach", false, "take documents of Go modules and npm packages too")
	nobuild := flag.Bool("nobuild", false, "generate only")
	ogen := flag.String("ogen", "", "the command ogen, to count the lines it writes")
	flag.Parse()
	docs := flag.Args()
	if len(docs) == 0 {
		for _, pattern := range []string{"*.json", "*.yaml", "*.yml"} {
			found, _ := filepath.Glob(filepath.Join(*specs, pattern))
			docs = append(docs, found...)
		}
	}
	if *reach {
		docs = append(docs, reachable...)
	}
	if len(docs) == 0 {
		fmt.Fprintf(os.Stderr, "matrix: no documents in %s: name some, or -reach\n", *specs)
		os.Exit(2)
	}
	ok, err := run(docs, !*nobuild, *ogen)
	if err != nil {
		fmt.Fprintln(os.Stderr, "matrix:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// row is a line of the matrix.
type row struct {
	name                  string
	version               string
	operations, schemas   int
	generated, vet, build string
	lines, ogenLines      int
	seconds, buildSeconds float64
	buildMB               int64
	warnings              int
	complaint             string // of what went wrong first
}

func run(docs []string, build bool, ogen string) (ok bool, err error) {
	dir, err := os.MkdirTemp("", "weft-matrix-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	m := &module{dir: filepath.Join(dir, "m")}
	if build {
		if err := m.begin(); err != nil {
			return false, err
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	head := "document\tversion\toperations\tschemas\tgenerated\tvet\tbuild\tlines\tseconds\tbuild seconds\tbuild MB\twarnings\t"
	if ogen != "" {
		head += "ogen's lines\tratio\t"
	}
	fmt.Fprintln(w, head)
	ok = true
	var complaints []string
	for i, doc := range docs {
		r := one(doc, dir, m, fmt.Sprintf("p%d", i), build, ogen)
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%d\t%.2f\t%.1f\t%d\t%d\t", r.name, r.version, r.operations, r.schemas,
			r.generated, r.vet, r.build, r.lines, r.seconds, r.buildSeconds, r.buildMB, r.warnings)
		switch {
		case r.ogenLines > 0:
			fmt.Fprintf(w, "%d\t%.2f\t", r.ogenLines, float64(r.lines)/float64(r.ogenLines))
		case ogen != "":
			fmt.Fprint(w, "fails\t-\t")
		}
		fmt.Fprintln(w)
		if r.complaint != "" {
			ok = false
			complaints = append(complaints, r.name+": "+r.complaint)
		}
		fmt.Fprintf(os.Stderr, "%d of %d: %s: generated %s, vet %s, build %s in %.1f s\n", i+1, len(docs), r.name, r.generated, r.vet, r.build, r.buildSeconds)
	}
	if err := w.Flush(); err != nil {
		return false, err
	}
	for _, c := range complaints {
		fmt.Println(c)
	}
	return ok, nil
}

// one fills the row of a document.
func one(doc, dir string, m *module, pkg string, build bool, ogen string) (r row) {
	r = row{name: label(doc), generated: "no", vet: "-", build: "-"}
	defer func() {
		if v := recover(); v != nil {
			r.complaint = fmt.Sprintf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	path, err := fetch(doc, dir)
	if err != nil {
		r.complaint = err.Error()
		return r
	}
	start := time.Now()
	parsed, found := openapi.Load(path)
	r.warnings = len(found.Warnings())
	if err := found.Err(); err != nil {
		r.complaint = first(err.Error())
		return r
	}
	r.version, r.operations, r.schemas = parsed.VersionText, len(parsed.Operations), len(parsed.Schemas)
	files, warnings, err := gen.OpenAPI(parsed, gen.Options{Package: pkg, Source: filepath.Base(doc)})
	r.warnings += len(warnings)
	if err != nil {
		r.complaint = first(err.Error())
		return r
	}
	r.seconds = time.Since(start).Seconds()
	r.generated = "yes"
	for _, f := range files {
		r.lines += bytes.Count(f.Data, []byte("\n"))
	}
	if ogen != "" {
		r.ogenLines = linesOf(ogen, path, filepath.Join(dir, "ogen"))
	}
	if !build {
		return r
	}
	out := filepath.Join(m.dir, pkg)
	err = os.MkdirAll(out, 0o755)
	for _, f := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(out, f.Name), f.Data, 0o644))
	}
	if err != nil {
		r.complaint = err.Error()
		return r
	}
	defer os.RemoveAll(out)
	r.build = "yes"
	text, spent, err := m.run("build", "./"+pkg)
	if err != nil {
		r.build, r.complaint = "no", first(text)
		return r
	}
	r.buildSeconds, r.buildMB = spent.time.Seconds(), spent.memory/1e6
	r.vet = "yes"
	if text, _, err := m.run("vet", "./"+pkg); err != nil {
		r.vet, r.complaint = "no", first(text)
	}
	return r
}

// linesOf returns how many lines ogen writes for the document, 0 when it fails.
func linesOf(ogen, doc, dir string) (n int) {
	defer os.RemoveAll(dir)
	if _, err := output("", ogen, "--target", dir, "--package", "api", "--clean", doc); err != nil {
		return 0
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return 0
		}
		n += bytes.Count(data, []byte("\n"))
	}
	return n
}

// label is the document's name in the matrix.
func label(doc string) string {
	base := filepath.Base(doc)
	if kind, rest, ok := strings.Cut(doc, ":"); ok && (kind == "go" || kind == "npm") {
		name, _, _ := strings.Cut(rest, ":")
		return name + " " + base
	}
	return base
}

// first returns the first lines of text.
func first(text string) string {
	lines := strings.SplitN(strings.TrimSpace(text), "\n", 6)
	return strings.Join(lines[:min(5, len(lines))], "\n\t")
}

var goVersion = regexp.MustCompile(`(?m)^go .*$`)
