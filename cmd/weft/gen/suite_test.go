package gen

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weftcodec/weft/cmd/weft/openapi"
	"github.com/weftcodec/weft/internal/formats"
	weftjson "github.com/weftcodec/weft/json"
)

// suiteRight is how many instances of the suite's main part are accepted, refused and written back as they should
// be: no fewer ever are. All others follow from rules.
const suiteRight = 1145

// The types of the schemas of the JSON-Schema-Test-Suite take what they should, refuse what they should, and write
// back what they took, but for what suiteRules lists. Each schema is a component of an OpenAPI 3.1 document, which is
// read alone, as a required member and as an optional one.
//
// The suite is not part of the project: WEFT_SUITE names its folder.
func TestSchemaSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	groups, remotes := suiteGroups(t, "")
	dir := workspace(t)
	for n, list := range packSuite(groups, remotes) {
		generateSuite(t, dir, fmt.Sprint("api", n), list, remotes)
	}
	goTool(t, dir, "test", "-gcflags=-l", "./...")
	judgeSuite(t, dir, groups)
}

// The documentation says each rule from which a difference follows.
func TestSchemaSuiteRules(t *testing.T) {
	page, err := os.ReadFile("../../../docs/openapi.md")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(string(page)), " ")
	for rule := range suiteRules {
		t.Run(rule, func(t *testing.T) {
			if !strings.Contains(words, rule) {
				t.Errorf("docs/openapi.md does not say: %s", rule)
			}
		})
	}
}

// The evaluator of schemas decides as the suite says, on texts as generated packages have them: also of what is optional,
// and of the formats that are checked.
func TestSchemaSuiteEvaluator(t *testing.T) {
	for _, part := range []string{"", "optional", "optional/format"} {
		groups, remotes := suiteGroups(t, part)
		total, right, documented := 0, 0, 0
		for n, list := range packSuite(groups, remotes) {
			doc, list := loadSuite(t, filepath.Join(t.TempDir(), fmt.Sprint(n, ".json")), list, remotes)
			table, _ := Schemas(doc)
			for _, g := range list {
				if is, _ := formats.Named(g.keyword); part == "optional/format" && is == nil {
					continue
				}
				for _, test := range g.Tests {
					err := weftjson.UnmarshalWith(test.Data, &evaluated{table.Get(g.name)})
					key := g.keyword + ": " + g.Description + ": " + test.Description
					rule, _ := suiteRule(key)
					switch total++; {
					case (err == nil) == test.Valid:
						right++
					case rule == "formats are checked" || strings.HasPrefix(rule, "an empty enum") || strings.HasPrefix(rule, "$schema"):
						documented++
					default:
						t.Errorf("%s\n\t%s\n\tof %s: %v", key, test.Data, g.Schema, err)
					}
				}
			}
		}
		for _, g := range groups {
			if g.wrong != "" && !strings.Contains(g.wrong, "is on the network") { // of another draft
				t.Errorf("%s: %s: %s", g.keyword, g.Description, g.wrong)
			}
		}
		t.Logf("%-16s %d of %d right, %d by a documented rule", cmp.Or(part, "main"), right, total, documented)
	}
}

// suiteGroups returns the groups of a part of the suite, and the schemas that they refer to.
func suiteGroups(t *testing.T, part string) (groups []*suiteGroup, remotes map[string]any) {
	t.Helper()
	root := cmp.Or(os.Getenv("WEFT_SUITE"), "../../../../shared/suites/json-schema")
	files, err := filepath.Glob(filepath.Join(root, "tests", "draft2020-12", part, "*.json"))
	if err != nil || len(files) == 0 {
		t.Skip("no folder of the JSON-Schema-Test-Suite: WEFT_SUITE names one")
	}
	for _, file := range files {
		groups = append(groups, readSuite(t, file)...)
	}
	return groups, suiteRemotes(t, root)
}

