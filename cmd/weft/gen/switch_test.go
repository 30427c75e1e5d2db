package gen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// Types alone take what types with methods take, refuse what they refuse, and write the same, as JSON and as
// MessagePack: the values of random schemas, of the lines of semantics.txt, of semantics.yaml, and of the
// JSON-Schema-Test-Suite. WEFT_RANDOM says which random schemas, as for TestRandomSchemas.
func TestSwitch(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	t.Run("semantics", func(t *testing.T) {
		doc := loaded(t, "testdata/semantics.yaml")
		s := newSwitched(t, doc, 300)
		text, err := os.ReadFile("testdata/semantics.txt")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if line == "" || line[0] == '#' || strings.Contains(line, "[") && line[2] == '[' {
				continue
			}
			word, rest, _ := strings.Cut(strings.TrimPrefix(line[2:], "(json) "), " ")
			rest, _, _ = strings.Cut(rest, " :: ")
			rest, _, _ = strings.Cut(rest, " => ")
			if json.Valid([]byte(rest)) {
				s.instances[word] = append(s.instances[word], json.RawMessage(rest))
			}
		}
		s.compare(t)
	})
	from, to := 1, 2
	if text := os.Getenv("WEFT_RANDOM"); text != "" {
		low, high, ok := strings.Cut(text, "-")
		if !ok {
			high = low
		}
		from, _ = strconv.Atoi(low)
		to, _ = strconv.Atoi(high)
	}
	for seed := from; seed <= to; seed++ {
		t.Run(fmt.Sprint("random ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 7))
			text, err := json.Marshal(newSchemaMaker(r, 40).document())
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "random.json")
			write(t, path, string(text))
			newSwitched(t, loaded(t, path), 40).compare(t)
		})
	}
	t.Run("suite", func(t *testing.T) {
		groups, remotes := suiteGroups(t, "")
		for n, list := range packSuite(groups, remotes) {
			doc, list := loadSuite(t, filepath.Join(t.TempDir(), fmt.Sprint(n, ".json")), list, remotes)
			s := newSwitched(t, doc, 0)
			for _, g := range list {
				for prefix, wrap := range suitePlaces {
					d := declOf(s.old, "#/components/schemas/"+prefix+g.name)
					if s.has(d) {
						for _, test := range g.Tests {
							s.instances[d.Name] = append(s.instances[d.Name], wrap(test.Data))
						}
					}
				}
			}
			s.compare(t)
		}
	})
}

func loaded(t *testing.T, path string) *openapi.Document {
	t.Helper()
	doc, diags := openapi.Load(path)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return doc
}

// switched are the two packages of one document, and values for their types.
type switched struct {
	dir       string
	old, new  *ir.Package
	instances map[string][]json.RawMessage
}

