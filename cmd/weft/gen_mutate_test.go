package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// mutant is a document that cannot be used.
type mutant struct{ what, name, text string }

// mutants makes count broken documents of the one in openapi/testdata.
func mutants(t *testing.T, count int) []mutant {
	t.Helper()
	doc, _ := openapi.Load(filepath.Join("openapi", "testdata", "shop.yaml"))
	if doc == nil {
		t.Fatal("the document to mutate is not there")
	}
	m := &mutator{root: doc.Node}
	m.walk(doc.Node, "", false)
	whole := string(openapi.AppendJSON(nil, doc.Node))
	var truncated []mutant
	for n := 1; n < len(whole); n += len(whole)/150 + 1 {
		truncated = append(truncated, mutant{fmt.Sprintf("cut at %d", n), "doc.json", whole[:n]})
	}
	kinds := [][]mutant{truncated, m.types, m.dangling, m.twice, circles(), bombs()}
	var out []mutant
	for i := 0; len(out) < count; i++ { // a little of each kind
		some := false
		for _, list := range kinds {
			if i < len(list) && len(out) < count {
				out, some = append(out, list[i]), true
			}
		}
		if !some {
			break
		}
	}
	return out
}

// mutator makes mutants of a tree by changing one node at a time.
type mutator struct {
	root                   *openapi.Node
	types, dangling, twice []mutant
}

// write adds a mutant with the tree as it is now.
func (m *mutator) write(to *[]mutant, what string) {
	name := "doc.json"
	if len(*to)%2 == 1 {
		name = "doc.yaml" // JSON is YAML too
	}
	*to = append(*to, mutant{what, name, string(openapi.AppendJSON(nil, m.root))})
}

// walk mutates what is below n. Below a value of the document's own, such as an
// example, nothing is wrong; there free is set.
func (m *mutator) walk(n *openapi.Node, path string, free bool) {
	for i, x := range n.Items {
		m.walk(x, fmt.Sprintf("%s/%d", path, i), free)
	}
	for i := range n.Members {
		x := n.Members[i]
		at := path + "/" + x.Name
		free := free || strings.HasPrefix(x.Name, "x-") ||
			slices.Contains([]string{"example", "examples", "default", "enum", "const", "value"}, x.Name)
		m.walk(x.Value, at, free)
		if free {
			continue
		}
		if x.Value.Kind == openapi.Object || x.Value.Kind == openapi.Array {
			n.Members[i].Value = &openapi.Node{Kind: openapi.NumberKind, Text: "7"}
			m.write(&m.types, at+" is a number")
			n.Members[i].Value = x.Value
		}
		if x.Name == "$ref" {
			n.Members[i].Value = &openapi.Node{Kind: openapi.String, Text: x.Value.Text + "X"}
			m.write(&m.dangling, at+" dangles")
			n.Members[i].Value = &openapi.Node{Kind: openapi.String, Text: "none.yaml" + x.Value.Text}
			m.write(&m.dangling, at+" names no file")
			n.Members[i].Value = x.Value
		}
		all := n.Members
		n.Members = append(slices.Clone(all), openapi.Member{Name: x.Name, Value: &openapi.Node{Kind: openapi.String, Text: "again"}})
		m.write(&m.twice, at+" twice")
		n.Members = all
	}
}

// circles returns documents whose references never end.
func circles() []mutant {
	var out []mutant
	add := func(what, components string) {
		out = append(out, mutant{what, "doc.yaml", "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents:\n" + components})
	}
	for n := 1; n <= 8; n++ {
		for _, kind := range []string{
			"parameters", "responses", "headers", "requestBodies", "examples", "links", "callbacks", "securitySchemes",
		} {
			var b strings.Builder
			fmt.Fprintf(&b, "  %s:\n", kind)
			for i := range n {
				fmt.Fprintf(&b, "    A%d: {$ref: '#/components/%s/A%d'}\n", i, kind, (i+1)%n)
			}
			add(fmt.Sprintf("%d %s in a circle", n, kind), b.String())
		}
		var refs, all strings.Builder
		for i := range n {
			fmt.Fprintf(&refs, "    A%d: {$ref: '#/components/schemas/A%d'}\n", i, (i+1)%n)
			fmt.Fprintf(&all, "    A%d: {allOf: [{type: object}, {$ref: '#/components/schemas/A%d'}]}\n", i, (i+1)%n)
		}
		add(fmt.Sprintf("%d schemas in a circle", n), "  schemas:\n"+refs.String())
		add(fmt.Sprintf("%d allOf in a circle", n), "  schemas:\n"+all.String())
	}
	return out
}

// bombs returns small documents that stand for endless or huge ones.
func bombs() []mutant {
	var out []mutant
	head := "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {}\n"
	for width := 3; width < 10; width++ {
		var lists, maps strings.Builder
		fmt.Fprintf(&lists, "%sx-0: &a0 [1, 2]\n", head)
		fmt.Fprintf(&maps, "%sx-0: &a0 {k: 1}\n", head)
		for i := 1; i < 30; i++ {
			item := fmt.Sprintf("*a%d", i-1)
			fmt.Fprintf(&lists, "x-%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(item+", ", width), ", "))
			fmt.Fprintf(&maps, "x-%d: &a%d {", i, i)
			for k := range width {
				fmt.Fprintf(&maps, "k%d: %s , ", k, item)
			}
			maps.WriteString("}\n")
		}
		out = append(out, mutant{fmt.Sprintf("lists of %d aliases", width), "doc.yaml", lists.String()},
			mutant{fmt.Sprintf("objects of %d aliases", width), "doc.yaml", maps.String()})
	}
	return append(out, mutant{"an alias of itself", "doc.yaml", head + "x-a: &a [*a]\n"},
		mutant{"deep lists", "doc.json", strings.Repeat("[", 100_000)},
		mutant{"deep objects", "doc.yaml", head + "x-a: " + strings.Repeat("{a: ", 5_000)})
}

var located = regexp.MustCompile(`^.*doc\.(yaml|json)(:[1-9][0-9]*:[1-9][0-9]*)?: `)

// Whatever is wrong with a document: the errors say where, the status is 1,
// memory is bounded and nothing is written.
func TestGenMutants(t *testing.T) {
	const count, mostMemory = 500, 512 << 20
	list := mutants(t, count)
	if len(list) != count {
		t.Errorf("%d mutants", len(list))
	}
	var most uint64
	for _, m := range list {
		dir := scratch(t, map[string]string{m.name: m.text})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		status, out, errs := weft("", "gen", "openapi", filepath.Join(dir, m.name), "--out", filepath.Join(dir, "api"))
		runtime.ReadMemStats(&after)
		most = max(most, after.TotalAlloc-before.TotalAlloc)
		errors := 0
		for _, line := range bytes.Split([]byte(strings.TrimSpace(errs)), []byte("\n")) {
			if !located.Match(line) {
				t.Errorf("%s: a line without a place: %s", m.what, line)
			}
			if !bytes.Contains(line, []byte(": warning: ")) {
				errors++
			}
		}
		if status != 1 || out != "" || errors == 0 {
			t.Errorf("%s: status %d, %d errors: %.300s%s", m.what, status, errors, out, errs)
		}
		if entries, _ := os.ReadDir(dir); len(entries) != 1 {
			t.Errorf("%s: something was written: %v", m.what, entries)
		}
	}
	if most > mostMemory {
		t.Errorf("a document of %d allocated %d MB", len(list), most>>20)
	}
	t.Logf("%d documents, at most %d MB allocated for one", len(list), most>>20)
}