// suiteGroup is a schema of the suite with its instances.
type suiteGroup struct {
	Description string
	Schema      json.RawMessage
	Tests       []*suiteTest

	keyword string // the name of its file
	name    string // of the component
	pkg     string
	wrong   string // why there is no type for it
}

// suiteTest is an instance, and what should become of it.
type suiteTest struct {
	Description string
	Data        json.RawMessage
	Valid       bool
}

func readSuite(t *testing.T, file string) (list []*suiteGroup) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	keyword := strings.TrimSuffix(filepath.Base(file), ".json")
	for i, g := range list {
		g.keyword, g.name = keyword, fmt.Sprintf("%s%d", strings.ReplaceAll(keyword, "-", ""), i)
	}
	return list
}

// suiteRemotes returns the schemas that those of the suite refer to, by their addresses.
func suiteRemotes(t *testing.T, root string) map[string]any {
	t.Helper()
	out := make(map[string]any)
	add := func(dir, address string) {
		err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(dir, path)
			if v := suiteValue(text); v != nil && err == nil {
				out[address+filepath.ToSlash(rel)] = v
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	add(filepath.Join(root, "remotes", "draft2020-12"), "http://localhost:1234/draft2020-12/")
	// The schema of schemas is that which the validator of the other tests has with it.
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/santhosh-tekuri/jsonschema/v6").Output()
	if err != nil {
		t.Fatal(err)
	}
	add(filepath.Join(strings.TrimSpace(string(module)), "metaschemas", "draft", "2020-12"), "https://json-schema.org/draft/2020-12/")
	return out
}

// suiteValue returns the value of a text, its numbers as they are written.
func suiteValue(text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// below calls each for every object of v.
func below(v any, each func(object)) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			below(x, each)
		}
	case object:
		each(v)
		for _, x := range v {
			below(x, each)
		}
	}
}

// needed adds to out the addresses of the remotes that v refers to.
func needed(v any, remotes map[string]any, out map[string]bool) {
	below(v, func(o object) {
		ref, _ := o["$ref"].(string)
		id, _ := o["$id"].(string)
		for address, remote := range remotes {
			full := strings.HasPrefix(ref, address)
			base := address[:strings.LastIndexByte(address, '/')+1]
			near := ref != "" && strings.HasPrefix(address, "http") && ref[0] != '#' &&
				strings.HasSuffix(base+ref, address[len(base):]) && !strings.Contains(ref, ":")
			for _, part := range []string{ref, id} { // relative to some $id
				part, _, _ = strings.Cut(part, "#")
				near = near || part != "" && !strings.Contains(part, ":") && strings.Contains(address, part)
			}
			if (full || near) && !out[address] {
				out[address] = true
				needed(remote, remotes, out)
			}
		}
	})
}

// packSuite divides the groups into as few documents as keep each $id in one schema.
func packSuite(groups []*suiteGroup, remotes map[string]any) [][]*suiteGroup {
	var out [][]*suiteGroup
	var taken []map[string]bool
	for _, g := range groups {
		ids := make(map[string]bool)
		v := suiteValue(g.Schema)
		need := make(map[string]bool)
		needed(v, remotes, need)
		below(v, func(o object) {
			if id, ok := o["$id"].(string); ok {
				ids[id] = true
			}
		})
		for address := range need {
			ids[address] = true
		}
		n := slices.IndexFunc(taken, func(other map[string]bool) bool {
			for id := range ids {
				if other[id] {
					return false
				}
			}
			return true
		})
		if n < 0 {
			n = len(out)
			out, taken = append(out, nil), append(taken, make(map[string]bool))
		}
		out[n] = append(out[n], g)
		maps.Copy(taken[n], ids)
	}
	return out
}