// newSwitched prints both packages, and makes n values of each component.
func newSwitched(t *testing.T, doc *openapi.Document, n int) *switched {
	t.Helper()
	s := &switched{dir: workspace(t), instances: make(map[string][]json.RawMessage)}
	given := map[string]string{"exact": "encoding/json.Number", "addr": "net/netip.Addr"}
	opts := Options{Package: "old", Types: given, Unknown: KeepUnknown}
	s.old = printed(t, s.dir, doc, "", opts)
	opts.Package, opts.Plain = "types", true
	s.new, _ = lower(doc, opts)
	slices.SortFunc(s.new.Decls, func(a, b *ir.Decl) int { return strings.Compare(a.Name, b.Name) })
	files, err := PrintTypes(s.new)
	if err == nil {
		err = Write(filepath.Join(s.dir, "types"), files)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range doc.Components.Schemas {
		d := declOf(s.old, e.Value.Pointer)
		if !s.has(d) {
			continue
		}
		h := fnv.New64()
		h.Write([]byte(e.Name))
		g := guesser{rand.New(rand.NewPCG(h.Sum64(), 1))}
		for range n {
			text, err := json.Marshal(g.changed(g.value(e.Value, 0)))
			if err != nil {
				t.Fatal(err)
			}
			if len(text) < 5000 {
				s.instances[d.Name] = append(s.instances[d.Name], text)
			}
		}
	}
	return s
}

// has reports whether d is a type of both packages that has a say of its own.
func (s *switched) has(d *ir.Decl) bool {
	return d != nil && (d.Kind != ir.Alias || d.Alone != nil) && slices.ContainsFunc(s.new.Decls, func(e *ir.Decl) bool { return e.Name == d.Name })
}

// switchResult is what a type has made of an instance.
type switchResult struct{ Err, Text, PackErr, PackText string }

// compare compares what the two packages make of the instances.
func (s *switched) compare(t *testing.T) {
	t.Helper()
	data, err := json.Marshal(s.instances)
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("testdata/switch_test.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	var types strings.Builder
	for name := range s.instances {
		fmt.Fprintf(&types, "\t%q: func() any { return new(%s) },\n", name, name)
	}
	for _, pkg := range []string{"old", "types"} {
		write(t, filepath.Join(s.dir, pkg, "instances.json"), string(data))
		write(t, filepath.Join(s.dir, pkg, "switch_test.go"), strings.NewReplacer("package api", "package "+pkg, "\t// TYPES\n", types.String()).Replace(string(code)))
	}
	goTool(t, s.dir, "vet", "./types")
	goTool(t, s.dir, "test", "-vet=off", "-gcflags=-l", "-run", "TestResults", "./...")
	old, types2 := s.results(t, "old"), s.results(t, "types")
	for _, format := range []string{"JSON", "MessagePack"} {
		var total, took, tooFew, tooMany, other int
		excused := make(map[string]int)
		var shown = make(map[string]int)
		for name, list := range s.instances {
			for i, text := range list {
				a, b := old[name][i], types2[name][i]
				if format == "MessagePack" {
					a, b = switchResult{Err: a.PackErr, Text: a.PackText}, switchResult{Err: b.PackErr, Text: b.PackText}
				}
				total++
				what := ""
				if why := excuse(text, a, b); why != "" {
					excused[why]++
					continue
				}
				switch {
				case a.Err == "" && b.Err != "":
					tooFew++
					what = "refused"
				case a.Err != "" && b.Err == "":
					tooMany++
					what = "accepted"
				case a.Err != "":
					continue
				case !sameText(a.Text, b.Text):
					other++
					what = "written differently"
				default:
					took++
					continue
				}
				if shown[name+": "+what]++; shown[name+": "+what] == 1 {
					t.Errorf("%s: %s: %s\n%s\nold: %s %s\nnew: %s %s", format, name, what, text, a.Err, a.Text, b.Err, b.Text)
				}
			}
		}
		for _, key := range slices.Sorted(maps.Keys(shown)) {
			t.Logf("%s: %s: %d", format, key, shown[key])
		}
		both := total - took - tooFew - tooMany - other
		for _, n := range excused {
			both -= n
		}
		t.Logf("%s: %d values: %d taken and written alike, %d refused by both, excused %v; %d refused anew, %d accepted anew, "+
			"%d written differently", format, total, took, both, excused, tooFew, tooMany, other)
	}
}

// excuse returns why the types may differ about a text, "" for no reason.
func excuse(text []byte, a, b switchResult) string {
	switch {
	case a.Err != "" && b.Err == "" && wholeNumber.Match(text):
		return "whole number with a fraction"
	case a.Err == "" && strings.Contains(b.Err, "cannot read null as "):
		return "null for a type of another package"
	case a.Err == "" && strings.Contains(a.Text, `"":`) && !strings.Contains(string(text), `"":`):
		return "array for an object, whose rest has no names"
	}
	return ""
}

// wholeNumber are integers that are written with a fraction or an exponent, which are taken anew.
var wholeNumber = regexp.MustCompile(`[0-9](\.0+|(\.[0-9]+)?[eE][+-]?[0-9]+)\b`)

func (s *switched) results(t *testing.T, pkg string) (out map[string][]switchResult) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, pkg, "results.json"))
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sameText reports whether two texts are equal, or values that are.
func sameText(a, b string) bool {
	if a == b {
		return true
	}
	return strings.HasPrefix(a, "error") && strings.HasPrefix(b, "error") || bytes.Equal(canonical(a), canonical(b))
}

// canonical returns a text with its members in order.
func canonical(text string) []byte {
	b, _ := json.Marshal(suiteValue([]byte(text)))
	return b
}
