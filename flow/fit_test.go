package flow_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftcodec/weft/flow"
)

// TestFit has the schemas of what a node hands on and what the next takes, and what is said of them.
func TestFit(t *testing.T) {
	dir := t.TempDir()
	const object = `{type: object, required: [a], properties: {a: {type: integer}}}`
	if err := os.WriteFile(filepath.Join(dir, "a.json"),
		[]byte(`{"$ref": "#/$defs/x", "$defs": {"x": {"type": "object", "required": ["a"]}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, out, in, want string }{
		{"the same", object, object, ""},
		{"type", `{type: string}`, `{type: integer}`, `it may be of type string: expected integer`},
		{"one of its types", `{type: [string, "null"]}`, `{type: string}`, `it may be of type null: expected string`},
		{"any type", `{}`, `{type: string}`, `it may be of type null: expected string`},
		{"integers are numbers", `{type: integer}`, `{type: number}`, ""},
		{"numbers are not integers", `{type: number}`, `{type: integer}`, `it may be of type number: expected integer`},
		{"anything goes", `{type: string}`, `true`, ""},
		{"nothing goes", `{type: string}`, `false`, `nothing is allowed there`},
		{"required", `{type: object, properties: {a: {type: integer}}}`, object, `it may be without the member "a"`},
		{"member", `{type: object, required: [a], properties: {a: {type: string}}}`, object, `at /a, it may be of type string: expected integer`},
		{"unknown member", `{type: object, properties: {b: true}}`,
			`{type: object, additionalProperties: false, properties: {a: true}}`,
			`it may have the member "b", which is not allowed`},
		{"other member", `{type: object, properties: {b: {type: string}}}`,
			`{type: object, additionalProperties: {type: integer}}`, `at /b, it may be of type string: expected integer`},
		{"element", `{type: array, items: {type: object, properties: {a: {type: string}}}}`,
			`{type: array, items: {properties: {a: {type: integer}}}}`, `at /0/a, it may be of type string: expected integer`},
		{"enum", `{enum: [a, b]}`, `{enum: [b, a, c]}`, ""},
		{"enum of more", `{enum: [a, d]}`, `{enum: [b, a, c]}`, `it may be "d": expected one of ["b","a","c"]`},
		{"enum of another type", `{enum: [a, 1]}`, `{type: string}`, `it may be 1: expected string`},
		{"no enum", `{type: string}`, `{enum: [a]}`, `it may be any value of its type: expected one of ["a"]`},
		{"const", `{const: 1}`, `{const: 1.0}`, ""},
		{"bound", `{type: integer, minimum: 1}`, `{type: integer, minimum: 0, maximum: 9}`, `it does not keep maximum 9`},
		{"bounds", `{type: integer, exclusiveMinimum: 1, maximum: 9}`, `{type: integer, minimum: 0, maximum: 9}`, ""},
		{"length", `{type: string, maxLength: 10}`, `{type: string, maxLength: 9}`, `it does not keep maxLength 9`},
		{"one way", `{oneOf: [{type: string}, {type: integer}]}`, `{type: string}`, `it may be of type integer: expected string`},
		{"some way", `{type: string}`, `{anyOf: [{type: integer}, {type: string}]}`, ""},
		{"no way", `{type: boolean}`, `{oneOf: [{type: integer}, {type: string}]}`, `it may be of type boolean: expected string`},
		{"all", `{allOf: [{type: object}, {required: [a]}], properties: {a: {type: integer}}}`, `{allOf: [` + object + `]}`, ""},
		{"references", `{type: object, properties: {a: {$ref: "#/$defs/n"}}, required: [a], $defs: {n: {type: string}}}`,
			object, `at /a, it may be of type string: expected integer`},
		{"recursion", `{type: object, properties: {n: {$ref: "#"}}}`, `{type: object, properties: {n: {$ref: "#"}}}`, ""},
		{"file", `a.json`, object, ""},
		{"file of less", `{type: object}`, `a.json`, `it may be without the member "a"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(dir, "f.yaml")
			doc := "- {kind: http, name: s, address: :1, links: {out: {name: a}}}\n" +
				"- {kind: map, name: a, body: '1', output: " + tt.out + ", links: {out: {name: q}}}\n" +
				"- {kind: throttle, name: q, rate: 1, links: {out: {name: b}}}\n" +
				"- {kind: stdout, name: b, input: " + tt.in + "}\n"
			if err := os.WriteFile(name, []byte(doc), 0o600); err != nil {
				t.Fatal(err)
			}
			found, err := flow.Check([]string{name})
			if err != nil {
				t.Fatal(err)
			}
			got := found.String()
			if tt.want != "" {
				tt.want = name + `:3:58: the output of "a" does not fit the input of "b": ` + tt.want
			}
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// TestFitNodes compares what nodes say by what they are.
func TestFitNodes(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "s.json"),
		[]byte(`{"type": "object", "properties": {"n": {"type": "integer", "maximum": 5}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	const server = "- {kind: http, name: s, address: :1, links: {out: {name: a}}}\n"
	for _, tt := range []struct{ name, doc, want string }{
		{"snippet",
			"- {kind: snippet, name: a, lang: json, code: '{\"n\": 6}', links: {out: {name: v}}}\n- {kind: validate, name: v, schema: s.json}",
			`2:78: the output of "a" does not fit the input of "v": at /n, must be at most 5, not 6`},
		{"good snippet",
			"- {kind: snippet, name: a, lang: json, code: '{\"n\": 5}', links: {out: {name: v}}}\n- {kind: validate, name: v, schema: s.json}",
			""},
		{"validated", "- {kind: validate, name: a, schema: s.json, links: {out: {name: b}}}\n" +
			"- {kind: stdout, name: b, input: {properties: {n: {type: string}}}}",
			`2:65: the output of "a" does not fit the input of "b": at /n, it may be of type integer: expected string`},
		{"not blocked",
			"- {kind: validate, name: a, schema: s.json, request: pass, links: {out: {name: b}}}\n" +
				"- {kind: stdout, name: b, input: {properties: {n: {type: string}}}}", ""},
		{"error port",
			"- {kind: validate, name: a, schema: s.json, links: {error: {name: b}}}\n- {kind: stdout, name: b, input: {type: string}}",
			""},
		{"no schema", "- {kind: stdout, name: a, input: 5}", `2:34: expected a JSON Schema, or the file of one, got int`},
		{"no file", "- {kind: stdout, name: a, input: none.json}", `2:34: the file DIR/none.json cannot be read: no such file or directory`},
		{"dangling", "- {kind: stdout, name: a, input: {$ref: '#/x'}}", `2:34: the schema: the reference "#/x" leads to nothing in the file`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(dir, "f.yaml")
			if err := os.WriteFile(name, []byte(server+tt.doc), 0o600); err != nil {
				t.Fatal(err)
			}
			found, err := flow.Check([]string{name})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.ReplaceAll(strings.ReplaceAll(found.String(), name+":", ""), dir, "DIR")
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