// generateSuite writes the package of the groups into a folder of the module. It leaves out those that the document
// cannot have and notes why.
func generateSuite(t *testing.T, dir, pkg string, groups []*suiteGroup, remotes map[string]any) {
	t.Helper()
	doc, groups := loadSuite(t, filepath.Join(dir, pkg+".json"), groups, remotes)
	// What is written back is all that was there.
	out := printed(t, dir, doc, pkg+".json", Options{Package: pkg, Unknown: KeepUnknown})
	var types strings.Builder
	cases := make(map[string][]json.RawMessage)
	for _, g := range groups {
		g.pkg = pkg
		for prefix, wrap := range suitePlaces {
			name := prefix + g.name
			d := declOf(out, "#/components/schemas/"+name)
			if d == nil {
				t.Fatalf("no type for %s", name)
			}
			fmt.Fprintf(&types, "\t%q: func() any { return new(%s) },\n", name, d.Name)
			for _, test := range g.Tests {
				cases[name] = append(cases[name], wrap(test.Data))
			}
		}
	}
	text, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, pkg, "instances.json"), string(text))
	code, err := os.ReadFile(filepath.Join("testdata", "suite_test.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, pkg, "suite_test.go"),
		strings.NewReplacer("package api", "package "+pkg, "\t// TYPES\n", types.String()).Replace(string(code)))
}

// loadSuite returns the document of the groups that one can have, which is written to path, and those groups. It notes
// why the others are left out.
func loadSuite(t *testing.T, path string, groups []*suiteGroup, remotes map[string]any) (*openapi.Document, []*suiteGroup) {
	t.Helper()
	for {
		lines := suiteDocument(groups, remotes)
		write(t, path, strings.Join(lines, "\n"))
		doc, diags := openapi.Load(path)
		failed := false
		for _, d := range diags.Errors() {
			line := d.Pos.Line()
			for _, g := range groups {
				if line > 0 && strings.HasPrefix(lines[line-1], fmt.Sprintf("%q:", g.name)) && g.wrong == "" {
					g.wrong, failed = d.Message, true
				}
			}
			if !failed {
				t.Fatal(d)
			}
		}
		if !failed {
			return doc, groups
		}
		groups = slices.DeleteFunc(slices.Clone(groups), func(g *suiteGroup) bool { return g.wrong != "" })
	}
}

// suitePlaces are where a schema is read: what stands before its name in that of the type, and the text that holds
// an instance.
var suitePlaces = map[string]func(json.RawMessage) json.RawMessage{
	"":         func(m json.RawMessage) json.RawMessage { return m },
	"required": member,
	"optional": member,
}

func member(m json.RawMessage) json.RawMessage { return slices.Concat([]byte(`{"v":`), m, []byte("}")) }

// suiteDocument returns the document of the groups, a component a line.
func suiteDocument(groups []*suiteGroup, remotes map[string]any) []string {
	lines := []string{`{"openapi":"3.1.0","info":{"title":"Suite","version":"1"},"paths":{},"components":{"schemas":{`}
	add := func(name string, v any) {
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		lines = append(lines, fmt.Sprintf("%q:%s,", name, text))
	}
	need := make(map[string]bool)
	for _, g := range groups {
		v := suiteValue(g.Schema)
		needed(v, remotes, need)
		// It is a document of its own, whose address is that of its fragments.
		if o, ok := v.(object); ok && o["$id"] == nil {
			o["$id"] = "https://suite.example/" + g.name
		}
		add(g.name, v)
		box := object{"type": "object", "properties": object{"v": refTo(g.name)}, "additionalProperties": false}
		add("optional"+g.name, box)
		add("required"+g.name, with(object{"required": []any{"v"}}, box))
	}
	for i, address := range slices.Sorted(maps.Keys(need)) {
		name := fmt.Sprint("remote", i)
		switch v := remotes[address].(type) {
		case object:
			if id := v["$id"]; id == nil {
				v = with(object{"$id": address}, v)
			} else if id != address {
				add(name+"at", object{"$id": address, "$ref": id})
			}
			add(name, v)
		default:
			add(name, v)
		}
	}
	last := &lines[len(lines)-1]
	*last = strings.TrimSuffix(*last, ",") + "}}}"
	return lines
}

