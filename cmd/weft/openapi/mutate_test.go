package openapi

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// checkPlaces checks that every finding has a place inside the text.
func checkPlaces(t *testing.T, what string, text []byte, found Diagnostics) {
	t.Helper()
	lines := 1
	for _, end := range []string{"\n", "\r", "\u0085", "\u2028", "\u2029"} { // as YAML has them
		lines += bytes.Count(text, []byte(end))
	}
	for _, d := range found {
		if d.Pos.File() == "" || d.Pos.Line() < 1 || d.Pos.Col() < 1 || d.Pos.Line() > lines+1 {
			t.Errorf("%s: a finding without a place in %d lines: %s", what, lines, d)
		}
		if d.Message == "" || strings.Contains(d.Message, "%!") || strings.Contains(d.Message, "runtime error") {
			t.Errorf("%s: a bad message: %s", what, d)
		}
	}
}

// shop returns the same document in both formats.
func shop(t testing.TB) map[string][]byte {
	data, err := os.ReadFile(filepath.Join("testdata", "shop.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	doc, _ := Parse("shop.yaml", data)
	return map[string][]byte{"t.yaml": data, "t.json": appendNode(nil, doc.Node)}
}

// TestTruncated cuts a document at every byte.
func TestTruncated(t *testing.T) {
	for name, text := range shop(t) {
		for n := range text {
			_, found := Parse(name, text[:n], ReadFile(noFiles))
			checkPlaces(t, fmt.Sprintf("%s cut at %d", name, n), text[:n], found)
			if strings.HasSuffix(name, ".json") && found.Err() == nil {
				t.Errorf("%s cut at %d: no error", name, n)
			}
		}
	}
}

// TestMutatedText changes bytes and lines of a document.
func TestMutatedText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, text := range shop(t) {
		for i := range 1500 {
			m := bytes.Clone(text)
			at := r.IntN(len(m))
			switch i % 5 {
			case 0:
				m[at] = byte(r.IntN(256))
			case 1:
				m = append(m[:at], m[min(len(m), at+1+r.IntN(20)):]...)
			case 2:
				m = append(m[:at], append([]byte(`{}[]:,"'&*!|>%@-#` + "\t\n ")[r.IntN(20):], m[at:]...)...)
			case 3:
				to := r.IntN(len(m))
				copy(m[at:], text[to:min(len(text), to+r.IntN(200))])
			case 4:
				lines := bytes.SplitAfter(m, []byte("\n"))
				a, b := r.IntN(len(lines)), r.IntN(len(lines))
				lines[a], lines[b] = lines[b], lines[a]
				m = bytes.Join(lines, nil)
			}
			_, found := Parse(name, m, ReadFile(noFiles))
			checkPlaces(t, fmt.Sprintf("%s mutant %d", name, i), m, found)
		}
	}
}

// TestMutatedTree puts each kind of value in the place of each node, removes
// each member, and writes each name wrongly.
func TestMutatedTree(t *testing.T) {
	doc, _ := Parse("t.json", shop(t)["t.json"])
	others := []*Node{
		{Kind: Null, Text: "null"}, {Kind: Bool, Text: "true"}, {Kind: NumberKind, Text: "-1.5"}, {Kind: String, Text: "nonsense"},
		{Kind: String, Text: "#/components/schemas/Order"}, {Kind: Array}, {Kind: Object},
		{Kind: Array, Items: []*Node{{Kind: Object}}},
		{Kind: Object, Members: []Member{{Name: "$ref", Value: &Node{Kind: String, Text: "#/components/schemas/Order"}}}},
		{Kind: Object, Members: []Member{{Name: "$ref", Value: &Node{Kind: String, Text: "#/paths/~1orders"}}}},
	}
	mutants, quiet := 0, 0
	try := func(what string) {
		mutants++
		text := appendNode(nil, doc.Node)
		_, found := Parse("t.json", text, ReadFile(noFiles))
		checkPlaces(t, what, text, found)
		if len(found) == 0 {
			quiet++
		}
	}
	var visit func(n *Node, path string)
	visit = func(n *Node, path string) {
		for i := range n.Items {
			was := n.Items[i]
			for k, o := range others {
				n.Items[i] = o
				try(fmt.Sprintf("%s/%d = other %d", path, i, k))
			}
			n.Items[i] = was
			visit(was, fmt.Sprintf("%s/%d", path, i))
		}
		for i := range n.Members {
			was := n.Members[i]
			for k, o := range others {
				n.Members[i].Value = o
				try(fmt.Sprintf("%s/%s = other %d", path, was.Name, k))
			}
			n.Members[i] = was
			n.Members[i].Name = was.Name[:len(was.Name)-1] + "q"
			try(path + "/" + n.Members[i].Name)
			n.Members[i] = was
			all := n.Members
			n.Members = append(append([]Member(nil), all[:i]...), all[i+1:]...)
			try(path + " without " + was.Name)
			n.Members = all
			visit(was.Value, path+"/"+was.Name)
		}
	}
	visit(doc.Node, "#")
	t.Logf("%d mutants, %d of them without a finding", mutants, quiet)
}

// TestBombs reads documents made to exhaust memory, time or the stack.
func TestBombs(t *testing.T) {
	head := "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {}\n"
	aliases := head + "x-a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n"
	for i := 1; i < 40; i++ {
		aliases += fmt.Sprintf("x-a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10), ","))
	}
	merges := head + "x-a0: &a0 {k: 1}\n"
	for i := 1; i < 40; i++ {
		merges += fmt.Sprintf("x-a%d: &a%d\n  a: *a%d\n  b: *a%d\n  <<: [*a%d, *a%d]\n", i, i, i-1, i-1, i-1, i-1)
	}
	many := func(n int, f func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(f(i))
		}
		return b.String()
	}
	json := `{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {}, "components": {"schemas": {`
	deep := `{"items":`
	rows := []struct {
		what, file, text string
		err              string // "": none
	}{
		{"aliases of aliases", "t.yaml", aliases, "the aliases up to"},
		{"merges of merges", "t.yaml", merges, "the aliases up to"},
		{"deep JSON", "t.json", strings.Repeat("[", 1_000_000), "nested"},
		{"deep JSON objects", "t.json", strings.Repeat(`{"a":`, 1_000_000), "nested"},
		{"deep schema", "t.json", json + `"A":` + strings.Repeat(deep, 2000) + "{}" + strings.Repeat("}", 2003), "nested"},
		{"deep YAML", "t.yaml", "a: " + strings.Repeat("[", 1_000_000), ""},
		{"deep block YAML", "t.yaml", head + "x-a:\n" + many(3000, func(i int) string { return strings.Repeat(" ", i+1) + "a:\n" }), "nested"},
		{"a chain of references", "t.json", json + many(100_000, func(i int) string {
			return fmt.Sprintf(`"A%d":{"$ref":"#/components/schemas/A%d"},`, i, i+1)
		}) + `"A100000":{}}}}`, "made of each other"},
		{"a chain of parameters", "t.json", strings.TrimSuffix(json, `"schemas": {`) + `"parameters": {` + many(20_000, func(i int) string {
			return fmt.Sprintf(`"A%d":{"$ref":"#/components/parameters/A%d"},`, i, i+1)
		}) + `"A20000":{"name":"a","in":"query","schema":{}}}}}`, "lead in a circle"},
		{"dangling references", "t.json", json + many(50_000, func(i int) string {
			return fmt.Sprintf(`"A%d":{"$ref":"#/components/schemas/B%d"},`, i, i+1)
		}) + `"A":{}}}}`, "more errors"},
		{"unknown members", "t.json", json + many(100_000, func(i int) string {
			return fmt.Sprintf(`"A%d":{"typee":1},`, i)
		}) + `"A":{}}}}`, ""},
		{"path items of path items", "t.json", `{"openapi":"3.2.0","info":{"title":"t","version":"1"},"paths":{` + many(3000, func(i int) string {
			return fmt.Sprintf(`"/p%d":{"$ref":"#/components/pathItems/P"},`, i)
		}) + `"/":{}},"components":{"pathItems":{"P":{"additionalOperations":{` + many(3000, func(i int) string {
			return fmt.Sprintf(`"M%d":{},`, i)
		}) + `"M":{}}}}}}`, "stand for more than"},
		{"required names", "t.json", json + `"A":{"required":[` + many(200_000, func(i int) string {
			return fmt.Sprintf(`"a%d",`, i)
		}) + `"a"]}}}}`, ""},
	}
	for _, row := range rows {
		t.Run(row.what, func(t *testing.T) {
			start := time.Now()
			_, found := Parse(row.file, []byte(row.text), ReadFile(noFiles))
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
			if row.err != "" && !strings.Contains(found.String(), row.err) {
				t.Errorf("no finding says %q: %.300s", row.err, found.String())
			}
			t.Logf("%v, %d KB: %.150s", time.Since(start).Round(time.Millisecond), len(row.text)>>10, found.String())
		})
	}
}

func TestTooMany(t *testing.T) {
	tags := strings.Repeat("[1],\n", 1500)
	_, found := Parse("t.json",
		[]byte(`{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "components": {}, "tags": [`+"\n"+tags+`[1]]}`))
	eq(t, "findings", len(found), maxFindings+1)
	eq(t, "the last", found[len(found)-1].String(), "t.json:1001:1: 501 more errors: mend the first ones and try again")
}
