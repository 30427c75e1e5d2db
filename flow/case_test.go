package flow_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftcodec/weft/flow"
)

// caseDocument is what the tests of TestCases are about.
const caseDocument = `- {kind: http, name: server, address: ":1", links: {out: {name: route}}}
- kind: route
  name: route
  routes: [{path: /work, port: "out[0]"}, {path: /ask, port: "out[1]"}]
  links: {"out[0]": {name: queue}, "out[1]": {name: change}}
- {kind: queue, name: queue, links: {out: {name: sink}}}
- {kind: snippet, name: sink, code: done}
- {kind: map, name: change, set: {n: body.n + 1}, remove: [secret], links: {out: {name: ask}}}
- {kind: client, name: ask, url: "http://127.0.0.1:1"}
`

// TestCases has tests of a document, and what is said of those that fail.
func TestCases(t *testing.T) {
	for _, tt := range []struct{ name, test, want string }{
		{"passes", `at: sink, want: {status: 200, body: done}`, ""},
		{"status", `at: sink, want: {status: 201}`, `1:55: the status is 200, want 201`},
		{"text", `at: sink, want: {body: none}`, `1:53: the body is "done", want "none"`},
		{"value", `request: {path: /ask, body: {n: 1}}, stubs: [{node: ask, body: {a: [1, {b: 2}]}}], want: {body: {a: [1, {b: 3}]}}`,
			`1:126: the body differs at "/a/1/b": it is 2, want 3`},
		{"member too many", `request: {path: /ask, body: {n: 1}}, stubs: [{node: ask, body: {a: 1, b: 2}}], want: {body: {a: 1}}`,
			`the body differs at "/b": it is 2, want nothing`},
		{"element too few", `request: {path: /ask, body: {n: 1}}, stubs: [{node: ask, body: [1]}], want: {body: [1, 2]}`,
			`the body differs at "/1": it is nothing, want 2`},
		{"numbers",
			`request: {path: /ask, body: {n: 1}}, stubs: [{node: ask, body: 12345678901234567890123}], want: {body: 12345678901234567890123}`,
			""},
		{"part", `request: {path: /ask, body: {n: 1}}, stubs: [{node: ask, body: {a: 1}}], want: {values: {/a: 2, /b: 1}}`,
			`the body at "/a" is 1, want 2` + "\n" + `the body has nothing at "/b", want 1`},
		{"header", `request: {path: /ask, body: {n: 1}}, stubs: [{node: ask, header: {x-a: b}}], want: {header: {X-A: c, X-B: null}}`,
			`the header X-A is "b", want "c"`},
		{"reach", `request: {path: /ask?x=1, body: {n: 1, secret: s}}, stubs: [{node: ask}], reach: [{node: ask, ` +
			`method: POST, path: /ask?x=1, body: {n: 2}}]`, ""},
		{"reach differs",
			`request: {path: /ask?x=1, body: {n: 1}}, stubs: [{node: ask}], reach: [{node: ask, times: 2, method: PUT, path: /, values: {/n: 3}}]`,
			`the number of messages that come to ask is 1, want 2` + "\n" + `at ask the method is "POST", want "PUT"` + "\n" +
				`at ask the path is "/ask", want "/"` + "\n" + `at ask the body at "/n" is 2, want 3`},
		{"nothing comes", `request: {path: /none}, reach: [{node: ask}]`, `nothing comes to ask`},
		{"none is to come", `request: {path: /none}, want: {status: 404}, reach: [{node: ask, times: 0}]`, ""},
		{"behind a queue", `request: {path: /work, body: x}, want: {status: 202}, reach: [{node: sink, body: x}]`, ""},
		{"a reason", `request: {path: /ask, body: {n: 1}}, stubs: [{node: ask, error: gone}], want: {status: 200}`,
			`the status is 502, want 200 (the node ask: gone)`},
		{"malformed", `request: {path: /ask, type: application/json, body: '{"n":'}, want: {status: 400, values: {/offset: 5}}`, ""},
		{"MessagePack",
			`request: {path: /ask, type: application/msgpack, body: {n: 1}}, stubs: [{node: ask, type: application/msgpack, ` +
				`body: {a: 1}}], want: {header: {Content-Type: application/msgpack}, body: {a: 1}}`, ""},
		{"no value",
			`request: {path: /ask, body: {n: 1}}, stubs: [{node: ask, type: application/json, body: '{'}], want: {values: {/a: 1}}`,
			`the body is not a value: json: at offset 1`},
		{"no such node", `at: sinc, want: {status: 200}`, `error: f_test.yaml:1:34: there is no node "sinc": did you mean "sink"?`},
		{"no such stub", `stubs: [{node: x-case}], want: {status: 200}`, `error: f_test.yaml:1:45: there is no node "x-case"`},
		{"nothing to look at", `at: sink`, `error: f_test.yaml:1:10: the test looks at nothing: add want or reach`},
		{"no pointer", `at: sink, want: {values: {a: 1}}`, `is not a JSON Pointer`},
		{"no path", `request: {path: x}, want: {status: 200}`, `the path "x" has to begin with /`},
		{"unknown field", `at: sink, want: {statsu: 200}`, `unknown field "statsu": did you mean "status"?`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"f.yaml": caseDocument, "f_test.yaml": "- {kind: test, name: x-case, " + tt.test + "}\n"}
			results, err := flow.Test([]string{"f.yaml", "f_test.yaml"}, nil, flow.Read(func(name string) ([]byte, error) {
				return []byte(files[name]), nil
			}))
			var lines []string
			if err != nil {
				lines = append(lines, "error: "+err.Error())
			} else if len(results) != 1 || results[0].Name != "x-case" {
				t.Fatalf("%v", results)
			} else {
				for _, d := range results[0].Failures {
					lines = append(lines, d.String())
				}
			}
			wants := strings.Split(tt.want, "\n")
			if tt.want == "" {
				wants = nil
			}
			if len(lines) != len(wants) {
				t.Fatalf("%q, want %q", lines, wants)
			}
			for i, line := range lines {
				if !strings.Contains(line, "f_test.yaml:1:") || !strings.Contains(line, wants[i]) {
					t.Errorf("%q, want %q", line, wants[i])
				}
			}
		})
	}
}

// TestExamples runs the tests of the examples.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("examples/*_test.yaml")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		results, err := flow.Test([]string{strings.Replace(name, "_test", "", 1), name}, nil)
		if err != nil || len(results) == 0 {
			t.Errorf("%s: %d tests, %v", name, len(results), err)
		}
		for _, r := range results {
			t.Run(filepath.Base(name)+"/"+r.Name, func(t *testing.T) {
				for _, f := range r.Failures {
					t.Error(f)
				}
			})
		}
	}
}

func ExampleTest() {
	results, err := flow.Test([]string{"examples/ping.yaml", "examples/ping_test.yaml"}, nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	for _, r := range results {
		fmt.Println(r.Name, len(r.Failures) == 0)
	}
	// Output:
	// ping is answered true
	// nothing else is true
}