// judgeSuite compares what the types have made of the instances with what they should.
func judgeSuite(t *testing.T, dir string, groups []*suiteGroup) {
	t.Helper()
	results := make(map[string]map[string][]suiteResult)
	figures := make(map[string]*suiteFigure)
	used := make(map[string]bool)
	var sum suiteFigure
	for _, g := range groups {
		if g.pkg != "" && results[g.pkg] == nil {
			text, err := os.ReadFile(filepath.Join(dir, g.pkg, "results.json"))
			var list map[string][]suiteResult
			if err == nil {
				err = json.Unmarshal(text, &list)
			}
			if err != nil {
				t.Fatal(err)
			}
			results[g.pkg] = list
		}
		f := figures[g.keyword]
		if f == nil {
			f = new(suiteFigure)
			figures[g.keyword] = f
		}
		for i, test := range g.Tests {
			var wrong []string
			for _, prefix := range slices.Sorted(maps.Keys(suitePlaces)) {
				why := g.wrong
				if why == "" {
					why = results[g.pkg][prefix+g.name][i].wrong(test.Valid, suitePlaces[prefix](test.Data))
				}
				if why != "" {
					wrong = append(wrong, cmp.Or(prefix, "alone")+": "+why)
				}
			}
			key := g.keyword + ": " + g.Description + ": " + test.Description
			rule, line := suiteRule(key)
			used[line] = true
			f.total++
			switch {
			case len(wrong) == 0 && rule != "":
				t.Errorf("%s is right and listed as a difference: %s", key, rule)
			case len(wrong) == 0:
				f.right++
			case rule != "":
				f.documented++
			default:
				t.Errorf("%s\n\t%s\n\tof %s\n\t%s", key, test.Data, g.Schema, strings.Join(wrong, "\n\t"))
			}
		}
	}
	for _, list := range suiteRules {
		for _, line := range list {
			if !used[line] {
				t.Errorf("%s is listed, but not in the suite", line)
			}
		}
	}
	for _, keyword := range slices.Sorted(maps.Keys(figures)) {
		f := figures[keyword]
		t.Logf("%-24s %s", keyword, f)
		sum.total, sum.right, sum.documented = sum.total+f.total, sum.right+f.right, sum.documented+f.documented
	}
	t.Logf("%-24s %s", "all", &sum)
	if sum.right < suiteRight {
		t.Errorf("%d instances are right; there were %d", sum.right, suiteRight)
	}
}

// suiteFigure counts instances.
type suiteFigure struct{ total, right, documented int }

func (f *suiteFigure) String() string {
	return fmt.Sprintf("%4d of %4d right, %3d by a documented rule, %d neither", f.right, f.total, f.documented, f.total-f.right-f.documented)
}

// suiteResult is what a type has made of an instance.
type suiteResult struct{ Err, Text string }

// wrong returns what is wrong with the result, "" for nothing.
func (r suiteResult) wrong(valid bool, text json.RawMessage) string {
	switch {
	case valid && r.Err != "":
		return "refused: " + r.Err
	case !valid && r.Err == "":
		return "accepted"
	case valid && !sameValue(suiteValue(text), suiteValue([]byte(r.Text))):
		return "written as " + r.Text
	}
	return ""
}

// sameValue reports whether two values are equal by JSON Schema.
func sameValue(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		x, _ := new(big.Rat).SetString(a.String())
		y, _ := new(big.Rat).SetString(b.String())
		return ok && x != nil && y != nil && x.Cmp(y) == 0
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, sameValue)
	case object:
		b, ok := b.(object)
		return ok && maps.EqualFunc(a, b, sameValue)
	}
	return a == b
}

// suiteRule returns the rule from which it follows that the instance called key is taken another way, and its line in
// suiteRules.
func suiteRule(key string) (rule, line string) {
	for rule, list := range suiteRules {
		for _, line := range list {
			if prefix, ok := strings.CutSuffix(line, "*"); line == key || ok && strings.HasPrefix(key, prefix) {
				return rule, line
			}
		}
	}
	return "", ""
}
