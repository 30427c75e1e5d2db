// Command models generates the types of large OpenAPI documents, builds a program for one type of each, and prints how
// long the first calls of a fresh process take, and how many types they have compiled.
//
//	go run ./bench/cold/models [-specs DIR] [-runs N]
//
// Times are CPU time: the median, and the least, of N processes, those of the documents in turns. A document that is not
// in the folder is left out.
package main

import (
	"cmp"
	"embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// model is a type of a document, with an example of it.
type model struct {
	name, spec, typ, example string

	program  string
	first    [2][]int // nanoseconds that the first calls took: reading and writing
	compiled [2]int   // types
}

//go:embed *.json
var examples embed.FS

func main() {
	specs := flag.String("specs", filepath.Join("..", "shared", "specs"), "folder of documents")
	runs := flag.Int("runs", 60, "how many processes")
	flag.Parse()
	if err := run(*specs, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "models:", err)
		os.Exit(1)
	}
}

func run(specs string, runs int) error {
	dir, err := os.MkdirTemp("", "weft-models-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	models := []*model{
		{name: "charge", spec: "stripe-2022-04-12.json", typ: "Charge"},
		{name: "completion", spec: "openai.json", typ: "CreateChatCompletionResponse"},
	}
	models = slices.DeleteFunc(models, func(m *model) bool {
		_, err := os.Stat(filepath.Join(specs, m.spec))
		if err != nil {
			fmt.Printf("%-12s skipped: no %s in %s, the folder that -specs names\n", m.name, m.spec, specs)
		}
		return err != nil
	})
	for _, m := range models {
		if err := m.build(filepath.Join(specs, m.spec), dir); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	for range runs {
		for _, m := range models {
			if err := m.call(); err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
		}
	}
	for _, m := range models {
		for k, op := range []string{"decode", "encode"} {
			slices.Sort(m.first[k])
			fmt.Printf("%-12s first %s %5d µs (least %d), %d types compiled by then\n", m.name, op, m.first[k][len(m.first[k])/2]/1000,
				m.first[k][0]/1000, m.compiled[k])
		}
	}
	return nil
}

// program is the text of the program of a model. The function that counts is in a file that this build alone adds.
const program = `package main

import (
	"fmt"

	"github.com/weftcodec/weft/bench/cold"
	"github.com/weftcodec/weft/bench/cold/models/%s/types"
	"github.com/weftcodec/weft/json"
)

var compiled int

func main() {
	cold.Main(new(types.%s), func(b []byte, v any) error {
		err := json.Unmarshal(b, v)
		compiled = json.TypesCompiled()
		return err
	}, json.Marshal)
	fmt.Println(compiled, json.TypesCompiled())
}
`

const counter = `package json

// TypesCompiled returns how many types have plans.
func TypesCompiled() int { return plans.Len() }
`

// build generates the types of the document, and builds the program with them. All source but the tree's own lies in dir.
func (m *model) build(spec, dir string) error {
	spec, err := filepath.Abs(spec)
	if err != nil {
		return err
	}
	_, file, _, _ := runtime.Caller(0)
	here := filepath.Dir(file)
	root := filepath.Join(here, "..", "..", "..")
	out := filepath.Join(dir, m.name)
	m.program, m.example = out+".exe", out+".json"
	if err := goCommand(root, "run", "./cmd/weft", "gen", "openapi", spec, "--out", out, "--package", "types"); err != nil {
		return err
	}
	example, err := examples.ReadFile(m.name + ".json")
	if err != nil {
		return err
	}
	overlay := make(map[string]string)
	write := func(name, as string, text []byte) {
		path := filepath.Join(dir, m.name+"-"+name)
		err = cmp.Or(err, os.WriteFile(path, text, 0o600))
		if as != "" {
			overlay[as] = path
		}
	}
	write("count.go", filepath.Join(root, "json", "types_compiled.go"), []byte(counter))
	write("main.go", filepath.Join(here, m.name, "main.go"), fmt.Appendf(nil, program, m.name, m.typ))
	err = cmp.Or(err, os.WriteFile(m.example, example, 0o600))
	files, _ := filepath.Glob(filepath.Join(out, "*.go"))
	for _, f := range files {
		overlay[filepath.Join(here, m.name, "types", filepath.Base(f))] = f
	}
	list, _ := json.Marshal(map[string]any{"Replace": overlay})
	if write("overlay.json", "", list); err != nil {
		return err
	}
	return goCommand(root, "build", "-overlay", filepath.Join(dir, m.name+"-overlay.json"), "-o", m.program, "./bench/cold/models/"+m.name)
}

func goCommand(dir string, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return nil
}

// call runs the program once, and notes what it prints.
func (m *model) call() error {
	cmd := exec.Command(m.program, m.example)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	text, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	var first [2]int
	if _, err := fmt.Sscan(string(text), &first[0], &first[1], &m.compiled[0], &m.compiled[1]); err != nil {
		return fmt.Errorf("the program prints %q: %w", text, err)
	}
	m.first[0], m.first[1] = append(m.first[0], first[0]), append(m.first[1], first[1])
	return nil
}
