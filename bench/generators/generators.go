// Package generators has other OpenAPI generators write models of the document of
// the openapi tables, builds a program of each, and measures it. What a tool writes
// is kept nowhere: it is made in a temporary directory when the tables run, where
// the tool is to be had.
package generators

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Generator is a release of a tool.
type Generator struct {
	// Name is the tool and its version.
	Name string
	// module is the Go module that the generated code, or the tool, is of.
	module, version string
	// write has the tool write the package models below a directory.
	write func(t *toolbox, dir string) error
	// Rows are how its models are measured.
	Rows []Row
}

// Row is a row that a generator has in the tables.
type Row struct {
	Name, Note string
	// model is the suffix of the model's key.
	model string
	// Unmarshal tells that the row is about decoding alone, Wrong that it is
	// the marshal of what a failed decode left, and about that alone.
	Unmarshal, Wrong bool
}

// All returns the generators, oldest first.
func All() []Generator {
	return []Generator{
		javaGenerator("7.0.0", Row{Note: "(checks nothing)"}),
		javaGenerator("7.1.0", Row{Note: "(checks required)"}, Row{Name: ", error ignored", Wrong: true}),
		javaGenerator("7.25.0", Row{Note: "(checks required, unknown)"}),
		{Name: "oapi-codegen 2.8.2", module: "github.com/oapi-codegen/oapi-codegen/v2", version: "v2.8.2", write: writeOapi,
			Rows: []Row{{Name: "oapi-codegen 2.8.2", Note: "(checks nothing)"}}},
		{Name: "ogen 1.24.0", module: "github.com/ogen-go/ogen", version: "v1.24.0", write: writeOgen,
			Rows: []Row{
				{Name: "ogen 1.24.0", Note: "(its methods; checks required, enums)", model: "direct"},
				{Name: "ogen 1.24.0 + Validate", Note: "(checks all)", model: "validate", Unmarshal: true},
			}},
	}
}

// javaGenerator is a release of openapi-generator.
func javaGenerator(version string, rows ...Row) Generator {
	g := Generator{Name: "openapi-generator " + version, Rows: rows, write: func(t *toolbox, dir string) error { return writeJava(t, version, dir) }}
	for i := range g.Rows {
		g.Rows[i].Name = g.Name + g.Rows[i].Name
	}
	return g
}

// The models of a program, by the names that the document gives them.
const (
	Pet     = "Pet"
	Results = "Results"
)

// Program is the models of a generator, built.
type Program struct {
	Generator
	path string
	temp string
}

// Build has each generator write its models, builds a program of them below dir,
// and returns the programs, and a line for each generator that is left out.
func Build(ctx context.Context, dir string) (programs []Program, skipped []string) {
	t, err := newToolbox(ctx, dir)
	if err != nil {
		return nil, []string{"skipped: the models of other generators: " + err.Error()}
	}
	for i, g := range All() {
		p, err := t.build(g, filepath.Join(dir, fmt.Sprint("generator", i)))
		if err != nil {
			skipped = append(skipped, fmt.Sprintf("skipped: %s: %s", g.Name, firstLines(err.Error(), 3)))
			continue
		}
		programs = append(programs, p)
	}
	return programs, skipped
}

// firstLines shortens what a tool says.
func firstLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	if len(lines) > n {
		lines = append(lines[:n], "…")
	}
	return strings.Join(lines, " / ")
}

// toolbox runs the tools.
type toolbox struct {
	ctx      context.Context
	root     string // of the module bench
	document string
	jars     string // where openapi-generator's are put
}

func newToolbox(ctx context.Context, dir string) (*toolbox, error) {
	_, file, _, ok := runtime.Caller(0)
	root := filepath.Dir(filepath.Dir(file))
	t := &toolbox{ctx: ctx, root: root, document: filepath.Join(root, "petstore", "openapi.yaml"), jars: filepath.Join(dir, "jars")}
	if _, err := os.Stat(t.document); !ok || err != nil {
		return nil, fmt.Errorf("there is no source tree with their document")
	}
	return t, nil
}

// toolTime is what one command may take; the first use of a tool downloads it.
const toolTime = 4 * time.Minute

// run runs a command in a directory, Go's outside of this workspace.
func (t *toolbox) run(dir, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(t.ctx, toolTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -mod=mod"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// build writes the module of a generator and builds it.
func (t *toolbox) build(g Generator, dir string) (Program, error) {
	p := Program{Generator: g, path: filepath.Join(dir, "program"), temp: dir}
	models := filepath.Join(dir, "models")
	if err := os.MkdirAll(models, 0o755); err != nil {
		return p, err
	}
	mod := "module openapimodels\n\ngo 1.26\n\nrequire github.com/weftcodec/weft/bench v0.0.0\n\n" +
		fmt.Sprintf("replace github.com/weftcodec/weft/bench => %q\n\n", t.root) +
		fmt.Sprintf("replace github.com/weftcodec/weft => %q\n", filepath.Dir(t.root))
	if g.module != "" {
		mod += fmt.Sprintf("\nrequire %s %s\n", g.module, g.version)
	}
	sums, err := os.ReadFile(filepath.Join(t.root, "go.sum"))
	if err != nil {
		return p, err
	}
	for name, text := range map[string]string{"go.mod": mod, "go.sum": string(sums), "main.go": mainText} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return p, err
		}
	}
	if err := g.write(t, dir); err != nil {
		return p, err
	}
	return p, t.run(dir, "go", "build", "-o", p.path, ".")
}

// mainText is the program around the models.
const mainText = `package main

import (
	"github.com/weftcodec/weft/bench/generators/child"

	"openapimodels/models"
)

func main() {
	pet, results := func() any { return new(models.Pet) }, func() any { return new(models.Results) }
	child.Main(map[string]child.Model{
		"Pet":              {New: pet},
		"Pet direct":       {New: pet, Direct: true},
		"Pet validate":     {New: pet, Direct: true, Validate: true},
		"Results":          {New: results},
		"Results direct":   {New: results, Direct: true},
		"Results validate": {New: results, Direct: true, Validate: true},
	})
}
`
